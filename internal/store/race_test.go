package store

import (
	"fmt"
	"sync"
	"testing"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
	"github.com/bonafide-id/bonafide/internal/store/queue"
)

// together runs f n times at once and answers the errors.
func together(n int, f func(i int) error) []error {
	errs := make([]error, n)
	var all sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		all.Go(func() {
			<-start
			errs[i] = f(i)
		})
	}
	close(start)
	all.Wait()
	return errs
}

func raceSubmit(t *testing.T, d *deployment) {
	ctx := t.Context()
	a := d.open(t)
	sub := applicant.Submission{Step: idv.StepDocumentFront, Attempt: "once", Bytes: idvtest.Picture(t, idvtest.Passport("anna"))}
	for _, err := range together(8, func(int) error { _, err := d.Captures.Submit(ctx, a.id, sub); return err }) {
		if err != nil {
			t.Errorf("one of eight equal submits: %v", err)
		}
	}
	captures, _, err := d.Sessions.Captures(ctx, idv.Test, a.id)
	if err != nil || len(captures) != 1 {
		t.Fatalf("%d captures, %v", len(captures), err)
	}
	v, err := d.Sessions.Get(ctx, idv.Test, a.id)
	if err != nil || v.Session.Attempts[idv.StepDocumentFront] != 1 {
		t.Fatalf("attempts %v, %v", v.Session.Attempts, err)
	}
}

// raceSettle lets eight jobs settle the last checks at the same time.
func raceSettle(t *testing.T, d *deployment) {
	ctx := t.Context()
	a := d.open(t)
	a.sendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("anna"))
	captures, err := d.store.Captures(ctx, a.id)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range together(8, func(i int) error { return d.Decisions.Extract(ctx, a.id, captures[i%2].ID) }) {
		if err != nil {
			t.Errorf("extract: %v", err)
		}
	}
	for _, err := range together(8, func(int) error { return d.Decisions.Evaluate(ctx, a.id) }) {
		if err != nil {
			t.Errorf("settle: %v", err)
		}
	}
	wantOneVerdict(t, d, a.id, idv.Approved)
	artifacts, err := d.store.Artifacts(ctx, a.id)
	if err != nil || len(artifacts) != 6 {
		t.Fatalf("%d artifacts, %v", len(artifacts), err)
	}
}

func wantOneVerdict(t *testing.T, d *deployment, id idv.SessionID, want idv.SessionState) {
	t.Helper()
	ctx := t.Context()
	d.await(t, id, want)
	decisions, err := d.store.Decisions(ctx, id)
	if err != nil || len(decisions) != 1 {
		t.Fatalf("%d decisions, %v", len(decisions), err)
	}
	checks, err := d.store.Checks(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[idv.CheckKind]bool{}
	for _, c := range checks {
		if seen[c.Kind] {
			t.Errorf("check %s was kept twice", c.Kind)
		}
		seen[c.Kind] = true
	}
}

func raceMany(t *testing.T, d *deployment) {
	d.work(t, queue.WorkOptions{Workers: 4})
	d.secondNode(t).work(t, queue.WorkOptions{Workers: 4})
	const n = 20
	ids := make([]idv.SessionID, n)
	errs := together(n, func(i int) error {
		c, err := d.Sessions.Create(t.Context(), session.Spec{Mode: idv.Test, Workflow: idv.WorkflowNoLiveness, ExternalReference: fmt.Sprint("many-", i)})
		if err != nil {
			return err
		}
		ids[i] = c.Session.ID
		if _, err := d.Applicant.Open(t.Context(), c.Link); err != nil {
			return err
		}
		if _, err := d.Applicant.Consent(t.Context(), ids[i], session.Consent{Given: true, TextVersion: "1"}); err != nil {
			return err
		}
		if _, err := d.Applicant.Choose(t.Context(), ids[i], applicant.Choice{Kind: idv.Passport}); err != nil {
			return err
		}
		for _, s := range []struct {
			step  idv.Step
			scene idvtest.Scene
		}{{idv.StepDocumentFront, idvtest.Passport("anna")}, {idv.StepSelfie, idvtest.Selfie("anna")}} {
			_, err := d.Captures.Submit(t.Context(), ids[i], applicant.Submission{
				Step: s.step, Attempt: string(s.step), Bytes: idvtest.Picture(t, s.scene),
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	for i, err := range errs {
		if err != nil {
			t.Fatalf("session %d: %v", i, err)
		}
	}
	for _, id := range ids {
		wantOneVerdict(t, d, id, idv.Approved)
	}
	if err := d.store.Sequence(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := d.store.VerifyAudit(t.Context()); err != nil {
		t.Fatal(err)
	}
}
