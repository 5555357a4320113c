package store

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
	"github.com/bonafide-id/bonafide/internal/session/review"
	"github.com/bonafide-id/bonafide/internal/store/queue"
)

func lifeApproved(t *testing.T, d *deployment) {
	ctx := t.Context()
	c := d.create(t, session.Spec{
		ExternalReference: "order-17", Metadata: map[string]string{"shop": "berlin"},
		Claimed: map[idv.ClaimName]string{idv.FamilyName: "Eriksson"}, ReturnURL: "http://localhost:3000/back", Locale: "de",
	})
	if c.Session.State != idv.Created || len(c.Link) != 43 {
		t.Fatalf("created %s with link %q", c.Session.State, c.Link)
	}
	peeked, err := d.Applicant.Peek(ctx, c.Link)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(c.Session, peeked.Session); diff != "" {
		t.Fatalf("what was created is not what is kept (-want +got):\n%s", diff)
	}
	d.work(t, queue.WorkOptions{})
	a := d.onlyOpen(t, c)
	if id, err := d.Handoffs.Applicant(ctx, a.token); err != nil || id != a.id {
		t.Fatalf("Applicant = %s, %v", id, err)
	}
	wantStep(t, d, a.id, idv.StepConsent)
	a.agree(t, idv.Passport)
	wantStep(t, d, a.id, idv.StepDocumentFront)
	if task := a.send(t, idv.StepDocumentFront, idvtest.Passport("anna")); task.Step != idv.StepSelfie {
		t.Fatalf("after the passport comes %s", task.Step)
	}
	if task := a.send(t, idv.StepSelfie, idvtest.Selfie("anna")); task.State != idv.TaskWait {
		t.Fatalf("after the selfie the task is %s", task.State)
	}
	s := d.await(t, a.id, idv.Approved)
	if s.Outcome != idv.DecideApprove || s.DecidedAt.IsZero() || s.SubmittedAt.IsZero() || s.LastProblem != nil {
		t.Fatalf("approved: %+v", s)
	}
	report, decisions, err := d.Sessions.Report(ctx, idv.Test, a.id)
	if err != nil {
		t.Fatal(err)
	}
	if got := decisions[0].Assurance; got.Level != idv.AssuranceLow || len(got.Missing) == 0 {
		t.Errorf("assurance as it is kept: %+v", got)
	}
	if !report.Intact() || report.Session != a.id || len(report.Checks) != 15 {
		t.Fatalf("report of %d checks, intact %v", len(report.Checks), report.Intact())
	}
	if len(decisions) != 1 || decisions[0].Digest != report.Digest || decisions[0].By != "policy" {
		t.Fatalf("decisions %+v", decisions)
	}
	wantEvents(t, d, a.id, session.EventCreated, session.EventOpened, session.EventSubmitted, session.EventApproved)
	if _, _, err := d.Sessions.Report(ctx, idv.Live, a.id); !problem.Has(err, problem.NotFound) {
		t.Fatalf("a test session in live mode: %v", err)
	}
}

func lifeDeclined(t *testing.T, d *deployment) {
	a := d.open(t)
	p := idvtest.Passport("anna")
	p.Expired = true
	a.sendBoth(t, p, idvtest.Selfie("anna")) // faster than the reading
	d.work(t, queue.WorkOptions{})
	s := d.await(t, a.id, idv.Declined)
	want := &idv.StepProblem{Code: problem.DocumentExpired.Code}
	if diff := cmp.Diff(want, s.LastProblem); diff != "" {
		t.Fatal(diff)
	}
	task, err := d.Applicant.Task(t.Context(), a.id)
	if err != nil || task.State != idv.TaskDeclined || task.Problem == nil {
		t.Fatalf("task %+v, %v", task, err)
	}
	if _, err := a.try(t, idv.StepSelfie, idvtest.Selfie("anna")); !problem.Has(err, problem.SessionFinished) {
		t.Fatalf("sending to a finished session: %v", err)
	}
}

func lifeReferred(t *testing.T, d *deployment) {
	d.work(t, queue.WorkOptions{})
	a := d.open(t)
	a.sendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("unsure"))
	s := d.await(t, a.id, idv.InReview)
	if s.Outcome != idv.DecideRefer || !s.DecidedAt.IsZero() {
		t.Fatalf("referred: %+v", s)
	}
	if _, decisions, err := d.Sessions.Report(t.Context(), idv.Test, a.id); err != nil || len(decisions) != 1 {
		t.Fatalf("decisions %v, %v", decisions, err)
	}
}

func lifeRetry(t *testing.T, d *deployment) {
	d.work(t, queue.WorkOptions{})
	a := d.open(t)
	bad := idvtest.Passport("anna")
	bad.Page = problem.CaptureGlare.Code
	a.send(t, idv.StepDocumentFront, bad)
	d.awaitThat(t, a.id, func() bool {
		task, err := d.Applicant.Task(t.Context(), a.id)
		return err == nil && task.Step == idv.StepDocumentFront
	})
	task, err := d.Applicant.Task(t.Context(), a.id)
	if err != nil {
		t.Fatal(err)
	}
	if task.Problem == nil || task.Problem.Code != problem.CaptureGlare.Code || task.AttemptsLeft != 2 {
		t.Fatalf("the page is asked for again as %+v", task)
	}
	if v, err := d.Sessions.Get(t.Context(), "", a.id); err != nil || v.Session.State != idv.Capturing {
		t.Fatalf("state %s, %v", v.Session.State, err)
	}
	a.sendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("anna"))
	d.await(t, a.id, idv.Approved)
	captures, artifacts, err := d.Sessions.Captures(t.Context(), idv.Test, a.id)
	if err != nil || len(captures) != 2 || len(artifacts) != 6 {
		t.Fatalf("%d captures and %d artifacts count, %v", len(captures), len(artifacts), err)
	}
}

func lifeMismatch(t *testing.T, d *deployment) {
	d.work(t, queue.WorkOptions{Workers: 1}) // two jobs at once may both ask a question; the answer counts once
	a := d.open(t)
	a.sendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("berta"))
	s := d.await(t, a.id, idv.Capturing)
	if s.LastProblem == nil || s.LastProblem.Code != problem.FaceMismatch.Code {
		t.Fatalf("last problem %+v", s.LastProblem)
	}
	if s.ExpiresAt.Before(s.OpenedAt.Add(idv.DefaultSessionLife)) {
		t.Fatalf("reopening did not restart the clock: %v", s.ExpiresAt)
	}
	wantStep(t, d, a.id, idv.StepSelfie)
	if task := a.send(t, idv.StepSelfie, idvtest.Selfie("berta")); task.State != idv.TaskWait {
		t.Fatalf("after the extra try the task is %+v", task)
	}
	d.await(t, a.id, idv.Declined)
	wantEvents(t, d, a.id, session.EventSubmitted, session.EventReopened, session.EventSubmitted, session.EventDeclined)
	if n := d.lab.Asked(idv.CheckMRZVerified); n != 1 {
		t.Errorf("the passport's check was asked %d times, although only the selfie was taken again", n)
	}
}

func lifeNoTriesLeft(t *testing.T, d *deployment) {
	d.work(t, queue.WorkOptions{})
	a := d.open(t)
	bad := idvtest.Passport("anna")
	bad.Glance = problem.CaptureBlurred.Code
	for i := range 2 {
		if _, err := a.try(t, idv.StepDocumentFront, bad); !problem.Has(err, problem.CaptureBlurred) {
			t.Fatalf("blurred picture %d: %v", i, err)
		}
		task, err := d.Applicant.Task(t.Context(), a.id)
		if err != nil || task.AttemptsLeft != 2-i || task.Problem == nil || task.Problem.Code != problem.CaptureBlurred.Code {
			t.Fatalf("task %+v, %v", task, err)
		}
	}
	bad.Page = problem.CaptureBlurred.Code
	a.sendBoth(t, bad, idvtest.Selfie("anna")) // the last try is taken for a person to judge
	s := d.await(t, a.id, idv.InReview)
	if s.Outcome != idv.DecideRefer {
		t.Fatalf("outcome %s", s.Outcome)
	}
}

func lifeConsentDeclined(t *testing.T, d *deployment) {
	a := d.open(t)
	a.send(t, idv.StepDocumentFront, idvtest.Passport("anna")) // consent was given, and is taken back
	task, err := d.Applicant.Consent(t.Context(), a.id, session.Consent{TextVersion: "1", Locale: "en", Address: "203.0.113.9"})
	if err != nil {
		t.Fatal(err)
	}
	if task.State != idv.TaskCancelled || task.Problem == nil || task.Problem.Code != problem.ConsentDeclined.Code {
		t.Fatalf("task %+v", task)
	}
	if _, err := d.Applicant.Choose(t.Context(), a.id, applicant.Choice{Kind: idv.Passport}); !problem.Has(err, problem.SessionFinished) {
		t.Fatalf("choosing afterwards: %v", err)
	}
	captures, err := d.store.Captures(t.Context(), a.id)
	if err != nil || len(captures) != 1 {
		t.Fatalf("%d captures, %v", len(captures), err)
	}
	if _, err := d.Pictures.Evidence(t.Context(), "", a.id, captures[0].ID, review.WholeCapture); !problem.Has(err, problem.SessionErased) {
		t.Fatalf("a picture of somebody who declined: %v", err)
	}
}

func lifeLinks(t *testing.T, d *deployment) {
	ctx := t.Context()
	c := d.create(t, session.Spec{})
	if _, err := d.Applicant.Open(ctx, "nonsense"); !problem.Has(err, problem.NotFound) {
		t.Fatalf("an unknown link: %v", err)
	}
	a := d.onlyOpen(t, c)
	a.agree(t, idv.Passport)
	if _, err := a.try(t, idv.StepDocumentFront, idvtest.Passport("anna")); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Applicant.Open(ctx, c.Link); !problem.Has(err, problem.SessionBoundElsewhere) {
		t.Fatalf("a second opening: %v", err)
	}
	fresh, err := d.Sessions.NewLink(ctx, idv.Test, a.id)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Applicant.Peek(ctx, c.Link); !problem.Has(err, problem.NotFound) {
		t.Fatalf("the old link: %v", err)
	}
	b := d.onlyOpen(t, fresh)
	if _, err := d.Handoffs.Applicant(ctx, a.token); !problem.Has(err, problem.SessionContinued) {
		t.Fatalf("the old browser: %v", err)
	}
	if id, err := d.Handoffs.Applicant(ctx, b.token); err != nil || id != a.id {
		t.Fatalf("the new browser: %s, %v", id, err)
	}
	if err := d.Applicant.Withdraw(ctx, a.id); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Sessions.NewLink(ctx, idv.Test, a.id); !problem.Has(err, problem.SessionConflict) {
		t.Fatalf("a link to a finished session: %v", err)
	}
}

func lifeExpiry(t *testing.T, d *deployment) {
	ctx := t.Context()
	unopened, lazy := d.create(t, session.Spec{}), d.create(t, session.Spec{})
	a := d.open(t)
	d.clock.advance(idv.DefaultSessionLife)
	if _, err := a.try(t, idv.StepDocumentFront, idvtest.Passport("anna")); !problem.Has(err, problem.SessionExpired) {
		t.Fatalf("sending too late: %v", err)
	}
	d.await(t, a.id, idv.Expired)
	d.clock.advance(idv.DefaultLinkLife - idv.DefaultSessionLife - time.Minute)
	if err := d.Expire(ctx); err != nil {
		t.Fatal(err)
	}
	d.await(t, unopened.Session.ID, idv.Created)
	d.clock.advance(time.Minute)
	if v, err := d.Applicant.Peek(ctx, lazy.Link); err != nil || v.Session.State != idv.Expired {
		t.Fatalf("peeking too late: %s, %v", v.Session.State, err)
	}
	if _, err := d.Applicant.Open(ctx, lazy.Link); !problem.Has(err, problem.SessionExpired) {
		t.Fatalf("opening too late: %v", err)
	}
	if err := d.Expire(ctx); err != nil {
		t.Fatal(err)
	}
	d.await(t, unopened.Session.ID, idv.Expired)
	wantEvents(t, d, unopened.Session.ID, session.EventCreated, session.EventExpired)
}

// wantStep compares the step that is due.
func wantStep(t *testing.T, d *deployment, id idv.SessionID, want idv.Step) {
	t.Helper()
	task, err := d.Applicant.Task(t.Context(), id)
	if err != nil || task.Step != want {
		t.Fatalf("due is %q (%s), %v; want %q", task.Step, task.State, err, want)
	}
}

// wantEvents checks that the events happened in that order, others in between.
func wantEvents(t *testing.T, d *deployment, id idv.SessionID, want ...session.EventType) {
	t.Helper()
	events, err := d.Sessions.Timeline(t.Context(), "", id)
	if err != nil {
		t.Fatal(err)
	}
	var got []session.EventType
	rest := want
	for _, e := range events {
		got = append(got, e.Type)
		if len(rest) > 0 && e.Type == rest[0] {
			rest = rest[1:]
		}
	}
	if len(rest) > 0 {
		t.Fatalf("events %v lack %v", got, rest)
	}
}
