// Package team manages the members of a deployment: the first owner, invitations, roles, and who is let in.
//
// Nobody changes what they may do themselves, only owners decide about owners, and one owner who may sign in always
// remains. Each change is written with its audit entry, both or neither.
package team

import (
	"context"
	"crypto/rand"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/password"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Options of Setup, Invitations and Members. The zero value works.
type Options struct {
	Now          func() time.Time // defaults to time.Now
	Random       io.Reader        // defaults to crypto/rand
	SingleSignOn bool             // whether members can sign in through an identity provider
}

func (o Options) withDefaults() Options {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	return o
}

// registrar makes new members.
type registrar struct {
	hasher *password.Hasher
	now    func() time.Time
	random io.Reader
}

func newRegistrar(h *password.Hasher, o Options) registrar {
	o = o.withDefaults()
	return registrar{hasher: h, now: o.Now, random: o.Random}
}

// newUser returns a member who signs in at once. Nothing is stored.
func (r registrar) newUser(ctx context.Context, name, email, password string, roles []account.Role) (account.User, error) {
	hash, err := r.hasher.Hash(ctx, password)
	if err != nil {
		return account.User{}, err
	}
	id, err := idv.NewID[idv.UserID](r.now(), r.random)
	if err != nil {
		return account.User{}, err
	}
	now := r.now().UTC()
	email = strings.TrimSpace(email)
	return account.User{
		ID: id, Name: strings.TrimSpace(name), Email: email, Normal: account.NormalizeEmail(email),
		PasswordHash: hash, Roles: roles, CreatedAt: now, LastLoginAt: now,
	}, nil
}

// checkNewUser returns problem request.malformed for an empty name or a bad password.
func checkNewUser(name, pass, email string) error {
	if strings.TrimSpace(name) == "" {
		return problem.New(problem.RequestMalformed).At("/name").Saying("A name is needed.")
	}
	return password.Check(pass, name, email)
}

// checkRoles returns the roles in the order of account.Roles, if they exist and by may give them. Problems:
// request.malformed, auth.forbidden.
func checkRoles(by account.User, roles []account.Role) ([]account.Role, error) {
	var out []account.Role
	for _, r := range account.Roles() {
		if slices.Contains(roles, r) {
			out = append(out, r)
		}
	}
	if len(out) == 0 || len(out) != len(roles) {
		return nil, problem.New(problem.RequestMalformed).At("/roles").Saying("One role or more, each once.")
	}
	if slices.Contains(out, account.Owner) && !slices.Contains(by.Roles, account.Owner) {
		return nil, problem.New(problem.AuthForbidden).Saying("Only an owner makes an owner.")
	}
	return out, nil
}
