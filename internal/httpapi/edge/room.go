package edge

import (
	"context"
	"io"
	"net/http"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/bonafide-id/bonafide/internal/problem"
)

// CopiesOfBody is how many times a body of pictures takes its size, until it is in the vault: as read, as packed, as sealed.
const CopiesOfBody = 3

// SendsAtOnce is how many bodies one applicant may send at the same time: one, and the repeat of it whose answer was
// lost. Otherwise a single session could hold all of the room.
const SendsAtOnce = 2

// Room bounds the memory of pictures that are being sent, or handed out in archives, of all calls together. First come, first
// served, whatever the size, so that small bodies do not starve a large one.
type Room struct {
	bytes *semaphore.Weighted
	most  int64
	wait  time.Duration

	mu      sync.Mutex
	senders map[string]int // bodies at once by applicant
}

// NewRoom returns room for that many bytes, for which a call waits at most that long.
func NewRoom(most int64, wait time.Duration) *Room {
	return &Room{bytes: semaphore.NewWeighted(most), most: most, wait: wait, senders: map[string]int{}}
}

// Enter takes room for the body of a request before any of it is read, and waits for it a short while. sender is an
// applicant's session, "" for callers whose number of sends is not bounded. Problems: unavailable; the body is read then
// and thrown away, because a browser that is still sending sees a broken connection instead of an answer.
func (r *Room) Enter(ctx context.Context, req *http.Request, sender string, most int64) (leave func(), err error) {
	size := req.ContentLength
	if size < 0 || size > most {
		size = most
	}
	if !r.count(sender) {
		return nil, busy(req, "This session is sending pictures already.")
	}
	release, err := r.Hold(ctx, size)
	if err != nil {
		r.discount(sender)
		_, _ = io.Copy(io.Discard, req.Body) // bounded in size and time by the guard
		return nil, err
	}
	return func() {
		release()
		r.discount(sender)
	}, nil
}

// Hold takes room for so many bytes of pictures, and waits for it a short while. Problems: unavailable.
func (r *Room) Hold(ctx context.Context, size int64) (release func(), err error) {
	size = min(r.most, max(1, size*CopiesOfBody))
	wait, cancel := context.WithTimeout(ctx, r.wait)
	defer cancel()
	if r.bytes.Acquire(wait, size) != nil {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return nil, problem.New(problem.Unavailable).Saying("As many pictures as this server has room for are being sent.")
	}
	return func() { r.bytes.Release(size) }, nil
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

func busy(req *http.Request, why string) error {
	_, _ = io.Copy(io.Discard, req.Body) // bounded in size and time by the guard
	return problem.New(problem.Unavailable).Saying("%s", why)
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
