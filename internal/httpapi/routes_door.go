package httpapi

import (
	"net/http"

	"github.com/bonafide-id/bonafide/internal/account"
)

// doorRoutes are the ways in besides the password, and showing once more who one is.
func (s *Server) doorRoutes() []Route {
	return []Route{
		{Method: http.MethodPost, Path: "/v1/console/login/passkey/begin", ID: "beginPasskeyLogin", Who: Anyone, Sends: JSON,
			Summary: "Begin signing in with a passkey", Description: "What the browser has to sign. It works once, for five minutes, in this browser, and says nothing about who has an account.", bind: call(s, s.beginPasskeyLogin)},
		{Method: http.MethodPost, Path: "/v1/console/login/passkey", ID: "passkeyLogin", Who: Anyone, Sends: JSON,
			Summary: "Sign in with a passkey", Description: "Answers a cookie. No name or password is needed: the passkey says who it is, and its device has verified the person.", bind: call(s, s.passkeyLogin)},
		{Method: http.MethodPost, Path: "/v1/console/me/passkeys/begin", ID: "beginPasskey", Who: Console, Fresh: true, Sends: JSON,
			Summary: "Begin with a new passkey", Description: "What the browser has to make a passkey for.", bind: call(s, s.beginPasskey)},
		{Method: http.MethodPost, Path: "/v1/console/me/passkeys", ID: "addPasskey", Who: Console, Fresh: true, Sends: JSON, Status: http.StatusCreated,
			Summary: "Add a passkey", Description: "Keeps its public half. A member may have ten.", bind: call(s, s.addPasskey)},
		{Method: http.MethodPost, Path: "/v1/console/me/passkeys/{passkey}/remove", ID: "removePasskey", Who: Console, Fresh: true, Sends: JSON,
			Summary: "Remove a passkey", Description: "Never the last way in.", bind: call(s, s.removePasskey)},
		{Method: http.MethodPost, Path: "/v1/console/me/prove/begin", ID: "beginProof", Who: Console, Sends: JSON,
			Summary: "Begin showing once more who one is", Description: "What the browser has to sign with one of the member's passkeys.", bind: call(s, s.beginProof)},
		{Method: http.MethodPost, Path: "/v1/console/me/prove", ID: "prove", Who: Console, Sends: JSON, Status: http.StatusNoContent,
			Summary: "Show once more who one is", Description: "Takes a passkey, or the password and a code. For ten minutes, calls that answered `auth.step_up` go through then.", bind: call(s, s.prove)},
		{Method: http.MethodPost, Path: "/v1/console/me/prove/sso", ID: "beginSSOProof", Who: Console, Sends: JSON,
			Summary: "Show once more who one is by single sign-on", Description: "Answers where the browser goes. The identity provider asks the person anew.", bind: call(s, s.beginSSOProof)},
		{Method: http.MethodPost, Path: "/v1/console/me/sso/begin", ID: "beginSSOLink", Who: Console, Fresh: true, Sends: JSON,
			Summary: "Begin linking single sign-on", Description: "Answers where the browser goes. Whoever signs in there opens this account from then on.", bind: call(s, s.beginSSOLink)},
		{Method: http.MethodPost, Path: "/v1/console/me/sso/remove", ID: "unlinkSSO", Who: Console, Fresh: true, Sends: JSON,
			Summary: "Unlink single sign-on", Description: "Never the last way in.", bind: call(s, s.unlinkSSO)},
		{Method: http.MethodPost, Path: "/v1/console/sso/begin", ID: "beginSSO", Who: Anyone, Sends: JSON,
			Summary: "Begin single sign-on", Description: "Answers where the browser goes. The provider sends it back to `/login/sso` with what `finishSSO` takes.", bind: call(s, s.beginSSO)},
		{Method: http.MethodPost, Path: "/v1/console/sso/finish", ID: "finishSSO", Who: Anyone, Sends: JSON,
			Summary: "Finish single sign-on", Description: "Takes what the provider sent back, once, in the browser that began. Roles follow what the provider says, at each signing in.", bind: call(s, s.finishSSO)},
		{Method: http.MethodGet, Path: "/v1/console/settings/security", ID: "getSecurity", Who: Console, May: account.TeamManage,
			Summary: "How people sign in here", Description: "What is set up for passkeys, single sign-on and console sessions. Never a secret.", bind: call(s, s.getSecurity)},
	}
}
