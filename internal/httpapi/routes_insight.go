package httpapi

import (
	"net/http"

	"github.com/bonafide-id/bonafide/internal/account"
)

// insightRoutes are figures, and how the deployment stands.
func (s *Server) insightRoutes() []Route {
	return []Route{
		{Method: http.MethodGet, Path: "/v1/console/analytics", ID: "getAnalytics", Who: Console, May: account.InsightRead,
			Summary: "Read the figures",
			Description: "How many sessions that were made in a span came how far, what became of them, how long they waited, and where people went away: in all, in the course of time, and by workflow, " +
				"issuing state, kind of document, device and model. Counts only; nothing of a single session.",
			bind: call(s, s.analytics)},
		{Method: http.MethodGet, Path: "/v1/console/settings/system", ID: "getSystem", Who: Console, May: account.SystemRead,
			Summary: "Read how the deployment stands", Description: "Models with their digests and error rates, jobs, storage, database, versions, and what `bonafide doctor` finds. No secrets, no places of the machine.",
			bind: call(s, s.system)},
	}
}
