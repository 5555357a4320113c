package console

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/bonafide-id/bonafide/internal/account/signin"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Passkeys answers the calls on passkeys, and those by which people prove again who they are.
type Passkeys struct {
	passkeys  *signin.Passkeys
	passwords *signin.Passwords
	consoles  *edge.ConsoleSessions
	proofs    *proofs
	tries     *edge.Limiter
	record    func(context.Context, audit.Record) error
	now       func() time.Time
}

// Routes returns the calls, in the order of the reference.
func (h *Passkeys) Routes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodPost, Path: "/v1/console/login/passkey/begin", ID: "beginPasskeyLogin", Who: edge.Anyone, Sends: edge.JSON,
			Summary:     "Begin signing in with a passkey",
			Description: "What the browser has to sign. It works once, for five minutes, in this browser, and says nothing about who has an account.",
			Bind:        edge.Call(h.beginSignIn),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/login/passkey", ID: "passkeyLogin", Who: edge.Anyone, Sends: edge.JSON,
			Summary:     "Sign in with a passkey",
			Description: "Answers a cookie. No name or password is needed: the passkey says who it is, and its device has verified the person.",
			Bind:        edge.Call(h.signIn),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/me/passkeys/begin", ID: "beginPasskey", Who: edge.Console, Fresh: true, Sends: edge.JSON,
			Summary:     "Begin with a new passkey",
			Description: "What the browser has to make a passkey for.",
			Bind:        edge.Call(h.beginAdd),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/me/passkeys", ID: "addPasskey", Who: edge.Console, Fresh: true, Sends: edge.JSON,
			Status:      http.StatusCreated,
			Summary:     "Add a passkey",
			Description: "Keeps its public half. A member may have ten.",
			Bind:        edge.Call(h.add),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/me/passkeys/{passkey}/remove", ID: "removePasskey", Who: edge.Console, Fresh: true,
			Sends:       edge.JSON,
			Summary:     "Remove a passkey",
			Description: "Never the last way in.",
			Bind:        edge.Call(h.remove),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/me/prove/begin", ID: "beginProof", Who: edge.Console, Sends: edge.JSON,
			Summary:     "Begin showing once more who one is",
			Description: "What the browser has to sign with one of the member's passkeys.",
			Bind:        edge.Call(h.beginProof),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/me/prove", ID: "prove", Who: edge.Console, Sends: edge.JSON, Status: http.StatusNoContent,
			Summary:     "Show once more who one is",
			Description: "Takes a passkey, or the password and a code. For ten minutes, calls that answered `auth.step_up` go through then.",
			Bind:        edge.Call(h.prove),
		},
	}
}

// byPasskey is the input of calls on one passkey.
type byPasskey struct {
	Passkey idv.PasskeyID `path:"passkey" maxLength:"40" doc:"Passkey id"`
	Body    *wire.Empty   `required:"false"`
}

func (h *Passkeys) beginSignIn(ctx context.Context, _ *wire.Posted) (*wire.Answer[wire.PasskeyRequest], error) {
	r, err := h.passkeys.BeginSignIn(ctx, h.consoles.Browser(ctx))
	return wire.Reply(wire.PasskeyRequestOf(r), err)
}

func (h *Passkeys) signIn(ctx context.Context, in *wire.Body[wire.PasskeyShown]) (*wire.Answer[wire.Me], error) {
	shown, err := in.Body.Decode()
	if err != nil {
		return nil, err
	}
	u, err := h.passkeys.SignIn(ctx, h.consoles.Browser(ctx), shown)
	if problem.Has(err, problem.AuthPasskey) {
		// Only what is refused counts, by where it comes from: a handle is the caller's own choice, and whoever has their passkey
		// is not kept out by others behind the same address.
		if limited := h.tries.Take(ctx, "passkey "+edge.ClientAddress(ctx)); limited != nil {
			return nil, limited
		}
	}
	if err != nil {
		return nil, h.proofs.recordRefusal(ctx, err)
	}
	return wire.Reply(wire.MeOf(u), h.consoles.SignIn(ctx, u))
}

func (h *Passkeys) beginAdd(ctx context.Context, _ *wire.Posted) (*wire.Answer[wire.PasskeyCreation], error) {
	c, err := h.passkeys.BeginRegistration(ctx, h.consoles.Browser(ctx), edge.Member(ctx))
	return wire.Reply(wire.PasskeyCreationOf(c, edge.Member(ctx)), err)
}

func (h *Passkeys) add(ctx context.Context, in *wire.Body[wire.PasskeyMade]) (*wire.Answer[wire.AddedPasskey], error) {
	made, err := in.Body.Decode()
	if err != nil {
		return nil, err
	}
	u, codes, err := h.passkeys.Register(ctx, h.consoles.Browser(ctx), edge.Member(ctx), made)
	if codes == nil {
		codes = []string{}
	}
	return wire.Reply(wire.AddedPasskey{Me: wire.MeOf(u), RecoveryCodes: codes}, err)
}

func (h *Passkeys) remove(ctx context.Context, in *byPasskey) (*wire.Answer[wire.Me], error) {
	u, err := h.passkeys.Remove(ctx, edge.Member(ctx).ID, in.Passkey)
	return wire.Reply(wire.MeOf(u), err)
}

func (h *Passkeys) beginProof(ctx context.Context, _ *wire.Posted) (*wire.Answer[wire.PasskeyRequest], error) {
	r, err := h.passkeys.BeginProof(ctx, h.consoles.Browser(ctx), edge.Member(ctx))
	return wire.Reply(wire.PasskeyRequestOf(r), err)
}

func (h *Passkeys) prove(ctx context.Context, in *wire.Body[wire.Proof]) (*wire.None, error) {
	if err := h.proofs.countTry(ctx); err != nil {
		return nil, err
	}
	if err := h.verify(ctx, in.Body); err != nil {
		if problem.Has(err, problem.AuthInvalid) || problem.Has(err, problem.AuthSecondFactor) && in.Body.Code != "" {
			err = errors.Join(err, h.record(ctx, audit.Record{Action: "user.refused", Subject: string(edge.Member(ctx).ID)}))
		}
		return nil, h.proofs.recordRefusal(ctx, err)
	}
	return nil, h.proofs.recordProof(ctx, edge.Member(ctx), h.now())
}

// verify checks a passkey, or a password and a code, of the person who is signed in.
func (h *Passkeys) verify(ctx context.Context, p wire.Proof) error {
	if p.Passkey == nil {
		return h.passwords.Prove(ctx, edge.Member(ctx), p.Password, p.Code)
	}
	shown, err := p.Passkey.Decode()
	if err != nil {
		return err
	}
	return h.passkeys.Prove(ctx, h.consoles.Browser(ctx), edge.Member(ctx), shown)
}
