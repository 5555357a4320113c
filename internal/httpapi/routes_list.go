package httpapi

import (
	"net/http"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
)

const searchWords = "By exact name, document number, reference or pair of the metadata, all that are given together. Names are compared as a machine readable zone writes them, " +
	"in any order: all given names or the first one, and the family name. What is looked for is posted, so that it reaches no address and no log, and is looked up by keyed digests. Found are sessions " +
	"by what was stated or read since these digests are kept; a session that came before is found by its number and reference only. Audited, without what was looked for."

// listRoutes are the calls that look for sessions, and what members keep of looking.
func (s *Server) listRoutes() []edge.Route {
	return []edge.Route{
		{Method: http.MethodPost, Path: "/v1/sessions/search", ID: "searchSessions", Who: edge.Integrator, May: account.SessionsSearch, Sends: edge.JSON, Unkept: true,
			Summary: "Find a person's sessions", Description: searchWords + " A key without `sessions.read` is told which sessions there are (`id`, `external_reference`, workflow) and how they stand (state, outcome, times); nothing else that was stated or read.", Bind: edge.Call(s.searchSessions)},
		{Method: http.MethodPost, Path: "/v1/console/sessions/search", ID: "consoleSearchSessions", Who: edge.Console, May: account.SessionsSearch, Sends: edge.JSON, Unkept: true,
			Summary: "Find a person's sessions", Description: searchWords, Bind: edge.Call(s.consoleSearchSessions)},
		{Method: http.MethodGet, Path: "/v1/console/sessions/facets", ID: "sessionFacets", Who: edge.Console, May: account.SessionsRead, Masks: true,
			Summary: "What the list can be filtered by", Description: "Workflows, and issuing states of sessions that are there.", Bind: edge.Call(s.sessionFacets)},
		{Method: http.MethodGet, Path: "/v1/console/sessions.csv", ID: "sessionsSheet", Who: edge.Console, May: account.SessionsRead, Fresh: true,
			Summary: "The list as a sheet", Description: "CSV of what the filter leaves, newest first, 10 000 rows at most. No cell is a formula to a spreadsheet. References are in it for whoever may look for persons. Audited.", Bind: edge.Call(s.sessionsSheet)},
		{Method: http.MethodGet, Path: "/v1/console/views", ID: "listViews", Who: edge.Console, May: account.SessionsRead, Masks: true,
			Summary: "One's saved views", Description: "Filters of the list of sessions that one gave a name.", Bind: edge.Call(s.listViews)},
		{Method: http.MethodPost, Path: "/v1/console/views", ID: "saveView", Who: edge.Console, May: account.SessionsRead, Masks: true, Sends: edge.JSON, Status: http.StatusCreated,
			Summary: "Save a view", Description: "A filter under a name, for oneself. What is searched for is never part of it.", Bind: edge.Call(s.saveView)},
		{Method: http.MethodDelete, Path: "/v1/console/views/{view}", ID: "deleteView", Who: edge.Console, May: account.SessionsRead, Masks: true, Status: http.StatusNoContent,
			Summary: "Delete a saved view", Description: "One's own.", Bind: edge.Call(s.deleteView)},
	}
}
