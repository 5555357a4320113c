package console

import (
	"context"
	"net/http"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/insight"
)

// Insight answers figures, and the state of the deployment.
type Insight struct {
	insight *insight.Service
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
			Method: http.MethodGet, Path: "/v1/console/settings/system", ID: "getSystem", Who: edge.Console, May: account.SystemRead,
			Summary: "Read how the deployment stands",
			Description: "Models with their digests and error rates, jobs, storage, database, versions, and what `bonafide doctor` finds. No " +
				"secrets, no places of the machine.",
			Bind: edge.Call(h.system),
		},
	}
}

// analyticsInput says which sessions are counted.
type analyticsInput struct {
	Mode     idv.Mode `query:"mode" enum:"live,test" default:"test" doc:"Which mode's sessions"`
	From     string   `query:"from" maxLength:"30" doc:"Made at or after: YYYY-MM-DD or RFC 3339; 30 days before to if left out"`
	To       string   `query:"to" maxLength:"30" doc:"Made before: YYYY-MM-DD or RFC 3339; the end of today (UTC) if left out"`
	Workflow string   `query:"workflow" maxLength:"100" doc:"Only of the workflow of this name"`
	Country  string   `query:"country" maxLength:"3" pattern:"^[A-Z]{0,3}$" doc:"Only with a document of this issuing state (ICAO 9303-3 §5; DEU is D)"`
}

func (h *Insight) analytics(ctx context.Context, in *analyticsInput) (*wire.Answer[wire.Analytics], error) {
	if err := edge.CheckMay(ctx, account.InsightRead, in.Mode); err != nil {
		return nil, err
	}
	f := insight.Filter{Mode: in.Mode, Workflow: in.Workflow, Country: in.Country}
	var err error
	if f.From, err = wire.ParseTime("from", in.From); err != nil {
		return nil, err
	}
	if f.To, err = wire.ParseTime("to", in.To); err != nil {
		return nil, err
	}
	got, err := h.insight.Figures(ctx, f)
	return wire.Reply(wire.AnalyticsOf(got), err)
}

func (h *Insight) system(ctx context.Context, _ *wire.None) (*wire.Answer[wire.System], error) {
	r, err := h.insight.Report(ctx)
	return wire.Reply(wire.SystemOf(r), err)
}
