package insight

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// Every visitor of the overview asks for the same figures: they are added up once and are good for a while. One sum
// is made at a time, so that no crowd of ranges holds up the sessions themselves.

const (
	freshFor = 30 * time.Second
	mostKept = 64 // kept at once
)

// cache keeps figures for a while.
type cache struct {
	turn chan struct{}
	mu   sync.Mutex
	kept map[Filter]counted
}

type counted struct {
	Figures
	at time.Time
}

func newCache() *cache { return &cache{turn: make(chan struct{}, 1), kept: map[Filter]counted{}} }

// get returns figures that are fresh at now, or counts them.
func (f *cache) get(ctx context.Context, key Filter, now time.Time, count func() (Figures, error)) (Figures, error) {
	if got, ok := f.find(key, now); ok {
		return got, nil
	}
	select {
	case f.turn <- struct{}{}:
		defer func() { <-f.turn }()
	case <-ctx.Done():
		return Figures{}, fmt.Errorf("wait to count: %w", ctx.Err())
	}
	if got, ok := f.find(key, now); ok { // somebody counted the same meanwhile
		return got, nil
	}
	got, err := count()
	if err == nil {
		f.keep(key, now, got)
	}
	return got, err
}

func (f *cache) find(key Filter, now time.Time) (Figures, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	got, ok := f.kept[key]
	return got.Figures, ok && now.Sub(got.at) < freshFor
}

func (f *cache) keep(key Filter, now time.Time, got Figures) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.kept) >= mostKept {
		clear(f.kept)
	}
	f.kept[key] = counted{Figures: got, at: now}
}
