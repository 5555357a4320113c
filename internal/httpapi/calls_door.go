package httpapi

import (
	"context"
	"errors"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/signin"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// byPasskey is the input of calls on one passkey.
type byPasskey struct {
	Passkey idv.PasskeyID `path:"passkey" maxLength:"40" doc:"Passkey id"`
	Body    *wire.Empty   `required:"false"`
}

func (s *Server) beginPasskeyLogin(ctx context.Context, _ *wire.Posted) (*wire.Answer[wire.PasskeyRequest], error) {
	r, err := s.accounts.SignIn.Passkeys.BeginSignIn(ctx, s.consoles.Browser(ctx))
	return wire.Reply(wire.PasskeyRequestOf(r), err)
}

func (s *Server) passkeyLogin(ctx context.Context, in *wire.Body[wire.PasskeyShown]) (*wire.Answer[wire.Me], error) {
	shown, err := in.Body.Decode()
	if err != nil {
		return nil, err
	}
	u, err := s.accounts.SignIn.Passkeys.SignIn(ctx, s.consoles.Browser(ctx), shown)
	if problem.Has(err, problem.AuthPasskey) {
		// Only what is refused counts, by where it comes from: a handle is the caller's own choice, and whoever has their passkey
		// is not kept out by others behind the same address.
		if limited := s.loginTries.Take(ctx, "passkey "+edge.ClientAddress(ctx)); limited != nil {
			return nil, limited
		}
	}
	if err != nil {
		return nil, s.refusedPasskey(ctx, err)
	}
	return wire.Reply(wire.MeOf(u), s.consoles.SignIn(ctx, u))
}

// refusedPasskey records that somebody was not let in, and whether a passkey may have been copied.
func (s *Server) refusedPasskey(ctx context.Context, err error) error {
	if !problem.Has(err, problem.AuthPasskey) {
		return err
	}
	rec := audit.Record{Action: "user.refused"}
	if back, ok := errors.AsType[signin.ClonedPasskeyError](err); ok {
		rec = audit.Record{Action: "user.passkey_counter_went_back", Subject: string(back.User)}
	}
	return errors.Join(err, s.record(ctx, rec))
}

func (s *Server) beginPasskey(ctx context.Context, _ *wire.Posted) (*wire.Answer[wire.PasskeyCreation], error) {
	c, err := s.accounts.SignIn.Passkeys.BeginRegistration(ctx, s.consoles.Browser(ctx), edge.Member(ctx))
	return wire.Reply(wire.PasskeyCreationOf(c, edge.Member(ctx)), err)
}

func (s *Server) addPasskey(ctx context.Context, in *wire.Body[wire.PasskeyMade]) (*wire.Answer[wire.AddedPasskey], error) {
	made, err := in.Body.Decode()
	if err != nil {
		return nil, err
	}
	u, codes, err := s.accounts.SignIn.Passkeys.Register(ctx, s.consoles.Browser(ctx), edge.Member(ctx), made)
	if codes == nil {
		codes = []string{}
	}
	return wire.Reply(wire.AddedPasskey{Me: wire.MeOf(u), RecoveryCodes: codes}, err)
}

func (s *Server) removePasskey(ctx context.Context, in *byPasskey) (*wire.Answer[wire.Me], error) {
	u, err := s.accounts.SignIn.Passkeys.Remove(ctx, edge.Member(ctx).ID, in.Passkey)
	return wire.Reply(wire.MeOf(u), err)
}

func (s *Server) beginProof(ctx context.Context, _ *wire.Posted) (*wire.Answer[wire.PasskeyRequest], error) {
	r, err := s.accounts.SignIn.Passkeys.BeginProof(ctx, s.consoles.Browser(ctx), edge.Member(ctx))
	return wire.Reply(wire.PasskeyRequestOf(r), err)
}

func (s *Server) prove(ctx context.Context, in *wire.Body[wire.Proof]) (*wire.None, error) {
	if err := s.tryAgain(ctx); err != nil {
		return nil, err
	}
	if err := s.proveBy(ctx, in.Body); err != nil {
		if problem.Has(err, problem.AuthInvalid) || problem.Has(err, problem.AuthSecondFactor) && in.Body.Code != "" {
			err = errors.Join(err, s.record(ctx, audit.Record{Action: "user.refused", Subject: string(edge.Member(ctx).ID)}))
		}
		return nil, s.refusedPasskey(ctx, err)
	}
	return nil, s.proved(ctx, edge.Member(ctx), s.now())
}

// proved lets a fresh proof count from when it was given, once it is on record.
func (s *Server) proved(ctx context.Context, u account.User, at time.Time) error {
	if err := s.record(ctx, audit.Record{Action: "user.proved", Subject: string(u.ID)}); err != nil {
		return err
	}
	s.consoles.MarkProved(ctx, at)
	return nil
}

func (s *Server) proveBy(ctx context.Context, p wire.Proof) error {
	if p.Passkey == nil {
		return s.accounts.SignIn.Passwords.Prove(ctx, edge.Member(ctx), p.Password, p.Code)
	}
	shown, err := p.Passkey.Decode()
	if err != nil {
		return err
	}
	return s.accounts.SignIn.Passkeys.Prove(ctx, s.consoles.Browser(ctx), edge.Member(ctx), shown)
}
