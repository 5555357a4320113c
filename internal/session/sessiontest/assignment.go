package sessiontest

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

func (r caseReader) Assignment(_ context.Context, mode idv.Mode) (session.Assignment, error) {
	a := r.at().assignment[mode]
	a.Mode = mode
	return a, nil
}

func (r caseReader) Absences(context.Context) (map[idv.UserID]time.Time, error) {
	return maps.Clone(r.at().away), nil
}

func (r caseReader) HeldCases(_ context.Context, mode idv.Mode, now time.Time) (map[idv.UserID]int, error) {
	out := map[idv.UserID]int{}
	for _, c := range r.at().cases {
		if holder := c.Holder(now); c.Mode == mode && c.ClosedAt.IsZero() && holder != "" {
			out[holder]++
		}
	}
	return out, nil
}

func (w caseWriter) LockAssignment(_ context.Context, mode idv.Mode) (session.Assignment, error) {
	a := w.next.assignment[mode]
	a.Mode = mode
	return a, nil
}

func (w caseWriter) SaveAssignment(_ context.Context, a session.Assignment) error {
	w.next.assignment[a.Mode] = a
	return nil
}

func (w caseWriter) SetAway(_ context.Context, who idv.UserID, since time.Time) error {
	if since.IsZero() {
		delete(w.next.away, who)
	} else if _, gone := w.next.away[who]; !gone {
		w.next.away[who] = since
	}
	return nil
}

func (r caseReader) QualityReview(_ context.Context, id idv.SessionID) (idv.QualityReview, error) {
	q, ok := r.at().quality[id]
	if !ok {
		return idv.QualityReview{}, problem.New(problem.NotFound)
	}
	if r.at().open(id, session.ScopeAll) != nil {
		q.Note = ""
	}
	return q, nil
}

func (r caseReader) QualityReviews(ctx context.Context, f session.QualityFilter) ([]idv.QualityReview, error) {
	out := []idv.QualityReview{}
	for _, id := range slices.Sorted(maps.Keys(r.at().quality)) {
		q, err := r.QualityReview(ctx, id)
		if err != nil {
			return nil, err
		}
		if q.Mode == f.Mode && !q.At.IsZero() == f.Done {
			out = append(out, q)
		}
	}
	slices.SortStableFunc(out, func(a, b idv.QualityReview) int {
		return cmp.Or(b.At.Compare(a.At), a.DrawnAt.Compare(b.DrawnAt))
	})
	return upTo(out, f.Limit), nil
}

func (r caseReader) CountQuality(_ context.Context, mode idv.Mode, since time.Time) (session.QualityCounts, error) {
	var n session.QualityCounts
	for _, q := range r.at().quality {
		switch {
		case q.Mode != mode:
		case q.At.IsZero():
			n.Waiting++
		case q.At.Before(since):
		case q.Verdict == idv.Agree:
			n.Agreed++
		default:
			n.Disagree++
		}
	}
	return n, nil
}

func (w caseWriter) AddQualityReview(_ context.Context, q idv.QualityReview) error {
	if _, there := w.next.quality[q.Session]; !there {
		w.next.quality[q.Session] = q
	}
	return nil
}

func (w caseWriter) SaveQualityReview(_ context.Context, q idv.QualityReview) error {
	if err := w.next.open(q.Session, session.ScopeAll); err != nil && q.Note != "" {
		return err
	}
	w.next.quality[q.Session] = q
	return nil
}
