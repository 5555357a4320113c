package httpapi

import (
	"context"
	"strings"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

func (s *Server) getRetention(ctx context.Context, _ *none) (*answer[Retention], error) {
	set, err := s.sessions.Retention.Retention(ctx)
	if err != nil {
		return nil, err
	}
	out := Retention{
		Set: settingOf(set), Default: settingOf(idv.DefaultSetting()), Least: settingOf(idv.LeastSetting()),
		EveryMinutes: int(job.RetainEvery.Minutes()), Due: []RetentionDue{},
	}
	due, err := s.sessions.Retention.Forecast(ctx, nil)
	if err != nil {
		return nil, err
	}
	for _, f := range due {
		out.Due = append(out.Due, RetentionDue{Kind: f.Kind, Next: f.Next, Week: f.Week, Month: f.Month})
	}
	if out.Workflows, err = s.retentionVersions(ctx, set); err != nil {
		return nil, err
	}
	runs, err := s.sessions.Retention.RetentionRuns(ctx)
	if err != nil {
		return nil, err
	}
	out.LastRun, out.LastErased = runOf(runs.Last), runOf(runs.Erased)
	out.Held, err = s.sessions.Retention.CountHolds(ctx)
	return reply(out, err)
}

func (s *Server) retentionVersions(ctx context.Context, set idv.RetentionSetting) ([]RetentionVersion, error) {
	versions, err := s.sessions.Retention.RetentionVersions(ctx)
	out := []RetentionVersion{}
	for _, w := range versions {
		out = append(out, retentionVersionOf(w, set))
	}
	return out, err
}

func retentionVersionOf(w idv.WorkflowVersion, set idv.RetentionSetting) RetentionVersion {
	kept := w.Kept(set)
	return RetentionVersion{
		ID: w.ID, Workflow: w.Workflow, Name: w.Name, Number: w.Number, Mode: w.Mode, State: w.State,
		PicturesHours: hours(w.Retention.Pictures), ReportHours: hours(w.Retention.Report),
		KeptPicturesHours: hours(kept.Pictures), KeptReportHours: hours(kept.Report),
	}
}

func (s *Server) setRetention(ctx context.Context, in *body[RetentionChange]) (*answer[Retention], error) {
	if err := s.sessions.Retention.ChangeRetention(ctx, in.Body.of); err != nil {
		return nil, err
	}
	return s.getRetention(ctx, nil)
}

// retentionInput is a setting that is only looked at.
type retentionInput struct {
	Pictures Optional[int] `query:"pictures_hours" minimum:"0" maximum:"2160" doc:"As in the setting; as it is set where it is absent"`
	Report   Optional[int] `query:"report_hours" minimum:"0" maximum:"8760" doc:"As in the setting; as it is set where it is absent"`
	Test     Optional[int] `query:"test_hours" minimum:"0" maximum:"24" doc:"As in the setting; as it is set where it is absent"`
	Audit    Optional[int] `query:"audit_hours" minimum:"0" maximum:"61320" doc:"As in the setting; as it is set where it is absent"`
}

func (s *Server) previewRetention(ctx context.Context, in *retentionInput) (*answer[RetentionPreview], error) {
	set, err := s.sessions.Retention.Retention(ctx)
	if err != nil {
		return nil, err
	}
	next := settingOf(set).with(in.Pictures.Value, in.Report.Value, in.Test.Value, in.Audit.Value).setting()
	found, err := s.sessions.Retention.Forecast(ctx, &next)
	out := RetentionPreview{Kinds: []RetentionSooner{}}
	for _, f := range found {
		out.Kinds = append(out.Kinds, RetentionSooner{Kind: f.Kind, Sooner: f.Sooner, Next: f.Next, Week: f.Week, Month: f.Month})
	}
	return reply(out, err)
}

// heldInput is a page of the legal holds.
type heldInput struct {
	Limit int           `query:"limit" minimum:"1" maximum:"50" default:"25" doc:"Rows of a page"`
	After idv.SessionID `query:"after" maxLength:"40" doc:"The next of the page before"`
}

func (s *Server) listHolds(ctx context.Context, in *heldInput) (*answer[HeldPage], error) {
	if _, ok := idv.ParseID[idv.SessionID](string(in.After)); in.After != "" && !ok {
		return nil, problem.New(problem.RequestMalformed).At("after").Saying("It is the cursor of the page before.")
	}
	held, err := s.sessions.Holds.StandingHolds(ctx, in.After, in.Limit+1)
	if err != nil {
		return nil, err
	}
	out := HeldPage{Items: []HeldSession{}}
	if len(held) > in.Limit {
		held = held[:in.Limit]
		out.Next = string(held[in.Limit-1].Session)
	}
	names, err := s.namesOfHolders(ctx, held)
	for _, h := range held {
		if !may(ctx, account.SessionsErase, h.Mode) {
			continue
		}
		out.Items = append(out.Items, heldSessionOf(h, names[holder(h)]))
	}
	return reply(out, err)
}

func heldSessionOf(h session.Held, setBy string) HeldSession {
	return HeldSession{
		Session: h.Session, Mode: h.Mode, Reason: h.Reason, SetBy: h.SetBy, Name: setBy, SetAt: h.SetAt.UTC(),
		PicturesUntil: at(h.Keeping.PicturesUntil), ReportUntil: at(h.Keeping.ReportUntil),
	}
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

func settingOf(r idv.RetentionSetting) RetentionSetting {
	return RetentionSetting{PicturesHours: hours(r.Pictures), ReportHours: hours(r.Report), TestHours: hours(r.Test), AuditHours: hours(r.Audit)}
}

func (r RetentionSetting) setting() idv.RetentionSetting {
	return idv.RetentionSetting{
		Retention: idv.Retention{Pictures: span(r.PicturesHours), Report: span(r.ReportHours)}, Test: span(r.TestHours), Audit: span(r.AuditHours),
	}
}

// with is the setting with what is named.
func (r RetentionSetting) with(pictures, report, test, audit *int) RetentionSetting {
	for field, hours := range map[*int]*int{&r.PicturesHours: pictures, &r.ReportHours: report, &r.TestHours: test, &r.AuditHours: audit} {
		if hours != nil {
			*field = *hours
		}
	}
	return r
}

// of is the setting with what the change names.
func (c RetentionChange) of(set idv.RetentionSetting) idv.RetentionSetting {
	return settingOf(set).with(&c.PicturesHours, &c.ReportHours, c.TestHours, c.AuditHours).setting()
}

// runOf is a run of the job; null where it never ran.
func runOf(r session.RetentionRun) *RetentionRun {
	if r.StartedAt.IsZero() {
		return nil
	}
	return &RetentionRun{StartedAt: r.StartedAt.UTC(), EndedAt: r.EndedAt.UTC(), Pictures: r.Pictures, Sessions: r.Sessions, Entries: r.Entries, Failed: r.Failed}
}
