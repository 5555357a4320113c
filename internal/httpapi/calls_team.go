package httpapi

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/team"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// byMember is the input of calls on one member.
type byMember struct {
	Member idv.UserID  `path:"member" maxLength:"40" doc:"Member id"`
	Body   *wire.Empty `required:"false"`
}

// byMemberRoles is the same with roles.
type byMemberRoles struct {
	Member idv.UserID `path:"member" maxLength:"40" doc:"Member id"`
	Body   wire.NewRoles
}

// byInvitation is the input of calls on one invitation.
type byInvitation struct {
	Invitation idv.InvitationID `path:"invitation" maxLength:"40" doc:"Invitation id"`
	Body       *wire.Empty      `required:"false"`
}

// keepOutInput is the input of keeping a member out.
type keepOutInput struct {
	Member idv.UserID    `path:"member" maxLength:"40" doc:"Member id"`
	Body   *wire.KeepOut `required:"false"`
}

func (s *Server) team(ctx context.Context, _ *wire.None) (*wire.Answer[wire.Team], error) {
	users, err := s.accounts.Members.List(ctx)
	if err != nil {
		return nil, err
	}
	open, err := s.accounts.Invitations.Open(ctx)
	if err != nil {
		return nil, err
	}
	keys, err := s.accounts.Keys.WorkingByMember(ctx)
	if err != nil {
		return nil, err
	}
	out := wire.Team{Members: []wire.TeamMember{}, Invitations: []wire.Invitation{}}
	for _, u := range users {
		out.Members = append(out.Members, wire.TeamMemberOf(u, keys[u.ID]))
	}
	for _, i := range open {
		out.Invitations = append(out.Invitations, wire.InvitationOf(i))
	}
	return wire.Reply(out, nil)
}

func (s *Server) invite(ctx context.Context, in *wire.Body[wire.NewInvitation]) (*wire.Answer[wire.Invitation], error) {
	i, token, err := s.accounts.Invitations.Create(ctx, edge.Member(ctx), in.Body.Email, in.Body.Roles)
	if err != nil {
		return nil, err
	}
	out := wire.InvitationOf(i)
	out.URL = s.publicURL + "/join#token=" + token // behind #: it reaches no server and no log
	return wire.Reply(out, nil)
}

func (s *Server) revokeInvitation(ctx context.Context, in *byInvitation) (*wire.None, error) {
	return nil, s.accounts.Invitations.Revoke(ctx, in.Invitation)
}

func (s *Server) setRoles(ctx context.Context, in *byMemberRoles) (*wire.Answer[wire.TeamMember], error) {
	u, err := s.accounts.Members.SetRoles(ctx, edge.Member(ctx), in.Member, in.Body.Roles)
	return s.memberNow(ctx, u, err)
}

// memberNow is a member after a change, with the keys that they made.
func (s *Server) memberNow(ctx context.Context, u account.User, err error) (*wire.Answer[wire.TeamMember], error) {
	if err != nil {
		return nil, err
	}
	keys, err := s.accounts.Keys.WorkingByMember(ctx)
	return wire.Reply(wire.TeamMemberOf(u, keys[u.ID]), err)
}

func (s *Server) disableMember(ctx context.Context, in *keepOutInput) (*wire.Answer[wire.TeamMember], error) {
	if in.Body != nil && in.Body.RevokeKeys {
		u, err := s.accounts.Members.DisableAndRevokeKeys(ctx, edge.Member(ctx), in.Member)
		return s.memberNow(ctx, u, err)
	}
	u, err := s.accounts.Members.Disable(ctx, edge.Member(ctx), in.Member)
	return s.memberNow(ctx, u, err)
}

func (s *Server) enableMember(ctx context.Context, in *byMember) (*wire.Answer[wire.TeamMember], error) {
	u, err := s.accounts.Members.Enable(ctx, edge.Member(ctx), in.Member)
	return s.memberNow(ctx, u, err)
}

func (s *Server) resetFactor(ctx context.Context, in *byMember) (*wire.Answer[wire.TeamMember], error) {
	u, err := s.accounts.Members.ResetFactor(ctx, edge.Member(ctx), in.Member)
	return s.memberNow(ctx, u, err)
}

func (s *Server) invited(ctx context.Context, in *wire.Body[wire.InvitationToken]) (*wire.Answer[wire.Invited], error) {
	i, err := s.accounts.Invitations.Find(ctx, in.Body.Token)
	if err != nil {
		return nil, err
	}
	return wire.Reply(wire.Invited{Email: i.Email, Roles: i.Roles, ExpiresAt: i.ExpiresAt.UTC()}, nil)
}

func (s *Server) join(ctx context.Context, in *wire.Body[wire.JoinAnswer]) (*wire.Answer[wire.Me], error) {
	u, err := s.accounts.Invitations.Accept(ctx, team.Acceptance(in.Body))
	if err != nil {
		return nil, err
	}
	return wire.Reply(wire.MeOf(u), s.consoles.SignIn(ctx, u))
}

func (s *Server) changePassword(ctx context.Context, in *wire.Body[wire.NewPassword]) (*wire.Answer[wire.Me], error) {
	if err := s.tryAgain(ctx); err != nil {
		return nil, err
	}
	u, err := s.accounts.SignIn.Passwords.Change(ctx, edge.Member(ctx), in.Body.Present, in.Body.Password)
	if err != nil {
		return nil, err
	}
	return wire.Reply(wire.MeOf(u), s.consoles.Renew(ctx, u))
}

func (s *Server) signOutElsewhere(ctx context.Context, _ *wire.Posted) (*wire.Answer[wire.Me], error) {
	u, err := s.accounts.SignIn.Sessions.EndAll(ctx, edge.Member(ctx).ID)
	if err != nil {
		return nil, err
	}
	return wire.Reply(wire.MeOf(u), s.consoles.Renew(ctx, u))
}

func (s *Server) beginFactor(ctx context.Context, in *wire.Body[wire.BeginFactor]) (*wire.Answer[wire.FactorSecret], error) {
	if err := s.tryAgain(ctx); err != nil {
		return nil, err
	}
	f, err := s.accounts.SignIn.Authenticators.Begin(ctx, edge.Member(ctx), in.Body.Present, s.brand)
	if err != nil {
		return nil, err
	}
	qr, err := wire.QRCodeOf(f.URI)
	return wire.Reply(wire.FactorSecret{Secret: f.Secret, URI: f.URI, QR: qr}, err)
}

func (s *Server) confirmFactor(ctx context.Context, in *wire.Body[wire.FactorCode]) (*wire.Answer[wire.RecoveryCodes], error) {
	if err := s.tryAgain(ctx); err != nil {
		return nil, err
	}
	codes, err := s.accounts.SignIn.Authenticators.Confirm(ctx, edge.Member(ctx).ID, in.Body.Code)
	return wire.Reply(wire.RecoveryCodes{Codes: codes}, err)
}

func (s *Server) removeFactor(ctx context.Context, in *wire.Body[wire.RemoveFactor]) (*wire.None, error) {
	if err := s.tryAgain(ctx); err != nil {
		return nil, err
	}
	return nil, s.accounts.SignIn.Authenticators.Remove(ctx, edge.Member(ctx), in.Body.Present, in.Body.Code)
}

// tryAgain slows down whoever guesses a password or code in somebody's open browser, as at the login.
func (s *Server) tryAgain(ctx context.Context) error {
	return s.loginTries.Take(ctx, string(edge.Member(ctx).ID)+" "+edge.ClientAddress(ctx))
}
