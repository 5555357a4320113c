// Package groupcommit lets transactions of SQLite share a commit.
//
// SQLite has one writer, and most of what a small transaction costs is the commit: the disk has to confirm that it is kept.
// Transactions that wait for the writing connection therefore run one after the other, each inside a savepoint of its own,
// and are committed at once:
//
//	Run(a) ──┐            BEGIN
//	Run(b) ──┼─ waiting ─▶ SAVEPOINT member   a runs   RELEASE member       a's rows, audit entry, events and jobs
//	Run(c) ──┘            SAVEPOINT member   b fails  ROLLBACK TO member   nothing of b
//	                      SAVEPOINT member   c runs   RELEASE member       c's rows, audit entry, events and jobs
//	                      COMMIT ─────────────────────────────────────▶    a and c return nil, b returns its own error
//
// What commits with what:
//   - everything that one function writes is kept or undone together, whatever becomes of the others;
//   - functions of one group see what those before them in the group wrote, and never what those after them write;
//   - Run returns only after the commit: what it reports as done is on the disk;
//   - where the commit itself fails, or a connection breaks, every member that had succeeded returns ErrUndone.
//
// A function that waits for nobody has a transaction of its own, without a savepoint.
package groupcommit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/uptrace/bun"
)

// Bounds of a group, so that its first members need not wait long for its last.
const (
	maxMembers = 32
	maxTime    = 10 * time.Millisecond // from the begin; no member is admitted later
	// memberTimeout cancels the statements of a member that hangs, and with them the whole group. It is far longer than any
	// transaction takes.
	memberTimeout = 30 * time.Second
)

// ErrUndone is returned by Run where the function succeeded, but the commit that it shared with others failed.
var ErrUndone = errors.New("the transaction was undone with others that it shared a commit with")

// Queue runs transactions over a database whose writing pool has one connection. It is safe for concurrent use.
type Queue struct {
	db      *bun.DB
	mu      sync.Mutex
	waiting []*member
	leading bool // a goroutine runs lead
}

// New returns a Queue over the writing pool of a database.
func New(db *bun.DB) *Queue { return &Queue{db: db} }

// Waiting returns how many transactions have not begun yet.
func (q *Queue) Waiting() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.waiting)
}

// member is one transaction of a group. It runs in the goroutine that called Run.
type member struct {
	gone   func() error // reports why the caller gave up; nil while it waits
	turn   chan bun.Tx  // receives the transaction; closed where none could be had
	ended  chan error   // receives what the function returned, before the commit
	answer chan error   // receives what Run returns
}

// errAbandoned is the result of a function that did not return: it panicked, or a test ended its goroutine.
var errAbandoned = errors.New("abandoned")

// Run runs f in a transaction and returns after it was committed or undone. An error from f undoes what f did, and is
// returned. If ctx ends before f begins, Run returns its error; once f runs, ctx no longer cancels its statements, because
// SQLite would undo the whole group.
func (q *Queue) Run(ctx context.Context, f func(context.Context, bun.Tx) error) error {
	m := &member{gone: ctx.Err, turn: make(chan bun.Tx), ended: make(chan error, 1), answer: make(chan error, 1)}
	q.join(m)
	var tx bun.Tx
	ok := false
	select {
	case tx, ok = <-m.turn:
	case <-ctx.Done():
		if q.leave(m) {
			return ctx.Err()
		}
		tx, ok = <-m.turn // the group has it already
	}
	if !ok {
		return <-m.answer
	}
	result := errAbandoned
	defer func() {
		if errors.Is(result, errAbandoned) {
			m.ended <- result
		}
	}()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), memberTimeout)
	defer cancel()
	result = f(ctx, tx)
	m.ended <- result
	return <-m.answer
}

// join adds a member to the queue, and starts the goroutine that commits groups where none runs.
func (q *Queue) join(m *member) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = append(q.waiting, m)
	if !q.leading {
		q.leading = true
		go q.lead()
	}
}

// leave removes a member that has not begun. It returns false if a group has it already.
func (q *Queue) leave(m *member) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := slices.Index(q.waiting, m)
	if i < 0 {
		return false
	}
	q.waiting = slices.Delete(slices.Clone(q.waiting), i, i+1)
	return true
}

// lead commits groups until the queue is empty.
func (q *Queue) lead() {
	for {
		tx, err := q.db.BeginTx(context.Background(), nil) // more members may join while this waits for the connection
		first := q.dequeue(maxMembers)
		if err == nil {
			q.commit(tx, first)
		} else {
			for _, m := range first {
				close(m.turn)
				m.answer <- fmt.Errorf("begin: %w", err)
			}
		}
		q.mu.Lock()
		if len(q.waiting) == 0 {
			q.leading = false
			q.mu.Unlock()
			return
		}
		q.mu.Unlock()
	}
}

// dequeue removes the first n members of the queue, or all if there are fewer.
func (q *Queue) dequeue(n int) []*member {
	q.mu.Lock()
	defer q.mu.Unlock()
	n = min(n, len(q.waiting))
	out := q.waiting[:n:n]
	q.waiting = q.waiting[n:]
	return out
}

// requeue puts members back at the front of the queue.
func (q *Queue) requeue(members []*member) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = slices.Concat(members, q.waiting)
}

// commit runs members one after the other, commits, and answers each.
func (q *Queue) commit(tx bun.Tx, members []*member) {
	ctx, begun := context.Background(), time.Now()
	results := make([]error, 0, maxMembers)
	var broken error
	for i := 0; i < len(members); i++ {
		if broken != nil { // those that have not run go into the next group
			q.requeue(members[i:])
			members = members[:i]
			break
		}
		err := members[i].gone() // one whose caller gave up costs the others nothing
		if err != nil {
			close(members[i].turn)
		} else {
			err, broken = runMember(ctx, tx, members[i], len(members) == 1)
		}
		results = append(results, err)
		if len(members) > 1 && broken == nil && len(members) < maxMembers && i == len(members)-1 && time.Since(begun) < maxTime {
			members = append(members, q.dequeue(maxMembers-len(members))...)
		}
	}
	switch {
	case broken != nil:
		_ = tx.Rollback() // there may be nothing left to roll back
	default:
		broken = tx.Commit()
	}
	for i, m := range members {
		if broken != nil && results[i] == nil {
			results[i] = errors.Join(ErrUndone, broken)
		}
		m.answer <- results[i]
	}
}

// runMember runs one member. It returns what its function returned, and in broken why the whole transaction is lost, if it is.
func runMember(ctx context.Context, tx bun.Tx, m *member, alone bool) (err, broken error) {
	if !alone {
		if _, broken = tx.ExecContext(ctx, "SAVEPOINT member"); broken != nil {
			close(m.turn)
			return broken, broken
		}
	}
	m.turn <- tx
	err = <-m.ended
	switch {
	case alone:
		return err, err
	case err != nil:
		_, broken = tx.ExecContext(ctx, "ROLLBACK TO member")
	}
	if broken == nil {
		_, broken = tx.ExecContext(ctx, "RELEASE member")
	}
	return err, broken
}
