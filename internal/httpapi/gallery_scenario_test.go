package httpapi_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/modelcard"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/sessiontest"
	"github.com/bonafide-id/bonafide/internal/store/galleries"
)

// faceCurve has a tenth of the false matches each 0.1 of similarity, down to 1e-7 among so many impostor pairs.
func faceCurve(impostors int) *modelcard.Calibration {
	c := &modelcard.Calibration{}
	for i := range 8 {
		c.Points = append(c.Points, modelcard.Point{
			Threshold: float64(i) / 10, FMR: math.Pow(10, -float64(i)), FNMR: float64(i) / 100, Genuine: 1000, Impostors: impostors,
		})
	}
	return c
}

// comparing is a world in which a workflow compares faces, and a draft of it without a consent text was refused.
func comparing(t *testing.T, w *world, change ...func(*wire.WorkflowSpec)) screened {
	t.Helper()
	w.work()
	s := screened{world: w, cookie: w.signIn()}
	e := editor{w, s.cookie}
	file, draft := e.draft(t, "looking", func(spec *wire.WorkflowSpec) {
		spec.Required = append(spec.Required, idv.CheckDuplicateFace)
		spec.Seen.Gallery = &wire.WorkflowGallery{FPIR: "1e-3", Months: 6}
		for _, f := range change {
			f(spec)
		}
	})
	refused := e.publish(file.ID, draft.Revision)
	refused.want(t, 422, "workflow.invalid")
	if !strings.Contains(refused.body, `"field":"/seen/gallery/consent"`) {
		t.Errorf("the refusal names another field: %s", refused.body)
	}
	draft.Spec.Seen.Gallery.Consent = "Shop Ltd looks for people who come twice."
	saved := read[wire.WorkflowVersion](t, e.save(file.ID, draft.Revision, draft.Spec), 200)
	e.publish(file.ID, saved.Revision).want(t, 200, "")
	return s
}

// compared takes somebody through a session, who answers the question of the gallery if says is not empty.
func (s screened) compared(t *testing.T, face, name, says string) (id, state string) {
	t.Helper()
	id, state, _ = s.comparedAs(t, face, name, says)
	return id, state
}

// comparedAs is compared, and answers the applicant's token as well.
func (s screened) comparedAs(t *testing.T, face, name, says string) (id, state, token string) {
	t.Helper()
	id, link := s.create(s.key, map[string]any{"workflow": "looking"})
	token = s.open(link)
	consent := func(about, decision, version string) answer {
		return s.do(ask{method: "POST", path: "/v1/applicant/consent", bearer: token, body: map[string]any{
			"decision": decision, "about": about, "text_version": version, "locale": "en",
		}})
	}
	consent("gallery", "given", "gallery-2026-11-1").want(t, 409, "capture.out_of_order") // not asked yet
	task := read[wire.Task](t, consent("biometrics", "given", "biometric-2026-11-3"), 200)
	if q := task.Gallery; q == nil || q.Text != "Shop Ltd looks for people who come twice." || q.Months != 6 {
		t.Fatalf("the question is %+v", q)
	}
	if says != "" {
		consent("gallery", says, "biometric-2026-11-3").want(t, 400, "request.malformed")
		consent("biometrics", says, "gallery-2026-11-1").want(t, 400, "request.malformed")
		after := read[wire.Task](t, consent("gallery", says, "gallery-2026-11-1"), 200)
		if after.Gallery != nil || after.Step != task.Step || after.State != task.State {
			t.Errorf("after the answer: %+v", after)
		}
		consent("gallery", says, "gallery-2026-11-1").want(t, 200, "") // told twice
	}
	s.do(ask{method: "PUT", path: "/v1/applicant/steps/choose", bearer: token, body: map[string]any{"document_kind": "passport"}}).want(t, 200, "")
	front := passport(face, "P"+id[len(id)-7:])
	front.Family, front.Given, front.Take = "DOE", name, id
	s.send(token, "document_front", front).want(t, 200, "")
	s.send(token, "selfie", idvtest.Scene{Face: face, Take: id}).want(t, 200, "")
	return id, s.wait(id), token
}

func TestAFaceIsComparedWithThoseOfOthersIfItsPersonAgrees(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := comparing(t, w)
	expect := func(id, state, want, code string) {
		t.Helper()
		body := s.get("/sessions/" + id).body
		if state != want || code != "" && !strings.Contains(body, `"`+code+`"`) || code == "" && strings.Contains(body, `"duplicate.face_`) {
			t.Errorf("the session is %s, want %s for %q: %s", state, want, code, body)
		}
		raised(code)
	}
	first, state := s.compared(t, "anna", "ANNA", "given")
	expect(first, state, "approved", "")
	for _, answer := range []string{"declined", ""} { // no worse off, and nothing is kept
		id, state := s.compared(t, "anna", "CLARA", answer)
		expect(id, state, "approved", "")
	}
	other, state := s.compared(t, "anna", "BERTA", "given")
	expect(other, state, "in_review", "duplicate.face_other_person")
	again, state := s.compared(t, "anna", "ANNA", "given")
	expect(again, state, "in_review", "duplicate.face_elsewhere")

	file := s.get("/sessions/" + other).body
	for _, shown := range []string{`"faces":1`, `"alone":0.4`, `"target":0.001`, `"consented":true`} {
		if !strings.Contains(file, shown) {
			t.Errorf("the reviewer is not shown %s: %s", shown, file)
		}
	}
	asked := s.do(ask{method: "GET", path: "/v1/sessions/" + other + "/duplicates", bearer: s.key})
	if got := read[wire.SeenSessions](t, asked, 200); len(got.Items) != 2 { // from both ends: the first, and who came after
		t.Errorf("the integrator reads %+v", got.Items)
	}
	for _, hidden := range []string{"score", "similarity", "alike", "cosine", ":0."} {
		if strings.Contains(asked.body, hidden) {
			t.Errorf("the integrator's answer holds %q: %s", hidden, asked.body)
		}
	}

	clusters := read[wire.DuplicateClusters](t, s.get("/duplicates?mode=test"), 200)
	if g := clusters.Galleries; len(g) != 1 || g[0].Name != "main" || g[0].Faces != 3 || len(g[0].Carries) != 4 || g[0].Carries[1].Faces != 3333 {
		t.Errorf("the galleries are %+v", g)
	}
	if g := clusters.Galleries[0]; g.State != "ready" || g.Why != "" || g.Memory <= 0 || g.Carries[1].Alone <= 0 || g.Carries[1].Beside <= 0 {
		t.Errorf("of the gallery is said %+v", g)
	}
	status := read[wire.Status](t, s.do(ask{method: "GET", path: "/v1/status", bearer: s.key}), 200)
	if len(status.Galleries) != 1 || status.Galleries[0].State != "ready" || status.Galleries[0].Faces != 3 {
		t.Errorf("the status is %+v", status)
	}
	if live := read[wire.DuplicateClusters](t, s.get("/duplicates?mode=live"), 200); len(live.Galleries) != 0 {
		t.Errorf("live mode has galleries: %+v", live.Galleries)
	}
	inConsole := func(id string) answer { return s.post("/sessions/"+id+"/withdraw-face", map[string]any{}) }
	if got := read[wire.FaceWithdrawn](t, inConsole(other), 200); got.Removed != 1 {
		t.Errorf("withdrawing in the console removed %d faces", got.Removed)
	}
	if file := s.get("/sessions/" + other).body; strings.Count(file, `"session.face_withdrawn"`) != 1 {
		t.Errorf("the timeline does not say once that it was withdrawn: %s", file)
	}
	w.roles.instead = []account.Role{account.Reviewer}
	inConsole(first).want(t, 403, "auth.forbidden")
	w.roles.instead = nil
	withdraw := func() answer {
		return s.do(ask{method: "POST", path: "/v1/sessions/" + again + "/withdraw-face", bearer: s.key, body: map[string]any{}})
	}
	if one, two := read[wire.FaceWithdrawn](t, withdraw(), 200), read[wire.FaceWithdrawn](t, withdraw(), 200); one.Removed != 1 || two.Removed != 0 {
		t.Errorf("withdrawing removed %d faces, then %d", one.Removed, two.Removed)
	}
	s.do(ask{method: "POST", path: "/v1/sessions/" + again + "/withdraw-face", bearer: s.live, body: map[string]any{}}).want(t, 404, "not_found")

	// 300 000 impostor pairs carry ten faces at a target of one in a thousand.
	w.faces.Store(&galleries.Model{Name: idvtest.TemplateModel, Calibration: faceCurve(300_000)})
	must(t, w.store.InTx(t.Context(), func(ctx context.Context, tx session.Tx) error {
		for range 10 {
			id, err := idv.NewID[idv.SessionID](w.clock.now(), w.store.Random)
			if err != nil {
				return err
			}
			if err := sessiontest.CopyWithFace(ctx, tx, idv.SessionID(first), id); err != nil {
				return err
			}
		}
		return nil
	}))
	late, state := s.compared(t, "dora", "DORA", "given")
	expect(late, state, "in_review", "duplicate.gallery_too_large")
	w.faces.Store(&galleries.Model{Name: "newer/1", Calibration: faceCurve(10_000_000)})
	later, state := s.compared(t, "ewa", "EWA", "given")
	expect(later, state, "in_review", "duplicate.gallery_unready")
}
