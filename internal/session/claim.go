package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Claim gives a case to a reviewer for a while, or renews the claim that they have. Problems: not_found, case.conflict where
// somebody else has it or it is closed.
func (s *Service) Claim(ctx context.Context, id idv.CaseID, who Reviewer) (CaseView, error) {
	return s.onCase(ctx, id, func(ctx context.Context, tx Tx, c *idv.Case, _ *Record, _ idv.WorkflowVersion) error {
		if err := s.free(ctx, tx, *c, who.ID); err != nil {
			return err
		}
		return s.give(ctx, tx, c, who.ID)
	})
}

// Assign gives a case to somebody, also one that somebody else has. That they may decide cases of its mode was asked before.
// Problems: not_found, case.conflict where it is closed, request.malformed where its workflow wants somebody else.
func (s *Service) Assign(ctx context.Context, id idv.CaseID, to Reviewer) (CaseView, error) {
	return s.onCase(ctx, id, func(ctx context.Context, tx Tx, c *idv.Case, rec *Record, w idv.WorkflowVersion) error {
		if err := s.alive(ctx, tx, *c); err != nil {
			return err
		}
		if barred(*c, rec.Session, w, to) != nil {
			return problem.New(problem.RequestMalformed).At("/to").Saying("A member whom the workflow lets decide this case.")
		}
		return s.give(ctx, tx, c, to.ID)
	})
}

// Decides reports whether a reviewer is one whom the workflow of a case lets decide it.
func Decides(v CaseView, who Reviewer) bool { return barred(v.Case, v.Session, v.Workflow, who) == nil }

// Release lets go of a case. Who overrules lets go of that of another, too. Problems: not_found, case.conflict.
func (s *Service) Release(ctx context.Context, id idv.CaseID, who Reviewer) (CaseView, error) {
	return s.onCase(ctx, id, func(ctx context.Context, tx Tx, c *idv.Case, _ *Record, _ idv.WorkflowVersion) error {
		if err := s.alive(ctx, tx, *c); err != nil {
			return err
		}
		if holder := c.Holder(s.now()); holder != "" && holder != who.ID && !who.Overrules {
			return s.held(*c)
		}
		return s.letGo(ctx, tx, c)
	})
}

// NextCase claims the most urgent case that nobody has and that this reviewer may decide; where there is none, it answers
// one that they have already, other than skip. Problems: not_found where nothing is left.
func (s *Service) NextCase(ctx context.Context, mode idv.Mode, who Reviewer, skip idv.CaseID) (CaseView, error) {
	for _, tab := range []CaseTab{Unclaimed, Mine} {
		f := CaseFilter{Mode: mode, Tab: tab, Who: who.ID}
		for {
			page, next, _, err := s.Cases(ctx, f)
			if err != nil {
				return CaseView{}, err
			}
			got, found, err := s.firstOf(ctx, page, who, skip)
			if found || err != nil {
				return got, err
			}
			if f.After = idv.CaseID(next); next == "" {
				break
			}
		}
	}
	return CaseView{}, problem.New(problem.NotFound).Saying("Nobody waits for a decision that you may take.")
}

// firstOf claims the first of some cases that somebody may decide and that nobody took meanwhile.
func (s *Service) firstOf(ctx context.Context, cases []CaseView, who Reviewer, skip idv.CaseID) (CaseView, bool, error) {
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

// give makes somebody the holder of a case. Renewing what they hold is no event.
func (s *Service) give(ctx context.Context, tx Tx, c *idv.Case, to idv.UserID) error {
	renewed := c.Holder(s.now()) == to
	if err := moveCase(c, idv.CaseTaken); err != nil {
		return err
	}
	c.Assignee, c.ClaimedUntil = to, s.now().Add(s.claimLife)
	if err := tx.SaveCase(ctx, *c); err != nil || renewed {
		return err
	}
	return s.tellCase(ctx, tx, *c, EventCaseClaimed, map[string]any{"assignee": to})
}

// letGo opens a claimed case; an open one stays as it is.
func (s *Service) letGo(ctx context.Context, tx Tx, c *idv.Case) error {
	if c.State == idv.CaseOpen {
		return nil
	}
	if err := moveCase(c, idv.CaseReleased); err != nil {
		return err
	}
	c.Assignee, c.ClaimedUntil = "", time.Time{}
	if err := tx.SaveCase(ctx, *c); err != nil {
		return err
	}
	return s.tellCase(ctx, tx, *c, EventCaseReleased, nil)
}

// free refuses a case that is closed or that somebody else has.
func (s *Service) free(ctx context.Context, tx Tx, c idv.Case, who idv.UserID) error {
	if err := s.alive(ctx, tx, c); err != nil {
		return err
	}
	if holder := c.Holder(s.now()); holder != "" && holder != who {
		return s.held(c)
	}
	return nil
}

func (s *Service) held(c idv.Case) error {
	return problem.New(problem.CaseConflict).Saying("%s has it until %s.", c.Assignee, clock(c.ClaimedUntil))
}

// alive refuses a closed case, and says who did what.
func (s *Service) alive(ctx context.Context, tx Tx, c idv.Case) error {
	if c.State != idv.CaseClosed {
		return nil
	}
	reviews, err := tx.Reviews(ctx, c.Session)
	if err != nil {
		return err
	}
	if r, ok := lastOf(reviews, c.ID); ok && r.Kind != idv.ReviewNoted {
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

// did is what a kind of review did, as a sentence goes on.
var did = map[idv.ReviewKind]string{
	idv.ReviewApproved: "approved it", idv.ReviewDeclined: "declined it",
	idv.ReviewReopened: "asked the applicant again", idv.ReviewNoted: "wrote a note",
}

// conflictWith says who did what before. It holds an id and no name: names are personal.
func conflictWith(r idv.Review) error {
	return problem.New(problem.CaseConflict).Saying("%s %s at %s.", r.By, did[r.Kind], clock(r.At))
}

func clock(t time.Time) string { return t.UTC().Format("15:04:05 UTC") }

// lapse opens the cases whose claims have run out.
func (s *Service) lapse(ctx context.Context) error {
	ids, err := s.store.LapsedCases(ctx, s.now(), sweepPage)
	if err != nil {
		return err
	}
	var errs error
	for _, id := range ids {
		_, err := s.onCase(ctx, id, func(ctx context.Context, tx Tx, c *idv.Case, _ *Record, _ idv.WorkflowVersion) error {
			if c.State != idv.CaseClaimed || c.Holder(s.now()) != "" {
				return nil // renewed a moment ago
			}
			return s.letGo(ctx, tx, c)
		})
		if err != nil {
			errs = errors.Join(errs, fmt.Errorf("release %s: %w", id, err))
		}
	}
	return errs
}
