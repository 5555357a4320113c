package face

import (
	"context"
	"fmt"
	"math"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/onnx"
)

// Pose is how far a head is turned, in degrees (−99 to 99).
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
	EyesOpen  [2]float64 // probability (0–1) that the eye on the left, on the right of the picture is open
	EyeGap    float64    // distance between the eyes in pixels of the picture
	Sharpness float64    // imaging.Sharpness of the face scaled to 128 pixels; 0–about 5 000
	Darkness  float64    // imaging.Darkness of the face; 0–1
	Marks     Marks
}

// Describe looks at one face that Detect found in p. It needs the models for landmarks, template, pose and eyes.
func (e *Engine) Describe(ctx context.Context, p *imaging.RGB, f Face) (Description, error) {
	var d Description
	marks, err := e.Landmarks(ctx, p, f)
	if err != nil {
		return d, err
	}
	d.Marks = marks
	if d.Template, err = e.Template(ctx, Align(p, marks)); err != nil {
		return d, err
	}
	if d.Pose, err = e.Pose(ctx, p, f, marks); err != nil {
		return d, err
	}
	if d.EyesOpen, err = e.Eyes(ctx, p, marks); err != nil {
		return d, err
	}
	_, d.EyeGap = marks.EyeLine()
	g := p.Crop(f.Pixel.rect()).Gray()
	d.Sharpness = imaging.Sharpness(g.Resize(128, 128))
	d.Darkness = imaging.Darkness(g)
	return d, nil
}

const poseSide, poseBins = 224, 66

// Pose estimates how far the head is turned, after setting the eye line level.
func (e *Engine) Pose(ctx context.Context, p *imaging.RGB, f Face, m Marks) (Pose, error) {
	angle, _ := m.EyeLine()
	head := square(p, f.Pixel.grown(1.5), angle, poseSide)
	in := planes(head, false, 0, 1./255)
	mean, dev := [3]float32{.485, .456, .406}, [3]float32{.229, .224, .225}
	n := poseSide * poseSide
	for i := range in.Data {
		in.Data[i] = (in.Data[i] - mean[i/n]) / dev[i/n]
	}
	model, err := e.model(PoseModel)
	if err != nil {
		return Pose{}, err
	}
	out, err := e.run(ctx, PoseModel, in, poseBins, poseBins, poseBins)
	if err != nil {
		return Pose{}, err
	}
	pose := Pose{Roll: angle * 180 / math.Pi}
	for i, name := range model.Outputs() {
		switch name {
		case "output":
			pose.Yaw = expected(out[i])
		case "617":
			pose.Pitch = expected(out[i])
		case "618": // the roll that is left; the eye line tells it better
		default:
			return Pose{}, fmt.Errorf("model %s: unknown output %q", PoseModel, name)
		}
	}
	return pose, nil
}

// expected is the mean angle of a distribution over bins of three degrees from −99.
func expected(t onnx.Tensor) float64 {
	sum := 0.0
	for i, p := range softmax(t.Data) {
		sum += p * float64(3*i)
	}
	return sum - 99
}

const eyeSide = 24

// Eyes answers the probability (0–1) that each eye is open: the one on the left of the picture, then the one on the right.
// It is a hint only: of 266 faces whose eyes are nearly all open it takes one eye in ten for closed, and both eyes of some
// people whose lids are narrow.
func (e *Engine) Eyes(ctx context.Context, p *imaging.RGB, m Marks) ([2]float64, error) {
	var open [2]float64
	angle, _ := m.EyeLine()
	for i, first := range [2]int{36, 42} {
		a, b, lids := m[first], m[first+3], m.mean(first+1, first+2, first+4, first+5)
		side := 1.6 * math.Hypot(b.X-a.X, b.Y-a.Y)
		box := Box{lids.X - side/2, lids.Y - side/2, side, side}
		g := square(p, box, angle, eyeSide).Gray()
		in := onnx.Tensor{Shape: []int64{1, 1, eyeSide, eyeSide}, Data: make([]float32, len(g.Pix))}
		for k, v := range g.Pix {
			in.Data[k] = float32(v) / 255
		}
		out, err := e.run(ctx, EyeModel, in, 2)
		if err != nil {
			return open, err
		}
		open[i] = softmax(out[0].Data)[1]
	}
	return open, nil
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
