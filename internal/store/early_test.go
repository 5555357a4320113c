package store

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
	"github.com/bonafide-id/bonafide/internal/store/queue"
)

// awaitReading waits until the reading of what was sent has arrived, and returns the task then.
func (a *person) awaitReading(t *testing.T) idv.Task {
	t.Helper()
	var task idv.Task
	a.d.awaitThat(t, a.id, func() bool {
		rows, err := a.d.store.Captures(t.Context(), a.id)
		must(t, err)
		task = a.task(t)
		return !slices.ContainsFunc(session.Active(rows), func(c session.CaptureRow) bool { return c.Kind == idv.DocumentImage && !c.Checked })
	})
	return task
}

// earlyTold: an expired document is refused, one of another kind asked about, and the next step opens; each picture is read once.
func earlyTold(t *testing.T, d *deployment) {
	d.work(t, queue.WorkOptions{})
	a := d.open(t)
	expired := idvtest.Passport("anna")
	expired.Expired = true
	if task := a.send(t, idv.StepDocumentFront, expired); task.Checking != idv.StepDocumentFront {
		t.Errorf("right after the upload: %+v", task)
	}
	task := a.awaitReading(t)
	if task.Step != idv.StepChoose || task.Checking != "" || task.Problem == nil || task.Problem.Code != problem.DocumentExpired.Code {
		t.Fatalf("after an expired document: %+v", task)
	}
	_, err := d.Applicant.Choose(t.Context(), a.id, applicant.Choice{Kind: idv.Passport})
	must(t, err)
	card := idvtest.Passport("anna")
	card.Kind = idv.IDCard
	a.send(t, idv.StepDocumentFront, card)
	if task = a.awaitReading(t); task.Problem == nil || task.Problem.Code != problem.DocumentKindDiffers.Code || task.Found.Kind != idv.IDCard {
		t.Fatalf("after another kind: %+v", task)
	}
	_, err = d.Applicant.Answer(t.Context(), a.id, applicant.OtherDocument)
	must(t, err)
	_, err = d.Applicant.Choose(t.Context(), a.id, applicant.Choice{Kind: idv.Passport})
	must(t, err)
	a.send(t, idv.StepDocumentFront, idvtest.Passport("anna"))
	if task = a.awaitReading(t); task.Step != idv.StepSelfie || task.Problem != nil {
		t.Fatalf("after a good one: %+v", task)
	}
	a.send(t, idv.StepSelfie, idvtest.Selfie("anna"))
	d.await(t, a.id, idv.Approved)
	if n := d.lab.Extracted(); n != 4 {
		t.Errorf("%d pictures were read, want each of the 4 once", n)
	}
	events, err := d.Sessions.Timeline(t.Context(), "", a.id)
	must(t, err)
	var got []session.EventType
	for _, e := range events {
		if e.Type == session.EventStepChecked || e.Type == session.EventStepRepeated || e.Type == session.EventAnswered {
			got = append(got, e.Type)
		}
	}
	want := []session.EventType{session.EventStepRepeated, session.EventStepChecked, session.EventAnswered, session.EventStepChecked}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what happened (-want +got)\n%s", diff)
	}
}

// earlyWhy: of steps that are reopened together, each says why, also one that a person asked for without a reason.
func earlyWhy(t *testing.T, d *deployment) {
	a := d.open(t)
	bad := idvtest.Passport("anna")
	bad.Page = problem.CaptureGlare.Code
	a.sendBoth(t, bad, idvtest.Selfie("bert")) // faster than the reading
	d.work(t, queue.WorkOptions{})
	d.await(t, a.id, idv.Capturing)
	if task := a.task(t); task.Step != idv.StepDocumentFront || task.Problem == nil || task.Problem.Code != problem.CaptureGlare.Code {
		t.Fatalf("the first: %+v", task)
	}
	a.send(t, idv.StepDocumentFront, idvtest.Passport("anna"))
	if task := a.awaitReading(t); task.Step != idv.StepSelfie || task.Problem == nil || task.Problem.Code != problem.FaceMismatch.Code {
		t.Fatalf("the second: %+v, problem %+v", task, task.Problem)
	}
	must(t, d.store.InTx(t.Context(), func(ctx context.Context, tx session.Tx) error {
		rec, err := tx.Lock(ctx, a.id)
		if err != nil {
			return err
		}
		rec.ReopenedAt = d.clock.now() // as when a person asks for it
		return tx.SaveSession(ctx, rec)
	}))
	if task := a.task(t); task.Problem == nil || task.Problem.Code != problem.CaptureAskedAgain.Code {
		t.Errorf("without a reason: %+v", task.Problem)
	}
}
