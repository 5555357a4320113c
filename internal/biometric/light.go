package biometric

import (
	"context"
	"math"
	"slices"
	"sync"

	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/liveness"
)

// Points of the mesh around which skin is looked at: cheeks and forehead.
var skinPoints = []int{
	50, 101, 118, 117, 123, 187, 205, 36, // the cheek on the left of the picture
	280, 330, 347, 346, 352, 411, 425, 266, // the other one
	151, 9, 108, 337, 69, 299, // forehead
}

const (
	skinReach  = .07    // around each of them, in distances of the eyes' outer corners
	beside     = .95    // from the middle of the face's box to its surroundings, in its widths
	above      = .85    // likewise upwards, in its heights
	besideTo   = .3     // below the middle, in its heights, to which surroundings reach
	bodyFrom   = .68    // likewise, from where the body is looked at
	bodyTo     = 1.35   // and to where
	bodyWide   = .5     // to each side, in the box's widths
	leastPart  = 150    // pixels of a part to say anything about it
	leastLevel = 6      // below it a value is noise
	mostLevel  = 250    // above it a value is cut off
	lightParts = 100000 // FrameLight is kept in these parts
)

// linears are the values of sRGB in linear light.
var linears = sync.OnceValue(func() (out [256]float64) {
	for i := range out {
		out[i] = liveness.Linear(uint8(i))
	}
	return out
})

// tints are ln(red/green) and ln(blue/green) of parts of a frame, in the order of the constants; nil where a part is not seen.
type tints [parts]*[2]float64

// The parts, as idv.FrameLight names them.
const (
	facePartOf = iota
	leftPartOf
	rightPartOf
	abovePartOf
	bodyPartOf
	parts
)

// mean adds up light.
type mean struct {
	sum [3]float64
	n   int
}

// add adds a pixel whose values are neither noise nor cut off.
func (m *mean) add(p *imaging.RGB, x, y int) {
	r, g, b := p.At(x, y)
	if min(r, g, b) < leastLevel || max(r, g, b) > mostLevel {
		return
	}
	lin := linears()
	m.sum[0], m.sum[1], m.sum[2] = m.sum[0]+lin[r], m.sum[1]+lin[g], m.sum[2]+lin[b]
	m.n++
}

func (m *mean) tint() *[2]float64 {
	if m.n < leastPart {
		return nil
	}
	return &[2]float64{math.Log(m.sum[0] / m.sum[1]), math.Log(m.sum[2] / m.sum[1])}
}

// tintsOf measures the parts of a frame with one face.
func tintsOf(p *imaging.RGB, g *glimpse) (out tints) {
	if g.Fault != "" || g.Faces != 1 || g.mesh == nil || cornersApart(g.mesh) < leastEyes {
		return out
	}
	out[facePartOf], out[bodyPartOf] = skinTint(p, g.mesh), bodyTint(p, g.Box)
	for k, side := range sideMeans(p, g.Box) {
		out[leftPartOf+k] = side.tint()
	}
	return out
}

func skinTint(p *imaging.RGB, m *face.Mesh) *[2]float64 {
	var skin mean
	reach := max(1, int(skinReach*cornersApart(m)+.5))
	for _, i := range skinPoints {
		cx, cy := int(m[i].X), int(m[i].Y)
		for y := max(0, cy-reach); y <= min(p.H-1, cy+reach); y++ {
			for x := max(0, cx-reach); x <= min(p.W-1, cx+reach); x++ {
				skin.add(p, x, y)
			}
		}
	}
	return skin.tint()
}

// sideMeans looks beside and above the head, at every other pixel each way: to the left, to the right, above.
func sideMeans(p *imaging.RGB, box idv.Box) (out [3]mean) {
	w, h := box.Width*float64(p.W), box.Height*float64(p.H)
	cx, cy := (box.X+box.Width/2)*float64(p.W), (box.Y+box.Height/2)*float64(p.H)
	for y := 0; y < min(p.H, int(cy+besideTo*h)); y += 2 {
		high := float64(y) < cy-above*h
		for x := 0; x < p.W; x += 2 {
			switch off := float64(x) - cx; {
			case off < -beside*w:
				out[0].add(p, x, y)
			case off > beside*w:
				out[1].add(p, x, y)
			case high:
				out[2].add(p, x, y)
			}
		}
	}
	return out
}

func bodyTint(p *imaging.RGB, box idv.Box) *[2]float64 {
	var body mean
	w, h := box.Width*float64(p.W), box.Height*float64(p.H)
	cx, cy := (box.X+box.Width/2)*float64(p.W), (box.Y+box.Height/2)*float64(p.H)
	for y := max(0, int(cy+bodyFrom*h)); y < min(p.H, int(cy+bodyTo*h)); y += 2 {
		for x := max(0, int(cx-bodyWide*w)); x < min(p.W, int(cx+bodyWide*w)); x += 2 {
			body.add(p, x, y)
		}
	}
	return body.tint()
}

// lightOf keeps of the tints only how they change.
func lightOf(seen []glimpse) []idv.FrameLight {
	var middle [parts][2]float64
	for k := range middle {
		var all [2][]float64
		for _, g := range seen {
			if v := g.tints[k]; v != nil {
				all[0], all[1] = append(all[0], v[0]), append(all[1], v[1])
			}
		}
		for i := range all {
			if len(all[i]) > 0 {
				slices.Sort(all[i])
				middle[k][i] = all[i][len(all[i])/2]
			}
		}
	}
	out := []idv.FrameLight{}
	for i, g := range seen {
		of := func(k int) *[2]float64 {
			v := g.tints[k]
			if v == nil {
				return nil
			}
			return &[2]float64{math.Round((v[0]-middle[k][0])*lightParts) / lightParts, math.Round((v[1]-middle[k][1])*lightParts) / lightParts}
		}
		if g.tints != (tints{}) {
			out = append(out, idv.FrameLight{
				Frame: i, Face: of(facePartOf), Sides: [3]*[2]float64{of(leftPartOf), of(rightPartOf), of(abovePartOf)}, Body: of(bodyPartOf),
			})
		}
	}
	return out
}

// Light looks at a run for its colours alone, and answers the part of its track that liveness.light rests on. It is for measurements,
// which need nothing else of hundreds of runs.
func (x *FramesExtractor) Light(ctx context.Context, run idv.FrameRun) (idv.Track, error) {
	seen, _, err := x.look(ctx, run)
	if err != nil {
		return idv.Track{}, err
	}
	turn(seen)
	t := idv.Track{Challenge: run.Challenge, LightMS: run.LightMS, Light: lightOf(seen)}
	for _, g := range seen {
		t.Frames = append(t.Frames, g.TrackFrame)
	}
	return t, nil
}
