package signin

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/password"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// PasswordStore is what Passwords reads and writes.
type PasswordStore interface {
	UserStore
	UserByEmail(ctx context.Context, normal string) (account.User, error)
}

// Passwords signs members in by address and password and, where they have one, by a second factor.
type Passwords struct {
	store          PasswordStore
	hasher         Hasher
	authenticators *Authenticators
	passkeys       *Passkeys
	sessions       *Sessions
	attempts       *attempts
	source
}

// SignIn returns the member with that address and password and, where they have a second factor, that one-time code.
// Only the right password reveals that there is a second factor. Problems: auth.invalid, auth.second_factor,
// auth.too_many_failures (TooManyFailuresError).
func (s *Passwords) SignIn(ctx context.Context, email, pass, code string) (account.User, error) {
	u, err := s.find(ctx, email, pass)
	if err != nil {
		return account.User{}, err
	}
	if u.Factor.On() {
		if err := s.authenticators.redeem(ctx, u, code); err != nil {
			return account.User{}, err
		}
	}
	return s.sessions.record(ctx, u)
}

// SignInWithPasskey is SignIn with a passkey in place of the code. The passkey must be one of the member with that
// address and password. Problems: auth.invalid, auth.passkey, auth.too_many_failures.
func (s *Passwords) SignInWithPasskey(ctx context.Context, browser, email, pass string, a Assertion) (account.User, error) {
	u, err := s.find(ctx, email, pass)
	if err != nil {
		return account.User{}, err
	}
	if u, err = s.passkeys.verify(ctx, forSignIn, browser, u.ID, a); err != nil {
		return account.User{}, err
	}
	return s.sessions.record(ctx, u)
}

// Prove proves again that the signed-in member is present: by the password and, where they have a second factor, by a
// one-time code. Problems: auth.invalid (the password), auth.second_factor, auth.too_many_failures.
func (s *Passwords) Prove(ctx context.Context, u account.User, pass, code string) error {
	if err := s.attempts.confirm(ctx, s.hasher, u, pass); err != nil {
		return err
	}
	if !u.Factor.On() {
		return nil
	}
	return s.authenticators.redeem(ctx, u, code)
}

// Change replaces a member's password and ends their console sessions. Problems: auth.invalid (the present password is
// wrong), auth.too_many_failures, request.malformed (the new one is not good enough).
func (s *Passwords) Change(ctx context.Context, u account.User, present, next string) (account.User, error) {
	if err := s.attempts.confirm(ctx, s.hasher, u, present); err != nil {
		return account.User{}, err
	}
	if err := password.Check(next, u.Name, u.Email); err != nil {
		return account.User{}, err
	}
	hash, err := s.hasher.Hash(ctx, next)
	if err != nil {
		return account.User{}, err
	}
	return s.store.ChangeUser(ctx, u.ID, func(u *account.User) error {
		u.PasswordHash, u.SessionsFrom = hash, s.moment()
		return nil
	}, account.AuditRecord(u.ID, "user.password_changed"))
}

// find returns the member with that address and password. Problems: auth.invalid, auth.too_many_failures.
func (s *Passwords) find(ctx context.Context, email, pass string) (account.User, error) {
	normal := account.NormalizeEmail(email)
	u, err := s.store.UserByEmail(ctx, normal)
	if err != nil && !problem.Has(err, problem.NotFound) {
		return account.User{}, err
	}
	if err := s.attempts.takePassword(ctx, normal, u); err != nil {
		return account.User{}, err
	}
	same, err := s.hasher.Matches(ctx, pass, u.PasswordHash)
	if err != nil {
		return account.User{}, err
	}
	if !same || !u.DisabledAt.IsZero() {
		return account.User{}, problem.New(problem.AuthInvalid).Saying("The address or the password is wrong.")
	}
	return u, s.attempts.accept(ctx, u, (*account.Attempts).AcceptPassword)
}
