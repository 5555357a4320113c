package decision_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/flow"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/sessiontest"
)

// codes returns the codes of the newest decision's reasons.
func codes(t *testing.T, d *sessiontest.Deployment, id idv.SessionID) []string {
	t.Helper()
	all, err := d.Sessions.Decisions(t.Context(), "", id)
	if err != nil || len(all) == 0 {
		t.Fatalf("%d decisions, %v", len(all), err)
	}
	return session.ReasonCodes(all[len(all)-1].Reasons)
}

func TestTheVerdictFollowsFromWhatWasSent(t *testing.T) {
	t.Parallel()
	expired := idvtest.Passport("anna")
	expired.Expired = true
	for _, c := range []struct {
		name             string
		passport, selfie idvtest.Scene
		state            idv.SessionState
		reasons          []string
	}{
		{"a passport and its holder are approved", idvtest.Passport("anna"), idvtest.Selfie("anna"), idv.Approved, []string{}},
		{"a document that expired declines", expired, idvtest.Selfie("anna"), idv.Declined, []string{problem.DocumentExpired.Code}},
		{"a face in the refer band goes to a person", idvtest.Passport("anna"), idvtest.Selfie("unsure"), idv.InReview, []string{problem.FaceUncertain.Code}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := sessiontest.New(t)
			p := d.Start(t, session.Spec{})
			p.SendBoth(t, c.passport, c.selfie)
			d.Work(t)
			s := d.Session(t, p.ID)
			if s.State != c.state || s.DecidedAt.IsZero() != (c.state == idv.InReview) {
				t.Fatalf("the session is %+v", s)
			}
			if diff := cmp.Diff(c.reasons, codes(t, d, p.ID)); diff != "" {
				t.Errorf("reasons (-want +got):\n%s", diff)
			}
			if rec := d.Record(t, p.ID); rec.Automatic != (c.state != idv.InReview) || rec.Due != "" {
				t.Errorf("for statistics: %+v", rec.Figures)
			}
			if _, err := d.Queue.CaseOf(t.Context(), p.ID); problem.Has(err, problem.NotFound) != (c.state != idv.InReview) {
				t.Errorf("its case: %v", err)
			}
		})
	}
}

func TestABadPageIsAskedForAgainWhileTheSelfieIsTaken(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Start(t, session.Spec{})
	bad := idvtest.Passport("anna")
	bad.Page = problem.CaptureBlurred.Code
	p.Send(t, idv.StepDocumentFront, bad)
	d.Work(t)
	task := p.Task(t)
	if task.Step != idv.StepDocumentFront || task.Problem == nil || task.Problem.Code != bad.Page {
		t.Fatalf("next is %+v", task)
	}
	if s := d.Session(t, p.ID); s.State != idv.Capturing || !slices.Equal(s.Redo, []idv.Step{idv.StepDocumentFront}) {
		t.Errorf("the session is %+v", s)
	}
	p.SendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("anna"))
	d.Work(t)
	if s := d.Session(t, p.ID); s.State != idv.Approved || len(s.Redo) > 0 {
		t.Errorf("the session is %+v", s)
	}
}

func TestAFaceThatDoesNotMatchHasOneExtraTryThenDeclines(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Start(t, session.Spec{})
	p.SendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("bert"))
	d.Work(t)
	if s := d.Session(t, p.ID); s.State != idv.Capturing || s.LastProblem.Code != problem.FaceMismatch.Code ||
		!s.ExpiresAt.Equal(d.Clock.Now().Add(idv.DefaultSessionLife)) {
		t.Fatalf("after the first: %+v", s)
	}
	if task := p.Send(t, idv.StepSelfie, idvtest.Selfie("bert")); task.State != idv.TaskWait {
		t.Fatalf("the task is %s", task.State)
	}
	d.Work(t)
	if s := d.Session(t, p.ID); s.State != idv.Declined {
		t.Errorf("after the second it is %s", s.State)
	}
}

func TestAStepWithoutTriesLeftIsReferred(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Start(t, session.Spec{})
	bad := idvtest.Passport("anna")
	bad.Page = problem.CaptureBlurred.Code
	for range idv.DefaultStepAttempts {
		p.Send(t, idv.StepDocumentFront, bad)
		d.Work(t)
	}
	p.Send(t, idv.StepSelfie, idvtest.Selfie("anna"))
	d.Work(t)
	if s := d.Session(t, p.ID); s.State != idv.InReview {
		t.Errorf("it is %s", s.State)
	}
}

func TestAJobThatRunsTwiceCountsOnce(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Start(t, session.Spec{})
	p.SendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("unsure"))
	for _, j := range d.Store.Jobs() {
		a := j.Args.(job.Extract)
		for range 2 {
			if err := d.Decisions.Extract(t.Context(), a.Session, a.Capture); err != nil {
				t.Fatal(err)
			}
		}
	}
	var both sync.WaitGroup
	for range 2 { // and at once
		both.Go(func() {
			if err := d.Decisions.Evaluate(t.Context(), p.ID); err != nil {
				t.Error(err)
			}
		})
	}
	both.Wait()
	d.Work(t)
	reports, err := d.Store.Reports(t.Context(), p.ID)
	types := d.Store.EventTypes(p.ID)
	count := func(typ session.EventType) (n int) {
		for _, e := range types {
			if e == typ {
				n++
			}
		}
		return n
	}
	if err != nil || len(reports) != 1 || count(session.EventReferred) != 1 || count(session.EventExtracted) != 2 ||
		count(session.EventCaseOpened) != 1 || d.Lab.Extracted() != 2 {
		t.Errorf("%d reports, events %v, %d extractions, %v", len(reports), types, d.Lab.Extracted(), err)
	}
}

func TestWhatFailsIsTriedAgainAndGivenUpWithTheLastTry(t *testing.T) {
	t.Parallel()
	broken := errors.New("the model fell over")
	never := fmt.Errorf("no model: %w", flow.ErrNeverRuns)
	for _, c := range []struct {
		name         string
		extract, ask error
		failures     int // after so many it works
		state        idv.SessionState
		extracted    int
		reasons      string
	}{
		{name: "an extraction that works at the second try", extract: broken, failures: 1, state: idv.Approved, extracted: 3},
		{
			name: "an extraction that never works", extract: broken, failures: 1 << 20, state: idv.InReview, extracted: 2 * job.MaxAttempts(),
			reasons: problem.CheckNotRun.Code,
		},
		{name: "an extraction that never can", extract: never, failures: 1 << 20, state: idv.InReview, extracted: 2, reasons: problem.CheckNotRun.Code},
		{name: "a question that works at the second try", ask: broken, failures: 1, state: idv.Approved, extracted: 2},
		{name: "a question that never works", ask: broken, failures: 1 << 20, state: idv.InReview, extracted: 2, reasons: problem.CheckNotRun.Code},
		{name: "a question that never can be asked", ask: never, failures: 1 << 20, state: idv.InReview, extracted: 2, reasons: problem.CheckNotRun.Code},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := sessiontest.New(t)
			left := c.failures
			fail := func(err error) error {
				if err == nil || left == 0 {
					return nil
				}
				left--
				return err
			}
			d.Lab.OnExtract = func(context.Context, idv.Capture) error { return fail(c.extract) }
			d.Lab.OnAsk = func(_ context.Context, k idv.CheckKind) error {
				if k != idv.CheckFaceMatch {
					return nil
				}
				return fail(c.ask)
			}
			p := d.Start(t, session.Spec{})
			p.SendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("anna"))
			d.Work(t)
			if s := d.Session(t, p.ID); s.State != c.state || d.Lab.Extracted() != c.extracted {
				t.Fatalf("it is %s after %d extractions", s.State, d.Lab.Extracted())
			}
			if c.reasons != "" && !slices.Contains(codes(t, d, p.ID), c.reasons) {
				t.Errorf("reasons %v", codes(t, d, p.ID))
			}
			if told := slices.Contains(d.Store.EventTypes(p.ID), session.EventCheckBroken); c.ask != nil && told != (c.state == idv.InReview) {
				t.Errorf("a broken check is told: %v", told)
			}
		})
	}
}

func TestASessionWithNothingPendingIsSweptAndGivenUpAtLast(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Start(t, session.Spec{})
	p.SendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("anna"))
	sweep := func() {
		t.Helper()
		if err := d.Decisions.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	d.Clock.Advance(time.Minute)
	sweep()
	if rec := d.Record(t, p.ID); rec.Sweeps != 0 {
		t.Error("a session whose jobs wait was swept")
	}
	for n := 1; n <= 3; n++ {
		d.Store.Forget()
		sweep() // the first finds the jobs gone, each other what it enqueued itself
		if rec := d.Record(t, p.ID); rec.Sweeps != n || len(d.Store.Jobs()) != 3 {
			t.Fatalf("sweep %d: counted %d, jobs %+v", n, rec.Sweeps, d.Store.Jobs())
		}
		sweep()
		if rec := d.Record(t, p.ID); rec.Sweeps != n {
			t.Errorf("it was swept again at once")
		}
		d.Clock.Advance(21 * time.Second)
	}
	d.Store.Forget()
	sweep()
	if s := d.Session(t, p.ID); s.State != idv.InReview || !slices.Contains(codes(t, d, p.ID), problem.CheckNotRun.Code) {
		t.Errorf("it is %s", s.State)
	}
	if d.Lab.Extracted() != 0 {
		t.Error("what was given up was looked at")
	}
}

func TestASweptSessionIsDecidedAsEver(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Start(t, session.Spec{})
	p.SendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("anna"))
	d.Store.Forget()
	d.Clock.Advance(time.Minute)
	if err := d.Decisions.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	d.Work(t)
	if s := d.Session(t, p.ID); s.State != idv.Approved {
		t.Errorf("it is %s", s.State)
	}
}

func TestOfWhatEndedMeanwhileNothingIsWritten(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Start(t, session.Spec{})
	d.Lab.OnExtract = func(ctx context.Context, _ idv.Capture) error {
		_, err := d.Sessions.Cancel(ctx, idv.Test, p.ID)
		return err
	}
	p.Send(t, idv.StepDocumentFront, idvtest.Passport("anna"))
	d.Work(t)
	artifacts, err := d.Store.Artifacts(t.Context(), p.ID)
	if s := d.Session(t, p.ID); err != nil || s.State != idv.Cancelled || len(artifacts) > 0 || d.Lab.Asked(idv.CheckDocumentReadable) > 0 {
		t.Errorf("it is %s with %d artifacts, %v", s.State, len(artifacts), err)
	}
	sessiontest.WantProblem(t, d.Decisions.Evaluate(t.Context(), "ses_none"), problem.NotFound)
	sessiontest.WantProblem(t, d.Decisions.Extract(t.Context(), "ses_none", "cap_none"), problem.NotFound)
}

func TestWhatComesInLateOfAFaceThatWasDeclinedIsNotKept(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Start(t, session.Spec{Workflow: d.Workflow("optional", func(w *idv.WorkflowVersion) { w.FaceOptional = true })})
	declined := false
	d.Lab.OnExtract = func(_ context.Context, _ idv.Capture) error {
		if !declined { // the document is being looked at
			declined = true
			_, err := p.Consent(t, false, session.ToBiometrics)
			return err
		}
		return nil
	}
	p.Send(t, idv.StepDocumentFront, idvtest.Passport("anna"))
	d.Work(t)
	artifacts, err := d.Store.Artifacts(t.Context(), p.ID)
	if err != nil || len(artifacts) == 0 {
		t.Fatalf("%d artifacts, %v", len(artifacts), err)
	}
	for _, a := range artifacts {
		if (session.IsTemplate(a.Kind) && a.Present) || a.BlobType != "" {
			t.Errorf("%s is kept: %+v", a.Kind, a)
		}
	}
	if names := d.Store.Pictures().Names(p.ID); len(names) != 1 {
		t.Errorf("blobs %v, want the document alone", names)
	}
}
