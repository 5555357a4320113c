package biometric

import (
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// Points of the mesh.
const (
	meshPoints  = len(face.Mesh{})
	rightCorner = 33 // outer corners of the eyes
	leftCorner  = 263
	noseTip     = 1
	foreheadTop = 10
	chinTip     = 152
)

// leastEyes is the least distance of the eyes' outer corners of a mesh that is looked at, pixels.
const leastEyes = 8

// faceLength is how long a face is from the top of the forehead to the chin, in distances of the eyes' outer corners.
const faceLength = 1.9

// nosePart is how near the tip of the nose a point belongs to it, in distances of the eyes' outer corners.
const nosePart = .38

// depthOfMesh compares how the points of the mesh move along a run with how those of one rigid head do. What every flat thing can do is
// taken away first: the span of the mean shape. Left is what is left over.
func depthOfMesh(meshes []*face.Mesh) (out idv.HeadMotion) {
	meshes = slices.DeleteFunc(slices.Clone(meshes), func(m *face.Mesh) bool { return cornersApart(m) < leastEyes })
	out.Frames = len(meshes)
	if len(meshes) == 0 {
		return out
	}
	var eyes []float64
	for _, m := range meshes {
		eyes = append(eyes, cornersApart(m))
	}
	slices.Sort(eyes)
	unit := eyes[len(eyes)/2]
	// Rows of points in units of the eyes' distance, their middle at 0; the mean shape and the mean depth.
	rows := make([][]float64, 0, 2*len(meshes))
	shape := [3][]float64{make([]float64, meshPoints), make([]float64, meshPoints), make([]float64, meshPoints)}
	for _, m := range meshes {
		x, y, z := make([]float64, meshPoints), make([]float64, meshPoints), make([]float64, meshPoints)
		for i, p := range m {
			x[i], y[i], z[i] = p.X/unit, p.Y/unit, p.Z/unit
		}
		centred(x)
		centred(y)
		own := cornersApart(m) / unit
		for i := range meshPoints {
			shape[0][i] += x[i] / own / float64(len(meshes))
			shape[1][i] += y[i] / own / float64(len(meshes))
			shape[2][i] += z[i] / own / float64(len(meshes))
		}
		rows = append(rows, x, y)
	}
	flat := orthonormal(ones(meshPoints), shape[0], shape[1])
	for _, r := range rows {
		without(r, flat)
	}
	depth := slices.Clone(shape[2])
	without(depth, flat)
	var all float64
	for _, r := range rows {
		all += dot(r, r)
	}
	out.Left = math.Sqrt(all / float64(len(rows)*meshPoints))
	if all == 0 {
		return out
	}
	first, size := firstDirection(rows)
	out.First = size / all
	out.Depth = math.Abs(dot(first, depth)) / math.Sqrt(max(1e-12, dot(depth, depth)))
	out.Whole = wholeOf(rows, depth, shape)
	return out
}

// cornersApart is the distance of the eyes' outer corners.
func cornersApart(m *face.Mesh) float64 {
	return math.Hypot(m[rightCorner].X-m[leftCorner].X, m[rightCorner].Y-m[leftCorner].Y)
}

// wholeOf is how far the rest of the face moves by its depth, where the nose moves by 1.
func wholeOf(rows [][]float64, depth []float64, shape [3][]float64) float64 {
	var nose, rest []int
	for i := range meshPoints {
		dx, dy := shape[0][i]-shape[0][noseTip], shape[1][i]-shape[1][noseTip]
		if math.Hypot(dx, dy) < nosePart {
			nose = append(nose, i)
		} else {
			rest = append(rest, i)
		}
	}
	var both, square float64
	for _, r := range rows {
		n, o := slope(r, depth, nose), slope(r, depth, rest)
		both += n * o
		square += n * n
	}
	if square == 0 {
		return 0
	}
	return both / square
}

// slope is the coefficient of b in a over some of their elements.
func slope(a, b []float64, at []int) float64 {
	var ab, bb float64
	for _, i := range at {
		ab += a[i] * b[i]
		bb += b[i] * b[i]
	}
	if bb == 0 {
		return 0
	}
	return ab / bb
}

// firstDirection is the unit vector that holds most of what rows hold, and how much of their squares.
func firstDirection(rows [][]float64) ([]float64, float64) {
	v := slices.Clone(rows[0])
	for _, r := range rows { // the longest row is no bad guess
		if dot(r, r) > dot(v, v) {
			copy(v, r)
		}
	}
	var size float64
	for range 30 {
		next := make([]float64, len(v))
		n := math.Sqrt(max(1e-300, dot(v, v)))
		for i := range v {
			v[i] /= n
		}
		for _, r := range rows {
			d := dot(r, v)
			for i := range next {
				next[i] += d * r[i]
			}
		}
		size = dot(next, v)
		v = next
	}
	n := math.Sqrt(max(1e-300, dot(v, v)))
	for i := range v {
		v[i] /= n
	}
	return v, size
}

func dot(a, b []float64) float64 {
	var s float64
	for i := range a {
		s += a[i] * b[i]
	}
	return s
}

func ones(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = 1
	}
	return out
}

func centred(v []float64) {
	var mean float64
	for _, x := range v {
		mean += x / float64(len(v))
	}
	for i := range v {
		v[i] -= mean
	}
}

// orthonormal spans what the vectors span.
func orthonormal(vectors ...[]float64) [][]float64 {
	var out [][]float64
	for _, v := range vectors {
		v = slices.Clone(v)
		without(v, out)
		n := math.Sqrt(dot(v, v))
		if n < 1e-9 {
			continue
		}
		for i := range v {
			v[i] /= n
		}
		out = append(out, v)
	}
	return out
}

// without takes from v what the orthonormal vectors hold of it.
func without(v []float64, of [][]float64) {
	for _, q := range of {
		d := dot(v, q)
		for i := range v {
			v[i] -= d * q[i]
		}
	}
}
