package biometric

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
)

// cloth is a surface whose grey at a place is always the same.
func cloth(seed uint64) func(x, y float64) float64 {
	var waves [12][3]float64
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range waves {
		waves[i] = [3]float64{r.NormFloat64() * .25, r.NormFloat64() * .25, r.Float64() * 6}
	}
	return func(x, y float64) float64 {
		v := 128.
		for _, w := range waves {
			v += 14 * math.Sin(w[0]*x+w[1]*y+w[2])
		}
		return v
	}
}

// plane is a surface at the places of a view, from left and top, each computed once.
type plane struct {
	left, top, w int
	levels       []float64
}

func planeOf(left, top, w, h int, at func(x, y float64) float64) plane {
	p := plane{left, top, w, make([]float64, w*h)}
	for i := range p.levels {
		p.levels[i] = at(float64(left+i%w), float64(top+i/w))
	}
	return p
}

func (p plane) at(x, y int) float64 { return p.levels[(y-p.top)*p.w+x-p.left] }

// glimpsesOf are frames of a head before a wall, six straight ones and six turned ones. turned says from how far beside a pixel of the
// head, counted from its middle, comes in the latter, and by how far its outline is moved.
func glimpsesOf(turned func(x, y float64) (from, outline float64)) []glimpse {
	noise, skin := rand.New(rand.NewPCG(7, 7)), cloth(2)
	const most = 3 // pixels that the head sways to a side
	wall := planeOf(0, 0, 240, 300, cloth(1))
	// head is the skin where the head is, and NaN beside it, of a straight and of a turned one. Its middle is at 0, 0.
	head := func(turned func(x, y float64) (from, outline float64)) plane {
		return planeOf(-120-most, -150, 240+2*most, 300, func(x, y float64) float64 {
			from, outline := turned(x, y)
			if math.Hypot((x-outline)/62, y/78) < 1 {
				return skin(x+from, y)
			}
			return math.NaN()
		})
	}
	heads := [2]plane{head(func(float64, float64) (float64, float64) { return 0, 0 }), head(turned)}
	var out []glimpse
	for k := range 12 {
		g := glimpse{TrackFrame: idv.TrackFrame{Faces: 1}, mesh: bowl(), view: imaging.NewGray(240, 300)}
		sway := math.Round(most * math.Sin(float64(k)))
		if k >= 6 {
			g.Yaw = 25
		}
		for i, p := range g.mesh {
			g.mesh[i] = face.Point3{X: p.X*1.2 + 240 + 2*sway, Y: p.Y*1.2 + 300, Z: p.Z * 1.2}
		}
		for y := range 300 {
			for x := range 240 {
				v := heads[k/6].at(x-120-int(sway), y-150)
				if math.IsNaN(v) {
					v = wall.at(x, y)
				}
				g.view.Pix[y*240+x] = uint8(max(0, min(255, v+noise.NormFloat64()*2)))
			}
		}
		out = append(out, g)
	}
	return out
}

func TestThePixelsAroundAHeadThatTurnsChangeAndThoseOfAPictureDoNot(t *testing.T) {
	tests := []struct {
		name   string
		turned func(x, y float64) (from, outline float64)
		isHead bool
	}{
		{"a head turns, and its outline with it", func(x, _ float64) (float64, float64) { return 20 * math.Sqrt(max(0, 1-x*x/62/62)), 12 }, true},
		{"the picture of one stays", func(float64, float64) (float64, float64) { return 0, 0 }, false},
		{"its nose is pushed", func(x, y float64) (float64, float64) { return 12 * math.Exp(-(x*x+y*y)/(2*15*15)), 0 }, false},
	}
	const changed = 1.5
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := headMotion(glimpsesOf(tt.turned))
			if got.Views != mostViews || (got.Rim > changed) != tt.isHead || (got.Bared > changed) != tt.isHead {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestARunThatShowsNoTurnSaysNothing(t *testing.T) {
	still := glimpsesOf(func(float64, float64) (float64, float64) { return 0, 0 })
	for name, seen := range map[string][]glimpse{
		"no frame": nil, "a face in none": {{}, {}}, "one frame": still[:1], "straight frames": still[:6], "one that is turned": still[6:7],
	} {
		if got := headMotion(seen); got.Views != 0 || got.Rim != 0 || got.Bared != 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
