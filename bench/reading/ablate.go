package reading

import (
	"fmt"
	"maps"
	"strings"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/reading"
)

// ablation is one witness or constraint that is switched off.
type ablation struct {
	name  string
	parts []string // a feature whose name has one of these counts nothing
	free  reading.Free
}

var ablations = []ablation{
	{name: "nothing"},
	{name: "labels that are understood by their stems", parts: []string{" label "}},
	{name: "field numbers", parts: []string{" number "}},
	{name: "the lean of the page's labels", parts: []string{" lean"}},
	{name: "captions that nobody understands", parts: []string{"caption", "text left", "colon before"}},
	{name: "order of reading", parts: []string{" before", " after", "behind a day"}},
	{name: "size and place on the page", parts: []string{"taller", "down"}},
	{name: "edges", parts: []string{"begins at", "ends at", "begins with", "ends with", "covers", "share that"}},
	{name: "how the page sets labels and values", parts: []string{"tall as", "begins where", "begins elsewhere", "beside labels"}},
	{name: "other days of the page", parts: []string{"days before", "ends a term", "begins a term", "pair issue", "pair birth"}},
	{name: "ages", parts: []string{"age "}},
	{name: "numbers that check themselves", parts: []string{"checked", "states a day", "pair number states"}},
	{name: "the zone's facts", parts: []string{"in zone"}},
	{name: "what names and days say of each other", parts: []string{"pair names", "pair days"}},
	{name: "constraint: no two facts share a text", free: reading.Free{Texts: true}},
	{name: "constraint: birth before issue before expiry", free: reading.Free{Days: true}},
	{name: "constraint: one order of day and month", free: reading.Free{Order: true}},
}

// Ablate scores the reader with each witness and each constraint switched off. The weights are not fitted again.
func Ablate(pictures []Picture, m *reading.Model, l reading.Limits) string {
	var b strings.Builder
	for _, a := range ablations {
		less := a.less(m)
		s := ScoreOf(pictures, func(p reading.Page) []idv.Claim {
			problem := reading.NewProblem(p, less)
			problem.Free = a.free
			return problem.Read(less.Weights, l).Claims
		})
		all := float64(max(1, s.All.Exact+s.All.Wrong+s.All.Missing))
		fmt.Fprintf(&b, "without %-50s exact %5.1f %%  wrong %5.2f %%  extra %d\n", a.name, 100*float64(s.All.Exact)/all, 100*float64(s.All.Wrong)/all, s.All.Extra)
	}
	return b.String()
}

// less is the model without what is switched off.
func (a ablation) less(m *reading.Model) *reading.Model {
	out := reading.Model{Weights: maps.Clone(m.Weights)}
	for _, n := range m.Nets {
		out.Nets = append(out.Nets, n.Without(a.covers))
	}
	maps.DeleteFunc(out.Weights, func(name string, _ float64) bool { return a.covers(name) })
	return &out
}

func (a ablation) covers(feature string) bool {
	for _, part := range a.parts {
		if strings.Contains(feature, part) {
			return true
		}
	}
	return false
}
