package barcode

import (
	"math"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// frame is the outline of a PDF417 between its guard patterns in a patch that shows its bars upright.
type frame struct {
	quad    imaging.Quad // outer corners, in pixels of the patch
	columns float64      // estimated
	module  float64      // pixels, geometric mean of both ends
	height  float64      // pixels
	score   float64
}

const (
	bandCount  = 10
	bandHeight = 12 // pixels at most
	mostFrames = 3
	widest     = 2.6 // how much wider the modules of the nearer end may be
)

// framesOf finds the guard patterns of a patch and pairs them, the likeliest pair first.
func framesOf(g *imaging.Gray) []frame {
	height := min(bandHeight, max(2, g.H/bandCount))
	starts, stops := make([][]hit, 0, bandCount), make([][]hit, 0, bandCount)
	var ys []float64
	w := float64(g.W)
	for i := range bandCount {
		y := (float64(i) + .5) * float64(g.H) / bandCount
		s := stripOf(g, int(y)-height/2, int(y)-height/2+height)
		lo, hi := w/float64(widthOf(mostColumns))*.8, w/float64(widthOf(1))*1.1
		starts, stops = append(starts, startPattern.search(s, lo, hi)), append(stops, stopPattern.search(s, lo, hi))
		ys = append(ys, y)
	}
	var out []frame
	for _, a := range guardsOf(starts, ys) {
		for _, b := range guardsOf(stops, ys) {
			if f, ok := pair(g, a, b); ok {
				out = append(out, f)
			}
		}
	}
	for i := range out { // few: insertion by score
		for j := i; j > 0 && out[j].score > out[j-1].score; j-- {
			out[j], out[j-1] = out[j-1], out[j]
		}
	}
	return out[:min(len(out), mostFrames)]
}

// pair makes a frame of a start and a stop pattern, if they can belong together.
func pair(g *imaging.Gray, start, stop guard) (frame, bool) {
	mid := float64(g.H) / 2
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
	top, foot := startPattern.extent(g, start)
	top2, foot2 := stopPattern.extent(g, stop)
	if foot-top < 2*f.module || foot2-top2 < 2*f.module {
		return frame{}, false
	}
	end := func(y float64) imaging.Point {
		return imaging.Point{X: stop.x(y) + stopPattern.modules*stop.m(y), Y: y}
	}
	f.quad = imaging.Quad{{X: start.x(top), Y: top}, end(top2), end(foot2), {X: start.x(foot), Y: foot}}
	f.height = (foot - top + foot2 - top2) / 2
	return f, true
}

// How far a guard pattern reaches.
const (
	reachLike = 0.6 // of its usual likeness
	reachGap  = 0.2 // of the patch's height may be damaged
)

// extent follows a guard pattern up and down a patch.
func (p pattern) extent(g *imaging.Gray, along guard) (top, foot float64) {
	const step = 2
	n := (g.H + step - 1) / step
	like := make([]float64, n)
	sum, weight := 0.0, 0.0
	for i := range n {
		y := float64(i*step) + step/2
		s := stripOf(g, i*step, i*step+step)
		m := along.m(y)
		best := 0.0
		for d := -1.5; d <= 1.5; d += .5 {
			best = max(best, p.likeness(s, along.x(y)+d*m, m))
		}
		like[i] = best
		sum, weight = sum+best*best, weight+best
	}
	if weight == 0 {
		return 0, 0
	}
	limit, gap := reachLike*sum/weight, int(reachGap*float64(n))
	from, best, at, hole := -1, 0, 0, 0
	for i := 0; i <= n; i++ {
		switch {
		case i < n && like[i] >= limit:
			if from < 0 {
				from = i
			}
			hole = 0
		case from >= 0:
			hole++
			if hole > gap || i == n {
				if length := i - hole + 1 - from; length > best {
					best, at = length, from
				}
				from = -1
			}
		}
	}
	return float64(at * step), float64((at + best) * step)
}
