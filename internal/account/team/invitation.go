package team

import (
	"context"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/password"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// InvitationLife is how long an invitation can be accepted.
const InvitationLife = 7 * 24 * time.Hour

// InvitationStore is what Invitations reads and writes. Reads return problem not_found where there is nothing.
type InvitationStore interface {
	UserByEmail(ctx context.Context, normal string) (account.User, error)
	AddInvitation(ctx context.Context, i account.Invitation, done ...audit.Record) error
	// Invitations returns those that have not expired, the newest first.
	Invitations(ctx context.Context, now time.Time) ([]account.Invitation, error)
	InvitationByHash(ctx context.Context, hash string, now time.Time) (account.Invitation, error)
	RevokeInvitation(ctx context.Context, id idv.InvitationID, done ...audit.Record) error
	// AcceptInvitation adds a member and removes the invitation, both or neither; of two at once, one succeeds. Problems:
	// auth.invalid when the invitation is gone or has expired, or a member has its address by now.
	AcceptInvitation(ctx context.Context, hash string, u account.User, now time.Time, done ...audit.Record) error
}

// Invitations lets people join the team. It is safe for concurrent use.
type Invitations struct {
	store InvitationStore
	registrar
}

// NewInvitations returns Invitations.
func NewInvitations(store InvitationStore, h *password.Hasher, o Options) *Invitations {
	return &Invitations{store: store, registrar: newRegistrar(h, o)}
}

// Acceptance is what an invited person enters.
type Acceptance struct {
	Token, Name, Password string
}

// Open returns the invitations that can still be accepted, the newest first.
func (s *Invitations) Open(ctx context.Context) ([]account.Invitation, error) {
	return s.store.Invitations(ctx, s.now().UTC())
}

// Create makes an invitation and returns it with its token, which cannot be had again. Problems: request.malformed
// (address, roles, or a member has the address), auth.forbidden (a role that by may not give).
func (s *Invitations) Create(ctx context.Context, by account.User, email string, roles []account.Role) (account.Invitation, string, error) {
	email = strings.TrimSpace(email)
	if err := account.CheckEmail(email); err != nil {
		return account.Invitation{}, "", err
	}
	roles, err := checkRoles(by, roles)
	if err != nil {
		return account.Invitation{}, "", err
	}
	_, err = s.store.UserByEmail(ctx, account.NormalizeEmail(email))
	if err == nil {
		return account.Invitation{}, "", problem.New(problem.RequestMalformed).At("/email").Saying("A member has this address.")
	}
	if !problem.Has(err, problem.NotFound) {
		return account.Invitation{}, "", err
	}
	token, err := account.NewSecret(s.random)
	if err != nil {
		return account.Invitation{}, "", err
	}
	id, err := idv.NewID[idv.InvitationID](s.now(), s.random)
	if err != nil {
		return account.Invitation{}, "", err
	}
	now := s.now().UTC()
	i := account.Invitation{
		ID: id, Email: email, Roles: roles, InvitedBy: by.ID, Hash: account.Digest(token), CreatedAt: now, ExpiresAt: now.Add(InvitationLife),
	}
	return i, token, s.store.AddInvitation(ctx, i, audit.Record{Action: "member.invited", Subject: string(id)})
}

// Revoke removes an open invitation. Problems: not_found.
func (s *Invitations) Revoke(ctx context.Context, id idv.InvitationID) error {
	return s.store.RevokeInvitation(ctx, id, audit.Record{Action: "invitation.revoked", Subject: string(id)})
}

// Find returns the open invitation with that token. Problems: auth.invalid.
func (s *Invitations) Find(ctx context.Context, token string) (account.Invitation, error) {
	i, err := s.store.InvitationByHash(ctx, account.Digest(token), s.now().UTC())
	if problem.Has(err, problem.NotFound) {
		return account.Invitation{}, problem.New(problem.AuthInvalid).
			Saying("This invitation was used, taken back or is older than seven days. Ask for a new one.")
	}
	return i, err
}

// Accept makes a member of the person who has the token of an invitation. Problems: auth.invalid, request.malformed.
func (s *Invitations) Accept(ctx context.Context, a Acceptance) (account.User, error) {
	i, err := s.Find(ctx, a.Token)
	if err != nil {
		return account.User{}, err
	}
	if err := checkNewUser(a.Name, a.Password, i.Email); err != nil {
		return account.User{}, err
	}
	u, err := s.newUser(ctx, a.Name, i.Email, a.Password, i.Roles)
	if err != nil {
		return account.User{}, err
	}
	joined := account.AuditRecord(u.ID, "member.joined")
	return u, s.store.AcceptInvitation(account.WithActor(ctx, u.ID), i.Hash, u, u.CreatedAt, joined)
}
