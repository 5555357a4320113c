package review

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// Limits of how many cases one reviewer is given at a time.
const (
	DefaultMostCases = 5
	MaxMostCases     = 100
)

// Deciders lists the members who may decide cases of a mode.
type Deciders func(ctx context.Context, mode idv.Mode) ([]Reviewer, error)

// AssignmentStore keeps how cases are given out.
type AssignmentStore interface {
	QueueStore
	session.AssignmentReader
}

// Assignments gives waiting cases to reviewers without their asking: round robin among those who are not away and hold fewer than
// the setting's most. A case that was given so is the reviewer's until its target; then it goes to the next.
type Assignments struct {
	life     *session.Lifecycle
	store    AssignmentStore
	queue    *Queue
	deciders Deciders
}

// NewAssignments returns the Assignments of a queue. Without deciders nothing is given to anybody.
func NewAssignments(life *session.Lifecycle, st AssignmentStore, q *Queue, deciders Deciders) *Assignments {
	return &Assignments{life: life, store: st, queue: q, deciders: deciders}
}

// Roster is how the cases of a mode are given out, and how much each holds.
type Roster struct {
	session.Assignment
	Away map[idv.UserID]time.Time
	Held map[idv.UserID]int
}

// Roster reads it.
func (s *Assignments) Roster(ctx context.Context, mode idv.Mode) (Roster, error) {
	a, err := s.store.Assignment(ctx, mode)
	if err != nil {
		return Roster{}, err
	}
	away, err := s.store.Absences(ctx)
	if err != nil {
		return Roster{}, err
	}
	held, err := s.store.HeldCases(ctx, mode, s.life.Now())
	return Roster{Assignment: a, Away: away, Held: held}, err
}

// Set turns it on or off for a mode. Problems: request.malformed.
func (s *Assignments) Set(ctx context.Context, mode idv.Mode, enabled bool, most int) error {
	if most < 1 || most > MaxMostCases {
		return session.Malformed("/most", "from 1 to %d cases", MaxMostCases)
	}
	return s.store.InTx(ctx, func(ctx context.Context, tx session.Tx) error {
		a, err := tx.LockAssignment(ctx, mode)
		if err != nil {
			return err
		}
		before := a
		a.Enabled, a.Most = enabled, most
		if err := tx.SaveAssignment(ctx, a); err != nil {
			return err
		}
		if err := s.life.AssignSoon(ctx, tx, mode); err != nil {
			return err
		}
		return tx.Audit(ctx, audit.Record{Action: "assignment.changed", Subject: string(mode), Before: before, After: a})
	})
}

// SetAway notes that a reviewer is away, or back. The cases of one who goes away are open for others at once.
func (s *Assignments) SetAway(ctx context.Context, who Reviewer, away bool) error {
	since, action := time.Time{}, "reviewer.back"
	if away {
		since, action = s.life.Now(), "reviewer.away"
	}
	err := s.store.InTx(ctx, func(ctx context.Context, tx session.Tx) error {
		if err := tx.SetAway(ctx, who.ID, since); err != nil {
			return err
		}
		for _, mode := range []idv.Mode{idv.Live, idv.Test} {
			if err := s.life.AssignSoon(ctx, tx, mode); err != nil {
				return err
			}
		}
		return tx.Audit(ctx, audit.Record{Action: action, Subject: string(who.ID)})
	})
	if err != nil || !away {
		return err
	}
	return s.releaseAll(ctx, who)
}

// releaseAll opens the cases that somebody holds.
func (s *Assignments) releaseAll(ctx context.Context, who Reviewer) error {
	var errs error
	for _, mode := range []idv.Mode{idv.Live, idv.Test} {
		cases, err := s.store.Cases(ctx, session.CaseFilter{Mode: mode, Tab: session.Mine, Who: who.ID, Now: s.life.Now(), Limit: session.BatchSize})
		if err != nil {
			return err
		}
		for _, c := range cases {
			if _, err := s.queue.Release(ctx, c.ID, who); err != nil && !problem.Has(err, problem.CaseConflict) {
				errs = errors.Join(errs, err)
			}
		}
	}
	return errs
}

// Distribute gives out the waiting cases of each mode whose setting says so, the most urgent first.
func (s *Assignments) Distribute(ctx context.Context) error {
	if s.deciders == nil {
		return nil
	}
	var errs error
	for _, mode := range []idv.Mode{idv.Live, idv.Test} {
		a, err := s.store.Assignment(ctx, mode)
		if err == nil && a.Enabled {
			err = s.distribute(ctx, mode)
		}
		errs = errors.Join(errs, err)
	}
	return errs
}

func (s *Assignments) distribute(ctx context.Context, mode idv.Mode) error {
	deciders, err := s.deciders(ctx, mode)
	if err != nil {
		return err
	}
	slices.SortFunc(deciders, func(a, b Reviewer) int { return compareIDs(a.ID, b.ID) })
	cases, err := s.store.Cases(ctx, session.CaseFilter{Mode: mode, Tab: session.Unclaimed, Now: s.life.Now(), Limit: session.BatchSize})
	if err != nil {
		return err
	}
	for _, c := range cases {
		full, err := s.give(ctx, c.ID, deciders)
		if err != nil && !problem.Has(err, problem.CaseConflict) && !problem.Has(err, problem.SessionErased) {
			return fmt.Errorf("give %s to a reviewer: %w", c.ID, err)
		}
		if full {
			break
		}
	}
	return nil
}

// give gives a case to the next reviewer who has room for it and whom its workflow lets decide. It reports whether nobody has room for
// any. The lock on the setting makes two servers take turns, so that both go round the same ring.
func (s *Assignments) give(ctx context.Context, id idv.CaseID, deciders []Reviewer) (full bool, err error) {
	_, err = s.queue.changeCase(ctx, id, func(ctx context.Context, tx session.Tx, c *idv.Case, rec *session.Record, w idv.WorkflowVersion) error {
		now := s.life.Now()
		a, err := tx.LockAssignment(ctx, c.Mode)
		if err != nil || !a.Enabled || c.StateAt(now) != idv.CaseOpen {
			return err // meanwhile turned off, claimed or closed
		}
		room, err := s.withRoom(ctx, tx, a, deciders)
		if err != nil {
			return err
		}
		full = len(room) == 0
		next := slices.IndexFunc(room, func(r Reviewer) bool { return barred(*c, rec.Session, w, r) == nil })
		if next < 0 {
			return nil
		}
		a.Last = room[next].ID
		if err := tx.SaveAssignment(ctx, a); err != nil {
			return err
		}
		until := now.Add(s.queue.claimLife)
		if c.DueAt.After(until) {
			until = c.DueAt
		}
		return s.queue.assignUntil(ctx, tx, c, a.Last, until)
	})
	return full, err
}

// withRoom lists the reviewers who are not away and hold less than they may, beginning after the one who was given a case last.
func (s *Assignments) withRoom(ctx context.Context, tx session.Tx, a session.Assignment, deciders []Reviewer) ([]Reviewer, error) {
	away, err := tx.Absences(ctx)
	if err != nil {
		return nil, err
	}
	held, err := tx.HeldCases(ctx, a.Mode, s.life.Now())
	if err != nil {
		return nil, err
	}
	after := slices.IndexFunc(deciders, func(r Reviewer) bool { return compareIDs(r.ID, a.Last) > 0 })
	ring := deciders
	if after > 0 {
		ring = slices.Concat(deciders[after:], deciders[:after])
	}
	return slices.DeleteFunc(slices.Clone(ring), func(r Reviewer) bool {
		_, gone := away[r.ID]
		return gone || held[r.ID] >= a.Most
	}), nil
}
