package console

import (
	"context"
	"net/http"

	"github.com/bonafide-id/bonafide/internal/account/signin"
	"github.com/bonafide-id/bonafide/internal/account/team"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
)

// Account answers the calls by which people join the team and change their own account.
type Account struct {
	invitations    *team.Invitations
	passwords      *signin.Passwords
	authenticators *signin.Authenticators
	signInSessions *signin.Sessions
	consoles       *edge.ConsoleSessions
	proofs         *proofs
	members        *team.Members
	brand          string // what authenticator apps call the account's issuer
}

// Routes returns the calls, in the order of the reference.
func (h *Account) Routes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodPost, Path: "/v1/console/join/peek", ID: "invited", Who: edge.Anyone, Sends: edge.JSON,
			Summary:     "Look at an invitation",
			Description: "Changes nothing.",
			Bind:        edge.Call(h.invitation),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/join", ID: "join", Who: edge.Anyone, Sends: edge.JSON,
			Summary:     "Take up an invitation",
			Description: "Makes the member and signs them in.",
			Bind:        edge.Call(h.join),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/me/password", ID: "changePassword", Who: edge.Console, Sends: edge.JSON,
			Summary:     "Change one's password",
			Description: "Ends every other console session of this member.",
			Bind:        edge.Call(h.changePassword),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/me/sign-out-elsewhere", ID: "signOutElsewhere", Who: edge.Console, Sends: edge.JSON,
			Summary:     "Sign out everywhere else",
			Description: "Ends every other console session of this member.",
			Bind:        edge.Call(h.signOutElsewhere),
		},
		{
			Method: http.MethodPut, Path: "/v1/console/me/notices", ID: "setNotices", Who: edge.Console, Sends: edge.JSON,
			Summary:     "Choose notices by mail",
			Description: "The notices that this member gets by mail from now on, from those that their roles may see (`offered_notices`).",
			Bind:        edge.Call(h.setNotices),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/me/factor", ID: "beginFactor", Who: edge.Console, Fresh: true, Sends: edge.JSON,
			Summary:     "Begin with a second factor",
			Description: "Draws the secret for an authenticator app. Nothing asks for it before one of its codes was shown.",
			Bind:        edge.Call(h.beginFactor),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/me/factor/confirm", ID: "confirmFactor", Who: edge.Console, Fresh: true, Sends: edge.JSON,
			Summary:     "Switch the second factor on",
			Description: "Takes a code of the app, answers the recovery codes this once.",
			Bind:        edge.Call(h.confirmFactor),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/me/factor/remove", ID: "removeFactor", Who: edge.Console, Fresh: true, Sends: edge.JSON,
			Status:      http.StatusNoContent,
			Summary:     "Switch the second factor off",
			Description: "Takes the password and a code.",
			Bind:        edge.Call(h.removeFactor),
		},
	}
}

func (h *Account) invitation(ctx context.Context, in *wire.Body[wire.InvitationToken]) (*wire.Answer[wire.Invited], error) {
	i, err := h.invitations.Find(ctx, in.Body.Token)
	if err != nil {
		return nil, err
	}
	return wire.Reply(wire.Invited{Email: i.Email, Roles: i.Roles, ExpiresAt: i.ExpiresAt.UTC()}, nil)
}

func (h *Account) join(ctx context.Context, in *wire.Body[wire.JoinAnswer]) (*wire.Answer[wire.Me], error) {
	u, err := h.invitations.Accept(ctx, team.Acceptance(in.Body))
	if err != nil {
		return nil, err
	}
	return wire.Reply(wire.MeOf(u), h.consoles.SignIn(ctx, u))
}

func (h *Account) changePassword(ctx context.Context, in *wire.Body[wire.NewPassword]) (*wire.Answer[wire.Me], error) {
	if err := h.proofs.countTry(ctx); err != nil {
		return nil, err
	}
	u, err := h.passwords.Change(ctx, edge.Member(ctx), in.Body.Present, in.Body.Password)
	if err != nil {
		return nil, h.proofs.recordRefusal(ctx, err)
	}
	return wire.Reply(wire.MeOf(u), h.consoles.Renew(ctx, u))
}

func (h *Account) signOutElsewhere(ctx context.Context, _ *wire.Posted) (*wire.Answer[wire.Me], error) {
	u, err := h.signInSessions.EndAll(ctx, edge.Member(ctx).ID)
	if err != nil {
		return nil, err
	}
	return wire.Reply(wire.MeOf(u), h.consoles.Renew(ctx, u))
}

func (h *Account) setNotices(ctx context.Context, in *wire.Body[wire.NewNotices]) (*wire.Answer[wire.Me], error) {
	u, err := h.members.SetNotices(ctx, edge.Member(ctx), in.Body.Notices)
	if err != nil {
		return nil, err
	}
	return wire.Reply(wire.MeOf(u), nil)
}

func (h *Account) beginFactor(ctx context.Context, in *wire.Body[wire.BeginFactor]) (*wire.Answer[wire.FactorSecret], error) {
	if err := h.proofs.countTry(ctx); err != nil {
		return nil, err
	}
	f, err := h.authenticators.Begin(ctx, edge.Member(ctx), in.Body.Present, h.brand)
	if err != nil {
		return nil, h.proofs.recordRefusal(ctx, err)
	}
	qr, err := wire.QRCodeOf(f.URI)
	return wire.Reply(wire.FactorSecret{Secret: f.Secret, URI: f.URI, QR: qr}, err)
}

func (h *Account) confirmFactor(ctx context.Context, in *wire.Body[wire.FactorCode]) (*wire.Answer[wire.RecoveryCodes], error) {
	if err := h.proofs.countTry(ctx); err != nil {
		return nil, err
	}
	codes, err := h.authenticators.Confirm(ctx, edge.Member(ctx).ID, in.Body.Code)
	return wire.Reply(wire.RecoveryCodes{Codes: codes}, err)
}

func (h *Account) removeFactor(ctx context.Context, in *wire.Body[wire.RemoveFactor]) (*wire.None, error) {
	if err := h.proofs.countTry(ctx); err != nil {
		return nil, err
	}
	return nil, h.proofs.recordRefusal(ctx, h.authenticators.Remove(ctx, edge.Member(ctx), in.Body.Present, in.Body.Code))
}
