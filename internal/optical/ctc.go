package optical

import "math"

// alphabet are the classes of a reader's output by number; class 0 is CTC's blank. It is the order of mrz-read.
const alphabet = "_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ<"

const (
	classes   = len(alphabet)
	leastLog  = -16.0 // log of the probability below which a class counts as impossible rather than unlikely
	longestID = 64    // no machine-readable line has more characters; a bound for whatever a model puts out
)

// charSet is a set of classes, bit n for alphabet[n].
type charSet uint64

// setOf makes a set of characters; what is not in the alphabet is left out.
func setOf(chars string) charSet {
	var s charSet
	for i := range len(chars) {
		if c := classOf(chars[i]); c > 0 {
			s |= 1 << c
		}
	}
	return s
}

func (s charSet) has(class int) bool { return s>>class&1 == 1 }

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

// frames are a reader's class probabilities along one line: classes values a frame.
type frames struct {
	p    []float32
	step float64 // pixels of the line's crop from one frame to the next
}

func (f frames) count() int { return len(f.p) / classes }

func (f frames) at(t, class int) float64 {
	v := float64(f.p[t*classes+class])
	if !(v > 0) { // also when it is not a number
		return 0
	}
	return math.Min(v, 1)
}

// glyph is one character that was read.
type glyph struct {
	ch    byte
	conf  float64 // the highest probability within its run of frames, 0–1
	first int     // its run of frames
	last  int
}

func text(gs []glyph) string {
	b := make([]byte, len(gs))
	for i, g := range gs {
		b[i] = g.ch
	}
	return string(b)
}

// greedy takes the best class of each frame, merges equal neighbours and drops blanks.
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
		case len(out) < 4*longestID:
			out = append(out, glyph{ch: alphabet[best], conf: p, first: t, last: t})
		default:
			return out
		}
		before = best
	}
	return out
}

// exact reads the line as exactly len(allowed) characters, the n-th from allowed[n]: the likeliest single path
// through the frames. The second result is that path's log probability, comparable between readings of the same
// frames only; it is false when the line is too short for so many characters.
func exact(f frames, allowed []charSet) ([]glyph, float64, bool) {
	T, N := f.count(), len(allowed)
	if N == 0 || N > longestID || T < N {
		return nil, 0, false
	}
	v := newLattice(f, allowed)
	for t := range T {
		v.advance(t)
	}
	return v.trace(f)
}

// Where a lattice state came from: a class number (the same count of characters if the state is a blank, one less if
// it is a character), or stay.
const (
	stay    = 0xff
	nowhere = 0xfe
)

// lattice is the Viterbi table of exact: state (n, c) is "n characters emitted, the last frame was class c".
type lattice struct {
	logs    []float64 // of the frames, T × classes
	allowed []charSet
	now     []float64 // (N+1) × classes
	then    []float64
	from    []uint8 // T × (N+1) × classes
}

func newLattice(f frames, allowed []charSet) *lattice {
	T, N := f.count(), len(allowed)
	v := &lattice{
		allowed: allowed, logs: make([]float64, T*classes),
		now: make([]float64, (N+1)*classes), then: make([]float64, (N+1)*classes),
		from: make([]uint8, T*(N+1)*classes),
	}
	for t := range T {
		for c := range classes {
			v.logs[t*classes+c] = math.Max(leastLog, math.Log(f.at(t, c)))
		}
	}
	for i := range v.now {
		v.now[i] = math.Inf(-1)
	}
	v.now[0] = 0
	return v
}

// advance takes every state over frame t.
func (v *lattice) advance(t int) {
	N := len(v.allowed)
	logs := v.logs[t*classes : (t+1)*classes]
	from := v.from[t*(N+1)*classes:]
	for n := 0; n <= N; n++ {
		here := v.now[n*classes : (n+1)*classes]
		best, arg := bestBut(here, -1)
		v.then[n*classes] = best + logs[0]
		from[n*classes] = uint8(arg)
		if n == 0 {
			for c := 1; c < classes; c++ {
				v.then[c] = math.Inf(-1)
			}
		}
		if n > 0 {
			v.stayIn(n, logs, from)
		}
		if n < N {
			v.enter(n, best, arg, logs, from)
		}
	}
	v.now, v.then = v.then, v.now
}

// stayIn considers that frame t is one more of the character that was being read; enter(n-1) has filled then[n].
func (v *lattice) stayIn(n int, logs []float64, from []uint8) {
	for c := 1; c < classes; c++ {
		i := n*classes + c
		if s := v.now[i] + logs[c]; s > v.then[i] {
			v.then[i], from[i] = s, stay
		}
	}
}

// enter considers that frame t begins character n+1: after a blank, or straight after another character.
func (v *lattice) enter(n int, best float64, arg int, logs []float64, from []uint8) {
	for c := 1; c < classes; c++ {
		i := (n+1)*classes + c
		v.then[i], from[i] = math.Inf(-1), nowhere
		if !v.allowed[n].has(c) {
			continue
		}
		score, origin := best, arg
		if arg == c { // the same character twice needs a blank between
			score, origin = bestBut(v.now[n*classes:(n+1)*classes], c)
		}
		if !math.IsInf(score, -1) {
			v.then[i], from[i] = score+logs[c], uint8(origin)
		}
	}
}

// bestBut is the best value among all classes but one (-1: among all), and its class.
func bestBut(s []float64, but int) (float64, int) {
	best, arg := math.Inf(-1), 0
	for c, x := range s {
		if c != but && x > best {
			best, arg = x, c
		}
	}
	return best, arg
}

// trace walks back from the best final state.
func (v *lattice) trace(f frames) ([]glyph, float64, bool) {
	T, N := f.count(), len(v.allowed)
	score, c := bestBut(v.now[N*classes:(N+1)*classes], -1)
	if math.IsInf(score, -1) {
		return nil, 0, false
	}
	out := make([]glyph, N)
	n := N
	for t := T - 1; t >= 0; t-- {
		from := v.from[(t*(N+1)+n)*classes+c]
		if c > 0 {
			g := &out[n-1]
			if g.ch == 0 {
				g.ch, g.last = alphabet[c], t
			}
			g.first, g.conf = t, math.Max(g.conf, f.at(t, c))
		}
		switch {
		case from == stay:
		case c == 0:
			c = int(from)
		default:
			n, c = n-1, int(from)
		}
	}
	return out, score, true
}
