package edge

import (
	"context"
	"strings"
	"sync/atomic"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
)

// CallLog stores the calls that were made with API keys.
type CallLog interface {
	AddCalls(ctx context.Context, calls []account.Call) error
	Calls(ctx context.Context, f account.CallFilter) ([]account.Call, error)
}

// Bounds of what waits to be written. A request never waits for its line in the log: where the queue is full the line is left out,
// and the program's own log says how many were.
const (
	callsWaiting = 4096
	callsAtOnce  = 256
	callsEvery   = time.Second
	callsTime    = 5 * time.Second // to write some
)

// callWriter writes calls in the background.
type callWriter struct {
	log     CallLog
	waiting chan account.Call
	lost    atomic.Int64
	done    chan struct{}
}

// newCallWriter starts a callWriter. It ends when stop is closed, after it wrote what waits then.
func newCallWriter(log CallLog, stop <-chan struct{}, warn func(msg string, args ...any)) *callWriter {
	w := &callWriter{log: log, waiting: make(chan account.Call, callsWaiting), done: make(chan struct{})}
	if log == nil {
		close(w.done)
		return w
	}
	go w.run(stop, warn)
	return w
}

// add queues a call, or counts it as lost where the queue is full.
func (w *callWriter) add(c account.Call) {
	if w.log == nil {
		return
	}
	select {
	case w.waiting <- c:
	default:
		w.lost.Add(1)
	}
}

func (w *callWriter) run(stop <-chan struct{}, warn func(string, ...any)) {
	defer close(w.done)
	tick := time.NewTicker(callsEvery)
	defer tick.Stop()
	for ended := false; !ended; {
		select {
		case <-tick.C:
		case <-stop:
			ended = true
		}
		w.flush(warn)
	}
}

// flush writes what waits.
func (w *callWriter) flush(warn func(string, ...any)) {
	for {
		some := w.take()
		if len(some) == 0 {
			break
		}
		ctx, cancel := context.WithTimeout(context.Background(), callsTime)
		err := w.log.AddCalls(ctx, some)
		cancel()
		if err != nil {
			w.lost.Add(int64(len(some)))
			warn("calls not kept in the log of calls", "error", err)
			break
		}
	}
	if n := w.lost.Swap(0); n > 0 {
		warn("the log of calls is not whole", "lost", n)
	}
}

func (w *callWriter) take() []account.Call {
	var out []account.Call
	for len(out) < callsAtOnce {
		select {
		case c := <-w.waiting:
			out = append(out, c)
		default:
			return out
		}
	}
	return out
}

// routeOf is the path of a pattern.
func routeOf(pattern string) string {
	if _, path, ok := strings.Cut(pattern, " "); ok {
		return path
	}
	return pattern
}
