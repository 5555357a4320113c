package console

import (
	"context"
	"errors"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/signin"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// proofs count and record how people show who they are.
type proofs struct {
	consoles *edge.ConsoleSessions
	tries    *edge.Limiter
	record   func(context.Context, audit.Record) error
}

// refusedPasskey records that somebody was not let in, and whether a passkey may have been copied.
func (p *proofs) recordRefusal(ctx context.Context, err error) error {
	if !problem.Has(err, problem.AuthPasskey) {
		return err
	}
	rec := audit.Record{Action: "user.refused"}
	if back, ok := errors.AsType[signin.ClonedPasskeyError](err); ok {
		rec = audit.Record{Action: "user.passkey_counter_went_back", Subject: string(back.User)}
	}
	return errors.Join(err, p.record(ctx, rec))
}

// proved lets a fresh proof count from when it was given, once it is on record.
func (p *proofs) recordProof(ctx context.Context, u account.User, at time.Time) error {
	if err := p.record(ctx, audit.Record{Action: "user.proved", Subject: string(u.ID)}); err != nil {
		return err
	}
	p.consoles.MarkProved(ctx, at)
	return nil
}

// tryAgain slows down whoever guesses a password or code in somebody's open browser, as at the login.
func (p *proofs) countTry(ctx context.Context) error {
	return p.tries.Take(ctx, string(edge.Member(ctx).ID)+" "+edge.ClientAddress(ctx))
}
