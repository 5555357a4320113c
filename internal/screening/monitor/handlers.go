package monitor

import (
	"context"
	"errors"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/job"
)

// Fetcher keeps the lists up to date (lists.Keeper).
type Fetcher interface {
	// Sweep ends imports whose server died, and says which lists are due to be fetched.
	Sweep(ctx context.Context) ([]idv.WatchlistID, error)
	Fetch(ctx context.Context, id idv.WatchlistID) error
}

// Handlers adds the handlers of the jobs about watchlists to others.
func (m *Monitor) Handlers(h job.Handlers, f Fetcher) job.Handlers {
	h.SweepLists = func(ctx context.Context) error {
		due, err := f.Sweep(ctx)
		for _, id := range due {
			err = errors.Join(err, m.store.EnqueueFetch(ctx, id))
		}
		return errors.Join(err, m.Sweep(ctx))
	}
	h.FetchList = func(ctx context.Context, a job.FetchList) error { return f.Fetch(ctx, a.List) }
	h.Rescreen = m.Handle
	return h
}
