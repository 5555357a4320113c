package biometric

import (
	"math"
	"testing"

	"github.com/bonafide-id/bonafide/internal/face"
)

// bowl is a face of sorts: points on half an ellipsoid, its nose before it.
func bowl() *face.Mesh {
	m := &face.Mesh{}
	for i := range m {
		// A spiral lays them evenly.
		r, angle := math.Sqrt((float64(i)+.5)/float64(meshPoints)), float64(i)*2.399963
		m[i] = face.Point3{X: 75 * r * math.Cos(angle), Y: 95 * r * math.Sin(angle), Z: -70 * math.Sqrt(1-r*r*.98)}
	}
	m[noseTip] = face.Point3{Z: -95}
	for i := range 12 {
		angle := float64(i) / 2
		m[100+i] = face.Point3{X: 12 * math.Cos(angle), Y: 12 * math.Sin(angle), Z: -85}
	}
	m[rightCorner], m[leftCorner] = face.Point3{X: -45, Y: -30, Z: -45}, face.Point3{X: 45, Y: -30, Z: -45}
	return m
}

// posed is the mesh as it is seen when every point is carried elsewhere.
func posed(m *face.Mesh, to func(face.Point3) face.Point3) *face.Mesh {
	out := &face.Mesh{}
	for i, p := range m {
		out[i] = to(p)
	}
	return out
}

func TestTheMeshOfAHeadMovesByItsDepthAndThatOfAPictureDoesNot(t *testing.T) {
	at := bowl()
	turn := func(p face.Point3, by float64) face.Point3 {
		sin, cos := math.Sincos(by)
		return face.Point3{X: p.X*cos - p.Z*sin, Y: p.Y, Z: p.X*sin + p.Z*cos}
	}
	run := func(seen func(p face.Point3, part float64) face.Point3) []*face.Mesh {
		var out []*face.Mesh
		for k := range 30 {
			part := math.Sin(float64(k) / 5)
			out = append(out, posed(at, func(p face.Point3) face.Point3 { return seen(p, part) }))
		}
		return out
	}
	tests := []struct {
		name        string
		seen        func(p face.Point3, part float64) face.Point3
		left, whole [2]float64 // from, to
	}{
		{"a head that turns", func(p face.Point3, part float64) face.Point3 { return turn(p, .4*part) }, [2]float64{.02, .2}, [2]float64{.9, 1.1}},
		{"one that comes nearer, tilts and turns", func(p face.Point3, part float64) face.Point3 {
			p = turn(p, .4*part)
			sin, cos := math.Sincos(.2 * part)
			return face.Point3{X: (p.X*cos - p.Y*sin) * (1.2 + .1*part), Y: (p.X*sin + p.Y*cos) * (1.2 + .1*part), Z: p.Z}
		}, [2]float64{.02, .2}, [2]float64{.85, 1.1}},
		{"a picture that is turned", func(p face.Point3, part float64) face.Point3 {
			return face.Point3{X: p.X * math.Cos(.5*part), Y: p.Y, Z: p.Z}
		}, [2]float64{0, .001}, [2]float64{-2, 2}},
		{"a picture whose nose is pushed", func(p face.Point3, part float64) face.Point3 {
			p.X += 30 * part * math.Exp(-(p.X*p.X+p.Y*p.Y)/(2*18*18))
			return p
		}, [2]float64{.001, .2}, [2]float64{-1, .6}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := depthOfMesh(run(tt.seen))
			if got.Frames != 30 || got.Left < tt.left[0] || got.Left > tt.left[1] || got.Whole < tt.whole[0] || got.Whole > tt.whole[1] {
				t.Errorf("%+v", got)
			}
		})
	}
	if got := depthOfMesh(nil); got.Frames != 0 || got.Left != 0 {
		t.Errorf("of no frame: %+v", got)
	}
	for name, m := range map[string]*face.Mesh{"one point": {}, "one frame": at} {
		got := depthOfMesh([]*face.Mesh{m})
		if sum := got.Left + got.Whole + got.First + got.Depth; math.IsNaN(sum) || math.IsInf(sum, 0) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
