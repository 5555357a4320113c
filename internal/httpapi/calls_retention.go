package httpapi

import (
	"context"
	"strings"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

func (s *Server) getRetention(ctx context.Context, _ *wire.None) (*wire.Answer[wire.Retention], error) {
	set, err := s.sessions.Retention.Retention(ctx)
	if err != nil {
		return nil, err
	}
	out := wire.Retention{
		Set: wire.RetentionSettingOf(set), Default: wire.RetentionSettingOf(idv.DefaultSetting()), Least: wire.RetentionSettingOf(idv.LeastSetting()),
		EveryMinutes: int(job.RetainEvery.Minutes()), Due: []wire.RetentionDue{},
	}
	due, err := s.sessions.Retention.Forecast(ctx, nil)
	if err != nil {
		return nil, err
	}
	for _, f := range due {
		out.Due = append(out.Due, wire.RetentionDue{Kind: f.Kind, Next: f.Next, Week: f.Week, Month: f.Month})
	}
	if out.Workflows, err = s.retentionVersions(ctx, set); err != nil {
		return nil, err
	}
	runs, err := s.sessions.Retention.RetentionRuns(ctx)
	if err != nil {
		return nil, err
	}
	out.LastRun, out.LastErased = wire.RetentionRunOf(runs.Last), wire.RetentionRunOf(runs.Erased)
	out.Held, err = s.sessions.Retention.CountHolds(ctx)
	return wire.Reply(out, err)
}

func (s *Server) retentionVersions(ctx context.Context, set idv.RetentionSetting) ([]wire.RetentionVersion, error) {
	versions, err := s.sessions.Retention.RetentionVersions(ctx)
	out := []wire.RetentionVersion{}
	for _, w := range versions {
		out = append(out, wire.RetentionVersionOf(w, set))
	}
	return out, err
}

func (s *Server) setRetention(ctx context.Context, in *wire.Body[wire.RetentionChange]) (*wire.Answer[wire.Retention], error) {
	if err := s.sessions.Retention.ChangeRetention(ctx, in.Body.Apply); err != nil {
		return nil, err
	}
	return s.getRetention(ctx, nil)
}

// retentionInput is a setting that is only looked at.
type retentionInput struct {
	Pictures wire.Optional[int] `query:"pictures_hours" minimum:"0" maximum:"2160" doc:"As in the setting; as it is set where it is absent"`
	Report   wire.Optional[int] `query:"report_hours" minimum:"0" maximum:"8760" doc:"As in the setting; as it is set where it is absent"`
	Test     wire.Optional[int] `query:"test_hours" minimum:"0" maximum:"24" doc:"As in the setting; as it is set where it is absent"`
	Audit    wire.Optional[int] `query:"audit_hours" minimum:"0" maximum:"61320" doc:"As in the setting; as it is set where it is absent"`
}

func (s *Server) previewRetention(ctx context.Context, in *retentionInput) (*wire.Answer[wire.RetentionPreview], error) {
	set, err := s.sessions.Retention.Retention(ctx)
	if err != nil {
		return nil, err
	}
	next := wire.RetentionSettingOf(set).With(in.Pictures.Value, in.Report.Value, in.Test.Value, in.Audit.Value).Setting()
	found, err := s.sessions.Retention.Forecast(ctx, &next)
	out := wire.RetentionPreview{Kinds: []wire.RetentionSooner{}}
	for _, f := range found {
		out.Kinds = append(out.Kinds, wire.RetentionSooner{Kind: f.Kind, Sooner: f.Sooner, Next: f.Next, Week: f.Week, Month: f.Month})
	}
	return wire.Reply(out, err)
}

// heldInput is a page of the legal holds.
type heldInput struct {
	Limit int           `query:"limit" minimum:"1" maximum:"50" default:"25" doc:"Rows of a page"`
	After idv.SessionID `query:"after" maxLength:"40" doc:"The next of the page before"`
}

func (s *Server) listHolds(ctx context.Context, in *heldInput) (*wire.Answer[wire.HeldPage], error) {
	if _, ok := idv.ParseID[idv.SessionID](string(in.After)); in.After != "" && !ok {
		return nil, problem.New(problem.RequestMalformed).At("after").Saying("It is the cursor of the page before.")
	}
	held, err := s.sessions.Holds.StandingHolds(ctx, in.After, in.Limit+1)
	if err != nil {
		return nil, err
	}
	out := wire.HeldPage{Items: []wire.HeldSession{}}
	if len(held) > in.Limit {
		held = held[:in.Limit]
		out.Next = string(held[in.Limit-1].Session)
	}
	names, err := s.namesOfHolders(ctx, held)
	for _, h := range held {
		if !edge.May(ctx, account.SessionsErase, h.Mode) {
			continue
		}
		out.Items = append(out.Items, wire.HeldSessionOf(h, names[holder(h)]))
	}
	return wire.Reply(out, err)
}

// holder is the member who set a hold; empty if somebody else did.
func holder(h session.Held) idv.UserID {
	_, id, _ := strings.Cut(h.SetBy, ":")
	return idv.UserID(id)
}

func (s *Server) namesOfHolders(ctx context.Context, held []session.Held) (map[idv.UserID]string, error) {
	var ids []idv.UserID
	for _, h := range held {
		if id, ok := idv.ParseID[idv.UserID](string(holder(h))); ok {
			ids = append(ids, id)
		}
	}
	return s.accounts.Members.Names(ctx, ids...)
}
