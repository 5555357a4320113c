package page

import (
	"cmp"
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// The page's edges are found as four straight steps in colour beyond what is printed on it, which together make a page of a known
// shape. A machine-readable zone also predicts where they are.
const (
	edgeReach    = 0.45 // of the print's extent, how far beyond it an edge may be where a zone determines the page's width
	edgeFar      = 0.80 // and on other pages, of whose print some may be missed
	edgeInside   = 0.30 // of its shorter extent, how far inside an edge may be there: what is round the page has print too
	edgeSlope    = 0.16 // most by which an edge may slant against the print, as rise over run
	edgeSlopes   = 17   // slants that are tried
	edgeSamples  = 48   // points along an edge
	edgeStep     = 8.0  // grey levels of a step that counts
	edgeFull     = 60.0 // and beyond which it counts no more
	edgeKept     = 6    // lines that are kept of each side
	edgeTried    = 24   // quads whose sides are looked at in full
	edgeLeast    = 0.06 // strength that each side must have, unless the zone predicts where it is
	edgeLoose    = 0.08 // tolerance of shape and places, in parts of the page: leaned by 25 degrees it is a tenth shorter
	edgeWeight   = 0.10 // of each of those against strength
	edgeGuess    = 0.10 // strength of an edge that nothing shows but the zone
	edgeUnlikely = 4.0  // the most that any of them takes off, in tolerances squared
)

// edgeLine is a line in the frame of the print: at a distance beyond the print's edge, at the middle of the side, with a slope.
type edgeLine struct {
	out, slope float64
	strength   float64 // 0–1
	guessed    bool
}

// edgeFinder searches a levelled copy, in which the print is upright and its middle at (mx, my).
type edgeFinder struct {
	frame  ocr.Strip
	w, h   int
	mx, my float64
	across []uint8 // how much colour changes from each pixel to the one on its right, 0–255
	down   []uint8 // and to the one below

	shapes    []float64
	predicted [4]float64
	known     bool
}

func newEdgeFinder(small *imaging.RGB, frame ocr.Strip) *edgeFinder {
	e := &edgeFinder{frame: frame}
	// As much of the picture as there can be page.
	half := (0.5+edgeFar)*frame.Length + 8
	tall := frame.Height/2 + edgeFar*frame.Length + 8
	e.w, e.h, e.mx, e.my = int(2*half)+1, int(2*tall)+1, half, tall
	planes, seen := e.level(small)
	e.across, e.down = make([]uint8, e.w*e.h), make([]uint8, e.w*e.h)
	for y := 2; y < e.h-2; y++ {
		at := y * e.w
		if from, to := max(2, seen[y][0]+1), min(e.w, seen[y][1])-2; from < to {
			steps(e.across[at+from:at+to], planes, at+from, 1)
		}
		from, to := 2, e.w-2
		for _, s := range seen[y-1 : y+3] {
			from, to = max(from, s[0]), min(to, s[1])
		}
		if from < to {
			steps(e.down[at+from:at+to], planes, at+from, e.w)
		}
	}
	return e
}

// level returns the brightness and two differences of colour, any of which may alone distinguish a page from its desk, and the
// columns of each row of the levelled copy that are in the picture.
func (e *edgeFinder) level(small *imaging.RGB) (planes [3][]int16, seen [][2]int) {
	n := e.w * e.h
	for k := range planes {
		planes[k] = make([]int16, n)
	}
	seen = make([][2]int, e.h)
	for y := range e.h {
		p := e.frame.At(-e.mx, float64(y)-e.my)
		from, to := within(p.X, e.frame.UX, small.W, e.w)
		low, high := within(p.Y, e.frame.UY, small.H, e.w)
		from, to = max(from, low), min(to, high)
		seen[y] = [2]int{from, to}
		for x := from; x < to; x++ {
			px, py := int(p.X+float64(x)*e.frame.UX), int(p.Y+float64(x)*e.frame.UY)
			at := 3 * (py*small.W + px)
			c := small.Pix[at : at+3 : at+3]
			r, g, b := int16(c[0]), int16(c[1]), int16(c[2])
			i := y*e.w + x
			planes[0][i] = int16((77*int32(r) + 150*int32(g) + 29*int32(b)) >> 8)
			planes[1][i] = r - g
			planes[2][i] = (r+g)/2 - b
		}
	}
	return planes, seen
}

// within returns the range of x in [0, n), its end excluded, for which start + x·step is in [0, size).
func within(start, step float64, size, n int) (from, to int) {
	inside := func(x int) bool { v := start + float64(x)*step; return v >= 0 && v < float64(size) }
	from, to = 0, n
	if step != 0 {
		a, b := -start/step, (float64(size)-start)/step
		from = int(math.Max(0, math.Min(float64(n), math.Min(a, b)-2)))
		to = int(math.Max(0, math.Min(float64(n), math.Max(a, b)+2)))
	}
	from, to = min(max(from, 0), n), min(max(to, 0), n)
	for from < to && !inside(from) {
		from++
	}
	for to > from && !inside(to-1) {
		to--
	}
	return from, to
}

// steps sets out to how much colour changes between two pixels on either side, for a run of places from i on.
func steps(out []uint8, planes [3][]int16, i, stride int) {
	n := len(out)
	for k, p := range planes {
		a, b, c, d := p[i-stride:][:n], p[i:][:n], p[i+stride:][:n], p[i+2*stride:][:n]
		for x := range out {
			v := (a[x] + b[x] - c[x] - d[x]) / 2
			if v < 0 {
				v = -v
			}
			if v = min(v, 255); k == 0 || uint8(v) > out[x] {
				out[x] = uint8(v)
			}
		}
	}
}

// find returns the corners, in pixels of the copy, from top-left clockwise. It is false where a side has no edge.
func (e *edgeFinder) find() (imaging.Quad, bool) {
	var lines [4][]edgeLine
	for side := range lines {
		lines[side] = e.search(side)
		if len(lines[side]) == 0 {
			return imaging.Quad{}, false
		}
	}
	best, found := e.choose(lines)
	if !found {
		return imaging.Quad{}, false
	}
	for side := range best {
		best[side] = e.refine(side, best)
	}
	return e.corners(best), true
}

// search returns the strongest lines of a side, and the one that the zone predicts.
func (e *edgeFinder) search(side int) []edgeLine {
	from, to, step := -1.0, edgeReach*e.frame.Length, 1.0
	if !e.known {
		from, to, step = -edgeInside*math.Min(e.frame.Length, e.frame.Height), edgeFar*e.frame.Length, 1.5
	}
	var all []edgeLine
	for out := from; out < to; out += step {
		var best edgeLine
		for k := range edgeSlopes {
			slope := edgeSlope * (2*float64(k)/(edgeSlopes-1) - 1)
			if s := e.strength(side, out, slope, -1, 1, 1); s > best.strength {
				best = edgeLine{out: out, slope: slope, strength: s}
			}
		}
		if best.strength > 0 {
			all = append(all, best)
		}
	}
	slices.SortStableFunc(all, func(a, b edgeLine) int { return cmp.Compare(b.strength, a.strength) })
	var kept []edgeLine
	for _, l := range all {
		if !slices.ContainsFunc(kept, func(o edgeLine) bool { return math.Abs(o.out-l.out) < 4 }) {
			kept = append(kept, l)
		}
		if len(kept) == edgeKept {
			break
		}
	}
	if e.known {
		kept = append(kept, edgeLine{out: e.predicted[side], strength: edgeGuess, guessed: true})
	}
	return kept
}

// span returns half the print's extent along a side.
func (e *edgeFinder) span(side int) float64 {
	if side%2 == 1 {
		return e.frame.Height / 2
	}
	return e.frame.Length / 2
}

// strength samples a line from one place to another, in spans from the middle of its side. It returns the mean step, as far as it
// counts, times the part of the line that shows one. loose is the number of pixels by which a bent edge may stray.
func (e *edgeFinder) strength(side int, out, slope, from, to float64, loose int) float64 {
	span := e.span(side)
	n, sum := 0, 0.0
	for i := range edgeSamples {
		t := from + (to-from)*(float64(i)+.5)/edgeSamples
		if v := e.stepAt(side, t*span, out+slope*t*span, loose); v >= edgeStep {
			n++
			sum += math.Min(v, edgeFull)
		}
	}
	return sum / edgeFull / edgeSamples * float64(n) / edgeSamples
}

// stepAt returns the largest step near a place, given along the side from its middle and out beyond the print.
func (e *edgeFinder) stepAt(side int, along, out float64, loose int) float64 {
	x, y := along, -e.frame.Height/2-out
	table, stride := e.down, e.w
	switch side {
	case 1:
		x, y, table, stride = e.frame.Length/2+out, along, e.across, 1
	case 2:
		y = e.frame.Height/2 + out
	case 3:
		x, y, table, stride = -e.frame.Length/2-out, along, e.across, 1
	}
	px, py := int(x+e.mx), int(y+e.my)
	if px < 2 || py < 2 || px >= e.w-2 || py >= e.h-2 {
		return 0
	}
	i := py*e.w + px
	most := uint8(0)
	for k := -loose; k <= loose; k++ {
		most = max(most, table[i+k*stride])
	}
	return float64(most)
}

// choose returns the best quad of the lines by their strength, by whether a page has that shape, and by where the zone predicts the
// edges. Of the likeliest, each side is sampled in full, from corner to corner.
func (e *edgeFinder) choose(lines [4][]edgeLine) ([4]edgeLine, bool) {
	type quad struct {
		lines [4]edgeLine
		score float64
	}
	var all []quad
	for _, a := range lines[0] {
		for _, b := range lines[1] {
			for _, c := range lines[2] {
				for _, d := range lines[3] {
					q := [4]edgeLine{a, b, c, d}
					all = append(all, quad{q, a.strength + b.strength + c.strength + d.strength + e.penalty(q)})
				}
			}
		}
	}
	slices.SortStableFunc(all, func(a, b quad) int { return cmp.Compare(b.score, a.score) })
	var best quad
	found := false
	for _, q := range all[:min(len(all), edgeTried)] {
		sum, weak := 0.0, false
		for side, l := range q.lines {
			if !l.guessed {
				from, to := e.ends(side, q.lines)
				l.strength = e.strength(side, l.out, l.slope, from, to, 1)
			}
			weak = weak || l.strength < edgeLeast && !e.known
			sum += l.strength
		}
		if q.score = sum + e.penalty(q.lines); !weak && (!found || q.score > best.score) {
			best, found = q, true
		}
	}
	return best.lines, found
}

// ends returns the places of a side's corners along it, in spans, without their last twentieth, which may be round.
func (e *edgeFinder) ends(side int, lines [4]edgeLine) (from, to float64) {
	low, high := lines[(side+3)%4].out, lines[(side+1)%4].out
	if side >= 2 {
		low, high = high, low // sides go round: the foot's left end is where the left side is
	}
	half := e.span(side)
	return -(half + .9*low) / half, (half + .9*high) / half
}

// penalty returns what a quad's shape and places take off its strength, 0 or less.
func (e *edgeFinder) penalty(lines [4]edgeLine) float64 {
	width := e.frame.Length + lines[1].out + lines[3].out
	height := e.frame.Height + lines[0].out + lines[2].out
	off := edgeUnlikely
	for _, s := range e.shapes {
		d := math.Log(width/height/s) / edgeLoose
		off = math.Min(off, d*d)
	}
	off *= 2
	if e.known {
		for side, l := range lines {
			d := (l.out - e.predicted[side]) / (edgeLoose * width)
			off += math.Min(edgeUnlikely, d*d)
		}
	}
	return -edgeWeight * off
}

// refine returns the line moved by parts of a pixel to where its step is strongest.
func (e *edgeFinder) refine(side int, lines [4]edgeLine) edgeLine {
	l := lines[side]
	if l.guessed {
		return l
	}
	from, to := e.ends(side, lines)
	best := edgeLine{out: l.out, slope: l.slope}
	for out := l.out - 2; out <= l.out+2; out += .5 {
		for k := -4.; k <= 4; k++ {
			slope := l.slope + k*edgeSlope/edgeSlopes/2
			if s := e.strength(side, out, slope, from, to, 0); s > best.strength {
				best = edgeLine{out: out, slope: slope, strength: s}
			}
		}
	}
	return best
}

// corners returns where neighbouring edges meet, from top-left clockwise.
func (e *edgeFinder) corners(lines [4]edgeLine) imaging.Quad {
	var q imaging.Quad
	for i, side := range [4][2]int{{3, 0}, {0, 1}, {1, 2}, {2, 3}} {
		a, b := e.line(side[0], lines[side[0]])
		c, d := e.line(side[1], lines[side[1]])
		q[i] = meet(a, b, c, d)
	}
	return q
}

// line returns two points of an edge in the copy. A step is between its pixel and the next.
func (e *edgeFinder) line(side int, l edgeLine) (a, b imaging.Point) {
	span := e.span(side)
	at := func(t float64) imaging.Point {
		along, out := t*span, l.out+l.slope*t*span
		switch side {
		case 0:
			return e.frame.At(along, -e.frame.Height/2-out+.5)
		case 1:
			return e.frame.At(e.frame.Length/2+out+.5, along)
		case 2:
			return e.frame.At(along, e.frame.Height/2+out+.5)
		default:
			return e.frame.At(-e.frame.Length/2-out+.5, along)
		}
	}
	return at(-1), at(1)
}

// meet returns where the lines through a, b and through c, d cross; a itself where they are parallel.
func meet(a, b, c, d imaging.Point) imaging.Point {
	den := (a.X-b.X)*(c.Y-d.Y) - (a.Y-b.Y)*(c.X-d.X)
	if math.Abs(den) < 1e-9 {
		return a
	}
	p, q := a.X*b.Y-a.Y*b.X, c.X*d.Y-c.Y*d.X
	return imaging.Point{X: (p*(c.X-d.X) - (a.X-b.X)*q) / den, Y: (p*(c.Y-d.Y) - (a.Y-b.Y)*q) / den}
}
