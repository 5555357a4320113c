package console

import (
	"context"
	"errors"
	"net/http"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/signin"
	"github.com/bonafide-id/bonafide/internal/account/team"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/mail"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// SignIn answers the calls that make the first owner and sign people in and out.
type SignIn struct {
	setup     *team.Setup
	passwords *signin.Passwords
	passkeys  *signin.Passkeys
	sso       *signin.SSO
	consoles  *edge.ConsoleSessions
	proofs    *proofs
	tries     *edge.Limiter
	record    func(context.Context, audit.Record) error
	office    *mail.Office
}

// Routes returns the calls, in the order of the reference.
func (h *SignIn) Routes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodGet, Path: "/v1/console/setup", ID: "getSetup", Who: edge.Anyone,
			Summary:     "Is setup needed?",
			Description: "True until the first owner was made.",
			Bind:        edge.Call(h.setupState),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/setup", ID: "setup", Who: edge.Anyone, Sends: edge.JSON,
			Summary:     "Make the first owner",
			Description: "Takes the setup token that the server printed, once, and signs the owner in.",
			Bind:        edge.Call(h.createOwner),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/login", ID: "login", Who: edge.Anyone, Sends: edge.JSON,
			Summary: "Sign in",
			Description: "Answers a cookie. Ten tries in ten minutes for an account and address. After five wrong passwords in a row the account " +
				"waits between tries, 1 s at first and 15 minutes at most, and after five wrong codes an hour (`auth.too_many_failures`). " +
				"Networks that somebody signed in to the account from count for themselves; whether there is such an account makes no difference. " +
				"A member with a second factor is answered `auth.second_factor` until the code is sent along.",
			Bind: edge.Call(h.login),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/logout", ID: "logout", Who: edge.Console, Sends: edge.JSON, Status: http.StatusNoContent,
			Summary:     "Sign out",
			Description: "Ends the console session.",
			Bind:        edge.Call(h.logout),
		},
		{
			Method: http.MethodGet, Path: "/v1/console/me", ID: "me", Who: edge.Console,
			Summary:     "Who am I?",
			Description: "The person who is signed in and what they may do.",
			Bind:        edge.Call(h.me),
		},
	}
}

func (h *SignIn) setupState(ctx context.Context, _ *wire.None) (*wire.Answer[wire.SetupState], error) {
	needed, err := h.setup.Needed(ctx)
	origin, passkeys := h.passkeys.Origin()
	return wire.Reply(wire.SetupState{Needed: needed, Origin: origin, Passkeys: passkeys, SSO: h.ssoName(), Mail: h.office.On()}, err)
}

func (h *SignIn) createOwner(ctx context.Context, in *wire.Body[wire.SetupAnswer]) (*wire.Answer[wire.Me], error) {
	u, err := h.setup.CreateOwner(ctx, team.Owner(in.Body))
	if err != nil {
		return nil, err
	}
	return wire.Reply(wire.MeOf(u), h.consoles.SignIn(ctx, u))
}

func (h *SignIn) login(ctx context.Context, in *wire.Body[wire.Credentials]) (*wire.Answer[wire.Me], error) {
	if err := h.tries.Take(ctx, account.NormalizeEmail(in.Body.Email)+" "+edge.ClientAddress(ctx)); err != nil {
		return nil, err
	}
	u, err := h.authenticate(ctx, in.Body)
	if problem.Has(err, problem.AuthInvalid) || (problem.Has(err, problem.AuthSecondFactor) && in.Body.Code != "") {
		err = errors.Join(err, h.record(ctx, audit.Record{Action: "user.refused"}))
	}
	if err != nil {
		return nil, h.proofs.recordRefusal(ctx, err)
	}
	return wire.Reply(wire.MeOf(u), h.consoles.SignIn(ctx, u))
}

// authenticate checks a password with what the member has as a second factor.
func (h *SignIn) authenticate(ctx context.Context, c wire.Credentials) (account.User, error) {
	if c.Passkey == nil {
		return h.passwords.SignIn(ctx, c.Email, c.Password, c.Code)
	}
	shown, err := c.Passkey.Decode()
	if err != nil {
		return account.User{}, err
	}
	return h.passwords.SignInWithPasskey(ctx, h.consoles.Browser(ctx), c.Email, c.Password, shown)
}

func (h *SignIn) logout(ctx context.Context, _ *wire.Posted) (*wire.None, error) {
	return nil, h.consoles.SignOut(ctx, audit.Record{Action: "user.signed_out"})
}

func (h *SignIn) me(ctx context.Context, _ *wire.None) (*wire.Answer[wire.Me], error) {
	u := edge.Member(ctx)
	u.Failures = h.consoles.Failures(ctx)
	return wire.Reply(wire.MeOf(u), nil)
}

// ssoName returns what single sign-on is called; empty where there is none.
func (h *SignIn) ssoName() string {
	if o := h.sso.Config(); o.Provider != nil {
		return o.Name
	}
	return ""
}
