package httpapi_test

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/vault"
)

func TestFourRequestsLeadToAVerdict(t *testing.T) {
	t.Parallel()
	onEveryDatabase(t, fourRequests)
}

func fourRequests(t *testing.T, w *world) {
	t.Helper()
	w.work()
	id, link := w.create(w.key, map[string]any{"return_url": "https://shop.example.test/back"})
	peek := w.do(ask{method: "POST", path: "/v1/applicant/peek", body: map[string]any{"link": link}}).want(t, 200, "")
	if field(peek.body, "state") != "created" || field(peek.body, "brand") == "" {
		t.Errorf("peek: %s", peek.body)
	}
	if got := field(w.do(ask{method: "GET", path: "/v1/sessions/" + id, bearer: w.key}).body, "state"); got != "created" {
		t.Errorf("looking at the link changed the state to %s", got)
	}
	token := w.open(link)
	steps := []struct {
		do   func() answer
		next string // step, or state where there is none
	}{
		{func() answer { return w.do(ask{method: "GET", path: "/v1/applicant/task", bearer: token}) }, "consent"},
		{func() answer {
			return w.do(ask{
				method: "POST", path: "/v1/applicant/consent", bearer: token,
				body: map[string]any{"decision": "given", "text_version": "biometric-2026-11-3", "locale": "en"},
			})
		}, "choose"},
		{func() answer {
			return w.do(ask{method: "PUT", path: "/v1/applicant/steps/choose", bearer: token, body: map[string]any{"document_kind": "passport"}})
		}, "document_front"},
		{func() answer { return w.send(token, "document_front", idvtest.Passport("anna")) }, "selfie"},
		{func() answer { return w.send(token, "selfie", idvtest.Selfie("anna")) }, "wait"},
	}
	for _, s := range steps {
		a := s.do().want(t, 200, "")
		got := field(a.body, "step")
		if got == "" {
			got = field(a.body, "state")
		}
		if got != s.next || field(a.body, "return_url") != "https://shop.example.test/back" || !strings.Contains(a.body, `"notices":["liveness_not_required"]`) {
			t.Fatalf("want %s, got %s", s.next, a.body)
		}
	}
	if got := w.wait(id); got != "approved" {
		t.Fatalf("got %s, want approved", got)
	}
	if got := field(w.do(ask{method: "GET", path: "/v1/applicant/task", bearer: token}).body, "state"); got != "approved" {
		t.Errorf("task: got %s, want approved", got)
	}
	report := w.do(ask{method: "GET", path: "/v1/sessions/" + id + "/report", bearer: w.key}).want(t, 200, "")
	for _, h := range []string{`"outcome":"approved"`, `"document.mrz"`, `"face.match"`, `"report_digest"`, "ERIKSSON"} {
		if !strings.Contains(report.body, h) {
			t.Errorf("the report lacks %s", h)
		}
	}
}

func TestWhatAnApplicantDoesWrongIsNamed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	good := idvtest.Picture(t, idvtest.Passport("anna"))
	step := func(token, step string, body any) ask {
		return ask{method: "PUT", path: "/v1/applicant/steps/" + step, bearer: token, body: body}
	}
	consent := map[string]any{"decision": "given", "text_version": "biometric-2026-11-3", "locale": "en"}

	w.run(t, "a picture before consent", func(t *testing.T) {
		_, link := w.create(w.key, nil)
		token := w.open(link)
		scenario{ask: step(token, "document_front", form{"attempt": "attempt-a", "picture": good}), status: 409, code: "consent.missing"}.run(t, w)
	})
	w.run(t, "the steps in another order", func(t *testing.T) {
		_, token := w.begun()
		scenario{ask: step(token, "selfie", form{"attempt": "attempt-a", "picture": good}), status: 409, code: "capture.out_of_order"}.run(t, w)
	})
	w.run(t, "a step that is none", func(t *testing.T) {
		_, token := w.begun()
		scenario{ask: step(token, "blood_sample", form{"attempt": "attempt-a", "picture": good}), status: 404, code: "not_found"}.run(t, w)
	})
	w.run(t, "one attempt with two pictures", func(t *testing.T) {
		_, token := w.begun()
		w.do(step(token, "document_front", form{"attempt": "attempt-a", "picture": good})).want(t, 200, "")
		w.do(step(token, "document_front", form{"attempt": "attempt-a", "picture": good})).want(t, 200, "")
		other := idvtest.Picture(t, idvtest.Passport("eve"))
		scenario{ask: step(token, "document_front", form{"attempt": "attempt-a", "picture": other}), status: 409, code: "capture.attempt_reused"}.run(t, w)
	})
	w.run(t, "a kind of document that is none", func(t *testing.T) {
		_, link := w.create(w.key, nil)
		token := w.open(link)
		w.do(ask{method: "POST", path: "/v1/applicant/consent", bearer: token, body: consent}).want(t, 200, "")
		scenario{ask: step(token, "choose", map[string]any{"document_kind": "unknown"}), status: 422, code: "document.type_not_accepted"}.run(t, w)
		scenario{ask: step(token, "choose", map[string]any{"document_kind": secret}), status: 400, code: "request.malformed", lacks: []string{secret}}.run(t, w)
	})
	w.run(t, "forms that are broken", func(t *testing.T) {
		_, token := w.begun()
		scenario{ask: step(token, "document_front", form{"picture": good}), status: 400, code: "request.malformed", field: "attempt"}.run(t, w)
		scenario{ask: step(token, "document_front", form{"attempt": "attempt-a"}), status: 400, code: "request.malformed", field: "picture"}.run(t, w)
		scenario{
			ask: step(token, "document_front", form{"attempt": "<b>" + secret, "picture": good}), status: 400, code: "request.malformed",
			field: "attempt", lacks: []string{secret},
		}.run(t, w)
		scenario{
			ask: step(token, "document_front", form{"attempt": "attempt-a", "picture": good, "note": secret}), status: 400,
			code: "request.unknown_field", field: "note",
		}.run(t, w)
		scenario{ask: step(token, "document_front", []byte("x")), status: 415, code: "request.unsupported_media"}.run(t, w)
		cut := ask{method: "PUT", path: "/v1/applicant/steps/document_front", bearer: token, body: "--b\r\nContent-Disposition: form-data; " +
			"name=\"picture\"\r\n\r\nabc",
			header: map[string]string{"Content-Type": "multipart/form-data; boundary=b"}}
		scenario{ask: cut, status: 400, code: "request.malformed"}.run(t, w)
	})
	w.run(t, "the link in a second browser", func(t *testing.T) {
		_, link := w.create(w.key, nil)
		token := w.open(link)
		w.agree(token)
		w.send(token, "document_front", idvtest.Passport("anna")).want(t, 200, "")
		scenario{ask: ask{method: "POST", path: "/v1/applicant/open", body: map[string]any{"link": link}}, status: 409, code: "session.bound_elsewhere"}.run(t, w)
	})
	w.run(t, "consent declined, and then going on", func(t *testing.T) {
		id, link := w.create(w.key, nil)
		token := w.open(link)
		a := w.do(ask{
			method: "POST", path: "/v1/applicant/consent", bearer: token,
			body: map[string]any{"decision": "declined", "text_version": "biometric-2026-11-3", "locale": "en"},
		}).want(t, 200, "")
		if field(a.body, "state") != "cancelled" || !strings.Contains(a.body, problem.ConsentDeclined.Code) {
			t.Errorf("got %s", a.body)
		}
		raised(problem.ConsentDeclined.Code)
		scenario{ask: ask{method: "POST", path: "/v1/applicant/withdraw", bearer: token}, status: 409, code: "session.finished"}.run(t, w)
		scenario{ask: ask{method: "POST", path: "/v1/sessions/" + id + "/cancel", bearer: w.key}, status: 409, code: "session.conflict"}.run(t, w)
		scenario{ask: ask{method: "GET", path: "/v1/sessions/" + id + "/report", bearer: w.key}, status: 404, code: "not_found"}.run(t, w)
	})
	w.run(t, "who opens a new link takes the session away from the first browser", func(t *testing.T) {
		id, token := w.begun()
		w.open(w.newLink(id))
		scenario{ask: ask{method: "GET", path: "/v1/applicant/task", bearer: token}, status: 409, code: "session.continued"}.run(t, w)
	})
	w.run(t, "too late", func(t *testing.T) {
		_, link := w.create(w.key, nil)
		_, token := w.begun()
		w.clock.move(idv.DefaultLinkLife + time.Minute)
		defer w.clock.move(-idv.DefaultLinkLife - time.Minute)
		scenario{ask: ask{method: "POST", path: "/v1/applicant/open", body: map[string]any{"link": link}}, status: 410, code: "session.expired"}.run(t, w)
		scenario{ask: step(token, "document_front", form{"attempt": "attempt-a", "picture": good}), status: 410, code: "session.expired"}.run(t, w)
	})
}

// refusedAtOnce reports whether a picture is refused with that row as soon as it was sent.
func refusedAtOnce(k problem.Kind) bool {
	return strings.HasPrefix(k.Code, "capture.") && k.Severity == problem.Retry
}

func TestAPictureThatCannotBeUsedIsRefusedAtOnceWithARemedy(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, k := range problem.All() {
		if !refusedAtOnce(k) {
			continue
		}
		w.run(t, k.Code, func(t *testing.T) {
			_, token := w.begun()
			s := idvtest.Passport("anna")
			s.Glance = k.Code
			a := w.send(token, "document_front", s).want(t, 422, k.Code)
			if field(a.body, "title") != k.Title || field(a.body, "remedy") != k.Remedy || field(a.body, "severity") != "retry" {
				t.Errorf("got %s", a.body)
			}
			task := w.do(ask{method: "GET", path: "/v1/applicant/task", bearer: token})
			if field(task.body, "step") != "document_front" {
				t.Errorf("the step did not stay: %s", task.body)
			}
		})
	}
}

func TestTriesEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, token := w.begun()
	for i := range idv.DefaultSessionAttempts {
		w.do(ask{method: "PUT", path: "/v1/applicant/steps/document_front", bearer: token,
			body: form{"attempt": fmt.Sprintf("no-picture-%02d", i), "picture": []byte("no picture")}}).want(t, 422, "capture.not_an_image")
	}
	w.send(token, "document_front", idvtest.Passport("anna")).want(t, 409, "session.attempts_exhausted")
}

func TestWhatWasErasedIsGone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id, link := w.create(w.key, map[string]any{"external_reference": secret})
	token := w.open(link)
	w.do(ask{
		method: "POST", path: "/v1/applicant/consent", bearer: token,
		body: map[string]any{"decision": "given", "text_version": "biometric-2026-11-3", "locale": "en"},
	}).want(t, 200, "")
	w.do(ask{method: "PUT", path: "/v1/applicant/steps/choose", bearer: token, body: map[string]any{"document_kind": "passport"}}).want(t, 200, "")
	w.send(token, "document_front", idvtest.Passport("anna")).want(t, 200, "")
	captures, _, err := w.sessions.Sessions.Captures(t.Context(), idv.Test, idv.SessionID(id))
	must(t, err)
	picture := ask{method: "GET", path: "/v1/sessions/" + id + "/evidence/" + string(captures[0].ID), bearer: w.key}
	w.do(picture).want(t, 200, "")
	must(t, w.store.DestroyKeyset(t.Context(), idv.SessionID(id), vault.Pictures))
	must(t, w.store.DestroyKeyset(t.Context(), idv.SessionID(id), vault.Facts))
	w.do(picture).want(t, 410, "session.erased")
	if a := w.do(ask{method: "GET", path: "/v1/sessions/" + id, bearer: w.key}).want(t, 200, ""); strings.Contains(a.body, secret) {
		t.Errorf("what was erased came back: %s", a.body)
	}
}

// stream reads server-sent events.
type stream struct {
	t    *testing.T
	body *bufio.Reader
	stop context.CancelFunc
}

type event struct{ id, name, data string }

func (w *world) listen(path, bearer, cookie, after string) *stream {
	w.t.Helper()
	ctx, stop := context.WithTimeout(w.t.Context(), 20*time.Second)
	r, err := http.NewRequestWithContext(ctx, "GET", w.url+path, nil)
	must(w.t, err)
	if bearer != "" {
		r.Header.Set("Authorization", "Bearer "+bearer)
	}
	r.Header.Set("Cookie", cookie)
	r.Header.Set("Last-Event-ID", after)
	res, err := http.DefaultClient.Do(r)
	must(w.t, err)
	w.t.Cleanup(func() { stop(); _ = res.Body.Close() })
	if res.StatusCode != 200 || res.Header.Get("Content-Type") != "text/event-stream" {
		w.t.Fatalf("got %d %s", res.StatusCode, res.Header.Get("Content-Type"))
	}
	return &stream{t: w.t, body: bufio.NewReader(res.Body), stop: stop}
}

// next reads one event; comments count only when asked for.
func (s *stream) next(comments bool) (event, bool) {
	s.t.Helper()
	var e event
	for {
		line, err := s.body.ReadString('\n')
		if err != nil {
			return e, false
		}
		key, value, _ := strings.Cut(strings.TrimRight(line, "\n"), ": ")
		switch key {
		case "id":
			e.id = value
		case "event":
			e.name = value
		case "data":
			e.data = value
		case "":
			if value != "" && comments {
				e.data = value
			}
			if e.data != "" {
				return e, true
			}
		}
	}
}

// until reads events until one carries this. What comes between may be told twice: an event and a heartbeat's look can meet.
func (s *stream) until(data string) {
	s.t.Helper()
	var last event
	for {
		e, ok := s.next(false)
		if !ok {
			s.t.Fatalf("the stream ended at %+v, want %s", last, data)
		}
		if e.data == data {
			return
		}
		last = e
	}
}

func TestTheApplicantHearsTheVerdict(t *testing.T) {
	t.Parallel()
	onEveryDatabase(t, hearVerdict)
}

func hearVerdict(t *testing.T, w *world) {
	t.Helper()
	w.work()
	_, token := w.begun()
	s := w.listen("/v1/applicant/events", token, "", "")
	first, ok := s.next(false)
	if !ok || first.name != "task" || field(first.data, "step") != "document_front" || first.id == "" {
		t.Fatalf("got %+v", first)
	}
	if beat, ok := s.next(true); !ok || beat.data != "heartbeat" {
		t.Errorf("got %+v, want a heartbeat", beat)
	}
	w.send(token, "document_front", idvtest.Passport("anna")).want(t, 200, "")
	w.send(token, "selfie", idvtest.Selfie("anna")).want(t, 200, "")
	var states []string
	for {
		e, ok := s.next(false)
		if !ok {
			break // the stream ends with a final state
		}
		states = append(states, field(e.data, "state"))
	}
	if len(states) == 0 || states[len(states)-1] != "approved" {
		t.Errorf("got %v, want approved at the end", states)
	}
}

func TestAStreamThatComesBackMissesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, token := w.begun()
	s := w.listen("/v1/applicant/events", token, "", "")
	first, _ := s.next(false)
	s.stop()
	w.send(token, "document_front", idvtest.Passport("anna")).want(t, 200, "")
	again, ok := w.listen("/v1/applicant/events", token, "", first.id).next(false)
	if !ok || field(again.data, "step") != "selfie" || again.id == first.id {
		t.Errorf("got %+v after %+v", again, first)
	}
	if odd, ok := w.listen("/v1/applicant/events", token, "", "evt_' OR 1=1").next(false); !ok || field(odd.data, "step") != "selfie" {
		t.Errorf("with an id that is none: got %+v", odd)
	}
}

func TestAStreamEndsWhenTheSessionMovesToAnotherBrowser(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id, token := w.begun()
	s := w.listen("/v1/applicant/events", token, "", "")
	_, _ = s.next(false)
	link := w.newLink(id)
	_, _ = s.next(false) // the link was made; this browser still has the session
	w.open(link)
	if e, ok := s.next(false); ok {
		t.Errorf("it went on with %+v", e)
	}
}
