package applicant_test

import (
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
	"github.com/bonafide-id/bonafide/internal/session/sessiontest"
)

// resume continues a person's session in another tab, and must work.
func resume(t *testing.T, d *sessiontest.Deployment, key string) string {
	t.Helper()
	r, err := d.Applicant.Resume(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	return r.Token
}

func TestABrowserContinuesInAnotherTab(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Start(t, session.Spec{})
	p.Send(t, idv.StepDocumentFront, idvtest.Passport("anna"))
	next := resume(t, d, p.Key)
	if id, err := d.Handoffs.Applicant(t.Context(), next); err != nil || id != p.ID {
		t.Fatalf("the next tab: %s, %v", id, err)
	}
	_, err := d.Handoffs.Applicant(t.Context(), p.Token)
	sessiontest.WantProblem(t, err, problem.SessionContinued)
	if again := resume(t, d, p.Key); again == next {
		t.Error("two tabs have one token")
	}
	entries := d.Store.Audited(p.ID)
	if last := entries[len(entries)-1]; last.Actor != "applicant" || last.Action != "session.resumed" {
		t.Errorf("the audit log says %+v", last)
	}
	_, err = d.Captures.Submit(applicant.WithBrowser(t.Context(), p.Token), p.ID, p.Submission(t, idv.StepSelfie, idvtest.Selfie("anna")))
	sessiontest.WantProblem(t, err, problem.SessionBoundElsewhere) // begun before
}

func TestWhatContinuesASession(t *testing.T) {
	t.Parallel()
	send := func(t *testing.T, _ *sessiontest.Deployment, p *sessiontest.Person) {
		t.Helper()
		p.Send(t, idv.StepDocumentFront, idvtest.Passport("anna"))
	}
	for name, c := range map[string]struct {
		before func(*testing.T, *sessiontest.Deployment, *sessiontest.Person)
		peeked applicant.Continues
		link   *problem.Kind // nil: it works
	}{
		"the link in another browser, before a picture": {func(*testing.T, *sessiontest.Deployment, *sessiontest.Person) {}, applicant.ContinuesFreely, nil},
		"the link in another browser, after a picture":  {send, applicant.ContinuesByProof, &problem.SessionBoundElsewhere},
		"the link in another browser, after a picture that was refused": {
			func(t *testing.T, _ *sessiontest.Deployment, p *sessiontest.Person) {
				t.Helper()
				scene := idvtest.Passport("anna")
				scene.Glance = problem.CaptureBlurred.Code
				if _, err := p.Try(t, idv.StepDocumentFront, scene); err == nil {
					t.Fatal("a blurred picture is accepted")
				}
			}, applicant.ContinuesByProof, &problem.SessionBoundElsewhere,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := sessiontest.New(t)
			p := d.Start(t, session.Spec{})
			c.before(t, d, p)
			peeked, err := d.Applicant.Peek(t.Context(), p.Link)
			if err != nil || peeked.Continues != c.peeked {
				t.Errorf("peeked %q, %v, want %q", peeked.Continues, err, c.peeked)
			}
			o, err := d.Applicant.Open(t.Context(), p.Link)
			if c.link != nil {
				sessiontest.WantProblem(t, err, *c.link)
				return
			}
			if err != nil || o.Key == p.Key || o.Task.Step != idv.StepDocumentFront {
				t.Fatalf("opened %+v, %v", o, err)
			}
			_, err = d.Handoffs.Applicant(t.Context(), p.Token)
			sessiontest.WantProblem(t, err, problem.SessionContinued)
		})
	}
}

func TestAKeyContinuesNothingOfAnotherBrowserOnceAPictureWasSent(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	first := d.Start(t, session.Spec{})
	second, err := d.Applicant.Open(t.Context(), first.Link)
	if err != nil {
		t.Fatal(err)
	}
	back := resume(t, d, first.Key) // nothing was sent, so it can come back
	_, err = d.Handoffs.Applicant(t.Context(), second.Token)
	sessiontest.WantProblem(t, err, problem.SessionContinued)
	resume(t, d, second.Key)
	_, err = d.Handoffs.Applicant(t.Context(), back)
	sessiontest.WantProblem(t, err, problem.SessionContinued)
	first.Send(t, idv.StepDocumentFront, idvtest.Passport("anna")) // in the second browser
	_, err = d.Applicant.Resume(t.Context(), first.Key)
	sessiontest.WantProblem(t, err, problem.SessionBoundElsewhere)
	resume(t, d, second.Key)
	for _, key := range []string{"", first.Link, first.Token, strings.Repeat("A", 43)} {
		_, err = d.Applicant.Resume(t.Context(), key)
		sessiontest.WantProblem(t, err, problem.AuthInvalid)
	}
	fresh, err := d.Sessions.NewLink(t.Context(), idv.Test, first.ID)
	if err != nil {
		t.Fatal(err)
	}
	third := d.Open(t, fresh)
	_, err = d.Applicant.Resume(t.Context(), second.Key)
	sessiontest.WantProblem(t, err, problem.SessionBoundElsewhere)
	resume(t, d, third.Key)
}

func TestContinuingGivesNoTryBackAndVoidsTheChallenge(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p, task := atSelfie(t, d)
	resume(t, d, p.Key)
	_, err := d.Captures.SubmitFrames(t.Context(), p.ID, p.Run(t, task.Challenge.Token, idvtest.Selfie("anna")))
	sessiontest.WantProblem(t, err, problem.ChallengeExpired)
	now := p.Task(t)
	if now.Challenge == nil || now.Challenge.Token == task.Challenge.Token || now.AttemptsLeft != task.AttemptsLeft {
		t.Errorf("the task is %+v", now)
	}
	for range applicant.ChallengesPerTry { // the movements stay, and the next ones cost the try
		resume(t, d, p.Key)
		now = p.Task(t)
	}
	if now.AttemptsLeft != task.AttemptsLeft-1 {
		t.Errorf("%d tries are left of %d", now.AttemptsLeft, task.AttemptsLeft)
	}
}

func TestContinuingTooOftenIsRefusedForAWhile(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Start(t, session.Spec{})
	for range applicant.ResumesAtOnce {
		resume(t, d, p.Key)
	}
	_, err := d.Applicant.Resume(t.Context(), p.Key)
	sessiontest.WantProblem(t, err, problem.RateLimited)
	for range applicant.ResumesAtOnce {
		if _, err := d.Applicant.Open(t.Context(), p.Link); err != nil {
			t.Fatal(err)
		}
	}
	_, err = d.Applicant.Open(t.Context(), p.Link)
	sessiontest.WantProblem(t, err, problem.RateLimited)
	d.Clock.Advance(applicant.ResumeWindow + time.Second)
	if _, err := d.Applicant.Open(t.Context(), p.Link); err != nil {
		t.Error(err)
	}
}

func TestATabThatContinuesKeepsWhereTheSessionCameFrom(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	desk := d.Start(t, session.Spec{})
	unopened := handOver(t, d, desk.ID)
	deskTab := resume(t, d, desk.Key)
	_, err := d.Applicant.Open(t.Context(), unopened.Link)
	sessiontest.WantProblem(t, err, problem.HandoffExpired)
	phone, err := d.Applicant.Open(t.Context(), handOver(t, d, desk.ID).Link)
	if err != nil {
		t.Fatal(err)
	}
	watching := resume(t, d, desk.Key)
	if b, err := d.Handoffs.Browser(t.Context(), watching); err != nil || !b.Watches {
		t.Errorf("the desk's next tab: %+v, %v", b, err)
	}
	_, err = d.Handoffs.Browser(t.Context(), deskTab)
	sessiontest.WantProblem(t, err, problem.SessionContinued)
	phoneTab := resume(t, d, phone.Key)
	if err := d.Handoffs.HandBack(applicant.WithBrowser(t.Context(), phoneTab), desk.ID); err != nil {
		t.Fatal(err)
	}
	if id, err := d.Handoffs.Applicant(t.Context(), watching); err != nil || id != desk.ID {
		t.Errorf("handed back to %s, %v", id, err)
	}
}

func TestAKeyEndsWithItsSession(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Ended(t, session.Spec{})
	_, err := d.Applicant.Resume(t.Context(), p.Key)
	sessiontest.WantProblem(t, err, problem.SessionFinished)
	late := d.Start(t, session.Spec{})
	d.Clock.Advance(idv.DefaultSessionLife)
	_, err = d.Applicant.Resume(t.Context(), late.Key)
	sessiontest.WantProblem(t, err, problem.SessionExpired)
}
