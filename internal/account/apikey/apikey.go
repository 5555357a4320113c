// Package apikey issues, rotates, revokes and authenticates API keys.
package apikey

import (
	"context"
	"crypto/rand"
	"io"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// The prefixes of API keys name the mode, so that nobody pastes a live key into a test unawares.
const (
	testPrefix = "bf_test_"
	livePrefix = "bf_live_"
	keyLength  = len(testPrefix) + account.SecretLength
)

// useInterval is how often the use of a key is recorded, so that last_used_at does not cost a write a request.
const useInterval = time.Minute

// Store reads and writes API keys, with an audit entry in the transaction of each change. Reads return problem not_found
// where there is no such key.
type Store interface {
	Reader
	Writer
}

// Reader finds API keys.
type Reader interface {
	APIKey(ctx context.Context, id idv.KeyID) (account.Key, error)
	KeyByHash(ctx context.Context, hash string) (account.Key, error)
	// Keys returns the keys of a mode: those that work first, then the newest first.
	Keys(ctx context.Context, mode idv.Mode) ([]account.Key, error)
}

// Writer changes API keys.
type Writer interface {
	AddKey(ctx context.Context, k account.Key) error
	// ReplaceKey adds a key and sets when the one that it replaces ends, both or neither.
	ReplaceKey(ctx context.Context, k account.Key, old idv.KeyID, oldEnds time.Time) error
	// RevokeKey ends a key. A key that was revoked before keeps its earlier time.
	RevokeKey(ctx context.Context, id idv.KeyID, at time.Time) error
	RecordKeyUse(ctx context.Context, id idv.KeyID, at time.Time) error
}

// Options of a Service. The zero value works.
type Options struct {
	Now    func() time.Time // defaults to time.Now
	Random io.Reader        // defaults to crypto/rand
}

// Service manages API keys. It is safe for concurrent use.
type Service struct {
	store  Store
	now    func() time.Time
	random io.Reader
}

// New returns a Service.
func New(store Store, o Options) *Service {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	return &Service{store: store, now: o.Now, random: o.Random}
}

// Authenticate returns the key with that secret and records its use. Problems: auth.invalid.
func (s *Service) Authenticate(ctx context.Context, secret string) (account.Key, error) {
	if len(secret) != keyLength || (!strings.HasPrefix(secret, testPrefix) && !strings.HasPrefix(secret, livePrefix)) {
		return account.Key{}, problem.New(problem.AuthInvalid)
	}
	k, err := s.store.KeyByHash(ctx, account.Digest(secret))
	if problem.Has(err, problem.NotFound) {
		return account.Key{}, problem.New(problem.AuthInvalid)
	}
	if err != nil {
		return account.Key{}, err
	}
	now := s.now()
	if k.Ended(now) || prefixOf(k.Mode) != secret[:len(testPrefix)] {
		return account.Key{}, problem.New(problem.AuthInvalid)
	}
	if now.Sub(k.LastUsedAt) > useInterval {
		if err := s.store.RecordKeyUse(ctx, k.ID, now.UTC()); err != nil {
			return account.Key{}, err
		}
	}
	return k, nil
}

// List returns the API keys of a mode: those that work first, then the newest first.
func (s *Service) List(ctx context.Context, mode idv.Mode) ([]account.Key, error) {
	return s.store.Keys(ctx, mode)
}

// WorkingByMember returns the keys of both modes that work, by the member who made them.
func (s *Service) WorkingByMember(ctx context.Context) (map[idv.UserID][]account.Key, error) {
	out := map[idv.UserID][]account.Key{}
	for _, mode := range []idv.Mode{idv.Live, idv.Test} {
		found, err := s.store.Keys(ctx, mode)
		if err != nil {
			return nil, err
		}
		for _, k := range found {
			if k.CreatedBy != "" && !k.Ended(s.now()) {
				out[k.CreatedBy] = append(out[k.CreatedBy], k)
			}
		}
	}
	return out, nil
}

// Find returns a key by its id. Problems: not_found.
func (s *Service) Find(ctx context.Context, id idv.KeyID) (account.Key, error) {
	return s.store.APIKey(ctx, id)
}

func prefixOf(mode idv.Mode) string {
	if mode == idv.Live {
		return livePrefix
	}
	return testPrefix
}
