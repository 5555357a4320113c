package sessiontest

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// caseReader reads cases.
type caseReader struct{ view }

func (r caseReader) Case(_ context.Context, id idv.CaseID) (idv.Case, error) {
	return one(r.at().cases, func(c idv.Case) bool { return c.ID == id })
}

func (r caseReader) CaseOf(_ context.Context, id idv.SessionID) (idv.Case, error) {
	rows := where(r.at().cases, func(c idv.Case) bool { return c.Session == id })
	if len(rows) == 0 {
		return idv.Case{}, problem.New(problem.NotFound)
	}
	return rows[len(rows)-1], nil
}

func (r caseReader) Cases(_ context.Context, f session.CaseFilter) ([]idv.Case, error) {
	rows := r.queued(f, f.Tab)
	if f.After != "" {
		after, ok := f.Sort.Parse(f.After)
		if !ok {
			return nil, session.Malformed("after", "it is the cursor of the page before")
		}
		rows = where(rows, func(c idv.Case) bool { return casesInOrder(f.Sort, after, caseCursor(f.Sort, c)) < 0 })
	}
	return upTo(rows, f.Limit), nil
}

// queued lists the cases of a tab, in the order that is asked for.
func (r caseReader) queued(f session.CaseFilter, tab session.CaseTab) []idv.Case {
	rows := where(r.at().cases, func(c idv.Case) bool {
		if !c.ClosedAt.IsZero() || c.Mode != f.Mode || !r.at().narrowed(c, f) {
			return false
		}
		switch tab {
		case session.Unclaimed:
			return c.StateAt(f.Now) == idv.CaseOpen
		case session.Mine:
			return c.Holder(f.Now) == f.Who && f.Who != ""
		}
		return true
	})
	slices.SortFunc(rows, func(a, b idv.Case) int { return casesInOrder(f.Sort, caseCursor(f.Sort, a), caseCursor(f.Sort, b)) })
	return rows
}

// narrowed reports whether a case is one of those that a filter leaves.
func (t *tables) narrowed(c idv.Case, f session.CaseFilter) bool {
	rec := t.sessions[c.Session]
	workflow := where(t.workflows, func(w idv.WorkflowVersion) bool { return w.ID == c.Workflow && w.Name == f.Workflow })
	return (f.Workflow == "" || len(workflow) > 0) &&
		(f.Reason == "" || slices.Contains(c.Reasons, f.Reason)) &&
		(len(f.Countries) == 0 || slices.Contains(f.Countries, rec.Country)) &&
		(f.Assignee == "" || c.Holder(f.Now) == f.Assignee) &&
		(!f.Nobody || c.Holder(f.Now) == "") &&
		(!f.Overdue || c.DueAt.Before(f.Now))
}

func caseCursor(s session.CaseSort, c idv.Case) session.CaseCursor {
	return session.CaseCursor{ID: c.ID, Value: s.ValueOf(c), Due: c.DueAt}
}

// casesInOrder compares two places in an order of the queue.
func casesInOrder(s session.CaseSort, a, b session.CaseCursor) int {
	by := cmp.Or(cmp.Compare(a.Value, b.Value), a.Due.Compare(b.Due), cmp.Compare(a.ID, b.ID))
	if s.Back() {
		return -by
	}
	return by
}

func (r caseReader) CountCases(_ context.Context, f session.CaseFilter) (session.CaseCounts, error) {
	return session.CaseCounts{
		Unclaimed: len(r.queued(f, session.Unclaimed)), Mine: len(r.queued(f, session.Mine)), All: len(r.queued(f, session.AllCases)),
	}, nil
}

func (r caseReader) LapsedCases(_ context.Context, now time.Time, limit int) ([]idv.CaseID, error) {
	out := []idv.CaseID{}
	for _, c := range r.at().cases {
		if c.State == idv.CaseClaimed && c.Holder(now) == "" && len(out) < limit {
			out = append(out, c.ID)
		}
	}
	return out, nil
}

func (r caseReader) Reviews(_ context.Context, id idv.SessionID) ([]idv.Review, error) {
	return where(r.at().reviews, func(v idv.Review) bool { return v.Session == id }), nil
}

// caseWriter writes cases.
type caseWriter struct{ *base }

func (w caseWriter) AddCase(_ context.Context, c idv.Case) error {
	if c.Reasons == nil {
		c.Reasons = []string{}
	}
	w.next.cases = append(w.next.cases, c)
	return nil
}

func (w caseWriter) SaveCase(_ context.Context, c idv.Case) error {
	if c.Reasons == nil {
		c.Reasons = []string{}
	}
	update(w.next.cases, func(o idv.Case) bool { return o.ID == c.ID }, func(o *idv.Case) { *o = c })
	return nil
}

func (w caseWriter) AddReview(_ context.Context, r idv.Review) error {
	if err := w.next.open(r.Session, session.ScopeAll); err != nil {
		return err
	}
	if r.Reasons == nil {
		r.Reasons = []string{}
	}
	w.next.reviews = append(w.next.reviews, r)
	return nil
}
