package biometric

import (
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/imaging"
)

const (
	smallFace  = 72. // pixels between the outer corners of the eyes below which a frame is kept at its full size
	patchReach = 5   // pixels around a point that are looked for in another frame
	patchRough = 4.  // grey levels of deviation from which on a patch can be found again
	patchAlike = .85 // correlation from which on it is found
	patchMoves = 4.  // pixels around the mesh's place within which it is looked for
	patchSheet = .3  // radius of the points that say how a patch is turned and stretched, in distances of the eyes' outer corners
	leastFound = 25  // patches of a frame that say how it moved
	noseWide   = .5  // half the width of what is looked at, in the same distances
)

// Points of the mesh between which a face is looked at: above the brows and below the lower lip.
const (
	browTop  = 105
	lowerLip = 17
)

// noseShare is how much of what no smooth surface does the depth of the nose explains: 0 to 1, the median of the frames that show enough
// to say so, and how many these are. Patches of the face are found again by their pixels, since the mesh sees a nose in every picture of
// one. Their places are explained by those in the straightest frame and products of up to three of these, which is what a plane, a sheet
// that is bent and an ellipsoid do; and then by the depths of the mesh as well.
func noseShare(rest glimpse, turned []glimpse) (share float64, frames int) {
	points := frontOf(rest.mesh)
	var shares []float64
	for _, g := range turned {
		if s, ok := noseIn(rest, g, points); ok {
			shares = append(shares, s)
		}
	}
	if len(shares) == 0 {
		return 0, 0
	}
	return median(shares), len(shares)
}

// frontOf is every second point of the mesh from the brows to the mouth that is not at the side of the face.
func frontOf(m *face.Mesh) []int {
	unit := cornersApart(m)
	var out []int
	for i := 0; i < meshPoints; i += 2 {
		if p := m[i]; math.Abs(p.X-m[noseTip].X) < noseWide*unit && p.Y > m[browTop].Y-.08*unit && p.Y < m[lowerLip].Y+.05*unit {
			out = append(out, i)
		}
	}
	return out
}

func noseIn(rest, g glimpse, points []int) (share float64, ok bool) {
	unit := cornersApart(rest.mesh)
	middle := rest.mesh[noseTip]
	var smooth, whole [][]float64
	var xs, ys []float64
	for _, i := range points {
		at, found := foundAgain(rest, g, i, unit)
		if !found {
			continue
		}
		x, y := (rest.mesh[i].X-middle.X)/unit, (rest.mesh[i].Y-middle.Y)/unit
		row := []float64{1, x, y, x * x, x * y, y * y, x * x * x, x * x * y, x * y * y, y * y * y, rest.mesh[i].Z / unit}
		smooth, whole = append(smooth, row[:len(row)-1]), append(whole, row)
		xs, ys = append(xs, at.X/unit), append(ys, at.Y/unit)
	}
	if len(xs) < leastFound {
		return 0, false
	}
	before := unexplained(smooth, xs) + unexplained(smooth, ys)
	if before == 0 {
		return 0, true
	}
	return 1 - (unexplained(whole, xs)+unexplained(whole, ys))/before, true
}

// foundAgain is where a point of the mesh is in another frame, by the pixels around it; in pixels of the frame.
func foundAgain(rest, g glimpse, i int, unit float64) (imaging.Point, bool) {
	from, to := closeView(rest), closeView(g)
	p := newPatch(from, rest.mesh[i])
	if p == nil {
		return imaging.Point{}, false
	}
	var rows [][]float64
	var xs, ys []float64
	for j, q := range rest.mesh {
		dx, dy := q.X-rest.mesh[i].X, q.Y-rest.mesh[i].Y
		if math.Hypot(dx, dy) < patchSheet*unit {
			rows = append(rows, []float64{1, dx, dy})
			xs, ys = append(xs, g.mesh[j].X), append(ys, g.mesh[j].Y)
		}
	}
	along, across := solved(rows, xs), solved(rows, ys)
	if along == nil || across == nil {
		return imaging.Point{}, false
	}
	by := from.pixel / to.pixel // the sheet is in pixels of the frame
	p.along, p.across = [2]float64{along[1] * by, along[2] * by}, [2]float64{across[1] * by, across[2] * by}
	at := to.place(g.mesh[i])
	dx, dy, alike := p.lookFor(to.grey, at)
	if alike < patchAlike || math.Abs(dx) >= patchMoves || math.Abs(dy) >= patchMoves {
		return imaging.Point{}, false
	}
	return imaging.Point{X: g.mesh[i].X + dx*to.pixel, Y: g.mesh[i].Y + dy*to.pixel}, true
}

// kept is the grey picture of a frame, and how many pixels of the frame one of its pixels is wide.
type kept struct {
	grey  *imaging.Gray
	pixel float64
}

// closeView is the frame at its full size where the face is small, else at half of it.
func closeView(g glimpse) kept {
	if g.sharp != nil {
		return kept{g.sharp, 1}
	}
	return kept{g.view, 2}
}

// place is where a point of the frame is in the picture that was kept.
func (k kept) place(p face.Point3) imaging.Point {
	off := (k.pixel - 1) / (2 * k.pixel)
	return imaging.Point{X: p.X/k.pixel - off, Y: p.Y/k.pixel - off}
}

// patch is the pixels around a point, without their mean, and how they are turned and stretched where they are looked for.
type patch struct {
	pixels        []float64
	length        float64 // of them all as one vector
	along, across [2]float64
}

// newPatch is nil where a point is at the edge, or where nothing is drawn around it.
func newPatch(in kept, point face.Point3) *patch {
	at := in.place(point)
	if !insideOf(in.grey, at.X-patchReach, at.Y-patchReach) || !insideOf(in.grey, at.X+patchReach, at.Y+patchReach) {
		return nil
	}
	p := &patch{}
	for y := -patchReach; y <= patchReach; y++ {
		for x := -patchReach; x <= patchReach; x++ {
			p.pixels = append(p.pixels, bilinear(in.grey, at.X+float64(x), at.Y+float64(y)))
		}
	}
	centred(p.pixels)
	p.length = math.Sqrt(dot(p.pixels, p.pixels))
	if p.length < patchRough*math.Sqrt(float64(len(p.pixels))) {
		return nil
	}
	return p
}

func insideOf(g *imaging.Gray, x, y float64) bool {
	return x >= 0 && y >= 0 && x <= float64(g.W-1) && y <= float64(g.H-1)
}

// alike is the correlation of the patch with what is around a place; −1 at the edge.
func (p *patch) alike(in *imaging.Gray, at imaging.Point) float64 {
	var sum, squares, both float64
	k := 0
	for y := -patchReach; y <= patchReach; y++ {
		for x := -patchReach; x <= patchReach; x++ {
			u := at.X + p.along[0]*float64(x) + p.along[1]*float64(y)
			w := at.Y + p.across[0]*float64(x) + p.across[1]*float64(y)
			if !insideOf(in, u, w) {
				return -1
			}
			v := bilinear(in, u, w)
			sum, squares, both = sum+v, squares+v*v, both+v*p.pixels[k]
			k++
		}
	}
	left := squares - sum*sum/float64(k)
	if left <= 0 {
		return -1
	}
	return both / (p.length * math.Sqrt(left))
}

// lookFor is by how much the patch is moved from a place where it is most alike.
func (p *patch) lookFor(in *imaging.Gray, near imaging.Point) (dx, dy, alike float64) {
	alike = -1
	try := func(x, y float64) {
		if a := p.alike(in, imaging.Point{X: near.X + x, Y: near.Y + y}); a > alike {
			dx, dy, alike = x, y, a
		}
	}
	for y := -patchMoves; y <= patchMoves; y += 2 {
		for x := -patchMoves; x <= patchMoves; x += 2 {
			try(x, y)
		}
	}
	for step := 1.; step >= .25; step /= 2 {
		x, y := dx, dy
		for _, d := range around {
			try(x+step*d[0], y+step*d[1])
		}
	}
	return dx, dy, alike
}

// around are the eight neighbours of a place.
var around = [8][2]float64{{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}}

// unexplained is the sum of squares that the best sum of columns leaves of values.
func unexplained(rows [][]float64, values []float64) float64 {
	by := solved(rows, values)
	if by == nil {
		return dot(values, values)
	}
	var left float64
	for k, r := range rows {
		d := values[k] - dot(r, by)
		left += d * d
	}
	return left
}

// solved is the coefficient of each column by which the rows are nearest to the values, by Gauss and Jordan with pivots; nil where the
// columns depend on each other.
func solved(rows [][]float64, values []float64) []float64 {
	if len(rows) == 0 {
		return nil
	}
	n := len(rows[0])
	m := make([][]float64, n)
	for i := range m {
		m[i] = make([]float64, n+1)
		for k, r := range rows {
			for j := range n {
				m[i][j] += r[i] * r[j]
			}
			m[i][n] += r[i] * values[k]
		}
	}
	for i := range n {
		best := i
		for j := i + 1; j < n; j++ {
			if math.Abs(m[j][i]) > math.Abs(m[best][i]) {
				best = j
			}
		}
		m[i], m[best] = m[best], m[i]
		if math.Abs(m[i][i]) < 1e-12 {
			return nil
		}
		for j := range n {
			if j == i {
				continue
			}
			by := m[j][i] / m[i][i]
			for k := i; k <= n; k++ {
				m[j][k] -= by * m[i][k]
			}
		}
	}
	out := make([]float64, n)
	for i := range out {
		out[i] = m[i][n] / m[i][i]
	}
	return slices.Clip(out)
}
