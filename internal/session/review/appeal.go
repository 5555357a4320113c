package review

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// Appeal is a later decision on a session that has a final one.
type Appeal struct {
	Ruling
	Decision idv.DecisionID // the newest one that there was when it was made; instead of the ruling's basis
}

// ChangeDecision adds a decision to an approved or declined session. Its state stays, the newest decision counts. Problems:
// not_found; session.conflict where it has no final decision; case.conflict where another decision came first;
// auth.forbidden where this person may not decide this session; session.erased; request.malformed.
func (s *Rulings) ChangeDecision(ctx context.Context, id idv.SessionID, who Reviewer, a Appeal) (session.View, error) {
	if err := a.check(); err != nil {
		return session.View{}, err
	}
	return s.life.Change(ctx, "", id, func(ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion) error {
		if err := s.checkMayChange(ctx, tx, *rec, w, who, a); err != nil {
			return err
		}
		if err := checkHits(ctx, tx, rec.ID, a.Outcome); err != nil {
			return err
		}
		before := rec.Session
		d, err := s.addDecision(ctx, tx, rec, who, a.Ruling)
		if err != nil {
			return err
		}
		payload := session.OutcomePayload(d)
		payload["by"] = who.ID
		return s.life.Save(ctx, tx, rec, before, session.EventDecisionChanged, payload)
	})
}

func (s *Rulings) checkMayChange(ctx context.Context, tx session.Tx, rec session.Record, w idv.WorkflowVersion, who Reviewer, a Appeal) error {
	switch {
	case !rec.ErasedAt.IsZero():
		return problem.New(problem.SessionErased)
	case rec.State != idv.Approved && rec.State != idv.Declined:
		return session.Conflict(rec)
	case !who.Overrules:
		return problem.New(problem.AuthForbidden)
	case w.NotByCreator && rec.CreatedBy == who.ID:
		return problem.New(problem.AuthForbidden).Saying("You created this session, and its workflow wants somebody else to decide it.")
	}
	decisions, err := tx.Decisions(ctx, rec.ID)
	if err != nil {
		return err
	}
	if len(decisions) == 0 {
		return session.Conflict(rec)
	}
	last := decisions[len(decisions)-1]
	if last.ID != a.Decision {
		return problem.New(problem.CaseConflict).Saying("%s decided %q at %s.", last.By, last.Outcome, clock(last.DecidedAt))
	}
	if last.Outcome == a.Outcome {
		return session.Malformed("/outcome", "another one than it has")
	}
	// An approval that takes two persons is not to be had from one by way of a decline.
	if w.TwoPersons && a.Outcome == idv.DecideApprove && last.By == string(who.ID) {
		return problem.New(problem.AuthForbidden).Saying("Its workflow wants a second person's approval.")
	}
	return nil
}
