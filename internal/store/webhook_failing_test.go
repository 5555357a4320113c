package store

import (
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/queue"
	"github.com/bonafide-id/bonafide/internal/store/webhooks"
	"github.com/bonafide-id/bonafide/internal/webhook"
)

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
		if x.State != webhook.Pending {
			break
		}
		if n := len(r.types()); n != x.AttemptCount {
			t.Fatalf("%d tries are noted and %d arrived", x.AttemptCount, n)
		}
		if err := s.Deliver(ctx, e.ID); err != nil || len(r.types()) != x.AttemptCount {
			t.Fatalf("it was tried before its time: %v", err)
		}
		d.clock.advance(x.NextAt.Sub(d.clock.now()) + time.Millisecond)
	}
	x := log(t, s, e)[0]
	span := d.clock.now().Sub(begun)
	if x.State != webhook.GivenUp || len(r.types()) != webhook.MaxAttempts() || span < 64*time.Hour || span > 80*time.Hour || !x.NextAt.IsZero() {
		t.Fatalf("%s after %d tries in %s", x.State, len(r.types()), span)
	}
	if got, err := s.Endpoint(ctx, idv.Test, e.ID); err != nil || got.FailingSince.IsZero() {
		t.Errorf("the endpoint does not fail: %+v, %v", got, err)
	}
	sawAudit(t, d, "webhook.given_up", string(x.ID))
	ids := map[string]bool{}
	for _, h := range r.heads {
		ids[h.Get(webhook.HeaderID)] = true
	}
	if len(ids) != 1 {
		t.Errorf("one event had the ids %v", ids)
	}
	ok = true
	again, err := s.Resend(ctx, idv.Test, e.ID, x.ID)
	if err != nil || again.State != webhook.Pending || again.AttemptCount != 0 {
		t.Fatalf("%+v, %v", again, err)
	}
	if err := s.Deliver(ctx, e.ID); err != nil {
		t.Fatal(err)
	}
	if x := log(t, s, e)[0]; x.State != webhook.Delivered || len(x.Attempts) != webhook.MaxAttempts()+1 || x.Attempts[16].Status != 204 {
		t.Errorf("after it was sent again: %s, %d tries", x.State, len(x.Attempts))
	}
	if got, err := s.Endpoint(ctx, idv.Test, e.ID); err != nil || !got.FailingSince.IsZero() {
		t.Errorf("the endpoint still fails: %+v, %v", got, err)
	}
	d.clock.advance(webhook.LogLife + time.Hour)
	if err := d.store.DropDeliveries(ctx); err != nil || len(log(t, s, e)) != 0 {
		t.Errorf("the log keeps what is old (%v)", err)
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
	sawAudit(t, d, "webhook.stopped", string(e.ID))
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
		State: string(webhook.Pending), NextAt: d.clock.now(), CreatedAt: d.clock.now(),
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
	sawAudit(t, d, "webhook.started", string(e.ID))
	d.create(t, session.Spec{})
	// A job that read the endpoint before it was started gives nothing up of what came since.
	if err := d.store.GiveUp(ctx, e.ID); err != nil {
		t.Fatal(err)
	}
	if x := log(t, s, e)[0]; x.ID == stopped.ID || x.State != webhook.Pending {
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
	if x := log(t, s, e)[0]; x.State != webhook.Pending || x.NextAt.Before(start.Add(30*time.Minute)) {
		t.Fatalf("asked to wait for half an hour: %+v", x)
	}
	d.create(t, session.Spec{})
	d.clock.advance(29 * time.Minute)
	if n := deliver(); n != 1 {
		t.Errorf("an event came while the target rests: %d", n)
	}
	if ids, err := d.store.ListStalled(ctx, 10); err != nil || len(ids) != 0 {
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

// hookAtRest looks for an endpoint's address and secret in the database's files.
func hookAtRest(t *testing.T, d *deployment, e webhook.Endpoint) {
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
