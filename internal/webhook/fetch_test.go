package webhook_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/webhook"
)

// hosts are names with addresses.
type hosts map[string]string

func (h hosts) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	if a, known := h[host]; known {
		return []netip.Addr{netip.MustParseAddr(a)}, nil
	}
	return nil, errors.New("no such host")
}

// TestN74AStatusListIsNotFetchedFromAPrivateAddress has a credential name addresses that only this server reaches.
func TestN74AStatusListIsNotFetchedFromAPrivateAddress(t *testing.T) {
	t.Attr("case", "N74 webhook.target_refused")
	asked := 0
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	t.Cleanup(inside.Close)
	f := webhook.NewFetcher(webhook.FetchOptions{Resolver: hosts{"rebound.example": "127.0.0.1", "metadata.example": "169.254.169.254"}})
	for name, address := range map[string]string{
		"this machine":                      inside.URL,
		"this machine, by https":            strings.Replace(inside.URL, "http:", "https:", 1),
		"the metadata of a cloud":           "https://169.254.169.254/latest",
		"a name that leads to it":           "https://metadata.example/latest",
		"a name that leads to this machine": "https://rebound.example/list",
		"a private network":                 "https://10.0.0.1/list",
		"IPv6 of this machine":              "https://[::1]/list",
		"this machine, mapped":              "https://[::ffff:127.0.0.1]/list",
		"a file":                            "file:///etc/passwd",
		"http":                              "http://93.184.215.14/list",
		"credentials in the address":        "https://a:b@93.184.215.14/list",
		"a host that nobody has":            "https://nowhere.example/list",
	} {
		if _, err := f.Fetch(t.Context(), idv.Live, address, "application/statuslist+jwt", 1<<20); !problem.Has(err, problem.WebhookTargetRefused) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if asked > 0 {
		t.Errorf("this machine was asked %d times", asked)
	}
}

// TestOnlyAWholeAnswerFromTheAddressItselfIsFetched follows no redirect and takes no more bytes than it is told.
func TestOnlyAWholeAnswerFromTheAddressItselfIsFetched(t *testing.T) {
	t.Attr("case", "N74")
	elsewhere := 0
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere++ }))
	t.Cleanup(other.Close)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/list":
			_, _ = w.Write([]byte("a list"))
		case "/moved":
			http.Redirect(w, r, other.URL, http.StatusFound)
		case "/large":
			_, _ = w.Write(make([]byte, 100))
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(s.Close)
	f := webhook.NewFetcher(webhook.FetchOptions{Allowed: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}})
	get := func(path string) ([]byte, error) { return f.Fetch(t.Context(), idv.Test, s.URL+path, "*/*", 99) }
	if raw, err := get("/list"); err != nil || string(raw) != "a list" {
		t.Errorf("a list is %q, %v", raw, err)
	}
	for _, path := range []string{"/moved", "/large", "/missing"} {
		if raw, err := get(path); !errors.Is(err, webhook.ErrNotFetched) {
			t.Errorf("%s is %q, %v", path, raw, err)
		}
	}
	if elsewhere > 0 {
		t.Error("a redirect was followed")
	}
}
