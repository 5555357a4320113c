package httpapi

import (
	"net/http"

	"github.com/bonafide-id/bonafide/internal/account"
)

// caseRoutes are the calls of the review queue.
func (s *Server) caseRoutes() []Route {
	const conflict = " `case.conflict` says who did what first."
	return []Route{
		{Method: http.MethodGet, Path: "/v1/console/cases", ID: "listCases", Who: Console, May: account.CasesRead, Masks: true,
			Summary: "List cases", Description: "The review queue: what waits for a person, the most urgent first, with the size of each tab.", bind: call(s, s.listCases)},
		{Method: http.MethodGet, Path: "/v1/console/cases/{case}", ID: "getCase", Who: Console, May: account.CasesRead, Masks: true,
			Summary: "Read a case", Description: "Who has it, what was said about it, and what the applicant can be asked for again. The evidence is the session's file.", bind: call(s, s.getCase)},
		{Method: http.MethodPost, Path: "/v1/console/cases/next", ID: "nextCase", Who: Console, May: account.CasesDecide, Sends: JSON,
			Summary: "Claim the next case", Description: "The most urgent case that nobody has and that one may decide, else one that one has already. `not_found` where nothing is left.", bind: call(s, s.nextCase)},
		{Method: http.MethodPost, Path: "/v1/console/cases/{case}/claim", ID: "claimCase", Who: Console, May: account.CasesDecide, Sends: JSON,
			Summary: "Claim a case", Description: "Gives it to whoever asks for 20 minutes; again renews it." + conflict, bind: call(s, s.claimCase)},
		{Method: http.MethodPost, Path: "/v1/console/cases/{case}/release", ID: "releaseCase", Who: Console, May: account.CasesDecide, Sends: JSON,
			Summary: "Release a case", Description: "Lets go of it, so that somebody else can take it." + conflict, bind: call(s, s.releaseCase)},
		{Method: http.MethodPost, Path: "/v1/console/cases/{case}/assign", ID: "assignCase", Who: Console, May: account.CasesOverrule, Sends: JSON,
			Summary: "Assign a case", Description: "Gives it to a member who may decide, also if somebody else has it. It is theirs as if they had claimed it: for 20 minutes, unless they renew it." + conflict, bind: call(s, s.assignCase)},
		{Method: http.MethodGet, Path: "/v1/console/cases/{case}/deciders", ID: "deciders", Who: Console, May: account.CasesOverrule,
			Summary: "Who can be given a case", Description: "The members who may decide it, by name: not whoever its workflow keeps from it, and nobody who is kept out.", bind: call(s, s.deciders)},
		{Method: http.MethodPost, Path: "/v1/console/cases/{case}/decide", ID: "decideCase", Who: Console, May: account.CasesDecide, Sends: JSON,
			Summary: "Decide a case", Description: "Approves or declines. Where the workflow wants two persons, the first approval opens the case for the second." + conflict, bind: call(s, s.decideCase)},
		{Method: http.MethodPost, Path: "/v1/console/cases/{case}/redo", ID: "redoStep", Who: Console, May: account.CasesDecide, Sends: JSON,
			Summary: "Ask for a step again", Description: "Reopens the session for exactly that step. The integrator hears of it by `session.reopened` and can make the person a new link." + conflict, bind: call(s, s.redoStep)},
		{Method: http.MethodPost, Path: "/v1/console/cases/{case}/note", ID: "noteCase", Who: Console, May: account.CasesDecide, Sends: JSON,
			Summary: "Write a note", Description: "For the team; the applicant never sees it." + conflict, bind: call(s, s.noteCase)},
		{Method: http.MethodPost, Path: "/v1/console/sessions/{id}/decide", ID: "changeDecision", Who: Console, May: account.CasesOverrule, Sends: JSON,
			Summary: "Change a final decision", Description: "Adds a decision to a session that was approved or declined. The newest counts." + conflict, bind: call(s, s.changeDecision)},
		{Method: http.MethodGet, Path: "/v1/console/cases/events", ID: "caseEvents", Who: Console, May: account.CasesRead, Masks: true, Streams: true,
			Summary: "Live updates of the queue", Description: "Server-sent events: `queue` with the size of each tab, at once and whenever something happens to a case.", bind: call(s, s.caseEvents)},
	}
}
