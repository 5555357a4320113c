package httpapi

import (
	"net/http"

	"github.com/bonafide-id/bonafide/internal/account"
)

// teamRoutes are the calls on the team, and on one's own account.
func (s *Server) teamRoutes() []Route {
	return []Route{
		{Method: http.MethodGet, Path: "/v1/console/team", ID: "team", Who: Console, May: account.TeamManage,
			Summary: "The team", Description: "Every member and every open invitation.", bind: call(s, s.team)},
		{Method: http.MethodPost, Path: "/v1/console/team/invitations", ID: "invite", Who: Console, May: account.TeamManage, Fresh: true, Sends: JSON, Status: http.StatusCreated,
			Summary: "Invite somebody", Description: "Answers the link to hand over, this once. It works for seven days and one person. Only an owner invites an owner.", bind: call(s, s.invite)},
		{Method: http.MethodPost, Path: "/v1/console/team/invitations/{invitation}/revoke", ID: "revokeInvitation", Who: Console, May: account.TeamManage, Sends: JSON, Status: http.StatusNoContent,
			Summary: "Take an invitation back", Description: "Its link stops working.", bind: call(s, s.revokeInvitation)},
		{Method: http.MethodPost, Path: "/v1/console/team/members/{member}/roles", ID: "setRoles", Who: Console, May: account.TeamManage, Fresh: true, Sends: JSON,
			Summary: "Change somebody's roles", Description: "From their next call on. Not one's own; an owner's only as an owner; one owner stays.", bind: call(s, s.setRoles)},
		{Method: http.MethodPost, Path: "/v1/console/team/members/{member}/disable", ID: "disableMember", Who: Console, May: account.TeamManage, Fresh: true, Sends: JSON,
			Summary: "Keep a member out", Description: "Ends their console sessions at once. What they did stays on record. The API keys that they made go on, because integrations use them, unless `revoke_keys` says to revoke them.", bind: call(s, s.disableMember)},
		{Method: http.MethodPost, Path: "/v1/console/team/members/{member}/enable", ID: "enableMember", Who: Console, May: account.TeamManage, Fresh: true, Sends: JSON,
			Summary: "Let a member in again", Description: "With the password and roles they had.", bind: call(s, s.enableMember)},
		{Method: http.MethodPost, Path: "/v1/console/team/members/{member}/reset-factor", ID: "resetFactor", Who: Console, May: account.TeamManage, Fresh: true, Sends: JSON,
			Summary: "Take a lost second factor away", Description: "Signing in asks that member for the password only, until they add another.", bind: call(s, s.resetFactor)},
		{Method: http.MethodPost, Path: "/v1/console/join/peek", ID: "invited", Who: Anyone, Sends: JSON,
			Summary: "Look at an invitation", Description: "Changes nothing.", bind: call(s, s.invited)},
		{Method: http.MethodPost, Path: "/v1/console/join", ID: "join", Who: Anyone, Sends: JSON,
			Summary: "Take up an invitation", Description: "Makes the member and signs them in.", bind: call(s, s.join)},
		{Method: http.MethodPost, Path: "/v1/console/me/password", ID: "changePassword", Who: Console, Sends: JSON,
			Summary: "Change one's password", Description: "Ends every other console session of this member.", bind: call(s, s.changePassword)},
		{Method: http.MethodPost, Path: "/v1/console/me/sign-out-elsewhere", ID: "signOutElsewhere", Who: Console, Sends: JSON,
			Summary: "Sign out everywhere else", Description: "Ends every other console session of this member.", bind: call(s, s.signOutElsewhere)},
		{Method: http.MethodPost, Path: "/v1/console/me/factor", ID: "beginFactor", Who: Console, Fresh: true, Sends: JSON,
			Summary: "Begin with a second factor", Description: "Draws the secret for an authenticator app. Nothing asks for it before one of its codes was shown.", bind: call(s, s.beginFactor)},
		{Method: http.MethodPost, Path: "/v1/console/me/factor/confirm", ID: "confirmFactor", Who: Console, Fresh: true, Sends: JSON,
			Summary: "Switch the second factor on", Description: "Takes a code of the app, answers the recovery codes this once.", bind: call(s, s.confirmFactor)},
		{Method: http.MethodPost, Path: "/v1/console/me/factor/remove", ID: "removeFactor", Who: Console, Fresh: true, Sends: JSON, Status: http.StatusNoContent,
			Summary: "Switch the second factor off", Description: "Takes the password and a code.", bind: call(s, s.removeFactor)},
	}
}
