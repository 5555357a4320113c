package insight

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// ReviewerRow is what one reviewer did in a span of time.
type ReviewerRow struct {
	Reviewer                     idv.UserID // empty for the policy: decisions that no reviewer took
	Approved, Declined, Reopened int
	Median                       time.Duration // from the opening of the case to what they did; zero where they did nothing
	Overturned                   int           // their decisions of the span that somebody changed since
	Looked, Disagreed            int           // second looks at their approvals in the span, and how many of them disagreed
}

// Review is one thing that a reviewer did to a case.
type Review struct {
	Reviewer idv.UserID
	Kind     idv.ReviewKind // approved, declined or reopened
	After    time.Duration  // since the case was opened
}

// ByReviewer are the counts of a span, by who decided; the policy is the empty id.
type ByReviewer struct {
	Reviews    []Review
	Decided    map[idv.DecisionOutcome]int // by the policy
	Overturned map[idv.UserID]int
	Looked     map[idv.UserID]int
	Disagreed  map[idv.UserID]int
}

// Reviewers returns the figures of each reviewer who did something in a span, those who did most first, and the policy's last. A zero
// span is the last DefaultDays. Problems: request.malformed.
func (s *Service) Reviewers(ctx context.Context, mode idv.Mode, from, to time.Time) ([]ReviewerRow, error) {
	f := Filter{Mode: mode, From: from, To: to}
	if err := f.setDefaults(s.now().UTC()); err != nil {
		return nil, err
	}
	got, err := s.store.ByReviewer(ctx, mode, f.From, f.To)
	if err != nil {
		return nil, err
	}
	return reviewerRows(got), nil
}

func reviewerRows(got ByReviewer) []ReviewerRow {
	rows, after := map[idv.UserID]*ReviewerRow{}, map[idv.UserID][]time.Duration{}
	at := func(id idv.UserID) *ReviewerRow {
		if rows[id] == nil {
			rows[id] = &ReviewerRow{Reviewer: id}
		}
		return rows[id]
	}
	for _, r := range got.Reviews {
		row := at(r.Reviewer)
		switch r.Kind {
		case idv.ReviewApproved:
			row.Approved++
		case idv.ReviewDeclined:
			row.Declined++
		case idv.ReviewReopened:
			row.Reopened++
		default:
			continue
		}
		after[r.Reviewer] = append(after[r.Reviewer], r.After)
	}
	policy := at("")
	policy.Approved, policy.Declined = got.Decided[idv.DecideApprove], got.Decided[idv.DecideDecline]
	for id, n := range got.Overturned {
		at(id).Overturned = n
	}
	for id, n := range got.Looked {
		at(id).Looked, at(id).Disagreed = n, got.Disagreed[id]
	}
	out := make([]ReviewerRow, 0, len(rows))
	for id, row := range rows {
		row.Median = middle(after[id])
		out = append(out, *row)
	}
	slices.SortFunc(out, func(a, b ReviewerRow) int {
		if (a.Reviewer == "") != (b.Reviewer == "") {
			return len(b.Reviewer) - len(a.Reviewer)
		}
		return cmp.Or(cmp.Compare(b.Approved+b.Declined+b.Reopened, a.Approved+a.Declined+a.Reopened), cmp.Compare(a.Reviewer, b.Reviewer))
	})
	return out
}

// middle returns the median: of an even number the lower one of the two; zero of none.
func middle(all []time.Duration) time.Duration { return at(all, .5) }

// at returns the value that a part q of all, 0 to 1, does not exceed; zero of none.
func at(all []time.Duration, q float64) time.Duration {
	waits := make([]Wait, len(all))
	slices.Sort(all)
	for i, d := range all {
		waits[i] = Wait{Seconds: int64(d / time.Second), Sessions: 1}
	}
	return quantile(waits, q)
}
