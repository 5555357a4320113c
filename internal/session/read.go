package session

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/verified"
)

// Pages of a list.
const (
	DefaultPage = 25
	MaxPage     = 100
)

// Count counts what a filter leaves, whatever its page. Problems: as for List.
func (s *Service) Count(ctx context.Context, f Filter) (int, error) {
	f, err := s.checkFilter(ctx, f)
	if err != nil {
		return 0, err
	}
	f.After = ""
	return s.store.CountSessions(ctx, f)
}

// List reads a page of sessions, newest first unless the filter says otherwise, and the cursor of the next page ("" at the end).
// Problems: request.malformed, also where no session can match the filter.
func (s *Service) List(ctx context.Context, f Filter) ([]View, string, error) {
	if f.Limit <= 0 {
		f.Limit = DefaultPage
	}
	f.Limit = min(f.Limit, MaxPage)
	if _, ok := f.Sort.Parse(f.After); f.After != "" && !ok {
		return nil, "", Malformed("after", "it must be the cursor of the page before")
	}
	f, err := s.checkFilter(ctx, f)
	if err != nil {
		return nil, "", err
	}
	most := f.Limit
	f.Limit++
	recs, err := s.store.Sessions(ctx, f)
	if err != nil {
		return nil, "", err
	}
	next := ""
	if len(recs) > most {
		recs = recs[:most]
		next = f.Sort.CursorOf(recs[most-1].Session)
	}
	set, err := s.store.Retention(ctx)
	if err != nil {
		return nil, "", err
	}
	seen := map[idv.WorkflowVersionID]idv.WorkflowVersion{}
	out := make([]View, 0, len(recs))
	for _, rec := range recs {
		w, ok := seen[rec.Workflow]
		if !ok {
			if w, err = s.store.Workflow(ctx, rec.Workflow); err != nil {
				return nil, "", err
			}
			seen[rec.Workflow] = w
		}
		out = append(out, View{Session: rec.Session, Workflow: w.For(rec.Session), Keeping: keeping(rec, w, set)})
	}
	return out, next, nil
}

// CountStates counts the sessions of a mode, or of all if it is empty, by state.
func (s *Service) CountStates(ctx context.Context, mode idv.Mode) (map[idv.SessionState]int, error) {
	return s.store.CountStates(ctx, mode)
}

// Report reads the newest report and every decision, oldest first. Problems: not_found before the first
// decision, session.erased.
func (s *Service) Report(ctx context.Context, mode idv.Mode, id idv.SessionID) (idv.Report, []idv.Decision, error) {
	if err := s.life.CheckAvailable(ctx, mode, id, ScopeAll); err != nil {
		return idv.Report{}, nil, err
	}
	decisions, err := s.store.Decisions(ctx, id)
	if err != nil {
		return idv.Report{}, nil, err
	}
	reports, err := s.store.Reports(ctx, id)
	if err != nil {
		return idv.Report{}, nil, err
	}
	if len(reports) == 0 || len(decisions) == 0 {
		return idv.Report{}, nil, problem.New(problem.NotFound)
	}
	return reports[len(reports)-1], decisions, nil
}

// Verified returns what an approved session verifies, by the report that was approved and what reviewers corrected about it. It is nil
// for a session that is not approved: nothing of it is verified.
func (s *Service) Verified(ctx context.Context, x idv.Session) (*verified.Outputs, error) {
	if x.Verdict() != idv.Approved || !x.ErasedAt.IsZero() {
		return nil, nil
	}
	reports, err := s.store.Reports(ctx, x.ID)
	if err != nil || len(reports) == 0 {
		return nil, err
	}
	out, err := Outputs(ctx, s.store, reports[len(reports)-1])
	return &out, err
}

// OutputsOf is Outputs of a report. The caller must have checked that it may be read.
func (s *Service) OutputsOf(ctx context.Context, r idv.Report) (verified.Outputs, error) {
	return Outputs(ctx, s.store, r)
}

// Reviews reads what was said about a session's cases, oldest first. The caller must have checked that it may be read.
func (s *Service) Reviews(ctx context.Context, id idv.SessionID) ([]idv.Review, error) {
	return s.store.Reviews(ctx, id)
}

// Decisions reads every decision, oldest first. Of an erased session they say what was decided, by whom and for which reasons.
func (s *Service) Decisions(ctx context.Context, mode idv.Mode, id idv.SessionID) ([]idv.Decision, error) {
	if _, err := s.life.Record(ctx, mode, id); err != nil {
		return nil, err
	}
	return s.store.Decisions(ctx, id)
}

// Checks reads the checks that count now, also before a decision.
func (s *Service) Checks(ctx context.Context, mode idv.Mode, id idv.SessionID) ([]idv.Check, error) {
	if err := s.life.CheckAvailable(ctx, mode, id, ScopeAll); err != nil {
		return nil, err
	}
	checks, err := s.store.Checks(ctx, id)
	if err != nil {
		return nil, err
	}
	out := []idv.Check{}
	for _, c := range checks {
		if c.Lifecycle != idv.CheckSuperseded {
			out = append(out, c)
		}
	}
	return out, nil
}

// Captures reads what was sent and found. Superseded captures are left out, templates come without their data.
func (s *Service) Captures(ctx context.Context, mode idv.Mode, id idv.SessionID) ([]idv.Capture, []idv.Artifact, error) {
	if err := s.life.CheckAvailable(ctx, mode, id, ScopeAll); err != nil {
		return nil, nil, err
	}
	ev, err := LoadEvidence(ctx, s.store.Together(), id)
	if err != nil {
		return nil, nil, err
	}
	captures := []idv.Capture{}
	for _, c := range ev.Captures {
		captures = append(captures, c.Capture)
	}
	artifacts := []idv.Artifact{}
	for _, a := range ev.Artifacts {
		if IsTemplate(a.Kind) {
			a.Data = nil
		}
		artifacts = append(artifacts, a)
	}
	return captures, artifacts, nil
}

// Earlier reads the captures of earlier tries: what was sent and replaced since, oldest first. Problems: not_found, session.erased.
func (s *Service) Earlier(ctx context.Context, mode idv.Mode, id idv.SessionID) ([]idv.Capture, error) {
	if err := s.life.CheckAvailable(ctx, mode, id, ScopeAll); err != nil {
		return nil, err
	}
	rows, err := s.store.Captures(ctx, id)
	out := []idv.Capture{}
	for _, row := range rows {
		if row.Superseded && row.Kind != idv.ChipFiles {
			out = append(out, row.Capture)
		}
	}
	return out, err
}

// Timeline reads everything that happened to a session, oldest first. Problems: not_found.
func (s *Service) Timeline(ctx context.Context, mode idv.Mode, id idv.SessionID) ([]Event, error) {
	if _, err := s.life.Record(ctx, mode, id); err != nil {
		return nil, err
	}
	return s.store.Events(ctx, id, "")
}

// Watch wakes on any event of the session until stop is called.
func (s *Service) Watch(id idv.SessionID) (wake <-chan struct{}, stop func()) {
	return s.store.Watch(id)
}

// Events lists a session's events after the one with that id ("" for all), oldest first. An id that is not an
// event of this session lists nothing.
func (s *Service) Events(ctx context.Context, id idv.SessionID, after idv.EventID) ([]Event, error) {
	return s.store.Events(ctx, id, after)
}
