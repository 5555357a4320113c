// Package review is what reviewers do: they claim cases from the queue, look at the pictures, decide, ask an applicant for a
// step again, change a decision, and take a case file with them.
package review

import (
	"time"

	"github.com/bonafide-id/bonafide/internal/session"
)

// Queue hands out cases. It is safe for concurrent use, as is everything else here.
type Queue struct {
	life      *session.Lifecycle
	store     QueueStore
	claimLife time.Duration
}

// NewQueue returns a Queue. A claim ends after claimLife, unless its holder does something; zero for DefaultClaimLife.
func NewQueue(life *session.Lifecycle, st QueueStore, claimLife time.Duration) *Queue {
	if claimLife <= 0 {
		claimLife = DefaultClaimLife
	}
	return &Queue{life: life, store: st, claimLife: claimLife}
}

// Rulings writes what reviewers decide.
type Rulings struct {
	life  *session.Lifecycle
	queue *Queue
}

// NewRulings returns the Rulings on the cases of a queue.
func NewRulings(life *session.Lifecycle, q *Queue) *Rulings { return &Rulings{life: life, queue: q} }

// Pictures shows pictures to people, and records that they were shown.
type Pictures struct {
	life     *session.Lifecycle
	store    PictureStore
	pictures session.Pictures
}

// NewPictures returns Pictures.
func NewPictures(life *session.Lifecycle, st PictureStore, pictures session.Pictures) *Pictures {
	return &Pictures{life: life, store: st, pictures: pictures}
}

// CaseFiles makes case files: archives that prove a decision offline.
type CaseFiles struct {
	life  *session.Lifecycle
	store CaseFileStore
}

// NewCaseFiles returns CaseFiles.
func NewCaseFiles(life *session.Lifecycle, st CaseFileStore) *CaseFiles {
	return &CaseFiles{life: life, store: st}
}

// Views keeps the saved views of members.
type Views struct {
	life  *session.Lifecycle
	store ViewStore
}

// NewViews returns Views.
func NewViews(life *session.Lifecycle, st ViewStore) *Views { return &Views{life: life, store: st} }
