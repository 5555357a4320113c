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
	{name: "labels", parts: []string{" label ", "unlabelled", " no label", "label against"}},
	{name: "field numbers", parts: []string{" number left", " number above", " number higher", " number below", " number column"}},
	{name: "the lean of the page's labels", parts: []string{" the lean"}},
	{name: "captions that nobody understands", parts: []string{" caption", "text left", "colon before"}},
	{name: "order of reading", parts: []string{" before", " after", "behind a day"}},
	{name: "size and place on the page", parts: []string{" taller", " down"}},
	{name: "form of names, numbers and texts", parts: []string{
		" words ", " letters ", " long ", "all figures", "capitals", "title case", "small letters", " rows ", " digits ",
	}},
	{name: "other days of the page", parts: []string{" days before", "ends a term", "begins a term", "pair issue", "pair birth"}},
	{name: "ages", parts: []string{" age "}},
	{name: "numbers that check themselves", parts: []string{" checked", "states a day", "pair number states"}},
	{name: "the zone's facts", parts: []string{"in zone"}},
	{name: "what names and days say of each other", parts: []string{"pair names", "pair days"}},
	{name: "constraint: no two facts share a text", free: reading.Free{Texts: true}},
	{name: "constraint: birth before issue before expiry", free: reading.Free{Days: true}},
	{name: "constraint: one order of day and month", free: reading.Free{Order: true}},
}

// Ablate scores the reader with each witness and each constraint switched off. The weights are not fitted again.
func Ablate(pictures []Picture, w reading.Weights, l reading.Limits) string {
	var b strings.Builder
	for _, a := range ablations {
		less := maps.Clone(w)
		maps.DeleteFunc(less, func(name string, _ float64) bool { return a.covers(name) })
		s := ScoreOf(pictures, func(p reading.Page) []idv.Claim {
			problem := reading.NewProblem(p)
			problem.Free = a.free
			return problem.Read(less, l).Claims
		})
		all := float64(max(1, s.All.Exact+s.All.Wrong+s.All.Missing))
		fmt.Fprintf(&b, "without %-50s exact %5.1f %%  wrong %5.2f %%  extra %d\n", a.name, 100*float64(s.All.Exact)/all, 100*float64(s.All.Wrong)/all, s.All.Extra)
	}
	return b.String()
}

func (a ablation) covers(feature string) bool {
	for _, part := range a.parts {
		if strings.Contains(feature, part) {
			return true
		}
	}
	return false
}
