package zone

import (
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/mrz"
)

// The second reader agrees even where it would have chosen another character if the first is sure, and the second finds the first's
// character nearly as likely as its own choice.
const (
	agreeSure  = 0.95 // the first reader's confidence
	agreeRatio = 0.2  // the second's probability for the first's character, as a part of that for its own
	agreeDoubt = 0.1  // where both choose the same, the most that both may doubt, multiplied: two that guess alike know little
)

// unsupported returns the fields with a character that the second reader does not support, in the order of their characters; "zone"
// where it could not read the lines at all. Where both choose the same, not both may be in doubt, and hardly at all where a
// character is marked in under (nil for none); where they do not, the second's own frames decide whether the choice was open.
func unsupported(first, second decoding, seen []frames, under [][]bool) []string {
	if len(first.lines) != len(second.lines) || len(first.lines) != len(seen) {
		return []string{wholeZone}
	}
	var out []string
	for i, line := range first.lines {
		for j := range len(line) {
			doubt := agreeDoubt
			if under != nil && under[i][j] {
				doubt = foreignDoubt
			}
			if name := mrz.FieldAt(first.format, i, j); !supports(first, second, seen, i, j, doubt) && !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

// wholeZone stands for all fields.
const wholeZone = "zone"

// supports reports whether the second reader supports a character, where both may doubt it so much.
func supports(first, second decoding, seen []frames, i, j int, doubt float64) bool {
	ch, g := first.lines[i][j], second.glyphs[i][j]
	if ch == second.lines[i][j] {
		return (1-first.conf[i][j])*(1-second.conf[i][j]) <= doubt
	}
	return doubt != foreignDoubt && first.conf[i][j] >= agreeSure && peak(seen[i], g, ch) >= agreeRatio*peak(seen[i], g, g.ch)
}

// peak returns the highest probability of a character in the frames of a glyph.
func peak(f frames, g glyph, ch byte) float64 {
	best := 0.0
	for t := g.first; t <= g.last; t++ {
		best = math.Max(best, f.at(t, classOf(ch)))
	}
	return best
}
