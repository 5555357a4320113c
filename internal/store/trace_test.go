package store

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/database"
	"github.com/bonafide-id/bonafide/internal/store/queue"
	"github.com/bonafide-id/bonafide/internal/store/webhooks"
	"github.com/bonafide-id/bonafide/internal/trace"
	"github.com/bonafide-id/bonafide/internal/webhook"
)

// beforeTraces undoes the migration of traces.
var beforeTraces = []string{"ALTER TABLE webhook_deliveries DROP COLUMN trace_parent", "DELETE FROM schema_versions WHERE version_id = 21"}

// traced has a deployment's store traced, before anything else is done with it.
func (d *deployment) traced(t *testing.T) (*trace.Tracer, *idvtest.Collector) {
	t.Helper()
	c := idvtest.NewCollector(t)
	env := map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": c.URL}
	tr, err := trace.Open(t.Context(), trace.Options{Environment: func(name string) string { return env[name] }, Instance: "store", Log: quiet()})
	must(t, err)
	t.Cleanup(tr.Close)
	d.store.Trace(tr)
	d.store.reader = newReader(d.store.DB.Reader(), d.store.Eraser)
	return tr, c
}

func traceIDOf(parent string) string {
	parts := strings.Split(parent, "-")
	if len(parts) != 4 {
		return ""
	}
	return parts[1]
}

// traceJobs: a job follows what caused it, in each of its tries; one that nothing caused follows nothing.
func traceJobs(t *testing.T, d *deployment) {
	tr, c := d.traced(t)
	ctx, root := tr.Begin(t.Context(), trace.Origin{Name: "root"})
	want := traceIDOf(trace.Parent(ctx))
	enqueue := func(ctx context.Context, jobs ...job.Args) {
		must(t, d.store.Transact(ctx, func(ctx context.Context, x *database.Tx) error {
			var errs error
			for _, a := range jobs {
				errs = errors.Join(errs, d.store.in(x).Enqueue(ctx, a))
			}
			return errs
		}))
	}
	enqueue(
		ctx,
		job.Extract{Session: "ses_a", Capture: "cap_a"},
		job.Deliver{Endpoint: "caused"},
		job.Deliver{Endpoint: "later", At: time.Now().Add(-time.Second)},
	)
	root.End(nil)
	enqueue(t.Context(), job.Check{Session: "ses_b"}, job.Deliver{Endpoint: "alone"})
	seen := make(chan [2]string, 20)
	failed := false
	h := job.Handlers{
		Extract: func(ctx context.Context, _ job.Extract) error {
			seen <- [2]string{"extract", traceIDOf(trace.Parent(ctx))}
			if !failed { // one worker: its tries follow each other
				failed = true
				return errors.New("not yet")
			}
			return nil
		},
		Check: func(ctx context.Context, _ job.Check) error {
			seen <- [2]string{"check", traceIDOf(trace.Parent(ctx))}
			return nil
		},
		Deliver: func(ctx context.Context, a job.Deliver) error {
			seen <- [2]string{string(a.Endpoint), traceIDOf(trace.Parent(ctx))}
			return nil
		},
		Sweep: func(ctx context.Context, _ job.Sweep) error {
			seen <- [2]string{"sweep", traceIDOf(trace.Parent(ctx))}
			return nil
		},
		Erase:     func(context.Context, job.Erase) error { return nil },
		Expire:    func(context.Context) error { return nil },
		Redeliver: func(context.Context) error { return nil },
		Retain:    func(context.Context) error { return nil },
	}
	work, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- d.store.Work(work, h, queue.WorkOptions{Workers: 1, Poll: 20 * time.Millisecond}) }()
	got := map[string][]string{}
	for len(got["extract"]) < 2 || len(got) < 6 {
		select {
		case s := <-seen:
			got[s[0]] = append(got[s[0]], s[1])
		case <-time.After(patience):
			t.Fatalf("only %v", got)
		}
	}
	stop()
	must(t, <-done)
	tr.Close()
	for kind, follows := range map[string]string{"extract": want, "caused": want, "later": "", "alone": "", "sweep": ""} {
		if slices.ContainsFunc(got[kind], func(id string) bool { return id != follows }) {
			t.Errorf("%s follows %q, want %q", kind, got[kind], follows)
		}
	}
	if got["check"][0] == "" || got["check"][0] == want {
		t.Errorf("a check that nothing caused is in %q", got["check"])
	}
	var tries []string
	for _, s := range c.Spans() {
		if s.Name == "job extract" && s.Trace == want {
			tries = append(tries, s.Facts[trace.JobAttempt.Name])
			if first := s.Facts[trace.JobAttempt.Name] == "1"; s.Failed != first {
				t.Errorf("try %s failed: %v", s.Facts[trace.JobAttempt.Name], s.Failed)
			}
		}
	}
	if slices.Sort(tries); !slices.Equal(tries, []string{"1", "2"}) {
		t.Errorf("tries %v", tries)
	}
}

// traceHooks: webhooks that one job sends follow each what it tells of.
func traceHooks(t *testing.T, d *deployment) {
	tr, c := d.traced(t)
	s := d.hooks(webhook.Options{Tracer: tr})
	in := receive(t, nil)
	d.endpoint(t, s, idv.Test, in.URL)
	var want []string
	for range 3 {
		ctx, root := tr.Begin(t.Context(), trace.Origin{Name: "root"})
		_, err := d.Sessions.Create(ctx, session.Spec{Mode: idv.Test, Workflow: idv.WorkflowNoLiveness})
		must(t, err)
		root.End(nil)
		want = append(want, traceIDOf(trace.Parent(ctx)))
	}
	d.workHooks(t, s)
	until(t, "three webhooks", func() bool { return len(in.types()) == 3 })
	tr.Close()
	in.mu.Lock()
	defer in.mu.Unlock()
	var got []string
	for _, h := range in.heads {
		if id := traceIDOf(h.Get("Traceparent")); slices.Contains(want, id) {
			got = append(got, id)
		}
	}
	slices.Sort(want)
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("webhooks follow %v, want %v", got, want)
	}
	for _, span := range c.Spans() {
		if span.Name == "webhook" && slices.Contains(want, span.Trace) && len(span.Links) == 0 {
			t.Error("it is not told which job sent it")
		}
	}
}

// parentsOf are the traces that deliveries keep, by the state of the delivery and the type of its event.
func parentsOf(t *testing.T, d *deployment) map[string]string {
	t.Helper()
	var rows []webhooks.DeliveryRow
	must(t, d.store.Read.NewSelect().Model(&rows).Scan(t.Context()))
	out := map[string]string{}
	for _, row := range rows {
		out[row.State+" "+row.Type] = traceIDOf(row.Parent)
	}
	return out
}

// traceForgotten: what joins a session to a trace is there for as long as it is needed.
func traceForgotten(t *testing.T, d *deployment) {
	tr, _ := d.traced(t)
	s := d.hooks(webhook.Options{Tracer: tr})
	answer := http.StatusServiceUnavailable
	in := receive(t, func(int) int { return answer })
	e := d.endpoint(t, s, idv.Test, in.URL)
	under := func(do func(context.Context)) string {
		ctx, root := tr.Begin(t.Context(), trace.Origin{Name: "root"})
		defer root.End(nil)
		do(ctx)
		return traceIDOf(trace.Parent(ctx))
	}
	want := func(when string, parents map[string]string) {
		t.Helper()
		if diff := cmp.Diff(parents, parentsOf(t, d)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", when, diff)
		}
	}
	var c session.Created
	made := under(func(ctx context.Context) {
		var err error
		c, err = d.Sessions.Create(ctx, session.Spec{Mode: idv.Test, Workflow: idv.WorkflowNoLiveness})
		must(t, err)
	})
	must(t, s.Deliver(t.Context(), e.ID))
	want("while it will be tried again", map[string]string{"due session.created": made})
	erased := under(func(ctx context.Context) {
		_, err := d.Erasures.Erase(ctx, idv.Test, c.Session.ID)
		must(t, err)
	})
	want("after the erasing", map[string]string{"due session.created": "", "due session.cancelled": "", "due session.erased": erased})
	answer = http.StatusOK
	d.clock.advance(time.Hour)
	must(t, s.Deliver(t.Context(), e.ID))
	want("after it arrived", map[string]string{"delivered session.created": "", "delivered session.cancelled": "", "delivered session.erased": ""})
	resent := under(func(ctx context.Context) {
		_, err := s.Resend(ctx, idv.Test, e.ID, log(t, s, e)[0].ID)
		must(t, err)
	})
	want("sent again", map[string]string{"delivered session.created": "", "delivered session.cancelled": "", "due session.erased": resent})
	must(t, d.store.Transact(t.Context(), func(ctx context.Context, x *database.Tx) error { return d.store.in(x).EventWriter.GiveUp(ctx, e.ID) }))
	want("given up", map[string]string{"delivered session.created": "", "delivered session.cancelled": "", "given_up session.erased": ""})
}

// tracePanics: River catches what a job panics with; its span, and that of the transaction it was in, say that they failed.
func tracePanics(t *testing.T, d *deployment) {
	tr, c := d.traced(t)
	ctx, root := tr.Begin(t.Context(), trace.Origin{Name: "root"})
	must(t, d.store.Transact(ctx, func(ctx context.Context, x *database.Tx) error {
		return d.store.in(x).Enqueue(ctx, job.Check{Session: "ses_a"})
	}))
	root.End(nil)
	h := d.Handlers()
	again := make(chan struct{}, 20)
	h.Check = func(ctx context.Context, _ job.Check) error {
		if job.AttemptFrom(ctx).Number > 1 {
			again <- struct{}{}
			return nil
		}
		return d.store.Transact(ctx, func(context.Context, *database.Tx) error { panic("Anna Eriksson") })
	}
	work, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- d.store.Work(work, h, queue.WorkOptions{Workers: 1, Poll: 20 * time.Millisecond}) }()
	select {
	case <-again:
	case <-time.After(patience):
		t.Error("it was not tried again")
	}
	stop()
	must(t, <-done)
	tr.Close()
	failed := map[string]string{}
	for _, s := range c.Spans() {
		if s.Trace == traceIDOf(trace.Parent(ctx)) && s.Failed {
			failed[s.Name] += s.Facts[trace.Failure.Name] + s.Facts[trace.JobAttempt.Name]
		}
	}
	if diff := cmp.Diff(map[string]string{"job check": "panic1", "transaction": "panic"}, failed); diff != "" {
		t.Errorf("failed (-want +got):\n%s", diff)
	}
	if bytes.Contains(c.Raw(), []byte("Anna")) {
		t.Error("what it panicked with was sent")
	}
}
