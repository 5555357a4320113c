package httpapi_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// TestNoCallTakesAWordThatItDidNotAskFor sends each call that takes JSON one word more than it knows: nobody sets a field that
// is not theirs to set.
func TestNoCallTakesAWordThatItDidNotAskFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(o *httpapi.Options) {
		wide := edge.Rate{Calls: 10000, Window: edge.KeyRate.Window}
		o.Rates = edge.Rates{Member: wide, Key: wide, Applicant: wide, Address: wide, Login: wide}
	})
	cookie := w.signIn()
	id, token := w.begun()
	tried := 0
	for _, r := range w.api.Routes() {
		if r.Sends != edge.JSON {
			continue
		}
		ids := map[string]string{"{id}": id, "{case}": strangers["{case}"], "{member}": strangers["{member}"]}
		a := consoleAsk(w, r, ids, idv.Test, "")
		body := map[string]any{}
		if given, ok := a.body.(map[string]any); ok {
			body = maps.Clone(given)
		}
		switch r.Who {
		case edge.Console, edge.Anyone:
			a.cookie = cookie
		case edge.Integrator:
			a.bearer = w.key
		case edge.Applicant:
			a.bearer = token
		}
		body["is_owner_of_everything"] = true
		a.body = body
		if got := w.do(a); got.code() != "request.unknown_field" {
			t.Errorf("%s: got %d %s, want request.unknown_field", r.Pattern(), got.status, got.code())
		}
		tried++
	}
	if tried < 40 {
		t.Errorf("%d calls take JSON, want more", tried)
	}
}

// TestACookieFromBeforeSigningInOpensNothingAfterwards plants a session in somebody's browser and waits for them to sign in.
func TestACookieFromBeforeSigningInOpensNothingAfterwards(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.signIn()
	_, planted := w.beginPasskeyLogin() // a session that nobody is signed in with
	if !strings.HasPrefix(planted, edge.PlainCookieName+"=") {
		t.Fatalf("no cookie: %q", planted)
	}
	in := w.do(ask{
		method: "POST", path: "/v1/console/login", cookie: planted, body: map[string]any{"email": ownerEmail, "password": ownerPassword},
	}).want(t, 200, "")
	own := cookieOf(in, planted)
	if own == planted {
		t.Error("signing in keeps the token that was there before")
	}
	w.do(ask{method: "GET", path: "/v1/console/me", cookie: planted}).want(t, 401, "auth.missing")
	w.do(ask{method: "GET", path: "/v1/console/me", cookie: own}).want(t, 200, "")
}

// TestAReviewerDoesNotRaiseTheirRole tries every way that leads to roles.
func TestAReviewerDoesNotRaiseTheirRole(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	owner := w.signIn()
	id, grace := w.join(w.invite(owner, memberEmail, account.Reviewer))
	post := func(path string, body map[string]any) answer {
		return w.do(ask{method: "POST", path: path, cookie: grace, body: body})
	}
	roles := map[string]any{"roles": []string{"owner"}}
	post("/v1/console/team/members/"+id+"/roles", roles).want(t, 403, "auth.forbidden")
	post("/v1/console/team/invitations", map[string]any{"email": "second@example.test", "roles": []string{"owner"}}).want(t, 403, "auth.forbidden")
	post("/v1/console/me/password", map[string]any{
		"present": memberPassword, "password": "another good phrase", "roles": []string{"owner"},
	}).want(t, 400, "request.unknown_field")
	post("/v1/console/setup", map[string]any{
		"token": strings.Repeat("a", 43), "name": "Grace", "email": memberEmail, "password": memberPassword,
	}).want(t, 403, "auth.forbidden")
	post("/v1/console/keys", map[string]any{"mode": "test", "name": "mine", "scopes": []string{"reports.read"}}).want(t, 403, "auth.forbidden")
	me := w.do(ask{method: "GET", path: "/v1/console/me", cookie: grace}).want(t, 200, "")
	if !strings.Contains(me.body, `"roles":["reviewer"]`) {
		t.Errorf("the reviewer is %s now", me.body)
	}
}
