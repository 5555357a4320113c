package signin

import (
	"context"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/sso"
)

// maxName is how many characters are stored of the name that a provider gives.
const maxName = 100

// signIn signs in the member with that subject, with the roles that the provider's claims give them now, or adds them to
// the team. Members are found by their subject, never by their address, which can pass to somebody else.
func (s *SSO) signIn(ctx context.Context, subject account.Subject, identity sso.Identity) (account.User, error) {
	roles, err := s.config.rolesOf(identity)
	if err != nil {
		return account.User{}, err
	}
	u, err := s.store.UserBySubject(ctx, subject)
	if problem.Has(err, problem.NotFound) {
		return s.join(ctx, subject, identity, roles)
	}
	if err != nil {
		return account.User{}, err
	}
	if !u.DisabledAt.IsZero() {
		return account.User{}, memberDisabled()
	}
	if u, err = s.attempts.settle(ctx, u); err != nil {
		return account.User{}, err
	}
	failures, done := u.Failures, signedIn(u)
	if !slices.Equal(u.Roles, roles) {
		done = append(done, account.AuditRecord(u.ID, "member.roles_by_sso"))
	}
	u, err = s.store.ChangeUser(account.WithActor(ctx, u.ID), u.ID, func(u *account.User) error {
		if !u.DisabledAt.IsZero() {
			return memberDisabled()
		}
		u.Roles, u.LastLoginAt = roles, s.moment()
		return nil
	}, done...)
	if problem.Has(err, problem.AuthForbidden) {
		return account.User{}, sso.Refused("Your roles there would leave this deployment without an owner. Sign in another way and map an owner first.", nil)
	}
	u.Failures = failures
	return u, err
}

// join adds a member. It refuses an identity with the address of a member: the address alone does not prove that they are
// the same person.
func (s *SSO) join(ctx context.Context, subject account.Subject, identity sso.Identity, roles []account.Role) (account.User, error) {
	n, err := s.store.CountUsers(ctx)
	if err != nil {
		return account.User{}, err
	}
	if n == 0 {
		return account.User{}, sso.Refused("This deployment is not set up yet: its first owner needs the setup link.", nil)
	}
	email := strings.TrimSpace(identity.Email)
	if err := account.CheckEmail(email); err != nil {
		return account.User{}, sso.Refused("What the identity provider gives as your address is none.", nil)
	}
	name := strings.TrimSpace(identity.Name)
	if name == "" {
		name, _, _ = strings.Cut(identity.Email, "@")
	}
	id, err := idv.NewID[idv.UserID](s.now(), s.random)
	if err != nil {
		return account.User{}, err
	}
	now := s.moment()
	u := account.User{
		ID: id, Name: truncate(name, maxName), Email: email, Normal: account.NormalizeEmail(email), Roles: roles, CreatedAt: now,
		LastLoginAt: now, Subject: subject,
	}
	err = s.store.AddMember(account.WithActor(ctx, id), u, account.AuditRecord(id, "member.joined_by_sso"), account.AuditRecord(id, action))
	if problem.Has(err, problem.AuthInvalid) {
		return account.User{}, sso.Refused("A member has your address already. "+
			"If it is you: sign in as you did until now, and link single sign-on on your account page.", nil)
	}
	return u, err
}

func memberDisabled() error {
	return sso.Refused("You are kept out of this deployment. Ask an owner.", nil)
}

// truncate returns the first n characters of a text.
func truncate(text string, n int) string {
	if r := []rune(text); len(r) > n {
		return string(r[:n])
	}
	return text
}
