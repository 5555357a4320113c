package applicant_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
	"github.com/bonafide-id/bonafide/internal/session/review"
	"github.com/bonafide-id/bonafide/internal/session/sessiontest"
)

// again is a workflow that lets people begin once more with another document.
func again(d *sessiontest.Deployment, change ...func(*idv.WorkflowVersion)) string {
	return d.Workflow("again", func(w *idv.WorkflowVersion) {
		w.AnotherDocument = true
		for _, c := range change {
			c(w)
		}
	})
}

// expiredPassport is one that declines by itself.
func expiredPassport() idvtest.Scene {
	s := idvtest.Passport("anna")
	s.Expired = true
	return s
}

// declinedFor is somebody who was declined for a passport.
func declinedFor(t *testing.T, d *sessiontest.Deployment, n session.Spec, passport idvtest.Scene) *sessiontest.Person {
	t.Helper()
	p := d.Start(t, n)
	p.SendBoth(t, passport, idvtest.Selfie("anna"))
	d.Work(t)
	if s := d.Session(t, p.ID); s.State != idv.Declined {
		t.Fatalf("the session is %s, not declined", s.State)
	}
	return p
}

func TestWhoIsDeclinedForADocumentBeginsOnceMoreWithAnother(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := declinedFor(t, d, session.Spec{
		Workflow: again(d), ExternalReference: "order-7", Metadata: map[string]string{"shop": "north"},
		Claimed: map[idv.ClaimName]string{idv.FamilyName: "ERIKSSON"}, Locale: "de", ReturnURL: "https://shop.example/done",
	}, expiredPassport())
	first := d.Session(t, p.ID)
	if task := p.Task(t); !task.Another || !task.Deadline.Equal(first.DecidedAt.Add(idv.DefaultSessionLife)) {
		t.Fatalf("the task offers %t until %s", task.Another, task.Deadline)
	}
	got, err := d.Applicant.AnotherDocument(t.Context(), p.ID)
	if err != nil || got.Token == p.Token || got.Session == p.ID {
		t.Fatalf("%+v, %v", got, err)
	}
	next := d.Session(t, got.Session)
	want := idv.Session{
		ID: got.Session, Mode: first.Mode, Workflow: first.Workflow, ExternalReference: "order-7", Metadata: first.Metadata, Claimed: first.Claimed,
		State: idv.Capturing, Redo: []idv.Step{}, Attempts: map[idv.Step]int{idv.StepSelfie: 1}, Locale: "de", ReturnURL: first.ReturnURL,
		CreatedAt: d.Clock.Now(), LinkExpiresAt: first.LinkExpiresAt, ExpiresAt: d.Clock.Now().Add(idv.DefaultSessionLife), OpenedAt: d.Clock.Now(),
		Follows: p.ID, Spent: idv.Spent{Tries: 2}, Version: next.Version,
	}
	if diff := cmp.Diff(want, next); diff != "" {
		t.Errorf("the session that follows (-want +got):\n%s", diff)
	}
	if s := d.Session(t, p.ID); s.State != idv.Declined || s.FollowedBy != got.Session {
		t.Errorf("the one that it follows is %s and followed by %q", s.State, s.FollowedBy)
	}
	if task := p.Task(t); task.State != idv.TaskDeclined || task.Another {
		t.Errorf("the task of the declined one: %+v", task)
	}
	wantAnotherOnRecord(t, d, p.ID, got.Session)

	q := *p
	q.ID = got.Session
	if task := q.Task(t); task.Step != idv.StepConsent || task.Problem != nil {
		t.Fatalf("it begins with %+v", task)
	}
	q.Agree(t, idv.Passport)
	q.SendBoth(t, expiredPassport(), idvtest.Selfie("anna"))
	d.Work(t)
	if task := q.Task(t); task.State != idv.TaskDeclined || task.Another {
		t.Errorf("declined for the second time: %+v", task)
	}
	_, err = d.Applicant.AnotherDocument(t.Context(), q.ID)
	sessiontest.WantProblem(t, err, problem.SessionFinished)
}

// wantAnotherOnRecord wants events and audit entries of both sessions that name the other one.
func wantAnotherOnRecord(t *testing.T, d *sessiontest.Deployment, first, next idv.SessionID) {
	t.Helper()
	events, err := d.Store.Events(t.Context(), first, "")
	if err != nil {
		t.Fatal(err)
	}
	last := events[len(events)-1]
	if last.Type != session.EventAnotherDocument || last.Payload["followed_by"] != string(next) {
		t.Errorf("the last event of the declined one is %+v", last)
	}
	if events, err = d.Store.Events(t.Context(), next, ""); err != nil {
		t.Fatal(err)
	}
	if events[0].Type != session.EventCreated || events[0].Payload["follows"] != string(first) || events[1].Type != session.EventOpened {
		t.Errorf("the first events of the one that follows: %+v", events)
	}
	for id, action := range map[idv.SessionID]session.EventType{first: session.EventAnotherDocument, next: session.EventCreated} {
		n := 0
		for _, a := range d.Store.Audited(id) {
			if a.Action == string(action) {
				n++
			}
		}
		if n != 1 {
			t.Errorf("the audit log has %d entries %s of %s", n, action, id)
		}
	}
}

func TestTheLinkAndTheKeyLeadToTheSessionThatFollows(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := declinedFor(t, d, session.Spec{Workflow: again(d)}, expiredPassport())
	back, err := d.Applicant.Resume(t.Context(), p.Key) // the tab was closed after the decline
	if err != nil || back.Session != p.ID || !p.Task(t).Another {
		t.Fatalf("resumed %+v, %v", back, err)
	}
	got, err := d.Applicant.AnotherDocument(t.Context(), p.ID)
	if err != nil {
		t.Fatal(err)
	}
	if r, err := d.Applicant.Resume(t.Context(), p.Key); err != nil || r.Session != got.Session {
		t.Errorf("the key continues %+v, %v", r, err)
	}
	peeked, err := d.Applicant.Peek(t.Context(), p.Link)
	if err != nil || peeked.Session.ID != got.Session || peeked.Continues != applicant.ContinuesByProof {
		t.Errorf("the link leads to %s, %q, %v", peeked.Session.ID, peeked.Continues, err)
	}
	_, err = d.Applicant.Open(t.Context(), p.Link) // pictures were sent in the first one
	sessiontest.WantProblem(t, err, problem.SessionBoundElsewhere)
}

func TestTheExtraTryOfAFaceIsNotGivenASecondTime(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Start(t, session.Spec{Workflow: again(d)})
	p.SendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("bert"))
	d.Work(t)
	p.Send(t, idv.StepSelfie, idvtest.Selfie("unsure"))
	d.Work(t)
	decline(t, d, p, problem.DocumentExpired.Code)
	got, err := d.Applicant.AnotherDocument(t.Context(), p.ID)
	if err != nil {
		t.Fatal(err)
	}
	p.ID = got.Session
	p.Agree(t, idv.Passport)
	if task := p.Send(t, idv.StepDocumentFront, idvtest.Passport("anna")); task.AttemptsLeft != 1 {
		t.Errorf("%d tries are left at the face, and two of three were used", task.AttemptsLeft)
	}
	p.Send(t, idv.StepSelfie, idvtest.Selfie("bert"))
	d.Work(t)
	if s := d.Session(t, p.ID); s.State != idv.Declined {
		t.Errorf("after the second mismatch it is %s", s.State)
	}
}

func TestAnotherDocumentIsNotOffered(t *testing.T) {
	t.Parallel()
	suspicious := expiredPassport()
	suspicious.MRZ = problem.DocumentScreenCopy.Code
	for _, c := range []struct {
		name string
		is   func(*testing.T, *sessiontest.Deployment) *sessiontest.Person
		want problem.Kind
	}{
		{"where the workflow does not allow it", func(t *testing.T, d *sessiontest.Deployment) *sessiontest.Person {
			t.Helper()
			return declinedFor(t, d, session.Spec{}, expiredPassport())
		}, problem.SessionFinished},
		{"while pictures are sent", func(t *testing.T, d *sessiontest.Deployment) *sessiontest.Person {
			t.Helper()
			return d.Start(t, session.Spec{Workflow: again(d)})
		}, problem.CaptureOutOfOrder},
		{"while a person looks at it", func(t *testing.T, d *sessiontest.Deployment) *sessiontest.Person {
			t.Helper()
			p, _ := d.Referred(t, session.Spec{Workflow: again(d)})
			return p
		}, problem.CaptureOutOfOrder},
		{"after an approval", func(t *testing.T, d *sessiontest.Deployment) *sessiontest.Person {
			t.Helper()
			return d.Ended(t, session.Spec{Workflow: again(d)})
		}, problem.SessionFinished},
		{"after somebody else's face", func(t *testing.T, d *sessiontest.Deployment) *sessiontest.Person {
			t.Helper()
			p := d.Start(t, session.Spec{Workflow: again(d)})
			p.SendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("bert"))
			d.Work(t)
			p.Send(t, idv.StepSelfie, idvtest.Selfie("bert"))
			d.Work(t)
			return p
		}, problem.SessionFinished},
		{"where a check found a sign of deceit beside the reason", func(t *testing.T, d *sessiontest.Deployment) *sessiontest.Person {
			t.Helper()
			return declinedFor(t, d, session.Spec{Workflow: again(d)}, suspicious)
		}, problem.SessionFinished},
		{"after a person declined for deceit", func(t *testing.T, d *sessiontest.Deployment) *sessiontest.Person {
			t.Helper()
			return ruled(t, d, problem.DocumentExpired.Code, problem.LivenessReplayed.Code)
		}, problem.SessionFinished},
		{"where the integrator named the document", func(t *testing.T, d *sessiontest.Deployment) *sessiontest.Person {
			t.Helper()
			claimed := map[idv.ClaimName]string{idv.DocumentNumber: "L898902C3"}
			return declinedFor(t, d, session.Spec{Workflow: again(d), Claimed: claimed}, expiredPassport())
		}, problem.SessionFinished},
		{"where no try at the face is left", func(t *testing.T, d *sessiontest.Deployment) *sessiontest.Person {
			t.Helper()
			once := again(d, func(w *idv.WorkflowVersion) { w.StepAttempts = 1 })
			return declinedFor(t, d, session.Spec{Workflow: once}, expiredPassport())
		}, problem.SessionFinished},
		{"where the tries of a session would not do", func(t *testing.T, d *sessiontest.Deployment) *sessiontest.Person {
			t.Helper()
			few := again(d, func(w *idv.WorkflowVersion) { w.SessionAttempts = 4 })
			return declinedFor(t, d, session.Spec{Workflow: few}, expiredPassport())
		}, problem.SessionFinished},
		{"a session's life after the decision", func(t *testing.T, d *sessiontest.Deployment) *sessiontest.Person {
			t.Helper()
			p := declinedFor(t, d, session.Spec{Workflow: again(d)}, expiredPassport())
			d.Clock.Advance(idv.DefaultSessionLife)
			return p
		}, problem.SessionFinished},
		{"after the link ran out", func(t *testing.T, d *sessiontest.Deployment) *sessiontest.Person {
			t.Helper()
			p := d.Start(t, session.Spec{Workflow: again(d)})
			d.Clock.Advance(idv.DefaultSessionLife + time.Minute)
			return p
		}, problem.SessionExpired},
		{"after everything was erased", func(t *testing.T, d *sessiontest.Deployment) *sessiontest.Person {
			t.Helper()
			p := declinedFor(t, d, session.Spec{Workflow: again(d)}, expiredPassport())
			if _, err := d.Erasures.Erase(t.Context(), idv.Test, p.ID); err != nil {
				t.Fatal(err)
			}
			return p
		}, problem.SessionErased},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := sessiontest.New(t)
			p := c.is(t, d)
			if p.Task(t).Another {
				t.Error("the task offers it")
			}
			_, err := d.Applicant.AnotherDocument(t.Context(), p.ID)
			sessiontest.WantProblem(t, err, c.want)
			if s := d.Session(t, p.ID); s.FollowedBy != "" {
				t.Error("a session follows it")
			}
		})
	}
}

// ruled is somebody whom a reviewer declined for reasons.
func ruled(t *testing.T, d *sessiontest.Deployment, reasons ...string) *sessiontest.Person {
	t.Helper()
	p, _ := d.Referred(t, session.Spec{Workflow: again(d)})
	decline(t, d, p, reasons...)
	return p
}

// decline is what a reviewer does to a referred session.
func decline(t *testing.T, d *sessiontest.Deployment, p *sessiontest.Person, reasons ...string) {
	t.Helper()
	c, err := d.Queue.CaseOf(t.Context(), p.ID)
	if err != nil {
		t.Fatal(err)
	}
	who := review.Reviewer{ID: "usr_1"}
	_, err = d.Rulings.DecideCase(sessiontest.As(t, who.ID), c.ID, who, review.Ruling{
		Basis: review.Basis{Version: c.Version, Report: c.Report}, Outcome: idv.DecideDecline, Reasons: reasons,
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestAnotherDocumentIsOfferedAfterAPersonDeclinedForTheDocumentAlone(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := ruled(t, d, problem.DocumentExpired.Code)
	if !p.Task(t).Another {
		t.Error("the task does not offer it")
	}
}

func TestTwoAtOnceBeginOneSessionWithAnotherDocument(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := declinedFor(t, d, session.Spec{Workflow: again(d)}, expiredPassport())
	var wg sync.WaitGroup
	errs := make([]error, 4)
	for i := range errs {
		wg.Go(func() { _, errs[i] = d.Applicant.AnotherDocument(t.Context(), p.ID) })
	}
	wg.Wait()
	refused := slices.DeleteFunc(errs, func(err error) bool { return err == nil })
	if len(refused) != 3 || !problem.Has(refused[0], problem.SessionFinished) {
		t.Errorf("of four calls these are refused: %v", refused)
	}
}

func TestTheSessionThatFollowsAPersonaIsApproved(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	c := d.Create(t, session.Spec{Workflow: again(d), Claimed: map[idv.ClaimName]string{idv.DocumentNumber: "persona:" + problem.DocumentExpired.Code}})
	p := d.Open(t, c)
	if _, err := d.Sandbox.SimulateHere(t.Context(), p.ID); err != nil {
		t.Fatal(err)
	}
	d.Work(t)
	if !p.Task(t).Another {
		t.Fatalf("the task of the persona: %+v", p.Task(t))
	}
	got, err := d.Applicant.AnotherDocument(t.Context(), p.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Sandbox.SimulateHere(t.Context(), got.Session); err != nil {
		t.Fatal(err)
	}
	d.Work(t)
	if s := d.Session(t, got.Session); s.State != idv.Approved {
		t.Errorf("with another document it is %s", s.State)
	}
}
