package biometric

import (
	"math"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/liveness"
)

const (
	thumbWidth = 80    // pixels
	fineWidth  = 160   // pixels, each one pixel of the frame and no mean
	repeatDiff = .9    // mean grey difference over the face below which two frames are one
	stillDiff  = .8    // mean difference of averaged greys over the face below which it did not move
	mostStill  = 2000. // pixels of a face beyond which every second one will do
	facePart   = 1.4   // of the face's box: what belongs to the head
	aroundPart = 3.0   // of the face's box: how far its surroundings reach
	leastRing  = 90    // pixels of surroundings to say anything about
	handShake  = 4     // pixels of a thumb that a hand shakes between two frames

	tellingShift = .2 // parts of the eyes' distance that a face must move by before its surroundings are compared with it
)

func thumbOf(g *imaging.Gray) *imaging.Gray {
	return g.Resize(thumbWidth, max(1, g.H*thumbWidth/g.W))
}

// fineOf picks pixels without averaging, so that what differs between two frames by noise still does.
func fineOf(g *imaging.Gray) *imaging.Gray {
	out := imaging.NewGray(fineWidth, max(1, g.H*fineWidth/g.W))
	for y := range out.H {
		for x := range out.W {
			out.Pix[y*out.W+x] = g.At(x*g.W/out.W, y*g.H/out.H)
		}
	}
	return out
}

// alike reports whether two glimpses are of one size and show a face.
func alike(a, b glimpse) bool {
	return a.thumb != nil && b.thumb != nil && a.thumb.H == b.thumb.H && len(a.Marks) > 0 && len(b.Marks) > 0
}

// pairs compares each frame with the one before, and those in which the face is away from where it began with the first.
// Where the face hardly moved, or what went along would have come from outside the picture, Along is Stay.
func pairs(seen []glimpse) []idv.FramePair {
	out := []idv.FramePair{}
	first := -1
	for i := range seen {
		if first < 0 && alike(seen[i], seen[i]) {
			first = i
		}
		if i > 0 && alike(seen[i-1], seen[i]) {
			out = appendPair(out, seen, i-1, i)
		}
		if first >= 0 && i > first+1 && alike(seen[first], seen[i]) {
			out = appendPair(out, seen, first, i)
		}
	}
	return out
}

func appendPair(out []idv.FramePair, seen []glimpse, i, j int) []idv.FramePair {
	a, b := seen[i], seen[j]
	pa, pb := corners(a), corners(b)
	m, ok := affine(pb, pa) // from where it is in b to where it was in a
	if !ok {
		return out
	}
	relief, ok := liveness.ReliefOf(a.Marks)
	if !ok {
		return out
	}
	p := idv.FramePair{From: i, To: j}
	for k := range pa {
		p.Shift = math.Max(p.Shift, math.Hypot(pa[k].X-pb[k].X, pa[k].Y-pb[k].Y)/(relief.Wide*thumbWidth))
	}
	ring := surroundings(a, b)
	if j > i+1 && p.Shift < tellingShift || len(ring) < leastRing {
		return out
	}
	p.Stay = leastStay(a.thumb, b.thumb, ring, handShake)
	p.Along = p.Stay
	if math.IsInf(p.Stay, 0) {
		return out
	}
	if p.Shift >= tellingShift {
		if along := leastAlong(a.thumb, b.thumb, ring, m); !math.IsInf(along, 0) {
			p.Along = along
		}
	}
	return append(out, p)
}

// corners are the eyes and the mouth in pixels of the thumb.
func corners(g glimpse) [3]imaging.Point {
	at := func(i, j int) imaging.Point {
		return imaging.Point{
			X: float64(g.Marks[2*i]+g.Marks[2*j]) / 2e4 * thumbWidth, Y: float64(g.Marks[2*i+1]+g.Marks[2*j+1]) / 2e4 * thumbWidth,
		}
	}
	return [3]imaging.Point{at(36, 39), at(42, 45), at(48, 54)}
}

// affine carries three points to three others: x' = m0 x + m1 y + m2, y' = m3 x + m4 y + m5.
func affine(from, to [3]imaging.Point) ([6]float64, bool) {
	ax, ay := from[1].X-from[0].X, from[1].Y-from[0].Y
	bx, by := from[2].X-from[0].X, from[2].Y-from[0].Y
	det := ax*by - bx*ay
	if math.Abs(det) < 1 {
		return [6]float64{}, false
	}
	row := func(u0, u1, u2 float64) (p, q, r float64) {
		du, dv := u1-u0, u2-u0
		p, q = (du*by-dv*ay)/det, (dv*ax-du*bx)/det
		return p, q, u0 - p*from[0].X - q*from[0].Y
	}
	var m [6]float64
	m[0], m[1], m[2] = row(to[0].X, to[1].X, to[2].X)
	m[3], m[4], m[5] = row(to[0].Y, to[1].Y, to[2].Y)
	return m, true
}

// surroundings are the pixels of b's thumb around the face and above the chin that are head in neither picture.
func surroundings(a, b glimpse) [][2]int {
	w, h := float64(b.thumb.W), float64(b.thumb.H)
	inside := func(x, y float64, box idv.Box, part float64) bool {
		cx, cy := (box.X+box.Width/2)*w, (box.Y+box.Height*.42)*h // hair reaches higher than the box
		return math.Abs(x-cx) < box.Width*w*part/2 && math.Abs(y-cy) < box.Height*h*part/2
	}
	var out [][2]int
	for y := range b.thumb.H {
		for x := range b.thumb.W {
			px, py := float64(x), float64(y)
			if py < (b.Box.Y+b.Box.Height*.85)*h && inside(px, py, b.Box, aroundPart) && !inside(px, py, b.Box, facePart) && !inside(px, py, a.Box, facePart) {
				out = append(out, [2]int{x, y})
			}
		}
	}
	return out
}

// leastStay is the smallest mean difference between b's pixels and those of a at the same place or a few pixels around,
// the difference of their means left out; infinite where too few have one.
func leastStay(a, b *imaging.Gray, at [][2]int, around int) float64 {
	best := math.Inf(1)
	diffs := make([]float64, 0, len(at))
	for dy := -around; dy <= around; dy++ {
		for dx := -around; dx <= around; dx++ {
			diffs = diffs[:0]
			for _, p := range at {
				if u, v := p[0]+dx, p[1]+dy; u >= 0 && v >= 0 && u < a.W && v < a.H {
					diffs = append(diffs, float64(b.At(p[0], p[1]))-float64(a.At(u, v)))
				}
			}
			best = math.Min(best, spreadOf(diffs))
		}
	}
	return best
}

// leastAlong is the same where m says that b's pixels were in a.
func leastAlong(a, b *imaging.Gray, at [][2]int, m [6]float64) float64 {
	best := math.Inf(1)
	diffs := make([]float64, 0, len(at))
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			diffs = diffs[:0]
			for _, p := range at {
				x, y := float64(p[0]), float64(p[1])
				u, v := m[0]*x+m[1]*y+m[2]+float64(dx), m[3]*x+m[4]*y+m[5]+float64(dy)
				if u >= 0 && v >= 0 && u <= float64(a.W-1) && v <= float64(a.H-1) {
					diffs = append(diffs, float64(b.At(p[0], p[1]))-bilinear(a, u, v))
				}
			}
			best = math.Min(best, spreadOf(diffs))
		}
	}
	return best
}

// spreadOf is how far differences lie from their mean; infinite for too few.
func spreadOf(diffs []float64) float64 {
	if len(diffs) < leastRing*2/3 {
		return math.Inf(1)
	}
	mean, sum := 0., 0.
	for _, d := range diffs {
		mean += d / float64(len(diffs))
	}
	for _, d := range diffs {
		sum += math.Abs(d - mean)
	}
	return sum / float64(len(diffs))
}

func bilinear(g *imaging.Gray, x, y float64) float64 {
	x0, y0 := int(x), int(y)
	x1, y1 := min(x0+1, g.W-1), min(y0+1, g.H-1)
	fx, fy := x-float64(x0), y-float64(y0)
	top := float64(g.At(x0, y0))*(1-fx) + float64(g.At(x1, y0))*fx
	low := float64(g.At(x0, y1))*(1-fx) + float64(g.At(x1, y1))*fx
	return top*(1-fy) + low*fy
}

// repeats counts frames whose face is that of an earlier frame, pixel by pixel.
func repeats(seen []glimpse) int {
	n := 0
	for i := range seen {
		for j := range i {
			if alike(seen[i], seen[j]) && faceDiff(seen[i], seen[j]) < repeatDiff {
				n++
				break
			}
		}
	}
	return n
}

// stills counts frames whose face is where it was in an earlier one and as it was, noise averaged away: a person holds
// still now and then, a picture always.
func stills(seen []glimpse) int {
	n := 0
	for i := range seen {
		for j := i - 1; j >= 0; j-- { // the last one is the likeliest
			if alike(seen[i], seen[j]) && stillness(seen[i], seen[j]) < stillDiff {
				n++
				break
			}
		}
	}
	return n
}

// stillness is the least spread of grey differences over the first one's face, tried a pixel around.
func stillness(a, b glimpse) float64 {
	var at [][2]int
	w, h := float64(a.thumb.W), float64(a.thumb.H)
	step := 1
	if a.Box.Width*w*a.Box.Height*h > mostStill {
		step = 2
	}
	for y := max(0, int(a.Box.Y*h)); y < min(a.thumb.H, int((a.Box.Y+a.Box.Height)*h)); y += step {
		for x := max(0, int(a.Box.X*w)); x < min(a.thumb.W, int((a.Box.X+a.Box.Width)*w)); x += step {
			at = append(at, [2]int{x, y})
		}
	}
	return leastStay(b.thumb, a.thumb, at, 1)
}

// faceDiff is the mean difference over the first one's face.
func faceDiff(a, b glimpse) float64 {
	sum, n := 0., 0
	w, h := float64(a.fine.W), float64(a.fine.H)
	for y := max(0, int(a.Box.Y*h)); y < min(a.fine.H, int((a.Box.Y+a.Box.Height)*h)); y++ {
		for x := max(0, int(a.Box.X*w)); x < min(a.fine.W, int((a.Box.X+a.Box.Width)*w)); x++ {
			sum += math.Abs(float64(a.fine.At(x, y)) - float64(b.fine.At(x, y)))
			n++
		}
	}
	if n == 0 {
		return math.Inf(1)
	}
	return sum / float64(n)
}

// blends tells of each frame between two others how much of it is no mixture of them.
func blends(seen []glimpse) []idv.FrameBlend {
	out := []idv.FrameBlend{}
	for i := 1; i < len(seen)-1; i++ {
		a, f, b := seen[i-1].fine, seen[i].fine, seen[i+1].fine
		if a == nil || f == nil || b == nil || a.H != f.H || b.H != f.H {
			continue
		}
		var along, square, apart float64
		for k := range f.Pix {
			d := float64(b.Pix[k]) - float64(a.Pix[k])
			along += (float64(f.Pix[k]) - float64(a.Pix[k])) * d
			square += d * d
			apart += math.Abs(d)
		}
		if apart == 0 {
			continue
		}
		part := math.Max(0, math.Min(1, along/square))
		left := 0.
		for k := range f.Pix {
			left += math.Abs(float64(f.Pix[k]) - float64(a.Pix[k])*(1-part) - float64(b.Pix[k])*part)
		}
		out = append(out, idv.FrameBlend{Frame: i, Part: part, Left: left / apart, Apart: apart / float64(len(f.Pix))})
	}
	return out
}

// digestSide is the side of a digest in bits: 16 × 16.
const digestSide = 16

// digestsOf makes a digest of each frame that shows a face: whether grey grows from one cell to the next, in 16 rows of
// 17 cells. Frames of one view, however compressed or scaled, differ in few bits.
func digestsOf(seen []glimpse) idv.FrameDigests {
	out := idv.FrameDigests{Bits: digestSide * digestSide, Digests: [][]byte{}}
	for _, g := range seen {
		if g.thumb == nil || len(g.Marks) == 0 {
			continue
		}
		s := g.thumb.Resize(digestSide+1, digestSide)
		d := make([]byte, digestSide*digestSide/8)
		for y := range digestSide {
			for x := range digestSide {
				if s.At(x, y) < s.At(x+1, y) {
					bit := y*digestSide + x
					d[bit/8] |= 1 << (bit % 8)
				}
			}
		}
		out.Digests = append(out.Digests, d)
	}
	return out
}
