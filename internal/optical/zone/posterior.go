package zone

// posteriorReach is the most characters by which a path that is counted may be ahead of the best one, or behind it. Paths of
// the same number of characters that stray further have lost and found as many on the way.
const posteriorReach = 3

// posteriors returns how probable each character of a line is, given the frames, the number of characters and what each
// position may hold: the share of all paths through the lattice that read it (forward–backward), not of the best alone. glyphs
// is that best path, as viterbi finds it. All values are 0–1.
func posteriors(f frames, cells []cell, glyphs []glyph) []float64 {
	out := make([]float64, len(glyphs))
	if len(glyphs) == 0 || len(glyphs) != len(cells) || f.count() == 0 {
		return out
	}
	p := &paths{cells: cells, table: tablesOf(f, cells), at: make([]int, f.count())}
	for t, n := 0, 0; t < len(p.at); t++ {
		for n < len(glyphs) && glyphs[n].first <= t {
			n++
		}
		p.at[t] = n
	}
	p.forward()
	p.backward(func(n, class int, share float64) {
		if class == classOf(glyphs[n].ch) {
			out[n] += share
		}
	})
	for i, v := range out {
		out[i] = min(1, max(0, v)) // also where rounding or a value that is no number got in
	}
	return out
}

// paths sums over all ways through the lattice, within reach of the best.
type paths struct {
	cells  []cell
	table  [][]float64 // per cell, the probabilities of each class in each frame
	at     []int       // characters that the best path has begun by each frame
	ahead  [][]float64 // per frame, what reaches each state: scaled to one a frame
	scales []float64
}

// bandWidth is the number of counts of characters that are followed in each frame.
const bandWidth = 2*posteriorReach + 1

// tablesOf returns the probabilities that each cell sees, the look-alikes of its field counted.
func tablesOf(f frames, cells []cell) [][]float64 {
	var tables [3][]float64
	out := make([][]float64, len(cells))
	for n, c := range cells {
		k := shapesOf(c)
		if tables[k] == nil {
			tables[k] = probabilities(f, lookAlikesOf(k))
		}
		out[n] = tables[k]
	}
	return out
}

// state returns the values of one number of characters in a frame's band; nil outside of it.
func (p *paths) state(values []float64, t, n int) []float64 {
	center := 0
	if t >= 0 {
		center = p.at[t]
	}
	k := n - center + posteriorReach
	if k < 0 || k >= bandWidth || n < 0 || n > len(p.cells) {
		return nil
	}
	return values[k*states : (k+1)*states]
}

// before returns what reaches the states before frame t.
func (p *paths) before(t, n int) []float64 {
	if t > 0 {
		return p.state(p.ahead[t-1], t-1, n)
	}
	if n != 0 {
		return nil
	}
	start := make([]float64, states)
	start[0] = 1
	return start
}

// probability returns that of a class in frame t, as the n-th character (from 0) sees it.
func (p *paths) probability(t, n, class int) float64 {
	if n < 0 || class == 0 {
		n = 0
	}
	return p.table[n][t*classes+class]
}

// forward sums all paths from the beginning, scaled to one a frame.
func (p *paths) forward() {
	T := len(p.at)
	p.ahead, p.scales = make([][]float64, T), make([]float64, T)
	for t := range T {
		p.ahead[t] = make([]float64, bandWidth*states)
		for n := max(0, p.at[t]-posteriorReach); n <= min(len(p.cells), p.at[t]+posteriorReach); n++ {
			to := p.state(p.ahead[t], t, n)
			if from := p.before(t, n); from != nil {
				p.stay(t, n, from, to)
			}
			if n == 0 {
				continue
			}
			if from := p.before(t, n-1); from != nil {
				p.begin(n-1, from, func(state, class int, sources float64) {
					to[state] += sources * p.probability(t, n-1, class)
				})
			}
		}
		sum := 0.0
		for _, v := range p.ahead[t] {
			sum += v
		}
		p.scales[t] = max(sum, 1e-300)
		for i := range p.ahead[t] {
			p.ahead[t][i] /= p.scales[t]
		}
	}
}

// stay adds the paths on which frame t shows a blank, or more of the n-th character.
func (p *paths) stay(t, n int, from, to []float64) {
	blank := p.probability(t, n-1, 0)
	for _, v := range from[:classes] {
		to[0] += v * blank
	}
	for k := range 3 {
		to[blank1+k] += (from[filler1+k] + from[blank1+k]) * blank
	}
	if n == 0 {
		return
	}
	for c := 1; c < classes; c++ {
		to[c] += from[c] * p.probability(t, n-1, c)
	}
	for s := filler1; s <= filler3; s++ {
		to[s] += from[s] * p.probability(t, n-1, filler)
	}
}

// begin calls way for every way in which a frame can begin character n (from 0): the state, its class, and the sum of the
// states before.
func (p *paths) begin(n int, from []float64, way func(state, class int, sources float64)) {
	c := p.cells[n]
	sum := 0.0
	for _, v := range from[:classes] {
		sum += v
	}
	run := from[filler1] + from[filler2] + from[blank1] + from[blank2]
	if !c.name {
		run += from[filler3] + from[blank3]
	}
	for k := 1; k < filler; k++ {
		if c.allowed.has(k) {
			way(k, k, sum-from[k]+run)
		}
	}
	switch {
	case !c.allowed.has(filler):
	case c.name:
		way(filler1, filler, sum-from[filler])
		way(filler2, filler, from[blank1])
		way(filler3, filler, from[blank2]+from[blank3])
	default:
		way(filler, filler, sum-from[filler]+from[blank1]+from[blank2]+from[blank3])
	}
}

// backward walks from the end to the beginning and calls add, for each character, with the share of all paths that begin it as
// a class in a frame. The shares of one character add up to one over classes and frames.
func (p *paths) backward(add func(n, class int, share float64)) {
	T, N := len(p.at), len(p.cells)
	after := make([]float64, bandWidth*states)
	last := p.state(after, T-1, N)
	reached := 0.0
	if last != nil {
		for _, v := range p.state(p.ahead[T-1], T-1, N) {
			reached += v
		}
	}
	if reached <= 0 {
		return
	}
	for i := range last {
		last[i] = 1 / reached
	}
	for t := T - 1; t >= 0; t-- {
		then := make([]float64, bandWidth*states)
		center := 0
		if t > 0 {
			center = p.at[t-1]
		}
		for n := max(0, center-posteriorReach); n <= min(N, center+posteriorReach); n++ {
			from := p.before(t, n)
			if from == nil {
				continue
			}
			into := p.state(then, t-1, n)
			if same := p.state(after, t, n); same != nil {
				p.stayBack(t, n, same, into)
			}
			if n == N {
				continue
			}
			if next := p.state(after, t, n+1); next != nil {
				p.begin(n, from, func(state, class int, sources float64) {
					if sources > 0 {
						add(n, class, sources*p.probability(t, n, class)*next[state]/p.scales[t])
					}
				})
				p.beginBack(t, n, next, into)
			}
		}
		for i := range then {
			then[i] /= p.scales[t]
		}
		after = then
	}
}

// stayBack is stay, from the end.
func (p *paths) stayBack(t, n int, after, into []float64) {
	blank := p.probability(t, n-1, 0)
	for s := range classes {
		into[s] += after[0] * blank
	}
	for k := range 3 {
		into[filler1+k] += after[blank1+k] * blank
		into[blank1+k] += after[blank1+k] * blank
	}
	if n == 0 {
		return
	}
	for c := 1; c < classes; c++ {
		into[c] += after[c] * p.probability(t, n-1, c)
	}
	for s := filler1; s <= filler3; s++ {
		into[s] += after[s] * p.probability(t, n-1, filler)
	}
}

// beginBack is begin, from the end.
func (p *paths) beginBack(t, n int, after, into []float64) {
	c := p.cells[n]
	letters := 0.0
	for k := 1; k < filler; k++ {
		if c.allowed.has(k) {
			letters += after[k] * p.probability(t, n, k)
		}
	}
	for s := range classes {
		own := 0.0
		if s > 0 && s < filler && c.allowed.has(s) {
			own = after[s] * p.probability(t, n, s)
		}
		into[s] += letters - own
	}
	for k := range 3 {
		if k < 2 || !c.name {
			into[filler1+k] += letters
			into[blank1+k] += letters
		}
	}
	if !c.allowed.has(filler) {
		return
	}
	fill := p.probability(t, n, filler)
	first := after[filler] * fill
	if c.name {
		first = after[filler1] * fill
		into[blank1] += after[filler2] * fill
		into[blank2] += after[filler3] * fill
		into[blank3] += after[filler3] * fill
	} else {
		for s := blank1; s <= blank3; s++ {
			into[s] += first
		}
	}
	for s := range filler {
		into[s] += first
	}
}
