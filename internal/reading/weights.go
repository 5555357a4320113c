package reading

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Weights say how much each witness counts, by the name of its feature. A feature that is not in the table counts nothing.
type Weights map[string]float64

// ParseWeights reads a table of one feature a line: its weight, a tab, its name. Lines that begin with # are comments.
func ParseWeights(table string) (Weights, error) {
	out := Weights{}
	for line := range strings.Lines(table) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" || line[0] == '#' {
			continue
		}
		number, name, ok := strings.Cut(line, "\t")
		v, err := strconv.ParseFloat(number, 64)
		if !ok || err != nil || !finite(v) {
			return nil, fmt.Errorf("parse weights: %q is not a weight, a tab and a name", line)
		}
		out[name] = v
	}
	return out, nil
}

// String writes the table that ParseWeights reads, without the features that count less than a thousandth.
func (w Weights) String() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(w)) {
		if v := w[name]; v > .001 || v < -.001 {
			fmt.Fprintf(&b, "%.3f\t%s\n", v, name)
		}
	}
	return b.String()
}

// of is what features count together.
func (w Weights) of(features []Feature) float64 {
	sum := 0.0
	for _, f := range features {
		sum += w[f.Name] * f.Value
	}
	return sum
}
