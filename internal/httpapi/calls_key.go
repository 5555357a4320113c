package httpapi

import (
	"context"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/apikey"
	"github.com/bonafide-id/bonafide/internal/problem"
)

func (s *Server) listKeys(ctx context.Context, in *ofMode) (*answer[APIKeyList], error) {
	if err := mayInMode(ctx, account.KeysRead, in.Mode); err != nil {
		return nil, err
	}
	found, err := s.accounts.Keys.List(ctx, in.Mode)
	out := APIKeyList{Items: []APIKey{}, Scopes: []KeyScope{}}
	for _, k := range found {
		out.Items = append(out.Items, keyOf(k, "", s.now()))
	}
	for _, r := range account.Rules() {
		if r.Key && may(ctx, account.KeysWrite, in.Mode) && may(ctx, r.Permission, in.Mode) {
			out.Scopes = append(out.Scopes, KeyScope{Scope: string(r.Permission), What: r.What})
		}
	}
	return reply(out, err)
}

func (s *Server) createKey(ctx context.Context, in *body[NewAPIKey]) (*answer[APIKey], error) {
	o := apikey.Request{Name: in.Body.Name, Mode: orTest(in.Body.Mode)}
	for _, scope := range in.Body.Scopes {
		o.Scopes = append(o.Scopes, account.Permission(scope))
	}
	if in.Body.ExpiresAt != nil {
		o.ExpiresAt = *in.Body.ExpiresAt
	}
	k, secret, err := s.accounts.Keys.Issue(ctx, userOf(ctx), o)
	return reply(keyOf(k, secret, s.now()), err)
}

func (s *Server) rotateKey(ctx context.Context, in *keyRotation) (*answer[APIKey], error) {
	if err := s.reachKey(ctx, in.ByKey); err != nil {
		return nil, err
	}
	k, secret, err := s.accounts.Keys.Rotate(ctx, userOf(ctx), in.ID, time.Duration(in.Body.GraceHours)*time.Hour)
	return reply(keyOf(k, secret, s.now()), err)
}

func (s *Server) revokeKey(ctx context.Context, in *byKeyPosted) (*answer[APIKey], error) {
	if err := s.reachKey(ctx, in.ByKey); err != nil {
		return nil, err
	}
	k, err := s.accounts.Keys.Revoke(ctx, in.ID)
	return reply(keyOf(k, "", s.now()), err)
}

// reachKey refuses a key of a mode in which the person may not manage keys: to them it is not there.
func (s *Server) reachKey(ctx context.Context, in ByKey) error {
	k, err := s.accounts.Keys.Find(ctx, in.ID)
	if err == nil && !may(ctx, account.KeysWrite, k.Mode) {
		return problem.New(problem.NotFound)
	}
	return err
}

// keyOf is a key as the console shows it: with its secret only when it was made just now.
func keyOf(k account.Key, secret string, now time.Time) APIKey {
	out := APIKey{
		ID: k.ID, Name: k.Name, Mode: k.Mode, Scopes: []string{}, Prefix: k.Prefix, Status: "active", CreatedAt: k.CreatedAt.UTC(),
		CreatedBy: k.CreatedBy, LastUsedAt: at(k.LastUsedAt), ExpiresAt: at(k.ExpiresAt), RevokedAt: at(k.RevokedAt), Secret: secret,
	}
	for _, scope := range k.Scopes {
		out.Scopes = append(out.Scopes, string(scope))
	}
	switch {
	case !k.RevokedAt.IsZero():
		out.Status = "revoked"
	case k.Ended(now):
		out.Status = "expired"
	}
	return out
}
