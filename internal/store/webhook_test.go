package store

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/auditlog"
	"github.com/bonafide-id/bonafide/internal/store/queue"
	"github.com/bonafide-id/bonafide/internal/store/webhooks"
	"github.com/bonafide-id/bonafide/internal/webhook"
)

// hooks are the webhooks of a deployment, which may reach this machine.
func (d *deployment) hooks(o webhook.Options) *webhook.Service {
	o.Allowed = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	o.Now, o.Log = d.clock.now, quiet()
	return webhook.New(d.store, o)
}

// receiver is a target that keeps what it gets.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	got    []string // types, in the order of arrival
	bodies []string
	heads  []http.Header
	answer func(n int) int // status of the n-th answer, from 1; 200 if nil
	after  string          // Retry-After of each
}

func receive(t *testing.T, answer func(int) int) *receiver {
	t.Helper()
	r := &receiver{answer: answer}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		raw, err := io.ReadAll(q.Body)
		if err != nil {
			return
		}
		r.mu.Lock()
		_, rest, _ := strings.Cut(string(raw), `"type":"`)
		typ, _, _ := strings.Cut(rest, `"`)
		r.got, r.bodies, r.heads = append(r.got, typ), append(r.bodies, string(raw)), append(r.heads, q.Header.Clone())
		status := http.StatusOK
		if r.answer != nil {
			status = r.answer(len(r.got))
		}
		r.mu.Unlock()
		if r.after != "" {
			w.Header().Set("Retry-After", r.after)
		}
		w.WriteHeader(status)
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) types() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.got)
}

// until waits for a condition that another part brings about.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	late := time.Now().Add(patience)
	for !ok() {
		if time.Now().After(late) {
			t.Fatalf("waited too long for %s", what)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func (d *deployment) endpoint(t *testing.T, s *webhook.Service, mode idv.Mode, url string, events ...string) webhook.Endpoint {
	t.Helper()
	e, err := s.Create(t.Context(), webhook.Spec{Mode: mode, URL: url, Events: events})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// log answers an endpoint's deliveries, newest first.
func log(t *testing.T, s *webhook.Service, e webhook.Endpoint) []webhook.Delivery {
	t.Helper()
	out, _, err := s.Deliveries(t.Context(), e.Mode, webhook.DeliveryFilter{Endpoint: e.ID, Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// workHooks works jobs with webhooks among them.
func (d *deployment) workHooks(t *testing.T, s *webhook.Service) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		done <- d.store.Work(ctx, s.Handlers(d.Handlers()), queue.WorkOptions{Poll: 20 * time.Millisecond})
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Work: %v", err)
		}
	})
}

func hooksFanOut(t *testing.T, d *deployment) {
	s := d.hooks(webhook.Options{})
	all, some, live := receive(t, nil), receive(t, nil), receive(t, nil)
	e := d.endpoint(t, s, idv.Test, all.URL+"/in?token=t0ken")
	d.endpoint(t, s, idv.Test, some.URL, "session.cancelled")
	if _, err := s.Create(t.Context(), webhook.Spec{Mode: idv.Live, URL: live.URL}); !problem.Has(err, problem.WebhookTargetRefused) {
		t.Fatalf("http in live mode: %v", err)
	}
	d.workHooks(t, s)
	c := d.create(t, session.Spec{ExternalReference: "Order-of-Anna", Metadata: map[string]string{"room": "Room-Of-Anna"},
		Claimed: map[idv.ClaimName]string{idv.FamilyName: "ERIKSSON"}})
	a := d.onlyOpen(t, c)
	if _, err := d.Sessions.Cancel(t.Context(), idv.Test, a.id); err != nil {
		t.Fatal(err)
	}
	until(t, "three deliveries", func() bool { return len(all.types()) == 3 && len(some.types()) == 1 })
	want := []string{"session.cancelled", "session.created", "session.opened"}
	if diff := cmp.Diff(want, slices.Sorted(slices.Values(all.types()))); diff != "" {
		t.Errorf("who wants all (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"session.cancelled"}, some.types()); diff != "" {
		t.Errorf("who wants one type (-want +got):\n%s", diff)
	}
	for i, body := range all.bodies {
		for _, personal := range []string{"Anna", "ERIKSSON", c.Link} {
			if strings.Contains(body, personal) {
				t.Errorf("%q was told: %s", personal, body)
			}
		}
		if !strings.Contains(body, string(a.id)) || all.heads[i].Get(webhook.HeaderSignature) == "" {
			t.Errorf("body %s, headers %v", body, all.heads[i])
		}
	}
	until(t, "the log", func() bool {
		return !slices.ContainsFunc(log(t, s, e), func(x webhook.Delivery) bool { return x.State != webhook.Delivered })
	})
	for _, x := range log(t, s, e) {
		if len(x.Attempts) != 1 || x.Attempts[0].Status != 200 || x.EndedAt.IsZero() || x.Session != a.id {
			t.Errorf("delivery %+v", x)
		}
	}
	hookAtRest(t, d, e)
}

// hooksUnreadable has a row that cannot be unsealed: what happens to sessions happens all the same.
func hooksUnreadable(t *testing.T, d *deployment) {
	s := d.hooks(webhook.Options{})
	e := d.endpoint(t, s, idv.Test, "http://127.0.0.1:9", "session.created")
	if _, err := d.store.Write.NewUpdate().Model((*webhooks.EndpointRow)(nil)).Set("sealed = ?", []byte("torn")).Where("id = ?",
		string(e.ID)).Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
	d.create(t, session.Spec{})
	n, err := d.store.Read.NewSelect().Model((*webhooks.DeliveryRow)(nil)).Where("d.endpoint_id = ?", string(e.ID)).Count(t.Context())
	if err != nil || n != 1 {
		t.Errorf("%d deliveries wait until the row is mended, %v", n, err)
	}
}

// sawAudit fails unless the log has an entry.
func sawAudit(t *testing.T, d *deployment, action, subject string) {
	t.Helper()
	if err := d.store.Sequence(t.Context()); err != nil {
		t.Fatal(err)
	}
	entries, err := auditlog.NewTrail(d.store.Read).AuditEntries(t.Context(), 0, 10000)
	if err != nil || !slices.ContainsFunc(entries, func(e audit.Entry) bool { return e.Action == action && e.Subject == subject }) {
		t.Errorf("the audit log has no %s of %s (%v)", action, subject, err)
	}
}

func hooksOnce(t *testing.T, d *deployment) {
	ctx := t.Context()
	s := d.hooks(webhook.Options{})
	r := receive(t, func(int) int { time.Sleep(5 * time.Millisecond); return 200 })
	e := d.endpoint(t, s, idv.Test, r.URL, "session.created")
	for range 50 {
		d.create(t, session.Spec{})
	}
	for i, err := range together(8, func(int) error { return s.Deliver(ctx, e.ID) }) {
		if err != nil {
			t.Errorf("worker %d: %v", i, err)
		}
	}
	if n := len(r.types()); n != 50 {
		t.Errorf("50 events were sent %d times by eight workers at once", n)
	}
	// A worker that died keeps the queue until its time is over; then the sweeper finds what it left.
	taken := d.clock.now().UTC().Truncate(time.Microsecond).Add(time.Minute)
	if ok, err := d.store.Lease(ctx, e.ID, taken); !ok || err != nil {
		t.Fatal(ok, err)
	}
	d.create(t, session.Spec{})
	if err := s.Deliver(ctx, e.ID); err != nil || len(r.types()) != 50 {
		t.Fatalf("a queue that is taken was worked: %v", err)
	}
	if ids, err := d.store.ListStalled(ctx, 10); err != nil || len(ids) != 0 {
		t.Fatalf("%v, %v", ids, err)
	}
	d.clock.advance(2 * time.Minute)
	if ids, err := d.store.ListStalled(ctx, 10); err != nil || len(ids) != 1 {
		t.Fatalf("%v, %v", ids, err)
	}
	d.workHooks(t, s)
	until(t, "the sweeper", func() bool { return len(r.types()) == 51 })
}

func hooksRemoved(t *testing.T, d *deployment) {
	ctx := t.Context()
	s := d.hooks(webhook.Options{})
	r := receive(t, func(int) int { return 500 })
	e := d.endpoint(t, s, idv.Test, r.URL)
	d.create(t, session.Spec{})
	if err := s.Deliver(ctx, e.ID); err != nil {
		t.Fatal(err)
	}
	for _, mode := range []idv.Mode{idv.Live} {
		if err := s.Remove(ctx, mode, e.ID); !problem.Has(err, problem.NotFound) {
			t.Errorf("an endpoint of the other mode: %v", err)
		}
		if _, err := s.Rotate(ctx, mode, e.ID); !problem.Has(err, problem.NotFound) {
			t.Errorf("an endpoint of the other mode: %v", err)
		}
	}
	if _, err := s.Resend(ctx, idv.Test, e.ID, "dlv_06c1q2m3n4p5r6s7t8v9w0x1y2"); !problem.Has(err, problem.NotFound) {
		t.Errorf("a delivery of nobody: %v", err)
	}
	if err := s.Remove(ctx, idv.Test, e.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Endpoint(ctx, idv.Test, e.ID); !problem.Has(err, problem.NotFound) {
		t.Error(err)
	}
	if err := s.Deliver(ctx, e.ID); err != nil {
		t.Errorf("the job of an endpoint that is gone: %v", err)
	}
	d.create(t, session.Spec{}) // and whoever makes events does not notice
	if n := len(r.types()); n != 1 {
		t.Errorf("it got %d", n)
	}
	for i := range webhook.MaxEndpoints {
		d.endpoint(t, s, idv.Test, fmt.Sprintf("%s/%d", r.URL, i))
	}
	if _, err := s.Create(ctx, webhook.Spec{Mode: idv.Test, URL: r.URL}); !problem.Has(err, problem.RequestMalformed) {
		t.Errorf("one more than the most: %v", err)
	}
}

func hooksRotated(t *testing.T, d *deployment) {
	ctx := t.Context()
	s := d.hooks(webhook.Options{})
	r := receive(t, nil)
	first := d.endpoint(t, s, idv.Test, r.URL)
	signed := func() []string {
		t.Helper()
		if _, err := s.Test(ctx, idv.Test, first.ID); err != nil {
			t.Fatal(err)
		}
		if err := s.Deliver(ctx, first.ID); err != nil {
			t.Fatal(err)
		}
		return strings.Fields(r.heads[len(r.heads)-1].Get(webhook.HeaderSignature))
	}
	if n := len(signed()); n != 1 {
		t.Errorf("%d signatures before", n)
	}
	second, err := s.Rotate(ctx, idv.Test, first.ID)
	if err != nil || second.Secret() == first.Secret() || second.OverlapUntil(d.clock.now()).IsZero() {
		t.Fatalf("%+v, %v", second, err)
	}
	if n := len(signed()); n != 2 {
		t.Errorf("%d signatures during the rotation", n)
	}
	d.clock.advance(webhook.SecretOverlap + time.Second)
	if n := len(signed()); n != 1 {
		t.Errorf("%d signatures after", n)
	}
	if diff := cmp.Diff([]string{webhook.TestType, webhook.TestType, webhook.TestType}, r.types()); diff != "" {
		t.Errorf("test events (-want +got):\n%s", diff)
	}
	stale := first
	if err := d.store.SaveSecrets(ctx, stale); !problem.Has(err, problem.Unavailable) {
		t.Errorf("two who rotate at the same time: %v", err)
	}
	sawAudit(t, d, "webhook.rotated", string(first.ID))
	sawAudit(t, d, "webhook.tested", string(first.ID))
}
