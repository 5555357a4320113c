package account

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Limits of API keys.
const (
	MaxKeyName  = 100
	MaxKeyGrace = 7 * 24 * time.Hour // how long a key can go on beside the one that takes its place
)

// Order is the key that a member asks for.
type Order struct {
	Name      string // 1 to MaxKeyName characters
	Mode      idv.Mode
	Scopes    []Permission // at least one, and none that the member may not do in that mode
	ExpiresAt time.Time    // zero for never
}

// IssueKey makes an API key for a member. The key itself is answered this once. Problems: request.malformed,
// auth.forbidden where the member may not do what the key would.
func (s *Service) IssueKey(ctx context.Context, by User, o Order) (Key, string, error) {
	if err := s.checkOrder(by, &o); err != nil {
		return Key{}, "", err
	}
	k, secret, err := s.draw(o)
	if err != nil {
		return Key{}, "", err
	}
	k.CreatedBy = by.ID
	return k, secret, s.store.AddKey(ctx, k)
}

func (s *Service) checkOrder(by User, o *Order) error {
	o.Name = strings.TrimSpace(o.Name)
	if n := utf8.RuneCountInString(o.Name); n == 0 || n > MaxKeyName {
		return problem.New(problem.RequestMalformed).At("/name").Saying("A name of 1 to %d characters says later what the key is for.", MaxKeyName)
	}
	if len(o.Scopes) == 0 {
		return problem.New(problem.RequestMalformed).At("/scopes").Saying("A key carries at least one scope.")
	}
	if !o.ExpiresAt.IsZero() && !o.ExpiresAt.After(s.now()) {
		return problem.New(problem.RequestMalformed).At("/expires_at").Saying("It lies in the past.")
	}
	o.Scopes = slices.Clone(o.Scopes)
	slices.Sort(o.Scopes)
	o.Scopes = slices.Compact(o.Scopes)
	return mayGive(by, o.Mode, o.Scopes)
}

// mayGive refuses scopes that a member may not do in a mode: a key is never more than whoever makes it.
func mayGive(by User, mode idv.Mode, scopes []Permission) error {
	if !May(by.Roles, KeysWrite, mode) {
		return problem.New(problem.AuthForbidden)
	}
	for _, p := range scopes {
		if !slices.Contains(Scopes(), p) {
			return problem.New(problem.RequestMalformed).At("/scopes").Saying("There is a scope that keys cannot carry.")
		}
		if !May(by.Roles, p, mode) {
			return problem.New(problem.AuthForbidden).At("/scopes").Saying("A key carries nothing that its maker may not do: %s is more than you may in %s mode.", p, mode)
		}
	}
	return nil
}

// Keys lists the API keys of a mode: those that work first, newest first. Of a key only its first characters are known.
func (s *Service) Keys(ctx context.Context, mode idv.Mode) ([]Key, error) {
	return s.store.Keys(ctx, mode)
}

// WorkingKeys lists the keys of both modes that work, by who made them.
func (s *Service) WorkingKeys(ctx context.Context) (map[idv.UserID][]Key, error) {
	out := map[idv.UserID][]Key{}
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

// APIKey reads a key. Problems: not_found.
func (s *Service) APIKey(ctx context.Context, id idv.KeyID) (Key, error) {
	return s.store.APIKey(ctx, id)
}

// RotateKey makes a key of the same name, mode and scopes, and as long a life. The old one works for grace more, at most
// MaxKeyGrace and never longer than it would have. Problems: not_found, request.malformed where the key has ended already,
// auth.forbidden where the member may not do what the key does.
func (s *Service) RotateKey(ctx context.Context, by User, id idv.KeyID, grace time.Duration) (Key, string, error) {
	old, err := s.store.APIKey(ctx, id)
	if err != nil {
		return Key{}, "", err
	}
	if err := mayGive(by, old.Mode, old.Scopes); err != nil {
		return Key{}, "", err
	}
	now := s.now().UTC()
	if old.Ended(now) {
		return Key{}, "", problem.New(problem.RequestMalformed).Saying("This key has ended. Make a new one.")
	}
	if grace < 0 || grace > MaxKeyGrace {
		return Key{}, "", problem.New(problem.RequestMalformed).At("/grace_hours").Saying("At most %d hours.", int(MaxKeyGrace.Hours()))
	}
	o := Order{Name: old.Name, Mode: old.Mode, Scopes: old.Scopes}
	ends := now.Add(grace)
	if !old.ExpiresAt.IsZero() {
		o.ExpiresAt = now.Add(old.ExpiresAt.Sub(old.CreatedAt))
		if old.ExpiresAt.Before(ends) {
			ends = old.ExpiresAt
		}
	}
	k, secret, err := s.draw(o)
	if err != nil {
		return Key{}, "", err
	}
	k.CreatedBy = by.ID
	return k, secret, s.store.ReplaceKey(ctx, k, id, ends)
}

// RevokeKey ends a key at once. Problems: not_found.
func (s *Service) RevokeKey(ctx context.Context, id idv.KeyID) (Key, error) {
	if err := s.store.RevokeKey(ctx, id, s.now().UTC()); err != nil {
		return Key{}, err
	}
	return s.store.APIKey(ctx, id)
}

// Ended reports whether a key works no more.
func (k Key) Ended(now time.Time) bool {
	return !k.RevokedAt.IsZero() || (!k.ExpiresAt.IsZero() && !now.Before(k.ExpiresAt))
}

// draw makes a key and its secret. Nothing is kept.
func (s *Service) draw(o Order) (Key, string, error) {
	random, err := s.secret()
	if err != nil {
		return Key{}, "", err
	}
	secret := prefixOf(o.Mode) + random
	id, err := idv.NewID[idv.KeyID](s.now(), s.random)
	if err != nil {
		return Key{}, "", fmt.Errorf("make a key: %w", err)
	}
	return Key{
		ID: id, Name: o.Name, Mode: o.Mode, Scopes: o.Scopes, Prefix: secret[:len(testPrefix)+4], Hash: digest(secret),
		CreatedAt: s.now().UTC().Truncate(time.Microsecond), ExpiresAt: o.ExpiresAt.UTC().Truncate(time.Microsecond),
	}, secret, nil
}
