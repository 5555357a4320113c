package sessiontest

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// recordReader reads sessions, workflows and events.
type recordReader struct{ view }

func (r recordReader) Session(_ context.Context, id idv.SessionID) (session.Record, error) {
	return r.at().record(id)
}

func (r recordReader) SessionByLink(_ context.Context, hash string) (session.Record, error) {
	return one(r.at().records(func(rec session.Record) bool { return rec.LinkHash == hash }), all)
}

func (r recordReader) SessionByToken(_ context.Context, hash string) (session.Record, error) {
	return one(r.at().records(func(rec session.Record) bool { return rec.TokenHash != "" && rec.TokenHash == hash }), all)
}

func all(session.Record) bool { return true }

func (r recordReader) Records(_ context.Context, ids []idv.SessionID) (map[idv.SessionID]session.Record, error) {
	out := map[idv.SessionID]session.Record{}
	for _, rec := range r.at().records(func(rec session.Record) bool { return slices.Contains(ids, rec.ID) }) {
		out[rec.ID] = rec
	}
	return out, nil
}

func (r recordReader) Sessions(_ context.Context, f session.Filter) ([]session.Record, error) {
	t := r.at()
	out := t.records(func(rec session.Record) bool { return t.listed(f, rec) })
	order := func(a, b session.Cursor) int { return inOrder(f.Sort, a, b) }
	slices.SortFunc(out, func(a, b session.Record) int { return order(placeOf(a), placeOf(b)) })
	if f.After != "" {
		after, ok := f.Sort.Parse(f.After)
		if !ok {
			return nil, session.Malformed("after", "it must be the cursor of the page before")
		}
		out = where(out, func(rec session.Record) bool { return order(after, placeOf(rec)) < 0 })
	}
	return upTo(out, f.Limit), nil
}

func placeOf(r session.Record) session.Cursor {
	return session.Cursor{ID: r.ID, State: r.State, Decided: r.DecidedAt}
}

// inOrder compares two places in an order of the list.
func inOrder(s session.Sort, a, b session.Cursor) int {
	by := 0
	switch s.Key() {
	case session.ByState:
		by = cmp.Compare(a.State, b.State)
	case session.FirstDecided:
		if a.Decided.IsZero() != b.Decided.IsZero() { // without a decision: last, in both directions
			if a.Decided.IsZero() {
				return 1
			}
			return -1
		}
		by = a.Decided.Compare(b.Decided)
	}
	if by = cmp.Or(by, cmp.Compare(a.ID, b.ID)); s.Back() {
		return -by
	}
	return by
}

func (r recordReader) CountSessions(_ context.Context, f session.Filter) (int, error) {
	t := r.at()
	return len(t.records(func(rec session.Record) bool { return t.listed(f, rec) })), nil
}

func (r recordReader) Facets(_ context.Context, mode idv.Mode) (session.Facets, error) {
	var out session.Facets
	for _, w := range r.at().workflows {
		if w.Mode == mode {
			out.Workflows = append(out.Workflows, w.Name)
		}
	}
	for _, rec := range r.at().records(func(rec session.Record) bool { return rec.Mode == mode && rec.Country != "" }) {
		out.Countries = append(out.Countries, rec.Country)
	}
	out.Workflows, out.Countries = distinct(out.Workflows), distinct(out.Countries)
	return out, nil
}

func distinct(words []string) []string {
	slices.Sort(words)
	return slices.Compact(words)
}

func (r recordReader) Views(_ context.Context, owner idv.UserID, mode idv.Mode) ([]session.SavedView, error) {
	rows := where(r.at().views, func(v session.SavedView) bool { return v.Owner == owner && v.Mode == mode })
	return sortedBy(rows, func(v session.SavedView) string { return v.Name }), nil
}

func (r recordReader) View(_ context.Context, id idv.ViewID) (session.SavedView, error) {
	return one(r.at().views, func(v session.SavedView) bool { return v.ID == id })
}

func (r recordReader) Overdue(_ context.Context, now time.Time, limit int) ([]idv.SessionID, error) {
	return r.ids(limit, func(rec session.Record) bool { return session.Overdue(rec, now) }), nil
}

func (r recordReader) Stale(_ context.Context, before time.Time, limit int) ([]idv.SessionID, error) {
	return r.ids(limit, func(rec session.Record) bool { return rec.State == idv.Processing && rec.TouchedAt.Before(before) }), nil
}

func (r recordReader) ids(limit int, keep func(session.Record) bool) []idv.SessionID {
	out := []idv.SessionID{}
	for _, rec := range upTo(r.at().records(keep), limit) {
		out = append(out, rec.ID)
	}
	return out
}

func (r recordReader) Pending(_ context.Context, id idv.SessionID) (bool, error) {
	return slices.ContainsFunc(r.at().jobs, func(j Job) bool {
		switch a := j.Args.(type) {
		case job.Extract:
			return !j.Done && a.Session == id
		case job.Check:
			return !j.Done && a.Session == id
		}
		return false
	}), nil
}

func (r recordReader) Workflow(_ context.Context, id idv.WorkflowVersionID) (idv.WorkflowVersion, error) {
	return one(r.at().workflows, func(w idv.WorkflowVersion) bool { return w.ID == id })
}

func (r recordReader) Workflows(_ context.Context, mode idv.Mode) ([]idv.WorkflowVersion, error) {
	rows := r.published(func(w idv.WorkflowVersion) bool { return w.Mode == mode })
	newest := where(rows, func(w idv.WorkflowVersion) bool {
		return !slices.ContainsFunc(rows, func(o idv.WorkflowVersion) bool { return o.Name == w.Name && o.Number > w.Number })
	})
	return sortedBy(newest, func(w idv.WorkflowVersion) string { return w.Name }), nil
}

func (r recordReader) WorkflowNamed(_ context.Context, mode idv.Mode, name string) (idv.WorkflowVersion, error) {
	rows := r.published(func(w idv.WorkflowVersion) bool { return w.Mode == mode && w.Name == name })
	if len(rows) == 0 {
		return idv.WorkflowVersion{}, problem.New(problem.NotFound)
	}
	return rows[len(rows)-1], nil
}

// published lists published versions, by number.
func (r recordReader) published(keep func(idv.WorkflowVersion) bool) []idv.WorkflowVersion {
	rows := where(r.at().workflows, func(w idv.WorkflowVersion) bool { return w.State == idv.Published && keep(w) })
	return sortedBy(rows, func(w idv.WorkflowVersion) int { return w.Number })
}

func (r recordReader) WorkflowVersions(context.Context) ([]idv.WorkflowVersion, error) {
	return sortedBy(slices.Clone(r.at().workflows), func(w idv.WorkflowVersion) idv.WorkflowVersionID { return w.ID }), nil
}

func (r recordReader) Events(_ context.Context, id idv.SessionID, after idv.EventID) ([]session.Event, error) {
	rows := where(r.at().events, func(e session.Event) bool { return e.Session == id })
	if after == "" {
		return rows, nil
	}
	i := slices.IndexFunc(rows, func(e session.Event) bool { return e.ID == after })
	if i < 0 {
		return []session.Event{}, nil
	}
	return rows[i+1:], nil
}

func (r recordReader) CountStates(_ context.Context, mode idv.Mode) (map[idv.SessionState]int, error) {
	out := map[idv.SessionState]int{}
	for _, rec := range r.at().records(func(rec session.Record) bool { return mode == "" || rec.Mode == mode }) {
		out[rec.State]++
	}
	return out, nil
}

// recordWriter writes sessions, events, views and jobs.
type recordWriter struct{ *base }

func (w recordWriter) Lock(_ context.Context, id idv.SessionID) (session.Record, error) {
	return w.next.record(id)
}

func (w recordWriter) AddSession(_ context.Context, r session.Record) error {
	if _, there := w.next.sessions[r.ID]; there {
		return errors.New("write session: the id is taken")
	}
	if _, err := one(w.next.workflows, func(v idv.WorkflowVersion) bool { return v.ID == r.Workflow }); err != nil {
		return errors.New("write session: its workflow version is missing")
	}
	if taken := w.next.records(func(o session.Record) bool { return o.LinkHash == r.LinkHash }); len(taken) > 0 {
		return errors.New("write session: the link is taken")
	}
	w.next.sessions[r.ID] = copyRecord(r)
	w.next.indexSession(r)
	return nil
}

func (w recordWriter) SaveSession(_ context.Context, r session.Record) error {
	if err := w.next.open(r.ID, session.ScopeAll); err != nil {
		return err
	}
	before := w.next.sessions[r.ID]
	if before.Version != r.Version {
		return problem.New(problem.SessionConflict)
	}
	r = copyRecord(r)
	r.Version++
	r.Country = before.Country // written with the facts of a decision alone
	w.next.sessions[r.ID] = r
	return nil
}

func (w recordWriter) IndexStated(_ context.Context, r session.Record) error {
	w.next.index = slices.DeleteFunc(w.next.index, func(row indexRow) bool {
		return row.session == r.ID && (row.kind == byReference || row.kind == byMetadata)
	})
	w.next.indexStated(r)
	return nil
}

func (w recordWriter) AddEvent(_ context.Context, e session.Event) error {
	if e.Payload == nil {
		e.Payload = map[string]any{}
	}
	var err error
	if e.Payload, err = throughJSON(e.Payload); err != nil {
		return err
	}
	w.woken = append(w.woken, e.Session)
	if strings.HasPrefix(string(e.Type), "case.") {
		w.woken = append(w.woken, session.QueueTopic)
	}
	w.next.events = append(w.next.events, e)
	return nil
}

func (w recordWriter) AddView(_ context.Context, v session.SavedView) error {
	w.next.views = append(w.next.views, v)
	return nil
}

func (w recordWriter) DeleteView(_ context.Context, id idv.ViewID) error {
	var n int
	if w.next.views, n = without(w.next.views, func(v session.SavedView) bool { return v.ID == id }); n == 0 {
		return problem.New(problem.NotFound)
	}
	return nil
}

func (w recordWriter) Enqueue(_ context.Context, a job.Args) error {
	w.next.jobSeq++
	w.next.jobs = append(w.next.jobs, Job{Seq: w.next.jobSeq, Args: a})
	return nil
}
