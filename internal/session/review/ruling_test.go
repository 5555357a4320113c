package review_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/review"
	"github.com/bonafide-id/bonafide/internal/session/sessiontest"
)

var (
	rita  = review.Reviewer{ID: "usr_rita"}
	rolf  = review.Reviewer{ID: "usr_rolf"}
	senta = review.Reviewer{ID: "usr_senta", Overrules: true}
)

func ruling(c idv.Case, outcome idv.DecisionOutcome, reasons ...string) review.Ruling {
	return review.Ruling{Basis: review.Basis{Version: c.Version, Report: c.Report}, Outcome: outcome, Reasons: reasons}
}

// decide decides a case for somebody.
func decide(t *testing.T, d *sessiontest.Deployment, c idv.Case, who review.Reviewer, r review.Ruling) (review.CaseView, error) {
	t.Helper()
	return d.Rulings.DecideCase(sessiontest.As(t, who.ID), c.ID, who, r)
}

func TestAPersonApprovesOrDeclines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		outcome idv.DecisionOutcome
		reasons []string
		state   idv.SessionState
		told    string // what the applicant is told
	}{
		{"an approval", idv.DecideApprove, nil, idv.Approved, ""},
		{"a decline whose reason is told", idv.DecideDecline, []string{problem.DocumentExpired.Code}, idv.Declined, problem.DocumentExpired.Code},
		{"a decline for deceit, which is not told", idv.DecideDecline, []string{problem.LivenessReplayed.Code}, idv.Declined, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := sessiontest.New(t)
			p, open := d.Referred(t, session.Spec{})
			r := ruling(open, c.outcome, c.reasons...)
			r.Note = " The ears are the same. "
			v, err := decide(t, d, open, rita, r)
			if err != nil || v.Case.State != idv.CaseClosed || v.Session.State != c.state || !v.Session.DecidedAt.Equal(d.Clock.Now()) {
				t.Fatalf("%+v, %v", v, err)
			}
			told := ""
			if v.Session.LastProblem != nil {
				told = v.Session.LastProblem.Code
			}
			if told != c.told {
				t.Errorf("the applicant is told %q", told)
			}
			report, all, err := d.Sessions.Report(t.Context(), "", p.ID)
			if err != nil || len(all) != 2 {
				t.Fatalf("%d decisions, %v", len(all), err)
			}
			if last := all[1]; last.By != string(rita.ID) || last.Note != "The ears are the same." || last.Digest != report.Digest ||
				!slices.Equal(session.ReasonCodes(last.Reasons), append([]string{}, c.reasons...)) {
				t.Errorf("the decision is %+v", last)
			}
			facts := d.Store.Facts(p.ID)
			if len(facts) != 2 || facts[1].Outcome != c.outcome || facts[1].Evidence != nil || !cmp.Equal(facts[1].Scores, facts[0].Scores) {
				t.Errorf("facts %+v", facts)
			}
			if d.Record(t, p.ID).Automatic {
				t.Error("statistics count it as automatic")
			}
		})
	}
}

func TestARulingThatIsNoneIsRefused(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p, c := d.Referred(t, session.Spec{})
	for name, r := range map[string]review.Ruling{
		"/outcome of none": ruling(c, idv.DecideRefer), "/reasons of an approval": ruling(c, idv.DecideApprove, problem.DocumentExpired.Code),
		"/reasons that are missing": ruling(c, idv.DecideDecline), "/reasons that there are not": ruling(c, idv.DecideDecline, "bad.mood"),
		"/reasons of no reviewer": ruling(c, idv.DecideDecline, problem.SessionExpired.Code),
		"/reasons too many":       ruling(c, idv.DecideDecline, slices.Repeat([]string{problem.DocumentExpired.Code}, review.MaxReasons+1)...),
		"/note too long":          {Basis: ruling(c, "").Basis, Outcome: idv.DecideApprove, Note: strings.Repeat("x", review.MaxNote+1)},
	} {
		field, _, _ := strings.Cut(name, " ")
		_, err := decide(t, d, c, rita, r)
		if got, ok := problem.As(err); !ok || got.Kind.Code != problem.RequestMalformed.Code || got.Field != field {
			t.Errorf("%s: %v", name, err)
		}
	}
	if s := d.Session(t, p.ID); s.State != idv.InReview {
		t.Errorf("it is %s", s.State)
	}
	_, err := d.Rulings.DecideCase(t.Context(), "cas_none", rita, ruling(c, idv.DecideApprove))
	sessiontest.WantProblem(t, err, problem.NotFound)
}

func TestWhoeverComesSecondOverwritesNothing(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	_, c := d.Referred(t, session.Spec{})
	if _, err := d.Rulings.Note(sessiontest.As(t, rolf.ID), c.ID, rolf, "I know them."); err != nil {
		t.Fatal(err)
	}
	_, err := decide(t, d, c, rita, ruling(c, idv.DecideApprove))
	if p, ok := problem.As(err); !ok || p.Kind.Code != problem.CaseConflict.Code || !strings.Contains(p.Detail, "usr_rolf wrote a note") {
		t.Errorf("after a note: %v", err)
	}
	c, err = d.Queue.CaseOf(t.Context(), c.Session)
	if err != nil {
		t.Fatal(err)
	}
	var both sync.WaitGroup
	errs := make([]error, 2)
	for i, who := range []review.Reviewer{rita, rolf} {
		both.Go(func() { _, errs[i] = decide(t, d, c, who, ruling(c, idv.DecideApprove)) })
	}
	both.Wait()
	if won, lost := errs[0] == nil, errs[1] == nil; won == lost {
		t.Errorf("two who decide at once: %v", errs)
	}
	all, err := d.Sessions.Decisions(t.Context(), "", c.Session)
	if err != nil || len(all) != 2 {
		t.Errorf("%d decisions, %v", len(all), err)
	}
	_, err = d.Rulings.Note(t.Context(), c.ID, rita, "Too late.")
	if p, ok := problem.As(err); !ok || p.Kind.Code != problem.CaseConflict.Code || !strings.Contains(p.Detail, "approved it") {
		t.Errorf("a note on what is decided: %v", err)
	}
}

func TestWhereTheWorkflowWantsItTwoPersonsApprove(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	two := d.Workflow("two persons", func(w *idv.WorkflowVersion) { w.TwoPersons, w.NotByCreator = true, true })
	made, err := d.Sessions.Create(sessiontest.As(t, rita.ID), session.Spec{Mode: idv.Test, Workflow: two})
	if err != nil {
		t.Fatal(err)
	}
	p := d.Open(t, made)
	p.Agree(t, idv.Passport)
	c := d.Refer(t, p)
	_, err = decide(t, d, c, rita, ruling(c, idv.DecideApprove))
	sessiontest.WantProblem(t, err, problem.AuthForbidden) // she made it
	first, err := decide(t, d, c, rolf, ruling(c, idv.DecideApprove))
	if err != nil || first.Case.State != idv.CaseOpen || first.Case.ApprovedBy != rolf.ID || first.Session.State != idv.InReview {
		t.Fatalf("the first approval: %+v, %v", first, err)
	}
	for _, who := range []review.Reviewer{rolf, {ID: "usr_junior"}} {
		_, err = decide(t, d, c, who, ruling(first.Case, idv.DecideApprove))
		sessiontest.WantProblem(t, err, problem.AuthForbidden)
		if review.Decides(first, who) {
			t.Errorf("%s may decide it", who.ID)
		}
	}
	second, err := decide(t, d, c, senta, ruling(first.Case, idv.DecideApprove))
	if err != nil || second.Session.State != idv.Approved {
		t.Fatalf("the second approval: %+v, %v", second, err)
	}
	said, err := d.Queue.Reviews(t.Context(), p.ID)
	if err != nil || len(said) != 2 || said[0].By != rolf.ID || said[1].By != senta.ID {
		t.Errorf("reviews %+v, %v", said, err)
	}
}

func TestAPersonAsksForExactlyOneStepAgain(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p, c := d.Referred(t, session.Spec{})
	basis := ruling(c, "").Basis
	for name, r := range map[string]review.Redo{
		"a reason that no picture mends": {Basis: basis, Step: idv.StepSelfie, Reason: problem.DocumentExpired.Code},
		"a step that was not taken":      {Basis: basis, Step: idv.StepDocumentBack},
		"a long note":                    {Basis: basis, Step: idv.StepSelfie, Note: strings.Repeat("x", review.MaxNote+1)},
	} {
		if _, err := d.Rulings.RedoStep(t.Context(), c.ID, rita, r); !problem.Has(err, problem.RequestMalformed) {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := d.Rulings.RedoStep(t.Context(), c.ID, rita, review.Redo{Basis: review.Basis{Version: 9}, Step: idv.StepSelfie})
	sessiontest.WantProblem(t, err, problem.CaseConflict)
	v, err := d.Rulings.RedoStep(sessiontest.As(t, rita.ID), c.ID, rita, review.Redo{Basis: basis, Step: idv.StepSelfie, Reason: problem.CaptureBlurred.Code})
	if err != nil || v.Case.State != idv.CaseClosed || v.Session.State != idv.Capturing || len(v.Session.Attempts) > 0 {
		t.Fatalf("%+v, %v", v, err)
	}
	task := p.Task(t)
	if task.Step != idv.StepSelfie || task.Problem.Code != problem.CaptureBlurred.Code || task.AttemptsLeft != idv.DefaultStepAttempts {
		t.Errorf("next is %+v", task)
	}
	p.Send(t, idv.StepSelfie, idvtest.Selfie("unsure"))
	d.Work(t)
	again, err := d.Queue.CaseOf(t.Context(), p.ID)
	if err != nil || again.ID == c.ID || again.State != idv.CaseOpen {
		t.Errorf("referred again: %+v, %v", again, err)
	}
	spent, sc := d.Referred(t, session.Spec{Workflow: d.Workflow("two tries", func(w *idv.WorkflowVersion) { w.SessionAttempts = 2 })})
	_, err = d.Rulings.RedoStep(t.Context(), sc.ID, rita, review.Redo{Basis: ruling(sc, "").Basis, Step: idv.StepSelfie})
	sessiontest.WantProblem(t, err, problem.AttemptsExhausted)
	if s := d.Session(t, spent.ID); s.State != idv.InReview {
		t.Errorf("it is %s", s.State)
	}
}

func TestALaterDecisionOnAFinalSessionCounts(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	two := d.Workflow("strict", func(w *idv.WorkflowVersion) { w.TwoPersons, w.NotByCreator = true, true })
	p := d.Ended(t, session.Spec{Workflow: two})
	newest := func() idv.DecisionID {
		t.Helper()
		all, err := d.Sessions.Decisions(t.Context(), "", p.ID)
		if err != nil {
			t.Fatal(err)
		}
		return all[len(all)-1].ID
	}
	appeal := func(who review.Reviewer, on idv.DecisionID, outcome idv.DecisionOutcome, reasons ...string) (session.View, error) {
		return d.Rulings.ChangeDecision(sessiontest.As(t, who.ID), p.ID, who, review.Appeal{Ruling: review.Ruling{Outcome: outcome, Reasons: reasons}, Decision: on})
	}
	why := problem.DocumentExpired.Code
	_, err := appeal(rita, newest(), idv.DecideDecline, why)
	sessiontest.WantProblem(t, err, problem.AuthForbidden)
	_, err = appeal(senta, "dec_older", idv.DecideDecline, why)
	sessiontest.WantProblem(t, err, problem.CaseConflict)
	_, err = appeal(senta, newest(), idv.DecideApprove)
	sessiontest.WantProblem(t, err, problem.RequestMalformed) // it is that already
	v, err := appeal(senta, newest(), idv.DecideDecline, why)
	if err != nil || v.Session.State != idv.Approved || v.Session.Verdict() != idv.Declined {
		t.Fatalf("%+v, %v", v.Session, err)
	}
	_, err = appeal(senta, newest(), idv.DecideApprove)
	sessiontest.WantProblem(t, err, problem.AuthForbidden) // an approval takes two, also by way of a decline
	events, err := d.Sessions.Timeline(t.Context(), "", p.ID)
	if last := events[len(events)-1]; err != nil || last.Type != session.EventDecisionChanged || last.Payload["by"] != "usr_senta" ||
		last.Payload["outcome"] != "declined" {
		t.Errorf("the outside is told %+v", last)
	}
	open, _ := d.Referred(t, session.Spec{})
	_, err = d.Rulings.ChangeDecision(t.Context(), open.ID, senta, review.Appeal{Ruling: review.Ruling{Outcome: idv.DecideApprove}})
	sessiontest.WantProblem(t, err, problem.SessionConflict)
	if _, err := d.Erasures.Erase(t.Context(), "", p.ID); err != nil {
		t.Fatal(err)
	}
	_, err = appeal(senta, newest(), idv.DecideApprove)
	sessiontest.WantProblem(t, err, problem.SessionErased)
}
