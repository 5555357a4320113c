package insight

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// aggregate adds tallies up by each dimension.
func (f *Figures) aggregate(tallies []Tally, versions []idv.WorkflowVersion) {
	names := map[idv.WorkflowVersionID]string{}
	for _, v := range versions {
		names[v.ID] = fmt.Sprintf("%s %d", v.Name, v.Number)
	}
	by := map[*[]Row]map[string]*Counts{}
	add := func(into *[]Row, key string, t Tally) {
		if by[into] == nil {
			by[into] = map[string]*Counts{}
		}
		if by[into][key] == nil {
			by[into][key] = &Counts{}
		}
		by[into][key].add(t.Fate, t.Sessions)
	}
	left := map[idv.Step]int{}
	for _, t := range tallies {
		f.Total.add(t.Fate, t.Sessions)
		add(&f.ByWorkflow, names[t.Workflow], t)
		if t.Opened {
			add(&f.ByDevice, string(t.Device), t)
		}
		if t.Submitted {
			add(&f.ByCountry, t.Country, t)
			add(&f.ByKind, string(t.Kind), t)
			add(&f.ByModel, t.FaceModel, t)
			add(&f.BySource, string(t.Source), t)
		}
		if t.abandoned() {
			left[t.Due] += t.Sessions
		}
	}
	for into, rows := range by {
		*into = sortedRows(rows)
	}
	f.AbandonedAt = inStepOrder(left)
}

// inStepOrder returns every step of the flow, and what is not one of them last.
func inStepOrder(left map[idv.Step]int) []StepCount {
	steps := idv.FlowSteps()
	out := make([]StepCount, 0, len(steps)+1)
	for _, step := range steps {
		out = append(out, StepCount{Step: step, Sessions: left[step]})
	}
	rest := 0
	for step, n := range left {
		if !slices.Contains(steps, step) {
			rest += n
		}
	}
	if rest > 0 {
		out = append(out, StepCount{Sessions: rest})
	}
	return out
}

// A longer span is given by weeks, and one longer still by months.
const (
	maxDays  = 100
	maxWeeks = 100
)

func unitOf(from, to time.Time) Unit {
	days := to.Sub(from).Hours() / 24
	switch {
	case days <= maxDays:
		return Day
	case days <= 7*maxWeeks:
		return Week
	default:
		return Month
	}
}

// start is the first day of the unit that a day belongs to.
func (u Unit) start(day time.Time) time.Time {
	day = day.UTC().Truncate(24 * time.Hour)
	switch u {
	case Week:
		return day.AddDate(0, 0, -(int(day.Weekday())+6)%7)
	case Month:
		return day.AddDate(0, 0, 1-day.Day())
	default:
		return day
	}
}

func (u Unit) next(day time.Time) time.Time {
	switch u {
	case Week:
		return day.AddDate(0, 0, 7)
	case Month:
		return day.AddDate(0, 1, 0)
	default:
		return day.AddDate(0, 0, 1)
	}
}

// timeSeries is what became of the sessions of each unit of a span.
func timeSeries(from, to time.Time, u Unit, days []DayTally) []Row {
	counts := map[string]*Counts{}
	out := []Row{}
	for day := u.start(from); day.Before(to); day = u.next(day) {
		counts[day.Format(time.DateOnly)] = &Counts{}
		out = append(out, Row{Key: day.Format(time.DateOnly)})
	}
	for _, d := range days {
		if c, ok := counts[u.start(d.Day).Format(time.DateOnly)]; ok {
			c.add(d.Fate, d.Sessions)
		}
	}
	for i := range out {
		out[i].Counts = *counts[out[i].Key]
	}
	return out
}

// quantile is the time that a part q of the sessions, 0 to 1, did not wait longer than.
func quantile(waits []Wait, q float64) time.Duration {
	all := 0
	for _, w := range waits {
		all += w.Sessions
	}
	nth := int(math.Ceil(q * float64(all)))
	for _, w := range waits {
		if nth -= w.Sessions; nth <= 0 {
			return time.Duration(w.Seconds) * time.Second
		}
	}
	return 0
}
