package httpapi

import (
	"context"
	"errors"

	"github.com/bonafide-id/bonafide/internal/account/signin"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

func (s *Server) ssoName() string {
	if o := s.accounts.SignIn.SSO.Config(); o.Provider != nil {
		return o.Name
	}
	return ""
}

func (s *Server) beginSSO(ctx context.Context, in *wire.Body[wire.SSOBegin]) (*wire.Answer[wire.SSOGo], error) {
	return s.goToProvider(ctx, signin.SSOSignIn, in.Body.Next)
}

func (s *Server) beginSSOLink(ctx context.Context, in *wire.Body[wire.SSOBegin]) (*wire.Answer[wire.SSOGo], error) {
	return s.goToProvider(ctx, signin.SSOLink, in.Body.Next)
}

func (s *Server) beginSSOProof(ctx context.Context, in *wire.Body[wire.SSOBegin]) (*wire.Answer[wire.SSOGo], error) {
	return s.goToProvider(ctx, signin.SSOProve, in.Body.Next)
}

func (s *Server) goToProvider(ctx context.Context, why signin.SSOPurpose, next string) (*wire.Answer[wire.SSOGo], error) {
	to, err := s.accounts.SignIn.SSO.Begin(ctx, s.consoles.Browser(ctx), why, edge.Member(ctx).ID, next)
	return wire.Reply(wire.SSOGo{URL: to}, s.toldSSO(ctx, err))
}

func (s *Server) finishSSO(ctx context.Context, in *wire.Body[wire.SSOReturn]) (*wire.Answer[wire.SSOEntered], error) {
	var present idv.UserID // who is signed in here, for whoever links or proves
	if u, err := s.consoles.Member(ctx); err == nil {
		present = u.ID
		ctx = audit.WithActor(ctx, audit.Actor{Kind: audit.User, ID: string(present), Address: edge.ClientAddress(ctx)})
	}
	got, err := s.accounts.SignIn.SSO.Finish(ctx, s.consoles.Browser(ctx), present, signin.SSOCallback(in.Body))
	if err != nil {
		if problem.Has(err, problem.AuthSSORefused) {
			err = errors.Join(err, s.record(ctx, audit.Record{Action: "user.refused"}))
		}
		return nil, s.toldSSO(ctx, err)
	}
	out := wire.SSOEntered{Me: wire.MeOf(got.User), Next: got.Next}
	switch got.Purpose {
	case signin.SSOLink:
		return wire.Reply(out, nil)
	case signin.SSOProve:
		return wire.Reply(out, s.proved(ctx, got.User, got.ProvedAt))
	default:
		return wire.Reply(out, s.consoles.SignInProvedAt(ctx, got.User, got.ProvedAt))
	}
}

// toldSSO logs why the provider could not be asked: the person is told only that.
func (s *Server) toldSSO(ctx context.Context, err error) error {
	if err != nil && (problem.Has(err, problem.AuthSSOUnavailable) || problem.Has(err, problem.AuthSSORefused)) {
		attrs := []any{"request_id", edge.RequestID(ctx), "code", codeOf(err)}
		if problem.Has(err, problem.AuthSSOUnavailable) {
			attrs = append(attrs, "error", err) // names the provider, nobody else
		}
		s.log.WarnContext(ctx, "single sign-on", attrs...)
	}
	return err
}

func codeOf(err error) string {
	if p, ok := problem.As(err); ok {
		return p.Kind.Code
	}
	return ""
}

func (s *Server) unlinkSSO(ctx context.Context, _ *wire.Posted) (*wire.Answer[wire.Me], error) {
	u, err := s.accounts.SignIn.SSO.Unlink(ctx, edge.Member(ctx).ID)
	return wire.Reply(wire.MeOf(u), err)
}

func (s *Server) getSecurity(_ context.Context, _ *wire.None) (*wire.Answer[wire.Security], error) {
	origin, passkeys := s.accounts.SignIn.Passkeys.Origin()
	return wire.Reply(wire.Security{
		Origin: origin, Passkeys: passkeys, SSO: wire.SSOStateOf(s.accounts.SignIn.SSO.Config()), IdleMinutes: int(edge.ConsoleIdle.Minutes()),
		TotalHours: int(edge.ConsoleTotal.Hours()), ProofMinutes: int(signin.ProofLife.Minutes()),
	}, nil)
}
