package session

import (
	"context"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/job"
)

// Assignment says whether the cases of a mode are given to reviewers without their asking.
type Assignment struct {
	Mode    idv.Mode
	Enabled bool
	Most    int        // cases that one reviewer is given at a time
	Last    idv.UserID // who was given a case last: the next one goes to the reviewer after them
}

// AssignmentReader reads how cases are given out.
type AssignmentReader interface {
	// Assignment returns the setting of a mode; off where nothing was set.
	Assignment(ctx context.Context, mode idv.Mode) (Assignment, error)
	// Absences returns who is away, and since when.
	Absences(ctx context.Context) (map[idv.UserID]time.Time, error)
	// HeldCases counts the cases of a mode that each member holds at a time.
	HeldCases(ctx context.Context, mode idv.Mode, now time.Time) (map[idv.UserID]int, error)
}

// AssignmentWriter writes how cases are given out.
type AssignmentWriter interface {
	// LockAssignment reads the setting of a mode and keeps everybody else from locking it until the transaction ends.
	LockAssignment(ctx context.Context, mode idv.Mode) (Assignment, error)
	SaveAssignment(ctx context.Context, a Assignment) error
	// SetAway notes since when a member is away; the zero time is for one who is back.
	SetAway(ctx context.Context, who idv.UserID, since time.Time) error
}

// AssignSoon has waiting cases given out once the transaction has committed, where the mode's setting says so.
func (l *Lifecycle) AssignSoon(ctx context.Context, tx Tx, mode idv.Mode) error {
	a, err := tx.Assignment(ctx, mode)
	if err != nil || !a.Enabled {
		return err
	}
	return tx.Enqueue(ctx, job.Assign{})
}
