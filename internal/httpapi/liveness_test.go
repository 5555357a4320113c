package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// challenge is what a task says of its challenge.
type challenge struct {
	Token     string    `json:"token"`
	ExpiresAt time.Time `json:"expires_at"`
	Prompts   []struct {
		Move  string `json:"move"`
		AtMS  int    `json:"at_ms"`
		ForMS int    `json:"for_ms"`
	} `json:"prompts"`
	DurationMS int  `json:"duration_ms"`
	Gentle     bool `json:"gentle"`
}

func challengeOf(t *testing.T, body string) challenge {
	t.Helper()
	var task struct {
		Step, Takes string
		Challenge   *challenge
	}
	must(t, json.Unmarshal([]byte(body), &task))
	if task.Step != "selfie" || task.Takes != "frames" || task.Challenge == nil {
		t.Fatalf("no challenge: %s", body)
	}
	return *task.Challenge
}

// challenged is a session whose next step answers a challenge.
func (w *world) challenged() (id, token string, c challenge) {
	w.t.Helper()
	id, link := w.create(w.key, map[string]any{"workflow": "liveness"})
	token = w.open(link)
	w.do(ask{
		method: "POST", path: "/v1/applicant/consent", bearer: token,
		body: map[string]any{"decision": "given", "text_version": "biometric-2026-11-3", "locale": "en"},
	}).want(w.t, 200, "")
	w.do(ask{method: "PUT", path: "/v1/applicant/steps/choose", bearer: token, body: map[string]any{"document_kind": "passport"}}).want(w.t, 200, "")
	return id, token, challengeOf(w.t, w.send(token, "document_front", idvtest.Passport("anna")).want(w.t, 200, "").body)
}

// frames is the form of a run that answers a challenge, 200 ms apart.
func frames(t *testing.T, token string, s idvtest.Scene, n int) form {
	t.Helper()
	take := attempts.Add(1)
	s.Take = fmt.Sprint(take)
	times := make([]int, n)
	for i := range times {
		times[i] = i * 200
	}
	raw, err := json.Marshal(map[string]any{
		"challenge": token, "times_ms": times, "camera": map[string]any{"label": "front", "frame_rate": 29.97, "hints": []string{}},
	})
	must(t, err)
	return form{"attempt": fmt.Sprintf("attempt-%06d", take), "run": string(raw), "frame": idvtest.Frames(t, s, n)}
}

func selfie(token string, f form) ask {
	return ask{method: "PUT", path: "/v1/applicant/steps/selfie", bearer: token, body: f}
}

func TestTheDocumentIsCheckedWhileTheSelfieIsTaken(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.work()
	id, _, _ := w.challenged()
	settled := func() []idv.CheckKind {
		checks, err := w.sessions.Sessions.Checks(t.Context(), idv.Test, idv.SessionID(id))
		must(t, err)
		var out []idv.CheckKind
		for _, c := range checks {
			if c.Lifecycle == idv.CheckSettled {
				out = append(out, c.Kind)
			}
		}
		return out
	}
	want := []idv.CheckKind{idv.CheckMRZVerified, idv.CheckDocumentExpiry}
	lacks := func() bool {
		have := settled()
		return slices.ContainsFunc(want, func(k idv.CheckKind) bool { return !slices.Contains(have, k) })
	}
	for end := time.Now().Add(20 * time.Second); lacks() && time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
	}
	if lacks() {
		t.Errorf("settled are %v, want %v among them", settled(), want)
	}
	v, err := w.sessions.Sessions.Get(t.Context(), idv.Test, idv.SessionID(id))
	must(t, err)
	if v.Session.State != idv.Capturing {
		t.Errorf("the session is %s, want capturing", v.Session.State)
	}
}

func TestFramesThatAnswerTheirChallengeLeadToAVerdict(t *testing.T) {
	t.Parallel()
	onEveryDatabase(t, framesLead)
}

func framesLead(t *testing.T, w *world) {
	t.Helper()
	w.work()
	id, token, c := w.challenged()
	if len(c.Prompts) != 3 || c.DurationMS < 7_500 || c.DurationMS > 10_000 || c.Gentle || !strings.HasPrefix(c.Token, "chl_") {
		t.Errorf("the challenge: %+v", c)
	}
	if life := time.Until(c.ExpiresAt); life <= 0 || life > idv.ChallengeLife {
		t.Errorf("the challenge lives for %s", life)
	}
	task := w.do(ask{method: "GET", path: "/v1/applicant/task", bearer: token}).want(t, 200, "")
	if again := challengeOf(t, task.body); again.Token != c.Token {
		t.Errorf("asked again, the challenge is another")
	}
	run := frames(t, c.Token, idvtest.Selfie("anna"), 20)
	sent := w.do(selfie(token, run)).want(t, 200, "")
	if field(sent.body, "state") != "wait" || !strings.Contains(sent.body, `"challenge":null`) || !strings.Contains(sent.body, `"notices":[]`) {
		t.Errorf("after the frames: %s", sent.body)
	}
	w.do(selfie(token, run)).want(t, 200, "")
	if got := w.wait(id); got != "approved" {
		t.Fatalf("got %s, want approved", got)
	}
	evidence := evidenceOf(t, w, id)
	for path, status := range map[string]int{"": 200, "?frame=0": 200, "?frame=19": 200, "?frame=20": 404, "?frame=90": 400} {
		a := w.do(ask{method: "GET", path: evidence + path, bearer: w.key})
		if a.status != status || (status == 200 && (a.header.Get("Content-Type") != "image/jpeg" || strings.Contains(a.body, "scene:"))) {
			t.Errorf("evidence %q: %d %s", path, a.status, a.header.Get("Content-Type"))
		}
	}
}

// evidenceOf is the path of a session's frames.
func evidenceOf(t *testing.T, w *world, id string) string {
	t.Helper()
	captures, _, err := w.sessions.Sessions.Captures(t.Context(), "", idv.SessionID(id))
	must(t, err)
	for _, c := range captures {
		if c.Kind == idv.Frames {
			return "/v1/sessions/" + id + "/evidence/" + string(c.ID)
		}
	}
	t.Fatal("no frames were kept")
	return ""
}

func TestEveryChallengeButTheOpenOneIsRefusedAlike(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, token, mine := w.challenged()
	_, _, theirs := w.challenged()
	_, late, expired := w.challenged()
	_, twice, used := w.challenged()
	w.do(selfie(twice, frames(t, used.Token, idvtest.Scene{Face: "anna", Glance: "capture.no_face"}, 20))).want(t, 422, "capture.no_face")
	changed := mine.Token[:len(mine.Token)-4] + "0000"
	answers := map[string]answer{
		"one of another session": w.do(selfie(token, frames(t, theirs.Token, idvtest.Selfie("anna"), 20))),
		"one that was changed":   w.do(selfie(token, frames(t, changed, idvtest.Selfie("anna"), 20))),
		"one that never was":     w.do(selfie(token, frames(t, "chl_7zzzzzzzzzzzzzzzzzzzzzzzzz.00", idvtest.Selfie("anna"), 20))),
		"none":                   w.do(selfie(token, frames(t, "", idvtest.Selfie("anna"), 20))),
		"one that was used":      w.do(selfie(twice, frames(t, used.Token, idvtest.Selfie("anna"), 20))),
	}
	w.clock.move(idv.ChallengeLife + time.Second)
	answers["one that expired"] = w.do(selfie(late, frames(t, expired.Token, idvtest.Selfie("anna"), 20)))
	said := map[string]bool{}
	for name, a := range answers {
		if a.status != http.StatusConflict || a.code() != "challenge.expired" {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
		var words map[string]any
		must(t, json.Unmarshal([]byte(a.body), &words))
		delete(words, "request_id")
		delete(words, "instance")
		plain, err := json.Marshal(words)
		must(t, err)
		said[string(plain)] = true
		for _, teaches := range []string{"session", "signature", "used", "unknown", "late", mine.Token, theirs.Token} {
			if strings.Contains(strings.ToLower(string(plain)), teaches) && teaches != "used" {
				t.Errorf("%s: the answer says %q: %s", name, teaches, plain)
			}
		}
	}
	if len(said) != 1 {
		t.Errorf("the answers can be told apart: %v", said)
	}
	fresh := challengeOf(t, w.do(ask{method: "GET", path: "/v1/applicant/task", bearer: token}).want(t, 200, "").body)
	w.do(selfie(token, frames(t, fresh.Token, idvtest.Selfie("anna"), 20))).want(t, 200, "")
}

func TestWhatNoBrowserSendsIsRefusedByItsField(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, token, c := w.challenged()
	good := func(n int) form { return frames(t, c.Token, idvtest.Selfie("anna"), n) }
	with := func(n int, run string) form {
		f := good(n)
		f["run"] = strings.ReplaceAll(run, "TOKEN", c.Token)
		return f
	}
	without := func(name string) form { f := good(20); delete(f, name); return f }
	also := func(name string, v any) form { f := good(20); f[name] = v; return f }
	big := make([]byte, idv.MostFrameBytes/2)
	copy(big, "\xff\xd8\xff")
	heavy := good(3)
	heavy["frame"] = [][]byte{big, big, {0xff}}
	for name, c := range map[string]scenario{
		"a client that says that it succeeded": {ask: selfie(token, also("passed", "true")), status: 400, code: "request.unknown_field", field: "passed"},
		"a run that says that it succeeded": {
			ask: selfie(token, with(20, `{"challenge":"TOKEN","times_ms":[0],"success":true}`)), status: 400, code: "request.unknown_field",
			field: "run/success",
		},
		"a camera that says how live it is": {
			ask: selfie(token, with(20, `{"camera":{"liveness":0.99}}`)), status: 400, code: "request.unknown_field", field: "run/camera/liveness",
		},
		"a pose for each frame": {
			ask: selfie(token, with(20, `{"challenge":"TOKEN","poses":[]}`)), status: 400, code: "request.unknown_field", field: "run/poses",
		},
		"a field in another writing": {
			ask: selfie(token, with(20, `{"Challenge":"TOKEN"}`)), status: 400, code: "request.unknown_field", field: "run/Challenge",
		},
		"a challenge twice": {
			ask: selfie(token, with(20, `{"challenge":"TOKEN","challenge":"TOKEN"}`)), status: 400, code: "request.malformed",
			field: "run/challenge",
		},
		"times that are text": {
			ask: selfie(token, with(20, `{"challenge":"TOKEN","times_ms":"0"}`)), status: 400, code: "request.malformed", field: "run",
		},
		"colours that say what was seen": {
			ask: selfie(token, with(20, `{"challenge":"TOKEN","light":[0.3]}`)), status: 400, code: "request.unknown_field", field: "run/light",
		},
		"no times": {
			ask: selfie(token, with(20, `{"challenge":"TOKEN"}`)), status: 400, code: "request.malformed", field: "run/times_ms",
		},
		"a run that is no JSON": {
			ask: selfie(token, with(20, `challenge=`+secret)), status: 400, code: "request.malformed", field: "run", lacks: []string{secret},
		},
		"frames without a run": {ask: selfie(token, without("run")), status: 400, code: "request.malformed", field: "run"},
		"a run without frames": {ask: selfie(token, without("frame")), status: 400, code: "request.malformed", field: "run/times_ms"},
		"frames and a picture": {
			ask: selfie(token, also("picture", idvtest.Picture(t, idvtest.Selfie("anna")))), status: 400, code: "request.malformed",
			field: "picture",
		},
		"a picture instead of frames": {
			ask: selfie(token, form{"attempt": "attempt-a", "picture": idvtest.Picture(t, idvtest.Selfie("anna"))}), status: 400,
			code: "request.malformed", field: "run",
		},
		"91 frames":                 {ask: selfie(token, good(idv.MostFrames+1)), status: 413, code: "request.too_large", field: "frame"},
		"more than 12 MB of frames": {ask: selfie(token, heavy), status: 413, code: "request.too_large", field: "frame"},
		"frames for a page of the document": {
			ask: ask{method: "PUT", path: "/v1/applicant/steps/document_front", bearer: token, body: good(20)}, status: 409,
			code: "capture.out_of_order",
		},
		"frames without a session":             {ask: selfie("", good(20)), status: 401, code: "auth.missing"},
		"frames with the key of an integrator": {ask: selfie(w.key, good(20)), status: 401, code: "auth.invalid"},
		"JSON instead of a form": {
			ask: ask{method: "PUT", path: "/v1/applicant/steps/selfie", bearer: token, body: map[string]any{"live": true}}, status: 415,
			code: "request.unsupported_media",
		},
		"a path that is none": {
			ask: ask{method: "POST", path: "/v1/applicant/liveness", bearer: token, body: map[string]any{"path": "passed"}}, status: 400,
			code: "request.malformed",
		},
		"a path with a verdict": {
			ask:    ask{method: "POST", path: "/v1/applicant/liveness", bearer: token, body: map[string]any{"path": "usual", "live": true}},
			status: 400, code: "request.unknown_field",
		},
	} {
		w.run(t, name, func(t *testing.T) { c.run(t, w) })
	}
	now := w.do(ask{method: "GET", path: "/v1/applicant/task", bearer: token}).want(t, 200, "").body
	if challengeOf(t, now).Token != c.Token || !strings.Contains(now, `"attempts_left":3`) {
		t.Errorf("a broken form cost something: %s", now)
	}
}

func TestFramesThatCannotAnswerAreAskedForAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, token, c := w.challenged()
	w.do(selfie(token, frames(t, c.Token, idvtest.Selfie("anna"), idv.LeastFrames-1))).want(t, 422, "liveness.challenge_missed")
	next := challengeOf(t, w.do(ask{method: "GET", path: "/v1/applicant/task", bearer: token}).body)
	forged := frames(t, next.Token, idvtest.Selfie("anna"), 10)
	forged["run"] = strings.Replace(fmt.Sprint(forged["run"]), "[0,200,400,600,800,1000,1200,1400,1600,1800]", "[0,1,2,3,4,5,6,7,8,9]", 1)
	a := w.do(selfie(token, forged)).want(t, 422, "liveness.challenge_missed")
	for _, teaches := range []string{"ms", "second", "frame", "span", "token"} {
		if strings.Contains(field(a.body, "title")+field(a.body, "detail"), teaches) {
			t.Errorf("the answer says %q: %s", teaches, a.body)
		}
	}
}

func TestASignOfDeceitIsNotExplained(t *testing.T) {
	t.Parallel()
	for _, code := range []string{"liveness.faces_differ", "liveness.replayed", "liveness.failed", "capture.injected"} {
		t.Run(code, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.work()
			id, token, c := w.challenged()
			w.do(selfie(token, frames(t, c.Token, idvtest.Scene{Face: "anna", Live: code}, 20))).want(t, 200, "")
			if got := w.wait(id); got != "in_review" {
				t.Fatalf("got %s, want in_review", got)
			}
			task := w.do(ask{method: "GET", path: "/v1/applicant/task", bearer: token}).want(t, 200, "").body
			if !strings.Contains(task, `"problem":null`) || strings.Contains(task, code) || strings.Contains(task, "replay") {
				t.Errorf("the applicant is told: %s", task)
			}
			report := w.do(ask{method: "GET", path: "/v1/sessions/" + id + "/report", bearer: w.key}).want(t, 200, "").body
			if !strings.Contains(report, code) {
				t.Errorf("the report does not say %s", code)
			}
		})
	}
}

func TestWhoCannotFollowAChallengeIsNeverStuck(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.work()
	id, token, c := w.challenged()
	choose := func(path string) ask {
		return ask{method: "POST", path: "/v1/applicant/liveness", bearer: token, body: map[string]any{"path": path}}
	}
	gentle := challengeOf(t, w.do(choose("gentle")).want(t, 200, "").body)
	if !gentle.Gentle || len(gentle.Prompts) != 2 {
		t.Errorf("the gentle challenge: %+v", gentle)
	}
	if usual := challengeOf(t, w.do(choose("usual")).want(t, 200, "").body); usual.Gentle || usual.Token == c.Token {
		t.Errorf("back on the usual path: %+v", usual)
	}
	person := w.do(choose("person")).want(t, 200, "").body
	if field(person, "takes") != "face_image" || !strings.Contains(person, `"challenge":null`) {
		t.Errorf("straight to a person: %s", person)
	}
	w.send(token, "selfie", idvtest.Selfie("anna")).want(t, 200, "")
	if got := w.wait(id); got != "in_review" {
		t.Fatalf("got %s, want in_review", got)
	}
	report := w.do(ask{method: "GET", path: "/v1/sessions/" + id + "/report", bearer: w.key}).want(t, 200, "").body
	if !strings.Contains(report, problem.CheckNotRun.Code) {
		t.Errorf("the report: %s", report)
	}
}

func TestWorkflowsSayWhatTheyAskFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for key, mode := range map[string]string{w.key: "test", w.live: "live"} {
		var got struct {
			Items []struct {
				Name, LivenessNotice string
				Liveness             bool
				Required             []string
			}
		}
		must(t, json.Unmarshal([]byte(w.do(ask{method: "GET", path: "/v1/workflows", bearer: key}).want(t, 200, "").body), &got))
		names := map[string]bool{}
		for _, x := range got.Items {
			names[x.Name] = x.Liveness
			if x.Liveness != slices.Contains(x.Required, "liveness.challenge") {
				t.Errorf("%s: %+v", mode, x)
			}
		}
		if d := cmp.Diff(map[string]bool{"default": true, "liveness": true, "no_liveness": false}, names); d != "" {
			t.Errorf("%s (-want +got):\n%s", mode, d)
		}
	}
}

func TestWhoMayNotSeePicturesSeesNoTrackOfAFace(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.work()
	id, token, c := w.challenged()
	w.do(selfie(token, frames(t, c.Token, idvtest.Selfie("anna"), 20))).want(t, 200, "")
	w.wait(id)
	cookie := w.signIn()
	for role, sees := range map[account.Role]bool{account.Owner: true, account.Reviewer: true, account.PrivacyOfficer: false} {
		w.roles.instead = []account.Role{role}
		var got struct {
			Artifacts []struct {
				Kind    string
				Present bool
				Data    json.RawMessage
			}
		}
		must(t, json.Unmarshal([]byte(w.do(ask{method: "GET", path: "/v1/console/sessions/" + id, cookie: cookie}).want(t, 200, "").body), &got))
		tracks := 0
		for _, a := range got.Artifacts {
			switch a.Kind {
			case "liveness_track":
				tracks++
				if (len(a.Data) > 0) != sees {
					t.Errorf("%s sees of the track: %s", role, a.Data)
				}
			case "frame_digests", "selfie_template":
				if len(a.Data) > 0 {
					t.Errorf("%s sees %s", role, a.Kind)
				}
			}
		}
		if tracks != 1 {
			t.Errorf("%s sees %d tracks", role, tracks)
		}
	}
}
