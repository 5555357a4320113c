package zone

import "math"

// alphabet are the classes of a reader's output by number, in the order of mrz-read; class 0 is CTC's blank.
const alphabet = "_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ<"

const (
	classes     = len(alphabet)
	leastLog    = -16.0 // log of the probability below which a class counts as impossible rather than unlikely
	longestLine = 64    // bound on the characters of a line, whatever a model puts out
)

// charSet is a set of classes, bit n for alphabet[n].
type charSet uint64

// setOf returns the set of some characters. Those that are not in the alphabet are left out.
func setOf(chars string) charSet {
	var s charSet
	for i := range len(chars) {
		if c := classOf(chars[i]); c > 0 {
			s |= 1 << c
		}
	}
	return s
}

// has reports whether a class is in the set.
func (s charSet) has(class int) bool { return s>>class&1 == 1 }

// classOf returns the class of a character, 0 where it is not in the alphabet.
func classOf(ch byte) int {
	switch {
	case ch >= '0' && ch <= '9':
		return int(ch-'0') + 1
	case ch >= 'A' && ch <= 'Z':
		return int(ch-'A') + 11
	case ch == '<':
		return classes - 1
	}
	return 0
}

// frames are a reader's class probabilities along one line, classes values a frame.
type frames struct {
	p    []float32
	step float64 // pixels of the line's crop from one frame to the next
}

// count returns the number of frames.
func (f frames) count() int { return len(f.p) / classes }

// at returns the probability of a class in frame t, 0–1; what is not a number is 0.
func (f frames) at(t, class int) float64 {
	v := float64(f.p[t*classes+class])
	if !(v > 0) { // also when it is not a number
		return 0
	}
	return math.Min(v, 1)
}

// bestLogs returns, for each frame, the log probability that no path up to it exceeds: that of the best classes.
func (f frames) bestLogs() []float64 {
	out := make([]float64, f.count())
	sum := 0.0
	for t := range out {
		best := 0.0
		for c := range classes {
			best = math.Max(best, f.at(t, c))
		}
		sum += math.Max(leastLog, math.Log(best))
		out[t] = sum
	}
	return out
}

// bestLog returns the log probability that no path through the line exceeds.
func (f frames) bestLog() float64 {
	all := f.bestLogs()
	if len(all) == 0 {
		return 0
	}
	return all[len(all)-1]
}

// glyph is one character that was read.
type glyph struct {
	ch    byte
	conf  float64 // the highest probability within its run of frames, 0–1
	first int     // its run of frames
	last  int
}

// glyphText returns the characters of glyphs.
func glyphText(gs []glyph) string {
	b := make([]byte, len(gs))
	for i, g := range gs {
		b[i] = g.ch
	}
	return string(b)
}

// greedy decodes frames by the best class of each: it merges equal neighbours and drops blanks.
func greedy(f frames) []glyph {
	var out []glyph
	before := 0
	for t := range f.count() {
		best, p := 0, f.at(t, 0)
		for c := 1; c < classes; c++ {
			if v := f.at(t, c); v > p {
				best, p = c, v
			}
		}
		switch {
		case best == 0:
		case best == before:
			g := &out[len(out)-1]
			g.conf, g.last = math.Max(g.conf, p), t
		case len(out) < 4*longestLine:
			out = append(out, glyph{ch: alphabet[best], conf: p, first: t, last: t})
		default:
			return out
		}
		before = best
	}
	return out
}
