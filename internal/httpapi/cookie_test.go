package httpapi_test

import (
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/httpapi"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
)

func TestTheCookieBelongsToTheHostAlone(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ url, cookie, other string }{
		"over https":                {"https://id.example.test", "__Host-bonafide_console", "bonafide_console"},
		"over http, in development": {"http://localhost:8080", "bonafide_console", "__Host-bonafide_console"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, func(o *httpapi.Options) { o.PublicURL = tt.url })
			w.signIn()
			a := w.do(ask{method: "POST", path: "/v1/console/login", body: map[string]any{"email": ownerEmail, "password": ownerPassword}}).want(t, 200, "")
			set := a.header.Get("Set-Cookie")
			if !strings.HasPrefix(set, tt.cookie+"=") || !strings.Contains(set, "; Path=/;") || strings.Contains(set, "Domain") {
				t.Errorf("cookie %q", set)
			}
			if secure := strings.Contains(set, "; Secure"); secure != strings.HasPrefix(tt.url, "https:") {
				t.Errorf("secure is %v: %q", secure, set)
			}
			cookie := cookieOf(a, "")
			w.do(ask{method: "GET", path: "/v1/console/me", cookie: cookie}).want(t, 200, "")
			_, token, _ := strings.Cut(cookie, "=")
			w.do(ask{method: "GET", path: "/v1/console/me", cookie: tt.other + "=" + token}).want(t, 401, "auth.missing")
		})
	}
	if edge.CookieName != "__Host-"+edge.PlainCookieName {
		t.Errorf("names %s, %s", edge.CookieName, edge.PlainCookieName)
	}
}
