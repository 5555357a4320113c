package account

import (
	"context"
	"net/mail"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// InvitationLife is how long an invitation can be taken up.
const InvitationLife = 7 * 24 * time.Hour

// Invitation lets one person in, with an address and roles that were chosen for them. Its token is shown once and
// not kept.
type Invitation struct {
	ID        idv.InvitationID
	Email     string
	Roles     []Role
	InvitedBy idv.UserID
	Hash      string // hex SHA-256 of the token
	CreatedAt time.Time
	ExpiresAt time.Time
}

// NewMember is what it takes to take up an invitation.
type NewMember struct {
	Token, Name, Password string
}

// Team answers every member and every open invitation.
func (s *Service) Team(ctx context.Context) ([]User, []Invitation, error) {
	users, err := s.store.Users(ctx)
	if err != nil {
		return nil, nil, err
	}
	open, err := s.store.Invitations(ctx, s.now().UTC())
	return users, open, err
}

// Invite makes an invitation and answers its token this once. Problems: request.malformed (address, roles, or a member
// has the address), auth.forbidden (a role that the inviter may not give).
func (s *Service) Invite(ctx context.Context, by User, email string, roles []Role) (Invitation, string, error) {
	email = strings.TrimSpace(email)
	if err := checkEmail(email); err != nil {
		return Invitation{}, "", err
	}
	roles, err := checkRoles(by, roles)
	if err != nil {
		return Invitation{}, "", err
	}
	_, err = s.store.UserByEmail(ctx, Normal(email))
	if err == nil {
		return Invitation{}, "", problem.New(problem.RequestMalformed).At("/email").Saying("A member has this address.")
	}
	if !problem.Has(err, problem.NotFound) {
		return Invitation{}, "", err
	}
	token, err := s.secret()
	if err != nil {
		return Invitation{}, "", err
	}
	id, err := idv.NewID[idv.InvitationID](s.now(), s.random)
	if err != nil {
		return Invitation{}, "", err
	}
	now := s.now().UTC()
	i := Invitation{ID: id, Email: email, Roles: roles, InvitedBy: by.ID, Hash: digest(token), CreatedAt: now, ExpiresAt: now.Add(InvitationLife)}
	return i, token, s.store.AddInvitation(ctx, i, audit.Record{Action: "member.invited", Subject: string(id)})
}

// RevokeInvitation takes an open invitation back. Problems: not_found.
func (s *Service) RevokeInvitation(ctx context.Context, id idv.InvitationID) error {
	return s.store.RevokeInvitation(ctx, id, audit.Record{Action: "invitation.revoked", Subject: string(id)})
}

// Invited answers the invitation of a token, and changes nothing. Problems: auth.invalid.
func (s *Service) Invited(ctx context.Context, token string) (Invitation, error) {
	i, err := s.store.InvitationByHash(ctx, digest(token), s.now().UTC())
	if problem.Has(err, problem.NotFound) {
		return Invitation{}, notInvited()
	}
	return i, err
}

// Join makes a member of whoever has the token of an invitation. Problems: auth.invalid, request.malformed.
func (s *Service) Join(ctx context.Context, n NewMember) (User, error) {
	i, err := s.Invited(ctx, n.Token)
	if err != nil {
		return User{}, err
	}
	if err := checkMember(n.Name, n.Password, i.Email); err != nil {
		return User{}, err
	}
	u, err := s.member(ctx, n.Name, i.Email, n.Password, i.Roles)
	if err != nil {
		return User{}, err
	}
	return u, s.store.TakeInvitation(acting(ctx, u.ID), i.Hash, u, u.CreatedAt, about(u.ID, "member.joined"))
}

// member is a new member who signs in at once.
func (s *Service) member(ctx context.Context, name, email, password string, roles []Role) (User, error) {
	hash, err := s.hasher.hash(ctx, password)
	if err != nil {
		return User{}, err
	}
	id, err := idv.NewID[idv.UserID](s.now(), s.random)
	if err != nil {
		return User{}, err
	}
	now := s.now().UTC()
	email = strings.TrimSpace(email)
	return User{
		ID: id, Name: strings.TrimSpace(name), Email: email, Normal: Normal(email),
		PasswordHash: hash, Roles: roles, CreatedAt: now, LastLoginAt: now,
	}, nil
}

// SetRoles gives a member other roles, at once. Problems: not_found, request.malformed, auth.forbidden (their own, an
// owner's by somebody who is none, or those of the last owner).
func (s *Service) SetRoles(ctx context.Context, by User, id idv.UserID, roles []Role) (User, error) {
	roles, err := checkRoles(by, roles)
	if err != nil {
		return User{}, err
	}
	return s.changeOther(ctx, by, id, "member.roles_changed", func(u *User) error {
		u.Roles = roles
		return nil
	})
}

// SetDisabled keeps a member from signing in and ends their console sessions, or lets them in again. Problems:
// not_found, auth.forbidden as for SetRoles.
func (s *Service) SetDisabled(ctx context.Context, by User, id idv.UserID, disabled bool) (User, error) {
	action := "member.enabled"
	if disabled {
		action = "member.disabled"
	}
	return s.changeOther(ctx, by, id, action, func(u *User) error {
		if disabled {
			s.disable(u)
		} else {
			u.DisabledAt = time.Time{}
		}
		return nil
	})
}

func (s *Service) disable(u *User) {
	if u.DisabledAt.IsZero() {
		u.DisabledAt = s.moment()
		u.SessionsFrom = u.DisabledAt
	}
}

// KeepOut disables a member and revokes the API keys that they made and that still work; also of one who is disabled already.
// Problems: as for SetDisabled, and auth.forbidden where by may not revoke keys.
func (s *Service) KeepOut(ctx context.Context, by User, id idv.UserID) (User, error) {
	if !May(by.Roles, KeysWrite, idv.Live) {
		return User{}, problem.New(problem.AuthForbidden)
	}
	change, err := other(by, id, func(u *User) error { s.disable(u); return nil })
	if err != nil {
		return User{}, err
	}
	return s.store.ChangeUserAndKeys(ctx, id, s.now().UTC(), change, about(id, "member.disabled"))
}

// ResetFactor takes the second factor, passkeys among it, from a member who lost it. Problems: as for SetRoles, and
// auth.forbidden where they could not sign in any more.
func (s *Service) ResetFactor(ctx context.Context, by User, id idv.UserID) (User, error) {
	return s.changeOther(ctx, by, id, "member.factor_reset", s.loseFactor)
}

// loseFactor takes a member's second factor and ends their console sessions, if another way in stays.
func (s *Service) loseFactor(u *User) error {
	u.Factor, u.SessionsFrom = Factor{}, s.moment()
	if s.someWayIn(*u) != nil {
		return problem.New(problem.AuthForbidden).Saying("Without passkeys this member could not sign in any more. Single sign-on has to open their account first, or an invitation under another address.")
	}
	return nil
}

// ResetLostFactor takes the second factor from a member by address, at the word of whoever runs the server: an only owner has
// nobody else to ask. Problems: not_found, auth.forbidden (they could not sign in any more).
func (s *Service) ResetLostFactor(ctx context.Context, email string) (User, error) {
	u, err := s.store.UserByEmail(ctx, Normal(email))
	if err != nil {
		return User{}, err
	}
	return s.store.ChangeUser(ctx, u.ID, s.loseFactor, about(u.ID, "member.factor_reset_by_operator"))
}

// changeOther changes somebody else: nobody decides what they may do themselves, and only owners decide about owners.
func (s *Service) changeOther(ctx context.Context, by User, id idv.UserID, action string, change func(*User) error) (User, error) {
	change, err := other(by, id, change)
	if err != nil {
		return User{}, err
	}
	return s.store.ChangeUser(ctx, id, change, about(id, action))
}

// other is a change of somebody else.
func other(by User, id idv.UserID, change func(*User) error) (func(*User) error, error) {
	if by.ID == id {
		return nil, problem.New(problem.AuthForbidden).Saying("Somebody else has to do this for you.")
	}
	return func(u *User) error {
		if slices.Contains(u.Roles, Owner) && !slices.Contains(by.Roles, Owner) {
			return problem.New(problem.AuthForbidden).Saying("Only an owner changes an owner.")
		}
		return change(u)
	}, nil
}

// checkRoles answers the roles in the table's order, if they exist and by may give them.
func checkRoles(by User, roles []Role) ([]Role, error) {
	var out []Role
	for _, r := range Roles() {
		if slices.Contains(roles, r) {
			out = append(out, r)
		}
	}
	if len(out) == 0 || len(out) != len(roles) {
		return nil, problem.New(problem.RequestMalformed).At("/roles").Saying("One role or more, each once.")
	}
	if slices.Contains(out, Owner) && !slices.Contains(by.Roles, Owner) {
		return nil, problem.New(problem.AuthForbidden).Saying("Only an owner makes an owner.")
	}
	return out, nil
}

func checkMember(name, password, email string) error {
	if strings.TrimSpace(name) == "" {
		return problem.New(problem.RequestMalformed).At("/name").Saying("A name is needed.")
	}
	if wrong := goodPassword(password, name, email); wrong != "" {
		return problem.New(problem.RequestMalformed).At("/password").Saying("%s", wrong)
	}
	return nil
}

func checkEmail(email string) error {
	a, err := mail.ParseAddress(email)
	if err != nil || a.Name != "" || a.Address != email {
		return problem.New(problem.RequestMalformed).At("/email").Saying("An e-mail address.")
	}
	return nil
}

func notInvited() error {
	return problem.New(problem.AuthInvalid).Saying("This invitation was used, taken back or is older than seven days. Ask for a new one.")
}
