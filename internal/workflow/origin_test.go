package workflow

import (
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/idv"
)

func TestAnOriginIsSpeltAsBrowsersSpellIt(t *testing.T) {
	for _, c := range []struct {
		name       string
		origin     string
		live, test bool
	}{
		{"a host", "https://shop.example", true, true},
		{"a host and a port", "https://shop.example:8443", true, true},
		{"a name in punycode", "https://xn--bcher-kva.example", true, true},
		{"this machine", "http://localhost:3000", false, true},
		{"this machine by number", "http://127.0.0.1:3000", false, true},
		{"this machine without a port", "http://localhost", false, true},
		{"nothing", "", false, false},
		{"every page", "*", false, false},
		{"every host below one", "https://*.shop.example", false, false},
		{"plain http elsewhere", "http://shop.example", false, false},
		{"a host that only begins like this machine", "http://localhost.shop.example", false, false},
		{"without a scheme", "shop.example", false, false},
		{"a scheme alone", "https:", false, false},
		{"a path", "https://shop.example/checkout", false, false},
		{"a slash", "https://shop.example/", false, false},
		{"a question", "https://shop.example?a", false, false},
		{"a fragment", "https://shop.example#a", false, false},
		{"credentials", "https://a:b@shop.example", false, false},
		{"the port that goes without saying", "https://shop.example:443", false, false},
		{"the same of http", "http://localhost:80", false, false},
		{"no port after the colon", "https://shop.example:", false, false},
		{"a port that is none", "https://shop.example:70000", false, false},
		{"a port spelt otherwise", "https://shop.example:08443", false, false},
		{"capitals", "https://Shop.example", false, false},
		{"letters of another script", "https://bücher.example", false, false},
		{"a dot at the end", "https://shop.example.", false, false},
		{"IPv6, for which a policy has no form", "https://[::1]", false, false},
		{"another directive of the policy", "https://shop.example; script-src *", false, false},
		{"two at once", "https://a.example https://b.example", false, false},
		{"another header", "https://shop.example\r\nSet-Cookie: a=b", false, false},
		{"the end of an element", `https://shop.example"><script>`, false, false},
		{"a frame without an origin", "null", false, false},
		{"a document in the address", "data:text/html,a", false, false},
		{"a name that is too long", "https://" + strings.Repeat("abcdefgh.", 30) + "example", false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if live, test := EmbedOrigin(c.origin, idv.Live), EmbedOrigin(c.origin, idv.Test); live != c.live || test != c.test {
				t.Errorf("%q: got %v in live and %v in test mode, want %v and %v", c.origin, live, test, c.live, c.test)
			}
		})
	}
}

// FuzzEmbedOrigin: whatever is accepted goes into a header and an element as it is.
func FuzzEmbedOrigin(f *testing.F) {
	f.Add("https://shop.example:8443")
	f.Add("http://localhost:3000")
	f.Fuzz(func(t *testing.T, s string) {
		s = normalizedOrigin(s)
		if EmbedOrigin(s, idv.Live) && !EmbedOrigin(s, idv.Test) {
			t.Errorf("%q is good in live mode only", s)
		}
		if EmbedOrigin(s, idv.Test) && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-.:/") != "" ||
			EmbedOrigin(s, idv.Live) && !strings.HasPrefix(s, "https://") {
			t.Errorf("%q is accepted", s)
		}
	})
}
