package barcode

import (
	"math"
	"slices"
	"sort"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// frame is the outline of a PDF417 between its guard patterns in a patch that shows its bars upright.
type frame struct {
	quads   []imaging.Quad // outer corners, in pixels of the patch: as seen, then as they may be where one end is damaged
	columns float64        // estimated
	module  float64        // pixels, geometric mean of both ends
	height  float64        // pixels
	score   float64
}

const (
	bandCount  = 10
	bandHeight = 12 // pixels at most
	mostFrames = 3
	widest     = 2.6 // how much wider the modules of the nearer end may be
)

// bandOrder is the order in which bands are searched: a few spread over the patch tell whether the rest is worth it.
var bandOrder = [bandCount]int{4, 2, 6, 5, 3, 7, 1, 8, 0, 9}

const (
	firstBands = 3
	leastBands = 2    // of the first that must show a guard pattern
	firstLike  = 0.72 // that resembles it so much
)

// stripes are a patch seen in lines: broad bands, in which guard patterns are looked for, and fine ones, along which they
// are followed.
type stripes struct {
	bands, fine []strip
	ys          []float64 // middles of the bands
	w, h        float64
}

func stripesOf(g *imaging.Gray) stripes {
	s := stripes{w: float64(g.W), h: float64(g.H)}
	height := min(bandHeight, max(2, g.H/bandCount))
	for i := range bandCount {
		y := (float64(i) + .5) * float64(g.H) / bandCount
		s.bands, s.ys = append(s.bands, stripOf(g, int(y)-height/2, int(y)-height/2+height)), append(s.ys, y)
	}
	for y := 0; y < g.H; y += fineStep {
		s.fine = append(s.fine, stripOf(g, y, y+fineStep))
	}
	return s
}

// turned is the patch upside down.
func (s stripes) turned() stripes {
	o := stripes{w: s.w, h: s.h}
	for i := range s.bands {
		o.bands = append(o.bands, s.bands[len(s.bands)-1-i].backwards())
		o.ys = append(o.ys, s.h-s.ys[len(s.ys)-1-i])
	}
	for i := range s.fine {
		o.fine = append(o.fine, s.fine[len(s.fine)-1-i].backwards())
	}
	return o
}

// frames finds the guard patterns of a patch and pairs them, the likeliest pair first.
func (s stripes) frames() []frame {
	starts, stops := make([][]hit, len(s.bands)), make([][]hit, len(s.bands))
	lo, hi := s.w/float64(widthOf(mostColumns))*.8, s.w/float64(widthOf(1))*1.1
	some := 0
	for n, i := range bandOrder {
		starts[i], stops[i] = startPattern.search(s.bands[i], lo, hi), stopPattern.search(s.bands[i], lo, hi)
		if len(starts[i]) > 0 && starts[i][0].score > firstLike || len(stops[i]) > 0 && stops[i][0].score > firstLike {
			some++
		}
		if n == firstBands-1 && some < leastBands {
			return nil
		}
	}
	var ends []reach
	for _, b := range guardsOf(stops, s.ys) {
		ends = append(ends, stopPattern.follow(s, b))
	}
	var out []frame
	for _, a := range guardsOf(starts, s.ys) {
		if len(ends) == 0 {
			break
		}
		from := startPattern.follow(s, a)
		for _, to := range ends {
			if f, ok := s.pair(from, to); ok {
				out = append(out, f)
			}
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].score > out[j].score })
	return out[:min(len(out), mostFrames)]
}

// pair makes a frame of a start and a stop pattern, if they can belong together.
func (s stripes) pair(start, stop reach) (frame, bool) {
	mid := s.h / 2
	a, b := start.m(mid), stop.m(mid)
	if a <= 0 || b <= 0 || a > widest*b || b > widest*a {
		return frame{}, false
	}
	f := frame{module: math.Sqrt(a * b), score: start.score + stop.score}
	// A projection that widens modules from a to b puts their geometric mean between.
	f.columns = ((stop.x(mid)+stopPattern.modules*b-start.x(mid))/f.module - 1) / codewordModules
	f.columns -= 4
	if f.columns < .6 || f.columns > mostColumns+.6 {
		return frame{}, false
	}
	if start.foot-start.top < 2*f.module || stop.foot-stop.top < 2*f.module {
		return frame{}, false
	}
	f.quads = outlines(start, stop)
	f.height = max(start.foot-start.top, stop.foot-stop.top)
	return f, true
}

// uneven is the difference in height of both ends, as a part, that the view from the side does not explain.
const uneven = 0.12

// outlines are the corners between two guard patterns. Where one is shorter than the other, a part of it may be missing at
// its top or at its foot.
func outlines(start, stop reach) []imaging.Quad {
	quad := func(a, b reach) imaging.Quad {
		end := func(y float64) imaging.Point { return imaging.Point{X: b.x(y) + stopPattern.modules*b.m(y), Y: y} }
		return imaging.Quad{{X: a.x(a.top), Y: a.top}, end(b.top), end(b.foot), {X: a.x(a.foot), Y: a.foot}}
	}
	out := []imaging.Quad{quad(start, stop)}
	a, b := start.foot-start.top, stop.foot-stop.top
	if math.Abs(a-b) < uneven*max(a, b) {
		return out
	}
	up, down := start, start
	other, other2 := stop, stop
	if a < b {
		up.top, down.foot = up.foot-b, down.top+b
	} else {
		other.top, other2.foot = other.foot-a, other2.top+a
	}
	return append(out, quad(up, other), quad(down, other2))
}

// How far a guard pattern reaches: as long as it is about as alike and as contrasted as in its better half.
const (
	reachLike     = 0.75
	reachContrast = 0.15 // of the variance
	reachGap      = 0.15 // of the patch's height may be damaged
)

// reach is a guard pattern from its top to its foot.
type reach struct {
	guard
	top, foot float64
}

// fineStep is how many rows of a patch are seen as one.
const fineStep = 2

// follow follows a guard pattern up and down a patch.
func (p pattern) follow(s stripes, along guard) reach {
	like, contrast := make([]float64, len(s.fine)), make([]float64, len(s.fine))
	for i, line := range s.fine {
		y := float64(i*fineStep) + fineStep/2
		m := along.m(y)
		for d := -1.5; d <= 1.5; d += .5 {
			if v, c := p.compare(line, along.x(y)+d*m, m); v > like[i] {
				like[i], contrast[i] = v, c
			}
		}
	}
	usual, contrasted := upper(like), upper(contrast)
	there := make([]bool, len(like))
	for i, v := range like {
		there[i] = v > 0 && v >= reachLike*usual && contrast[i] >= reachContrast*contrasted
	}
	from, length := longest(there, int(reachGap*float64(len(like))))
	return reach{along, float64(from * fineStep), float64((from + length) * fineStep)}
}

// upper is the median of the upper half.
func upper(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(v))
	return sorted[len(sorted)*3/4]
}

// longest is the longest run of what is there, with gaps of at most so many that are not.
func longest(there []bool, gap int) (at, length int) {
	from, hole := -1, 0
	for i := 0; i <= len(there); i++ {
		switch {
		case i < len(there) && there[i]:
			if from < 0 {
				from = i
			}
			hole = 0
		case from >= 0:
			hole++
			if hole <= gap && i < len(there) {
				continue
			}
			if n := i - hole + 1 - from; n > length {
				at, length = from, n
			}
			from, hole = -1, 0
		}
	}
	return at, length
}
