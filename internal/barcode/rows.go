package barcode

import (
	"math"
	"sort"
)

// shape is what a code says about itself in its row indicators.
type shape struct {
	rows, columns, level int
	weight               float64
}

// indicated is what the row indicators show: all lines of both sides, and what some of them resemble.
type indicated struct {
	vectors [2][]vector
	found   [2][]indicator
}

// indicator is a row indicator as it was read on one line.
type indicator struct {
	cluster int
	reading
}

// mostLooked is on how many lines a side's row indicators are compared with all codewords.
const mostLooked = 48

// indicator is the column of a grid that holds the row indicators of a side.
func (c *grid) indicator(side int) int {
	if side == 0 {
		return 1
	}
	return c.columns + 2
}

// indicators looks at both row indicators on every line.
func (c *grid) indicators(of *[3][929]vector) indicated {
	var out indicated
	for side := range 2 {
		out.vectors[side] = make([]vector, c.lines)
		for y := range c.lines {
			out.vectors[side][y] = c.at(float64(y), float64(y), c.indicator(side))
		}
		n := min(c.lines, mostLooked)
		for i := range n {
			y := i * c.lines / n
			top := indicator{reading: reading{like: -2}}
			for cluster := range of {
				if r := best(&out.vectors[side][y], &of[cluster]); r.like > top.like {
					top = indicator{cluster, r}
				}
			}
			out.found[side] = append(out.found[side], top)
		}
	}
	return out
}

// leastIndicator is how much a row indicator must resemble its codeword to have a say.
const leastIndicator = 0.55

// leastHeard: one in so many must have a say, else this is no code.
const leastHeard = 8

// shapes lists what the row indicators say, the most supported first.
func (in indicated) shapes() []shape {
	var height, depth, width [30]float64
	heard, all := 0, 0
	for side := range in.found {
		for _, r := range in.found[side] {
			all++
			if r.like < leastIndicator {
				continue
			}
			heard++
			w := float64(r.like-leastIndicator) + .3*float64(r.like-r.second)
			k := r.word % 30
			switch (r.cluster + 2*side) % 3 { // the right side says in cluster 0 what the left says in cluster 2, and so on
			case 0:
				height[k] += w
			case 1:
				depth[k] += w
			case 2:
				width[k] += w
			}
		}
	}
	if heard*leastHeard < all {
		return nil
	}
	var out []shape
	for _, h := range top(height[:], 2) {
		for _, d := range top(depth[:27], 2) {
			for _, w := range top(width[:], 2) {
				s := shape{rows: 3*h + d%3 + 1, columns: w + 1, level: d / 3, weight: height[h] + depth[d] + width[w]}
				k := 2 << s.level
				if s.rows >= leastRows && s.rows <= mostRows && s.rows*s.columns <= mostWords+1 && s.rows*s.columns > k {
					out = append(out, s)
				}
			}
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].weight > out[j].weight })
	return out
}

// top are the n highest places that are not zero.
func top(v []float64, n int) []int {
	var out []int
	for range n {
		at := -1
		for i := range v {
			taken := false
			for _, o := range out {
				taken = taken || o == i
			}
			if !taken && v[i] > 0 && (at < 0 || v[i] > v[at]) {
				at = i
			}
		}
		if at >= 0 {
			out = append(out, at)
		}
	}
	return out
}

// slope says on which line each row's middle lies: a + b·row + c·row².
type slope struct {
	a, b, c float64
	like    float64 // mean likeness of the indicators on the way
}

func (s slope) at(row float64) float64 { return s.a + s.b*row + s.c*row*row }

// follow finds the row of each line on one side: rows follow each other, and each has an indicator that is known.
func (in indicated) follow(side int, s shape, of *[3][929]vector) slope {
	lines := len(in.vectors[side])
	like := make([]float64, s.rows)
	score, back := make([]float64, s.rows), make([]int8, lines*s.rows)
	seen := make([]float64, lines*s.rows)
	for r := range score {
		score[r] = -.2 * float64(r)
	}
	for y := range lines {
		for r := range s.rows {
			left, right := indicators(r, s.rows, s.columns, s.level)
			word := [2]int{left, right}[side]
			if word > 928 {
				continue
			}
			like[r] = float64(in.vectors[side][y].dot(&of[r%3][word]))
			seen[y*s.rows+r] = like[r]
		}
		for r := s.rows - 1; r >= 0; r-- {
			from, b := score[r], 0
			for step := 1; step <= 2 && r-step >= 0; step++ {
				if v := score[r-step] - .3*float64(step-1); y > 0 && v > from {
					from, b = v, step
				}
			}
			back[y*s.rows+r] = int8(b)
			score[r] = from + like[r]
		}
	}
	r := s.rows - 1
	for e := range score {
		if score[e]-.2*float64(s.rows-1-e) > score[r]-.2*float64(s.rows-1-r) {
			r = e
		}
	}
	sums, weights := make([]float64, s.rows), make([]float64, s.rows)
	all := 0.0
	for y := lines - 1; y >= 0; y-- {
		v := max(0, seen[y*s.rows+r])
		sums[r], weights[r], all = sums[r]+v*v*float64(y), weights[r]+v*v, all+v
		r -= int(back[y*s.rows+r])
	}
	out := fit(sums, weights, lines)
	out.like = all / float64(lines)
	return out
}

// fit lays a curve through the rows' middles; what lies far from it counts less and less.
func fit(sums, weights []float64, lines int) slope {
	n := len(sums)
	out := slope{a: float64(lines) / float64(n) / 2, b: float64(lines) / float64(n)}
	for round := range 3 {
		var m [3][4]float64
		// What rows look like without any evidence: spread evenly.
		for r := range n {
			x, prior := float64(r), 1e-3
			w, y := prior, (x+.5)*float64(lines)/float64(n)
			if weights[r] > 0 {
				at := sums[r] / weights[r]
				v := weights[r]
				if round > 0 {
					d := (at - out.at(x)) / out.b
					v /= 1 + 16*d*d
				}
				y = (w*y + v*at) / (w + v)
				w += v
			}
			p := [3]float64{1, x, x * x}
			for i := range 3 {
				for j := range 3 {
					m[i][j] += w * p[i] * p[j]
				}
				m[i][3] += w * p[i] * y
			}
		}
		if s, ok := solve(m); ok {
			out = s
		}
	}
	return out
}

// solve is Gauss with the largest pivot first.
func solve(m [3][4]float64) (slope, bool) {
	for i := range 3 {
		p := i
		for j := i + 1; j < 3; j++ {
			if math.Abs(m[j][i]) > math.Abs(m[p][i]) {
				p = j
			}
		}
		m[i], m[p] = m[p], m[i]
		if math.Abs(m[i][i]) < 1e-9 {
			return slope{}, false
		}
		for j := range 3 {
			if j == i {
				continue
			}
			f := m[j][i] / m[i][i]
			for k := range 4 {
				m[j][k] -= f * m[i][k]
			}
		}
	}
	return slope{a: m[0][3] / m[0][0], b: m[1][3] / m[1][1], c: m[2][3] / m[2][2]}, true
}
