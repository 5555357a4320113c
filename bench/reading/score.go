package reading

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/bench/facts"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/reading"
)

// Count are facts by how they were read.
type Count struct{ Exact, Wrong, Missing, Extra int }

// Score is how a set of pictures was read.
type Score struct {
	All    Count
	Facts  map[idv.ClaimName]Count
	Misses []Miss
}

// Miss is a fact that was not read exactly. Absent: no candidate has its value.
type Miss struct {
	Picture    string
	Fact       idv.ClaimName
	Want, Got  string
	Confidence float64
	Absent     bool
}

// Reader reads a page.
type Reader func(reading.Page) []idv.Claim

// ScoreOf scores a reader on pictures.
func ScoreOf(pictures []Picture, read Reader) Score {
	out := Score{Facts: map[idv.ClaimName]Count{}}
	for _, p := range pictures {
		claims := map[idv.ClaimName]idv.Claim{}
		for _, c := range read(p.Page) {
			claims[c.Name] = c
		}
		for _, name := range reading.FactNames {
			n := out.Facts[name]
			want, printed := p.Truth[name]
			c, stated := claims[name]
			switch {
			case printed && stated && facts.Same(name, c.Value, want):
				n.Exact++
			case printed && stated:
				n.Wrong++
			case printed:
				n.Missing++
			case stated:
				n.Extra++
			}
			if printed != stated || stated && !facts.Same(name, c.Value, want) {
				out.Misses = append(out.Misses, Miss{p.Name, name, want.Value, c.Value, c.Confidence, printed && !candidate(p, name, want)})
			}
			out.Facts[name] = n
		}
	}
	for _, n := range out.Facts {
		out.All = Count{out.All.Exact + n.Exact, out.All.Wrong + n.Wrong, out.All.Missing + n.Missing, out.All.Extra + n.Extra}
	}
	return out
}

// candidate reports whether a fact has a candidate with its value.
func candidate(p Picture, name idv.ClaimName, want facts.Truth) bool {
	problem := reading.NewProblem(p.Page, &reading.Model{})
	return slices.ContainsFunc(problem.Options[slices.Index(reading.FactNames[:], name)], func(o reading.Option) bool { return facts.Same(name, o.Value, want) })
}

// String is the table of a score.
func (s Score) String() string {
	var b strings.Builder
	row := func(name string, n Count) {
		all := float64(max(1, n.Exact+n.Wrong+n.Missing))
		fmt.Fprintf(&b, "  %-18s exact %4d (%5.1f %%)  wrong %3d (%4.2f %%)  missing %3d  extra %d\n", name, n.Exact, 100*float64(n.Exact)/all, n.Wrong,
			100*float64(n.Wrong)/all, n.Missing, n.Extra)
	}
	row("all", s.All)
	for _, name := range slices.SortedFunc(maps.Keys(s.Facts), func(a, b idv.ClaimName) int { return cmp.Compare(a, b) }) {
		row(string(name), s.Facts[name])
	}
	return b.String()
}
