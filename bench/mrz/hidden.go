package mrz

import (
	"image"
	"math"
	"math/rand/v2"

	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/imaging"
)

// What keeps a part of the zone out of view. Nothing that is read of such a picture may be verified: what is hidden can be
// part of a name, which no check digit covers, and a visa of the larger size can be taken for one of the smaller. No picture
// is hard in this way by chance; it has to be asked for.
const (
	cutRight = "cut off within the zone at the right"
	cutLeft  = "cut off within the zone at the left"
	cutTop   = "cut off within the zone's first line"
	covered  = "thumb on the end of the zone"
)

// Hiding lists what keeps a part of the zone out of view.
func Hiding() []string { return []string{cutRight, cutLeft, cutTop, covered} }

// mostHidden is how many characters are out of view at most: more, and hardly anything is found.
const mostHidden = 11.0

// hide keeps a part of the zone out of view: of each line at least a whole character, of the first line at least half its
// height.
func (s scene) hide(how string, img *imaging.RGB, quad imaging.Quad, d specimen, r *rand.Rand) (*imaging.RGB, image.Point) {
	zone, area := d.Truth.Zone, img.Bounds()
	width := float64(len(d.Truth.Lines[0]))
	gone := (1 + (mostHidden-1)*r.Float64()) / width * zone.W // as a part of the page
	middle := within(quad, zone.X+zone.W/2, zone.Y+zone.H/2)
	cut := func(u, v, w, x float64) image.Rectangle {
		return cutBetween(area, within(quad, u, v), within(quad, w, x), middle)
	}
	switch how {
	case cutRight:
		area = cut(zone.X+zone.W-gone, zone.Y, zone.X+zone.W-gone, zone.Y+zone.H)
	case cutLeft:
		area = cut(zone.X+gone, zone.Y, zone.X+gone, zone.Y+zone.H)
	case cutTop:
		v := zone.Y + zone.H*(.12+.2*r.Float64())
		area = cut(zone.X, v, zone.X+zone.W, v)
	case covered:
		u := zone.X + zone.W - gone
		if r.IntN(4) == 0 {
			u = zone.X + gone
		}
		thumb(img, within(quad, u, zone.Y+zone.H/2), middle, s.capital, r)
		return img, image.Point{}
	}
	return img.Crop(area), area.Min
}

// cutBetween is what is left of an area when it is cut, level or upright, so that of neither end of a line anything is left
// on the side away from the middle.
func cutBetween(area image.Rectangle, a, b, middle imaging.Point) image.Rectangle {
	mx, my := (a.X+b.X)/2, (a.Y+b.Y)/2
	if math.Abs(mx-middle.X) >= math.Abs(my-middle.Y) {
		if mx > middle.X {
			area.Max.X = int(math.Min(a.X, b.X))
		} else {
			area.Min.X = int(math.Max(a.X, b.X))
		}
	} else if my > middle.Y {
		area.Max.Y = int(math.Min(a.Y, b.Y))
	} else {
		area.Min.Y = int(math.Max(a.Y, b.Y))
	}
	return area
}

// thumb lays a thumb on the picture whose tip is at a place, and which comes from the side away from the middle.
func thumb(img *imaging.RGB, tip, middle imaging.Point, capital float64, r *rand.Rand) {
	p := millimetres{img, 1}
	dx, dy := tip.X-middle.X, tip.Y-middle.Y
	n := math.Max(1, math.Hypot(dx, dy))
	dx, dy = dx/n, dy/n
	wide := capital * (3.2 + 1.5*r.Float64()) // half of it; two lines are 3.6 capitals high
	skin := [][3]float64{{224, 178, 150}, {196, 146, 116}, {150, 102, 74}, {98, 66, 50}, {236, 200, 178}}[r.IntN(5)]
	flat := capital * (.5 + r.Float64()) // how blunt the tip is
	far := 30 * capital
	box := fixtures.Box{X: tip.X - far, Y: tip.Y - far, W: 2 * far, H: 2 * far}
	p.draw(box, skin, 1, true, func(x, y float64) float64 {
		along, across := (x-tip.X)*dx+(y-tip.Y)*dy, -(x-tip.X)*dy+(y-tip.Y)*dx
		front := flat * (across / wide) * (across / wide)
		return math.Max(math.Abs(across)-wide, front-along)
	})
	// Its round side is darker.
	p.draw(box, [3]float64{skin[0] * .6, skin[1] * .6, skin[2] * .6}, .35, true, func(x, y float64) float64 {
		along, across := (x-tip.X)*dx+(y-tip.Y)*dy, -(x-tip.X)*dy+(y-tip.Y)*dx
		front := flat * (across / wide) * (across / wide)
		return math.Max(math.Max(math.Abs(across)-wide, front-along), .75*wide-math.Abs(across))
	})
}
