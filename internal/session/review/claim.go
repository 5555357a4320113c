package review

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// Claim gives a case to a reviewer for a while, or renews the claim that they have. Problems: not_found, case.conflict where
// another reviewer holds it or it is closed.
func (s *Queue) Claim(ctx context.Context, id idv.CaseID, who Reviewer) (CaseView, error) {
	return s.changeCase(ctx, id, func(ctx context.Context, tx session.Tx, c *idv.Case, _ *session.Record, _ idv.WorkflowVersion) error {
		if err := s.checkHolder(ctx, tx, *c, who.ID); err != nil {
			return err
		}
		return s.assign(ctx, tx, c, who.ID)
	})
}

// Assign gives a case to a reviewer, even where another one holds it. The caller must have checked that the reviewer may decide
// cases of its mode. Problems: not_found, case.conflict where it is closed, request.malformed where its workflow bars them.
func (s *Queue) Assign(ctx context.Context, id idv.CaseID, to Reviewer) (CaseView, error) {
	return s.changeCase(ctx, id, func(ctx context.Context, tx session.Tx, c *idv.Case, rec *session.Record, w idv.WorkflowVersion) error {
		if err := s.checkOpen(ctx, tx, *c); err != nil {
			return err
		}
		if barred(*c, rec.Session, w, to) != nil {
			return problem.New(problem.RequestMalformed).At("/to").Saying("A member whom the workflow lets decide this case.")
		}
		return s.assign(ctx, tx, c, to.ID)
	})
}

// Decides reports whether a reviewer is one whom the workflow of a case lets decide it.
func Decides(v CaseView, who Reviewer) bool { return barred(v.Case, v.Session, v.Workflow, who) == nil }

// Release opens a case for others. A reviewer who overrules can release the case of another. Problems: not_found, case.conflict.
func (s *Queue) Release(ctx context.Context, id idv.CaseID, who Reviewer) (CaseView, error) {
	return s.changeCase(ctx, id, func(ctx context.Context, tx session.Tx, c *idv.Case, _ *session.Record, _ idv.WorkflowVersion) error {
		if err := s.checkOpen(ctx, tx, *c); err != nil {
			return err
		}
		if holder := c.Holder(s.life.Now()); holder != "" && holder != who.ID && !who.Overrules {
			return s.conflict(*c)
		}
		return s.release(ctx, tx, c)
	})
}

// NextCase claims the most urgent open case that this reviewer may decide; where there is none, it returns one that they hold
// already, other than skip. Problems: not_found where nothing is left.
func (s *Queue) NextCase(ctx context.Context, mode idv.Mode, who Reviewer, skip idv.CaseID) (CaseView, error) {
	for _, tab := range []session.CaseTab{session.Unclaimed, session.Mine} {
		f := session.CaseFilter{Mode: mode, Tab: tab, Who: who.ID}
		for {
			page, next, _, err := s.Cases(ctx, f)
			if err != nil {
				return CaseView{}, err
			}
			got, found, err := s.claimFirst(ctx, page, who, skip)
			if found || err != nil {
				return got, err
			}
			if f.After = next; next == "" {
				break
			}
		}
	}
	return CaseView{}, problem.New(problem.NotFound).Saying("Nobody waits for a decision that you may take.")
}

// claimFirst claims the first of some cases that a reviewer may decide and that was not claimed meanwhile.
func (s *Queue) claimFirst(ctx context.Context, cases []CaseView, who Reviewer, skip idv.CaseID) (CaseView, bool, error) {
	for _, v := range cases {
		if v.Case.ID == skip || barred(v.Case, v.Session, v.Workflow, who) != nil {
			continue
		}
		got, err := s.Claim(ctx, v.Case.ID, who)
		if problem.Has(err, problem.CaseConflict) {
			continue // somebody was faster
		}
		return got, err == nil, err
	}
	return CaseView{}, false, nil
}

// assign makes a reviewer the holder of a case for the life of a claim. A renewed claim is no event, and ends no sooner than it did.
func (s *Queue) assign(ctx context.Context, tx session.Tx, c *idv.Case, to idv.UserID) error {
	return s.assignUntil(ctx, tx, c, to, s.life.Now().Add(s.claimLife))
}

func (s *Queue) assignUntil(ctx context.Context, tx session.Tx, c *idv.Case, to idv.UserID, until time.Time) error {
	renewed := c.Holder(s.life.Now()) == to
	if err := session.MoveCase(c, idv.CaseTaken); err != nil {
		return err
	}
	if renewed && c.ClaimedUntil.After(until) {
		until = c.ClaimedUntil
	}
	c.Assignee, c.ClaimedUntil = to, until
	if err := tx.SaveCase(ctx, *c); err != nil || renewed {
		return err
	}
	return s.life.NotifyCase(ctx, tx, *c, session.EventCaseClaimed, map[string]any{"assignee": to})
}

// release opens a claimed case; an open one stays as it is.
func (s *Queue) release(ctx context.Context, tx session.Tx, c *idv.Case) error {
	if c.State == idv.CaseOpen {
		return nil
	}
	if err := session.MoveCase(c, idv.CaseReleased); err != nil {
		return err
	}
	c.Assignee, c.ClaimedUntil = "", time.Time{}
	if err := tx.SaveCase(ctx, *c); err != nil {
		return err
	}
	return s.life.NotifyCase(ctx, tx, *c, session.EventCaseReleased, nil)
}

// checkHolder refuses a case that is closed or that another reviewer holds.
func (s *Queue) checkHolder(ctx context.Context, tx session.Tx, c idv.Case, who idv.UserID) error {
	if err := s.checkOpen(ctx, tx, c); err != nil {
		return err
	}
	if holder := c.Holder(s.life.Now()); holder != "" && holder != who {
		return s.conflict(c)
	}
	return nil
}

func (s *Queue) conflict(c idv.Case) error {
	return problem.New(problem.CaseConflict).Saying("%s has it until %s.", c.Assignee, clock(c.ClaimedUntil))
}

// checkOpen refuses a closed case, and says who did what.
func (s *Queue) checkOpen(ctx context.Context, tx session.Tx, c idv.Case) error {
	if c.State != idv.CaseClosed {
		return nil
	}
	reviews, err := tx.Reviews(ctx, c.Session)
	if err != nil {
		return err
	}
	if r, ok := lastOf(reviews, c.ID); ok && r.Kind != idv.ReviewNoted && r.Kind != idv.ReviewCorrected {
		return conflictWith(r)
	}
	return problem.New(problem.CaseConflict).Saying("It was closed at %s.", clock(c.ClosedAt))
}

// lastOf is the newest review of a case.
func lastOf(reviews []idv.Review, id idv.CaseID) (idv.Review, bool) {
	for i := len(reviews) - 1; i >= 0; i-- {
		if reviews[i].Case == id {
			return reviews[i], true
		}
	}
	return idv.Review{}, false
}

// reviewVerbs is what a kind of review did, as a sentence goes on.
var reviewVerbs = map[idv.ReviewKind]string{
	idv.ReviewApproved: "approved it", idv.ReviewDeclined: "declined it",
	idv.ReviewReopened: "asked the applicant again", idv.ReviewNoted: "wrote a note",
	idv.ReviewCorrected: "corrected a fact",
}

// conflictWith says who did what before. It holds an id and no name: names are personal.
func conflictWith(r idv.Review) error {
	return problem.New(problem.CaseConflict).Saying("%s %s at %s.", r.By, reviewVerbs[r.Kind], clock(r.At))
}

func clock(t time.Time) string { return t.UTC().Format("15:04:05 UTC") }

// ReleaseExpired opens the cases whose claims have run out.
func (s *Queue) ReleaseExpired(ctx context.Context) error {
	ids, err := s.store.LapsedCases(ctx, s.life.Now(), session.BatchSize)
	if err != nil {
		return err
	}
	var errs error
	for _, id := range ids {
		_, err := s.changeCase(ctx, id, func(ctx context.Context, tx session.Tx, c *idv.Case, _ *session.Record, _ idv.WorkflowVersion) error {
			if c.State != idv.CaseClaimed || c.Holder(s.life.Now()) != "" {
				return nil // renewed a moment ago
			}
			return s.release(ctx, tx, c)
		})
		if err != nil {
			errs = errors.Join(errs, fmt.Errorf("release %s: %w", id, err))
		}
	}
	return errs
}
