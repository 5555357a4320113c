package zone

import "math"

// The second reader agrees even where it would have chosen another character if the first is sure, and the second finds the first's
// character nearly as likely as its own choice.
const (
	agreeSure  = 0.95 // the first reader's confidence
	agreeRatio = 0.2  // the second's probability for the first's character, as a part of that for its own
	agreeDoubt = 0.1  // where both choose the same, the most that both may doubt, multiplied: two that guess alike know little
)

// readersAgree reports whether the second reader supports every character that the first one read. Where both choose the same, not
// both may be in doubt, and hardly at all where a character is marked in under (nil for none); where they do not, the second's own
// frames decide whether the choice was open.
func readersAgree(first, second decoding, seen []frames, under [][]bool) bool {
	if len(first.lines) != len(second.lines) || len(first.lines) != len(seen) {
		return false
	}
	for i, line := range first.lines {
		for j := range len(line) {
			doubt := agreeDoubt
			if under != nil && under[i][j] {
				doubt = foreignDoubt
			}
			if line[j] == second.lines[i][j] {
				if (1-first.conf[i][j])*(1-second.conf[i][j]) > doubt {
					return false
				}
				continue
			}
			if doubt == foreignDoubt {
				return false
			}
			g := second.glyphs[i][j]
			if first.conf[i][j] < agreeSure || peak(seen[i], g, line[j]) < agreeRatio*peak(seen[i], g, g.ch) {
				return false
			}
		}
	}
	return true
}

// peak returns the highest probability of a character in the frames of a glyph.
func peak(f frames, g glyph, ch byte) float64 {
	best := 0.0
	for t := g.first; t <= g.last; t++ {
		best = math.Max(best, f.at(t, classOf(ch)))
	}
	return best
}
