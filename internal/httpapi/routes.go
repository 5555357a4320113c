package httpapi

import (
	"slices"

	"github.com/bonafide-id/bonafide/internal/httpapi/applicant"
	"github.com/bonafide-id/bonafide/internal/httpapi/console"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/integrator"
	"github.com/bonafide-id/bonafide/internal/httpapi/webhooks"
)

// routes are the handlers of every call.
type routes struct {
	integrator *integrator.Handlers
	applicant  *applicant.Handlers
	console    *console.Handlers
	webhooks   *webhooks.Endpoints
	open       *open
}

// all returns the table of every call, in the order in which the reference lists them.
func (r routes) all() []edge.Route {
	return slices.Concat(
		r.integrator.Sessions.Routes(),
		r.integrator.Erasures.Routes(),
		r.integrator.Workflows.Routes(),
		r.integrator.Verification.Routes(),
		r.applicant.Routes(),
		r.console.SignIn.Routes(),
		r.console.Sessions.Routes(),
		r.console.Erasures.Routes(),
		r.console.Retention.Routes(),
		r.console.Events.Routes(),
		r.console.Cases.Routes(),
		r.console.Assignments.Routes(),
		r.console.Quality.Routes(),
		r.console.Team.Routes(),
		r.console.Account.Routes(),
		r.integrator.Drafts.Routes(),
		r.console.Workflows.Routes(),
		r.console.Passkeys.Routes(),
		r.console.SSO.Routes(),
		r.webhooks.Routes(),
		r.console.Keys.Routes(),
		r.webhooks.EndpointRoutes(),
		r.integrator.Sandbox.Routes(),
		r.console.Sandbox.Routes(),
		r.console.CallLog.Routes(),
		r.applicant.Sandbox.Routes(),
		r.console.CaseFiles.Routes(),
		r.console.Audit.Routes(),
		r.integrator.Search.Routes(),
		r.integrator.Exports.Routes(),
		r.integrator.Screening.Routes(),
		r.integrator.Seen.Routes(),
		r.console.Search.Routes(),
		r.console.Exports.Routes(),
		r.console.Views.Routes(),
		r.console.Insight.Routes(),
		r.console.Trust.Routes(),
		r.console.Watchlists.Routes(),
		r.console.Screening.Routes(),
		r.console.Seen.Routes(),
		r.console.Mails.Routes(),
		r.console.Resets.Routes(),
		r.open.Routes(),
	)
}

// Routes returns the table of every call.
func (s *Server) Routes() []edge.Route { return s.routes }
