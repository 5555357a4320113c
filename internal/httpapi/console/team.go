package console

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/apikey"
	"github.com/bonafide-id/bonafide/internal/account/team"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/mail"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Team answers the calls on members and invitations.
type Team struct {
	members     *team.Members
	invitations *team.Invitations
	keys        *apikey.Service
	publicURL   string // links start with it
	office      *mail.Office
	log         *slog.Logger
}

// Routes returns the calls, in the order of the reference.
func (h *Team) Routes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodGet, Path: "/v1/console/team", ID: "team", Who: edge.Console, May: account.TeamManage,
			Summary:     "The team",
			Description: "Every member and every open invitation.",
			Bind:        edge.Call(h.list),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/team/invitations", ID: "invite", Who: edge.Console, May: account.TeamManage, Fresh: true,
			Sends: edge.JSON, Status: http.StatusCreated,
			Summary:     "Invite somebody",
			Description: "Answers the link to hand over, this once, and mails it where asked. It works for seven days and one person. Only an owner invites an owner.",
			Bind:        edge.Call(h.invite),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/team/invitations/{invitation}/revoke", ID: "revokeInvitation", Who: edge.Console,
			May: account.TeamManage, Sends: edge.JSON, Status: http.StatusNoContent,
			Summary:     "Take an invitation back",
			Description: "Its link stops working.",
			Bind:        edge.Call(h.revokeInvitation),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/team/members/{member}/roles", ID: "setRoles", Who: edge.Console, May: account.TeamManage,
			Fresh: true, Sends: edge.JSON,
			Summary:     "Change somebody's roles",
			Description: "From their next call on. Not one's own; an owner's only as an owner; one owner stays.",
			Bind:        edge.Call(h.setRoles),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/team/members/{member}/disable", ID: "disableMember", Who: edge.Console,
			May: account.TeamManage, Fresh: true, Sends: edge.JSON,
			Summary: "Keep a member out",
			Description: "Ends their console sessions at once. What they did stays on record. The API keys that they made go on, because " +
				"integrations use them, unless `revoke_keys` says to revoke them.",
			Bind: edge.Call(h.disable),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/team/members/{member}/enable", ID: "enableMember", Who: edge.Console,
			May: account.TeamManage, Fresh: true, Sends: edge.JSON,
			Summary:     "Let a member in again",
			Description: "With the password and roles they had.",
			Bind:        edge.Call(h.enable),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/team/members/{member}/reset-factor", ID: "resetFactor", Who: edge.Console,
			May: account.TeamManage, Fresh: true, Sends: edge.JSON,
			Summary:     "Take a lost second factor away",
			Description: "Signing in asks that member for the password only, until they add another.",
			Bind:        edge.Call(h.resetFactor),
		},
	}
}

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

func (h *Team) list(ctx context.Context, _ *wire.None) (*wire.Answer[wire.Team], error) {
	users, err := h.members.List(ctx)
	if err != nil {
		return nil, err
	}
	open, err := h.invitations.Open(ctx)
	if err != nil {
		return nil, err
	}
	keys, err := h.keys.WorkingByMember(ctx)
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

func (h *Team) invite(ctx context.Context, in *wire.Body[wire.NewInvitation]) (*wire.Answer[wire.Invitation], error) {
	if in.Body.Send && !h.office.On() {
		return nil, problem.New(problem.MailOff).At("/send")
	}
	i, token, err := h.invitations.Create(ctx, edge.Member(ctx), in.Body.Email, in.Body.Roles)
	if err != nil {
		return nil, err
	}
	out := wire.InvitationOf(i)
	out.URL = h.publicURL + "/join#token=" + token // behind #: it reaches no server and no log
	if in.Body.Send {
		out.Mailed = h.mailed(ctx, i, out.URL)
	}
	return wire.Reply(out, nil)
}

// mailed has an invitation mailed, and reports whether it could be put in the queue: the link is there to be handed over in any case.
func (h *Team) mailed(ctx context.Context, i account.Invitation, link string) bool {
	m, err := h.office.Draft(mail.Invitation, i.Email)
	if err == nil {
		m.Subject, m.Content.Link, m.Content.Until = string(i.ID), link, i.ExpiresAt
		err = h.office.Post(ctx, m)
	}
	if err != nil {
		h.log.ErrorContext(ctx, "an invitation cannot be mailed", "invitation", i.ID, "error", err)
	}
	return err == nil
}

func (h *Team) revokeInvitation(ctx context.Context, in *byInvitation) (*wire.None, error) {
	return nil, h.invitations.Revoke(ctx, in.Invitation)
}

func (h *Team) setRoles(ctx context.Context, in *byMemberRoles) (*wire.Answer[wire.TeamMember], error) {
	u, err := h.members.SetRoles(ctx, edge.Member(ctx), in.Member, in.Body.Roles)
	return h.reply(ctx, u, err)
}

// reply answers a member after a change, with the API keys they made.
func (h *Team) reply(ctx context.Context, u account.User, err error) (*wire.Answer[wire.TeamMember], error) {
	if err != nil {
		return nil, err
	}
	keys, err := h.keys.WorkingByMember(ctx)
	return wire.Reply(wire.TeamMemberOf(u, keys[u.ID]), err)
}

func (h *Team) disable(ctx context.Context, in *keepOutInput) (*wire.Answer[wire.TeamMember], error) {
	if in.Body != nil && in.Body.RevokeKeys {
		u, err := h.members.DisableAndRevokeKeys(ctx, edge.Member(ctx), in.Member)
		return h.reply(ctx, u, err)
	}
	u, err := h.members.Disable(ctx, edge.Member(ctx), in.Member)
	return h.reply(ctx, u, err)
}

func (h *Team) enable(ctx context.Context, in *byMember) (*wire.Answer[wire.TeamMember], error) {
	u, err := h.members.Enable(ctx, edge.Member(ctx), in.Member)
	return h.reply(ctx, u, err)
}

func (h *Team) resetFactor(ctx context.Context, in *byMember) (*wire.Answer[wire.TeamMember], error) {
	u, err := h.members.ResetFactor(ctx, edge.Member(ctx), in.Member)
	return h.reply(ctx, u, err)
}
