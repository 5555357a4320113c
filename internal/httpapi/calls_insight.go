package httpapi

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/insight"
)

// analyticsInput says which sessions are counted.
type analyticsInput struct {
	Mode     idv.Mode `query:"mode" enum:"live,test" default:"test" doc:"Which mode's sessions"`
	From     string   `query:"from" maxLength:"30" doc:"Made at or after: YYYY-MM-DD or RFC 3339; 30 days before to if left out"`
	To       string   `query:"to" maxLength:"30" doc:"Made before: YYYY-MM-DD or RFC 3339; the end of today (UTC) if left out"`
	Workflow string   `query:"workflow" maxLength:"100" doc:"Only of the workflow of this name"`
	Country  string   `query:"country" maxLength:"3" pattern:"^[A-Z]{0,3}$" doc:"Only with a document of this issuing state (ICAO code)"`
}

func (s *Server) analytics(ctx context.Context, in *analyticsInput) (*wire.Answer[wire.Analytics], error) {
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
	got, err := s.insight.Figures(ctx, f)
	return wire.Reply(wire.AnalyticsOf(got), err)
}

func (s *Server) system(ctx context.Context, _ *wire.None) (*wire.Answer[wire.System], error) {
	r, err := s.insight.Report(ctx)
	return wire.Reply(wire.SystemOf(r), err)
}
