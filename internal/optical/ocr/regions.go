package ocr

import (
	"cmp"
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// How the detector's probability map becomes rectangles (differentiable binarisation, as PP-OCR trains it).
const (
	// A pixel above the threshold is text; a rectangle whose mean is below the score is dropped. With 0.3 and 0.5 labels of
	// little contrast were found in part: of the facts of 75 generated scans 1 % fewer were read (--seed 810001).
	regionThreshold = 0.2
	regionScore     = 0.4
	regionUnclip    = 1.6 // the map holds shrunken text; area × this ÷ perimeter is the way back
	regionMinSide   = 3.0 // pixels of the map; thinner is noise
	regionMost      = 600 // more components than any page has lines: a picture of sand
)

// regions returns the runs of text in a probability map of w by h values, as rectangles in map pixels. Values that are not
// numbers count as no text.
func regions(prob []float32, w, h int) []Strip {
	if w <= 0 || h <= 0 || len(prob) < w*h {
		return nil
	}
	var out []Strip
	f := flood{prob: prob, w: w, h: h, seen: make([]bool, w*h), lo: make([]int, h), hi: make([]int, h)}
	for i := range w * h {
		if f.seen[i] || !(prob[i] > regionThreshold) {
			continue
		}
		if s, ok := regionOf(prob, w, h, f.outline(i)); ok {
			out = append(out, s)
		}
		if len(out) >= regionMost {
			break
		}
	}
	return out
}

// flood walks connected sets of text pixels; its slices are reused for each set.
type flood struct {
	prob   []float32
	w, h   int
	seen   []bool
	lo, hi []int // first and last text pixel of each row of the set at hand
	stack  []int
}

// outline walks the set that holds pixel start and returns the corners of its first and last pixel in each row, all that its
// convex hull needs.
func (f *flood) outline(start int) []imaging.Point {
	top := start / f.w
	bottom := top
	f.lo[top], f.hi[top] = f.w, -1
	f.push(start)
	for len(f.stack) > 0 {
		i := f.stack[len(f.stack)-1]
		f.stack = f.stack[:len(f.stack)-1]
		x, y := i%f.w, i/f.w
		if y > bottom { // a set grows by one row at a time, and starts in its first
			bottom = y
			f.lo[y], f.hi[y] = f.w, -1
		}
		f.lo[y], f.hi[y] = min(f.lo[y], x), max(f.hi[y], x)
		for ny := max(0, y-1); ny <= min(f.h-1, y+1); ny++ {
			for nx := max(0, x-1); nx <= min(f.w-1, x+1); nx++ {
				if n := ny*f.w + nx; !f.seen[n] && f.prob[n] > regionThreshold {
					f.push(n)
				}
			}
		}
	}
	outline := make([]imaging.Point, 0, 4*(bottom-top+1))
	for y := top; y <= bottom; y++ {
		for _, x := range [2]int{f.lo[y], f.hi[y] + 1} {
			outline = append(outline, imaging.Point{X: float64(x), Y: float64(y)}, imaging.Point{X: float64(x), Y: float64(y + 1)})
		}
	}
	return outline
}

// push marks a pixel as seen and puts it on the stack.
func (f *flood) push(i int) {
	f.seen[i] = true
	f.stack = append(f.stack, i)
}

// regionOf fits a rectangle to an outline, scores it on the map and grows it back to the size of the text. It is false where
// the rectangle is too thin or scores too low.
func regionOf(prob []float32, w, h int, outline []imaging.Point) (Strip, bool) {
	s, ok := smallestRectangle(hull(outline))
	if !ok || math.Min(s.Length, s.Height) < regionMinSide {
		return Strip{}, false
	}
	s.Score = meanInside(prob, w, h, s)
	if s.Score < regionScore {
		return Strip{}, false
	}
	grow := s.Length * s.Height * regionUnclip / (2 * (s.Length + s.Height))
	s.Length += 2 * grow
	s.Height += 2 * grow
	return s, true
}

// hull returns the convex hull, ordered and without repeated points (Andrew's monotone chain).
func hull(points []imaging.Point) []imaging.Point {
	if len(points) < 3 {
		return points
	}
	slices.SortFunc(points, func(a, b imaging.Point) int {
		if a.X != b.X {
			return cmp.Compare(a.X, b.X)
		}
		return cmp.Compare(a.Y, b.Y)
	})
	cross := func(o, a, b imaging.Point) float64 { return (a.X-o.X)*(b.Y-o.Y) - (a.Y-o.Y)*(b.X-o.X) }
	out := make([]imaging.Point, 0, 2*len(points))
	add := func(p imaging.Point, floor int) {
		for len(out) >= floor+2 && cross(out[len(out)-2], out[len(out)-1], p) <= 0 {
			out = out[:len(out)-1]
		}
		out = append(out, p)
	}
	for _, p := range points {
		add(p, 0)
	}
	floor := len(out) - 1
	for i := len(points) - 2; i >= 0; i-- {
		add(points[i], floor)
	}
	return out[:len(out)-1]
}

// smallestRectangle returns the rectangle of least area round a convex polygon, one side of which is on one of its edges. Its
// reading direction is canonical.
func smallestRectangle(poly []imaging.Point) (Strip, bool) {
	best, found := Strip{}, false
	area := math.Inf(1)
	for i := range poly {
		p, q := poly[i], poly[(i+1)%len(poly)]
		n := math.Hypot(q.X-p.X, q.Y-p.Y)
		if n < 1e-9 {
			continue
		}
		ux, uy := (q.X-p.X)/n, (q.Y-p.Y)/n
		loA, hiA, loD, hiD := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
		for _, r := range poly {
			a, d := r.X*ux+r.Y*uy, -r.X*uy+r.Y*ux
			loA, hiA = math.Min(loA, a), math.Max(hiA, a)
			loD, hiD = math.Min(loD, d), math.Max(hiD, d)
		}
		if v := (hiA - loA) * (hiD - loD); v < area {
			area, found = v, true
			ca, cd := (loA+hiA)/2, (loD+hiD)/2
			best = Strip{X: ca*ux - cd*uy, Y: ca*uy + cd*ux, UX: ux, UY: uy, Length: hiA - loA, Height: hiD - loD}
		}
	}
	return best.canonical(), found
}

// meanInside returns the mean of the map over the rectangle.
func meanInside(prob []float32, w, h int, s Strip) float64 {
	x0, y0, x1, y1 := s.Bounds()
	sum, n := 0.0, 0
	for y := max(0, int(y0)); y < min(h, int(y1)+1); y++ {
		for x := max(0, int(x0)); x < min(w, int(x1)+1); x++ {
			a, d := s.Locate(imaging.Point{X: float64(x) + .5, Y: float64(y) + .5})
			if math.Abs(a) > s.Length/2 || math.Abs(d) > s.Height/2 {
				continue
			}
			if v := float64(prob[y*w+x]); v > 0 {
				sum += math.Min(v, 1)
			}
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}
