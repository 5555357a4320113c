package biometric

import (
	"cmp"
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
)

const (
	viewEyes    = 30.  // pixels between the outer corners of the eyes, at which views are compared
	viewSide    = 200  // side of a view, pixels: the head and what is around it
	leastTurned = 10.  // degrees from the straightest frame from which on a head is turned
	mostViews   = 5    // turned frames that are compared with it
	mostStills  = 4    // straight frames that are compared with it
	mostGrown   = 1.08 // times by which a face may be larger or smaller than it mostly is
	rimShift    = 10   // pixels that the rim of a face is looked for around where it was
	misplaced   = 5    // pixels by which it is held beside that place, to know how much it would change
	leastRim    = .05  // that the rim of a head that is not turned changes by, for noise alone
	leastBared  = 1.   // grey levels, likewise
)

// Rings around a face, in parts of its size.
const (
	rimFrom, rimTo   = 1.04, 1.3 // temples, ears, hair
	bareTo           = 1.8       // what a turning head hides and bares
	roomFrom, roomTo = 2.2, 3.0  // what it does not
)

// headMotion compares the frames in which one face is seen: all of them by the mesh; those in which the head is turned most, and some
// in which it is not, by their pixels with the straightest one.
func headMotion(seen []glimpse) idv.HeadMotion {
	var with []glimpse
	var meshes []*face.Mesh
	for _, g := range seen {
		if g.Fault == "" && g.Faces == 1 && g.mesh != nil && cornersApart(g.mesh) >= leastEyes {
			meshes, with = append(meshes, g.mesh), append(with, g)
		}
	}
	out := depthOfMesh(meshes)
	if len(with) == 0 {
		return out
	}
	with = ofOneSize(with)
	off := func(g glimpse) float64 { return math.Hypot(g.Yaw, 1.6*g.Pitch) }
	slices.SortStableFunc(with, func(a, b glimpse) int { return cmp.Compare(off(a), off(b)) })
	straight, others := with[0], with[1:]
	rest := newView(straight, straight)
	var still, turned changes
	for _, g := range others[:min(mostStills, len(others))] {
		if off(g) < leastTurned {
			still.add(rest, g, straight)
		}
	}
	for _, g := range slices.Backward(others) {
		if off(g) < leastTurned || len(turned.rim) == mostViews {
			break
		}
		turned.add(rest, g, straight)
	}
	if len(still.rim) == 0 || len(turned.rim) == 0 {
		return out
	}
	out.Views = len(turned.rim)
	out.Rim = median(turned.rim) / max(leastRim, median(still.rim))
	out.Bared = median(turned.bared) / max(leastBared, median(still.bared))
	out.Chest, out.Sought, out.Chests = chestGoes(rest, still.views, turned.views)
	out.Nose, out.Noses = noseShare(straight, turned.frames)
	return out
}

// changes are what changed between the straightest frame and others, as view.changes has it.
type changes struct {
	frames     []glimpse
	views      []*view
	rim, bared []float64
}

func (c *changes) add(rest *view, g, straight glimpse) {
	to := newView(g, straight)
	rim, bared := rest.changes(to)
	c.frames, c.views, c.rim, c.bared = append(c.frames, g), append(c.views, to), append(c.rim, rim), append(c.bared, bared)
}

func median(of []float64) float64 {
	slices.Sort(of)
	return of[len(of)/2]
}

// ofOneSize leaves the glimpses whose face is about as large as it mostly is.
func ofOneSize(of []glimpse) []glimpse {
	sizes := make([]float64, len(of))
	for i, g := range of {
		sizes[i] = sizeOf(g.mesh)
	}
	usual := median(slices.Clone(sizes))
	var out []glimpse
	for i, g := range of {
		if sizes[i] < mostGrown*usual && sizes[i]*mostGrown > usual {
			out = append(out, g)
		}
	}
	return out
}

// sizeOf is how large a face is, whichever way it is turned: from its top to the chin or across the eyes.
func sizeOf(m *face.Mesh) float64 {
	top, chin := m[foreheadTop], m[chinTip]
	return max(math.Hypot(top.X-chin.X, top.Y-chin.Y), cornersApart(m)*faceLength)
}

// view is a frame at the size at which views are compared, cut out around where the face is in the straightest one.
type view struct {
	grey     *imaging.Gray
	mesh     face.Mesh     // in its pixels
	roll     float64       // of the line of the eyes, radians
	from, to imaging.Point // the part of it that the frame fills
}

func newView(g, rest glimpse) *view {
	scale := viewEyes / cornersApart(rest.mesh)
	var cx, cy float64
	for _, p := range rest.mesh {
		cx, cy = cx+p.X/float64(meshPoints), cy+p.Y/float64(meshPoints)
	}
	v := &view{grey: imaging.NewGray(viewSide, viewSide)}
	for i, p := range g.mesh {
		v.mesh[i] = face.Point3{X: (p.X-cx)*scale + viewSide/2, Y: (p.Y-cy)*scale + viewSide/2, Z: p.Z * scale}
	}
	v.roll, _ = g.mesh.EyeLine()
	v.from = imaging.Point{X: max(0, viewSide/2-cx*scale), Y: max(0, viewSide/2-cy*scale)}
	v.to = imaging.Point{
		X: min(viewSide-1, (float64(2*g.view.W)-cx)*scale+viewSide/2), Y: min(viewSide-1, (float64(2*g.view.H)-cy)*scale+viewSide/2),
	}
	for y := range viewSide {
		for x := range viewSide {
			u, w := ((float64(x)-viewSide/2)/scale+cx)/2-.25, ((float64(y)-viewSide/2)/scale+cy)/2-.25
			u, w = max(0, min(u, float64(g.view.W-1))), max(0, min(w, float64(g.view.H-1)))
			v.grey.Pix[y*viewSide+x] = uint8(bilinear(g.view, u, w) + .5)
		}
	}
	return v
}

// ring is the pixels around the face above the chin, from one part of its size to another; each second one in both directions.
func (v *view) ring(from, to float64) []imaging.Point {
	left, right, top, chin := v.mesh[0].X, v.mesh[0].X, v.mesh[0].Y, v.mesh[0].Y
	for _, p := range v.mesh {
		left, right, top, chin = min(left, p.X), max(right, p.X), min(top, p.Y), max(chin, p.Y)
	}
	cx, cy, wide, tall := (left+right)/2, (top+chin)/2, (right-left)/2, (chin-top)/2
	var out []imaging.Point
	for y := 0; y < viewSide && float64(y) < chin-.2*tall; y += 2 {
		for x := 0; x < viewSide; x += 2 {
			if r := math.Hypot((float64(x)-cx)/wide, (float64(y)-cy)/tall); r >= from && r < to {
				out = append(out, imaging.Point{X: float64(x), Y: float64(y)})
			}
		}
	}
	return out
}

// changes tells how little the rim of the face is as it was, wherever the picture of it was shifted to: 0 it is, 1 it is as unlike as
// beside that place. bared is how much around the head is neither what was there, nor what the head brought along; grey levels.
func (v *view) changes(to *view) (rim, bared float64) {
	roll := to.roll - v.roll
	head, room := shiftsOf(v, to, v.ring(rimFrom, rimTo), roll), shiftsOf(v, to, v.ring(roomFrom, roomTo), 0)
	hx, hy, least := head.best()
	beside := 0.
	for _, d := range [4][2]float64{{misplaced, 0}, {-misplaced, 0}, {0, misplaced}, {0, -misplaced}} {
		beside += head.unlike(hx+d[0], hy+d[1]) / 4
	}
	if beside > 0 && !math.IsInf(beside, 0) {
		rim = least / beside
	}
	rx, ry, _ := room.best()
	sum, n := 0., 0.
	for _, p := range to.ring(1, bareTo) {
		brought := turnedBy(imaging.Point{X: p.X - hx, Y: p.Y - hy}, -roll)
		d := min(patchUnlike(to.grey, v.grey, p, brought), patchUnlike(to.grey, v.grey, p, imaging.Point{X: p.X - rx, Y: p.Y - ry}))
		if !math.IsInf(d, 0) {
			sum, n = sum+d, n+1
		}
	}
	return rim, sum / max(1, n)
}

// turnedBy turns a point around the middle of a view.
func turnedBy(p imaging.Point, angle float64) imaging.Point {
	sin, cos := math.Sincos(angle)
	x, y := p.X-viewSide/2, p.Y-viewSide/2
	return imaging.Point{X: x*cos - y*sin + viewSide/2, Y: x*sin + y*cos + viewSide/2}
}

// shifts compares pixels of one view with those of another, turned by an angle around the middle and shifted.
type shifts struct {
	from, to *view
	at       []imaging.Point // in from
	turned   []imaging.Point // the same, turned
	diffs    []float64
}

func shiftsOf(from, to *view, at []imaging.Point, by float64) *shifts {
	s := &shifts{from: from, to: to, at: at}
	for _, p := range at {
		s.turned = append(s.turned, turnedBy(p, by))
	}
	return s
}

// unlike is the mean difference at a shift, but for that of all pixels alike.
func (s *shifts) unlike(dx, dy float64) float64 {
	s.diffs = s.diffs[:0]
	for i, p := range s.turned {
		if x, y := p.X+dx, p.Y+dy; x >= 0 && y >= 0 && x <= viewSide-1 && y <= viewSide-1 {
			s.diffs = append(s.diffs, float64(s.from.grey.At(int(s.at[i].X), int(s.at[i].Y)))-bilinear(s.to.grey, x, y))
		}
	}
	return spreadOf(s.diffs)
}

// best is the shift at which the pixels are most alike.
func (s *shifts) best() (bx, by, least float64) {
	least = math.Inf(1)
	try := func(dx, dy float64) {
		if d := s.unlike(dx, dy); d < least {
			least, bx, by = d, dx, dy
		}
	}
	for dy := -rimShift; dy <= rimShift; dy += 2 {
		for dx := -rimShift; dx <= rimShift; dx += 2 {
			try(float64(dx), float64(dy))
		}
	}
	for step := 1.; step >= .5; step /= 2 {
		x, y := bx, by
		for _, d := range around {
			try(x+step*d[0], y+step*d[1])
		}
	}
	return bx, by, least
}

// patchUnlike is the mean difference of 3 × 3 pixels of a about p, whose place is whole, and of b about q; infinite beyond the edge.
func patchUnlike(a, b *imaging.Gray, p, q imaging.Point) float64 {
	inside := func(v float64) bool { return v >= 1 && v <= viewSide-2 }
	if !inside(p.X) || !inside(p.Y) || !inside(q.X) || !inside(q.Y) {
		return math.Inf(1)
	}
	sum := 0.
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			sum += math.Abs(float64(a.At(int(p.X)+dx, int(p.Y)+dy)) - bilinear(b, q.X+float64(dx), q.Y+float64(dy)))
		}
	}
	return sum / 9
}
