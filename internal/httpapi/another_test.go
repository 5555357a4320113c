package httpapi_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idvtest"
)

// allowAnother publishes a workflow that lets people begin again with another document, and returns its name.
func (w *world) allowAnother(cookie string) string {
	w.t.Helper()
	e := editor{w, cookie}
	file, draft := e.draft(w.t, "again", func(s *wire.WorkflowSpec) { s.AnotherDocument = true })
	e.publish(file.ID, draft.Revision).want(w.t, 200, "")
	return "again"
}

// declinedFor is somebody who was declined for a passport that expired.
func (w *world) declinedFor(workflow string) (id, token, link, key string) {
	w.t.Helper()
	id, link = w.create(w.key, map[string]any{
		"workflow": workflow, "external_reference": "order-7", "metadata": map[string]any{"shop": "north"},
		"claimed": map[string]any{"family_name": "ERIKSSON"}, "return_url": "https://shop.example/done",
	})
	token, key = w.openWithKey(link)
	w.agree(token)
	expired := idvtest.Passport("anna")
	expired.Expired = true
	w.send(token, "document_front", expired).want(w.t, 200, "")
	w.send(token, "selfie", idvtest.Selfie("anna")).want(w.t, 200, "")
	stop := w.work() // not before: the reading of the first picture would be told
	defer stop()
	if state := w.wait(id); state != "declined" {
		w.t.Fatalf("session %s is %s", id, state)
	}
	return id, token, link, key
}

// wantLacks wants a text to hold none of the words.
func wantLacks(t *testing.T, text string, words ...string) {
	t.Helper()
	for _, word := range words {
		if strings.Contains(text, word) {
			t.Errorf("%q is told in %s", word, text)
		}
	}
}

func another(token string) ask {
	return ask{method: "POST", path: "/v1/applicant/another-document", bearer: token, body: map[string]any{}}
}

func TestAnotherDocumentAfterADecline(t *testing.T) {
	t.Parallel()
	onEveryDatabase(t, func(t *testing.T, w *world) {
		t.Helper()
		cookie := w.signIn()
		id, token, link, key := w.declinedFor(w.allowAnother(cookie))
		task := func(token string) ask { return ask{method: "GET", path: "/v1/applicant/task", bearer: token} }
		personal := []string{"anna", "ERIKSSON", "order-7", "north", "L898902C3", "1974", "cap_", "score", "threshold", "sha256"}
		scenario{ask: task(token), status: 200, holds: []string{`"state":"declined"`, `"another_document":true`}, lacks: personal}.run(t, w)

		a := w.do(another(token)).want(t, 200, "")
		next, id2 := field(a.body, "token"), field(a.body, "session")
		if next == token || id2 == id || id2 == "" {
			t.Fatalf("the answer is %s", a.body)
		}
		wantLacks(t, a.body, append([]string{id, link, key, token}, personal...)...)
		lacks := append([]string{"document.expired", "expired", id, link, key}, personal...)
		scenario{ask: task(next), status: 200, holds: []string{id2, `"step":"consent"`, `"another_document":false`, `"document_kind":null`}, lacks: lacks}.run(t, w)
		scenario{
			ask: task(token), status: 200, holds: []string{`"state":"declined"`, `"another_document":false`}, lacks: append([]string{id2, next}, personal...),
		}.run(t, w)
		scenario{ask: another(token), status: 409, code: "session.finished", lacks: []string{id2, next}}.run(t, w)
		scenario{ask: another(next), status: 409, code: "capture.out_of_order", lacks: []string{id, token}}.run(t, w)
		scenario{ask: ask{method: "POST", path: "/v1/applicant/peek", body: map[string]any{"link": link}}, status: 200,
			holds: []string{`"state":"capturing"`, `"continues":"proof"`}, lacks: append([]string{id, id2}, personal...)}.run(t, w)
		scenario{ask: resumeWith(key), status: 200, holds: []string{id2}, lacks: []string{id + `"`}}.run(t, w)

		first := ask{method: "GET", path: "/v1/sessions/" + id, bearer: w.key}
		scenario{ask: first, status: 200, holds: []string{`"state":"declined"`, `"followed_by":"` + id2, `"follows":null`}}.run(t, w)
		second := ask{method: "GET", path: "/v1/sessions/" + id2, bearer: w.key}
		scenario{ask: second, status: 200, holds: []string{`"state":"capturing"`, `"follows":"` + id, `"followed_by":null`, "order-7", "north"}}.run(t, w)
		scenario{ask: ask{method: "GET", path: "/v1/events?type=session.another_document", bearer: w.key}, status: 200,
			holds: []string{`"followed_by":"` + id2}, lacks: personal}.run(t, w)
		scenario{ask: ask{method: "GET", path: "/v1/events?type=session.created", bearer: w.key}, status: 200,
			holds: []string{`"follows":"` + id}, lacks: personal}.run(t, w)
		wantLacks(t, w.log.String(), token, next, link, key)
	})
}

func TestAnotherDocumentIsRefusedAlikeWhateverTheCause(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	workflow := w.allowAnother(w.signIn())
	_, off, _, _ := w.declinedFor("no_liveness")
	stop := w.work()
	_, approved := w.decided("anna")
	_, _, review := w.referredWith(w.key, map[string]any{"workflow": workflow})
	stop()
	for _, c := range []struct {
		name, token string
		status      int
		code        string
	}{
		{"where the workflow does not allow it", off, 409, "session.finished"},
		{"after an approval", approved, 409, "session.finished"},
		{"in review", review, 409, "capture.out_of_order"},
		{"with nobody's token", "nobody", 401, "auth.invalid"},
		{"with the key of an integrator", w.key, 401, "auth.invalid"},
	} {
		w.run(t, c.name, func(t *testing.T) {
			scenario{ask: another(c.token), status: c.status, code: c.code, lacks: []string{"ses_", "token", "anna"}}.run(t, w)
		})
	}
	w.run(t, "by the tab that had the session before", func(t *testing.T) {
		_, token, _, key := w.declinedFor(workflow)
		w.do(resumeWith(key)).want(t, 200, "")
		scenario{ask: another(token), status: 409, code: "session.continued", lacks: []string{"ses_", "token"}}.run(t, w)
	})
	w.run(t, "twice at once", func(t *testing.T) {
		_, token, _, _ := w.declinedFor(workflow)
		var wg sync.WaitGroup
		got := make([]answer, 3)
		for i := range got {
			wg.Go(func() { got[i] = w.do(another(token)) })
		}
		wg.Wait()
		done := 0
		for _, a := range got {
			if a.status == http.StatusOK {
				done++
			} else if a.code() != "session.finished" {
				t.Errorf("refused with %d %s", a.status, a.body)
			}
		}
		if done != 1 {
			t.Errorf("%d of three calls began a session", done)
		}
	})
	w.run(t, "after erasing, which reaches both", func(t *testing.T) {
		id, token, _, _ := w.declinedFor(workflow)
		a := w.do(another(token)).want(t, 200, "")
		next, second := field(a.body, "token"), field(a.body, "session")
		w.do(ask{method: "POST", path: "/v1/sessions/" + second + "/erase", bearer: w.key}).want(t, 200, "")
		for _, token := range []string{token, next} {
			scenario{ask: another(token), status: 401, code: "auth.invalid", lacks: []string{"ses_"}}.run(t, w)
		}
		for _, id := range []string{id, second} {
			if erased := field(w.do(ask{method: "GET", path: "/v1/sessions/" + id, bearer: w.key}).body, "erased_at"); erased == "" {
				t.Errorf("session %s was not erased", id)
			}
		}
	})
}
