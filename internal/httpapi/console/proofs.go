package console

import (
	"cmp"
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

// recordRefusal records in the audit log that a passkey was refused, and whether it may have been copied, or that passwords or codes
// come too fast; it returns err, the latter with Retry-After.
func (p *proofs) recordRefusal(ctx context.Context, err error) error {
	if slow, ok := errors.AsType[signin.TooManyFailuresError](err); ok {
		rec := audit.Record{Action: "user.slowed_down", Subject: string(slow.User)}
		return cmp.Or(p.record(ctx, rec), edge.RetryAfter(ctx, problem.AuthTooManyFailures, slow.Wait))
	}
	if !problem.Has(err, problem.AuthPasskey) {
		return err
	}
	rec := audit.Record{Action: "user.refused"}
	if back, ok := errors.AsType[signin.ClonedPasskeyError](err); ok {
		rec = audit.Record{Action: "user.passkey_counter_went_back", Subject: string(back.User)}
	}
	return errors.Join(err, p.record(ctx, rec))
}

// recordProof records that somebody proved who they are; the proof counts from at.
func (p *proofs) recordProof(ctx context.Context, u account.User, at time.Time) error {
	if err := p.record(ctx, audit.Record{Action: "user.proved", Subject: string(u.ID)}); err != nil {
		return err
	}
	p.consoles.MarkProved(ctx, at)
	return nil
}

// countTry refuses with rate.limited when somebody guesses passwords or codes in an open browser, at the rate of signing in.
func (p *proofs) countTry(ctx context.Context) error {
	return p.tries.Take(ctx, string(edge.Member(ctx).ID)+" "+edge.ClientAddress(ctx))
}
