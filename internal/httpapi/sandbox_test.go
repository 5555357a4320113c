package httpapi_test

import (
	"strings"
	"testing"
)

func ofPersona(name string) map[string]any {
	return map[string]any{"workflow": "default", "claimed": map[string]any{"document_number": "persona:" + name, "family_name": "Doe"}}
}

func TestAPersonasSessionNeedsNoCamera(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.work()
	for name, ends := range map[string]string{"approved": "approved", "declined": "declined", "in_review": "in_review"} {
		id, _ := w.create(w.key, ofPersona(name))
		a := w.do(ask{method: "POST", path: "/v1/sessions/" + id + "/simulate", bearer: w.key}).want(t, 200, "")
		if field(a.body, "persona") != name {
			t.Errorf("%s: the answer names the persona %q", name, field(a.body, "persona"))
		}
		if got := w.wait(id); got != ends {
			t.Errorf("%s: ends %s", name, got)
		}
		w.do(ask{method: "POST", path: "/v1/sessions/" + id + "/simulate", bearer: w.key}).want(t, 409, "session.conflict")
	}
}

func TestAPersonaThatNobodyKnowsIsRefusedByItsField(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := w.do(ask{method: "POST", path: "/v1/sessions", bearer: w.key, body: ofPersona("somebody")}).want(t, 400, "request.malformed")
	if field(a.body, "field") != "/claimed/document_number" || strings.Contains(a.body, "somebody") {
		t.Errorf("answer: %s", a.body)
	}
	w.do(ask{method: "POST", path: "/v1/sessions", bearer: w.live, body: ofPersona("somebody")}).want(t, 201, "")
}

func TestAPersonaMeansNothingInLiveMode(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id, link := w.create(w.live, ofPersona("approved"))
	w.do(ask{method: "POST", path: "/v1/sessions/" + id + "/simulate", bearer: w.live}).want(t, 409, "session.conflict")
	w.do(ask{method: "POST", path: "/v1/sessions/" + id + "/simulate", bearer: w.key}).want(t, 404, "not_found")
	token := w.open(link)
	w.do(ask{method: "POST", path: "/v1/applicant/simulate", bearer: token}).want(t, 409, "session.conflict")
	if a := w.do(ask{method: "GET", path: "/v1/applicant/task", bearer: token}).want(t, 200, ""); field(a.body, "persona") != "" {
		t.Errorf("the task of a live session names a persona: %s", a.body)
	}
}

func TestOnlyThePersonasOwnBrowserCanFinishIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.work()
	id, link := w.create(w.key, ofPersona("approved"))
	token := w.open(link)
	if a := w.do(ask{method: "GET", path: "/v1/applicant/task", bearer: token}).want(t, 200, ""); field(a.body, "persona") != "approved" {
		t.Errorf("the task does not name the persona: %s", a.body)
	}
	w.do(ask{method: "POST", path: "/v1/applicant/simulate", bearer: token}).want(t, 200, "")
	if got := w.wait(id); got != "approved" {
		t.Errorf("ends %s", got)
	}
	_, other := w.begun()
	w.do(ask{method: "POST", path: "/v1/applicant/simulate", bearer: other}).want(t, 409, "session.conflict")
}
