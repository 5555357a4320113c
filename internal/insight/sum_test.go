package insight

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

func day(s string) time.Time {
	t, _ := time.Parse(time.DateOnly, s)
	return t
}

func TestACourseHasARowForEachUnitGapsIncluded(t *testing.T) {
	tallies := []DayTally{
		{Day: day("2026-02-27"), Fate: Fate{State: idv.Approved, Outcome: idv.DecideApprove, Opened: true, Submitted: true, Automatic: true}, Sessions: 3},
		{Day: day("2026-03-02"), Fate: Fate{State: idv.Created}, Sessions: 2},
	}
	for name, c := range map[string]struct {
		unit     Unit
		from, to string
		want     map[string]int
	}{
		"by day":                             {Day, "2026-02-27", "2026-03-03", map[string]int{"2026-02-27": 3, "2026-02-28": 0, "2026-03-01": 0, "2026-03-02": 2}},
		"by week, from Monday":               {Week, "2026-02-25", "2026-03-04", map[string]int{"2026-02-23": 3, "2026-03-02": 2}},
		"by month, from the first":           {Month, "2026-02-10", "2026-03-04", map[string]int{"2026-02-01": 3, "2026-03-01": 2}},
		"a span without sessions has zeroes": {Day, "2026-01-01", "2026-01-03", map[string]int{"2026-01-01": 0, "2026-01-02": 0}},
	} {
		t.Run(name, func(t *testing.T) {
			got := map[string]int{}
			for _, r := range timeSeries(day(c.from), day(c.to), c.unit, tallies) {
				got[r.Key] = r.Created
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestAQuantileIsATimeThatSomebodyWaited(t *testing.T) {
	waits := []Wait{{Seconds: 2, Sessions: 90}, {Seconds: 60, Sessions: 5}, {Seconds: 7200, Sessions: 5}}
	for q, want := range map[float64]time.Duration{.5: 2 * time.Second, .9: 2 * time.Second, .95: time.Minute, .96: 2 * time.Hour, 1: 2 * time.Hour} {
		if got := quantile(waits, q); got != want {
			t.Errorf("at %v: got %v, want %v", q, got, want)
		}
	}
	if got := quantile(nil, .5); got != 0 {
		t.Errorf("of nobody: %v", got)
	}
}

func TestWhatWasSubmittedIsToldApartByWhereItCameFrom(t *testing.T) {
	done := Fate{State: idv.Approved, Outcome: idv.DecideApprove, Automatic: true, Opened: true, Submitted: true}
	waits := Fate{State: idv.InReview, Outcome: idv.DecideRefer, Opened: true, Submitted: true}
	var f Figures
	f.aggregate([]Tally{
		{Source: idv.SourceCamera, Fate: done, Sessions: 6}, {Source: idv.SourceFile, Fate: done, Sessions: 1},
		{Source: idv.SourceFile, Fate: waits, Sessions: 2}, {Fate: Fate{State: idv.Capturing, Opened: true}, Sessions: 4},
	}, nil)
	want := []Row{
		{Key: "camera", Counts: Counts{Created: 6, Opened: 6, Submitted: 6, Decided: 6, Approved: 6, Automatic: 6}},
		{Key: "file", Counts: Counts{Created: 3, Opened: 3, Submitted: 3, Decided: 1, Approved: 1, Automatic: 1, Waiting: 2}},
	}
	if d := cmp.Diff(want, f.BySource); d != "" {
		t.Errorf("by source (-want +got):\n%s", d)
	}
}

func TestAnAppealCountsByItsDecision(t *testing.T) {
	var c Counts
	c.add(Fate{State: idv.Declined, Outcome: idv.DecideApprove, Opened: true, Submitted: true}, 2)
	c.add(Fate{State: idv.Expired, Opened: true}, 1)
	c.add(Fate{State: idv.Expired}, 4)
	want := Counts{Created: 7, Opened: 3, Submitted: 2, Decided: 2, Approved: 2, Abandoned: 1}
	if diff := cmp.Diff(want, c); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// still is a store that counts how often it is asked.
type still struct {
	Store
	asked int
	fails bool
}

func (s *still) WorkflowVersions(context.Context) ([]idv.WorkflowVersion, error) { return nil, nil }
func (s *still) Sums(context.Context, Narrowed) (Sums, error) {
	s.asked++
	if s.fails {
		return Sums{}, errors.New("down")
	}
	return Sums{Tallies: []Tally{{Fate: Fate{State: idv.Expired, Opened: true}, Due: idv.StepSelfie, Sessions: 3}}}, nil
}
func (s *still) Queue(context.Context, idv.Mode, time.Time) (Queue, error) { return Queue{}, nil }

func TestFiguresAreCountedOnceForAWhile(t *testing.T) {
	now := day("2026-03-04").Add(15 * time.Hour)
	st := &still{fails: true}
	s := New(st, Options{Now: func() time.Time { return now }})
	if _, err := s.Figures(t.Context(), Filter{Mode: idv.Test}); err == nil {
		t.Error("what failed was answered")
	}
	st.fails = false
	for range 3 {
		f, err := s.Figures(t.Context(), Filter{Mode: idv.Test})
		if err != nil || len(f.AbandonedAt) != 5 || f.AbandonedAt[4] != (StepCount{Step: idv.StepSelfie, Sessions: 3}) || len(f.TimeSeries) != DefaultDays {
			t.Fatalf("%+v, %v", f.AbandonedAt, err)
		}
	}
	if _, err := s.Figures(t.Context(), Filter{Mode: idv.Live}); err != nil || st.asked != 3 {
		t.Errorf("counted %d times, %v; want once that failed, once for each mode", st.asked, err)
	}
	now = now.Add(freshFor)
	if _, err := s.Figures(t.Context(), Filter{Mode: idv.Test}); err != nil || st.asked != 4 {
		t.Errorf("counted %d times, %v: old figures were answered", st.asked, err)
	}
}

func TestASpanIsAtMostTenYearsAndRunsForward(t *testing.T) {
	s := New(&still{}, Options{})
	for name, f := range map[string]Filter{
		"backwards": {From: day("2026-03-04"), To: day("2026-03-03")},
		"empty":     {From: day("2026-03-04"), To: day("2026-03-04")},
		"too long":  {From: day("2006-03-04"), To: day("2026-03-03")},
	} {
		if _, err := s.Figures(t.Context(), f); !problem.Has(err, problem.RequestMalformed) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAStateIsCountedUnderEachOfItsCodes(t *testing.T) {
	t.Parallel()
	for code, want := range map[string][]string{"D": {"D", "DEU"}, "DEU": {"D", "DEU"}, "UTO": {"UTO"}, "Q7": {"Q7"}, "": nil} {
		got, err := narrowed(Filter{Country: code}, nil)
		if diff := cmp.Diff(want, got.Countries); diff != "" || err != nil {
			t.Errorf("%q: %v (-want +got)\n%s", code, err, diff)
		}
	}
}
