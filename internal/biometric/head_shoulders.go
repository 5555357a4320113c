package biometric

import (
	"math"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

const (
	chestBelow = .7  // from where below the chin on shoulders and chest are, in halves of the face's height
	chestWide  = 2.6 // how far to both sides of the face they are looked at, in halves of its width
	leastChest = 60  // pixels of them that it takes to say where they went
	chestTurn  = .03 // radians by which they are turned at most at a step of the search, and part by which they are enlarged
	besideBest = 5   // pixels by which a region is held beside its best place, to know how much it would change
	clearChest = .6  // of that change: what is more unlike at its best place was not found
	clearRoom  = .25 // likewise of the room, which does not bend
	leastNose  = 3.  // pixels that the nose has to go for a view to count
)

// chest is the lower half of what a view shows below the chin: shoulders, chest and what is beside them; each second pixel in both
// directions. The upper half is left out since a neck goes along with its head in part.
func (v *view) chest() []imaging.Point {
	left, right, top, chin := v.mesh[0].X, v.mesh[0].X, v.mesh[0].Y, v.mesh[0].Y
	for _, p := range v.mesh {
		left, right, top, chin = min(left, p.X), max(right, p.X), min(top, p.Y), max(chin, p.Y)
	}
	middle, wide := (left+right)/2, (right-left)/2
	from := chin + chestBelow*(chin-top)/2
	from = (from + v.to.Y) / 2
	var out []imaging.Point
	for y := int(from) + 1; y < int(v.to.Y); y += 2 {
		for x := int(v.from.X) + 1; x < int(v.to.X); x += 2 {
			if math.Abs(float64(x)-middle) < chestWide*wide {
				out = append(out, imaging.Point{X: float64(x), Y: float64(y)})
			}
		}
	}
	return out
}

// carry is how a region is carried elsewhere as a whole: shifted, turned about its middle and enlarged.
type carry struct{ dx, dy, turn, grow float64 }

// carries are the steps of the search for it.
var carries = [8]carry{{dx: 1}, {dx: -1}, {dy: 1}, {dy: -1}, {turn: chestTurn}, {turn: -chestTurn}, {grow: chestTurn}, {grow: -chestTurn}}

// carried is how a region was carried to another view, and how unlike it is there: 0 not at all, 1 as unlike as beside that place, or too
// small to say so.
func (v *view) carried(to *view, at []imaging.Point) (carry, float64) {
	if len(at) < leastChest {
		return carry{}, 1
	}
	var middle imaging.Point
	for _, p := range at {
		middle.X, middle.Y = middle.X+p.X/float64(len(at)), middle.Y+p.Y/float64(len(at))
	}
	diffs := make([]float64, 0, len(at))
	unlike := func(c carry) float64 {
		sin, cos := math.Sincos(c.turn)
		diffs = diffs[:0]
		for _, p := range at {
			x, y := (p.X-middle.X)*(1+c.grow), (p.Y-middle.Y)*(1+c.grow)
			x, y = x*cos-y*sin+middle.X+c.dx, x*sin+y*cos+middle.Y+c.dy
			if x >= v.from.X && y >= v.from.Y && x <= v.to.X && y <= v.to.Y {
				diffs = append(diffs, float64(v.grey.At(int(p.X), int(p.Y)))-bilinear(to.grey, x, y))
			}
		}
		return spreadOf(diffs)
	}
	best, least := carry{}, math.Inf(1)
	try := func(c carry) {
		if d := unlike(c); d < least {
			best, least = c, d
		}
	}
	for dy := -rimShift; dy <= rimShift; dy += 2 {
		for dx := -rimShift; dx <= rimShift; dx += 2 {
			try(carry{dx: float64(dx), dy: float64(dy)})
		}
	}
	for step := 1.; step >= .25; step /= 2 {
		for range 2 {
			b := best
			for _, d := range carries {
				try(carry{b.dx + step*d.dx, b.dy + step*d.dy, b.turn + step*d.turn, b.grow + step*d.grow})
			}
		}
	}
	beside, n := 0., 0.
	for _, d := range [4][2]float64{{besideBest, 0}, {-besideBest, 0}, {0, besideBest}, {0, -besideBest}} {
		if u := unlike(carry{best.dx + d[0], best.dy + d[1], best.turn, best.grow}); !math.IsInf(u, 0) {
			beside, n = beside+u, n+1
		}
	}
	if beside == 0 {
		return best, 1
	}
	return best, least * n / beside
}

// chestGoes is how far shoulders and chest go where the nose goes by 1, seen from the room: 0 they stay, above 0 they follow, below they
// swing to the other side. It is looked for in as many views as sought, none where they are not in view or not even found where the
// head is still, and found in some of them.
func chestGoes(rest *view, still, turned []*view) (goes float64, sought, found int) {
	chest, room := rest.chest(), rest.ring(roomFrom, roomTo)
	clear := 0
	for _, to := range still {
		if _, unlike := rest.carried(to, chest); unlike < clearChest {
			clear++
		}
	}
	if 2*clear <= len(still) {
		return 0, 0, 0
	}
	var both, square float64
	for _, to := range turned {
		by, unlike := rest.carried(to, chest)
		camera, blurred := rest.carried(to, room)
		if blurred > clearRoom {
			camera = carry{}
		}
		x, y := to.mesh[noseTip].X-rest.mesh[noseTip].X-camera.dx, to.mesh[noseTip].Y-rest.mesh[noseTip].Y-camera.dy
		if math.Hypot(x, y) < leastNose {
			continue
		}
		sought++
		if unlike < clearChest {
			both += x*(by.dx-camera.dx) + y*(by.dy-camera.dy)
			square += x*x + y*y
			found++
		}
	}
	if found == 0 {
		return 0, sought, 0
	}
	return both / square, sought, found
}
