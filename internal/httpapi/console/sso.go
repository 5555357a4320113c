package console

import (
	"context"
	"errors"
	"log/slog"
	"net/http"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/signin"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// SSO answers the calls of single sign-on.
type SSO struct {
	sso      *signin.SSO
	passkeys *signin.Passkeys
	consoles *edge.ConsoleSessions
	proofs   *proofs
	record   func(context.Context, audit.Record) error
	log      *slog.Logger
}

// Routes returns the calls, in the order of the reference.
func (h *SSO) Routes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodPost, Path: "/v1/console/me/prove/sso", ID: "beginSSOProof", Who: edge.Console, Sends: edge.JSON,
			Summary:     "Show once more who one is by single sign-on",
			Description: "Answers where the browser goes. The identity provider asks the person to sign in again.",
			Bind:        edge.Call(h.beginProof),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/me/sso/begin", ID: "beginSSOLink", Who: edge.Console, Fresh: true, Sends: edge.JSON,
			Summary:     "Begin linking single sign-on",
			Description: "Answers where the browser goes. Whoever signs in there opens this account from then on.",
			Bind:        edge.Call(h.beginLink),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/me/sso/remove", ID: "unlinkSSO", Who: edge.Console, Fresh: true, Sends: edge.JSON,
			Summary:     "Unlink single sign-on",
			Description: "Never the last way in.",
			Bind:        edge.Call(h.unlink),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/sso/begin", ID: "beginSSO", Who: edge.Anyone, Sends: edge.JSON,
			Summary:     "Begin single sign-on",
			Description: "Answers where the browser goes. The provider sends it back to `/login/sso` with what `finishSSO` takes.",
			Bind:        edge.Call(h.beginSignIn),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/sso/finish", ID: "finishSSO", Who: edge.Anyone, Sends: edge.JSON,
			Summary: "Finish single sign-on",
			Description: "Takes what the provider sent back, once, in the browser that began. Roles follow what the provider says, at each " +
				"signing in.",
			Bind: edge.Call(h.finish),
		},
		{
			Method: http.MethodGet, Path: "/v1/console/settings/security", ID: "getSecurity", Who: edge.Console, May: account.TeamManage,
			Summary:     "How people sign in here",
			Description: "What is set up for passkeys, single sign-on and console sessions. Never a secret.",
			Bind:        edge.Call(h.security),
		},
	}
}

func (h *SSO) beginSignIn(ctx context.Context, in *wire.Body[wire.SSOBegin]) (*wire.Answer[wire.SSOGo], error) {
	return h.begin(ctx, signin.SSOSignIn, in.Body.Next)
}

func (h *SSO) beginLink(ctx context.Context, in *wire.Body[wire.SSOBegin]) (*wire.Answer[wire.SSOGo], error) {
	return h.begin(ctx, signin.SSOLink, in.Body.Next)
}

func (h *SSO) beginProof(ctx context.Context, in *wire.Body[wire.SSOBegin]) (*wire.Answer[wire.SSOGo], error) {
	return h.begin(ctx, signin.SSOProve, in.Body.Next)
}

// begin answers the address of the identity provider, to which the browser goes for that purpose.
func (h *SSO) begin(ctx context.Context, why signin.SSOPurpose, next string) (*wire.Answer[wire.SSOGo], error) {
	to, err := h.sso.Begin(ctx, h.consoles.Browser(ctx), why, edge.Member(ctx).ID, next)
	return wire.Reply(wire.SSOGo{URL: to}, h.logFailure(ctx, err))
}

func (h *SSO) finish(ctx context.Context, in *wire.Body[wire.SSOReturn]) (*wire.Answer[wire.SSOEntered], error) {
	var present idv.UserID // who is signed in here, for whoever links or proves
	if u, err := h.consoles.Member(ctx); err == nil {
		present = u.ID
		ctx = audit.WithActor(ctx, audit.Actor{Kind: audit.User, ID: string(present), Address: edge.ClientAddress(ctx)})
	}
	got, err := h.sso.Finish(ctx, h.consoles.Browser(ctx), present, signin.SSOCallback(in.Body))
	if err != nil {
		if problem.Has(err, problem.AuthSSORefused) {
			err = errors.Join(err, h.record(ctx, audit.Record{Action: "user.refused"}))
		}
		return nil, h.logFailure(ctx, err)
	}
	out := wire.SSOEntered{Me: wire.MeOf(got.User), Next: got.Next}
	switch got.Purpose {
	case signin.SSOLink:
		return wire.Reply(out, nil)
	case signin.SSOProve:
		return wire.Reply(out, h.proofs.recordProof(ctx, got.User, got.ProvedAt))
	default:
		return wire.Reply(out, h.consoles.SignInProvedAt(ctx, got.User, got.ProvedAt))
	}
}

// logFailure logs why the identity provider could not be used, and returns err: the person learns only that it failed.
func (h *SSO) logFailure(ctx context.Context, err error) error {
	if err != nil && (problem.Has(err, problem.AuthSSOUnavailable) || problem.Has(err, problem.AuthSSORefused)) {
		attrs := []any{"request_id", edge.RequestID(ctx), "code", codeOf(err)}
		if problem.Has(err, problem.AuthSSOUnavailable) {
			attrs = append(attrs, "error", err) // names the provider, nobody else
		}
		h.log.WarnContext(ctx, "single sign-on", attrs...)
	}
	return err
}

// codeOf returns the code of a problem; empty for other errors.
func codeOf(err error) string {
	if p, ok := problem.As(err); ok {
		return p.Kind.Code
	}
	return ""
}

func (h *SSO) unlink(ctx context.Context, _ *wire.Posted) (*wire.Answer[wire.Me], error) {
	u, err := h.sso.Unlink(ctx, edge.Member(ctx).ID)
	return wire.Reply(wire.MeOf(u), err)
}

func (h *SSO) security(_ context.Context, _ *wire.None) (*wire.Answer[wire.Security], error) {
	origin, passkeys := h.passkeys.Origin()
	return wire.Reply(wire.Security{
		Origin: origin, Passkeys: passkeys, SSO: wire.SSOStateOf(h.sso.Config()), IdleMinutes: int(edge.ConsoleIdle.Minutes()),
		TotalHours: int(edge.ConsoleTotal.Hours()), ProofMinutes: int(signin.ProofLife.Minutes()),
	}, nil)
}
