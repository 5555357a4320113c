package store

import (
	"context"
	"crypto/x509"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/screening/lists"
	"github.com/bonafide-id/bonafide/internal/webhook"
)

// publisher offers a list over https.
type publisher struct {
	*httptest.Server
	mu     sync.Mutex
	body   string
	status int
	to     string // where it redirects to
	asked  []string
}

func newPublisher(t *testing.T) *publisher {
	t.Helper()
	p := &publisher{}
	p.Server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.asked = append(p.asked, r.URL.Path+" "+r.Header.Get("If-None-Match"))
		tag := `"` + string(rune('a'+len(p.body)%26)) + `"`
		switch {
		case p.to != "" && r.URL.Path != "/moved":
			http.Redirect(w, r, p.to, http.StatusFound)
		case p.status != 0:
			w.WriteHeader(p.status)
		case r.Header.Get("If-None-Match") == tag:
			w.WriteHeader(http.StatusNotModified)
		default:
			w.Header().Set("ETag", tag)
			_, _ = w.Write([]byte(p.body))
		}
	}))
	t.Cleanup(p.Close)
	return p
}

func (p *publisher) offers(body string, status int, to string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.body, p.status, p.to = body, status, to
}

// reaching keeps lists that may be fetched from this machine, which trusts the publisher.
func (d *deployment) reaching(p *publisher, now func() time.Time) *lists.Keeper {
	roots := x509.NewCertPool()
	roots.AddCert(p.Certificate())
	r := webhook.New(nil, webhook.Options{Allowed: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Roots: roots}).Reach()
	return lists.New(d.store, lists.Options{Now: now, Client: r.Client, Check: r.Check})
}

func watchlistsFetched(t *testing.T, d *deployment) {
	ctx := t.Context()
	now := time.Now()
	p := newPublisher(t)
	k := d.reaching(p, func() time.Time { return now })
	s := watchSettings()
	s.Source, s.Every, s.MaxAge = p.URL+"/list.csv", 24*time.Hour, 48*time.Hour
	l, err := k.Create(ctx, "fetched", s)
	must(t, err)
	fetch := func(want lists.Fault) lists.List {
		t.Helper()
		must(t, k.Fetch(ctx, l.ID))
		got, err := k.Find(ctx, l.ID)
		must(t, err)
		if got.Fault != want {
			t.Errorf("the fetch failed by %q, want %q", got.Fault, want)
		}
		return got
	}
	due, err := k.Sweep(ctx)
	must(t, err)
	if len(due) != 1 {
		t.Fatalf("%d lists are due", len(due))
	}
	if again, err := k.Sweep(ctx); err != nil || len(again) != 0 {
		t.Errorf("the same list is due for another server: %v, %v", again, err)
	}
	p.offers(ownList(0, 50), 0, "")
	fetch(lists.FaultNone)
	if got := statesOf(t, ctx, k, l.ID); got != "active 50" {
		t.Fatalf("versions: %s", got)
	}
	now = now.Add(47 * time.Hour)
	if got := fetch(lists.FaultNone); !got.CheckedAt.Equal(now.UTC().Truncate(time.Microsecond)) || !strings.Contains(p.asked[1], `"`) {
		t.Errorf("what has not changed was not asked for so: %v, current at %s", p.asked, got.CheckedAt)
	}
	fetchedBadly(t, p, fetch)
	p.offers("<html>maintenance</html>", 0, "")
	fetch(lists.FaultFile)
	if got := statesOf(t, ctx, k, l.ID); !strings.HasPrefix(got, "held 0, active 50") {
		t.Errorf("after a page in place of the list: %s", got)
	}
	p.offers(ownList(0, 60), 0, p.URL+"/moved")
	fetch(lists.FaultNone)
	if got := statesOf(t, ctx, k, l.ID); !strings.HasPrefix(got, "active 60, retired 50") {
		t.Errorf("after a redirect on this publisher: %s", got)
	}
	fetchesNoneOf(t, ctx, d)
}

// fetchedBadly: what goes wrong on the way leaves the version in use.
func fetchedBadly(t *testing.T, p *publisher, fetch func(lists.Fault) lists.List) {
	t.Helper()
	p.offers("", http.StatusServiceUnavailable, "")
	if got := fetch(lists.FaultStatus); got.Fails != 1 {
		t.Errorf("%d failures in a row", got.Fails)
	}
	for what, tt := range map[string]struct {
		to   string
		want lists.Fault
	}{
		"to a private address":  {"https://10.1.2.3/list.csv", lists.FaultTarget},
		"to another scheme":     {"file:///etc/passwd", lists.FaultRedirect},
		"away from https":       {"http://127.0.0.1/list.csv", lists.FaultRedirect},
		"to itself for ever":    {p.URL + "/round", lists.FaultRedirect},
		"to the cloud's secret": {"https://169.254.169.254/latest/meta-data", lists.FaultTarget},
	} {
		p.offers(ownList(0, 55), 0, tt.to)
		if got := fetch(tt.want); got.Fault != tt.want {
			t.Errorf("a redirect %s", what)
		}
	}
}

// fetchesNoneOf: addresses that no list is fetched from.
func fetchesNoneOf(t *testing.T, ctx context.Context, d *deployment) {
	t.Helper()
	strict := webhook.New(nil, webhook.Options{}).Reach()
	k := lists.New(d.store, lists.Options{Client: strict.Client, Check: strict.Check})
	for _, source := range []string{
		"http://93.184.215.14/l", "https://127.0.0.1/l", "https://[::1]/l", "https://192.168.1.1/l", "ftp://93.184.215.14/l",
		"https://a:b@93.184.215.14/",
	} {
		s := watchSettings()
		s.Source, s.Every = source, time.Hour
		if _, err := k.Create(ctx, "private", s); !problem.Has(err, problem.WebhookTargetRefused) {
			t.Errorf("%s: %v", source, err)
		}
	}
}
