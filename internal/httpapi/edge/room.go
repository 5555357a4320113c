package edge

import (
	"context"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/bonafide-id/bonafide/internal/problem"
)

// CopiesOfBody is how many times a body of pictures takes its size, until it is in the vault: as read, as packed, as sealed.
const CopiesOfBody = 3

// SendsAtOnce is how many bodies one applicant may send at the same time: one, and the repeat of it whose answer was
// lost.
const SendsAtOnce = 2

// MostWaiting is how many calls wait for room at the same time. One more is refused at once, because its turn would come too late.
const MostWaiting = 64

// The parts of the room that one applicant's session and one network address may hold, but always enough for one largest picture.
const (
	SessionShare = 4 // a quarter
	AddressShare = 2 // half: several applicants may share an address
)

// Room bounds the memory of pictures that are being sent, or handed out in archives, of all calls together. First come, first
// served, whatever the size, so that small bodies do not starve a large one.
type Room struct {
	bytes queue
	most  int64
	wait  time.Duration

	mu      sync.Mutex
	senders map[string]int   // bodies at once by applicant
	held    map[sharer]int64 // bytes
}

// sharer is somebody who may hold a part of the room.
type sharer struct {
	name string
	part int64 // SessionShare or AddressShare
}

// NewRoom returns room for that many bytes, for which a call waits at most that long.
func NewRoom(most int64, wait time.Duration) *Room {
	return &Room{
		bytes: queue{free: most}, most: most, wait: wait,
		senders: map[string]int{}, held: map[sharer]int64{},
	}
}

// Enter makes the body of a request take room while it is read; see arrival. most is the largest body of the call in bytes. sender
// is an applicant's session, and together with the client's address bounds what the body may hold; it is "" for callers of whom
// neither is bounded. leave gives the room back and must be called when the body is no longer in memory. Problems: unavailable, also
// from reading the body. What was refused is read and thrown away for a moment, because a browser that is still sending sees a broken
// connection instead of an answer.
func (r *Room) Enter(ctx context.Context, req *http.Request, sender string, most int64) (leave func(), err error) {
	if !r.count(sender) {
		drain(ctx, req.Body)
		return nil, busy("This session is sending pictures already.")
	}
	a := r.arrivalOf(ctx, req, sender, most)
	if err := a.begin(); err != nil {
		r.discount(sender)
		drain(ctx, req.Body)
		return nil, err
	}
	req.Body = a
	return func() {
		a.end()
		r.discount(sender)
		if a.refused != nil {
			drain(ctx, a.body)
		}
	}, nil
}

// Hold takes room for so many bytes of pictures, and waits for it a short while. Problems: unavailable.
func (r *Room) Hold(ctx context.Context, size int64) (release func(), err error) {
	size = min(r.most, max(1, size*CopiesOfBody))
	if err := r.take(ctx, size, false, nil); err != nil {
		return nil, err
	}
	return func() { r.release(size, nil) }, nil
}

// HoldStream takes room for the pictures of an answer that is streamed, one at a time. It is given back by free, and in any case
// once the request is over. Problems: unavailable.
func (r *Room) HoldStream(ctx context.Context) (free func(), err error) {
	release, err := r.Hold(ctx, MaxPictureBytes)
	if err != nil {
		return nil, err
	}
	free = sync.OnceFunc(release)
	context.AfterFunc(ctx, free)
	return free, nil
}

// take takes size bytes of the room, at most all of it, on the account of the sharers. first is for who holds some of it already.
// Problems: unavailable.
func (r *Room) take(ctx context.Context, size int64, first bool, by []sharer) error {
	if !r.charge(size, by) {
		return busy("As many pictures as one session or address may send at once are being sent.")
	}
	if err := r.acquire(ctx, size, first); err != nil {
		r.discharge(size, by)
		return err
	}
	return nil
}

func (r *Room) release(size int64, by []sharer) {
	r.bytes.release(size)
	r.discharge(size, by)
}

// acquire waits for size bytes: not at all where too many wait already.
func (r *Room) acquire(ctx context.Context, size int64, first bool) error {
	wait, cancel := context.WithTimeout(ctx, r.wait)
	defer cancel()
	got, waited := r.bytes.acquire(wait, size, first)
	switch {
	case got:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case !waited:
		return busy("More calls than this server can answer soon are waiting.")
	}
	return busy("As many pictures as this server has room for are being sent.")
}

// charge adds size bytes to what the sharers hold, unless that would exceed the part of one of them.
func (r *Room) charge(size int64, by []sharer) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range by {
		if r.held[s]+size > min(r.most, max(r.most/s.part, Picture.MaxBytes()*CopiesOfBody)) {
			return false
		}
	}
	for _, s := range by {
		r.held[s] += size
	}
	return true
}

func (r *Room) discharge(size int64, by []sharer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range by {
		if r.held[s] -= size; r.held[s] <= 0 {
			delete(r.held, s)
		}
	}
}

func busy(why string) error { return problem.New(problem.Unavailable).Saying("%s", why) }

// drain reads what a client is still sending, for at most drainTime.
func drain(ctx context.Context, body io.Reader) {
	requestOf(ctx).body.endWithin(drainTime)
	_, _ = io.Copy(io.Discard, body) // bounded in size by the guard
}

func (r *Room) count(sender string) bool {
	if sender == "" {
		return true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.senders[sender] >= SendsAtOnce {
		return false
	}
	r.senders[sender]++
	return true
}

func (r *Room) discount(sender string) {
	if sender == "" {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.senders[sender]--; r.senders[sender] <= 0 {
		delete(r.senders, sender)
	}
}
