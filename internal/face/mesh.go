package face

import (
	"context"
	"math"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/onnx"
)

// Point3 is a place on a face: X and Y in pixels of the picture, Z in pixels too, less towards the camera. Where Z is 0 is the
// network's choice.
type Point3 struct{ X, Y, Z float64 }

// Mesh is a face as 468 points in three dimensions, in the order of the card "face-mesh".
type Mesh [468]Point3

const (
	meshSide = 192
	meshArea = 1.5 // of the square that the detector answers
)

// Mesh places the points of a face that Detect found in p, and answers how sure the network is (0–1) that it is a face.
func (e *Engine) Mesh(ctx context.Context, p *imaging.RGB, f Face) (Mesh, float64, error) {
	var m Mesh
	if f.Pixel.rect().Intersect(p.Bounds()).Empty() {
		return m, 0, errEmptyFace
	}
	b := f.square().grown(meshArea)
	out, err := e.run(ctx, MeshModel, meshInput(square(p, b, f.Roll, meshSide)), 3*len(m), 1)
	if err != nil {
		return m, 0, err
	}
	sin, cos := math.Sincos(f.Roll)
	scale := b.W / meshSide
	for i := range m {
		at := out[0].Data[3*i:][:3]
		x, y := (float64(at[0])-meshSide/2)*scale, (float64(at[1])-meshSide/2)*scale
		m[i] = Point3{b.X + b.W/2 + x*cos - y*sin, b.Y + b.H/2 + x*sin + y*cos, float64(at[2]) * scale}
	}
	return m, sigmoid(float64(out[1].Data[0])), nil
}

// meshInput lays a square of meshSide pixels out as the network wants it.
func meshInput(p *imaging.RGB) onnx.Tensor {
	in := onnx.Tensor{Shape: []int64{1, meshSide, meshSide, 3}, Data: make([]float32, len(p.Pix))}
	for i, v := range p.Pix {
		in.Data[i] = float32(v) / 255
	}
	return in
}

// mean is the middle of points, as the picture has it.
func (m *Mesh) mean(at ...int) imaging.Point {
	var s imaging.Point
	for _, i := range at {
		s.X += m[i].X / float64(len(at))
		s.Y += m[i].Y / float64(len(at))
	}
	return s
}

// EyeLine is the angle of the line through the eyes in radians, positive where it falls to the right, and the distance
// between the eyes in pixels.
func (m *Mesh) EyeLine() (angle, distance float64) {
	l, r := m.mean(33, 133), m.mean(263, 362)
	return math.Atan2(r.Y-l.Y, r.X-l.X), math.Hypot(r.X-l.X, r.Y-l.Y)
}

// marks are the points of the mesh that 68 landmarks name, in the order of the iBUG 300-W scheme.
var marks = [68]int{
	127, 234, 93, 132, 172, 136, 149, 148, 152, 377, 378, 365, 397, 288, 323, 454, 356, // jaw
	70, 63, 105, 66, 107, 336, 296, 334, 293, 300, // brows
	168, 197, 5, 1, 98, 97, 2, 326, 327, // nose
	33, 160, 158, 133, 153, 144, 362, 385, 387, 263, 373, 380, // eyes
	61, 39, 37, 0, 267, 269, 291, 405, 314, 17, 84, 181, 78, 82, 13, 312, 308, 317, 14, 87, // mouth
}

// Marks are 68 of the points as the picture has them, in the order of the iBUG 300-W scheme: 0–16 jaw, 17–26 brows, 27–35 nose, 36–41
// the eye on the left of the picture, 42–47 the one on the right, 48–67 mouth.
func (m *Mesh) Marks() [68]imaging.Point {
	var out [68]imaging.Point
	for i, k := range marks {
		out[i] = m.mean(k)
	}
	return out
}
