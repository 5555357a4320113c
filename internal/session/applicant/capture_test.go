package applicant_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
	"github.com/bonafide-id/bonafide/internal/session/sessiontest"
)

func TestAnAcceptedPictureIsKeptAndLookedAt(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Start(t, session.Spec{})
	sub := p.Submission(t, idv.StepDocumentFront, idvtest.Passport("anna"))
	task, err := d.Captures.Submit(t.Context(), p.ID, sub)
	if err != nil || task.Step != idv.StepSelfie {
		t.Fatalf("next is %s, %v", task.Step, err)
	}
	rows, err := d.Store.Captures(t.Context(), p.ID)
	if err != nil || len(rows) != 1 || rows[0].MediaType != "image/jpeg" || rows[0].Size != int64(len(sub.Bytes)) || rows[0].Superseded {
		t.Fatalf("captures %+v, %v", rows, err)
	}
	if raw, err := d.Store.Pictures().Get(t.Context(), p.ID, rows[0].Blob); err != nil || !cmp.Equal(raw, sub.Bytes) {
		t.Errorf("the picture that is kept is another: %v", err)
	}
	if jobs := d.Store.Jobs(); len(jobs) != 1 || jobs[0].Args.Kind() != "extract" {
		t.Errorf("jobs %+v", jobs)
	}
	if rec := d.Record(t, p.ID); rec.Due != idv.StepSelfie || rec.Attempts[idv.StepDocumentFront] != 1 {
		t.Errorf("the session is %+v", rec)
	}
}

func TestAPictureThatCannotBeTakenIsRefused(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	for _, c := range []struct {
		name string
		sub  applicant.Submission
		want problem.Kind
	}{
		{"a step that takes no picture", applicant.Submission{Step: idv.StepConsent, Attempt: "a"}, problem.CaptureOutOfOrder},
		{"another step than the one that is due", applicant.Submission{Step: idv.StepSelfie, Attempt: "a", Bytes: []byte{1}}, problem.CaptureOutOfOrder},
		{"an attempt without a name", applicant.Submission{Step: idv.StepDocumentFront}, problem.RequestMalformed},
		{"an attempt with a blank", applicant.Submission{Step: idv.StepDocumentFront, Attempt: "a b"}, problem.RequestMalformed},
		{"a media type with a control character", applicant.Submission{Step: idv.StepDocumentFront, Attempt: "a", MediaType: "\x00"}, problem.RequestMalformed},
		{"no bytes", applicant.Submission{Step: idv.StepDocumentFront, Attempt: "a"}, problem.CaptureNotAnImage},
		{"no picture", applicant.Submission{Step: idv.StepDocumentFront, Attempt: "a", Bytes: []byte("hello")}, problem.CaptureNotAnImage},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := d.Start(t, session.Spec{})
			_, err := d.Captures.Submit(t.Context(), p.ID, c.sub)
			sessiontest.WantProblem(t, err, c.want)
			if s := d.Session(t, p.ID); s.Attempts[idv.StepDocumentFront] != 0 {
				t.Error("it costs a try")
			}
			if left := d.Store.Pictures().Names(p.ID); len(left) > 0 {
				t.Errorf("%v are kept", left)
			}
		})
	}
	_, err := d.Captures.Submit(t.Context(), "ses_none", applicant.Submission{Step: idv.StepDocumentFront, Attempt: "a", Bytes: []byte{1}})
	sessiontest.WantProblem(t, err, problem.NotFound)
}

func TestWhereOnlyTheCameraCountsAPictureFromAFileIsRefused(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	live := session.Spec{Workflow: d.Workflow("live", func(w *idv.WorkflowVersion) { w.LiveCapture = true })}
	for _, c := range []struct {
		name string
		spec session.Spec
		from idv.Source
		want bool // it is accepted
	}{
		{"from the camera", live, idv.SourceCamera, true},
		{"from a file", live, idv.SourceFile, false},
		{"from a client that does not say", live, idv.SourceUnknown, false},
		{"from a file, where files are accepted", session.Spec{}, idv.SourceFile, true},
		{"from a client that does not say, where files are accepted", session.Spec{}, idv.SourceUnknown, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := d.Start(t, c.spec)
			if task, err := d.Applicant.Captures.Present(t.Context(), p.ID); err != nil || task.LiveCapture != (c.spec.Workflow != "") {
				t.Errorf("the task says %v, %v", task.LiveCapture, err)
			}
			sub := p.Submission(t, idv.StepDocumentFront, idvtest.Passport("anna"))
			sub.Source = c.from
			task, err := d.Captures.Submit(t.Context(), p.ID, sub)
			if !c.want {
				sessiontest.WantProblem(t, err, problem.CaptureFromFile)
				if s := d.Session(t, p.ID); s.Attempts[idv.StepDocumentFront] != 0 {
					t.Error("it costs a try")
				}
				if left := d.Store.Pictures().Names(p.ID); len(left) > 0 {
					t.Errorf("%v are kept", left)
				}
				return
			}
			if err != nil || task.Step != idv.StepSelfie {
				t.Fatalf("next is %s, %v", task.Step, err)
			}
			if rows, err := d.Store.Captures(t.Context(), p.ID); err != nil || len(rows) != 1 || rows[0].Source != c.from {
				t.Errorf("captures %+v, %v", rows, err)
			}
		})
	}
}

func TestARepeatedAttemptAnswersAsBefore(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Start(t, session.Spec{})
	blurred := idvtest.Passport("anna")
	blurred.Glance = problem.CaptureBlurred.Code
	bad, good := p.Submission(t, idv.StepDocumentFront, blurred), p.Submission(t, idv.StepDocumentFront, idvtest.Passport("anna"))
	for range 2 {
		_, err := d.Captures.Submit(t.Context(), p.ID, bad)
		sessiontest.WantProblem(t, err, problem.CaptureBlurred)
	}
	for range 2 {
		if task, err := d.Captures.Submit(t.Context(), p.ID, good); err != nil || task.Step != idv.StepSelfie {
			t.Errorf("next is %s, %v", task.Step, err)
		}
	}
	other := good
	other.Bytes = bad.Bytes
	_, err := d.Captures.Submit(t.Context(), p.ID, other)
	sessiontest.WantProblem(t, err, problem.CaptureAttemptReused)
	if s := d.Session(t, p.ID); s.Attempts[idv.StepDocumentFront] != 2 || s.LastProblem != nil {
		t.Errorf("%d tries count, last problem %v", s.Attempts[idv.StepDocumentFront], s.LastProblem)
	}
}

func TestTwoSubmitsOfOneAttemptCountOnce(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Start(t, session.Spec{})
	sub := p.Submission(t, idv.StepDocumentFront, idvtest.Passport("anna"))
	var both sync.WaitGroup
	d.Lab.OnGlance = func(context.Context, idv.Capture) { both.Done(); both.Wait() } // neither is written before both were looked at
	both.Add(2)
	errs := make(chan error, 2)
	for range 2 {
		go func() { _, err := d.Captures.Submit(t.Context(), p.ID, sub); errs <- err }()
	}
	for range 2 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	rows, err := d.Store.Captures(t.Context(), p.ID)
	if err != nil || len(rows) != 1 || len(d.Store.Pictures().Names(p.ID)) != 1 {
		t.Errorf("%d captures, blobs %v, %v", len(rows), d.Store.Pictures().Names(p.ID), err)
	}
}

func TestTheLastTryOfAStepIsTakenForAPersonToJudge(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Start(t, session.Spec{})
	blurred := idvtest.Passport("anna")
	blurred.Glance = problem.CaptureBlurred.Code
	for n := 1; n < idv.DefaultStepAttempts; n++ {
		_, err := p.Try(t, idv.StepDocumentFront, blurred)
		sessiontest.WantProblem(t, err, problem.CaptureBlurred)
		if task := p.Task(t); task.AttemptsLeft != idv.DefaultStepAttempts-n {
			t.Errorf("%d tries are left after %d", task.AttemptsLeft, n)
		}
	}
	_, err := d.Captures.Submit(t.Context(), p.ID, applicant.Submission{Step: idv.StepDocumentFront, Attempt: "text", Bytes: []byte("no picture")})
	sessiontest.WantProblem(t, err, problem.CaptureNotAnImage) // nobody could judge that
	if task := p.Send(t, idv.StepDocumentFront, blurred); task.Step != idv.StepSelfie {
		t.Errorf("next is %s", task.Step)
	}
}

func TestASessionHasSoManyTriesAndNoMore(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Start(t, session.Spec{Workflow: d.Workflow("four", func(w *idv.WorkflowVersion) { w.SessionAttempts = 4 })})
	for n := range 4 {
		_, err := d.Captures.Submit(t.Context(), p.ID, applicant.Submission{Step: idv.StepDocumentFront, Attempt: fmt.Sprint(n), Bytes: []byte("no picture")})
		sessiontest.WantProblem(t, err, problem.CaptureNotAnImage)
	}
	_, err := p.Try(t, idv.StepDocumentFront, idvtest.Passport("anna"))
	sessiontest.WantProblem(t, err, problem.AttemptsExhausted)
}

func TestTheSameFileIsNotBothSidesOfADocument(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Open(t, d.Create(t, session.Spec{}))
	p.Agree(t, idv.IDCard)
	card := idvtest.Passport("anna")
	card.Kind = idv.IDCard
	front := p.Submission(t, idv.StepDocumentFront, card)
	if task, err := d.Captures.Submit(t.Context(), p.ID, front); err != nil || task.Step != idv.StepDocumentBack {
		t.Fatalf("next is %s, %v", task.Step, err)
	}
	back := front
	back.Step, back.Attempt = idv.StepDocumentBack, "back"
	_, err := d.Captures.Submit(t.Context(), p.ID, back)
	sessiontest.WantProblem(t, err, problem.CaptureSameSideTwice)
	if n := len(d.Store.Pictures().Names(p.ID)); n != 1 {
		t.Errorf("%d pictures are kept", n)
	}
}

func TestALookThatCannotBeTakenRefusesNothing(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Start(t, session.Spec{})
	full := errors.New("the disk is full")
	d.Store.Pictures().Fail(full)
	sub := p.Submission(t, idv.StepDocumentFront, idvtest.Passport("anna"))
	if _, err := d.Captures.Submit(t.Context(), p.ID, sub); !errors.Is(err, full) {
		t.Errorf("a picture that could not be kept: %v", err)
	}
	d.Store.Pictures().Fail(nil)
	d.Store.FailNextCommit(full)
	if _, err := d.Captures.Submit(t.Context(), p.ID, sub); !errors.Is(err, full) {
		t.Errorf("a commit that failed: %v", err)
	}
	if s := d.Session(t, p.ID); s.Attempts[idv.StepDocumentFront] != 0 {
		t.Error("what failed costs a try")
	}
	if _, err := d.Captures.Submit(t.Context(), p.ID, sub); err != nil {
		t.Errorf("the same attempt again: %v", err)
	}
}

func TestALateApplicantIsToldSo(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Start(t, session.Spec{})
	d.Clock.Advance(idv.DefaultSessionLife)
	if task := p.Task(t); task.State != idv.TaskExpired {
		t.Errorf("the task is %s", task.State)
	}
	if s := d.Session(t, p.ID); s.State != idv.Capturing {
		t.Errorf("looking changed the session: %s", s.State)
	}
	_, err := p.Try(t, idv.StepDocumentFront, idvtest.Passport("anna"))
	sessiontest.WantProblem(t, err, problem.SessionExpired)
	if s := d.Session(t, p.ID); s.State != idv.Expired {
		t.Errorf("it is %s", s.State)
	}
	done := d.Ended(t, session.Spec{})
	_, err = done.Try(t, idv.StepSelfie, idvtest.Selfie("anna"))
	sessiontest.WantProblem(t, err, problem.SessionFinished)
	waiting := d.Start(t, session.Spec{})
	waiting.SendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("anna"))
	_, err = waiting.Try(t, idv.StepSelfie, idvtest.Selfie("anna"))
	sessiontest.WantProblem(t, err, problem.CaptureOutOfOrder)
}
