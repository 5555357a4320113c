package account

import (
	"context"
	"net/mail"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// setupLife is how long a setup token works. Each start of a server without members prints a new one.
const setupLife = 24 * time.Hour

// NewOwner is what it takes to make the first member.
type NewOwner struct {
	Token, Name, Email, Password string
}

// SetupNeeded reports whether the first owner has still to be made.
func (s *Service) SetupNeeded(ctx context.Context) (bool, error) {
	n, err := s.store.CountUsers(ctx)
	return n == 0, err
}

// SetupToken makes the one token that can make the first owner. Whoever starts the server prints it.
func (s *Service) SetupToken(ctx context.Context) (string, error) {
	token, err := s.secret()
	if err != nil {
		return "", err
	}
	return token, s.store.SetSetupToken(ctx, digest(token), s.now().UTC().Add(setupLife))
}

// Setup makes the first owner. Problems: auth.invalid (the token), auth.forbidden (there is one already),
// request.malformed.
func (s *Service) Setup(ctx context.Context, n NewOwner) (User, error) {
	if err := checkOwner(n); err != nil {
		return User{}, err
	}
	needed, err := s.SetupNeeded(ctx)
	if err != nil {
		return User{}, err
	}
	if !needed {
		return User{}, problem.New(problem.AuthForbidden).Saying("The first owner has been made; sign in.")
	}
	hash, err := s.hasher.hash(ctx, n.Password)
	if err != nil {
		return User{}, err
	}
	id, err := idv.NewID[idv.UserID](s.now(), s.random)
	if err != nil {
		return User{}, err
	}
	now := s.now().UTC()
	u := User{
		ID: id, Name: strings.TrimSpace(n.Name), Email: strings.TrimSpace(n.Email), Normal: Normal(n.Email),
		PasswordHash: hash, Roles: []Role{Owner}, CreatedAt: now, LastLoginAt: now,
	}
	if err := s.store.AddOwner(ctx, u, digest(n.Token), now); err != nil {
		return User{}, err
	}
	return u, nil
}

func checkOwner(n NewOwner) error {
	if strings.TrimSpace(n.Name) == "" {
		return problem.New(problem.RequestMalformed).At("/name").Saying("A name is needed.")
	}
	a, err := mail.ParseAddress(strings.TrimSpace(n.Email))
	if err != nil || a.Name != "" || a.Address != strings.TrimSpace(n.Email) {
		return problem.New(problem.RequestMalformed).At("/email").Saying("An e-mail address.")
	}
	if wrong := goodPassword(n.Password, n.Name, n.Email); wrong != "" {
		return problem.New(problem.RequestMalformed).At("/password").Saying("%s", wrong)
	}
	return nil
}

// Login answers the member with that address and password. An unknown address, a wrong password and a disabled
// member are told apart neither by the answer nor by its time. Problems: auth.invalid.
func (s *Service) Login(ctx context.Context, email, password string) (User, error) {
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
	return u, s.store.SeenUser(ctx, u.ID, s.now().UTC())
}

// Member answers the member who is signed in. Problems: auth.invalid when they are gone or disabled.
func (s *Service) Member(ctx context.Context, id idv.UserID) (User, error) {
	u, err := s.store.User(ctx, id)
	if problem.Has(err, problem.NotFound) || (err == nil && !u.DisabledAt.IsZero()) {
		return User{}, problem.New(problem.AuthInvalid)
	}
	return u, err
}
