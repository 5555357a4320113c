package httpapi_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/session/review"
)

// words of a reviewer that nobody outside of the team may ever read.
const words = "Looks like her sister to me"

// desk is a reviewer at work: the owner, with a case before them.
type desk struct {
	*world
	cookie, session, review, token string
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{world: newWorld(t)}
	d.work()
	d.cookie = d.signIn()
	d.session, d.review, d.token = d.referred(d.key)
	return d
}

func (d *desk) post(path string, body any) ask {
	return ask{method: "POST", path: "/v1/console/cases/" + path, cookie: d.cookie, body: body}
}

// file reads the case as the console does.
func (d *desk) file() wire.CaseFile {
	d.t.Helper()
	var out wire.CaseFile
	a := d.do(ask{method: "GET", path: "/v1/console/cases/" + d.review, cookie: d.cookie}).want(d.t, 200, "")
	must(d.t, json.Unmarshal([]byte(a.body), &out))
	return out
}

// with is a body on the case as it is now.
func (d *desk) with(more map[string]any) map[string]any {
	d.t.Helper()
	c := d.file().Case
	more["version"], more["report_digest"] = c.Version, c.ReportDigest
	return more
}

func TestAReviewerFindsClaimsAndApprovesACase(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	list := d.do(ask{method: "GET", path: "/v1/console/cases", cookie: d.cookie}).want(t, 200, "")
	for _, h := range []string{
		d.review, d.session, `"reasons":["face.uncertain"]`, `"counts":{"unclaimed":1,"mine":0,"all":1}`, `"assignee":null`,
		`"person":{"family_name":"ERIKSSON","given_names":"ANNA MARIA"}`,
	} {
		if !strings.Contains(list.body, h) {
			t.Errorf("the queue lacks %s: %s", h, list.body)
		}
	}
	for _, l := range []string{"L898902C3", "1974-08-12", "claimed_names", "note"} {
		if strings.Contains(list.body, l) {
			t.Errorf("the queue holds %s: %s", l, list.body)
		}
	}
	next := d.do(d.post("next", map[string]any{"mode": "test"})).want(t, 200, "")
	if field(next.body, "id") != d.review || field(next.body, "state") != "claimed" || !strings.Contains(next.body, `"name":"Ada"`) {
		t.Errorf("next: %s", next.body)
	}
	d.do(d.post(d.review+"/note", map[string]any{"note": words})).want(t, 200, "")
	decision := d.with(map[string]any{"outcome": "approved", "note": words})
	got := d.do(d.post(d.review+"/decide", decision)).want(t, 200, "")
	if field(got.body, "state") != "closed" {
		t.Errorf("decided: %s", got.body)
	}
	d.do(d.post(d.review+"/decide", decision)).want(t, 409, "case.conflict")
	task := d.do(ask{method: "GET", path: "/v1/applicant/task", bearer: d.token}).want(t, 200, "")
	if field(task.body, "state") != "approved" {
		t.Errorf("the applicant: %s", task.body)
	}
	read := d.do(ask{method: "GET", path: "/v1/sessions/" + d.session, bearer: d.key}).want(t, 200, "")
	if field(read.body, "state") != "approved" || field(read.body, "outcome") != "approved" {
		t.Errorf("the integrator: %s", read.body)
	}
	full := d.do(ask{method: "GET", path: "/v1/console/sessions/" + d.session, cookie: d.cookie}).want(t, 200, "")
	for _, h := range []string{`"kind":"noted"`, `"kind":"approved"`, words, `"members":[{"id":"usr_`, `"type":"case.closed"`} {
		if !strings.Contains(full.body, h) {
			t.Errorf("the file lacks %s", h)
		}
	}
	var file struct{ Timeline json.RawMessage }
	must(t, json.Unmarshal([]byte(full.body), &file))
	for what, where := range map[string]string{
		"the applicant's task": task.body, "the session": read.body, "the timeline": string(file.Timeline), "the log": d.log.String(),
	} {
		if strings.Contains(where, words) || strings.Contains(where, "Ada") || strings.Contains(where, ownerEmail) {
			t.Errorf("%s holds what is the team's alone: %s", what, where)
		}
	}
}

func TestACaseThatChangedIsAConflictThatSaysWhoAndWhat(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	stale := d.with(map[string]any{"outcome": "declined", "reasons": []string{"face.mismatch"}})
	rival := review.Reviewer{ID: "usr_06c1q2m3n4p5r6s7t8v9w0x1y2"}
	ctx := audit.WithActor(t.Context(), audit.Actor{Kind: audit.User, ID: string(rival.ID)})
	id := d.file().Case.ID
	_, err := d.sessions.Queue.Claim(ctx, id, rival)
	must(t, err)
	for _, path := range []string{"/claim", "/decide", "/redo"} {
		body := map[string]any{}
		switch path {
		case "/decide":
			body = stale
		case "/redo":
			body = d.with(map[string]any{"step": "selfie"})
		}
		w := d.do(d.post(d.review+path, body)).want(t, 409, "case.conflict")
		if !strings.Contains(field(w.body, "detail"), string(rival.ID)+" has it until") {
			t.Errorf("%s: %s", path, w.body)
		}
	}
	v, err := d.sessions.Rulings.Note(ctx, id, rival, words)
	must(t, err)
	_, err = d.sessions.Queue.Release(ctx, id, rival)
	must(t, err)
	a := d.do(d.post(d.review+"/decide", stale)).want(t, 409, "case.conflict")
	if !strings.Contains(field(a.body, "detail"), "wrote a note") || strings.Contains(a.body, words) {
		t.Errorf("after a note: %s", a.body)
	}
	if got := d.file().Case; got.Version != v.Case.Version || got.State != "open" {
		t.Errorf("it was changed all the same: %+v", got)
	}
}

func TestBadRulingsAreRefusedByPlace(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	for name, s := range map[string]scenario{
		"a decline without a reason": {
			ask: d.post(d.review+"/decide", d.with(map[string]any{"outcome": "declined"})), status: 400, code: "request.malformed",
			field: "/reasons",
		},
		"a reason that is none": {
			ask: d.post(d.review+"/decide", d.with(map[string]any{"outcome": "declined", "reasons": []string{secret}})), status: 400,
			code: "request.malformed", field: "/reasons", lacks: []string{secret},
		},
		"an outcome of the machine": {ask: d.post(d.review+"/decide", d.with(map[string]any{"outcome": "referred"})), status: 400, code: "request.malformed"},
		"a decision in another's name": {
			ask: d.post(d.review+"/decide", d.with(map[string]any{"outcome": "approved", "by": secret})), status: 400, code: "request.unknown_field",
			lacks: []string{secret},
		},
		"no version": {ask: d.post(d.review+"/decide", map[string]any{"outcome": "approved"}), status: 400, code: "request.malformed"},
		"a note too long": {
			ask: d.post(d.review+"/note", map[string]any{"note": strings.Repeat("a", review.MaxNote+1)}), status: 400, code: "request.malformed",
			field: "/note",
		},
		"a note with control characters": {
			ask: d.post(d.review+"/note", map[string]any{"note": "a\u202eb"}), status: 400, code: "request.malformed", field: "/note",
		},
		"a step that was not taken": {
			ask: d.post(d.review+"/redo", d.with(map[string]any{"step": "document_back"})), status: 400, code: "request.malformed", field: "/step",
		},
		"a reason no applicant may hear": {
			ask: d.post(d.review+"/redo", d.with(map[string]any{"step": "selfie", "reason": "liveness.replayed"})), status: 400,
			code: "request.malformed", field: "/reason",
		},
		"a case of nobody": {ask: d.post("cas_06c1q2m3n4p5r6s7t8v9w0x1y2/claim", nil), status: 404, code: "not_found"},
		"an id of no form": {ask: d.post("x'--/claim", nil), status: 404, code: "not_found"},
		"a session's id":   {ask: d.post(d.session+"/claim", nil), status: 404, code: "not_found"},
		"to somebody who is no member": {
			ask: d.post(d.review+"/assign", map[string]any{"to": "usr_06c1q2m3n4p5r6s7t8v9w0x1y2"}), status: 400, code: "request.malformed",
			field: "/to",
		},
		"a cursor of no form": {ask: ask{method: "GET", path: "/v1/console/cases?after=x", cookie: d.cookie}, status: 400, code: "request.malformed"},
		"a claim from another origin": {
			ask: ask{
				method: "POST", path: "/v1/console/cases/" + d.review + "/claim", cookie: d.cookie,
				header: map[string]string{"Origin": "https://evil.example.test"},
			},
			status: 403, code: "auth.forbidden",
		},
		"an appeal before there is an end": {
			ask: ask{
				method: "POST", path: "/v1/console/sessions/" + d.session + "/decide", cookie: d.cookie,
				body: map[string]any{"outcome": "approved", "decision": "dec_06c1q2m3n4p5r6s7t8v9w0x1y2"},
			},
			status: 409, code: "session.conflict",
		},
	} {
		d.run(t, name, func(t *testing.T) { s.run(t, d.world) })
	}
	if c := d.file(); c.Case.State != "open" || c.Case.Version != 0 || len(c.Reviews) != 0 {
		t.Errorf("something of it was done: %+v", c)
	}
}

func TestAStepIsAskedForAgainByTheLinkThatTheIntegratorMakes(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	if got := d.file().Steps; len(got) != 2 || got[0] != "document_front" || got[1] != "selfie" {
		t.Fatalf("steps: %v", got)
	}
	d.do(d.post(d.review+"/redo", d.with(map[string]any{"step": "selfie", "reason": "capture.dark", "note": words}))).want(t, 200, "")
	token := d.open(d.newLink(d.session))
	task := d.do(ask{method: "GET", path: "/v1/applicant/task", bearer: token}).want(t, 200, "")
	if field(task.body, "step") != "selfie" || !strings.Contains(task.body, "capture.dark") || strings.Contains(task.body, words) {
		t.Errorf("the applicant: %s", task.body)
	}
	d.do(ask{method: "GET", path: "/v1/applicant/task", bearer: d.token}).want(t, 409, "session.continued")
}

func TestAFinalDecisionIsChangedByWhoMay(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.do(d.post(d.review+"/decide", d.with(map[string]any{"outcome": "declined", "reasons": []string{"face.mismatch"}}))).want(t, 200, "")
	var file wire.SessionFile
	read := d.do(ask{method: "GET", path: "/v1/console/sessions/" + d.session, cookie: d.cookie}).want(t, 200, "")
	must(t, json.Unmarshal([]byte(read.body), &file))
	appeal := ask{method: "POST", path: "/v1/console/sessions/" + d.session + "/decide", cookie: d.cookie,
		body: map[string]any{"outcome": "approved", "note": words, "decision": file.Decisions[0].ID}}
	d.roles.instead = []account.Role{account.Reviewer}
	d.do(appeal).want(t, 403, "auth.forbidden")
	d.roles.instead = []account.Role{account.SeniorReviewer}
	a := d.do(appeal).want(t, 200, "")
	if field(a.body, "outcome") != "approved" || field(a.body, "state") != "declined" {
		t.Errorf("changed: %s", a.body)
	}
	d.do(appeal).want(t, 409, "case.conflict")
	task := d.do(ask{method: "GET", path: "/v1/applicant/task", bearer: d.token}).want(t, 200, "")
	if field(task.body, "state") != "approved" || strings.Contains(task.body, words) {
		t.Errorf("the applicant: %s", task.body)
	}
}

func TestTheQueueTellsWhoWatchesIt(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	live := d.listen("/v1/console/cases/events", "", d.cookie, "")
	if e, ok := live.next(false); !ok || e.name != "queue" || e.data != `{"unclaimed":1,"mine":0,"all":1}` {
		t.Fatalf("at once: %+v", e)
	}
	d.do(d.post(d.review+"/claim", nil)).want(t, 200, "")
	live.until(`{"unclaimed":0,"mine":1,"all":1}`)
	d.clock.move(review.DefaultClaimLife) // a claim that runs out is no event
	live.until(`{"unclaimed":1,"mine":0,"all":1}`)
	d.do(d.post(d.review+"/release", nil)).want(t, 200, "")
}
