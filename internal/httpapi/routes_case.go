package httpapi

import (
	"net/http"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
)

// caseRoutes are the calls of the review queue.
func (s *Server) caseRoutes() []edge.Route {
	const conflict = " `case.conflict` says who did what first."
	return []edge.Route{
		{Method: http.MethodGet, Path: "/v1/console/cases", ID: "listCases", Who: edge.Console, May: account.CasesRead, Masks: true,
			Summary: "List cases", Description: "The review queue: what waits for a person, the most urgent first, with the size of each tab.", Bind: edge.Call(s.listCases)},
		{Method: http.MethodGet, Path: "/v1/console/cases/{case}", ID: "getCase", Who: edge.Console, May: account.CasesRead, Masks: true,
			Summary: "Read a case", Description: "Who has it, what was said about it, and what the applicant can be asked for again. The evidence is the session's file.", Bind: edge.Call(s.getCase)},
		{Method: http.MethodPost, Path: "/v1/console/cases/next", ID: "nextCase", Who: edge.Console, May: account.CasesDecide, Sends: edge.JSON,
			Summary: "Claim the next case", Description: "The most urgent case that nobody has and that one may decide, else one that one has already. `not_found` where nothing is left.", Bind: edge.Call(s.nextCase)},
		{Method: http.MethodPost, Path: "/v1/console/cases/{case}/claim", ID: "claimCase", Who: edge.Console, May: account.CasesDecide, Sends: edge.JSON,
			Summary: "Claim a case", Description: "Gives it to whoever asks for 20 minutes; again renews it." + conflict, Bind: edge.Call(s.claimCase)},
		{Method: http.MethodPost, Path: "/v1/console/cases/{case}/release", ID: "releaseCase", Who: edge.Console, May: account.CasesDecide, Sends: edge.JSON,
			Summary: "Release a case", Description: "Lets go of it, so that somebody else can take it." + conflict, Bind: edge.Call(s.releaseCase)},
		{Method: http.MethodPost, Path: "/v1/console/cases/{case}/assign", ID: "assignCase", Who: edge.Console, May: account.CasesOverrule, Sends: edge.JSON,
			Summary: "Assign a case", Description: "Gives it to a member who may decide, also if somebody else has it. It is theirs as if they had claimed it: for 20 minutes, unless they renew it." + conflict, Bind: edge.Call(s.assignCase)},
		{Method: http.MethodGet, Path: "/v1/console/cases/{case}/deciders", ID: "deciders", Who: edge.Console, May: account.CasesOverrule,
			Summary: "Who can be given a case", Description: "The members who may decide it, by name: not whoever its workflow keeps from it, and nobody who is kept out.", Bind: edge.Call(s.deciders)},
		{Method: http.MethodPost, Path: "/v1/console/cases/{case}/decide", ID: "decideCase", Who: edge.Console, May: account.CasesDecide, Sends: edge.JSON,
			Summary: "Decide a case", Description: "Approves or declines. Where the workflow wants two persons, the first approval opens the case for the second." + conflict, Bind: edge.Call(s.decideCase)},
		{Method: http.MethodPost, Path: "/v1/console/cases/{case}/redo", ID: "redoStep", Who: edge.Console, May: account.CasesDecide, Sends: edge.JSON,
			Summary: "Ask for a step again", Description: "Reopens the session for exactly that step. The integrator hears of it by `session.reopened` and can make the person a new link." + conflict, Bind: edge.Call(s.redoStep)},
		{Method: http.MethodPost, Path: "/v1/console/cases/{case}/note", ID: "noteCase", Who: edge.Console, May: account.CasesDecide, Sends: edge.JSON,
			Summary: "Write a note", Description: "For the team; the applicant never sees it." + conflict, Bind: edge.Call(s.noteCase)},
		{Method: http.MethodPost, Path: "/v1/console/sessions/{id}/decide", ID: "changeDecision", Who: edge.Console, May: account.CasesOverrule, Sends: edge.JSON,
			Summary: "Change a final decision", Description: "Adds a decision to a session that was approved or declined. The newest counts." + conflict, Bind: edge.Call(s.changeDecision)},
		{Method: http.MethodGet, Path: "/v1/console/cases/events", ID: "caseEvents", Who: edge.Console, May: account.CasesRead, Masks: true, Streams: true,
			Summary: "Live updates of the queue", Description: "Server-sent events: `queue` with the size of each tab, at once and whenever something happens to a case.", Bind: edge.Call(s.caseEvents)},
	}
}
