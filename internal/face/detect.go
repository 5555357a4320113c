package face

import (
	"cmp"
	"context"
	"errors"
	"image"
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/onnx"
)

// Box is a rectangle: left, top, width and height.
type Box struct{ X, Y, W, H float64 }

// Face is a face that was found in a picture.
type Face struct {
	Box   Box     // as parts (0–1) of the picture, clipped to it
	Pixel Box     // in pixels of the picture, from hair to chin; may reach over its edge
	Roll  float64 // of the line through the eyes, in radians, positive where it falls to the right
	Score float64 // confidence of the detection, 0.5–1
}

// The network takes pictures of any size that its strides divide, and finds faces of some 16 pixels to all of 128. So every picture is
// searched twice: small, for faces that fill it, and larger, for portraits on a page and for people behind.
const (
	detectWhole            = 128
	detectLong, detectWide = 512, 384
	detectValues           = 16 // for each place: a box and six points
)

// grids are the strides in pixels at which the network looks, and how many answers it gives at each place.
var grids = [2]struct{ stride, answers int }{{8, 2}, {16, 6}}

// Detect finds the faces of an upright picture, the most confident first. Faces narrower than about a thirtieth of the
// picture are not seen. No face is an empty list, not an error.
func (e *Engine) Detect(ctx context.Context, p *imaging.RGB) ([]Face, error) {
	return e.detect(ctx, p, detectLong, detectWide)
}

// DetectNear is Detect for pictures that somebody takes of themselves, at a third of its cost. Faces narrower than about a fifteenth of
// the picture are not seen.
func (e *Engine) DetectNear(ctx context.Context, p *imaging.RGB) ([]Face, error) {
	return e.detect(ctx, p, detectLong/2, detectWide/2)
}

func (e *Engine) detect(ctx context.Context, p *imaging.RGB, long, wide int) ([]Face, error) {
	if p.W == 0 || p.H == 0 {
		return nil, nil
	}
	if p.H > p.W {
		long, wide = wide, long
	}
	var out []Face
	for _, view := range [2]letterbox{boxed(p, detectWhole, detectWhole), boxed(p, long, wide)} {
		found, err := e.search(ctx, view)
		if err != nil {
			return nil, err
		}
		// In the larger picture parts of a large face look like faces.
		found = slices.DeleteFunc(merge(found, p.W, p.H), func(f Face) bool {
			return slices.ContainsFunc(out, func(k Face) bool { return inside(f.Pixel, k.Pixel) > maxInside })
		})
		if found, err = e.confirmed(ctx, p, found); err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	slices.SortStableFunc(out, bySureness)
	return out, nil
}

func bySureness(a, b Face) int { return cmp.Compare(b.Score, a.Score) }

// An unsure detection is a face only where the mesh is that sure of it, and where the eye line is that level: what is taken for a face on
// its side is a shoulder or a fold.
const (
	leastPresent = .5
	leastLevel   = .6 // cosine of the roll
)

// confirmed leaves out of what may be faces those that the mesh sees none in. What the detector is sure of is not asked.
func (e *Engine) confirmed(ctx context.Context, p *imaging.RGB, found []Face) ([]Face, error) {
	var out []Face
	for _, f := range found {
		if f.Score < sureConfidence {
			if math.Cos(f.Roll) < leastLevel {
				continue
			}
			_, present, err := e.Mesh(ctx, p, f)
			if err != nil && !errors.Is(err, errEmptyFace) {
				return nil, err
			}
			if err != nil || present < leastPresent {
				continue
			}
		}
		out = append(out, f)
	}
	return out, nil
}

// surelyUpright is a face's uprightness (see upright) that no face turned by a quarter or a half reached: measured on 330
// faces in four turns each, the wrong turns stay below 0.844.
const surelyUpright = .86

const turnSide = 640 // pixels, longest side at which the way up is looked for

// DetectAnyTurn finds faces in a picture that may lie on its side or upside down. It answers the clockwise quarter turns
// (0–3) that set the largest face upright, and the faces as found in p.Turn(turn). In pictures of at most 640 pixels these are the
// faces that Detect finds there.
func (e *Engine) DetectAnyTurn(ctx context.Context, p *imaging.RGB) (turn int, faces []Face, err error) {
	found, err := e.DetectTurned(ctx, p, 0, 1, 2, 3)
	return found.Turn, found.Faces, err
}

// Turned are faces in a picture that was turned.
type Turned struct {
	Turn  int     // clockwise quarter turns that set the largest face upright; 0 where there is none
	Faces []Face  // as found in the picture turned so
	Sure  bool    // the largest face looks more upright than any turned face has
	None  [4]bool // by turn: it was tried, and no face was found
}

// DetectTurned is DetectAnyTurn where only some turns are possible. It tries them in the order given.
func (e *Engine) DetectTurned(ctx context.Context, p *imaging.RGB, turns ...int) (Turned, error) {
	var out Turned
	small, scale := p.Fit(turnSide)
	best := 0.0
	for _, t := range turns {
		turned := small.Turn(t)
		found, err := e.Detect(ctx, turned)
		if err != nil {
			return Turned{}, err
		}
		largest, ok := Largest(found)
		if !ok {
			out.None[t] = true
			continue
		}
		up, err := e.upright(ctx, turned, largest)
		if err != nil {
			return Turned{}, err
		}
		if up > best {
			best, out.Turn, out.Faces = up, t, found
		}
		if out.Sure = up >= surelyUpright; out.Sure {
			break
		}
	}
	for i := range out.Faces {
		b := &out.Faces[i].Pixel
		*b = Box{b.X / scale, b.Y / scale, b.W / scale, b.H / scale}
	}
	return out, nil
}

// upright tells how well a face stands upright (0–1): how sure detector and mesh are of it, which is less of a face upside down, times
// the cosine of its eye line, which is small for one on its side.
func (e *Engine) upright(ctx context.Context, p *imaging.RGB, f Face) (float64, error) {
	m, present, err := e.Mesh(ctx, p, f)
	if errors.Is(err, errEmptyFace) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	angle, _ := m.EyeLine()
	return f.Score * present * math.Max(0, math.Cos(angle)), nil
}

// letterbox is a picture within the input of the detector, at its centre, with black around.
type letterbox struct {
	in     onnx.Tensor
	w, h   int     // of the input
	scale  float64 // pixels of the input for one of the picture
	x0, y0 float64 // of the picture's corner in the input
}

func boxed(p *imaging.RGB, w, h int) letterbox {
	scale := math.Min(float64(w)/float64(p.W), float64(h)/float64(p.H))
	fw, fh := max(1, min(w, int(math.Round(float64(p.W)*scale)))), max(1, min(h, int(math.Round(float64(p.H)*scale))))
	x0, y0 := (w-fw)/2, (h-fh)/2
	in := onnx.Tensor{Shape: []int64{1, int64(h), int64(w), 3}, Data: make([]float32, 3*w*h)}
	if fw < w || fh < h {
		for i := range in.Data {
			in.Data[i] = -1
		}
	}
	var values [256]float32
	for v := range values {
		values[v] = float32(v)/127.5 - 1
	}
	s := p.Resize(fw, fh)
	for y := range fh {
		to := in.Data[3*((y+y0)*w+x0):][:3*fw]
		for i, v := range s.Pix[3*y*fw : 3*(y+1)*fw] {
			to[i] = values[v]
		}
	}
	return letterbox{in: in, w: w, h: h, scale: scale, x0: float64(x0), y0: float64(y0)}
}

// search answers every place where the network sees a face. Their boxes overlap.
func (e *Engine) search(ctx context.Context, v letterbox) ([]Face, error) {
	places := 0
	for _, g := range grids {
		places += v.w / g.stride * (v.h / g.stride) * g.answers
	}
	out, err := e.run(ctx, DetectModel, v.in, detectValues*places, places)
	if err != nil {
		return nil, err
	}
	var found []Face
	i := 0
	for _, g := range grids {
		for y := range v.h / g.stride {
			for x := range v.w / g.stride {
				for range g.answers {
					if score := sigmoid(float64(out[1].Data[i])); score >= minConfidence {
						cx, cy := (float64(x)+.5)*float64(g.stride), (float64(y)+.5)*float64(g.stride)
						if f, ok := v.face(out[0].Data[detectValues*i:][:detectValues], cx, cy); ok {
							f.Score = score
							found = append(found, f)
						}
					}
					i++
				}
			}
		}
	}
	return found, nil
}

// face reads one answer of the network: the middle and the size of a box, and the eyes, against the place (x, y).
func (v letterbox) face(r []float32, x, y float64) (Face, bool) {
	at := func(i int) imaging.Point {
		return imaging.Point{X: (float64(r[i]) + x - v.x0) / v.scale, Y: (float64(r[i+1]) + y - v.y0) / v.scale}
	}
	middle, left, right := at(0), at(4), at(6)
	size := float64(r[2]+r[3]) / 2
	if !(size > 0) {
		return Face{}, false
	}
	return headOf(middle, size/v.scale, math.Atan2(right.Y-left.Y, right.X-left.X)), true
}

// The network's box is a square from the brows to the chin. A face here is from hair to chin, as all thresholds of sizes are meant: so
// wide and so high, in sides of the square, and so far above its middle. Medians of 1 334 faces against the boxes of the detector before.
const (
	headWide, headHigh = .855, 1.214
	headAbove          = .109
)

// headOf is the face round a square of the network's with its middle at m.
func headOf(m imaging.Point, side, roll float64) Face {
	sin, cos := math.Sincos(roll)
	x, y := m.X+headAbove*side*sin, m.Y-headAbove*side*cos
	w, h := headWide*side, headHigh*side
	return Face{Pixel: Box{x - w/2, y - h/2, w, h}, Roll: roll}
}

// square is the network's square of a face.
func (f Face) square() Box {
	side := f.Pixel.W / headWide
	sin, cos := math.Sincos(f.Roll)
	x, y := f.Pixel.X+f.Pixel.W/2-headAbove*side*sin, f.Pixel.Y+f.Pixel.H/2+headAbove*side*cos
	return Box{x - side/2, y - side/2, side, side}
}

func sigmoid(v float64) float64 { return 1 / (1 + math.Exp(-v)) }

func clip(l, t, r, b float64) Box {
	in := func(v float64) float64 { return math.Max(0, math.Min(1, v)) }
	return Box{in(l), in(t), in(r) - in(l), in(b) - in(t)}
}

// merge makes one face of detections that overlap: the mean of their boxes by confidence. The most confident come first.
func merge(found []Face, w, h int) []Face {
	slices.SortStableFunc(found, bySureness)
	var out []Face
	for len(found) > 0 {
		first := found[0]
		var sum, sin, cos float64
		var box Box
		found = slices.DeleteFunc(found, func(f Face) bool {
			switch {
			case f == first, overlap(f.Pixel, first.Pixel) > maxOverlap:
			case inside(f.Pixel, first.Pixel) > maxInside:
				return true // a part of the face, or the face and more
			default:
				return false
			}
			sum += f.Score
			b := f.Pixel
			box = Box{box.X + f.Score*b.X, box.Y + f.Score*b.Y, box.W + f.Score*b.W, box.H + f.Score*b.H}
			sin, cos = sin+f.Score*math.Sin(f.Roll), cos+f.Score*math.Cos(f.Roll)
			return true
		})
		b := Box{box.X / sum, box.Y / sum, box.W / sum, box.H / sum}
		first.Pixel, first.Box = b, clip(b.X/float64(w), b.Y/float64(h), (b.X+b.W)/float64(w), (b.Y+b.H)/float64(h))
		first.Roll = math.Atan2(sin, cos)
		out = append(out, first)
	}
	return out
}

// overlap is the intersection of two boxes over their union.
func overlap(a, b Box) float64 {
	both := common(a, b)
	return both / (a.W*a.H + b.W*b.H - both)
}

// inside is the part of the smaller box that the larger one covers.
func inside(a, b Box) float64 { return common(a, b) / math.Min(a.W*a.H, b.W*b.H) }

// common is the area that two boxes share.
func common(a, b Box) float64 {
	w := math.Min(a.X+a.W, b.X+b.W) - math.Max(a.X, b.X)
	h := math.Min(a.Y+a.H, b.Y+b.H) - math.Max(a.Y, b.Y)
	return math.Max(0, w) * math.Max(0, h)
}

// Largest returns the face with the largest area: the holder, where a document shows a second, smaller portrait.
func Largest(faces []Face) (Face, bool) {
	return best(faces, func(f Face) float64 { return f.Pixel.W * f.Pixel.H })
}

// MostCentral returns the face nearest to the middle of the picture.
func MostCentral(faces []Face) (Face, bool) {
	return best(faces, func(f Face) float64 { return -math.Hypot(f.Box.X+f.Box.W/2-.5, f.Box.Y+f.Box.H/2-.5) })
}

func best(faces []Face, score func(Face) float64) (Face, bool) {
	if len(faces) == 0 {
		return Face{}, false
	}
	return slices.MaxFunc(faces, func(a, b Face) int {
		switch x, y := score(a), score(b); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	}), true
}

// rect is the box in whole pixels.
func (b Box) rect() image.Rectangle {
	return image.Rect(int(math.Round(b.X)), int(math.Round(b.Y)), int(math.Round(b.X+b.W)), int(math.Round(b.Y+b.H)))
}

// grown is the box with the same centre and the given factor on both sides.
func (b Box) grown(factor float64) Box {
	return Box{b.X - b.W*(factor-1)/2, b.Y - b.H*(factor-1)/2, b.W * factor, b.H * factor}
}
