package account

import (
	"context"
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
	u, err := s.member(ctx, n.Name, n.Email, n.Password, []Role{Owner})
	if err != nil {
		return User{}, err
	}
	if err := s.store.AddOwner(acting(ctx, u.ID), u, digest(n.Token), u.CreatedAt, about(u.ID, "owner.created")); err != nil {
		return User{}, err
	}
	return u, nil
}

func checkOwner(n NewOwner) error {
	if err := checkEmail(strings.TrimSpace(n.Email)); err != nil {
		return err
	}
	return checkMember(n.Name, n.Password, n.Email)
}

// Login answers the member with that address and password and, where they have a second factor, that code. An
// unknown address, a wrong password and a disabled member are told apart neither by the answer nor by its time; that
// there is a second factor is told only to who has the password. Problems: auth.invalid, auth.second_factor.
func (s *Service) Login(ctx context.Context, email, password, code string) (User, error) {
	u, err := s.withPassword(ctx, email, password)
	if err != nil {
		return User{}, err
	}
	if u.Factor.On() {
		if err := s.passFactor(ctx, u.ID, code); err != nil {
			return User{}, err
		}
	}
	return u, s.seen(ctx, u)
}

// seen notes that a member has just signed in.
func (s *Service) seen(ctx context.Context, u User) error {
	return s.store.SeenUser(acting(ctx, u.ID), u.ID, s.now().UTC(), about(u.ID, signedIn))
}

// ChangePassword gives a member another password and ends their other console sessions. Problems: auth.invalid (the
// present one is wrong), request.malformed.
func (s *Service) ChangePassword(ctx context.Context, u User, present, next string) (User, error) {
	if err := s.confirm(ctx, u, present); err != nil {
		return User{}, err
	}
	if wrong := goodPassword(next, u.Name, u.Email); wrong != "" {
		return User{}, problem.New(problem.RequestMalformed).At("/password").Saying("%s", wrong)
	}
	hash, err := s.hasher.hash(ctx, next)
	if err != nil {
		return User{}, err
	}
	return s.store.ChangeUser(ctx, u.ID, func(u *User) error {
		u.PasswordHash, u.SessionsFrom = hash, s.moment()
		return nil
	}, about(u.ID, "user.password_changed"))
}

// SignOutElsewhere ends every console session of a member that began before now.
func (s *Service) SignOutElsewhere(ctx context.Context, id idv.UserID) (User, error) {
	return s.store.ChangeUser(ctx, id, func(u *User) error {
		u.SessionsFrom = s.moment()
		return nil
	}, about(id, "user.signed_out_elsewhere"))
}

// confirm asks for the password again, before what a borrowed browser must not do.
func (s *Service) confirm(ctx context.Context, u User, password string) error {
	same, err := s.hasher.matches(ctx, password, u.PasswordHash)
	if err != nil {
		return err
	}
	if !same {
		return problem.New(problem.AuthInvalid).At("/present").Saying("The present password is wrong.")
	}
	return nil
}

// Member answers the member who is signed in. Problems: auth.invalid when they are gone or disabled.
func (s *Service) Member(ctx context.Context, id idv.UserID) (User, error) {
	u, err := s.store.User(ctx, id)
	if problem.Has(err, problem.NotFound) || (err == nil && !u.DisabledAt.IsZero()) {
		return User{}, problem.New(problem.AuthInvalid)
	}
	return u, err
}
