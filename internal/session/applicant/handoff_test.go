package applicant_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
	"github.com/bonafide-id/bonafide/internal/session/sessiontest"
)

// handOver makes a hand-off of a session.
func handOver(t *testing.T, d *sessiontest.Deployment, id idv.SessionID) applicant.Handoff {
	t.Helper()
	h, err := d.Handoffs.HandOver(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestAHandoffMovesASessionAndTheFirstBrowserWatches(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Start(t, session.Spec{})
	h := handOver(t, d, p.ID)
	peeked, err := d.Applicant.Peek(t.Context(), h.Link)
	if err != nil || !peeked.Handoff || !peeked.ExpiresAt.Equal(h.ExpiresAt) {
		t.Errorf("peeked %+v, %v", peeked, err)
	}
	o, err := d.Applicant.Open(t.Context(), h.Link)
	if err != nil || o.Session != p.ID || o.Task.Step != idv.StepDocumentFront {
		t.Fatalf("opened %+v, %v", o, err)
	}
	b, err := d.Handoffs.Browser(t.Context(), p.Token)
	if err != nil || !b.Watches || b.Session != p.ID {
		t.Errorf("the first browser: %+v, %v", b, err)
	}
	_, err = d.Handoffs.Applicant(t.Context(), p.Token)
	sessiontest.WantProblem(t, err, problem.SessionBoundElsewhere)
	if id, err := d.Handoffs.Applicant(t.Context(), o.Token); err != nil || id != p.ID {
		t.Errorf("the second browser: %s, %v", id, err)
	}
	s, err := d.Handoffs.Status(t.Context(), p.ID)
	want := applicant.Status{State: idv.TaskStep, Position: 2, Total: 3, Notices: []string{idv.PictureWorkflow(idv.Test).LivenessNotice()}}
	if diff := cmp.Diff(want.Notices, s.Notices); diff != "" || err != nil || s.State != want.State || s.Position == 0 || s.Total < s.Position {
		t.Errorf("status %+v, %v", s, err)
	}
	_, err = d.Applicant.Peek(t.Context(), h.Link)
	sessiontest.WantProblem(t, err, problem.HandoffUsed)
	_, err = d.Applicant.Open(t.Context(), h.Link)
	sessiontest.WantProblem(t, err, problem.HandoffUsed)
}

func TestWhatABrowserBeganBeforeItHandedOnDoesNotCountAfter(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Start(t, session.Spec{})
	ctx := applicant.WithBrowser(t.Context(), p.Token)
	sub := p.Submission(t, idv.StepDocumentFront, idvtest.Passport("anna"))
	h := handOver(t, d, p.ID)
	o, err := d.Applicant.Open(t.Context(), h.Link)
	if err != nil {
		t.Fatal(err)
	}
	_, err = d.Captures.Submit(ctx, p.ID, sub)
	sessiontest.WantProblem(t, err, problem.SessionBoundElsewhere)
	if left := d.Store.Pictures().Names(p.ID); len(left) > 0 {
		t.Errorf("%v are kept", left)
	}
	if _, err := d.Captures.Submit(applicant.WithBrowser(t.Context(), o.Token), p.ID, sub); err != nil {
		t.Errorf("the browser that has it: %v", err)
	}
}

func TestASessionThatWasHandedOnIsHandedBack(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Start(t, session.Spec{})
	sessiontest.WantProblem(t, d.Handoffs.HandBack(t.Context(), p.ID), problem.NotFound) // it came from nowhere
	o, err := d.Applicant.Open(t.Context(), handOver(t, d, p.ID).Link)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Handoffs.HandBack(t.Context(), p.ID); err != nil {
		t.Fatal(err)
	}
	if id, err := d.Handoffs.Applicant(t.Context(), p.Token); err != nil || id != p.ID {
		t.Errorf("the first browser: %s, %v", id, err)
	}
	_, err = d.Handoffs.Browser(t.Context(), o.Token)
	sessiontest.WantProblem(t, err, problem.SessionBoundElsewhere)
	_, err = d.Handoffs.Browser(t.Context(), "a token that nobody has")
	sessiontest.WantProblem(t, err, problem.AuthInvalid)
	done := d.Ended(t, session.Spec{})
	sessiontest.WantProblem(t, d.Handoffs.HandBack(t.Context(), done.ID), problem.SessionFinished)
	_, err = d.Handoffs.HandOver(t.Context(), done.ID)
	sessiontest.WantProblem(t, err, problem.SessionFinished)
}

func TestTheBrowserThatHandedOnTakesTheSessionBack(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Start(t, session.Spec{})
	mine := applicant.WithBrowser(t.Context(), p.Token)
	_, err := d.Handoffs.TakeBack(mine, p.ID)
	sessiontest.WantProblem(t, err, problem.SessionBoundElsewhere) // nothing was handed on
	phone, err := d.Applicant.Open(t.Context(), handOver(t, d, p.ID).Link)
	if err != nil {
		t.Fatal(err)
	}
	tablet, err := d.Applicant.Open(t.Context(), handOver(t, d, p.ID).Link)
	if err != nil {
		t.Fatal(err)
	}
	for name, ctx := range map[string]context.Context{
		"the one that has it":  applicant.WithBrowser(t.Context(), tablet.Token),
		"one that never did":   applicant.WithBrowser(t.Context(), "a token that nobody has"),
		"one without its name": t.Context(),
	} {
		_, err := d.Handoffs.TakeBack(ctx, p.ID)
		if !problem.Has(err, problem.SessionBoundElsewhere) {
			t.Errorf("%s: %v", name, err)
		}
	}
	task, err := d.Handoffs.TakeBack(mine, p.ID)
	if err != nil || task.State != idv.TaskStep {
		t.Fatalf("%+v, %v", task, err)
	}
	if id, err := d.Handoffs.Applicant(t.Context(), p.Token); err != nil || id != p.ID {
		t.Errorf("the first browser: %s, %v", id, err)
	}
	for _, token := range []string{phone.Token, tablet.Token} {
		_, err = d.Handoffs.Browser(t.Context(), token)
		sessiontest.WantProblem(t, err, problem.SessionBoundElsewhere)
	}
	_, err = d.Handoffs.TakeBack(mine, p.ID)
	sessiontest.WantProblem(t, err, problem.SessionBoundElsewhere) // it has it
}

func TestAHandoffThatEndedOpensNothing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		end  func(*testing.T, *sessiontest.Deployment, *sessiontest.Person)
		want problem.Kind
	}{
		{"it was replaced", func(t *testing.T, d *sessiontest.Deployment, p *sessiontest.Person) { handOver(t, d, p.ID) }, problem.HandoffExpired},
		{"it was taken back", func(t *testing.T, d *sessiontest.Deployment, p *sessiontest.Person) {
			if task, err := d.Handoffs.KeepHere(t.Context(), p.ID); err != nil || task.Step != idv.StepDocumentFront {
				t.Errorf("next is %s, %v", task.Step, err)
			}
		}, problem.HandoffExpired},
		{"it is too old", func(_ *testing.T, d *sessiontest.Deployment, _ *sessiontest.Person) { d.Clock.Advance(idv.HandoffLife) }, problem.HandoffExpired},
		{"the session is too old", func(_ *testing.T, d *sessiontest.Deployment, _ *sessiontest.Person) {
			d.Clock.Advance(idv.DefaultSessionLife)
		}, problem.SessionExpired},
		{"everything was sent", func(t *testing.T, _ *sessiontest.Deployment, p *sessiontest.Person) {
			p.SendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("anna"))
		}, problem.SessionFinished},
		{"a new link was opened", func(t *testing.T, d *sessiontest.Deployment, p *sessiontest.Person) {
			c, err := d.Sessions.NewLink(t.Context(), "", p.ID)
			if err != nil {
				t.Fatal(err)
			}
			d.Open(t, c)
		}, problem.HandoffExpired},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := sessiontest.New(t)
			p := d.Start(t, session.Spec{})
			h := handOver(t, d, p.ID)
			c.end(t, d, p)
			token := d.Record(t, p.ID).TokenHash
			_, err := d.Applicant.Peek(t.Context(), h.Link)
			sessiontest.WantProblem(t, err, c.want)
			_, err = d.Applicant.Open(t.Context(), h.Link)
			if c.want.Code == problem.SessionFinished.Code && problem.Has(err, problem.SessionExpired) {
				return
			}
			sessiontest.WantProblem(t, err, c.want)
			if d.Record(t, p.ID).TokenHash != token {
				t.Error("the session went to another browser")
			}
		})
	}
}

func TestHandoffsAreBounded(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Start(t, session.Spec{})
	for range applicant.HandoffsAtOnce {
		handOver(t, d, p.ID)
	}
	_, err := d.Handoffs.HandOver(t.Context(), p.ID)
	sessiontest.WantProblem(t, err, problem.RateLimited)
	d.Clock.Advance(idv.HandoffLife)
	handOver(t, d, p.ID)
	rows, err := d.Store.Handoffs(t.Context(), p.ID)
	if err != nil {
		t.Fatal(err)
	}
	for i, h := range rows {
		if last := i == len(rows)-1; h.EndedAt.IsZero() != last {
			t.Errorf("hand-off %d ended at %v", i, h.EndedAt)
		}
	}
}
