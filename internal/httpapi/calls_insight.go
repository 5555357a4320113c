package httpapi

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/account"
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

func (s *Server) analytics(ctx context.Context, in *analyticsInput) (*answer[Analytics], error) {
	if err := mayInMode(ctx, account.InsightRead, in.Mode); err != nil {
		return nil, err
	}
	f := insight.Filter{Mode: in.Mode, Workflow: in.Workflow, Country: in.Country}
	var err error
	if f.From, err = moment("from", in.From); err != nil {
		return nil, err
	}
	if f.To, err = moment("to", in.To); err != nil {
		return nil, err
	}
	got, err := s.insight.Figures(ctx, f)
	return reply(analyticsOf(got), err)
}

func (s *Server) system(ctx context.Context, _ *none) (*answer[System], error) {
	r, err := s.insight.Report(ctx)
	return reply(systemOf(r), err)
}

func analyticsOf(f insight.Figures) Analytics {
	out := Analytics{
		Mode: f.Mode, From: f.From, To: f.To, Unit: f.Unit, Total: countsOf(f.Total), WaitP50: f.P50.Seconds(), WaitP95: f.P95.Seconds(),
		Course: rowsOf(f.TimeSeries), Workflows: rowsOf(f.ByWorkflow), Countries: rowsOf(f.ByCountry), Kinds: rowsOf(f.ByKind),
		Devices: rowsOf(f.ByDevice), Models: rowsOf(f.ByModel), Reasons: []ReasonCount{}, LeftAt: []LeftCount{},
		Queue: QueueState{Waiting: f.Queue.Waiting, Late: f.Queue.Overdue, Oldest: at(f.Queue.Oldest)},
	}
	for _, r := range f.Reasons {
		out.Reasons = append(out.Reasons, ReasonCount(r))
	}
	for _, l := range f.AbandonedAt {
		out.LeftAt = append(out.LeftAt, LeftCount(l))
	}
	return out
}

func countsOf(c insight.Counts) FigureCounts {
	return FigureCounts{
		Created: c.Created, Opened: c.Opened, Submitted: c.Submitted, Decided: c.Decided, Approved: c.Approved, Declined: c.Declined,
		Automatic: c.Automatic, Waiting: c.Waiting, Left: c.Abandoned,
	}
}

func rowsOf(rows []insight.Row) []FigureRow {
	out := []FigureRow{}
	for _, r := range rows {
		out = append(out, FigureRow{Key: r.Key, Counts: countsOf(r.Counts)})
	}
	return out
}

func systemOf(r insight.Report) System {
	out := System{
		Version: r.Version, StartedAt: at(r.Started), Now: r.Now, Engine: r.Engine, Models: []SystemModel{}, Jobs: []SystemJobs{}, Findings: []SystemFinding{},
		Database: SystemDatabase{
			Engine: r.Database.Engine, Version: r.Database.Version, Bytes: r.Database.Bytes, Schema: r.Database.Schema, Newest: r.Database.Newest,
		},
		Captures: r.Evidence.Captures, CaptureBytes: r.Evidence.Bytes, AuditEntries: r.Audit.Entries, AuditWaiting: r.Audit.Waiting,
		WebhooksFailing: r.Hooks.Failing, WebhooksGivenUp: r.Hooks.GivenUp,
	}
	for _, m := range r.Models {
		w := SystemModel{Name: m.Name, Version: m.Version, Use: m.Use, Licence: m.Licence, SHA256: m.SHA256, Fault: m.Fault}
		if c := m.Calibration; c != nil {
			w.DataSet, w.Rates = c.DataSet, []SystemRate{}
			for _, rate := range c.Rates {
				w.Rates = append(w.Rates, SystemRate(rate))
			}
		}
		out.Models = append(out.Models, w)
	}
	for _, j := range r.Jobs {
		out.Jobs = append(out.Jobs, SystemJobs{Kind: j.Kind, Waiting: j.Waiting, Working: j.Working, Later: j.Later, Failed: j.Failed, Oldest: at(j.Oldest)})
	}
	for _, f := range r.Findings {
		out.Findings = append(out.Findings, SystemFinding(f))
	}
	return out
}
