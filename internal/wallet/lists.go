package wallet

import (
	"context"
	"sync"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/statuslist"
)

// Fetcher gets what is at an address, of at most so many bytes, behind the guard that keeps requests from the deployment's own network
// (webhook.Fetcher).
type Fetcher interface {
	Fetch(ctx context.Context, mode idv.Mode, address, accept string, most int64) ([]byte, error)
}

const (
	mostList    = 4 << 20          // bytes of a status list as it is signed
	mostKept    = 32               // lists that are kept
	leastKept   = time.Minute      // a list is used without being fetched again, at least
	longestKept = time.Hour        // at most, if it says nothing else
	failedFor   = 10 * time.Second // an address that failed is not tried again
)

// StatusLists fetches status lists and keeps them for as long as they say, and for an hour at most. It is safe for concurrent use.
type StatusLists struct {
	fetch Fetcher
	now   func() time.Time

	mu   sync.Mutex
	kept map[listKey]keptList
}

type listKey struct {
	mode    idv.Mode
	address string
}

type keptList struct {
	list  *statuslist.List
	err   error
	until time.Time
}

// NewStatusLists returns StatusLists; now may be nil for time.Now.
func NewStatusLists(f Fetcher, now func() time.Time) *StatusLists {
	if now == nil {
		now = time.Now
	}
	return &StatusLists{fetch: f, now: now, kept: map[listKey]keptList{}}
}

// List returns the list at an address. Whether it is signed by the credential's issuer is for statuslist.List.Check.
func (s *StatusLists) List(ctx context.Context, mode idv.Mode, address string) (*statuslist.List, error) {
	key, now := listKey{mode, address}, s.now()
	s.mu.Lock()
	kept, there := s.kept[key]
	s.mu.Unlock()
	if there && now.Before(kept.until) {
		return kept.list, kept.err
	}
	raw, err := s.fetch.Fetch(ctx, mode, address, "application/statuslist+jwt, application/statuslist+cwt", mostList)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	kept = keptList{until: now.Add(failedFor)}
	if err != nil {
		kept.err = refusal.New(statuslist.Unchecked, "the status list could not be fetched")
	} else if kept.list, kept.err = statuslist.Parse(raw); kept.err == nil {
		kept.until = now.Add(lifeOf(kept.list, now))
	}
	s.keep(key, kept, now)
	return kept.list, kept.err
}

// lifeOf returns for how long a list is used without being fetched again.
func lifeOf(l *statuslist.List, now time.Time) time.Duration {
	life := longestKept
	if l.Life > 0 {
		life = min(life, l.Life)
	}
	if !l.Expires.IsZero() {
		life = min(life, l.Expires.Sub(now))
	}
	return max(life, leastKept)
}

func (s *StatusLists) keep(key listKey, k keptList, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.kept) >= mostKept {
		for old, list := range s.kept {
			if !now.Before(list.until) {
				delete(s.kept, old)
			}
		}
	}
	if len(s.kept) >= mostKept {
		clear(s.kept)
	}
	s.kept[key] = k
}
