package store

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/checker"
	"github.com/bonafide-id/bonafide/internal/flow"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
	"github.com/bonafide-id/bonafide/internal/session/services"
	"github.com/bonafide-id/bonafide/internal/store/queue"
	"github.com/bonafide-id/bonafide/internal/store/sessions"
)

var errOutage = errors.New("the disk is on fire")

// exec runs SQL behind the store's back.
func (d *deployment) exec(t *testing.T, query string, args ...any) {
	t.Helper()
	if _, err := d.store.Write.ExecContext(t.Context(), query, args...); err != nil {
		t.Fatal(err)
	}
}

func crashRetry(t *testing.T, d *deployment) {
	var failures atomic.Int32
	d.lab.OnExtract = func(context.Context, idv.Capture) error {
		if failures.Add(1) == 1 {
			return errOutage
		}
		return nil
	}
	d.work(t, queue.WorkOptions{})
	a := d.open(t)
	start := time.Now()
	a.sendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("anna"))
	wantOneVerdict(t, d, a.id, idv.Approved)
	if waited := time.Since(start); waited < time.Second {
		t.Errorf("the second try came after %v, not after a second", waited)
	}
	if n := d.lab.Extracted(); n != 3 {
		t.Errorf("%d extractions, want 3", n)
	}
}

// crashNeverExtracts goes through the tries of one job by hand: waiting for them would take half a minute.
func crashNeverExtracts(t *testing.T, d *deployment) {
	d.lab.OnExtract = func(_ context.Context, c idv.Capture) error {
		if c.Kind == idv.DocumentImage {
			return errOutage
		}
		return nil
	}
	a := d.open(t)
	a.sendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("anna"))
	captures, err := d.store.Captures(t.Context(), a.id)
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= job.MaxAttempts(); n++ {
		ctx := job.WithAttempt(t.Context(), job.Attempt{Number: n, Max: job.MaxAttempts()})
		if err := d.Decisions.Extract(ctx, a.id, captures[0].ID); (err == nil) != (n == job.MaxAttempts()) {
			t.Fatalf("try %d: %v", n, err)
		}
	}
	if err := d.Decisions.Extract(t.Context(), a.id, captures[1].ID); err != nil {
		t.Fatal(err)
	}
	if err := d.Decisions.Evaluate(t.Context(), a.id); err != nil {
		t.Fatal(err)
	}
	wantOneVerdict(t, d, a.id, idv.InReview)
	wantBroken(t, d, a.id, idv.CheckDocumentReadable, idv.CheckFaceMatch)
	artifacts, err := d.store.Artifacts(t.Context(), a.id)
	if err != nil || len(artifacts) != 6 || artifacts[0].Present || artifacts[0].Absent != problem.CheckNotRun.Code {
		t.Fatalf("artifacts %+v, %v", artifacts, err)
	}
}

func wantBroken(t *testing.T, d *deployment, id idv.SessionID, kinds ...idv.CheckKind) {
	t.Helper()
	report, decisions, err := d.Sessions.Report(t.Context(), "", id)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range kinds {
		if c, ok := report.Check(k); !ok || c.Lifecycle != idv.CheckBroken || c.Finding != nil {
			t.Errorf("check %s is %+v, want it broken", k, c)
		}
	}
	if r := decisions[0].Reasons; len(r) == 0 || r[0].Code != problem.CheckNotRun.Code {
		t.Errorf("referred for %v", r)
	}
}

// fullDisk is a vault that cannot be written.
type fullDisk struct{ sessions.Pictures }

func (fullDisk) Put(context.Context, idv.SessionID, string, []byte) error { return errOutage }

func crashFullDisk(t *testing.T, d *deployment) {
	ctx := t.Context()
	engine, err := flow.New(d.lab.Gates(), d.lab.Extractors(), append(d.lab.Checkers(), checker.OfSeen(idvtest.Faces{})...), flow.Options{})
	if err != nil {
		t.Fatal(err)
	}
	full := services.New(d.store, fullDisk{}, engine, services.Options{Now: d.clock.now, Log: quiet()})
	a := d.open(t)
	sub := applicant.Submission{Step: idv.StepDocumentFront, Attempt: "one", Bytes: idvtest.Picture(t, idvtest.Passport("anna"))}
	if _, err := full.Captures.Submit(ctx, a.id, sub); !errors.Is(err, errOutage) {
		t.Fatalf("on a full disk: %v", err)
	}
	captures, _, err := d.Sessions.Captures(ctx, "", a.id)
	if err != nil || len(captures) != 0 {
		t.Fatalf("%d rows without a picture, %v", len(captures), err)
	}
	if task, err := d.Captures.Submit(ctx, a.id, sub); err != nil || task.Step != idv.StepSelfie { // the same attempt, once there is room
		t.Fatalf("afterwards: %+v, %v", task, err)
	}
	d.work(t, queue.WorkOptions{})
	a.send(t, idv.StepSelfie, idvtest.Selfie("anna"))
	wantOneVerdict(t, d, a.id, idv.Approved)
}

func crashNeverRuns(t *testing.T, d *deployment) {
	d.lab.OnAsk = func(_ context.Context, k idv.CheckKind) error {
		if k == idv.CheckFaceMatch {
			return fmt.Errorf("model missing: %w", flow.ErrNeverRuns)
		}
		return nil
	}
	d.work(t, queue.WorkOptions{Workers: 1})
	a := d.open(t)
	a.sendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("anna"))
	wantOneVerdict(t, d, a.id, idv.InReview)
	wantBroken(t, d, a.id, idv.CheckFaceMatch)
	wantEvents(t, d, a.id, session.EventCheckBroken, session.EventReferred)
	if n := d.lab.Asked(idv.CheckFaceMatch); n != 1 {
		t.Errorf("asked %d times what can never run", n)
	}
}

// crashRescue leaves the jobs as a killed worker leaves them: running, and nobody runs them.
func crashRescue(t *testing.T, d *deployment) {
	a := d.open(t)
	a.sendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("anna"))
	long := d.clock.now().Add(-10 * time.Minute)
	d.exec(t, "UPDATE river_job SET state = 'running', attempt = 1, attempted_at = ? WHERE kind = 'extract'", long)
	stop := d.work(t, queue.WorkOptions{})
	wantOneVerdict(t, d, a.id, idv.Approved)
	if d.store.File == "" {
		return
	}
	// On SQLite nobody waits for the rescue: the lock says that nobody else works.
	stop()
	b := d.open(t)
	b.sendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("anna"))
	d.exec(t, "UPDATE river_job SET state = 'running', attempt = 1, attempted_at = ? WHERE state = 'available'", d.clock.now())
	start := time.Now()
	d.work(t, queue.WorkOptions{})
	wantOneVerdict(t, d, b.id, idv.Approved)
	if waited := time.Since(start); waited > 20*time.Second {
		t.Errorf("waited %v for jobs that nobody runs", waited)
	}
	brief, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := d.store.queue.Adopt(brief, queue.Upkeep{}); !errors.Is(err, context.DeadlineExceeded) { // while somebody works, nothing is taken from them
		t.Errorf("a second worker began beside the first: %v", err)
	}
}

func crashSweep(t *testing.T, d *deployment) {
	a := d.open(t)
	a.sendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("anna"))
	d.clock.advance(time.Minute)
	if err := d.Sweep(t.Context()); err != nil { // its jobs wait in the queue: nothing to do
		t.Fatal(err)
	}
	if rec, err := d.store.Session(t.Context(), a.id); err != nil || rec.Sweeps != 0 {
		t.Fatalf("a busy session was swept %d times, %v", rec.Sweeps, err)
	}
	d.exec(t, "DELETE FROM river_job")
	if err := d.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	d.work(t, queue.WorkOptions{})
	wantOneVerdict(t, d, a.id, idv.Approved)
}

func crashGiveUp(t *testing.T, d *deployment) {
	a := d.open(t)
	a.sendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("anna"))
	for range 4 {
		d.exec(t, "DELETE FROM river_job")
		d.clock.advance(time.Minute)
		if err := d.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	wantOneVerdict(t, d, a.id, idv.InReview)
	wantBroken(t, d, a.id, idv.CheckDocumentReadable, idv.CheckFaceMatch, idv.CheckClaimsMatch)
}

func crashTwice(t *testing.T, d *deployment) {
	a := d.open(t)
	a.sendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("anna"))
	captures, err := d.store.Captures(t.Context(), a.id)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		for _, c := range captures {
			if err := d.Decisions.Extract(t.Context(), a.id, c.ID); err != nil {
				t.Fatal(err)
			}
		}
		if err := d.Decisions.Evaluate(t.Context(), a.id); err != nil {
			t.Fatal(err)
		}
	}
	wantOneVerdict(t, d, a.id, idv.Approved)
	if n := d.lab.Extracted(); n != 2 {
		t.Errorf("two captures were looked at %d times", n)
	}
}
