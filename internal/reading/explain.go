package reading

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Explain says how a page was solved: for each fact its best options with what their witnesses count, the chosen one marked.
func Explain(p Page, m *Model, names ...idv.ClaimName) string {
	problem := NewProblem(p, m)
	s := problem.Solve(m.Weights)
	var b strings.Builder
	for f, name := range FactNames {
		if len(names) > 0 && !slices.Contains(names, name) {
			continue
		}
		fmt.Fprintf(&b, "%s: odds %.2f\n", name, s.Odds[f])
		explainFact(&b, &problem, f, s.Choice[f])
	}
	return b.String()
}

// mostExplained is how many options of a fact are explained.
const mostExplained = 4

func explainFact(b *strings.Builder, problem *Problem, f, chosen int) {
	at := make([]int, len(problem.Options[f]))
	for i := range at {
		at[i] = i
	}
	slices.SortFunc(at, func(x, y int) int {
		return cmp.Compare(problem.Options[f][y].Score, problem.Options[f][x].Score)
	})
	for i, k := range at {
		o := problem.Options[f][k]
		if i >= mostExplained && k != chosen && k != 0 {
			continue
		}
		mark := " "
		if k == chosen {
			mark = "*"
		}
		fmt.Fprintf(b, " %s %6.2f %q (mean %.2f, least %.2f) %v", mark, o.Score, o.Value, o.Mean, o.Least, o.Spans)
		b.WriteString("\n")
	}
}
