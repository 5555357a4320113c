package account

import (
	"context"
	"time"

	"github.com/bonafide-id/bonafide/internal/problem"
)

// ProofLife is how long signing in, or proving again who one is, counts for what a borrowed browser must not do.
const ProofLife = 10 * time.Minute

// Prove proves once more that the member who is signed in is there: by the password and, where they have more, by a code.
// Problems: auth.invalid (the password), auth.second_factor.
func (s *Service) Prove(ctx context.Context, u User, password, code string) error {
	if err := s.confirm(ctx, u, password); err != nil {
		return err
	}
	if !u.Factor.On() {
		return nil
	}
	return s.passFactor(ctx, u.ID, code)
}

// ProveByPasskey proves the same by a passkey of theirs. Problems: auth.passkey.
func (s *Service) ProveByPasskey(ctx context.Context, browser string, u User, shown Shown) error {
	_, err := s.checkPasskey(ctx, toProve, browser, u.ID, shown)
	return err
}

// LoginWithPasskey is Login with a passkey in place of the code: it must be one of the member's with that address and
// password. Problems: auth.invalid, auth.passkey.
func (s *Service) LoginWithPasskey(ctx context.Context, browser, email, password string, shown Shown) (User, error) {
	u, err := s.withPassword(ctx, email, password)
	if err != nil {
		return User{}, err
	}
	if u, err = s.checkPasskey(ctx, toSignIn, browser, u.ID, shown); err != nil {
		return User{}, err
	}
	return u, s.seen(ctx, u)
}

// withPassword answers the member with that address and password. Problems: auth.invalid.
func (s *Service) withPassword(ctx context.Context, email, password string) (User, error) {
	u, err := s.store.UserByEmail(ctx, Normal(email))
	if err != nil && !problem.Has(err, problem.NotFound) {
		return User{}, err
	}
	same, err := s.hasher.matches(ctx, password, u.PasswordHash)
	if err != nil {
		return User{}, err
	}
	if !same || !u.DisabledAt.IsZero() {
		return User{}, problem.New(problem.AuthInvalid).Saying("The address or the password is wrong.")
	}
	return u, nil
}
