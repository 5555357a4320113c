package edge

import (
	"context"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
)

const (
	// arrivalChunk is how much of a body, in bytes, is given room at a time while nothing is known of its sender's pace.
	arrivalChunk = 64 << 10
	// A claim on room for the rest of a body lapses where less than claimBytes of it arrived within claimTime.
	claimTime  = time.Second
	claimBytes = 128 << 10
)

// arrival is a body that takes room while it arrives, each byte counted CopiesOfBody times. Once its first chunk is there, it claims
// room for the rest, so that many large bodies do not each get a part of the room and none enough. Whoever does not go on sending
// loses the claim: from then on the body has room for what arrived, and takes more chunk by chunk.
type arrival struct {
	room   *Room
	take   func(size int64, first bool) error
	by     []sharer
	body   io.ReadCloser
	length int64 // of the body; the largest allowed where the client does not say

	refused error // why the body is not read any further

	mu      sync.Mutex
	arrived int64
	reading int64 // of which a read that is under way may bring so many more
	held    int64 // bytes of the room
	claimed bool  // had its claim on the rest
	checked int64 // what had arrived when the pace was checked last
	pace    *time.Timer
	over    bool
}

// arrivalOf returns the body of a request as an arrival that holds nothing yet.
func (r *Room) arrivalOf(ctx context.Context, req *http.Request, sender string, most int64) *arrival {
	a := &arrival{room: r, body: req.Body, length: most}
	if req.ContentLength >= 0 && req.ContentLength < most {
		a.length = req.ContentLength
	}
	q := requestOf(ctx)
	if sender != "" {
		a.by = []sharer{{"session " + sender, SessionShare}}
		if q.address != "" {
			a.by = append(a.by, sharer{"address " + audit.Subscriber(q.address), AddressShare})
		}
	}
	a.take = func(size int64, first bool) error {
		began := time.Now()
		defer func() { q.body.excuse(time.Since(began)) }()
		return r.take(ctx, size, first, a.by)
	}
	return a
}

// begin takes room for the first chunk.
func (a *arrival) begin() error {
	first := min(a.room.most, max(1, min(a.length, arrivalChunk))*CopiesOfBody)
	if err := a.take(first, false); err != nil {
		return err
	}
	a.held = first
	return nil
}

// Read implements io.Reader. Problems: unavailable.
func (a *arrival) Read(p []byte) (int, error) {
	if a.refused != nil {
		return 0, a.refused
	}
	n, err := a.makeRoom(int64(len(p)))
	if err != nil {
		a.refused = err
		return 0, err
	}
	got, err := a.body.Read(p[:n])
	a.mu.Lock()
	defer a.mu.Unlock()
	a.arrived, a.reading = a.arrived+int64(got), 0
	if err != nil { // nothing more will come
		a.shrink()
		a.stop()
	}
	return got, err
}

// Close implements io.Closer.
func (a *arrival) Close() error { return a.body.Close() }

// makeRoom returns how many bytes may be read now, at most that many, and takes room for them. It is called by one goroutine
// at a time, and a check of the pace may give room back meanwhile.
func (a *arrival) makeRoom(want int64) (int64, error) {
	a.mu.Lock()
	left := a.held/CopiesOfBody - a.arrived
	if a.arrived >= a.length || a.held >= a.room.most {
		left = arrivalChunk // what follows is the end, or the body has all of the room
	}
	if left > 0 {
		defer a.mu.Unlock()
		a.reading = min(want, left, arrivalChunk)
		return a.reading, nil
	}
	first := !a.claimed
	a.claimed = true
	more := min(arrivalChunk, a.length-a.arrived) * CopiesOfBody
	if first { // it waits without holding anything, or two who wait could wait for each other
		more = a.length * CopiesOfBody
		a.giveBack(a.held)
	}
	more = min(more, a.room.most-a.held)
	a.mu.Unlock()
	if err := a.take(more, !first); err != nil {
		return 0, err
	}
	a.mu.Lock()
	a.held += more
	if first {
		a.checked, a.pace = a.arrived, time.AfterFunc(claimTime, a.check)
	}
	a.mu.Unlock()
	return a.makeRoom(want)
}

// check ends the claim of a body that arrives too slowly.
func (a *arrival) check() {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.over:
	case a.arrived-a.checked >= claimBytes:
		a.checked = a.arrived
		a.pace.Reset(claimTime)
	default:
		a.shrink()
	}
}

// shrink gives back what is held beyond what arrived. a.mu is held.
func (a *arrival) shrink() {
	a.giveBack(max(0, a.held-(a.arrived+a.reading)*CopiesOfBody))
}

// giveBack gives back some of what is held. a.mu is held.
func (a *arrival) giveBack(size int64) {
	a.held -= size
	a.room.release(size, a.by)
}

// stop ends the checks of the pace. a.mu is held.
func (a *arrival) stop() {
	a.over = true
	if a.pace != nil {
		a.pace.Stop()
	}
}

// end gives back all room.
func (a *arrival) end() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.stop()
	a.giveBack(a.held)
}
