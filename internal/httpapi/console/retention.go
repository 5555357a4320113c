package console

import (
	"context"
	"net/http"
	"strings"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/team"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/retention"
)

// Retention answers the calls on how long data is stored.
type Retention struct {
	retention *retention.Retention
	holds     *retention.Holds
	members   *team.Members
}

// Routes returns the calls, in the order of the reference.
func (h *Retention) Routes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodGet, Path: "/v1/console/settings/retention", ID: "getRetention", Who: edge.Console, May: account.SessionsErase,
			Summary: "How long is data kept?",
			Description: "The deployment's setting, the defaults and what workflows say of their own, in hours; what is due soon, and what the " +
				"job that erases did last.",
			Bind: edge.Call(h.get),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/settings/retention", ID: "setRetention", Who: edge.Console, May: account.SessionsErase,
			Fresh: true, Sends: edge.JSON,
			Summary:     "Settle how long data is kept",
			Description: "Shortens the defaults for every session, also for those that are there. Workflows can shorten further. Audited.",
			Bind:        edge.Call(h.set),
		},
		{
			Method: http.MethodGet, Path: "/v1/console/settings/retention/preview", ID: "previewRetention", Who: edge.Console,
			May:         account.SessionsErase,
			Summary:     "What would a setting reach?",
			Description: "How many sessions and entries would go sooner than now, and how many would be due when. Changes nothing.",
			Bind:        edge.Call(h.preview),
		},
		{
			Method: http.MethodGet, Path: "/v1/console/settings/retention/holds", ID: "listHolds", Who: edge.Console, May: account.SessionsErase,
			Summary:     "List the legal holds that are set",
			Description: "Of both modes, newest session first: who set each, why and since when, and when its data would be erased without it.",
			Bind:        edge.Call(h.listHolds),
		},
	}
}

func (h *Retention) get(ctx context.Context, _ *wire.None) (*wire.Answer[wire.Retention], error) {
	set, err := h.retention.Retention(ctx)
	if err != nil {
		return nil, err
	}
	out := wire.Retention{
		Set: wire.RetentionSettingOf(set), Default: wire.RetentionSettingOf(idv.DefaultSetting()), Least: wire.RetentionSettingOf(idv.LeastSetting()),
		EveryMinutes: int(job.RetainEvery.Minutes()), Due: []wire.RetentionDue{},
	}
	due, err := h.retention.Forecast(ctx, nil)
	if err != nil {
		return nil, err
	}
	for _, f := range due {
		out.Due = append(out.Due, wire.RetentionDue{Kind: f.Kind, Next: f.Next, Week: f.Week, Month: f.Month})
	}
	if out.Workflows, err = h.versions(ctx, set); err != nil {
		return nil, err
	}
	runs, err := h.retention.RetentionRuns(ctx)
	if err != nil {
		return nil, err
	}
	out.LastRun, out.LastErased = wire.RetentionRunOf(runs.Last), wire.RetentionRunOf(runs.Erased)
	out.Held, err = h.retention.CountHolds(ctx)
	return wire.Reply(out, err)
}

func (h *Retention) versions(ctx context.Context, set idv.RetentionSetting) ([]wire.RetentionVersion, error) {
	versions, err := h.retention.RetentionVersions(ctx)
	out := []wire.RetentionVersion{}
	for _, w := range versions {
		out = append(out, wire.RetentionVersionOf(w, set))
	}
	return out, err
}

func (h *Retention) set(ctx context.Context, in *wire.Body[wire.RetentionChange]) (*wire.Answer[wire.Retention], error) {
	if err := h.retention.ChangeRetention(ctx, in.Body.Apply); err != nil {
		return nil, err
	}
	return h.get(ctx, nil)
}

// retentionInput is a setting that is only looked at.
type retentionInput struct {
	Pictures wire.Optional[int] `query:"pictures_hours" minimum:"0" maximum:"2160" doc:"As in the setting; as it is set where it is absent"`
	Report   wire.Optional[int] `query:"report_hours" minimum:"0" maximum:"8760" doc:"As in the setting; as it is set where it is absent"`
	Test     wire.Optional[int] `query:"test_hours" minimum:"0" maximum:"24" doc:"As in the setting; as it is set where it is absent"`
	Audit    wire.Optional[int] `query:"audit_hours" minimum:"0" maximum:"61320" doc:"As in the setting; as it is set where it is absent"`
}

func (h *Retention) preview(ctx context.Context, in *retentionInput) (*wire.Answer[wire.RetentionPreview], error) {
	set, err := h.retention.Retention(ctx)
	if err != nil {
		return nil, err
	}
	next := wire.RetentionSettingOf(set).With(in.Pictures.Value, in.Report.Value, in.Test.Value, in.Audit.Value).Setting()
	found, err := h.retention.Forecast(ctx, &next)
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

func (h *Retention) listHolds(ctx context.Context, in *heldInput) (*wire.Answer[wire.HeldPage], error) {
	if _, ok := idv.ParseID[idv.SessionID](string(in.After)); in.After != "" && !ok {
		return nil, problem.New(problem.RequestMalformed).At("after").Saying("It is the cursor of the page before.")
	}
	held, err := h.holds.StandingHolds(ctx, in.After, in.Limit+1)
	if err != nil {
		return nil, err
	}
	out := wire.HeldPage{Items: []wire.HeldSession{}}
	if len(held) > in.Limit {
		held = held[:in.Limit]
		out.Next = string(held[in.Limit-1].Session)
	}
	names, err := h.namesOfHolders(ctx, held)
	for _, h := range held {
		if !edge.May(ctx, account.SessionsErase, h.Mode) {
			continue
		}
		out.Items = append(out.Items, wire.HeldSessionOf(h, names[holder(h)]))
	}
	return wire.Reply(out, err)
}

// holder returns the member who set a hold; empty if it was not a member.
func holder(h session.Held) idv.UserID {
	_, id, _ := strings.Cut(h.SetBy, ":")
	return idv.UserID(id)
}

func (h *Retention) namesOfHolders(ctx context.Context, held []session.Held) (map[idv.UserID]string, error) {
	var ids []idv.UserID
	for _, h := range held {
		if id, ok := idv.ParseID[idv.UserID](string(holder(h))); ok {
			ids = append(ids, id)
		}
	}
	return h.members.Names(ctx, ids...)
}
