package team

import (
	"context"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/password"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// SetupLife is how long a setup token works. Each start of a server without members prints a new one.
const SetupLife = 24 * time.Hour

// SetupStore is what Setup reads and writes.
type SetupStore interface {
	CountUsers(ctx context.Context) (int, error)
	// SetSetupToken replaces the setup token. The digest of the token is stored.
	SetSetupToken(ctx context.Context, hash string, expires time.Time) error
	// AddOwner adds the first member and removes the setup token with that digest, both or neither. Problems:
	// auth.invalid when there is no such token or it has expired, auth.forbidden when there is a member already.
	AddOwner(ctx context.Context, u account.User, tokenHash string, now time.Time, done ...audit.Record) error
}

// Setup makes the first owner of a deployment. It is safe for concurrent use.
type Setup struct {
	store SetupStore
	registrar
}

// NewSetup returns a Setup.
func NewSetup(store SetupStore, h *password.Hasher, o Options) *Setup {
	return &Setup{store: store, registrar: newRegistrar(h, o)}
}

// Owner is what the first owner enters.
type Owner struct {
	Token, Name, Email, Password string
}

// Needed reports whether there is no member yet.
func (s *Setup) Needed(ctx context.Context) (bool, error) {
	n, err := s.store.CountUsers(ctx)
	return n == 0, err
}

// NewToken returns a token that can make the first owner within SetupLife. Earlier tokens stop working.
func (s *Setup) NewToken(ctx context.Context) (string, error) {
	token, err := account.NewSecret(s.random)
	if err != nil {
		return "", err
	}
	return token, s.store.SetSetupToken(ctx, account.Digest(token), s.now().UTC().Add(SetupLife))
}

// CreateOwner makes the first member, an owner. Problems: auth.invalid (the token), auth.forbidden (there is a member
// already), request.malformed.
func (s *Setup) CreateOwner(ctx context.Context, o Owner) (account.User, error) {
	if err := o.check(); err != nil {
		return account.User{}, err
	}
	needed, err := s.Needed(ctx)
	if err != nil {
		return account.User{}, err
	}
	if !needed {
		return account.User{}, problem.New(problem.AuthForbidden).Saying("The first owner has been made; sign in.")
	}
	u, err := s.newUser(ctx, o.Name, o.Email, o.Password, []account.Role{account.Owner})
	if err != nil {
		return account.User{}, err
	}
	created := account.AuditRecord(u.ID, "owner.created")
	if err := s.store.AddOwner(account.WithActor(ctx, u.ID), u, account.Digest(o.Token), u.CreatedAt, created); err != nil {
		return account.User{}, err
	}
	return u, nil
}

func (o Owner) check() error {
	if err := account.CheckEmail(strings.TrimSpace(o.Email)); err != nil {
		return err
	}
	return checkNewUser(o.Name, o.Password, o.Email)
}
