package signin

import (
	"context"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// AttemptStore counts the wrong proofs of accounts, for all nodes together. An account is a normalized address, whether or not
// somebody has it. A network is an address range; the empty one is never known.
type AttemptStore interface {
	// ChangeAttempts changes the attempts from that network where somebody signed in to the account from it, otherwise those from
	// all other networks together. Changes come one after the other. An error of the callback undoes the change. What is changed
	// is kept until expires at least.
	ChangeAttempts(ctx context.Context, normal, network string, expires time.Time, change func(*account.Attempts) error) error
	// SettleAttempts returns the failures from all networks and clears them, and knows the network until expires.
	SettleAttempts(ctx context.Context, normal, network string, expires time.Time) (account.Failures, error)
}

// TooManyFailuresError says how long an account is closed to a network after wrong passwords or codes.
type TooManyFailuresError struct {
	User idv.UserID // empty where nobody has the address
	Wait time.Duration
}

// Error implements error.
func (TooManyFailuresError) Error() string { return "too many wrong passwords or codes" }

// Unwrap returns problem auth.too_many_failures.
func (TooManyFailuresError) Unwrap() error { return problem.New(problem.AuthTooManyFailures) }

// attempts slows down those who guess passwords and codes, from however many addresses they do. Members who sign in from where they
// did before are not slowed down by others.
type attempts struct {
	store AttemptStore
	source
}

// takePassword counts a password before it is checked. The user is the zero value where nobody has the address. Problems:
// auth.too_many_failures, as TooManyFailuresError.
func (a *attempts) takePassword(ctx context.Context, normal string, u account.User) error {
	return a.take(ctx, normal, u, (*account.Attempts).TakePassword)
}

// takeCode counts a code before it is checked. Problems: auth.too_many_failures, as TooManyFailuresError.
func (a *attempts) takeCode(ctx context.Context, u account.User) error {
	return a.take(ctx, u.Normal, u, (*account.Attempts).TakeCode)
}

func (a *attempts) take(
	ctx context.Context, normal string, u account.User, take func(*account.Attempts, time.Time) time.Duration,
) error {
	now := a.moment()
	life := account.MemberAttemptsLife
	if u.ID == "" {
		life = account.UnknownAttemptsLife
	}
	return a.store.ChangeAttempts(ctx, normal, networkOf(ctx), now.Add(life), func(x *account.Attempts) error {
		if wait := take(x, now); wait > 0 {
			return TooManyFailuresError{User: u.ID, Wait: wait}
		}
		return nil
	})
}

// accept takes back the count of a proof that was right.
func (a *attempts) accept(ctx context.Context, u account.User, accept func(*account.Attempts)) error {
	return a.store.ChangeAttempts(ctx, u.Normal, networkOf(ctx), a.moment().Add(account.MemberAttemptsLife), func(x *account.Attempts) error {
		accept(x)
		return nil
	})
}

// confirm checks the password of the member who is signed in, and counts it where it is wrong. Problems: auth.invalid,
// auth.too_many_failures.
func (a *attempts) confirm(ctx context.Context, h Hasher, u account.User, pass string) error {
	if err := a.takePassword(ctx, u.Normal, u); err != nil {
		return err
	}
	same, err := h.Matches(ctx, pass, u.PasswordHash)
	if err != nil {
		return err
	}
	if !same {
		return problem.New(problem.AuthInvalid).At("/present").Saying("The present password is wrong.")
	}
	return a.accept(ctx, u, (*account.Attempts).AcceptPassword)
}

// settle returns the member with the failures since their last sign-in and clears them in the store.
func (a *attempts) settle(ctx context.Context, u account.User) (account.User, error) {
	f, err := a.store.SettleAttempts(ctx, u.Normal, networkOf(ctx), a.moment().Add(account.MemberAttemptsLife))
	u.Failures = f
	return u, err
}

// networkOf returns the address range that the request came from; empty for an unknown one.
func networkOf(ctx context.Context) string { return audit.Subscriber(audit.ActorFrom(ctx).Address) }
