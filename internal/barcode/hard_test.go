package barcode

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// hard says how a printed code was photographed.
type hard struct {
	module   float64 // pixels
	turn     float64 // degrees
	tilt     float64 // part by which the far side is shorter
	blur     float64 // sigma in pixels
	noise    float64 // levels
	contrast float64 // 0: all
	scratch  int     // lines of a module's width across
	torn     bool    // a corner is missing
	w, h     int     // 0: as large as needed
}

// photograph shows a code on a grey desk.
func (c hard) photograph(m Modules, seed uint64) *imaging.Gray {
	r := rand.New(rand.NewPCG(seed, 7))
	const fine = 6
	page := printed(m, fine)
	for range c.scratch {
		x0, x1 := r.Float64()*float64(page.W), r.Float64()*float64(page.W)
		for y := range page.H {
			x := int(x0 + (x1-x0)*float64(y)/float64(page.H))
			for d := range fine * 3 / 2 {
				if x+d < page.W {
					page.Pix[y*page.W+x+d] = 255
				}
			}
		}
	}
	if c.torn {
		for y := range page.H / 2 {
			for x := range page.W/8 - page.W/4*y/page.H {
				page.Pix[y*page.W+x] = 120
			}
		}
	}
	scale := c.module / fine
	if c.w == 0 {
		c.w = int(math.Hypot(float64(page.W), float64(page.H))*scale) + 40
		c.h = c.w
	}
	return c.develop(bordered(page), scale, r)
}

// bordered lays the page on a grey desk, whose edge goes on for ever.
func bordered(page *imaging.Gray) *imaging.Gray {
	const margin = 12
	out := imaging.NewGray(page.W+2*margin, page.H+2*margin)
	for i := range out.Pix {
		out.Pix[i] = 150
	}
	for y := range page.H {
		copy(out.Pix[(y+margin)*out.W+margin:], page.Pix[y*page.W:(y+1)*page.W])
	}
	return out
}

// develop shows the page as a camera with that lens does: its corners lie somewhere around the page.
func (c hard) develop(page *imaging.Gray, scale float64, r *rand.Rand) *imaging.Gray {
	sin, cos := math.Sincos(-c.turn * math.Pi / 180)
	at := func(x, y, by float64) imaging.Point {
		x, y = x*float64(c.w)/2/scale*by, y*float64(c.h)/2/scale*by
		return imaging.Point{X: float64(page.W)/2 + x*cos - y*sin, Y: float64(page.H)/2 + x*sin + y*cos}
	}
	near := 1 + c.tilt
	out := page.Warp(imaging.Quad{at(-1, -1, near), at(1, -1, 1), at(1, 1, 1), at(-1, 1, near)}, c.w, c.h)
	out = blurred(out, c.blur)
	contrast := c.contrast
	if contrast == 0 {
		contrast = 1
	}
	for i, v := range out.Pix {
		out.Pix[i] = uint8(math.Max(0, math.Min(255, 128+(float64(v)-128)*contrast+r.NormFloat64()*c.noise)))
	}
	return out
}

// blurred is the picture out of focus, across and then down.
func blurred(g *imaging.Gray, sigma float64) *imaging.Gray {
	if sigma == 0 {
		return g
	}
	reach := int(3*sigma + 1)
	weights, sum := make([]float64, 2*reach+1), 0.0
	for i := range weights {
		d := float64(i-reach) / sigma
		weights[i] = math.Exp(-d * d / 2)
		sum += weights[i]
	}
	for _, step := range [][2]int{{1, 0}, {0, 1}} {
		out := imaging.NewGray(g.W, g.H)
		for y := range g.H {
			for x := range g.W {
				v := 0.0
				for i, w := range weights {
					nx := min(max(x+(i-reach)*step[0], 0), g.W-1)
					ny := min(max(y+(i-reach)*step[1], 0), g.H-1)
					v += w * float64(g.Pix[ny*g.W+nx])
				}
				out.Pix[y*g.W+x] = uint8(v/sum + .5)
			}
		}
		g = out
	}
	return g
}

func TestHardCodesAreRead(t *testing.T) {
	for name, c := range map[string]hard{
		"two pixels a module":            {module: 2, turn: 2, noise: 3, blur: .3},
		"one and a half":                 {module: 1.5, turn: -3, noise: 2, blur: .2},
		"tilted":                         {module: 2.5, turn: 24, noise: 3, blur: .4},
		"turned by quarters":             {module: 2.5, turn: 93, noise: 3, blur: .4},
		"upside down":                    {module: 2.5, turn: 176, noise: 3, blur: .4},
		"out of focus":                   {module: 3, turn: 5, noise: 2, blur: 1.6},
		"seen from the side":             {module: 3, turn: -8, noise: 3, blur: .5, tilt: .25},
		"low contrast":                   {module: 2.5, turn: 4, noise: 3, blur: .5, contrast: .15},
		"scratched":                      {module: 2.5, turn: 4, noise: 3, blur: .5, scratch: 4},
		"a corner torn off":              {module: 2.5, turn: 4, noise: 3, blur: .5, torn: true},
		"noisy":                          {module: 3, turn: 11, noise: 30, blur: .6},
		"small in a large picture":       {module: 2, turn: 7, noise: 3, blur: .4, w: 4000, h: 3000},
		"small, tilted and out of focus": {module: 2, turn: 38, noise: 3, blur: .9},
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && c.w > 0 {
				t.Skip("nightly: a large picture takes seconds")
			}
			seeds := uint64(3)
			if testing.Short() {
				seeds = 1 // the others by night
			}
			for seed := range seeds {
				m, err := WritePDF417(licence, 8+int(seed)*2, 5)
				if err != nil {
					t.Fatal(err)
				}
				g := c.photograph(m, seed)
				got, err := Read(context.Background(), g)
				if err != nil || got.Text != licence {
					t.Errorf("seed %d: error %v, %q", seed, err, got.Text)
				}
			}
		})
	}
}
