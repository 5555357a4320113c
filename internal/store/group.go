package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/trace"
)

// Bounds of what commits together: nobody waits long for those who came after.
const (
	groupSize = 32
	groupTime = 10 * time.Millisecond
	// memberTime ends a statement of a member that hangs. It undoes the others, too, and is far longer than any takes.
	memberTime = 30 * time.Second
)

// errGroup: a transaction that others were in with ours came to nothing, and ours with it.
var errGroup = errors.New("the transaction was undone with others that it shared a commit with")

// group lets transactions of SQLite that wait for its one writing connection commit together: what a commit takes, the disk
// being told to keep it, is then paid once for all of them. Each still sees all before it and none after it, is kept or
// undone by itself (a savepoint), and is answered only when it is on the disk. One that waits for nobody commits at once.
type group struct {
	db      *bun.DB
	mu      sync.Mutex
	waiting []*grouped
	leading bool
}

// grouped is one transaction of a group. It runs in the goroutine of whoever asked for it.
type grouped struct {
	gone   func() error // why nobody wants it any more; nil while somebody does
	turn   chan bun.Tx  // closed where there is none to be had
	ended  chan error   // what it came to, before the commit
	answer chan error   // what it came to
}

// errAbandoned: what ran in a transaction ended without coming back (a panic, a test that gave up).
var errAbandoned = errors.New("abandoned")

// run runs f in a transaction. A context that ends while f runs does not interrupt it before memberTime: SQLite would undo
// the others, too.
func (g *group) run(ctx context.Context, f func(context.Context, bun.Tx) error) error {
	m := &grouped{gone: ctx.Err, turn: make(chan bun.Tx), ended: make(chan error, 1), answer: make(chan error, 1)}
	g.join(m)
	var tx bun.Tx
	ok := false
	select {
	case tx, ok = <-m.turn:
	case <-ctx.Done():
		if g.leave(m) {
			return ctx.Err()
		}
		tx, ok = <-m.turn // it is our turn already
	}
	if !ok {
		return <-m.answer
	}
	came := errAbandoned
	defer func() {
		if errors.Is(came, errAbandoned) {
			m.ended <- came
		}
	}()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), memberTime)
	defer cancel()
	came = f(ctx, tx)
	m.ended <- came
	return <-m.answer
}

func (g *group) join(m *grouped) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.waiting = append(g.waiting, m)
	if !g.leading {
		g.leading = true
		go g.lead()
	}
}

// leave takes somebody out of those who wait. false: the turn has come, or is about to.
func (g *group) leave(m *grouped) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	i := slices.Index(g.waiting, m)
	if i < 0 {
		return false
	}
	g.waiting = slices.Delete(slices.Clone(g.waiting), i, i+1)
	return true
}

// lead commits groups until nobody waits.
func (g *group) lead() {
	for {
		tx, err := g.db.BeginTx(context.Background(), nil) // while it waits for the connection, more may come
		first := g.take(groupSize)
		if err == nil {
			g.commit(tx, first)
		} else {
			for _, m := range first {
				close(m.turn)
				m.answer <- fmt.Errorf("begin: %w", err)
			}
		}
		g.mu.Lock()
		if len(g.waiting) == 0 {
			g.leading = false
			g.mu.Unlock()
			return
		}
		g.mu.Unlock()
	}
}

// take takes up to n of those who wait.
func (g *group) take(n int) []*grouped {
	g.mu.Lock()
	defer g.mu.Unlock()
	n = min(n, len(g.waiting))
	out := g.waiting[:n:n]
	g.waiting = g.waiting[n:]
	return out
}

// putBack lets members be the first of those who wait.
func (g *group) putBack(members []*grouped) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.waiting = slices.Concat(members, g.waiting)
}

// commit runs members one after the other and commits what they did.
func (g *group) commit(tx bun.Tx, members []*grouped) {
	ctx, begun := context.Background(), time.Now()
	came := make([]error, 0, groupSize)
	var broken error
	for i := 0; i < len(members); i++ {
		if broken != nil { // those who did not run yet are in the next
			g.putBack(members[i:])
			members = members[:i]
			break
		}
		err := members[i].gone() // who gave up waiting costs the others nothing
		if err != nil {
			close(members[i].turn)
		} else {
			err, broken = runMember(ctx, tx, members[i], len(members) == 1)
		}
		came = append(came, err)
		if len(members) > 1 && broken == nil && len(members) < groupSize && i == len(members)-1 && time.Since(begun) < groupTime {
			members = append(members, g.take(groupSize-len(members))...)
		}
	}
	switch {
	case broken != nil:
		_ = tx.Rollback() // there may be nothing left to roll back
	default:
		broken = tx.Commit()
	}
	for i, m := range members {
		if broken != nil && came[i] == nil {
			came[i] = errors.Join(errGroup, broken)
		}
		m.answer <- came[i]
	}
}

// runMember lets one member run. err is what it came to; broken that the whole transaction is lost.
func runMember(ctx context.Context, tx bun.Tx, m *grouped, alone bool) (err, broken error) {
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

// inTx runs f in a transaction of the writing pool, on SQLite together with others that wait.
func (s *Store) inTx(ctx context.Context, f func(context.Context, bun.Tx) error) error {
	run := func(ctx context.Context, f func(context.Context, bun.Tx) error) error {
		return s.write.RunInTx(ctx, nil, f)
	}
	if s.group != nil {
		run = s.group.run
	}
	if !trace.Recording(ctx) {
		return run(ctx, f)
	}
	return s.traced(ctx, run, f)
}

// once runs f, which is one statement. PostgreSQL needs no transaction around it.
func (s *Store) once(ctx context.Context, f func(context.Context, bun.IDB) error) error {
	if s.group == nil {
		return f(ctx, s.write)
	}
	return s.group.run(ctx, func(ctx context.Context, tx bun.Tx) error { return f(ctx, tx) })
}
