package signin

import (
	"context"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/password"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// ResetLife is how long a link to reset a password works.
const ResetLife = time.Hour

// ResetStore keeps the links to reset a password: one for a member, by its digest.
type ResetStore interface {
	PasswordStore
	// AddReset replaces the link of a member.
	AddReset(ctx context.Context, hash string, id idv.UserID, now, expires time.Time, done ...audit.Record) error
	// UserByReset returns whose link it is. Problem not_found where it was used or has expired.
	UserByReset(ctx context.Context, hash string, now time.Time) (account.User, error)
	// ChangeUserByReset changes a member and uses the link up, both or neither; of two at once, one succeeds. Problem not_found as above.
	ChangeUserByReset(
		ctx context.Context, hash string, id idv.UserID, now time.Time, change func(*account.User) error, done ...audit.Record,
	) (account.User, error)
}

// Resets lets members choose a new password by a link that is mailed to them. The second factor stays: the link proves no more than
// access to a mailbox.
type Resets struct {
	store  ResetStore
	hasher Hasher
	source
}

// Issue makes the link of the member with that address, and returns its token. It returns false where nobody may get one: the address is
// nobody's, the member may not sign in, or has no password.
func (s *Resets) Issue(ctx context.Context, email string) (u account.User, token string, ok bool, err error) {
	u, err = s.store.UserByEmail(ctx, account.NormalizeEmail(email))
	if problem.Has(err, problem.NotFound) {
		return account.User{}, "", false, nil
	}
	if err != nil {
		return account.User{}, "", false, err
	}
	if !u.DisabledAt.IsZero() || u.PasswordHash == "" {
		return account.User{}, "", false, nil
	}
	if token, err = account.NewSecret(s.random); err != nil {
		return account.User{}, "", false, err
	}
	now := s.moment()
	return u, token, true, s.store.AddReset(ctx, account.Digest(token), u.ID, now, now.Add(ResetLife), account.AuditRecord(u.ID, "user.reset_mailed"))
}

// Find returns the member whose link it is. Problems: auth.invalid.
func (s *Resets) Find(ctx context.Context, token string) (account.User, error) {
	u, err := s.store.UserByReset(ctx, account.Digest(token), s.moment())
	if problem.Has(err, problem.NotFound) || err == nil && !u.DisabledAt.IsZero() {
		return account.User{}, usedUp()
	}
	return u, err
}

// Reset replaces the password of the member whose link it is, ends their console sessions and uses the link up. It signs nobody in.
// Problems: auth.invalid, request.malformed (the password is not good enough; the link goes on working).
func (s *Resets) Reset(ctx context.Context, token, pass string) (account.User, error) {
	u, err := s.Find(ctx, token)
	if err != nil {
		return account.User{}, err
	}
	if err := password.Check(pass, u.Name, u.Email); err != nil {
		return account.User{}, err
	}
	hash, err := s.hasher.Hash(ctx, pass)
	if err != nil {
		return account.User{}, err
	}
	u, err = s.store.ChangeUserByReset(account.WithActor(ctx, u.ID), account.Digest(token), u.ID, s.moment(), func(u *account.User) error {
		if !u.DisabledAt.IsZero() {
			return usedUp()
		}
		u.PasswordHash, u.SessionsFrom = hash, s.moment()
		return nil
	}, account.AuditRecord(u.ID, "user.password_reset"))
	if problem.Has(err, problem.NotFound) {
		return account.User{}, usedUp()
	}
	return u, err
}

func usedUp() error {
	return problem.New(problem.AuthInvalid).Saying("This link was used or is older than an hour. Ask for a new one.")
}
