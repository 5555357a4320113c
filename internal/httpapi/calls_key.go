package httpapi

import (
	"context"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/apikey"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/problem"
)

func (s *Server) listKeys(ctx context.Context, in *wire.ByMode) (*wire.Answer[wire.APIKeyList], error) {
	if err := edge.CheckMay(ctx, account.KeysRead, in.Mode); err != nil {
		return nil, err
	}
	found, err := s.accounts.Keys.List(ctx, in.Mode)
	out := wire.APIKeyList{Items: []wire.APIKey{}, Scopes: []wire.KeyScope{}}
	for _, k := range found {
		out.Items = append(out.Items, wire.APIKeyOf(k, "", s.now()))
	}
	for _, r := range account.Rules() {
		if r.Key && edge.May(ctx, account.KeysWrite, in.Mode) && edge.May(ctx, r.Permission, in.Mode) {
			out.Scopes = append(out.Scopes, wire.KeyScope{Scope: string(r.Permission), What: r.What})
		}
	}
	return wire.Reply(out, err)
}

func (s *Server) createKey(ctx context.Context, in *wire.Body[wire.NewAPIKey]) (*wire.Answer[wire.APIKey], error) {
	o := apikey.Request{Name: in.Body.Name, Mode: wire.ModeOrTest(in.Body.Mode)}
	for _, scope := range in.Body.Scopes {
		o.Scopes = append(o.Scopes, account.Permission(scope))
	}
	if in.Body.ExpiresAt != nil {
		o.ExpiresAt = *in.Body.ExpiresAt
	}
	k, secret, err := s.accounts.Keys.Issue(ctx, edge.Member(ctx), o)
	return wire.Reply(wire.APIKeyOf(k, secret, s.now()), err)
}

func (s *Server) rotateKey(ctx context.Context, in *keyRotation) (*wire.Answer[wire.APIKey], error) {
	if err := s.reachKey(ctx, in.ByKey); err != nil {
		return nil, err
	}
	k, secret, err := s.accounts.Keys.Rotate(ctx, edge.Member(ctx), in.ID, time.Duration(in.Body.GraceHours)*time.Hour)
	return wire.Reply(wire.APIKeyOf(k, secret, s.now()), err)
}

func (s *Server) revokeKey(ctx context.Context, in *byKeyPosted) (*wire.Answer[wire.APIKey], error) {
	if err := s.reachKey(ctx, in.ByKey); err != nil {
		return nil, err
	}
	k, err := s.accounts.Keys.Revoke(ctx, in.ID)
	return wire.Reply(wire.APIKeyOf(k, "", s.now()), err)
}

// reachKey refuses a key of a mode in which the person may not manage keys: to them it is not there.
func (s *Server) reachKey(ctx context.Context, in ByKey) error {
	k, err := s.accounts.Keys.Find(ctx, in.ID)
	if err == nil && !edge.May(ctx, account.KeysWrite, k.Mode) {
		return problem.New(problem.NotFound)
	}
	return err
}
