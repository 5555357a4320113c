package store

import (
	"fmt"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/review"
	"github.com/bonafide-id/bonafide/internal/store/queue"
	"github.com/bonafide-id/bonafide/internal/store/sessions"
	"github.com/bonafide-id/bonafide/internal/vault"
)

func caseRedo(t *testing.T, d *deployment) {
	ctx := t.Context()
	d.work(t, queue.WorkOptions{})
	a, c := d.referred(t)
	basis := review.Basis{Version: c.Version, Report: c.Report}
	for name, r := range map[string]review.Redo{
		"a step that was not taken":        {Basis: basis, Step: idv.StepDocumentBack},
		"no capture":                       {Basis: basis, Step: idv.StepConsent},
		"a reason that is none of quality": {Basis: basis, Step: idv.StepSelfie, Reason: problem.DocumentPortraitAltered.Code},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := d.Rulings.RedoStep(as(t, rita), c.ID, rita, r)
			wantProblem(t, err, problem.RequestMalformed)
		})
	}
	d.clock.advance(time.Hour)
	asked := review.Redo{Basis: basis, Step: idv.StepSelfie, Reason: problem.CaptureDark.Code, Note: "Too dark to tell."}
	v, err := d.Rulings.RedoStep(as(t, rita), c.ID, rita, asked)
	if err != nil || v.Case.State != idv.CaseClosed || v.Session.State != idv.Capturing ||
		!v.Session.ExpiresAt.Equal(v.Session.ReopenedAt.Add(idv.DefaultSessionLife)) {
		t.Fatalf("asked again: %+v %+v, %v", v.Case, v.Session, err)
	}
	task := a.task(t)
	if task.Step != idv.StepSelfie || task.AttemptsLeft != idv.DefaultStepAttempts || task.Problem == nil || task.Problem.Code != problem.CaptureDark.Code {
		t.Fatalf("the applicant is asked %+v", task)
	}
	wantEvents(t, d, a.id, session.EventReferred, session.EventCaseOpened, session.EventReopened, session.EventCaseClosed)
	link, err := d.Sessions.NewLink(ctx, idv.Test, a.id)
	if err != nil {
		t.Fatal(err)
	}
	if o, err := d.Applicant.Open(ctx, link.Link); err != nil || o.Task.Step != idv.StepSelfie {
		t.Fatalf("by the new link: %+v, %v", o.Task, err)
	}
	if task := a.send(t, idv.StepSelfie, idvtest.Selfie("unsure")); task.State != idv.TaskWait {
		t.Fatalf("after that step the task is %+v", task)
	}
	d.await(t, a.id, idv.InReview)
	again, err := d.Queue.CaseOf(ctx, a.id)
	if err != nil || again.ID == c.ID || again.State != idv.CaseOpen || again.Report == c.Report {
		t.Fatalf("referred again: %+v, %v", again, err)
	}
	reviews, err := d.Queue.Reviews(ctx, a.id)
	if err != nil || len(reviews) != 1 || reviews[0].Step != idv.StepSelfie || reviews[0].Note != asked.Note || reviews[0].Kind != idv.ReviewReopened {
		t.Fatalf("reviews %+v, %v", reviews, err)
	}
}

func caseTwoPersons(t *testing.T, d *deployment) {
	d.work(t, queue.WorkOptions{})
	four := d.workflow(t, "four-eyes", func(w *idv.WorkflowVersion) { w.TwoPersons, w.NotByCreator = true, true })
	a, c := d.refer(t, openAs(t, d, senta, four))
	_, err := d.Rulings.DecideCase(as(t, senta), c.ID, senta, ruling(c, idv.DecideApprove))
	wantProblem(t, err, problem.AuthForbidden) // she made it
	v, err := d.Rulings.DecideCase(as(t, rita), c.ID, rita, ruling(c, idv.DecideApprove))
	if err != nil || v.Session.State != idv.InReview || v.Case.State != idv.CaseOpen || v.Case.ApprovedBy != rita.ID {
		t.Fatalf("after the first approval: %+v, %v", v.Case, err)
	}
	if task := a.task(t); task.State != idv.TaskReview {
		t.Errorf("after the first approval the applicant sees %s", task.State)
	}
	_, err = d.Rulings.DecideCase(as(t, rita), c.ID, rita, ruling(v.Case, idv.DecideApprove))
	wantProblem(t, err, problem.AuthForbidden) // one person is not two
	_, err = d.Rulings.DecideCase(as(t, rolf), c.ID, rolf, ruling(v.Case, idv.DecideApprove))
	wantProblem(t, err, problem.AuthForbidden) // he may not be the second
	for _, to := range []review.Reviewer{senta, rita, rolf} {
		_, err = d.Queue.Assign(as(t, senta), c.ID, to)
		wantProblem(t, err, problem.RequestMalformed) // nobody is given what they may not decide
		if review.Decides(v, to) {
			t.Errorf("%s is offered the case", to.ID)
		}
	}
	other := review.Reviewer{ID: "usr_sven", Overrules: true}
	_, err = d.Rulings.DecideCase(as(t, other), c.ID, other, ruling(c, idv.DecideApprove))
	wantProblem(t, err, problem.CaseConflict) // he has not seen that there was a first
	if _, err := d.Queue.NextCase(as(t, rita), idv.Test, rita, ""); !problem.Has(err, problem.NotFound) {
		t.Errorf("she is given the case that she approved: %v", err)
	}
	if next, err := d.Queue.NextCase(as(t, other), idv.Test, other, ""); err != nil || next.Case.ID != c.ID {
		t.Errorf("the second person's next case: %+v, %v", next.Case, err)
	}
	if v, err = d.Rulings.DecideCase(as(t, other), c.ID, other, ruling(v.Case, idv.DecideApprove)); err != nil || v.Session.State != idv.Approved {
		t.Fatalf("after the second approval: %+v, %v", v.Session, err)
	}
	wantOutcome(t, d, a.id, idv.DecideApprove, 2)
	b, c := d.refer(t, openAs(t, d, rita, four))
	if v, err := d.Rulings.DecideCase(as(t, rolf), c.ID, rolf, ruling(c, idv.DecideDecline, problem.FaceMismatch.Code)); err != nil ||
		v.Session.State != idv.Declined {
		t.Fatalf("one person declines: %+v, %v", v.Session, err)
	}
	wantOutcome(t, d, b.id, idv.DecideDecline, 2)
}

func caseAppeal(t *testing.T, d *deployment) {
	ctx := t.Context()
	d.work(t, queue.WorkOptions{})
	a, c := d.referred(t)
	last := func() idv.DecisionID {
		ds, err := d.store.Decisions(ctx, a.id)
		if err != nil || len(ds) == 0 {
			t.Fatal(err)
		}
		return ds[len(ds)-1].ID
	}
	appeal := func(outcome idv.DecisionOutcome, on idv.DecisionID, reasons ...string) review.Appeal {
		return review.Appeal{Ruling: review.Ruling{Outcome: outcome, Reasons: reasons, Note: "They came by with their passport."}, Decision: on}
	}
	_, err := d.Rulings.ChangeDecision(as(t, senta), a.id, senta, appeal(idv.DecideApprove, last()))
	wantProblem(t, err, problem.SessionConflict) // it waits for a decision
	if _, err := d.Rulings.DecideCase(as(t, rita), c.ID, rita, ruling(c, idv.DecideDecline, problem.FaceMismatch.Code)); err != nil {
		t.Fatal(err)
	}
	before := last()
	_, err = d.Rulings.ChangeDecision(as(t, rolf), a.id, rolf, appeal(idv.DecideApprove, before))
	wantProblem(t, err, problem.AuthForbidden)
	_, err = d.Rulings.ChangeDecision(as(t, senta), a.id, senta, appeal(idv.DecideDecline, before, problem.FaceMismatch.Code))
	wantProblem(t, err, problem.RequestMalformed)
	v, err := d.Rulings.ChangeDecision(as(t, senta), a.id, senta, appeal(idv.DecideApprove, before))
	if err != nil || v.Session.State != idv.Declined || v.Session.Outcome != idv.DecideApprove || v.Session.LastProblem != nil {
		t.Fatalf("changed: %+v, %v", v.Session, err)
	}
	if task := a.task(t); task.State != idv.TaskApproved || task.Problem != nil {
		t.Errorf("the newest decision counts, and the applicant sees %+v", task)
	}
	wantEvents(t, d, a.id, session.EventDeclined, session.EventDecisionChanged)
	_, err = d.Rulings.ChangeDecision(as(t, senta), a.id, senta, appeal(idv.DecideApprove, before))
	wantProblem(t, err, problem.CaseConflict)
	wantOutcome(t, d, a.id, idv.DecideApprove, 3)
}

func caseWithdrawn(t *testing.T, d *deployment) {
	d.work(t, queue.WorkOptions{})
	a, c := d.referred(t)
	if _, err := d.Sessions.Cancel(t.Context(), idv.Test, a.id); err != nil {
		t.Fatal(err)
	}
	v, err := d.Queue.Case(t.Context(), c.ID)
	if err != nil || v.Case.State != idv.CaseClosed || v.Case.ClosedAt.IsZero() {
		t.Fatalf("the case of a cancelled session: %+v, %v", v.Case, err)
	}
	_, err = d.Queue.Claim(as(t, rita), c.ID, rita)
	wantProblem(t, err, problem.CaseConflict)
	wantEvents(t, d, a.id, session.EventCancelled, session.EventCaseClosed)
}

func caseNotes(t *testing.T, d *deployment) {
	ctx := t.Context()
	d.work(t, queue.WorkOptions{})
	a, c := d.referred(t)
	const words = "Anna Eriksson called about it"
	if _, err := d.Rulings.Note(as(t, rita), c.ID, rita, words); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"", "  ", "a\x00b"} {
		_, err := d.Rulings.Note(as(t, rita), c.ID, rita, bad)
		wantProblem(t, err, problem.RequestMalformed)
	}
	var row sessions.ReviewRow
	if err := d.store.Read.NewSelect().Model(&row).Where("session_id = ?", string(a.id)).Scan(ctx); err != nil || contains(string(row.Note), "Eriksson") {
		t.Fatalf("a note lies in the clear: %q, %v", row.Note, err)
	}
	events, err := d.Sessions.Timeline(ctx, "", a.id)
	if err != nil || contains(fmt.Sprint(events), "Eriksson") {
		t.Fatalf("a note is in an event: %v, %v", events, err)
	}
	if err := d.store.DestroyKeyset(ctx, a.id, vault.Facts); err != nil {
		t.Fatal(err)
	}
	reviews, err := d.Queue.Reviews(ctx, a.id)
	if err != nil || len(reviews) != 1 || reviews[0].Note != "" || reviews[0].By != rita.ID {
		t.Fatalf("of an erased session is left %+v, %v", reviews, err)
	}
}
