package httpapi_test

import (
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
)

const resumePath = "/v1/applicant/resume"

// openWithKey opens a link, and answers the applicant's token and the browser's key.
func (w *world) openWithKey(link string) (token, key string) {
	w.t.Helper()
	a := w.do(ask{method: "POST", path: "/v1/applicant/open", body: map[string]any{"link": link}}).want(w.t, 200, "")
	return field(a.body, "token"), field(a.body, "key")
}

// agree consents and chooses a passport.
func (w *world) agree(token string) {
	w.t.Helper()
	w.do(ask{
		method: "POST", path: "/v1/applicant/consent", bearer: token,
		body: map[string]any{"decision": "given", "text_version": "biometric-2026-11-3", "locale": "en"},
	}).want(w.t, 200, "")
	w.do(ask{method: "PUT", path: "/v1/applicant/steps/choose", bearer: token, body: map[string]any{"document_kind": "passport"}}).want(w.t, 200, "")
}

func resumeWith(key string) ask {
	return ask{method: "POST", path: resumePath, body: map[string]any{"key": key}}
}

func TestAClosedTabIsContinuedInTheSameBrowser(t *testing.T) {
	t.Parallel()
	onEveryDatabase(t, func(t *testing.T, w *world) {
		t.Helper()
		id, link := w.create(w.key, nil)
		first, key := w.openWithKey(link)
		w.agree(first)
		w.send(first, "document_front", idvtest.Passport("anna")).want(t, 200, "")
		a := w.do(resumeWith(key)).want(t, 200, "")
		for _, lack := range []string{"anna", "ERIKSSON", "passport", "document", "cap_", "challenge", first, link, key} {
			if strings.Contains(a.body, lack) {
				t.Errorf("who continues is told %q: %s", lack, a.body)
			}
		}
		next := field(a.body, "token")
		task := ask{method: "GET", path: "/v1/applicant/task", bearer: next}
		scenario{ask: task, status: 200, holds: []string{`"step":"selfie"`}, lacks: []string{"anna", "ERIKSSON", "cap_", first, link, key}}.run(t, w)
		for _, path := range []string{"/v1/applicant/task", "/v1/applicant/events"} {
			scenario{ask: ask{method: "GET", path: path, bearer: first}, status: 409, code: "session.continued", lacks: []string{id, next}}.run(t, w)
		}
		w.send(first, "selfie", idvtest.Selfie("anna")).want(t, 409, "session.continued")
		w.send(next, "selfie", idvtest.Selfie("anna")).want(t, 200, "")
		for _, secret := range []string{key, next, first, link} {
			if strings.Contains(w.log.String(), secret) {
				t.Error("the log holds a secret")
			}
		}
	})
}

func TestAnotherBrowserContinuesUntilAPictureWasSent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id, link := w.create(w.key, nil)
	peek := ask{method: "POST", path: "/v1/applicant/peek", body: map[string]any{"link": link}}
	open := ask{method: "POST", path: "/v1/applicant/open", body: map[string]any{"link": link}}
	scenario{ask: peek, status: 200, holds: []string{`"continues":""`}}.run(t, w)
	first, firstKey := w.openWithKey(link)
	scenario{ask: peek, status: 200, holds: []string{`"continues":"free"`}, lacks: []string{id, first, firstKey}}.run(t, w)
	second, _ := w.openWithKey(link)
	w.do(ask{method: "GET", path: "/v1/applicant/task", bearer: first}).want(t, 409, "session.continued")
	w.agree(second)
	w.send(second, "document_front", idvtest.Passport("anna")).want(t, 200, "")
	lacks := []string{id, "anna", "ERIKSSON", "token", "passport\":", first, firstKey, second}
	scenario{ask: peek, status: 200, holds: []string{`"continues":"proof"`}, lacks: lacks}.run(t, w)
	scenario{ask: open, status: 409, code: "session.bound_elsewhere", lacks: lacks}.run(t, w)
	scenario{ask: resumeWith(firstKey), status: 409, code: "session.bound_elsewhere", lacks: lacks}.run(t, w)
	third, _ := w.openWithKey(w.newLink(id))
	task := ask{method: "GET", path: "/v1/applicant/task", bearer: third}
	scenario{ask: task, status: 200, holds: []string{`"step":"selfie"`}, lacks: []string{"anna", "ERIKSSON", "cap_"}}.run(t, w)
	w.do(ask{method: "GET", path: "/v1/applicant/task", bearer: second}).want(t, 409, "session.continued")
}

func TestWhatDoesNotContinueASession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, link := w.create(w.key, nil)
	token, key := w.openWithKey(link)
	for name, wrong := range map[string]string{"a link": link, "a token": token, "a key that nobody got": strings.Repeat("A", 43), "SQL": "' OR 1=1;--"} {
		w.run(t, name, func(t *testing.T) {
			scenario{ask: resumeWith(wrong), status: 401, code: "auth.invalid", lacks: []string{"ses_", token, key}}.run(t, w)
		})
	}
	w.run(t, "a key as a token or a link", func(t *testing.T) {
		w.do(ask{method: "GET", path: "/v1/applicant/task", bearer: key}).want(t, 401, "auth.invalid")
		w.do(ask{method: "POST", path: "/v1/applicant/open", body: map[string]any{"link": key}}).want(t, 404, "not_found")
	})
	w.run(t, "once too often", func(t *testing.T) {
		for range applicant.ResumesAtOnce {
			w.do(resumeWith(key)).want(t, 200, "")
		}
		scenario{ask: resumeWith(key), status: 429, code: "rate.limited", lacks: []string{"ses_", "token"}}.run(t, w)
	})
	w.run(t, "after the end", func(t *testing.T) {
		id, link := w.create(w.key, nil)
		_, key := w.openWithKey(link)
		w.do(ask{method: "POST", path: "/v1/sessions/" + id + "/cancel", bearer: w.key}).want(t, 200, "")
		scenario{ask: resumeWith(key), status: 409, code: "session.finished", lacks: []string{id, "token"}}.run(t, w)
	})
}

func TestAPersonInTheConsoleMakesANewLink(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cookie := w.signIn()
	id, old := w.create(w.key, map[string]any{"claimed": map[string]any{"family_name": "ERIKSSON"}, "external_reference": "order-7"})
	token, _ := w.openWithKey(old)
	w.agree(token)
	w.send(token, "document_front", idvtest.Passport("anna")).want(t, 200, "")
	path := "/v1/console/sessions/" + id + "/link"
	a := w.do(ask{method: "POST", path: path, cookie: cookie}).want(t, 200, "")
	for _, lack := range []string{"ERIKSSON", "order-7", token, old} {
		if strings.Contains(a.body, lack) {
			t.Errorf("the answer holds %q: %s", lack, a.body)
		}
	}
	url := field(a.body, "url")
	link := url[strings.LastIndex(url, "/")+1:]
	file := ask{method: "GET", path: "/v1/console/sessions/" + id, cookie: cookie}
	scenario{ask: file, status: 200, holds: []string{"session.linked"}, lacks: []string{link}}.run(t, w)
	w.do(ask{method: "POST", path: "/v1/applicant/open", body: map[string]any{"link": old}}).want(t, 404, "not_found")
	next, _ := w.openWithKey(link)
	w.send(next, "selfie", idvtest.Selfie("anna")).want(t, 200, "")
	if strings.Contains(w.log.String(), link) {
		t.Error("the log holds the link")
	}
	w.run(t, "not without a member", func(t *testing.T) {
		scenario{ask: ask{method: "POST", path: path}, status: 401, code: "auth.missing", lacks: []string{"/v/"}}.run(t, w)
	})
	w.run(t, "not of a session that ended", func(t *testing.T) {
		done, _ := w.create(w.key, nil)
		w.do(ask{method: "POST", path: "/v1/sessions/" + done + "/cancel", bearer: w.key}).want(t, 200, "")
		a := ask{method: "POST", path: "/v1/console/sessions/" + done + "/link", cookie: cookie}
		scenario{ask: a, status: 409, code: "session.conflict", lacks: []string{"/v/"}}.run(t, w)
	})
	w.run(t, "not of a session that there is not", func(t *testing.T) {
		none := "ses_" + strings.Repeat("0", 26)
		w.do(ask{method: "POST", path: "/v1/console/sessions/" + none + "/link", cookie: cookie}).want(t, 404, "not_found")
	})
}
