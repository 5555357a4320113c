package httpapi_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/httpapi"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
)

// stopped is a clock that does not go on by itself.
func stopped(at time.Time) func() time.Time { return func() time.Time { return at } }

var noon = time.Date(2026, 3, 4, 12, 0, 20, 0, time.UTC)

// secondServer is another server of the same deployment.
func secondServer(w *world, change func(*httpapi.Options)) string {
	w.t.Helper()
	o := httpapi.Options{PublicURL: "http://localhost", Webhooks: w.hooks, Workflows: w.flows}
	change(&o)
	api, err := httpapi.New(w.sessions, w.accounts, w.verifier, httpapi.Stores{Web: w.store, Idempotency: w.store.Replays(), Log: w.store, Requests: w.store}, o)
	must(w.t, err)
	server := httptest.NewServer(api.Handler())
	w.t.Cleanup(func() { api.Stop(); server.Close() })
	return server.URL
}

// workflowsAt asks a server for the workflows, and answers the status and how many calls it says are left.
func workflowsAt(w *world, url string) (status, left int) {
	w.t.Helper()
	r, err := http.NewRequestWithContext(w.t.Context(), http.MethodGet, url+"/v1/workflows", nil)
	must(w.t, err)
	r.Header.Set("Authorization", "Bearer "+w.key)
	got, err := http.DefaultClient.Do(r)
	must(w.t, err)
	must(w.t, got.Body.Close())
	left, err = strconv.Atoi(got.Header.Get("RateLimit-Remaining"))
	must(w.t, err)
	return got.StatusCode, left
}

func TestTwoServersOnOneDatabaseShareALimit(t *testing.T) {
	t.Parallel()
	at := noon
	var w *world
	shared := func(o *httpapi.Options) {
		o.Now, o.Rates = func() time.Time { return at }, edge.Rates{Key: edge.Rate{Calls: 60, Window: time.Minute}}
		o.Grants, o.GrantWait = grantsOf{func() edge.Grants { return w.store }}, time.Minute // a busy machine counts together, too
	}
	w = newWorldOn(t, migrated.Postgres(t), shared)
	urls := []string{w.url, secondServer(w, shared)}
	allowed := map[string]int{}
	for i := range 160 {
		url := urls[i%2]
		if i < 20 {
			url = urls[0] // the load need not be even
		}
		switch status, _ := workflowsAt(w, url); status {
		case http.StatusOK:
			allowed[url]++
		case http.StatusTooManyRequests:
		default:
			t.Fatalf("got %d", status)
		}
	}
	if all := allowed[urls[0]] + allowed[urls[1]]; all > 60 || all < 57 || allowed[urls[1]] < 10 {
		t.Errorf("%v were let through, want 60 together, or a few less", allowed)
	}
	at = at.Add(70 * time.Second) // half of the next window: half of the last one still counts
	allowed = map[string]int{}
	for i := range 120 {
		if status, _ := workflowsAt(w, urls[i%2]); status == http.StatusOK {
			allowed[""]++
		}
	}
	if all := allowed[""]; all > 32 || all < 25 {
		t.Errorf("%d were let through in the middle of the next window, want about 30", all)
	}
}

// grantsOf asks whoever is there when it is asked.
type grantsOf struct{ now func() edge.Grants }

func (g grantsOf) Grant(ctx context.Context, caller string, span int64, want, room int, expires time.Time) (int, int, error) {
	return g.now().Grant(ctx, caller, span, want, room, expires)
}

func (g grantsOf) Granted(ctx context.Context, caller string, span int64) (int, error) {
	return g.now().Granted(ctx, caller, span)
}

// counting counts how often a database is asked.
type counting struct {
	asked, granted int
	broken         bool
}

func (c *counting) Grant(_ context.Context, _ string, _ int64, want, room int, _ time.Time) (int, int, error) {
	if c.asked++; c.broken {
		return 0, 0, errors.New("away")
	}
	got := max(0, min(want, room-c.granted))
	c.granted += got
	return got, c.granted, nil
}

func (c *counting) Granted(context.Context, string, int64) (int, error) { return 0, nil }

func TestACallDoesNotAskTheDatabase(t *testing.T) {
	c := &counting{}
	w := newWorld(t, func(o *httpapi.Options) {
		o.Now, o.Grants, o.Rates = stopped(noon), c, edge.Rates{Key: edge.Rate{Calls: 200, Window: time.Minute}}
	})
	through, last := 0, 200
	for range 260 {
		status, left := workflowsAt(w, w.url)
		if status == http.StatusOK {
			through++
			if left >= last {
				t.Fatalf("%d calls are left after %d", left, last)
			}
			last = left
		}
	}
	if through != 200 || c.asked > 40 {
		t.Errorf("%d of 200 were let through, and the count was asked %d times", through, c.asked)
	}
}

func TestWhereTheCommonCountIsAwayANodeCountsAlone(t *testing.T) {
	t.Parallel()
	c := &counting{broken: true}
	w := newWorld(t, func(o *httpapi.Options) {
		o.Now, o.Grants, o.Rates = stopped(noon), c, edge.Rates{Key: edge.Rate{Calls: 7, Window: time.Minute}}
	})
	through := 0
	for range 12 {
		if status, _ := workflowsAt(w, w.url); status == http.StatusOK {
			through++
		}
	}
	if through != 7 {
		t.Errorf("%d were let through, want 7", through)
	}
	if c.asked != 1 {
		t.Errorf("a count that is away was asked %d times within a second", c.asked)
	}
}

func TestThatTheCommonCountIsAwayIsLoggedOnce(t *testing.T) {
	t.Parallel()
	at := noon
	c := &counting{}
	w := newWorld(t, func(o *httpapi.Options) {
		o.Now, o.Grants, o.Rates = func() time.Time { return at }, c, edge.Rates{Key: edge.Rate{Calls: 1000, Window: time.Minute}}
	})
	call := func(credential string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.url+"/v1/workflows", nil)
		must(t, err)
		if credential != "" {
			r.Header.Set("Authorization", "Bearer "+credential)
		}
		got, err := http.DefaultClient.Do(r)
		must(t, err)
		must(t, got.Body.Close())
	}
	said := func(when string, away, back int) {
		t.Helper()
		log := w.log.String()
		if a, b := strings.Count(log, "counted by this node alone"), strings.Count(log, "counted by all nodes together again"); a != away || b != back {
			t.Errorf("%s: the log says %d times that the count is away and %d times that it is back, want %d and %d", when, a, b, away, back)
		}
	}
	call(w.key) // has a slice in hand
	said("while all is well", 0, 0)
	c.broken = true
	for range 5 {
		call(w.live)
		call("") // another limit
		call(w.key)
		at = at.Add(2 * time.Second)
	}
	said("while it is away", 1, 0)
	c.broken = false
	call(w.live)
	said("when it may be back", 1, 0)
	at = at.Add(time.Minute) // slices are for a minute: it is asked again
	call(w.live)
	call(w.key)
	said("when it is back", 1, 1)
	c.broken, at = true, at.Add(time.Minute)
	call(w.live)
	said("when it is away again", 2, 1)
}
