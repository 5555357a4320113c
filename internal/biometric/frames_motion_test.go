package biometric

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/liveness"
)

// wall is a pattern without an end, in the frame's pixels.
func wall(x, y float64) float64 {
	return 128 + 50*math.Sin(x/23) + 40*math.Cos(y/31) + 20*math.Sin((x+y)/13)
}

// scene draws a wall shifted by wx, wy and a dark oval face at fx, fy of a 480 × 640 frame, with noise.
func scene(wx, wy, fx, fy float64, seed uint64) glimpse {
	r := rand.New(rand.NewPCG(seed, 1))
	g := imaging.NewGray(480, 640)
	for y := range g.H {
		for x := range g.W {
			v := wall(float64(x)-wx, float64(y)-wy)
			if dx, dy := (float64(x)-fx)/60, (float64(y)-fy)/80; dx*dx+dy*dy < 1 {
				v = 60 + 30*dx
			}
			g.Pix[y*g.W+x] = uint8(math.Max(0, math.Min(255, v+3*r.NormFloat64())))
		}
	}
	out := glimpse{thumb: thumbOf(g), fine: fineOf(g)}
	out.Faces = 1
	out.Box = idv.Box{X: (fx - 60) / 480, Y: (fy - 80) / 640, Width: 120. / 480, Height: 160. / 640}
	out.Marks = make([]int, 136)
	for i, at := range map[int][2]float64{36: {-30, -20}, 39: {-15, -20}, 42: {15, -20}, 45: {30, -20}, 48: {-18, 35}, 54: {18, 35}, 30: {0, 10}} {
		out.Marks[2*i], out.Marks[2*i+1] = int((fx+at[0])/480*1e4), int((fy+at[1])/480*1e4)
	}
	return out
}

func TestSurroundingsStayOrGoAlong(t *testing.T) {
	tests := []struct {
		name  string
		to    glimpse
		along bool
	}{
		{"the head moves before a wall", scene(0, 0, 330, 320, 2), false},
		{"the head moves and the hand shakes", scene(9, -6, 330, 300, 3), false},
		{"head and wall move as one", scene(90, 0, 330, 320, 4), true},
		{"as one, up", scene(0, -110, 240, 210, 5), true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := pairs([]glimpse{scene(0, 0, 240, 320, 1), tt.to})
			if len(p) != 1 {
				t.Fatalf("%d pairs", len(p))
			}
			if got := p[0].Along < p[0].Stay; got != tt.along || p[0].Shift < 1 {
				t.Errorf("%+v", p[0])
			}
		})
	}
}

func TestRepeatsAndMixturesAreTold(t *testing.T) {
	a, b, c := scene(0, 0, 240, 320, 1), scene(3, 2, 300, 330, 2), scene(4, 1, 340, 300, 3)
	again := scene(0, 0, 240, 320, 9) // the same view, with the camera's own noise
	if n := repeats([]glimpse{a, b, again, c}); n != 0 {
		t.Errorf("%d frames of a still head are repeats", n)
	}
	if n := repeats([]glimpse{a, b, a, c, a}); n != 2 {
		t.Errorf("%d repeats, want 2", n)
	}
	if n := stills([]glimpse{a, b, again, c}); n != 1 {
		t.Errorf("%d frames show what an earlier one shows, want 1", n)
	}
	if n := stills([]glimpse{a, b, c}); n != 0 {
		t.Errorf("%d frames of a head that moves are stills", n)
	}
	mixed := a
	mixed.fine = imaging.NewGray(a.fine.W, a.fine.H)
	for i := range mixed.fine.Pix {
		mixed.fine.Pix[i] = uint8(math.Round(.4*float64(a.fine.Pix[i]) + .6*float64(c.fine.Pix[i])))
	}
	th := liveness.Calibration().Thresholds
	if m := blends([]glimpse{a, mixed, c}); len(m) != 1 || m[0].Left > th.Blend/3 || math.Abs(m[0].Part-.6) > .02 {
		t.Errorf("a mixture: %+v", m)
	}
	if m := blends([]glimpse{a, b, c}); len(m) != 1 || m[0].Left < th.Blend {
		t.Errorf("a head that moves: %+v", m)
	}
	if m := blends([]glimpse{a, a, a}); len(m) != 0 {
		t.Errorf("nothing moves: %+v", m)
	}
}

func TestDigestsSurviveCompressionAndNotMovement(t *testing.T) {
	g := func(s glimpse) []byte { return digestsOf([]glimpse{s}).Digests[0] }
	if a, b := g(scene(0, 0, 240, 320, 1)), g(scene(0, 0, 240, 320, 2)); !liveness.Near(a, b) {
		t.Error("one view with other noise is not near itself")
	}
	if a, b := g(scene(0, 0, 240, 320, 1)), g(scene(60, 40, 330, 250, 2)); liveness.Near(a, b) {
		t.Error("another view is near")
	}
	if d := digestsOf([]glimpse{{}, scene(0, 0, 240, 320, 1)}); len(d.Digests) != 1 {
		t.Errorf("%d digests of one face", len(d.Digests))
	}
}
