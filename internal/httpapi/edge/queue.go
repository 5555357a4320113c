package edge

import (
	"context"
	"slices"
	"sync"
)

// queue hands out a number of bytes, first come, first served. Who holds some already goes first: it gives all of it back only when
// it got the rest.
type queue struct {
	mu      sync.Mutex
	free    int64
	waiters []*waiter
}

type waiter struct {
	size    int64
	granted chan struct{}
}

// acquire takes size bytes. It reports false where that would mean to wait and MostWaiting calls wait already, or where ctx ends first.
func (q *queue) acquire(ctx context.Context, size int64, first bool) (got, waited bool) {
	q.mu.Lock()
	if size <= q.free && (first || len(q.waiters) == 0) {
		q.free -= size
		q.mu.Unlock()
		return true, false
	}
	if len(q.waiters) >= MostWaiting {
		q.mu.Unlock()
		return false, false
	}
	w := &waiter{size, make(chan struct{})}
	if first {
		q.waiters = slices.Insert(q.waiters, 0, w)
	} else {
		q.waiters = append(q.waiters, w)
	}
	q.mu.Unlock()
	select {
	case <-w.granted:
		return true, true
	case <-ctx.Done():
		return q.leave(w), true
	}
}

// leave ends a wait, and reports whether it was over already.
func (q *queue) leave(w *waiter) (granted bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	at := slices.Index(q.waiters, w)
	if at < 0 {
		return true
	}
	q.waiters = slices.Delete(q.waiters, at, at+1)
	q.grant()
	return false
}

// release gives back size bytes.
func (q *queue) release(size int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.free += size
	q.grant()
}

// grant serves who waits, as far as it goes. q.mu is held.
func (q *queue) grant() {
	for len(q.waiters) > 0 && q.waiters[0].size <= q.free {
		q.free -= q.waiters[0].size
		close(q.waiters[0].granted)
		q.waiters = q.waiters[1:]
	}
}
