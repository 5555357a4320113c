package face

import (
	"context"
	"math"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// Pose is how far a head is turned, in degrees (−90 to 90).
type Pose struct {
	Yaw   float64 // positive: the nose points to the left of the picture
	Pitch float64 // positive: the nose points up
	Roll  float64 // of the eye line, positive where it falls to the right
}

// Frontal reports whether yaw and pitch are within limit degrees.
func (p Pose) Frontal(limit float64) bool {
	return math.Abs(p.Yaw) <= limit && math.Abs(p.Pitch) <= limit
}

// Description is what can be told of a face beside its place.
type Description struct {
	Template  []float32  // 512 numbers of length 1
	Pose      Pose       // of the head
	EyesOpen  [2]float64 // how far (0–1) the eye on the left, on the right of the picture is open
	EyeGap    float64    // distance between the eyes in pixels of the picture
	Sharpness float64    // imaging.Sharpness of the face scaled to 128 pixels; 0–about 5 000
	Darkness  float64    // imaging.Darkness of the face; 0–1
	Mesh      Mesh
}

// Describe looks at one face that Detect found in p. It needs the models for mesh and template.
func (e *Engine) Describe(ctx context.Context, p *imaging.RGB, f Face) (Description, error) {
	var d Description
	var err error
	if d.Mesh, _, err = e.Mesh(ctx, p, f); err != nil {
		return d, err
	}
	if d.Template, err = e.Template(ctx, Align(p, &d.Mesh)); err != nil {
		return d, err
	}
	d.Pose, d.EyesOpen = d.Mesh.Pose(), d.Mesh.EyesOpen()
	_, d.EyeGap = d.Mesh.EyeLine()
	g := p.Crop(f.Pixel.rect()).Gray()
	d.Sharpness = imaging.Sharpness(g.Resize(128, 128))
	d.Darkness = imaging.Darkness(g)
	return d, nil
}

// square cuts the box out of p, turned by angle about its middle, and scales it to side×side. What lies outside p
// repeats its edge.
func square(p *imaging.RGB, b Box, angle float64, side int) *imaging.RGB {
	sin, cos := math.Sincos(angle)
	cx, cy := b.X+b.W/2, b.Y+b.H/2
	corner := func(x, y float64) imaging.Point {
		return imaging.Point{X: cx + x*b.W/2*cos - y*b.H/2*sin, Y: cy + x*b.W/2*sin + y*b.H/2*cos}
	}
	return p.Warp(imaging.Quad{corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)}, side, side)
}
