package httpapi

import (
	"net/http"

	"github.com/bonafide-id/bonafide/internal/account"
)

const simulateWords = "Lets the session's test persona open the link, consent, and send its pictures, as a person's browser would. The verdict comes as ever: by webhook, in the feed, and here. " +
	"A session that has no persona, or where it is not the person's turn, answers `session.conflict`."

// sandboxRoutes are what personas need, and the log of calls.
func (s *Server) sandboxRoutes() []Route {
	return []Route{
		{Method: http.MethodGet, Path: "/v1/personas", ID: "listPersonas", Who: Anyone,
			Summary: "List test personas", Description: "Who can be asked for by a claimed document number in test mode, and what becomes of each.", bind: call(s, s.listPersonas)},
		{Method: http.MethodPost, Path: "/v1/sessions/{id}/simulate", ID: "simulateSession", Who: Integrator, May: account.SessionsWrite, Sends: JSON,
			Summary: "Let a test persona take its steps", Description: simulateWords + changedWords, bind: call(s, s.simulateSession)},
		{Method: http.MethodPost, Path: "/v1/console/sessions/{id}/simulate", ID: "consoleSimulateSession", Who: Console, May: account.SessionsWrite, Sends: JSON,
			Summary: "Let a test persona take its steps", Description: simulateWords, bind: call(s, s.consoleSimulateSession)},
		{Method: http.MethodGet, Path: "/v1/console/request-log", ID: "listCalls", Who: Console, May: account.LogsRead,
			Summary: "Read the log of calls", Description: "Calls made with API keys in the last 30 days, newest first: when, which route, how it ended. Never what was sent or answered.", bind: call(s, s.listCalls)},
		{Method: http.MethodPost, Path: "/v1/applicant/simulate", ID: "simulateHere", Who: Applicant, Sends: JSON,
			Summary: "Let a test persona take the steps", Description: "In a test session that was made with a persona. Live updates bring the verdict. Any other session answers `session.conflict`.", bind: call(s, s.simulateHere)},
	}
}
