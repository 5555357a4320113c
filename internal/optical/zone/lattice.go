package zone

import "math"

// cell is what a format says about one position of a line.
type cell struct {
	allowed charSet
	name    bool // within a field of names: after three fillers only fillers follow (ICAO 9303-3 §4.6)
}

// The states of the lattice after n characters. The last frame showed a class of the alphabet (its number; 0 is the
// blank), or, within names, the first, second or a later filler of a run, or the blank after one of these.
const (
	filler  = classes - 1 // outside names, where runs may end
	filler1 = classes + iota - 1
	filler2
	filler3
	blank1
	blank2
	blank3
	states
)

// lookAlikeWeight is the part of a look-alike's probability that counts for a character: in a field of letters a digit counts
// as the letter of its shape, and the other way round. It repairs by field class, applied to the frames and not to what was
// decoded from them.
const lookAlikeWeight = 0.5

// letterShapes are the digits that look like a letter.
var letterShapes = map[byte]string{'O': "0", 'I': "1", 'Z': "2", 'S': "5", 'B': "8", 'G': "6", 'T': "7", 'A': "4"}

// digitShapes are the letters that look like a digit.
var digitShapes = map[byte]string{'0': "OQDUC", '1': "ILJ", '2': "Z", '5': "S", '8': "B", '6': "GE", '7': "T", '4': "A"}

var (
	setDigits  = setOf("0123456789")
	setLetters = setOf("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
)

// viterbi decodes the line as exactly len(cells) characters, the n-th of those that cells[n] allows: the likeliest single path
// through the frames. The second result is the log probability of that path, comparable only between decodings of the same
// frames; the last is false where the line is too short for so many characters.
func viterbi(f frames, cells []cell) ([]glyph, float64, bool) {
	return viterbiWithin(f, cells, math.Inf(1))
}

// viterbiWithin is viterbi, and false also where the line loses more than limit against the best class of each frame.
func viterbiWithin(f frames, cells []cell, limit float64) ([]glyph, float64, bool) {
	T, N := f.count(), len(cells)
	if N == 0 || N > longestLine || T < N {
		return nil, 0, false
	}
	if out, score, ok := greedyAllowed(f, cells); ok {
		return out, score, true
	}
	v := newLattice(f, cells)
	for _, most := range losses {
		most = math.Min(most, limit)
		v.run(most)
		out, score, ok := v.trace(f)
		if ok && v.best[T-1]-score <= most {
			return out, score, true
		}
		if most >= limit {
			break
		}
	}
	return nil, 0, false
}

// losses bound the search, one after the other: a path loses against the best class of each frame, and never wins back what it
// lost. What is found within a bound is therefore the best of all, and most lines are found within the first.
var losses = [...]float64{10, 60, math.Inf(1)}

// greedyAllowed is viterbi where the best class of every frame already spells a line that the cells allow: no path can be
// likelier. Most lines are decoded so, at a fraction of the cost.
func greedyAllowed(f frames, cells []cell) ([]glyph, float64, bool) {
	out := greedy(f)
	if len(out) != len(cells) {
		return nil, 0, false
	}
	fillers := 0
	for i, g := range out {
		c := cells[i]
		if !c.allowed.has(classOf(g.ch)) || c.name && g.ch != '<' && fillers > 2 {
			return nil, 0, false
		}
		if fillers++; g.ch != '<' || !c.name {
			fillers = 0
		}
	}
	return out, f.bestLog(), true
}

// lattice is the table of the Viterbi search.
type lattice struct {
	cells  []cell
	tables [3][]float64 // log probabilities of the frames, T × classes: as they are, for letters, for digits
	table  []uint8      // which of them each cell takes
	now    []float64    // (N+1) × states
	then   []float64
	peak   []float64 // the highest of now for each number of characters; −∞ where all are
	next   []float64 // of then
	from   []uint8   // T × (N+1) × states
	best   []float64 // log probability of the best classes of all frames up to each
	floor  float64   // what a path must have by the frame before, to be followed
}

// run takes all states over all frames, and drops paths that lose more than most.
func (v *lattice) run(most float64) {
	for _, x := range [][]float64{v.now, v.then, v.peak, v.next} {
		for i := range x {
			x[i] = math.Inf(-1)
		}
	}
	v.now[0], v.peak[0] = 0, 0
	v.floor = -most
	for t := range v.best {
		v.advance(t)
		v.floor = v.best[t] - most
	}
}

// alive reports whether any path of so many characters is worth following.
func (v *lattice) alive(n int) bool { return v.peak[n] >= v.floor && !math.IsInf(v.peak[n], -1) }

// newLattice returns the lattice of a line, its look-alikes counted.
func newLattice(f frames, cells []cell) *lattice {
	T, N := f.count(), len(cells)
	v := &lattice{
		cells: cells, table: make([]uint8, N),
		now: make([]float64, (N+1)*states), then: make([]float64, (N+1)*states), peak: make([]float64, N+1), next: make([]float64, N+1),
		from: make([]uint8, T*(N+1)*states),
	}
	v.tables[0] = logs(f, nil)
	for n, c := range cells {
		v.table[n] = shapesOf(c)
		if k := v.table[n]; v.tables[k] == nil {
			v.tables[k] = logs(f, lookAlikesOf(k))
		}
	}
	v.best = f.bestLogs()
	return v
}

// shapesOf returns which look-alikes count in a cell: 1 for letters, 2 for digits, 0 for none.
func shapesOf(c cell) uint8 {
	switch {
	case c.allowed&setDigits == 0:
		return 1
	case c.allowed&setLetters == 0:
		return 2
	}
	return 0
}

// lookAlikesOf returns the look-alikes of a kind that shapesOf returned.
func lookAlikesOf(k uint8) map[byte]string {
	return [3]map[byte]string{nil, letterShapes, digitShapes}[k]
}

// logs returns the logarithms of probabilities.
func logs(f frames, shapes map[byte]string) []float64 {
	out := probabilities(f, shapes)
	for i, p := range out {
		out[i] = math.Log(p)
	}
	return out
}

// leastProbability is the probability of a class that counts as impossible.
var leastProbability = math.Exp(leastLog)

// probabilities returns those of the frames, none of them zero; shapes adds the look-alikes of each class.
func probabilities(f frames, shapes map[byte]string) []float64 {
	out := make([]float64, f.count()*classes)
	for c := range classes {
		others := []byte(shapes[alphabet[c]])
		for t := range f.count() {
			p := f.at(t, c)
			for _, other := range others {
				p = math.Max(p, lookAlikeWeight*f.at(t, classOf(other)))
			}
			out[t*classes+c] = math.Max(leastProbability, p)
		}
	}
	return out
}

// advance takes every state over frame t.
func (v *lattice) advance(t int) {
	N := len(v.cells)
	for n, most := range v.next {
		if math.IsInf(most, -1) {
			continue // nothing was written there
		}
		v.next[n] = math.Inf(-1)
		for i := range v.then[n*states : (n+1)*states] {
			v.then[n*states+i] = math.Inf(-1)
		}
	}
	// Of at most t characters the frames before t can have shown each.
	for n := 0; n <= min(N, t+1); n++ {
		if !v.alive(n) {
			continue
		}
		v.stay(t, n)
		if n < N {
			v.begin(t, n)
		}
	}
	v.now, v.then, v.peak, v.next = v.then, v.now, v.next, v.peak
}

// move records a way into a state if it is the best so far.
func (v *lattice) move(t, n, to int, score float64, from int) {
	i := n*states + to
	if score > v.then[i] {
		v.then[i] = score
		v.next[n] = max(v.next[n], score)
		v.from[t*(len(v.cells)+1)*states+i] = uint8(from)
	}
}

// stay considers that frame t shows a blank, or more of the character that the frame before showed.
func (v *lattice) stay(t, n int) {
	here := v.now[n*states : (n+1)*states]
	blank := v.tables[0][t*classes]
	best, arg := argmax(here[:classes], -1)
	v.move(t, n, 0, best+blank, arg)
	for k := range 3 {
		v.move(t, n, blank1+k, here[filler1+k]+blank, filler1+k)
		v.move(t, n, blank1+k, here[blank1+k]+blank, blank1+k)
	}
	if n == 0 {
		return
	}
	log := v.tables[v.table[n-1]][t*classes : (t+1)*classes]
	for c := 1; c < classes; c++ {
		v.move(t, n, c, here[c]+log[c], c)
	}
	for s := filler1; s <= filler3; s++ {
		v.move(t, n, s, here[s]+log[filler], s)
	}
}

// begin considers that frame t begins character n+1: after a blank, or right after another character.
func (v *lattice) begin(t, n int) {
	here := v.now[n*states : (n+1)*states]
	c := v.cells[n]
	log := v.tables[v.table[n]][t*classes : (t+1)*classes]
	// Out of a run of fillers: not after the third within names.
	run, runArg := math.Inf(-1), 0
	for _, s := range [...]int{filler1, filler2, blank1, blank2, filler3, blank3} {
		if c.name && (s == filler3 || s == blank3) {
			continue
		}
		if here[s] > run {
			run, runArg = here[s], s
		}
	}
	best, arg := argmax(here[:classes], -1)
	for k := 1; k < classes; k++ {
		if !c.allowed.has(k) || k == filler && c.name {
			continue
		}
		score, from := best, arg
		if arg == k { // the same character twice needs a blank between
			score, from = argmax(here[:classes], k)
		}
		if run > score && k != filler {
			score, from = run, runArg
		}
		v.move(t, n+1, k, score+log[k], from)
	}
	switch {
	case !c.allowed.has(filler):
	case c.name:
		score, from := argmax(here[:classes], filler)
		v.move(t, n+1, filler1, score+log[filler], from)
		v.move(t, n+1, filler2, here[blank1]+log[filler], blank1)
		v.move(t, n+1, filler3, here[blank2]+log[filler], blank2)
		v.move(t, n+1, filler3, here[blank3]+log[filler], blank3)
	default:
		for s := blank1; s <= blank3; s++ {
			v.move(t, n+1, filler, here[s]+log[filler], s)
		}
	}
}

// argmax returns the highest of all values but one (-1: of all), and its place.
func argmax(s []float64, but int) (float64, int) {
	best, arg := math.Inf(-1), 0
	for c, x := range s {
		if c != but && x > best {
			best, arg = x, c
		}
	}
	return best, arg
}

// classIn returns the class of the alphabet that a state shows, 0 for a blank.
func classIn(state int) int {
	switch {
	case state < classes:
		return state
	case state < blank1:
		return filler
	}
	return 0
}

// trace walks back from the best final state, and returns its path and log probability. It is false where none was reached.
func (v *lattice) trace(f frames) ([]glyph, float64, bool) {
	T, N := f.count(), len(v.cells)
	score, s := argmax(v.now[N*states:(N+1)*states], -1)
	if math.IsInf(score, -1) {
		return nil, 0, false
	}
	out := make([]glyph, N)
	n := N
	for t := T - 1; t >= 0 && n > 0; t-- {
		before := int(v.from[(t*(N+1)+n)*states+s])
		c := classIn(s)
		if c == 0 {
			s = before
			continue
		}
		g := &out[n-1]
		if g.ch == 0 {
			g.ch, g.last = alphabet[c], t
		}
		g.first, g.conf = t, math.Max(g.conf, f.at(t, c))
		if before != s {
			n--
		}
		s = before
	}
	return out, score, true
}
