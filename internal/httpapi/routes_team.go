package httpapi

import (
	"net/http"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
)

// teamRoutes are the calls on the team, and on one's own account.
func (s *Server) teamRoutes() []edge.Route {
	return []edge.Route{
		{Method: http.MethodGet, Path: "/v1/console/team", ID: "team", Who: edge.Console, May: account.TeamManage,
			Summary: "The team", Description: "Every member and every open invitation.", Bind: edge.Call(s.team)},
		{Method: http.MethodPost, Path: "/v1/console/team/invitations", ID: "invite", Who: edge.Console, May: account.TeamManage, Fresh: true, Sends: edge.JSON, Status: http.StatusCreated,
			Summary: "Invite somebody", Description: "Answers the link to hand over, this once. It works for seven days and one person. Only an owner invites an owner.", Bind: edge.Call(s.invite)},
		{Method: http.MethodPost, Path: "/v1/console/team/invitations/{invitation}/revoke", ID: "revokeInvitation", Who: edge.Console, May: account.TeamManage, Sends: edge.JSON, Status: http.StatusNoContent,
			Summary: "Take an invitation back", Description: "Its link stops working.", Bind: edge.Call(s.revokeInvitation)},
		{Method: http.MethodPost, Path: "/v1/console/team/members/{member}/roles", ID: "setRoles", Who: edge.Console, May: account.TeamManage, Fresh: true, Sends: edge.JSON,
			Summary: "Change somebody's roles", Description: "From their next call on. Not one's own; an owner's only as an owner; one owner stays.", Bind: edge.Call(s.setRoles)},
		{Method: http.MethodPost, Path: "/v1/console/team/members/{member}/disable", ID: "disableMember", Who: edge.Console, May: account.TeamManage, Fresh: true, Sends: edge.JSON,
			Summary: "Keep a member out", Description: "Ends their console sessions at once. What they did stays on record. The API keys that they made go on, because integrations use them, unless `revoke_keys` says to revoke them.", Bind: edge.Call(s.disableMember)},
		{Method: http.MethodPost, Path: "/v1/console/team/members/{member}/enable", ID: "enableMember", Who: edge.Console, May: account.TeamManage, Fresh: true, Sends: edge.JSON,
			Summary: "Let a member in again", Description: "With the password and roles they had.", Bind: edge.Call(s.enableMember)},
		{Method: http.MethodPost, Path: "/v1/console/team/members/{member}/reset-factor", ID: "resetFactor", Who: edge.Console, May: account.TeamManage, Fresh: true, Sends: edge.JSON,
			Summary: "Take a lost second factor away", Description: "Signing in asks that member for the password only, until they add another.", Bind: edge.Call(s.resetFactor)},
		{Method: http.MethodPost, Path: "/v1/console/join/peek", ID: "invited", Who: edge.Anyone, Sends: edge.JSON,
			Summary: "Look at an invitation", Description: "Changes nothing.", Bind: edge.Call(s.invited)},
		{Method: http.MethodPost, Path: "/v1/console/join", ID: "join", Who: edge.Anyone, Sends: edge.JSON,
			Summary: "Take up an invitation", Description: "Makes the member and signs them in.", Bind: edge.Call(s.join)},
		{Method: http.MethodPost, Path: "/v1/console/me/password", ID: "changePassword", Who: edge.Console, Sends: edge.JSON,
			Summary: "Change one's password", Description: "Ends every other console session of this member.", Bind: edge.Call(s.changePassword)},
		{Method: http.MethodPost, Path: "/v1/console/me/sign-out-elsewhere", ID: "signOutElsewhere", Who: edge.Console, Sends: edge.JSON,
			Summary: "Sign out everywhere else", Description: "Ends every other console session of this member.", Bind: edge.Call(s.signOutElsewhere)},
		{Method: http.MethodPost, Path: "/v1/console/me/factor", ID: "beginFactor", Who: edge.Console, Fresh: true, Sends: edge.JSON,
			Summary: "Begin with a second factor", Description: "Draws the secret for an authenticator app. Nothing asks for it before one of its codes was shown.", Bind: edge.Call(s.beginFactor)},
		{Method: http.MethodPost, Path: "/v1/console/me/factor/confirm", ID: "confirmFactor", Who: edge.Console, Fresh: true, Sends: edge.JSON,
			Summary: "Switch the second factor on", Description: "Takes a code of the app, answers the recovery codes this once.", Bind: edge.Call(s.confirmFactor)},
		{Method: http.MethodPost, Path: "/v1/console/me/factor/remove", ID: "removeFactor", Who: edge.Console, Fresh: true, Sends: edge.JSON, Status: http.StatusNoContent,
			Summary: "Switch the second factor off", Description: "Takes the password and a code.", Bind: edge.Call(s.removeFactor)},
	}
}
