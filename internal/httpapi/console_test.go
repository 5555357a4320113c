package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/httpapi"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/pages"
)

func TestTheFirstOwnerIsMadeWithTheTokenAndIsSignedIn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	token, err := w.accounts.Setup.NewToken(t.Context())
	must(t, err)
	owner := map[string]any{"token": token, "name": "Ada", "email": ownerEmail, "password": ownerPassword}
	setup := func(change map[string]any) ask {
		body := map[string]any{}
		for k, v := range owner {
			body[k] = v
		}
		for k, v := range change {
			body[k] = v
		}
		return ask{method: "POST", path: "/v1/console/setup", body: body}
	}
	if a := w.do(ask{method: "GET", path: "/v1/console/setup"}); !strings.Contains(a.body, `"needed":true`) {
		t.Errorf("before: %s", a.body)
	}
	bad := map[string]scenario{
		"a wrong token": {ask: setup(map[string]any{"token": strings.Repeat("A", 43)}), status: 401, code: "auth.invalid"},
		"a short password": {
			ask: setup(map[string]any{"password": secret[:8]}), status: 400, code: "request.malformed", field: "/password",
			lacks: []string{secret[:8]},
		},
		"a weak password":    {ask: setup(map[string]any{"password": ownerEmail}), status: 400, code: "request.malformed", field: "/password"},
		"no address":         {ask: setup(map[string]any{"email": "ada"}), status: 400, code: "request.malformed", field: "/email"},
		"HTML as an address": {ask: setup(map[string]any{"email": "<script>@x"}), status: 400, code: "request.malformed", field: "/email"},
	}
	for name, s := range bad {
		w.run(t, name, func(t *testing.T) { s.run(t, w) })
	}
	a := w.do(setup(nil)).want(t, 200, "")
	cookie := a.header.Get("Set-Cookie")
	for _, attribute := range []string{edge.PlainCookieName + "=", "HttpOnly", "SameSite=Strict", "Path=/"} {
		if !strings.Contains(cookie, attribute) {
			t.Errorf("cookie %q lacks %s", cookie, attribute)
		}
	}
	short, _, _ := strings.Cut(cookie, ";")
	me := w.do(ask{method: "GET", path: "/v1/console/me", cookie: short}).want(t, 200, "")
	if field(me.body, "email") != ownerEmail || !strings.Contains(me.body, `"roles":["owner"]`) {
		t.Errorf("me: %s", me.body)
	}
	w.do(setup(nil)).want(t, 403, "auth.forbidden")
	if a := w.do(ask{method: "GET", path: "/v1/console/setup"}); !strings.Contains(a.body, `"needed":false`) {
		t.Errorf("after: %s", a.body)
	}
}

func TestLoginSaysTheSameForEveryReasonAndIsSlowedDown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.signIn()
	login := func(email, password string) answer {
		return w.do(ask{method: "POST", path: "/v1/console/login", body: map[string]any{"email": email, "password": password}})
	}
	wrong := login(ownerEmail, "something else entirely").want(t, 401, "auth.invalid")
	unknown := login("eve@example.test", ownerPassword).want(t, 401, "auth.invalid")
	if field(wrong.body, "detail") != field(unknown.body, "detail") {
		t.Errorf("they are told apart: %s %s", wrong.body, unknown.body)
	}
	limited := false
	for range edge.LoginRate.Calls {
		limited = login(ownerEmail, "something else entirely").code() == "rate.limited" || limited
	}
	if !limited {
		t.Error("ten tries later one may still guess")
	}
	if a := login("eve@example.test", "x"); a.code() != "auth.invalid" {
		t.Errorf("another account is limited as well: %s", a.body)
	}
	w.clock.move(2 * edge.LoginRate.Window)
	login(ownerEmail, ownerPassword).want(t, 200, "")
	for _, l := range []string{ownerPassword, ownerEmail, "eve@example.test"} {
		if strings.Contains(w.log.String(), l) {
			t.Errorf("%q reached the log", l)
		}
	}
}

func TestSigningOutEndsTheSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cookie := w.signIn()
	w.do(ask{method: "GET", path: "/v1/console/me", cookie: cookie}).want(t, 200, "")
	w.do(ask{method: "POST", path: "/v1/console/logout", cookie: cookie}).want(t, 204, "")
	w.do(ask{method: "GET", path: "/v1/console/me", cookie: cookie}).want(t, 401, "auth.missing")
}

func TestAConsoleSessionEnds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cookie := w.signIn()
	w.clock.move(edge.ConsoleIdle + time.Minute) // the store's clock: what it keeps has expired
	w.do(ask{method: "GET", path: "/v1/console/me", cookie: cookie}).want(t, 401, "auth.missing")
}

func TestPagesOfOtherOriginsMayNotWrite(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cookie := w.signIn()
	for name, header := range map[string]map[string]string{
		"by its fetch metadata": {"Sec-Fetch-Site": "cross-site"},
		"by its origin":         {"Origin": "https://evil.example.test"},
	} {
		w.run(t, name, func(t *testing.T) {
			w.do(ask{method: "POST", path: "/v1/console/sessions", cookie: cookie, header: header, body: map[string]any{}}).want(t, 403, "auth.forbidden")
		})
	}
	w.do(ask{
		method: "POST", path: "/v1/console/sessions", cookie: cookie, header: map[string]string{"Sec-Fetch-Site": "same-origin"},
		body: map[string]any{},
	}).want(t, 201, "")
}

func TestTheConsoleShowsEverythingOfASession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.work()
	id, _ := w.decided("eve")
	cookie := w.signIn()
	list := w.do(ask{method: "GET", path: "/v1/console/sessions?mode=test", cookie: cookie}).want(t, 200, "")
	if !strings.Contains(list.body, id) || !strings.Contains(list.body, `"counts":{`) {
		t.Errorf("list: %s", list.body)
	}
	a := w.do(ask{method: "GET", path: "/v1/console/sessions/" + id, cookie: cookie}).want(t, 200, "")
	var file struct {
		Session   struct{ ID string }
		Captures  []struct{ URL, Kind string }
		Artifacts []struct {
			Kind, URL string
			Data      json.RawMessage
		}
		Timeline []struct{ Type string }
	}
	must(t, json.Unmarshal([]byte(a.body), &file))
	if file.Session.ID != id || len(file.Captures) == 0 || len(file.Artifacts) == 0 || len(file.Timeline) < 4 {
		t.Fatalf("file: %s", a.body)
	}
	for _, c := range file.Captures {
		p := w.do(ask{method: "GET", path: c.URL, cookie: cookie})
		if p.status != 200 || p.header.Get("Content-Type") != "image/jpeg" || p.header.Get("Cache-Control") != "private, no-store" ||
			!strings.HasPrefix(p.body, "\xff\xd8") {
			t.Errorf("%s: got %d %s", c.URL, p.status, p.header)
		}
		if strings.Contains(p.body, "scene:") {
			t.Error("what followed the picture in the file is shown as well")
		}
	}
	for _, art := range file.Artifacts {
		if strings.HasSuffix(art.Kind, "_template") && len(art.Data) > 0 {
			t.Errorf("a face template left the server: %s", art.Data)
		}
		if art.URL != "" && w.do(ask{method: "GET", path: art.URL, cookie: cookie}).status != 200 {
			t.Errorf("%s cannot be opened", art.URL)
		}
	}
	e, ok := w.listen("/v1/console/events?session="+id, "", cookie, "").next(false)
	if !ok || e.name != "session" || field(e.data, "id") != id {
		t.Errorf("live updates: %+v", e)
	}
}

func TestPagesAreServedWithAStrictPolicy(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	get := func(path string) answer { return w.do(ask{method: "GET", path: path}) }
	for path, app := range map[string]string{
		"/v/abcdefghijklmnopqrstuvwxyz": "applicant", "/verify/" + nobody: "applicant",
		"/setup": "console", "/login": "console", "/join": "console", "/console": "console", "/console/sessions/" + nobody: "console",
	} {
		w.run(t, path, func(t *testing.T) {
			a := get(path).want(t, 200, "")
			csp := a.header.Get("Content-Security-Policy")
			for _, h := range []string{"default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"} {
				if !strings.Contains(csp, h) {
					t.Errorf("policy %q lacks %s", csp, h)
				}
			}
			if strings.Contains(csp, "unsafe") || strings.Contains(csp, "*") {
				t.Errorf("policy %q is not strict", csp)
			}
			if app == "applicant" &&
				(strings.Contains(csp, "nonce") || !strings.Contains(a.header.Get("Permissions-Policy"), "camera=(self)") || !strings.Contains(a.body, "applicant")) {
				t.Errorf("applicant: policy %q, permissions %q", csp, a.header.Get("Permissions-Policy"))
			}
			if app == "console" {
				_, rest, _ := strings.Cut(csp, "'nonce-")
				nonce, _, _ := strings.Cut(rest, "'")
				if strings.Count(a.body, `nonce="`+nonce+`"`) != 2 || strings.Contains(a.body, pages.NoncePlaceholder) || nonce == "" {
					t.Errorf("nonce %q is not in the page:\n%s", nonce, a.body)
				}
				if get(path).header.Get("Content-Security-Policy") == csp {
					t.Error("two answers have the same nonce")
				}
			}
			if a.header.Get("Referrer-Policy") != "no-referrer" || a.header.Get("Cache-Control") != "no-store" {
				t.Errorf("headers: %v", a.header)
			}
		})
	}
	a := get("/assets/applicant/app-1a.js").want(t, 200, "")
	if !strings.Contains(a.header.Get("Cache-Control"), "immutable") || !strings.HasPrefix(a.header.Get("Content-Type"), "text/javascript") {
		t.Errorf("asset: %v", a.header)
	}
	for _, path := range []string{
		"/assets/", "/assets/applicant", "/assets/../applicant/index.html", "/applicant/index.html", "/v/", "/v/a/b", "/verify", "/admin",
		"/metrics",
	} {
		if got := get(path); got.status != http.StatusNotFound && got.status != http.StatusTemporaryRedirect {
			t.Errorf("%s: got %d", path, got.status)
		}
	}
}

func TestNothingPersonalReachesTheLog(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.work()
	id, link := w.create(w.key, map[string]any{
		"external_reference": "Order-of-Anna", "metadata": map[string]any{"room": "Room-Of-Anna"},
		"claimed": map[string]any{"family_name": "ERIKSSON"},
	})
	token := w.open(link)
	w.do(ask{method: "GET", path: "/v/" + link})
	w.do(ask{method: "GET", path: "/v1/sessions?q=Order-of-Anna", bearer: w.key})
	done, applicant := w.decided("anna")
	cookie := w.signIn()
	w.do(ask{method: "GET", path: "/v1/sessions/" + done + "/report", bearer: w.key})
	log := w.log.String()
	for what, value := range map[string]string{
		"a link": link, "a token": token, "another token": applicant, "an API key": w.key, "a cookie": strings.TrimPrefix(cookie, edge.PlainCookieName+"="),
		"a reference": "Order-of-Anna", "metadata": "Room-Of-Anna", "a name": "ERIKSSON", "a number": "L898902C3", "an address": ownerEmail,
		"a password": ownerPassword, "a client's address": "127.0.0.1", "a path": "/v1/sessions/" + id,
	} {
		if strings.Contains(log, value) {
			t.Errorf("%s is in the log", what)
		}
	}
	for _, h := range []string{"route=/v1/sessions/{id}", "route=/v1/applicant/open", `route="page: applicant"`, "actor=api_key:key_", "request_id=req_"} {
		if !strings.Contains(log, h) {
			t.Errorf("the log lacks %s", h)
		}
	}
}

func TestMetricsCountByPattern(t *testing.T) {
	t.Parallel()
	m, err := edge.NewMetrics()
	must(t, err)
	w := newWorld(t, func(o *httpapi.Options) { o.Metrics = m })
	must(t, m.Sessions(w.sessions.Sessions.CountStates))
	id, _ := w.create(w.key, nil)
	w.do(ask{method: "GET", path: "/v1/sessions/" + id, bearer: w.key})
	w.do(ask{method: "GET", path: "/" + secret})
	rec := newRecorder()
	m.Handler().ServeHTTP(rec, mustRequest(t, "/metrics"))
	got := rec.body.String()
	for _, h := range []string{`route="/v1/sessions/{id}"`, `route="unmatched"`, `bonafide_sessions{mode="test",state="created"} 1`, "go_goroutines"} {
		if !strings.Contains(got, h) {
			t.Errorf("metrics lack %s", h)
		}
	}
	for _, l := range []string{id, secret} {
		if strings.Contains(got, l) {
			t.Errorf("metrics hold %s", l)
		}
	}
}

func TestReadinessSaysWhatIsThere(t *testing.T) {
	t.Parallel()
	models, down := "loading", error(nil)
	w := newWorld(t, func(o *httpapi.Options) {
		o.Models = func() string { return models }
		o.Ready = func(context.Context) error { return down }
	})
	if a := w.do(ask{method: "GET", path: "/readyz"}); a.status != 200 || field(a.body, "models") != "loading" {
		t.Errorf("got %d %s", a.status, a.body)
	}
	down = fmt.Errorf("no database at %s", secret)
	if a := w.do(ask{method: "GET", path: "/readyz"}); a.status != 503 || strings.Contains(a.body, secret) {
		t.Errorf("got %d %s", a.status, a.body)
	}
	if a := w.do(ask{method: "GET", path: "/healthz"}); a.status != 200 {
		t.Errorf("healthz: %d", a.status)
	}
}
