package httpapi

import (
	"net/http"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
)

const simulateWords = "Lets the session's test persona open the link, consent, and send its pictures, as a person's browser would. The verdict comes as ever: by webhook, in the feed, and here. " +
	"A session that has no persona, or where it is not the person's turn, answers `session.conflict`."

// sandboxRoutes are what personas need, and the log of calls.
func (s *Server) sandboxRoutes() []edge.Route {
	return []edge.Route{
		{Method: http.MethodGet, Path: "/v1/personas", ID: "listPersonas", Who: edge.Anyone,
			Summary: "List test personas", Description: "Who can be asked for by a claimed document number in test mode, and what becomes of each.", Bind: edge.Call(s.listPersonas)},
		{Method: http.MethodPost, Path: "/v1/sessions/{id}/simulate", ID: "simulateSession", Who: edge.Integrator, May: account.SessionsWrite, Sends: edge.JSON,
			Summary: "Let a test persona take its steps", Description: simulateWords + changedWords, Bind: edge.Call(s.simulateSession)},
		{Method: http.MethodPost, Path: "/v1/console/sessions/{id}/simulate", ID: "consoleSimulateSession", Who: edge.Console, May: account.SessionsWrite, Sends: edge.JSON,
			Summary: "Let a test persona take its steps", Description: simulateWords, Bind: edge.Call(s.consoleSimulateSession)},
		{Method: http.MethodGet, Path: "/v1/console/request-log", ID: "listCalls", Who: edge.Console, May: account.LogsRead,
			Summary: "Read the log of calls", Description: "Calls made with API keys in the last 30 days, newest first: when, which route, how it ended. Never what was sent or answered.", Bind: edge.Call(s.listCalls)},
		{Method: http.MethodPost, Path: "/v1/applicant/simulate", ID: "simulateHere", Who: edge.Applicant, Sends: edge.JSON,
			Summary: "Let a test persona take the steps", Description: "In a test session that was made with a persona. Live updates bring the verdict. Any other session answers `session.conflict`.", Bind: edge.Call(s.simulateHere)},
	}
}
