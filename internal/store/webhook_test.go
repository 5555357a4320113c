package store

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
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
		if len(x.Tries) != 1 || x.Tries[0].Status != 200 || x.EndedAt.IsZero() || x.Session != a.id {
			t.Errorf("delivery %+v", x)
		}
	}
	d.hookAtRest(t, e)
}

// hookAtRest looks for an endpoint's address and secret in the database's files.
func (d *deployment) hookAtRest(t *testing.T, e webhook.Endpoint) {
	t.Helper()
	if d.store.File == "" {
		return
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(e.Secret(), "whsec_"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{d.store.File, d.store.File + "-wal"} {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for what, plain := range map[string]string{"the address": "t0ken", "the secret": e.Secret()[6:], "the key": string(key)} {
			if strings.Contains(string(raw), plain) {
				t.Errorf("%s lies in the clear", what)
			}
		}
	}
}

// hooksUnreadable has a row that cannot be unsealed: what happens to sessions happens all the same.
func hooksUnreadable(t *testing.T, d *deployment) {
	s := d.hooks(webhook.Options{})
	e := d.endpoint(t, s, idv.Test, "http://127.0.0.1:9", "session.created")
	if _, err := d.store.Write.NewUpdate().Model((*webhooks.EndpointRow)(nil)).Set("sealed = ?", []byte("torn")).Where("id = ?", string(e.ID)).Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
	d.create(t, session.Spec{})
	n, err := d.store.Read.NewSelect().Model((*webhooks.DeliveryRow)(nil)).Where("d.endpoint_id = ?", string(e.ID)).Count(t.Context())
	if err != nil || n != 1 {
		t.Errorf("%d deliveries wait until the row is mended, %v", n, err)
	}
}

func hooksBesideADeadOne(t *testing.T, d *deployment) {
	hung := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-hung }))
	t.Cleanup(func() { close(hung); slow.Close() })
	dead := httptest.NewServer(http.NotFoundHandler())
	dead.Close()
	good := receive(t, nil)
	s := d.hooks(webhook.Options{Timeout: time.Second})
	for range queue.HooksAtOnce + 1 { // more than there are workers for endpoints that answer
		d.endpoint(t, s, idv.Test, slow.URL)
	}
	d.endpoint(t, s, idv.Test, dead.URL)
	d.endpoint(t, s, idv.Test, good.URL)
	d.workHooks(t, s)
	const events = 40
	for range events {
		d.create(t, session.Spec{})
	}
	start := time.Now()
	until(t, "the one that answers", func() bool { return len(good.types()) >= events })
	if n := len(good.types()); n != events {
		t.Errorf("%d of %d events arrived", n, events)
	}
	// The others have 40 deliveries each, 16 at a time, which each take a second: worked in turn, that were 27 s.
	if took := time.Since(start); took > 15*time.Second {
		t.Errorf("it took %s beside endpoints that do not answer", took)
	}
}

func hooksGivenUp(t *testing.T, d *deployment) {
	ctx := t.Context()
	s := d.hooks(webhook.Options{})
	ok := false
	r := receive(t, func(int) int {
		if ok {
			return http.StatusNoContent
		}
		return http.StatusServiceUnavailable
	})
	e := d.endpoint(t, s, idv.Test, r.URL, "session.created")
	d.create(t, session.Spec{})
	begun := d.clock.now()
	for range 40 { // the job, as often as it is due
		if err := s.Deliver(ctx, e.ID); err != nil {
			t.Fatal(err)
		}
		x := log(t, s, e)[0]
		if x.State != webhook.Waiting {
			break
		}
		if n := len(r.types()); n != x.Attempt {
			t.Fatalf("%d tries are noted and %d arrived", x.Attempt, n)
		}
		if err := s.Deliver(ctx, e.ID); err != nil || len(r.types()) != x.Attempt {
			t.Fatalf("it was tried before its time: %v", err)
		}
		d.clock.advance(x.NextAt.Sub(d.clock.now()) + time.Millisecond)
	}
	x := log(t, s, e)[0]
	span := d.clock.now().Sub(begun)
	if x.State != webhook.GivenUp || len(r.types()) != webhook.MaxTries() || span < 64*time.Hour || span > 80*time.Hour || !x.NextAt.IsZero() {
		t.Fatalf("%s after %d tries in %s", x.State, len(r.types()), span)
	}
	if got, err := s.Endpoint(ctx, idv.Test, e.ID); err != nil || got.FailingSince.IsZero() {
		t.Errorf("the endpoint does not fail: %+v, %v", got, err)
	}
	d.sawAudit(t, "webhook.given_up", string(x.ID))
	ids := map[string]bool{}
	for _, h := range r.heads {
		ids[h.Get(webhook.HeaderID)] = true
	}
	if len(ids) != 1 {
		t.Errorf("one event had the ids %v", ids)
	}
	ok = true
	again, err := s.Resend(ctx, idv.Test, e.ID, x.ID)
	if err != nil || again.State != webhook.Waiting || again.Attempt != 0 {
		t.Fatalf("%+v, %v", again, err)
	}
	if err := s.Deliver(ctx, e.ID); err != nil {
		t.Fatal(err)
	}
	if x := log(t, s, e)[0]; x.State != webhook.Delivered || len(x.Tries) != webhook.MaxTries()+1 || x.Tries[16].Status != 204 {
		t.Errorf("after it was sent again: %s, %d tries", x.State, len(x.Tries))
	}
	if got, err := s.Endpoint(ctx, idv.Test, e.ID); err != nil || !got.FailingSince.IsZero() {
		t.Errorf("the endpoint still fails: %+v, %v", got, err)
	}
	d.clock.advance(webhook.LogLife + time.Hour)
	if err := d.store.DropDeliveries(ctx); err != nil || len(log(t, s, e)) != 0 {
		t.Errorf("the log keeps what is old (%v)", err)
	}
}

// sawAudit fails unless the log has an entry.
func (d *deployment) sawAudit(t *testing.T, action, subject string) {
	t.Helper()
	if err := d.store.Sequence(t.Context()); err != nil {
		t.Fatal(err)
	}
	entries, err := auditlog.NewTrail(d.store.Read).AuditEntries(t.Context(), 0, 10000)
	if err != nil || !slices.ContainsFunc(entries, func(e audit.Entry) bool { return e.Action == action && e.Subject == subject }) {
		t.Errorf("the audit log has no %s of %s (%v)", action, subject, err)
	}
}

func hooksGone(t *testing.T, d *deployment) {
	ctx := t.Context()
	s := d.hooks(webhook.Options{})
	status := http.StatusGone
	r := receive(t, func(int) int { return status })
	beside := receive(t, nil)
	e := d.endpoint(t, s, idv.Test, r.URL, "session.created")
	d.endpoint(t, s, idv.Test, beside.URL, "session.created")
	for range 20 { // more than go at once
		d.create(t, session.Spec{})
	}
	if err := s.Deliver(ctx, e.ID); err != nil {
		t.Fatal(err)
	}
	before := log(t, s, e)
	if n := len(r.types()); len(before) != 20 || n == 0 || n >= 20 {
		t.Fatalf("%d deliveries, %d of them sent", len(before), n)
	}
	for _, x := range before {
		if x.State != webhook.GivenUp || x.EndedAt.IsZero() || !x.NextAt.IsZero() {
			t.Errorf("waits for an endpoint that is gone: %+v", x)
		}
	}
	got, err := s.Endpoint(ctx, idv.Test, e.ID)
	if err != nil || got.StoppedAt.IsZero() || got.URL != r.URL || got.Secret() != e.Secret() {
		t.Fatalf("%+v, %v", got, err)
	}
	d.sawAudit(t, "webhook.stopped", string(e.ID))
	d.create(t, session.Spec{})
	if n := len(log(t, s, e)); n != 20 {
		t.Errorf("an event made a delivery for a stopped endpoint: %d", n)
	}
	if _, err := s.Test(ctx, idv.Test, e.ID); !problem.Has(err, problem.WebhookStopped) {
		t.Errorf("a test event for a stopped endpoint: %v", err)
	}
	if _, err := s.Resend(ctx, idv.Test, e.ID, before[0].ID); !problem.Has(err, problem.WebhookStopped) {
		t.Errorf("sent again to a stopped endpoint: %v", err)
	}
	if _, err := s.Start(ctx, idv.Live, e.ID); !problem.Has(err, problem.NotFound) {
		t.Errorf("started from the other mode: %v", err)
	}
	// An event that found the endpoint running is given up by the job, and not sent.
	late := &webhooks.DeliveryRow{
		ID: "dlv_06c1q2m3n4p5r6s7t8v9w0x1y2", Endpoint: string(e.ID), Event: string(before[0].Event), Type: "session.created",
		State: string(webhook.Waiting), NextAt: d.clock.now(), CreatedAt: d.clock.now(),
	}
	if _, err := d.store.Write.NewInsert().Model(late).Exec(ctx); err != nil {
		t.Fatal(err)
	}
	sent := len(r.types())
	if err := s.Deliver(ctx, e.ID); err != nil || len(r.types()) != sent || log(t, s, e)[0].State != webhook.GivenUp {
		t.Errorf("a late event was sent to a stopped endpoint (%v)", err)
	}
	stopped := log(t, s, e)[0]
	status = http.StatusOK
	if got, err := s.Start(ctx, idv.Test, e.ID); err != nil || !got.StoppedAt.IsZero() || !got.FailingSince.IsZero() {
		t.Fatalf("%+v, %v", got, err)
	}
	d.sawAudit(t, "webhook.started", string(e.ID))
	d.create(t, session.Spec{})
	// A job that read the endpoint before it was started gives nothing up of what came since.
	if err := d.store.GiveUp(ctx, e.ID); err != nil {
		t.Fatal(err)
	}
	if x := log(t, s, e)[0]; x.ID == stopped.ID || x.State != webhook.Waiting {
		t.Errorf("given up for an endpoint that was started: %+v", x)
	}
	if _, err := s.Resend(ctx, idv.Test, e.ID, before[0].ID); err != nil {
		t.Fatal(err)
	}
	if err := s.Deliver(ctx, e.ID); err != nil || len(r.types()) != sent+2 {
		t.Errorf("after it was started again: %d more, %v", len(r.types())-sent, err)
	}
}

func hooksRest(t *testing.T, d *deployment) {
	ctx := t.Context()
	s := d.hooks(webhook.Options{})
	ok := false
	r := receive(t, func(int) int {
		if ok {
			return http.StatusOK
		}
		return http.StatusTooManyRequests
	})
	r.after = "1800"
	e := d.endpoint(t, s, idv.Test, r.URL, "session.created")
	d.create(t, session.Spec{})
	deliver := func() int {
		t.Helper()
		if err := s.Deliver(ctx, e.ID); err != nil {
			t.Fatal(err)
		}
		return len(r.types())
	}
	start := d.clock.now()
	if n := deliver(); n != 1 {
		t.Fatalf("%d were sent", n)
	}
	if x := log(t, s, e)[0]; x.State != webhook.Waiting || x.NextAt.Before(start.Add(30*time.Minute)) {
		t.Fatalf("asked to wait for half an hour: %+v", x)
	}
	d.create(t, session.Spec{})
	d.clock.advance(29 * time.Minute)
	if n := deliver(); n != 1 {
		t.Errorf("an event came while the target rests: %d", n)
	}
	if ids, err := d.store.Neglected(ctx, 10); err != nil || len(ids) != 0 {
		t.Errorf("a resting endpoint is neglected: %v, %v", ids, err)
	}
	ok = true
	d.clock.advance(2 * time.Minute)
	if n := deliver(); n != 3 {
		t.Errorf("after the rest %d were sent, want the two that waited", n-1)
	}
	// By hand it is disturbed.
	ok = false
	d.create(t, session.Spec{})
	if n := deliver(); n != 4 {
		t.Fatalf("%d were sent", n)
	}
	ok = true
	if _, err := s.Test(ctx, idv.Test, e.ID); err != nil {
		t.Fatal(err)
	}
	if n := deliver(); n != 5 {
		t.Errorf("a test event waits for the end of a pause: %d", n)
	}
	hooksRestShort(t, d, s, r.URL)
}

// hooksRestShort tells a pause from a queue that is being worked, however long either is.
func hooksRestShort(t *testing.T, d *deployment, s *webhook.Service, url string) {
	ctx := t.Context()
	e := d.endpoint(t, s, idv.Test, url, "session.opened")
	free := func(until time.Time) bool {
		t.Helper()
		got, err := d.store.Lease(ctx, e.ID, until)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	disturbed := func() {
		t.Helper()
		if _, err := s.Test(ctx, idv.Test, e.ID); err != nil {
			t.Fatal(err)
		}
	}
	until := d.clock.now().Add(time.Hour) // by a clock that is ahead of ours
	if !free(until) {
		t.Fatal("the queue is taken")
	}
	if disturbed(); free(until) {
		t.Fatal("a test event took the queue from whoever works it")
	}
	if err := d.store.Release(ctx, e.ID, until, d.clock.now().Add(time.Minute), true); err != nil || free(until) {
		t.Fatalf("there is no pause (%v)", err)
	}
	if disturbed(); !free(until) {
		t.Error("a test event waits for the end of a pause of a minute")
	}
	if disturbed(); free(until) {
		t.Error("a test event after a pause took the queue from whoever works it")
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
	if ids, err := d.store.Neglected(ctx, 10); err != nil || len(ids) != 0 {
		t.Fatalf("%v, %v", ids, err)
	}
	d.clock.advance(2 * time.Minute)
	if ids, err := d.store.Neglected(ctx, 10); err != nil || len(ids) != 1 {
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
	if err != nil || second.Secret() == first.Secret() || second.Overlap(d.clock.now()).IsZero() {
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
	d.sawAudit(t, "webhook.rotated", string(first.ID))
	d.sawAudit(t, "webhook.tested", string(first.ID))
}

func hooksFeed(t *testing.T, d *deployment) {
	ctx := t.Context()
	s := d.hooks(webhook.Options{})
	all := func(after idv.EventID) (out []idv.EventID) {
		t.Helper()
		for {
			page, err := s.Feed(ctx, webhook.FeedFilter{Mode: idv.Test, After: after, Limit: 3})
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range page {
				out = append(out, e.ID)
				after = e.ID
			}
			if len(page) == 0 {
				return out
			}
		}
	}
	one, two := d.create(t, session.Spec{}), d.create(t, session.Spec{})
	begun := all("")
	if len(begun) != 2 {
		t.Fatalf("%d events", len(begun))
	}
	late := d.lateEvent(t, one.Session.ID, two.Session.ID, func() { // read while one of the two is not committed yet
		begun = append(begun, all(begun[len(begun)-1])...)
	})
	rest := append(begun, all(begun[len(begun)-1])...)
	if !slices.Contains(rest, late[0]) || !slices.Contains(rest, late[1]) || len(rest) != 4 {
		t.Errorf("of %v the feed had %v", late, rest)
	}
	if diff := cmp.Diff(rest, all("")); diff != "" {
		t.Errorf("read again (-want +got):\n%s", diff)
	}
	newest, err := s.Feed(ctx, webhook.FeedFilter{Mode: idv.Test, Newest: true, Limit: 2, After: rest[3]})
	if err != nil || len(newest) != 2 || newest[0].ID != rest[2] || newest[1].ID != rest[1] {
		t.Errorf("newest first: %v, %v", newest, err)
	}
	only, err := s.Feed(ctx, webhook.FeedFilter{Mode: idv.Test, Session: one.Session.ID, Types: []string{"session.created"}})
	if err != nil || len(only) != 1 || only[0].Session != one.Session.ID {
		t.Errorf("of one session: %v, %v", only, err)
	}
	for name, f := range map[string]webhook.FeedFilter{
		"a cursor of nobody": {Mode: idv.Test, After: "evt_06c1q2m3n4p5r6s7t8v9w0x1y2"}, "a cursor of the other mode": {Mode: idv.Live, After: rest[0]},
		"a cursor of no form": {Mode: idv.Test, After: "' OR 1=1"}, "a type that there is not": {Mode: idv.Test, Types: []string{"session.captured"}},
	} {
		if _, err := s.Feed(ctx, f); !problem.Has(err, problem.RequestMalformed) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if live, err := s.Feed(ctx, webhook.FeedFilter{Mode: idv.Live}); err != nil || len(live) != 0 {
		t.Errorf("the other mode: %v, %v", live, err)
	}
}

// lateEvent writes two events: on PostgreSQL the one that is written first is committed last, and during runs in between.
func (d *deployment) lateEvent(t *testing.T, one, two idv.SessionID, during func()) []idv.EventID {
	t.Helper()
	add := func(ctx context.Context, tx session.Tx, id idv.SessionID, n string) (idv.EventID, error) {
		event := idv.EventID("evt_06c1q2m3n4p5r6s7t8v9w0x1" + n)
		return event, tx.AddEvent(ctx, session.Event{ID: event, Session: id, Type: session.EventOpened, At: d.clock.now(), Actor: "system"})
	}
	var out []idv.EventID
	err := d.store.InTx(t.Context(), func(ctx context.Context, tx session.Tx) error {
		a, err := add(ctx, tx, one, "za")
		if err != nil || d.store.Engine() == "sqlite" {
			out = append(out, a)
			return err
		}
		err = d.store.InTx(context.WithoutCancel(t.Context()), func(ctx context.Context, tx session.Tx) error {
			b, err := add(ctx, tx, two, "zb")
			out = append(out, a, b)
			return err
		})
		during()
		return err
	})
	if err == nil && len(out) == 1 { // SQLite has one writer: nothing commits out of turn
		during()
		err = d.store.InTx(t.Context(), func(ctx context.Context, tx session.Tx) error {
			b, err := add(ctx, tx, two, "zb")
			out = append(out, b)
			return err
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}
