package httpapi_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
)

// sent takes somebody with a passport through the steps of a session until the server decides.
func (w *world) sent(workflow string, front idvtest.Scene, selfie bool) (id, token string) {
	w.t.Helper()
	id, link := w.create(w.key, map[string]any{"workflow": workflow})
	token = w.open(link)
	w.do(ask{
		method: "POST", path: "/v1/applicant/consent", bearer: token,
		body: map[string]any{"decision": "given", "text_version": "biometric-2026-11-3", "locale": "en"},
	}).want(w.t, 200, "")
	w.do(ask{method: "PUT", path: "/v1/applicant/steps/choose", bearer: token, body: map[string]any{"document_kind": "passport"}}).want(w.t, 200, "")
	w.send(token, "document_front", front).want(w.t, 200, "")
	if selfie {
		w.send(token, "selfie", idvtest.Selfie("anna")).want(w.t, 200, "")
	}
	return id, token
}

func TestWhatAVersionSaysIsDone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.work()
	e := editor{w, w.signIn()}
	publish := func(name string, change func(*wire.WorkflowSpec)) {
		t.Helper()
		file, draft := e.draft(t, name, change)
		e.publish(file.ID, draft.Revision).want(t, 200, "")
	}
	w.run(t, "a document alone, without a selfie", func(t *testing.T) {
		publish("document_alone", func(s *wire.WorkflowSpec) {
			s.Steps = []idv.Step{idv.StepConsent, idv.StepChoose, idv.StepDocumentFront, idv.StepDocumentBack}
			s.Required = slices.DeleteFunc(s.Required, func(k idv.CheckKind) bool { return strings.HasPrefix(string(k), "face.") })
		})
		id, _ := w.sent("document_alone", idvtest.Passport("anna"), false)
		if state := w.wait(id); state != "approved" {
			t.Errorf("the session is %s", state)
		}
		if events := w.do(ask{method: "GET", path: "/v1/events?type=check.broken", bearer: w.key}); strings.Contains(events.body, id) {
			t.Errorf("a check about a selfie was asked: %s", events.body)
		}
	})
	w.run(t, "no pictures from files", func(t *testing.T) {
		publish("live", func(s *wire.WorkflowSpec) { s.LiveCapture = true })
		id, link := w.create(w.key, map[string]any{"workflow": "live"})
		token := w.open(link)
		w.do(ask{
			method: "POST", path: "/v1/applicant/consent", bearer: token,
			body: map[string]any{"decision": "given", "text_version": "biometric-2026-11-3", "locale": "en"},
		}).want(t, 200, "")
		task := w.do(ask{method: "PUT", path: "/v1/applicant/steps/choose", bearer: token, body: map[string]any{"document_kind": "passport"}}).want(t, 200, "")
		if !strings.Contains(task.body, `"live_capture":true`) {
			t.Errorf("the task does not say so: %s", task.body)
		}
		from := func(source, attempt string) answer {
			f := form{"attempt": attempt, "picture": idvtest.Picture(t, idvtest.Passport("anna"))}
			if source != "" {
				f["source"] = source
			}
			return w.do(ask{method: "PUT", path: "/v1/applicant/steps/document_front", bearer: token, body: f})
		}
		from("file", "live-file-1").want(t, 422, "capture.from_file")
		from("", "live-none-1").want(t, 422, "capture.from_file")
		from("scanner", "live-other-1").want(t, 400, "request.malformed")
		from("camera", "live-camera-1").want(t, 200, "")
		file := w.do(ask{method: "GET", path: "/v1/console/sessions/" + id, cookie: e.cookie}).want(t, 200, "")
		if n := strings.Count(file.body, `"source":"camera"`); n != 1 || strings.Contains(file.body, `"source":"file"`) {
			t.Errorf("the session shows %d captures from the camera: %s", n, file.body)
		}
	})
	w.run(t, "one try at each step", func(t *testing.T) {
		publish("one_try", func(s *wire.WorkflowSpec) { s.StepAttempts = 1 })
		blurred := idvtest.Passport("anna")
		blurred.Page = "capture.blurred"
		id, _ := w.sent("one_try", blurred, true)
		if state := w.wait(id); state != "in_review" {
			t.Errorf("a picture that cannot be read, on the only try: %s", state)
		}
	})
	w.run(t, "another false match rate", func(t *testing.T) {
		publish("loose", func(s *wire.WorkflowSpec) { s.FaceFMR, s.FaceReferFMR = "3e-3", "1e-2" })
		list := w.do(ask{method: "GET", path: "/v1/workflows", bearer: w.key}).want(t, 200, "")
		if !strings.Contains(list.body, `"name":"loose"`) {
			t.Errorf("integrators do not see it: %s", list.body)
		}
	})
	w.run(t, "two persons, not by who made it, pictures kept for two hours", func(t *testing.T) {
		publish("two", func(s *wire.WorkflowSpec) {
			s.TwoPersons, s.NotByCreator, s.Retention.PicturesHours = true, true, 2
			s.Rules = []wire.WorkflowRule{referUtopia}
		})
		id, _ := w.sent("two", idvtest.Passport("anna"), true)
		w.wait(id)
		c, err := w.sessions.Queue.CaseOf(t.Context(), idv.SessionID(id))
		must(t, err)
		file := w.do(ask{method: "GET", path: "/v1/console/cases/" + string(c.ID), cookie: e.cookie}).want(t, 200, "")
		for _, has := range []string{`"two_persons":true`, `"not_by_creator":true`, `"workflow.rule"`} {
			if !strings.Contains(file.body, has) {
				t.Errorf("the case lacks %s: %s", has, file.body)
			}
		}
		w.do(ask{method: "POST", path: "/v1/console/cases/" + string(c.ID) + "/claim", cookie: e.cookie, body: map[string]any{}}).want(t, 200, "")
		c, err = w.sessions.Queue.CaseOf(t.Context(), idv.SessionID(id))
		must(t, err)
		w.do(ask{method: "POST", path: "/v1/console/cases/" + string(c.ID) + "/decide", cookie: e.cookie,
			body: map[string]any{"outcome": "approved", "version": c.Version, "report_digest": c.Report}}).want(t, 200, "")
		if state := w.wait(id); state != "in_review" {
			t.Errorf("one approval of two: %s", state)
		}
		out, err := w.sessions.Sessions.Cancel(t.Context(), idv.Test, idv.SessionID(id))
		must(t, err)
		got := w.do(ask{method: "GET", path: "/v1/sessions/" + string(out.Session.ID), bearer: w.key}).want(t, 200, "")
		var s wire.Session
		must(t, json.Unmarshal([]byte(got.body), &s))
		if s.Keeping.PicturesUntil == nil || s.Keeping.PicturesUntil.Sub(w.clock.now()) > 2*time.Hour+time.Minute {
			t.Errorf("pictures are kept until %v", s.Keeping.PicturesUntil)
		}
	})
}
