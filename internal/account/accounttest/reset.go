package accounttest

import (
	"context"
	"maps"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// AddReset implements signin.ResetStore.
func (s *Store) AddReset(_ context.Context, hash string, id idv.UserID, _, expires time.Time, done ...audit.Record) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dropResets(id)
	if s.Resets == nil {
		s.Resets = map[string]Reset{}
	}
	s.Resets[hash] = Reset{User: id, Ends: expires}
	s.record(done)
	return nil
}

func (s *Store) dropResets(id idv.UserID) {
	maps.DeleteFunc(s.Resets, func(_ string, r Reset) bool { return r.User == id })
}

// UserByReset implements signin.ResetStore.
func (s *Store) UserByReset(ctx context.Context, hash string, now time.Time) (account.User, error) {
	s.mu.Lock()
	r, ok := s.Resets[hash]
	s.mu.Unlock()
	if !ok || !r.Ends.After(now) {
		return account.User{}, problem.New(problem.NotFound)
	}
	return s.User(ctx, r.User)
}

// ChangeUserByReset implements signin.ResetStore.
func (s *Store) ChangeUserByReset(
	ctx context.Context, hash string, id idv.UserID, now time.Time, change func(*account.User) error, done ...audit.Record,
) (account.User, error) {
	s.mu.Lock()
	r, ok := s.Resets[hash]
	s.mu.Unlock()
	if !ok || r.User != id || !r.Ends.After(now) {
		return account.User{}, problem.New(problem.NotFound)
	}
	u, err := s.ChangeUser(ctx, id, change, done...)
	if err == nil {
		s.mu.Lock()
		s.dropResets(id)
		s.mu.Unlock()
	}
	return u, err
}
