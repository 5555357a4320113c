package decision_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
	"github.com/bonafide-id/bonafide/internal/session/sessiontest"
)

// heard is what the applicant's task says after a reading.
type heard struct {
	State idv.TaskState
	Step  idv.Step
	Code  string
	Tries int
}

func heardOf(t idv.Task) heard {
	h := heard{State: t.State, Step: t.Step, Tries: t.AttemptsLeft}
	if t.Problem != nil {
		h.Code = t.Problem.Code
	}
	return h
}

func TestTheReadingIsAwaitedForAWhile(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Start(t, session.Spec{})
	if task := p.Send(t, idv.StepDocumentFront, idvtest.Passport("anna")); task.Checking != idv.StepDocumentFront || task.Step != idv.StepSelfie {
		t.Fatalf("right after the upload: %+v", task)
	}
	d.Clock.Advance(idv.CheckWait)
	if task := p.Task(t); task.Checking != "" || task.Step != idv.StepSelfie {
		t.Errorf("when the reading takes too long: %+v", task)
	}
	late := d.Start(t, session.Spec{})
	late.Send(t, idv.StepDocumentFront, idvtest.Passport("anna"))
	d.Work(t)
	if task := late.Task(t); task.Checking != "" || task.Problem != nil || task.Step != idv.StepSelfie {
		t.Errorf("when the reading has come: %+v", task)
	}
	if n := d.Lab.Extracted(); n != 2 {
		t.Errorf("%d pictures were looked at, want 2", n)
	}
	late.Send(t, idv.StepSelfie, idvtest.Selfie("anna"))
	d.Work(t)
	if s := d.Session(t, late.ID); s.State != idv.Approved || d.Lab.Extracted() != 3 {
		t.Errorf("it is %s after %d looks: the decision rests on the reading that was told", s.State, d.Lab.Extracted())
	}
}

func TestAnExpiredDocumentIsRefusedBeforeTheNextStep(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Start(t, session.Spec{})
	expired := idvtest.Passport("anna")
	expired.Expired = true
	var got []heard
	for range idv.DefaultStepAttempts {
		if task := p.Task(t); task.Step == idv.StepChoose {
			if _, err := d.Applicant.Choose(t.Context(), p.ID, applicant.Choice{Kind: idv.Passport}); err != nil {
				t.Fatal(err)
			}
		}
		p.Send(t, idv.StepDocumentFront, expired)
		d.Work(t)
		got = append(got, heardOf(p.Task(t)))
	}
	again := heard{State: idv.TaskStep, Step: idv.StepChoose, Code: problem.DocumentExpired.Code, Tries: 3}
	want := []heard{again, again, {State: idv.TaskDeclined, Code: problem.DocumentExpired.Code}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if n := d.Lab.Asked(idv.CheckSelfieQuality); n != 0 {
		t.Errorf("a selfie was judged %d times, and none was sent", n)
	}
}

func TestAnotherDocumentIsApprovedAfterAnExpiredOne(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Start(t, session.Spec{})
	expired := idvtest.Passport("anna")
	expired.Expired = true
	p.Send(t, idv.StepDocumentFront, expired)
	d.Work(t)
	if _, err := d.Applicant.Choose(t.Context(), p.ID, applicant.Choice{Kind: idv.Passport}); err != nil {
		t.Fatal(err)
	}
	p.Send(t, idv.StepDocumentFront, idvtest.Passport("anna"))
	d.Work(t)
	p.Send(t, idv.StepSelfie, idvtest.Selfie("anna"))
	d.Work(t)
	if s := d.Session(t, p.ID); s.State != idv.Approved {
		t.Errorf("it is %s", s.State)
	}
}

func TestADocumentOfAnotherKindIsAskedAbout(t *testing.T) {
	t.Parallel()
	card := idvtest.Passport("anna")
	card.Kind = idv.IDCard
	for _, c := range []struct {
		name  string
		reply applicant.DocumentReply
		want  heard
		kind  idv.DocumentKind
	}{
		{"going on asks for its back", applicant.GoOn, heard{State: idv.TaskStep, Step: idv.StepDocumentBack, Tries: 3}, idv.IDCard},
		{"another document is chosen anew", applicant.OtherDocument, heard{State: idv.TaskStep, Step: idv.StepChoose, Tries: 3}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := sessiontest.New(t)
			p := d.Start(t, session.Spec{})
			if _, err := d.Applicant.Answer(t.Context(), p.ID, c.reply); !problem.Has(err, problem.CaptureOutOfOrder) {
				t.Fatalf("an answer to nothing: %v", err)
			}
			p.Send(t, idv.StepDocumentFront, card)
			d.Work(t)
			task := p.Task(t)
			asked := heard{State: idv.TaskStep, Step: idv.StepDocumentFront, Code: problem.DocumentKindDiffers.Code, Tries: 2}
			if diff := cmp.Diff(asked, heardOf(task)); diff != "" || task.Found == nil || task.Found.Kind != idv.IDCard {
				t.Fatalf("asked about %+v (-want +got)\n%s", task.Found, diff)
			}
			if _, err := p.Try(t, idv.StepSelfie, idvtest.Selfie("anna")); !problem.Has(err, problem.CaptureOutOfOrder) {
				t.Errorf("a selfie before the answer: %v", err)
			}
			got, err := d.Applicant.Answer(t.Context(), p.ID, c.reply)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, heardOf(got)); diff != "" || got.DocumentKind != c.kind {
				t.Errorf("then it is a %q (-want +got)\n%s", got.DocumentKind, diff)
			}
			d.Work(t)
			if diff := cmp.Diff(c.want, heardOf(p.Task(t))); diff != "" {
				t.Errorf("asked twice? (-want +got)\n%s", diff)
			}
		})
	}
}

func TestANewPictureAnswersTheQuestion(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Start(t, session.Spec{})
	card := idvtest.Passport("anna")
	card.Kind = idv.IDCard
	p.Send(t, idv.StepDocumentFront, card)
	d.Work(t)
	p.Send(t, idv.StepDocumentFront, idvtest.Passport("anna"))
	d.Work(t)
	if diff := cmp.Diff(heard{State: idv.TaskStep, Step: idv.StepSelfie, Tries: 3}, heardOf(p.Task(t))); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestTheFrontIsToldBeforeTheBackIsAsked(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Open(t, d.Create(t, session.Spec{}))
	p.Agree(t, idv.IDCard)
	bad := idvtest.Passport("anna")
	bad.Kind, bad.Page = idv.IDCard, problem.CaptureBlurred.Code
	p.Send(t, idv.StepDocumentFront, bad)
	d.Work(t)
	want := heard{State: idv.TaskStep, Step: idv.StepDocumentFront, Code: problem.CaptureBlurred.Code, Tries: 2}
	if diff := cmp.Diff(want, heardOf(p.Task(t))); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
