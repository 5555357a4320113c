package httpapi

import (
	"net/http"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
)

// doorRoutes are the ways in besides the password, and showing once more who one is.
func (s *Server) doorRoutes() []edge.Route {
	return []edge.Route{
		{Method: http.MethodPost, Path: "/v1/console/login/passkey/begin", ID: "beginPasskeyLogin", Who: edge.Anyone, Sends: edge.JSON,
			Summary: "Begin signing in with a passkey", Description: "What the browser has to sign. It works once, for five minutes, in this browser, and says nothing about who has an account.", Bind: edge.Call(s.beginPasskeyLogin)},
		{Method: http.MethodPost, Path: "/v1/console/login/passkey", ID: "passkeyLogin", Who: edge.Anyone, Sends: edge.JSON,
			Summary: "Sign in with a passkey", Description: "Answers a cookie. No name or password is needed: the passkey says who it is, and its device has verified the person.", Bind: edge.Call(s.passkeyLogin)},
		{Method: http.MethodPost, Path: "/v1/console/me/passkeys/begin", ID: "beginPasskey", Who: edge.Console, Fresh: true, Sends: edge.JSON,
			Summary: "Begin with a new passkey", Description: "What the browser has to make a passkey for.", Bind: edge.Call(s.beginPasskey)},
		{Method: http.MethodPost, Path: "/v1/console/me/passkeys", ID: "addPasskey", Who: edge.Console, Fresh: true, Sends: edge.JSON, Status: http.StatusCreated,
			Summary: "Add a passkey", Description: "Keeps its public half. A member may have ten.", Bind: edge.Call(s.addPasskey)},
		{Method: http.MethodPost, Path: "/v1/console/me/passkeys/{passkey}/remove", ID: "removePasskey", Who: edge.Console, Fresh: true, Sends: edge.JSON,
			Summary: "Remove a passkey", Description: "Never the last way in.", Bind: edge.Call(s.removePasskey)},
		{Method: http.MethodPost, Path: "/v1/console/me/prove/begin", ID: "beginProof", Who: edge.Console, Sends: edge.JSON,
			Summary: "Begin showing once more who one is", Description: "What the browser has to sign with one of the member's passkeys.", Bind: edge.Call(s.beginProof)},
		{Method: http.MethodPost, Path: "/v1/console/me/prove", ID: "prove", Who: edge.Console, Sends: edge.JSON, Status: http.StatusNoContent,
			Summary: "Show once more who one is", Description: "Takes a passkey, or the password and a code. For ten minutes, calls that answered `auth.step_up` go through then.", Bind: edge.Call(s.prove)},
		{Method: http.MethodPost, Path: "/v1/console/me/prove/sso", ID: "beginSSOProof", Who: edge.Console, Sends: edge.JSON,
			Summary: "Show once more who one is by single sign-on", Description: "Answers where the browser goes. The identity provider asks the person anew.", Bind: edge.Call(s.beginSSOProof)},
		{Method: http.MethodPost, Path: "/v1/console/me/sso/begin", ID: "beginSSOLink", Who: edge.Console, Fresh: true, Sends: edge.JSON,
			Summary: "Begin linking single sign-on", Description: "Answers where the browser goes. Whoever signs in there opens this account from then on.", Bind: edge.Call(s.beginSSOLink)},
		{Method: http.MethodPost, Path: "/v1/console/me/sso/remove", ID: "unlinkSSO", Who: edge.Console, Fresh: true, Sends: edge.JSON,
			Summary: "Unlink single sign-on", Description: "Never the last way in.", Bind: edge.Call(s.unlinkSSO)},
		{Method: http.MethodPost, Path: "/v1/console/sso/begin", ID: "beginSSO", Who: edge.Anyone, Sends: edge.JSON,
			Summary: "Begin single sign-on", Description: "Answers where the browser goes. The provider sends it back to `/login/sso` with what `finishSSO` takes.", Bind: edge.Call(s.beginSSO)},
		{Method: http.MethodPost, Path: "/v1/console/sso/finish", ID: "finishSSO", Who: edge.Anyone, Sends: edge.JSON,
			Summary: "Finish single sign-on", Description: "Takes what the provider sent back, once, in the browser that began. Roles follow what the provider says, at each signing in.", Bind: edge.Call(s.finishSSO)},
		{Method: http.MethodGet, Path: "/v1/console/settings/security", ID: "getSecurity", Who: edge.Console, May: account.TeamManage,
			Summary: "How people sign in here", Description: "What is set up for passkeys, single sign-on and console sessions. Never a secret.", Bind: edge.Call(s.getSecurity)},
	}
}
