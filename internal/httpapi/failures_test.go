package httpapi_test

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/httpapi"
)

// loginFrom signs in from an address.
func (w *world) loginFrom(address, email, pass string) answer {
	w.t.Helper()
	return w.do(ask{
		method: "POST", path: "/v1/console/login", header: map[string]string{"X-Forwarded-For": address},
		body: map[string]any{"email": email, "password": pass},
	})
}

func TestGuessingFromManyAddressesIsSlowedDown(t *testing.T) {
	t.Parallel()
	throughAProxy := func(o *httpapi.Options) { o.Proxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")} }
	t.Run("on SQLite", func(t *testing.T) {
		t.Parallel()
		guessing(t, newWorldOn(t, migrated.SQLite(t), throughAProxy))
	})
	t.Run("on PostgreSQL", func(t *testing.T) {
		t.Parallel()
		guessing(t, newWorldOn(t, migrated.Postgres(t), throughAProxy))
	})
}

func guessing(t *testing.T, w *world) {
	const home = "198.51.100.7"
	w.signIn() // makes the owner
	w.loginFrom(home, ownerEmail, ownerPassword).want(t, 200, "")
	refused := map[string]string{}
	for _, email := range []string{ownerEmail, "nobody@example.test"} {
		checked := 0
		for n := range 60 {
			a := w.loginFrom(fmt.Sprintf("203.0.113.%d", n%20), email, "something else")
			switch a.code() {
			case "auth.invalid":
				checked++
			case "auth.too_many_failures":
				after, err := strconv.Atoi(a.header.Get("Retry-After"))
				if err != nil || after < 1 || after > 900 || a.status != 429 {
					t.Errorf("answered %d, Retry-After %q", a.status, a.header.Get("Retry-After"))
				}
				refused[email] = withoutRequestID(a.body)
			default:
				t.Fatalf("got %d %s", a.status, a.body)
			}
		}
		if checked < 5 || checked > 10 { // by the clock, a few may come after their second
			t.Errorf("%d of 60 passwords of %s were checked", checked, email)
		}
	}
	known := refused[ownerEmail]
	if known == "" || known != refused["nobody@example.test"] {
		t.Errorf("the answer tells who has an account:\n%s\n%s", known, refused["nobody@example.test"])
	}
	for _, no := range []string{ownerEmail, "nobody", "203.0.113", "Ada", "usr_", "something else"} {
		if strings.Contains(known, no) {
			t.Errorf("the answer contains %s: %s", no, known)
		}
	}
	for range 10 { // a busy machine may have outlasted the wait
		if w.loginFrom("203.0.113.98", ownerEmail, "something else").status == 429 {
			break
		}
	}
	w.loginFrom("203.0.113.99", ownerEmail, ownerPassword).want(t, 429, "auth.too_many_failures")
	told(t, w, w.loginFrom(home, ownerEmail, ownerPassword).want(t, 200, ""))
	if countAudited(w, "user.slowed_down") < 100 || countAudited(w, "user.failures_reported") != 1 {
		t.Errorf("audited %d slowed down, %d reported", countAudited(w, "user.slowed_down"), countAudited(w, "user.failures_reported"))
	}
	w.clock.move(15 * time.Minute)
	w.loginFrom("203.0.113.99", ownerEmail, ownerPassword).want(t, 200, "")
}

// told: the member learns of it at the next sign-in, for as long as that lasts, and once.
func told(t *testing.T, w *world, entered answer) {
	t.Helper()
	const home = "198.51.100.7"
	cookie := cookieOf(entered, "")
	for name, a := range map[string]answer{"signing in": entered, "me": w.do(ask{method: "GET", path: "/v1/console/me", cookie: cookie})} {
		if !strings.Contains(a.body, `"failures":{`) || !strings.Contains(a.body, `"since":"20`) || strings.Contains(a.body, "203.0.113") {
			t.Errorf("%s answered %s", name, a.body)
		}
	}
	if again := w.loginFrom(home, ownerEmail, ownerPassword).want(t, 200, ""); strings.Contains(again.body, "failures") {
		t.Errorf("told twice: %s", again.body)
	}
}

// withoutRequestID returns a problem without what differs between any two.
func withoutRequestID(body string) string {
	before, rest, _ := strings.Cut(body, `"request_id":"`)
	_, after, _ := strings.Cut(rest, `"`)
	return before + after
}
