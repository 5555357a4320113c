package httpapi_test

import (
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/account/signin"
	"github.com/bonafide-id/bonafide/internal/httpapi"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/idv"
)

func TestWhatABorrowedBrowserMustNotDoNeedsAFreshProof(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(o *httpapi.Options) {
		o.Rates.Member = edge.Rate{Calls: 10000, Window: edge.MemberRate.Window}
	})
	cookie := w.signIn()
	dangerous := map[string]bool{}
	w.clock.move(signin.ProofLife)
	for _, r := range w.api.Routes() {
		if r.Fresh && r.Who != edge.Console {
			t.Errorf("%s asks for a fresh proof of somebody who cannot give one", r.Pattern())
		}
		if r.Who != edge.Console || r.ID == "logout" || r.ID == "signOutElsewhere" { // these two end the cookie
			continue
		}
		dangerous[r.ID] = r.Fresh
		ids := map[string]string{"{id}": nobody, "{case}": strangers["{case}"], "{member}": strangers["{member}"]}
		a := w.do(consoleAsk(w, r, ids, idv.Test, cookie))
		if asked := a.code() == "auth.step_up"; asked != r.Fresh {
			t.Errorf("%s ten minutes after signing in: got %d %s, fresh: %v", r.Pattern(), a.status, a.code(), r.Fresh)
		}
	}
	for _, id := range []string{
		"consoleEraseSession", "consoleExportSession", "createKey", "rotateKey", "invite", "setRoles", "disableMember", "enableMember",
		"resetFactor", "beginFactor", "removeFactor", "beginPasskey", "addPasskey", "removePasskey", "publishWorkflow",
		"getCaseFile", "consoleExportSessions", "consoleExportAuditEntries",
	} {
		if !dangerous[id] {
			t.Errorf("%s does not need a fresh proof", id)
		}
	}
}

func TestAProofLastsTenMinutes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cookie := w.signIn()
	invite := func(email string) answer {
		return w.do(ask{method: "POST", path: "/v1/console/team/invitations", cookie: cookie, body: map[string]any{"email": email, "roles": []string{"reviewer"}}})
	}
	prove := func(body map[string]any) answer {
		return w.do(ask{method: "POST", path: "/v1/console/me/prove", cookie: cookie, body: body})
	}
	invite("a@example.test").want(t, 201, "") // signing in is a proof
	key, added := w.addPasskey(cookie, "Key")
	added.want(t, 201, "")
	w.clock.move(signin.ProofLife)
	if a := invite("b@example.test").want(t, 403, "auth.step_up"); strings.Contains(a.body, "b@example.test") {
		t.Errorf("the answer shows what was sent: %s", a.body)
	}
	out := w.do(ask{method: "POST", path: "/v1/console/me/sign-out-elsewhere", cookie: cookie}).want(t, 200, "")
	cookie = cookieOf(out, cookie)
	invite("b@example.test").want(t, 403, "auth.step_up") // signing out elsewhere proves nothing
	prove(map[string]any{}).want(t, 401, "auth.invalid")
	prove(map[string]any{"password": "something else entirely"}).want(t, 401, "auth.invalid")
	prove(map[string]any{"password": ownerPassword}).want(t, 401, "auth.second_factor")
	invite("b@example.test").want(t, 403, "auth.step_up")
	asked, browser := w.beginPasskeyLogin()
	prove(map[string]any{"passkey": key.show(asked)}).want(t, 401, "auth.passkey") // a request of another browser, for another purpose
	_ = browser
	asked = w.do(ask{method: "POST", path: "/v1/console/me/prove/begin", cookie: cookie}).want(t, 200, "").body
	if !strings.Contains(asked, b64(key.id)) {
		t.Errorf("a member's own passkeys are not named: %s", asked)
	}
	sent := map[string]any{"passkey": key.show(asked)}
	prove(sent).want(t, 204, "")
	invite("b@example.test").want(t, 201, "")
	prove(sent).want(t, 401, "auth.passkey") // replayed
	w.clock.move(signin.ProofLife)
	invite("c@example.test").want(t, 403, "auth.step_up")
	if !w.audited("user.proved") {
		t.Error("the proof is not in the audit log")
	}
}
