package biometric

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
)

// roundFace is how far a place of bowl's face is before its middle where it has no nose, nosedFace where it has one.
func roundFace(x, y float64) float64 { return 70 * math.Sqrt(max(0, 1-x*x/90/90-y*y/110/110)) }

func nosedFace(x, y float64) float64 {
	return roundFace(x, y) + 28*math.Exp(-(x*x+y*y)/(2*13*13))
}

// turning are frames of somebody who turns, six straight ones and six turned ones: the skin is carried by its depth, and the chest so far
// as the tip of the nose is, times follows. The mesh sees a nose in all of them.
func turning(depth func(x, y float64) float64, follows float64) []glimpse {
	const part, px = .2, .6 // of depth that a place is carried by; pixels of the view to one of bowl
	shift := func(depth func(x, y float64) float64, x, y float64) float64 { return part * px * depth(x/px, y/px) }
	noise, wall, skin, shirt := rand.New(rand.NewPCG(7, 7)), cloth(1), cloth(2), cloth(3)
	var seen [2]plane // a straight view and a turned one: frames differ only in their noise
	for turned := range seen {
		chest := float64(turned) * follows * shift(nosedFace, 0, 0)
		seen[turned] = planeOf(-120, -150, 240, 300, func(x, y float64) float64 {
			to := x
			for range 5 * turned {
				to = x + shift(depth, to, y)
			}
			switch {
			case math.Hypot(x/62, y/78) < 1:
				return skin(to, y)
			case y > 90:
				return shirt(x+chest, y)
			default:
				return wall(x+120, y+150)
			}
		})
	}
	var out []glimpse
	for k := range 12 {
		g := glimpse{TrackFrame: idv.TrackFrame{Faces: 1}, mesh: bowl(), view: imaging.NewGray(240, 300)}
		g.mesh[browTop], g.mesh[lowerLip] = face.Point3{X: -20, Y: -45}, face.Point3{Y: 55}
		if k >= 6 {
			g.Yaw = 25
		}
		for i, p := range g.mesh {
			x := p.X
			if k >= 6 {
				x -= part * nosedFace(p.X, p.Y)
			}
			g.mesh[i] = face.Point3{X: x*1.2 + 240, Y: p.Y*1.2 + 300, Z: -nosedFace(p.X, p.Y) * 1.2}
		}
		for i, v := range seen[k/6].levels {
			g.view.Pix[i] = uint8(max(0, min(255, v+noise.NormFloat64()*2)))
		}
		out = append(out, g)
	}
	return out
}

func TestANoseStandsOutOfAFaceByItsPixels(t *testing.T) {
	if got := headMotion(turning(nosedFace, 0)); got.Noses != mostViews || got.Nose < .3 {
		t.Errorf("a face with a nose: %+v", got)
	}
	if got := headMotion(turning(roundFace, 0)); got.Noses != mostViews || got.Nose > .05 {
		t.Errorf("a picture on something round, in which the mesh sees a nose: %+v", got)
	}
	flat := turning(nosedFace, 0)
	for _, g := range flat {
		for i := range g.view.Pix {
			g.view.Pix[i] = 120
		}
	}
	if got := headMotion(flat); got.Noses != 0 || got.Nose != 0 {
		t.Errorf("a face on which nothing is found again: %+v", got)
	}
}

func TestASmallFaceIsLookedAtInAllItsPixels(t *testing.T) {
	g := turning(nosedFace, 0)[0]
	g.sharp = imaging.NewGray(480, 600)
	for y := range 600 {
		for x := range 480 {
			g.sharp.Pix[y*480+x] = g.view.Pix[y/2*240+x/2]
		}
	}
	p := face.Point3{X: 201, Y: 301}
	coarse := closeView(glimpse{view: g.view})
	if at := closeView(g).place(p); at != (imaging.Point{X: 201, Y: 301}) {
		t.Errorf("in all pixels at %v", at)
	}
	if at := coarse.place(p); at != (imaging.Point{X: 100.25, Y: 150.25}) {
		t.Errorf("at half the size at %v", at)
	}
}
