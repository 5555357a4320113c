package flow

import (
	"context"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Defaults of Options. A pixel takes up to 7 bytes while somebody looks at it: 4 as the decoder answers it, 3 as the readers take it.
const (
	DefaultPixels   = 100_000_000
	DefaultLooks    = 32
	DefaultLookWait = 5 * time.Second
	BytesOfPixel    = 7
)

// Options bound what an Engine does at the same time. The zero value takes the defaults.
type Options struct {
	Pixels   int64         // of the pictures that are open at the same time; never less than one largest picture. 100 million if zero
	Waiting  int           // calls that wait for their turn to open one; one more is refused at once. 32 if zero
	LookWait time.Duration // how long a call waits before it is refused; 5 s if zero
}

// decoding bounds the pixels of the pictures that are open at the same time, first come, first served.
type decoding struct {
	pixels  *semaphore.Weighted
	most    int64
	waiting chan struct{} // holds one for each call that waits
	wait    time.Duration
}

func newDecoding(o Options) *decoding {
	if o.Pixels <= 0 {
		o.Pixels = DefaultPixels
	}
	o.Pixels = max(o.Pixels, imaging.DefaultMaxPixels)
	if o.Waiting <= 0 {
		o.Waiting = DefaultLooks
	}
	if o.LookWait <= 0 {
		o.LookWait = DefaultLookWait
	}
	return &decoding{
		pixels: semaphore.NewWeighted(o.Pixels), most: o.Pixels, waiting: make(chan struct{}, o.Waiting), wait: o.LookWait,
	}
}

// framesAtOnce is how many frames of a run are open at the same time.
const framesAtOnce = 2

// pixelsOf is how many pixels looking at a capture takes. A picture of more than may be opened is refused by who opens it.
func pixelsOf(c idv.Capture) int64 {
	if c.Kind == idv.Frames {
		return framesAtOnce * idv.MostFramePixels
	}
	if c.Kind == idv.ChipFiles || c.Kind == idv.WalletData {
		return idv.MostPortraitPixels
	}
	n := imaging.Pixels(c.Bytes)
	if n > imaging.DefaultMaxPixels {
		return 0
	}
	return n
}

// enter takes the turn of somebody who waits for an answer. Problems: unavailable, at once where too many wait already, otherwise after
// the time that a call waits.
func (d *decoding) enter(ctx context.Context, c idv.Capture) (leave func(), err error) {
	n := min(pixelsOf(c), d.most)
	leave = func() { d.pixels.Release(n) }
	if d.pixels.TryAcquire(n) {
		return leave, nil
	}
	busy := problem.New(problem.Unavailable).Saying("As many pictures as this server can look at are being looked at.")
	select {
	case d.waiting <- struct{}{}:
		defer func() { <-d.waiting }()
	default:
		return nil, busy
	}
	wait, cancel := context.WithTimeout(ctx, d.wait)
	defer cancel()
	if d.pixels.Acquire(wait, n) == nil {
		return leave, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return nil, busy
}

// queue takes the turn of a job, for which nobody waits.
func (d *decoding) queue(ctx context.Context, c idv.Capture) (leave func(), err error) {
	n := min(pixelsOf(c), d.most)
	if err := d.pixels.Acquire(ctx, n); err != nil {
		return nil, err
	}
	return func() { d.pixels.Release(n) }, nil
}
