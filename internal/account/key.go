package account

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// The prefixes of API keys tell the mode, so that nobody pastes a live key into a test unawares.
const (
	testPrefix = "bf_test_"
	livePrefix = "bf_live_"
	keyLength  = len(testPrefix) + 43
	// keySeenEvery keeps last_used_at from costing a write a request.
	keySeenEvery = time.Minute
)

// NewKey makes an API key with every scope that a key can carry, or with those named. The key itself is
// answered this once.
func (s *Service) NewKey(ctx context.Context, name string, mode idv.Mode, scopes ...Permission) (Key, string, error) {
	if len(scopes) == 0 {
		scopes = Scopes()
	}
	for _, p := range scopes {
		if !slices.Contains(Scopes(), p) {
			return Key{}, "", fmt.Errorf("an API key cannot carry %q", p)
		}
	}
	k, secret, err := s.draw(Order{Name: name, Mode: mode, Scopes: scopes})
	if err != nil {
		return Key{}, "", err
	}
	return k, secret, s.store.AddKey(ctx, k)
}

// Key answers whose API key this is. Problems: auth.invalid.
func (s *Service) Key(ctx context.Context, secret string) (Key, error) {
	if len(secret) != keyLength || (!strings.HasPrefix(secret, testPrefix) && !strings.HasPrefix(secret, livePrefix)) {
		return Key{}, problem.New(problem.AuthInvalid)
	}
	k, err := s.store.KeyByHash(ctx, digest(secret))
	if problem.Has(err, problem.NotFound) {
		return Key{}, problem.New(problem.AuthInvalid)
	}
	if err != nil {
		return Key{}, err
	}
	now := s.now()
	if k.Ended(now) || prefixOf(k.Mode) != secret[:len(testPrefix)] {
		return Key{}, problem.New(problem.AuthInvalid)
	}
	if now.Sub(k.LastUsedAt) > keySeenEvery {
		if err := s.store.SeenKey(ctx, k.ID, now.UTC()); err != nil {
			return Key{}, err
		}
	}
	return k, nil
}

func prefixOf(mode idv.Mode) string {
	if mode == idv.Live {
		return livePrefix
	}
	return testPrefix
}
