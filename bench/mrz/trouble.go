package mrz

import (
	"image"
	"math"
	"math/rand/v2"

	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/imaging"
)

// What may be hard about a generated picture. A picture has some of them, or none.
const (
	turnedAround = "turned by quarters"
	slanted      = "slanted by 8 to 25 degrees"
	oblique      = "seen from the side"
	mirrored     = "stored mirrored"
	sideways     = "stored turned"
	smallPart    = "small in a cluttered picture"
	cluttered    = "cluttered"
	framed       = "red frame"
	stamped      = "stamp across the zone"
	several      = "two documents"
	atTheEdge    = "zone at the picture's edge"
	glared       = "glare"
	moved        = "moved"
	soft         = "out of focus"
	shaded       = "shadow"
)

// millimetres is a page that is drawn on in its own measure.
type millimetres struct {
	*imaging.RGB
	px float64 // pixels a millimetre
}

// tint lays ink over one pixel as a stamp does: what is darker than the ink stays.
func (p millimetres) tint(x, y int, ink [3]float64, cover float64, opaque bool) {
	if x < 0 || y < 0 || x >= p.W || y >= p.H || cover <= 0 {
		return
	}
	for k, c := range ink {
		i := 3*(y*p.W+x) + k
		v := float64(p.Pix[i])
		if opaque {
			v += (c - v) * cover
		} else {
			v *= 1 - cover*(1-c/255)
		}
		p.Pix[i] = uint8(v)
	}
}

// draw tints every pixel of a box by how far inside a shape it is; the shape's distance is in millimetres, negative inside.
func (p millimetres) draw(box fixtures.Box, ink [3]float64, strength float64, opaque bool, distance func(x, y float64) float64) {
	area := image.Rect(int(box.X*p.px)-2, int(box.Y*p.px)-2, int((box.X+box.W)*p.px)+3, int((box.Y+box.H)*p.px)+3)
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			d := distance((float64(x)+.5)/p.px, (float64(y)+.5)/p.px)
			p.tint(x, y, ink, strength*math.Min(1, math.Max(0, .5-d*p.px)), opaque)
		}
	}
}

// withFrame draws a red frame round the zone, as somebody who marks it does. The page is copied.
func withFrame(r *rand.Rand, page *imaging.RGB, zone fixtures.Box) *imaging.RGB {
	p := copied(page)
	wide := .3 + .6*r.Float64()
	b := p.part(zone)
	dx, dy := .2+2.5*r.Float64(), .5+2*r.Float64()
	b = fixtures.Box{X: b.X - dx, Y: b.Y - dy, W: b.W + 2*dx, H: b.H + 2*dy}
	ink := [3]float64{190 + 50*r.Float64(), 20 + 30*r.Float64(), 30 + 30*r.Float64()}
	cx, cy := b.X+b.W/2, b.Y+b.H/2
	p.draw(grown(b, wide), ink, .92, true, func(x, y float64) float64 {
		return math.Abs(math.Max(math.Abs(x-cx)-b.W/2, math.Abs(y-cy)-b.H/2)) - wide/2
	})
	return p.RGB
}

// withStamp presses a round or square stamp with a date bar on the zone. The page is copied.
func withStamp(r *rand.Rand, page *imaging.RGB, zone fixtures.Box) *imaging.RGB {
	p := copied(page)
	b := p.part(zone)
	cx, cy := b.X+b.W*(.1+.8*r.Float64()), b.Y+b.H*(r.Float64()*1.2-.6)
	radius, wide := 9+7*r.Float64(), .35+.4*r.Float64()
	ink := [][3]float64{{196, 30, 48}, {44, 62, 158}, {96, 44, 132}, {30, 110, 80}}[r.IntN(4)]
	round := r.IntN(2) == 0
	sin, cos := math.Sincos((r.Float64() - .5) * 1.2)
	p.draw(fixtures.Box{X: cx - 1.5*radius, Y: cy - 1.5*radius, W: 3 * radius, H: 3 * radius}, ink, .35+.3*r.Float64(), false, func(x, y float64) float64 {
		u, v := (x-cx)*cos+(y-cy)*sin, -(x-cx)*sin+(y-cy)*cos
		d := math.Max(math.Abs(u)-radius, math.Abs(v)-radius*.62)
		if round {
			d = math.Hypot(u, v) - radius
		}
		ring := math.Min(math.Abs(d), math.Abs(d+1.6)) - wide/2
		bars := math.Max(math.Abs(u)-radius*.55, math.Abs(math.Mod(math.Abs(v), 3.2)-1.6)-.5)
		return math.Min(ring, math.Max(bars, d+2.6))
	})
	return p.RGB
}

func copied(page *imaging.RGB) millimetres {
	c := imaging.NewRGB(page.W, page.H)
	copy(c.Pix, page.Pix)
	return millimetres{c, printScale}
}

// part turns parts of the page into millimetres.
func (p millimetres) part(b fixtures.Box) fixtures.Box {
	w, h := float64(p.W)/p.px, float64(p.H)/p.px
	return fixtures.Box{X: b.X * w, Y: b.Y * h, W: b.W * w, H: b.H * h}
}

func grown(b fixtures.Box, by float64) fixtures.Box {
	return fixtures.Box{X: b.X - by, Y: b.Y - by, W: b.W + 2*by, H: b.H + 2*by}
}
