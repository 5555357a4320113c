package httpapi_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/bonafide-id/bonafide/internal/account/signin"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
)

// gate keeps console sessions, and holds a call back that has just read its own, where a test says so.
type gate struct {
	edge.Logins
	mu   sync.Mutex
	next *held
}

type held struct{ there, open chan struct{} }

func (g *gate) FindLogin(ctx context.Context, token string) ([]byte, bool, error) {
	raw, found, err := g.Logins.FindLogin(ctx, token)
	g.mu.Lock()
	h := g.next
	g.next = nil
	g.mu.Unlock()
	if h != nil {
		close(h.there)
		<-h.open
	}
	return raw, found, err
}

// slow begins a call of the console that has read its session and does nothing more before the function that is answered is
// called; that answers what it came to.
func (w *world) slow(a ask) func() answer {
	w.t.Helper()
	h := &held{there: make(chan struct{}), open: make(chan struct{})}
	w.gate.mu.Lock()
	w.gate.next = h
	w.gate.mu.Unlock()
	came := make(chan answer, 1)
	go func() { came <- w.do(a) }()
	<-h.there
	let := sync.OnceFunc(func() { close(h.open) })
	w.t.Cleanup(let)
	return func() answer {
		let()
		return <-came
	}
}

func TestASlowerCallUndoesNothing(t *testing.T) {
	t.Parallel()
	onEveryDatabase(t, slowCalls)
}

func slowCalls(t *testing.T, w *world) {
	w.run(t, "a login that was ended", func(t *testing.T) {
		cookie := w.signIn()
		release := w.slow(ask{method: "GET", path: "/v1/console/me", cookie: cookie})
		w.do(ask{method: "POST", path: "/v1/console/logout", cookie: cookie}).want(t, 204, "")
		release().want(t, 200, "")
		w.do(ask{method: "GET", path: "/v1/console/me", cookie: cookie}).want(t, 401, "auth.missing")
		if n := countAudited(w, "user.signed_out"); n != 1 {
			t.Errorf("signing out is on record %d times", n)
		}
	})
	w.run(t, "a login that was ended, where a password is changed", func(t *testing.T) {
		cookie := w.signIn()
		release := w.slow(ask{
			method: "POST", path: "/v1/console/me/password", cookie: cookie,
			body: map[string]any{"present": ownerPassword, "password": ownerPassword + "!"},
		})
		w.do(ask{method: "POST", path: "/v1/console/logout", cookie: cookie}).want(t, 204, "")
		changed := release().want(t, 401, "auth.missing")
		for name, c := range map[string]string{"before": cookie, "after": cookieOf(changed, cookie)} {
			if a := w.do(ask{method: "GET", path: "/v1/console/me", cookie: c}); a.status != 401 {
				t.Errorf("the cookie of %s: %d %s", name, a.status, a.body)
			}
		}
		back := w.do(ask{method: "POST", path: "/v1/console/login", body: map[string]any{"email": ownerEmail, "password": ownerPassword + "!"}}).want(t, 200, "")
		w.do(ask{
			method: "POST", path: "/v1/console/me/password", cookie: cookieOf(back, ""),
			body: map[string]any{"present": ownerPassword + "!", "password": ownerPassword},
		}).want(t, 200, "")
	})
	w.run(t, "a fresh proof", func(t *testing.T) {
		cookie := w.signIn()
		w.clock.move(signin.ProofLife)
		dangerous := ask{
			method: "POST", path: "/v1/console/team/invitations", cookie: cookie,
			body: map[string]any{"email": "a@example.test", "roles": []string{"reviewer"}},
		}
		w.do(dangerous).want(t, 403, "auth.step_up")
		release := w.slow(ask{method: "GET", path: "/v1/console/me", cookie: cookie})
		w.do(ask{method: "POST", path: "/v1/console/me/prove", cookie: cookie, body: map[string]any{"password": ownerPassword}}).want(t, 204, "")
		release().want(t, 200, "")
		w.do(dangerous).want(t, 201, "")
	})
}

func TestSigningOutThatIsNotOnRecordDoesNotHappen(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cookie := w.signIn()
	w.gate.Logins = unrecorded{w.store}
	a := w.do(ask{method: "POST", path: "/v1/console/logout", cookie: cookie})
	if a.status != 500 || strings.Contains(a.body, "record") {
		t.Errorf("got %d %s", a.status, a.body)
	}
	w.do(ask{method: "GET", path: "/v1/console/me", cookie: cookie}).want(t, 200, "")
}

// unrecorded keeps console sessions beside an audit log that takes nothing.
type unrecorded struct{ edge.Logins }

func (u unrecorded) EndLogin(ctx context.Context, token string, _ ...audit.Record) (bool, error) {
	return u.Logins.EndLogin(ctx, token, audit.Record{
		Action: "user.signed_out", Session: "ses_06c1q2m3n4p5r6s7t8v9w0x1y2", After: 1,
	}) // of a session that is not there, it cannot be written
}

func countAudited(w *world, action string) int {
	w.t.Helper()
	entries, err := w.store.AuditPage(w.t.Context(), audit.Filter{Action: action, Limit: 10000})
	must(w.t, err)
	return len(entries)
}
