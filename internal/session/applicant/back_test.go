package applicant_test

import (
	"slices"
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

func TestADocumentThatIsPutAsideStaysAsEvidenceAndDoesNotCount(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Start(t, session.Spec{})
	if back := p.Task(t).Back; back != idv.BackToChoice {
		t.Errorf("before a picture was sent it leads back to %q", back)
	}
	expired := idvtest.Passport("anna")
	expired.Expired = true
	if task := p.Send(t, idv.StepDocumentFront, expired); task.Step != idv.StepSelfie || task.Back != idv.BackToDocument {
		t.Fatalf("after the passport: %+v", task)
	}
	task, err := d.Applicant.OtherDocument(t.Context(), p.ID)
	if err != nil || task.Step != idv.StepChoose || task.DocumentKind != "" || task.Problem != nil || task.Back != idv.BackToConsent {
		t.Fatalf("back at %+v, %v", task, err)
	}
	d.Work(t) // what the first picture says comes too late
	if task = p.Task(t); task.Step != idv.StepChoose || task.Problem != nil {
		t.Errorf("the reading of what was put aside says %+v", task)
	}
	rows, err := d.Store.Captures(t.Context(), p.ID)
	if err != nil || len(rows) != 1 || !rows[0].Superseded {
		t.Fatalf("captures %+v, %v", rows, err)
	}
	if _, err := d.Store.Pictures().Get(t.Context(), p.ID, rows[0].Blob); err != nil {
		t.Errorf("the picture is gone: %v", err)
	}
	if _, err := d.Applicant.Choose(t.Context(), p.ID, applicant.Choice{Kind: idv.Passport}); err != nil {
		t.Fatal(err)
	}
	if task = p.Task(t); task.AttemptsLeft != 2 {
		t.Errorf("%d tries are left, and one of three was used", task.AttemptsLeft)
	}
	p.SendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("anna"))
	d.Work(t)
	if s := d.Session(t, p.ID); s.State != idv.Approved {
		t.Errorf("by the document that counts it is %s", s.State)
	}
	n := 0
	for _, a := range d.Store.Audited(p.ID) {
		if a.Action == string(session.EventPutAside) {
			n++
		}
	}
	if n != 1 {
		t.Errorf("the audit log has %d entries of it", n)
	}
}

func TestTwoAtOncePutADocumentAsideOnce(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Start(t, session.Spec{})
	p.Send(t, idv.StepDocumentFront, idvtest.Passport("anna"))
	var wg sync.WaitGroup
	errs := make([]error, 4)
	for i := range errs {
		wg.Go(func() { _, errs[i] = d.Applicant.OtherDocument(t.Context(), p.ID) })
	}
	wg.Wait()
	refused := slices.DeleteFunc(errs, func(err error) bool { return err == nil })
	if len(refused) != 3 || !problem.Has(refused[0], problem.CaptureOutOfOrder) {
		t.Errorf("of four calls these are refused: %v", refused)
	}
}

func TestASelfieOutlivesTheDocumentThatIsPutAside(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	first := d.Workflow("selfie_first", func(w *idv.WorkflowVersion) {
		w.Steps = []idv.Step{idv.StepConsent, idv.StepSelfie, idv.StepChoose, idv.StepDocumentFront, idv.StepDocumentBack}
	})
	p := d.Open(t, d.Create(t, session.Spec{Workflow: first}))
	if _, err := p.Consent(t, true, session.ToBiometrics); err != nil {
		t.Fatal(err)
	}
	p.Send(t, idv.StepSelfie, idvtest.Selfie("anna"))
	if _, err := d.Applicant.Choose(t.Context(), p.ID, applicant.Choice{Kind: idv.IDCard}); err != nil {
		t.Fatal(err)
	}
	card := idvtest.Passport("bert")
	card.Kind = idv.IDCard
	if task := p.Send(t, idv.StepDocumentFront, card); task.Step != idv.StepDocumentBack || task.Back != idv.BackToDocument {
		t.Fatalf("after the front: %+v", task)
	}
	if task, err := d.Applicant.OtherDocument(t.Context(), p.ID); err != nil || task.Step != idv.StepChoose {
		t.Fatalf("back at %+v, %v", task, err)
	}
	if _, err := d.Applicant.Choose(t.Context(), p.ID, applicant.Choice{Kind: idv.Passport}); err != nil {
		t.Fatal(err)
	}
	if task := p.Send(t, idv.StepDocumentFront, idvtest.Passport("anna")); task.State != idv.TaskWait {
		t.Errorf("after the passport: %+v", task)
	}
	d.Work(t)
	if s := d.Session(t, p.ID); s.State != idv.Approved {
		t.Errorf("it is %s", s.State)
	}
}

func TestGoingBackIsRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		make func(t *testing.T, d *sessiontest.Deployment) *sessiontest.Person
		want problem.Kind
	}{
		{"before a picture was sent", func(t *testing.T, d *sessiontest.Deployment) *sessiontest.Person {
			return d.Start(t, session.Spec{})
		}, problem.CaptureOutOfOrder},
		{"after everything was sent", func(t *testing.T, d *sessiontest.Deployment) *sessiontest.Person {
			p := d.Start(t, session.Spec{})
			p.SendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("anna"))
			return p
		}, problem.CaptureOutOfOrder},
		{"when the check asks for a picture anew", func(t *testing.T, d *sessiontest.Deployment) *sessiontest.Person {
			p := d.Start(t, session.Spec{})
			p.SendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("bert"))
			d.Work(t)
			if task := p.Task(t); task.Step != idv.StepSelfie || task.Back != idv.BackNowhere {
				t.Fatalf("reopened: %+v", task)
			}
			return p
		}, problem.CaptureOutOfOrder},
		{"after the decision", func(t *testing.T, d *sessiontest.Deployment) *sessiontest.Person {
			return d.Ended(t, session.Spec{})
		}, problem.SessionFinished},
		{"when the time is over", func(t *testing.T, d *sessiontest.Deployment) *sessiontest.Person {
			p := d.Start(t, session.Spec{})
			p.Send(t, idv.StepDocumentFront, idvtest.Passport("anna"))
			d.Clock.Advance(idv.DefaultSessionLife)
			return p
		}, problem.SessionExpired},
		{"when the tries of a side are used up", func(t *testing.T, d *sessiontest.Deployment) *sessiontest.Person {
			p := d.Start(t, session.Spec{})
			for range idv.DefaultStepAttempts {
				p.Send(t, idv.StepDocumentFront, idvtest.Passport("anna"))
				if task := p.Task(t); task.AttemptsLeft > 0 && task.Back == idv.BackToDocument {
					_, _ = d.Applicant.OtherDocument(t.Context(), p.ID)
					_, _ = d.Applicant.Choose(t.Context(), p.ID, applicant.Choice{Kind: idv.Passport})
				}
			}
			if p.Task(t).Back != idv.BackNowhere {
				t.Error("it is offered")
			}
			return p
		}, problem.AttemptsExhausted},
		{"when the tries of the session would not do", func(t *testing.T, d *sessiontest.Deployment) *sessiontest.Person {
			p := d.Start(t, session.Spec{Workflow: d.Workflow("few", func(w *idv.WorkflowVersion) { w.SessionAttempts = 3 })})
			p.Send(t, idv.StepDocumentFront, idvtest.Passport("anna"))
			return p
		}, problem.AttemptsExhausted},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := sessiontest.New(t)
			p := c.make(t, d)
			before := d.Session(t, p.ID)
			_, err := d.Applicant.OtherDocument(t.Context(), p.ID)
			sessiontest.WantProblem(t, err, c.want)
			if c.want.Code == problem.SessionExpired.Code {
				return // the call itself ends it
			}
			if diff := cmp.Diff(before, d.Session(t, p.ID)); diff != "" {
				t.Errorf("the refusal changed the session (-before +after)\n%s", diff)
			}
		})
	}
}
