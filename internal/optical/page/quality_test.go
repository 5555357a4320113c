package page

import (
	"math"
	"testing"

	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// leaning is how a camera with a lens of 26 mm sees a page that is turned in its plane and leans about its level axis.
func leaning(turn, lean float64, width, height int) imaging.Quad {
	f := lens * math.Hypot(float64(width), float64(height))
	st, ct := math.Sincos(turn * math.Pi / 180)
	sl, cl := math.Sincos(lean * math.Pi / 180)
	var q imaging.Quad
	for i, c := range [4][2]float64{{-.5, -.35}, {.5, -.35}, {.5, .35}, {-.5, .35}} {
		x, y := c[0]*ct-c[1]*st, c[0]*st+c[1]*ct
		z := 1.4 + y*sl
		q[i] = imaging.Point{X: float64(width)/2 + f*x/z, Y: float64(height)/2 + f*y*cl/z}
	}
	return q
}

func TestSkewAndTiltAreThoseOfThePage(t *testing.T) {
	for _, c := range []struct{ turn, lean float64 }{{0, 0}, {0, 12}, {5, 0}, {-8, 20}, {15, 30}} {
		q := leaning(c.turn, c.lean, 4000, 3000)
		if got := tiltOf(q, 4000, 3000); math.Abs(got-c.lean) > .1 {
			t.Errorf("turned by %.0f°, leaning by %.0f°: tilt %.2f°", c.turn, c.lean, got)
		}
		if got := skewOf(q); math.Abs(got-c.turn) > 2.5 {
			t.Errorf("turned by %.0f°, leaning by %.0f°: skew %.2f°", c.turn, c.lean, got)
		}
	}
	for _, q := range []imaging.Quad{{}, {{X: 5, Y: 5}, {X: 5, Y: 5}, {X: 9, Y: 9}, {X: 5, Y: 5}}} {
		if got := tiltOf(q, 100, 100); math.IsNaN(got) || math.IsInf(got, 0) {
			t.Errorf("no page: tilt %v", got)
		}
	}
}

func TestACutPageNamesItsSides(t *testing.T) {
	turned := func(degrees, x, y, length float64) ocr.Strip {
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		return ocr.Strip{X: x, Y: y, UX: cos, UY: sin, Length: length, Height: 20}
	}
	line := func(x, y, length float64) ocr.Strip { return turned(0, x, y, length) }
	rows := func(degrees, x float64) (out []ocr.Strip) {
		for i := range 10 {
			out = append(out, turned(degrees, x, 230+28*float64(i), 260))
		}
		return out
	}
	portrait := &Portrait{Face: face.Face{Pixel: face.Box{X: 250, Y: 260, W: 100, H: 130}}}
	for name, c := range map[string]struct {
		boxes    []ocr.Strip
		corners  []float64
		want     string
		portrait *Portrait
	}{
		"a newspaper beneath, whose lines run another way": {
			append(rows(2, 560), turned(16, 160, 120, 340), turned(16, 140, 160, 400), turned(16, 100, 620, 240)), nil, "", portrait,
		},
		"a page that lies askew and is cut": {append(rows(16, 560), turned(17, 900, 420, 260)), nil, "right", portrait},
		"whole":                             {[]ocr.Strip{line(500, 300, 400)}, nil, "", nil},
		"over the left":                     {[]ocr.Strip{line(100, 300, 220)}, nil, "left", nil},
		"over right and left":               {[]ocr.Strip{line(100, 300, 220), line(900, 320, 260)}, nil, "right left", nil},
		"under the lower edge":              {[]ocr.Strip{line(500, 745, 300)}, nil, "bottom", nil},
		"a stain at the edge":               {[]ocr.Strip{line(5, 300, 20)}, nil, "", nil},
		"other paper over the edge beside a page whose edges are in view": {
			[]ocr.Strip{line(500, 300, 400), line(930, 320, 200)}, []float64{.2, .2, .8, .2, .8, .705, .2, .705}, "", nil,
		},
		"print beyond what is too narrow for a page, for a part of it was cut": {
			[]ocr.Strip{line(500, 300, 400), line(930, 320, 200)}, []float64{.4, .2, .8, .2, .8, .705, .4, .705}, "right", nil,
		},
		"a row that begins within an edge that was found too far inside, and is cut": {
			[]ocr.Strip{line(860, 320, 290)}, []float64{.2, .2, .75, .2, .75, .66, .2, .66}, "right", nil,
		},
		"print within the page's edges that reaches the picture's": {
			[]ocr.Strip{line(880, 320, 250)}, []float64{.2, .2, 1, .2, 1, .87, .2, .87}, "right", nil,
		},
	} {
		v := &View{Img: imaging.PhotoOf(imaging.NewRGB(1000, 750)), Boxes: c.boxes, corners: c.corners, Portrait: c.portrait}
		got := ""
		sides, boxes := v.cuts()
		if (len(sides) == 0) != (len(boxes) == 0) {
			t.Errorf("%s: %d sides by %d boxes", name, len(sides), len(boxes))
		}
		for _, s := range sides {
			if got != "" {
				got += " "
			}
			got += s
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestGlareCountsOnWhatIsPrinted(t *testing.T) {
	p := imaging.NewRGB(1000, 750)
	for i := range p.Pix {
		p.Pix[i] = 180
	}
	for y := 500; y < 700; y++ {
		for x := 100; x < 900; x++ {
			copy(p.Pix[3*(y*1000+x):], []uint8{255, 255, 255})
		}
	}
	v := &View{Img: imaging.PhotoOf(p), Boxes: []ocr.Strip{{X: 500, Y: 200, UX: 1, Length: 400, Height: 40}}}
	if got := v.glareText(); got > .01 {
		t.Errorf("beside the print: %.2f", got)
	}
	v.Boxes = append(v.Boxes, ocr.Strip{X: 500, Y: 600, UX: 1, Length: 400, Height: 40})
	if got := v.glareText(); math.Abs(got-.5) > .05 {
		t.Errorf("over one of two lines: %.2f", got)
	}
}

func TestSharpnessIsJudgedInLinePairsWhereTheyCanBeTold(t *testing.T) {
	for name, c := range map[string]struct {
		q    idv.Quality
		want bool
	}{
		"fine, though the camera is coarse": {idv.Quality{LinePairs: 2, Sharpness: 20}, false},
		"soft, though noise looks sharp":    {idv.Quality{LinePairs: .5, Sharpness: 900}, true},
		"no edges, and no detail":           {idv.Quality{Sharpness: 20}, true},
		"no edges, but detail":              {idv.Quality{Sharpness: 200}, false},
	} {
		if got := tooSoft(c.q); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
