package webhook

import (
	"context"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/bonafide-id/bonafide/internal/idv"
)

var here = prefixes("127.0.0.0/8", "::1/128")

// sent tries one event at an address.
func sent(t *testing.T, url string, o Options) Attempt {
	t.Helper()
	s := New(nil, o)
	e := Endpoint{Mode: idv.Test, URL: url, Secrets: []Secret{{Value: "whsec_bmV3"}}}
	got, err := s.send(t.Context(), e, Due{Event: Event{ID: "evt_1", Type: "session.approved", Mode: idv.Test, Session: "ses_1"}})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestATrySaysWhatTheTargetAnswered(t *testing.T) {
	var moved atomic.Bool
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { moved.Store(true) }))
	t.Cleanup(elsewhere.Close)
	done := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/good":
			w.WriteHeader(http.StatusAccepted)
			_, _ = io.WriteString(w, "thank\tyou\x00\u202e")
		case "/bad":
			http.Error(w, strings.Repeat("no ", 400), http.StatusInternalServerError)
		case "/moved":
			http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
		case "/slow":
			select {
			case <-done:
			case <-r.Context().Done():
			}
		case "/endless":
			for {
				if _, err := w.Write(make([]byte, 4096)); err != nil {
					return
				}
			}
		}
	}))
	t.Cleanup(func() { close(done); server.Close() })
	untrusted := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(untrusted.Close)
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	tests := map[string]struct {
		url  string
		want Attempt
	}{
		"an answer of 2xx": {server.URL + "/good", Attempt{Status: 202, Excerpt: "thank you"}},
		"an answer of 500, cut": {server.URL + "/bad", Attempt{
			Status: 500, Fault: FaultStatus, Excerpt: strings.TrimSpace(strings.Repeat("no ", 400)[:MaxExcerpt]),
		}},
		"a redirect is not followed":            {server.URL + "/moved", Attempt{Status: 307, Fault: FaultRedirect}},
		"no answer in time":                     {server.URL + "/slow", Attempt{Fault: FaultTimeout}},
		"an answer without an end":              {server.URL + "/endless", Attempt{Status: 200}},
		"nobody listens":                        {gone.URL, Attempt{Fault: FaultConnection}},
		"a certificate that nobody vouches for": {untrusted.URL, Attempt{Fault: FaultTLS}},
		"http where https is spoken": {strings.Replace(untrusted.URL, "https", "http", 1), Attempt{
			Status: 400, Fault: FaultStatus, Excerpt: "Client sent an HTTP request to an HTTPS server.",
		}},
		"an address that it does not go to":         {"https://10.0.0.1/", Attempt{Fault: FaultTarget}},
		"an address that was never one":             {"nonsense", Attempt{Fault: FaultTarget}},
		"https where http is spoken is no good TLS": {strings.Replace(server.URL, "http", "https", 1) + "/good", Attempt{Fault: FaultTLS}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			timeout := 4 * time.Second
			if tt.want.Fault == FaultTimeout {
				timeout = 500 * time.Millisecond
			}
			got := sent(t, tt.url, Options{Allowed: here, Timeout: timeout})
			if diff := cmp.Diff(tt.want, got, cmpopts.IgnoreFields(Attempt{}, "At", "Took"), cmpopts.IgnoreFields(Attempt{}, ignored(name)...)); diff != "" {
				t.Errorf("try (-want +got):\n%s", diff)
			}
			if got.Took > 5*time.Second {
				t.Errorf("it took %s", got.Took)
			}
		})
	}
	if moved.Load() {
		t.Error("the redirect was followed")
	}
}

func TestAPauseThatATargetAsksForIsHeededWithinBounds(t *testing.T) {
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	for said, want := range map[string]time.Duration{
		"":                              0,
		"0":                             0,
		"120":                           2 * time.Minute,
		" 120 ":                         2 * time.Minute,
		"3601":                          MaxRetryAfter,
		"99999999999999999999999999":    MaxRetryAfter,
		"-5":                            0,
		"1.5":                           0,
		"soon":                          0,
		"Wed, 04 Mar 2026 12:20:00 GMT": 20 * time.Minute,
		"Wed, 04 Mar 2026 11:20:00 GMT": 0,
		"Wed, 04 Mar 2099 12:20:00 GMT": MaxRetryAfter,
	} {
		if got := retryAfter(said, now); got != want {
			t.Errorf("Retry-After %q: %s, want %s", said, got, want)
		}
	}
}

func FuzzRetryAfter(f *testing.F) {
	f.Add("120")
	f.Add("Wed, 04 Mar 2026 12:20:00 GMT")
	f.Fuzz(func(t *testing.T, said string) {
		if got := retryAfter(said, time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)); got < 0 || got > MaxRetryAfter {
			t.Errorf("%q: %s", said, got)
		}
	})
}

func TestOnlyWhoIsBusySaysForHowLong(t *testing.T) {
	var status atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "60")
		w.WriteHeader(int(status.Load()))
	}))
	t.Cleanup(server.Close)
	for code, want := range map[int]time.Duration{200: 0, 301: 0, 400: 0, 410: 0, 429: time.Minute, 500: 0, 503: time.Minute} {
		status.Store(int32(code))
		if got := sent(t, server.URL, Options{Allowed: here}); got.RetryAfter != want || got.gone() != (code == 410) {
			t.Errorf("%d: a pause of %s, gone %t", code, got.RetryAfter, got.gone())
		}
	}
}

// ignored are the fields of a try whose words are the other side's.
func ignored(name string) []string {
	if name == "a redirect is not followed" {
		return []string{"Excerpt"}
	}
	return nil
}

func TestATrustedTargetGetsTheStandardsHeaders(t *testing.T) {
	got := make(chan *http.Request, 1)
	server := httptest.NewTLSServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got <- r.Clone(context.Background()) }))
	t.Cleanup(server.Close)
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	if try := sent(t, server.URL, Options{Allowed: here, Roots: roots}); try.Fault != "" {
		t.Fatal(try)
	}
	r := <-got
	for _, h := range []string{HeaderID, HeaderTimestamp, HeaderSignature} {
		if r.Header.Get(h) == "" {
			t.Errorf("there is no %s", h)
		}
	}
	if r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/json" || r.Header.Get("Cookie") != "" || r.Header.Get("Authorization") != "" {
		t.Errorf("%s with %v", r.Method, r.Header)
	}
}

// rebinding answers a public address first and this machine's afterwards.
type rebinding struct{ asked atomic.Int32 }

func (r *rebinding) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	if r.asked.Add(1) == 1 {
		return []netip.Addr{netip.MustParseAddr("93.184.215.14")}, nil
	}
	return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
}

func TestAHostThatChangesItsAddressBetweenCheckAndConnectionIsNotReached(t *testing.T) {
	var reached atomic.Bool
	server := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Store(true) }))
	t.Cleanup(server.Close)
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	// httptest's certificate is good for example.com, so that only the address can be in the way.
	names := &rebinding{}
	try := sent(t, "https://example.com:"+port+"/", Options{Resolver: names, Roots: roots, Timeout: 2 * time.Second})
	if try.Fault != FaultTarget || reached.Load() || names.asked.Load() != 2 {
		t.Errorf("got %v; reached: %v; asked %d times", try, reached.Load(), names.asked.Load())
	}
	// The same with the machine allowed arrives: the test would see it.
	if try := sent(t, "https://example.com:"+port+"/", Options{Resolver: names, Roots: roots, Allowed: here}); try.Fault != "" || !reached.Load() {
		t.Errorf("got %v; reached: %v", try, reached.Load())
	}
}

func TestTheConnectionItselfIsChecked(t *testing.T) {
	g := guard{}
	for address, open := range map[string]bool{
		"93.184.215.14:443": true, "127.0.0.1:443": false, "[::ffff:127.0.0.1]:443": false, "[::1]:80": false, "[64:ff9b::a00:1]:443": false, "nonsense": false,
		"localhost:443": false,
	} {
		if err := g.control("tcp", address, nil); (err == nil) != open {
			t.Errorf("%s: got %v, want it open: %v", address, err, open)
		}
	}
}
