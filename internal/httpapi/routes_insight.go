package httpapi

import (
	"net/http"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
)

// insightRoutes are figures, and how the deployment stands.
func (s *Server) insightRoutes() []edge.Route {
	return []edge.Route{
		{Method: http.MethodGet, Path: "/v1/console/analytics", ID: "getAnalytics", Who: edge.Console, May: account.InsightRead,
			Summary: "Read the figures",
			Description: "How many sessions that were made in a span came how far, what became of them, how long they waited, and where people went away: in all, in the course of time, and by workflow, " +
				"issuing state, kind of document, device and model. Counts only; nothing of a single session.",
			Bind: edge.Call(s.analytics)},
		{Method: http.MethodGet, Path: "/v1/console/settings/system", ID: "getSystem", Who: edge.Console, May: account.SystemRead,
			Summary: "Read how the deployment stands", Description: "Models with their digests and error rates, jobs, storage, database, versions, and what `bonafide doctor` finds. No secrets, no places of the machine.",
			Bind: edge.Call(s.system)},
	}
}
