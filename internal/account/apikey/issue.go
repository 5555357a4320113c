package apikey

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Limits of API keys.
const (
	MaxName  = 100                // characters
	MaxGrace = 7 * 24 * time.Hour // how long a rotated key works beside its replacement
)

// Request describes the key that a member asks for.
type Request struct {
	Name      string // 1 to MaxName characters
	Mode      idv.Mode
	Scopes    []account.Permission // at least one; the member must have each of them in that mode
	ExpiresAt time.Time            // zero for never
}

// Issue makes an API key for a member and returns it with its secret, which cannot be had again. Problems:
// request.malformed, auth.forbidden where the member may not do what the key would.
func (s *Service) Issue(ctx context.Context, by account.User, r Request) (account.Key, string, error) {
	if err := s.check(by, &r); err != nil {
		return account.Key{}, "", err
	}
	k, secret, err := s.generate(r)
	if err != nil {
		return account.Key{}, "", err
	}
	k.CreatedBy = by.ID
	return k, secret, s.store.AddKey(ctx, k)
}

// Create makes an API key that belongs to no member and returns it with its secret, which cannot be had again. The key
// carries the given scopes, or all of account.Scopes where none are given.
func (s *Service) Create(ctx context.Context, name string, mode idv.Mode, scopes ...account.Permission) (account.Key, string, error) {
	if len(scopes) == 0 {
		scopes = account.Scopes()
	}
	for _, p := range scopes {
		if !slices.Contains(account.Scopes(), p) {
			return account.Key{}, "", fmt.Errorf("an API key cannot carry %q", p)
		}
	}
	k, secret, err := s.generate(Request{Name: name, Mode: mode, Scopes: scopes})
	if err != nil {
		return account.Key{}, "", err
	}
	return k, secret, s.store.AddKey(ctx, k)
}

// Rotate replaces a key by one of the same name, mode, scopes and lifetime. The old key works for grace longer, at most
// MaxGrace and never beyond its own expiry. Problems: not_found, request.malformed where the key has ended already,
// auth.forbidden where the member may not do what the key does.
func (s *Service) Rotate(ctx context.Context, by account.User, id idv.KeyID, grace time.Duration) (account.Key, string, error) {
	old, err := s.store.APIKey(ctx, id)
	if err != nil {
		return account.Key{}, "", err
	}
	if err := checkScopes(by, old.Mode, old.Scopes); err != nil {
		return account.Key{}, "", err
	}
	now := s.now().UTC()
	if old.Ended(now) {
		return account.Key{}, "", problem.New(problem.RequestMalformed).Saying("This key has ended. Make a new one.")
	}
	if grace < 0 || grace > MaxGrace {
		return account.Key{}, "", problem.New(problem.RequestMalformed).At("/grace_hours").Saying("At most %d hours.", int(MaxGrace.Hours()))
	}
	r := Request{Name: old.Name, Mode: old.Mode, Scopes: old.Scopes}
	ends := now.Add(grace)
	if !old.ExpiresAt.IsZero() {
		r.ExpiresAt = now.Add(old.ExpiresAt.Sub(old.CreatedAt))
		if old.ExpiresAt.Before(ends) {
			ends = old.ExpiresAt
		}
	}
	k, secret, err := s.generate(r)
	if err != nil {
		return account.Key{}, "", err
	}
	k.CreatedBy = by.ID
	return k, secret, s.store.ReplaceKey(ctx, k, id, ends)
}

// Revoke ends a key at once and returns it. Problems: not_found.
func (s *Service) Revoke(ctx context.Context, id idv.KeyID) (account.Key, error) {
	if err := s.store.RevokeKey(ctx, id, s.now().UTC()); err != nil {
		return account.Key{}, err
	}
	return s.store.APIKey(ctx, id)
}

// check trims the name, sorts the scopes and drops duplicates, and returns the problem with a request, if any.
func (s *Service) check(by account.User, r *Request) error {
	r.Name = strings.TrimSpace(r.Name)
	if n := utf8.RuneCountInString(r.Name); n == 0 || n > MaxName {
		return problem.New(problem.RequestMalformed).At("/name").Saying("A name of 1 to %d characters says later what the key is for.", MaxName)
	}
	if len(r.Scopes) == 0 {
		return problem.New(problem.RequestMalformed).At("/scopes").Saying("A key carries at least one scope.")
	}
	if !r.ExpiresAt.IsZero() && !r.ExpiresAt.After(s.now()) {
		return problem.New(problem.RequestMalformed).At("/expires_at").Saying("It is in the past.")
	}
	r.Scopes = slices.Clone(r.Scopes)
	slices.Sort(r.Scopes)
	r.Scopes = slices.Compact(r.Scopes)
	return checkScopes(by, r.Mode, r.Scopes)
}

// checkScopes refuses a key that could do more than the member who makes it.
func checkScopes(by account.User, mode idv.Mode, scopes []account.Permission) error {
	if !account.May(by.Roles, account.KeysWrite, mode) {
		return problem.New(problem.AuthForbidden)
	}
	for _, p := range scopes {
		if !slices.Contains(account.Scopes(), p) {
			return problem.New(problem.RequestMalformed).At("/scopes").Saying("There is a scope that keys cannot carry.")
		}
		if !account.May(by.Roles, p, mode) {
			return problem.New(problem.AuthForbidden).At("/scopes").
				Saying("A key carries nothing that its maker may not do: %s is more than you may in %s mode.", p, mode)
		}
	}
	return nil
}

// generate returns a new key and its secret. It stores neither.
func (s *Service) generate(r Request) (account.Key, string, error) {
	random, err := account.NewSecret(s.random)
	if err != nil {
		return account.Key{}, "", err
	}
	secret := prefixOf(r.Mode) + random
	id, err := idv.NewID[idv.KeyID](s.now(), s.random)
	if err != nil {
		return account.Key{}, "", fmt.Errorf("make a key: %w", err)
	}
	return account.Key{
		ID: id, Name: r.Name, Mode: r.Mode, Scopes: r.Scopes, Prefix: secret[:len(testPrefix)+4], Hash: account.Digest(secret),
		CreatedAt: account.Moment(s.now()), ExpiresAt: account.Moment(r.ExpiresAt),
	}, secret, nil
}
