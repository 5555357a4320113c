package console

import (
	"context"
	"net/http"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/team"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/insight"
)

// Insight answers figures, and the state of the deployment.
type Insight struct {
	insight *insight.Service
	members *team.Members
}

// Routes returns the calls, in the order of the reference.
func (h *Insight) Routes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodGet, Path: "/v1/console/analytics", ID: "getAnalytics", Who: edge.Console, May: account.InsightRead,
			Summary: "Read the figures",
			Description: "How many sessions that were made in a span came how far, what became of them, how long they waited, and where people " +
				"went away: in all, in the course of time, and by workflow, issuing state, kind of document, device and model. Counts only; nothing of a " +
				"single session.",
			Bind: edge.Call(h.analytics),
		},
		{
			Method: http.MethodGet, Path: "/v1/console/analytics/stages", ID: "getStageTimes", Who: edge.Console, May: account.InsightRead,
			Summary: "Read how long each step took",
			Description: "From the moment before to the one that ended the step, tries included, in the newest 1 000 submitted sessions of the span; and how " +
				"long the verdict and a reviewer took.",
			Bind: edge.Call(h.stages),
		},
		{
			Method: http.MethodGet, Path: "/v1/console/analytics/reviewers", ID: "getReviewers", Who: edge.Console, May: account.CasesOverrule,
			Summary: "Read the figures of reviewers",
			Description: "What each reviewer decided in a span, how long their cases had waited, which of their decisions were changed, and how often a second " +
				"look disagreed; and the same of the policy. For those who may overrule reviewers.",
			Bind: edge.Call(h.reviewers),
		},
		{
			Method: http.MethodGet, Path: "/v1/console/settings/system", ID: "getSystem", Who: edge.Console, May: account.SystemRead,
			Summary: "Read the state of the deployment",
			Description: "Models with their digests and error rates, jobs, storage, database, versions, and what `bonafide doctor` finds. No " +
				"secrets, no places of the machine.",
			Bind: edge.Call(h.system),
		},
	}
}

// AnalyticsInput says which sessions are counted. Exported because the framework ignores embedded structs that are not.
type AnalyticsInput struct {
	Mode     idv.Mode `query:"mode" enum:"live,test" default:"test" doc:"Which mode's sessions"`
	From     string   `query:"from" maxLength:"30" doc:"Made at or after: YYYY-MM-DD or RFC 3339; 30 days before to if left out"`
	To       string   `query:"to" maxLength:"30" doc:"Made before: YYYY-MM-DD or RFC 3339; the end of today (UTC) if left out"`
	Workflow string   `query:"workflow" maxLength:"100" doc:"Only of the workflow of this name"`
	Country  string   `query:"country" maxLength:"3" pattern:"^[A-Z]{0,3}$" doc:"Only with a document of this issuing state (ICAO 9303-3 §5; DEU is D)"`
}

// filter returns the filter that the query describes. Problems: auth.forbidden, request.malformed.
func (in *AnalyticsInput) filter(ctx context.Context, p account.Permission) (insight.Filter, error) {
	f := insight.Filter{Mode: in.Mode, Workflow: in.Workflow, Country: in.Country}
	if err := edge.CheckMay(ctx, p, in.Mode); err != nil {
		return f, err
	}
	var err error
	if f.From, err = wire.ParseTime("from", in.From); err != nil {
		return f, err
	}
	f.To, err = wire.ParseTime("to", in.To)
	return f, err
}

func (h *Insight) stages(ctx context.Context, in *AnalyticsInput) (*wire.Answer[wire.StageTimes], error) {
	f, err := in.filter(ctx, account.InsightRead)
	if err != nil {
		return nil, err
	}
	got, err := h.insight.StageTimes(ctx, f)
	return wire.Reply(wire.StageTimesOf(got), err)
}

// reviewersInput says what is counted.
type reviewersInput struct {
	Mode idv.Mode `query:"mode" enum:"live,test" default:"test" doc:"Which mode's sessions"`
	From string   `query:"from" maxLength:"30" doc:"Done at or after: YYYY-MM-DD or RFC 3339; 30 days before to if left out"`
	To   string   `query:"to" maxLength:"30" doc:"Done before: YYYY-MM-DD or RFC 3339; the end of today (UTC) if left out"`
}

func (h *Insight) reviewers(ctx context.Context, in *reviewersInput) (*wire.Answer[wire.ReviewerFigures], error) {
	f, err := (&AnalyticsInput{Mode: in.Mode, From: in.From, To: in.To}).filter(ctx, account.CasesOverrule)
	if err != nil {
		return nil, err
	}
	rows, err := h.insight.Reviewers(ctx, f.Mode, f.From, f.To)
	if err != nil {
		return nil, err
	}
	var ids []idv.UserID
	for _, r := range rows {
		ids = append(ids, r.Reviewer)
	}
	names, err := h.members.Names(ctx, ids...)
	return wire.Reply(wire.ReviewerFiguresOf(rows, names), err)
}

func (h *Insight) analytics(ctx context.Context, in *AnalyticsInput) (*wire.Answer[wire.Analytics], error) {
	f, err := in.filter(ctx, account.InsightRead)
	if err != nil {
		return nil, err
	}
	got, err := h.insight.Figures(ctx, f)
	return wire.Reply(wire.AnalyticsOf(got), err)
}

func (h *Insight) system(ctx context.Context, _ *wire.None) (*wire.Answer[wire.System], error) {
	r, err := h.insight.Report(ctx)
	return wire.Reply(wire.SystemOf(r), err)
}
