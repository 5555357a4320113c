package edge

import (
	"github.com/bonafide-id/bonafide/internal/audit"
	"net/http"
	"net/netip"
	"testing"
	"time"
)

func TestOnlyATrustedProxyIsBelieved(t *testing.T) {
	s := &Edge{proxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}}
	tests := map[string]struct {
		from string
		hops []string
		want string
	}{
		"a client without proxies":                {"203.0.113.7:1234", nil, "203.0.113.7"},
		"a client that claims to be another":      {"203.0.113.7:1234", []string{"198.51.100.1"}, "203.0.113.7"},
		"behind a proxy of ours":                  {"10.0.0.1:80", []string{"203.0.113.7"}, "203.0.113.7"},
		"behind two proxies of ours":              {"10.0.0.1:80", []string{"203.0.113.7, 10.0.0.2"}, "203.0.113.7"},
		"behind ours, with a claim of its own":    {"10.0.0.1:80", []string{"198.51.100.1, 203.0.113.7"}, "203.0.113.7"},
		"behind ours, over two header lines":      {"10.0.0.1:80", []string{"198.51.100.1", "203.0.113.7"}, "203.0.113.7"},
		"behind ours, which says nothing":         {"10.0.0.1:80", nil, "10.0.0.1"},
		"behind ours, which says nonsense":        {"10.0.0.1:80", []string{"<script>"}, "10.0.0.1"},
		"an IPv6 client behind an IPv6 proxy":     {"[fd00::1]:80", []string{"2001:db8::7"}, "2001:db8::7"},
		"an IPv4 proxy in the clothes of an IPv6": {"[::ffff:10.0.0.1]:80", []string{"203.0.113.7"}, "203.0.113.7"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := &http.Request{RemoteAddr: tt.from, Header: http.Header{"X-Forwarded-For": tt.hops}}
			if got := s.clientAddress(r); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestOneSubscriberIsOneNeighbourhood(t *testing.T) {
	for in, want := range map[string]string{
		"203.0.113.7": "203.0.113.7", "::ffff:203.0.113.7": "203.0.113.7", "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64", "fe80::1%eth0": "fe80::/64", "here": "here",
	} {
		if got := audit.Subscriber(in); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}

func TestAWindowSlides(t *testing.T) {
	now := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	l := newLimiter(Options{Now: func() time.Time { return now }}, "", Rate{Calls: 4, Window: time.Minute}, Rate{}, nil)
	take := func() bool {
		t.Helper()
		got, err := l.count(t.Context(), "somebody")
		if err != nil {
			t.Fatal(err)
		}
		return got.allowed
	}
	for range 4 {
		if !take() {
			t.Fatal("a call within the rate was refused")
		}
	}
	if take() {
		t.Error("a fifth call was let through")
	}
	now = now.Add(90 * time.Second) // half of the four still count
	allowed := 0
	for take() {
		allowed++
	}
	if allowed != 2 {
		t.Errorf("half a window later %d calls were let through, want 2", allowed)
	}
}
