package forensic

import (
	"image"
	"math"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// How the traces of an earlier file are looked for.
const (
	savedReach  = 6    // highest sum of a square's two frequencies that is looked at
	savedMost   = 20   // steps from zero: what is further away is rare
	savedPlaces = 6000 // squares of the page that are looked at, about
	savedRegion = 2000 // squares of a region that are looked at, up to twice as many
	savedLeast  = 300  // numbers other than zero that a region needs
	few         = 4    // added to each count, so that rare numbers say little
)

// History says how the squares of a region were stored before, against those of its page. A picture that was saved twice has
// gaps and heaps in how often each multiple of a step occurs; what was put in between was saved once, and has none.
type History struct {
	Trace float64 // how clearly the page shows an earlier file, nats a number; 0 where too little does
	Lost  float64 // how far the region is without it: 0 as the page, 1 as what was never in the earlier file
	Error float64 // of Lost, one standard deviation
}

// Histories compares regions with the page round them. Boxes are in pixels of the upright picture. The region itself does not
// count as page.
func Histories(sq imaging.Squares, page image.Rectangle, regions []image.Rectangle) []History {
	out := make([]History, len(regions))
	inner := make([]image.Rectangle, len(regions))
	for i, r := range regions {
		inner[i] = sq.Place(r)
	}
	page = sq.Place(page)
	cols, rows := page.Dx()/imaging.SquareSide, page.Dy()/imaging.SquareSide
	if cols*rows < savedLeast {
		return out
	}
	step := max(1, int(math.Sqrt(float64(cols*rows)/savedPlaces)+.5))
	const half = imaging.SquareSide / 2
	var own, shifted [2]census // of every other square, so that none is compared with itself
	var mine, theirs [2][]levels
	parts := make([]struct{ own, shifted census }, len(regions))
	n := 0
	for y := aligned(page.Min.Y); y+2*imaging.SquareSide <= page.Max.Y; y += step * imaging.SquareSide {
		for x := aligned(page.Min.X); x+2*imaging.SquareSide <= page.Max.X; x += step * imaging.SquareSide {
			l, m := levelsAt(sq, x, y), levelsAt(sq, x+half, y+half)
			n++
			own[n&1].add(l)
			shifted[n&1].add(m)
			mine[n&1], theirs[n&1] = append(mine[n&1], l), append(theirs[n&1], m)
			for i, r := range inner {
				if image.Pt(x, y).In(r) {
					parts[i].own.add(l)
					parts[i].shifted.add(m)
				}
			}
		}
	}
	var kept, none float64
	for i := range own {
		o := own[i].against(shifted[i])
		a, _ := o.of(mine[1-i])
		c, _ := o.of(theirs[1-i])
		kept, none = kept+a/2, none+c/2
	}
	trace := kept - none
	if trace < leastTrace {
		return out
	}
	for i, r := range inner {
		o := own[0].plus(own[1]).minus(parts[i].own).against(shifted[0].plus(shifted[1]).minus(parts[i].shifted))
		m, e := o.of(squaresIn(sq, r, 0))
		n, d := o.of(squaresIn(sq, r, half))
		if e > 0 && d > 0 {
			out[i] = History{Trace: trace, Lost: 1 - (m-n)/trace, Error: math.Hypot(e, d) / trace}
		}
	}
	return out
}

// squaresIn are those of a region, moved by so many pixels against the file's own.
func squaresIn(sq imaging.Squares, r image.Rectangle, moved int) []levels {
	var out []levels
	step := imaging.SquareSide * max(1, r.Dx()*r.Dy()/(imaging.SquareSide*imaging.SquareSide*savedRegion))
	for y := aligned(r.Min.Y) + moved; y+imaging.SquareSide <= r.Max.Y; y += step {
		for x := aligned(r.Min.X) + moved; x+imaging.SquareSide <= r.Max.X; x += imaging.SquareSide {
			out = append(out, levelsAt(sq, x, y))
		}
	}
	return out
}

func (c census) plus(o census) census {
	for f := range c {
		for k := range c[f] {
			c[f][k] += o[f][k]
		}
	}
	return c
}

func (c census) minus(o census) census {
	for f := range c {
		for k := range c[f] {
			c[f][k] -= o[f][k]
		}
	}
	return c
}

func aligned(v int) int {
	return (v + imaging.SquareSide - 1) / imaging.SquareSide * imaging.SquareSide
}

const savedFrequencies = (savedReach + 1) * (savedReach + 1)

// levels are the numbers of a square as a file states them: how many steps each frequency is from zero.
type levels [savedFrequencies]uint8

// census counts them by frequency.
type census [savedFrequencies][savedMost + 1]float64

func (c *census) add(l levels) {
	for f, k := range l {
		if k <= savedMost {
			c[f][k]++
		}
	}
}

// odds are the logarithms of how much more often a number occurs in one census than in another.
type odds [savedFrequencies][savedMost + 1]float64

func (c census) against(o census) odds {
	var out odds
	for f := range c {
		var n, m float64
		for k := 1; k <= savedMost; k++ {
			n, m = n+c[f][k]+few, m+o[f][k]+few
		}
		if n < savedLeast || m < savedLeast {
			continue
		}
		for k := 1; k <= savedMost; k++ {
			out[f][k] = math.Log((c[f][k] + few) / n * m / (o[f][k] + few))
		}
	}
	return out
}

// of is their mean over squares and its standard error; 0, 0 where there is too little.
func (o *odds) of(list []levels) (mean, deviation float64) {
	sum, n := 0., 0.
	each := func(l levels) (s, m float64) {
		for f, k := range l {
			if k > 0 && k <= savedMost {
				s, m = s+o[f][k], m+1
			}
		}
		return s, m
	}
	for _, l := range list {
		s, m := each(l)
		sum, n = sum+s, n+m
	}
	if n < savedLeast {
		return 0, 0
	}
	mean = sum / n
	square := 0.
	for _, l := range list {
		s, m := each(l)
		square += (s - mean*m) * (s - mean*m)
	}
	return mean, math.Sqrt(square) / n
}

// cosines are those of a square's lowest frequencies over half of its side, by frequency. The other half mirrors them, with the
// same sign where the frequency is even.
var cosines = func() (out [savedReach + 1][imaging.SquareSide / 2]float32) {
	for f := range out {
		norm := math.Sqrt(2. / imaging.SquareSide)
		if f == 0 {
			norm = math.Sqrt(1. / imaging.SquareSide)
		}
		for i := range out[f] {
			out[f][i] = float32(norm * math.Cos(float64(2*i+1)*float64(f)*math.Pi/(2*imaging.SquareSide)))
		}
	}
	return out
}()

// folded8 is what eight values give with their mirror images: sums for even frequencies, differences for odd ones.
type folded8 [2][imaging.SquareSide / 2]float32

func (v *folded8) at(f int) float32 {
	h, w := &v[f&1], &cosines[f]
	return h[0]*w[0] + h[1]*w[1] + h[2]*w[2] + h[3]*w[3]
}

// levelsAt are those of the square at a place, which need not be on the file's own grid. The lowest frequency is left out.
func levelsAt(sq imaging.Squares, x0, y0 int) (out levels) {
	const side = imaging.SquareSide
	var rows [side][savedReach + 1]float32
	for y := range side {
		p := sq.Pix[(y0+y)*sq.Stride+x0:][:side]
		var h folded8
		for i := range side / 2 {
			a, b := float32(p[i]), float32(p[side-1-i])
			h[0][i], h[1][i] = a+b, a-b
		}
		for u := range savedReach + 1 {
			rows[y][u] = h.at(u)
		}
	}
	for u := range savedReach + 1 {
		var h folded8
		for i := range side / 2 {
			a, b := rows[i][u], rows[side-1-i][u]
			h[0][i], h[1][i] = a+b, a-b
		}
		for v := 0; u+v <= savedReach; v++ {
			if u+v == 0 {
				continue
			}
			k := int(max(h.at(v), -h.at(v))/float32(max(1, sq.Steps[v*side+u])) + .5)
			out[v*(savedReach+1)+u] = uint8(min(k, savedMost+1))
		}
	}
	return out
}

// Value is the sign: how far the region is surely without the trace, 0 or less for as the page. It is false where the page shows no
// earlier file, or the region is too small to tell.
func (h History) Value() (float64, bool) {
	return h.Lost - 2*h.Error, h.Trace >= leastTrace && h.Error > 0 && h.Error <= mostError
}

// What it takes for a history to say anything.
const (
	leastTrace = .003 // nats a number
	mostError  = .2
)
