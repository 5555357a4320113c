package optical

import (
	"math"
	"testing"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// paint sets the map inside a rectangle.
func paint(p []float32, w, h int, s strip, v float32) {
	for y := range h {
		for x := range w {
			a, d := s.locate(imaging.Point{X: float64(x) + .5, Y: float64(y) + .5})
			if math.Abs(a) <= s.length/2 && math.Abs(d) <= s.height/2 {
				p[y*w+x] = v
			}
		}
	}
}

func tilted(cx, cy, degrees, length, height float64) strip {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	return strip{cx: cx, cy: cy, ux: cos, uy: sin, length: length, height: height}
}

func TestRegionsFindEachRunOfTextWhereItLies(t *testing.T) {
	const w, h = 300, 200
	for name, want := range map[string]strip{
		"level":                 tilted(150, 100, 0, 200, 14),
		"slanted":               tilted(150, 100, 20, 180, 14),
		"standing":              tilted(150, 100, 90, 120, 12),
		"slanted the other way": tilted(140, 90, -30, 150, 10),
	} {
		t.Run(name, func(t *testing.T) {
			p := make([]float32, w*h)
			paint(p, w, h, want, .9)
			got := regions(p, w, h)
			if len(got) != 1 {
				t.Fatalf("%d regions", len(got))
			}
			g := got[0]
			grow := want.length * want.height * regionUnclip / (2 * (want.length + want.height))
			if math.Hypot(g.cx-want.cx, g.cy-want.cy) > 1.5 || math.Abs(g.length-want.length-2*grow) > 4 || math.Abs(g.height-want.height-2*grow) > 4 {
				t.Errorf("want %+v grown by %.1f, got %+v", want, grow, g)
			}
			if turn := math.Abs(g.ux*want.uy - g.uy*want.ux); turn > .03 {
				t.Errorf("direction off by %.3f", turn)
			}
		})
	}
}

func TestRegionsDropWhatIsThinOrFaint(t *testing.T) {
	const w, h = 120, 60
	p := make([]float32, w*h)
	paint(p, w, h, tilted(60, 10, 0, 80, 2), .9)
	paint(p, w, h, tilted(60, 40, 0, 80, 10), .3)
	if got := regions(p, w, h); len(got) != 0 {
		t.Errorf("got %+v", got)
	}
}

func TestRowsAreJoinedAlongTheirBaseline(t *testing.T) {
	boxes := []strip{
		tilted(50, 100, 0, 60, 12), tilted(130, 101, 0, 70, 12), tilted(220, 102, 1, 80, 13), // one line
		tilted(130, 130, 0, 200, 12), // the next
		tilted(130, 60, 0, 90, 40),   // a title: too high
	}
	rows := joinRows(boxes, 3)
	if len(rows) != 3 {
		t.Fatalf("%d rows: %+v", len(rows), rows)
	}
	for _, r := range rows {
		if len(r.parts) == 3 && math.Abs(r.length-240) > 6 {
			t.Errorf("the joined row is %.0f long", r.length)
		}
	}
}

func TestATurnMovesAStripWithItsPicture(t *testing.T) {
	s := tilted(30, 20, 90, 40, 10) // reads downwards in a picture of 100 by 80
	got := s.turned(3, 100, 80)     // a quarter back
	if math.Abs(got.cx-20) > 1e-9 || math.Abs(got.cy-70) > 1e-9 || math.Abs(got.ux-1) > 1e-9 {
		t.Errorf("%+v", got)
	}
}

// FuzzRegions feeds arbitrary maps to the box finder.
func FuzzRegions(f *testing.F) {
	f.Add([]byte{200, 200, 0, 200}, 2)
	f.Add([]byte{255}, 1)
	f.Fuzz(func(t *testing.T, raw []byte, w int) {
		if w <= 0 || w > 64 || len(raw) > 1<<12 {
			return
		}
		p := make([]float32, len(raw))
		for i, b := range raw {
			p[i] = float32(b) / 255
			switch b {
			case 1:
				p[i] = float32(math.NaN())
			case 2:
				p[i] = float32(math.Inf(1))
			case 3:
				p[i] = float32(math.Inf(-1))
			}
		}
		for _, s := range regions(p, w, len(raw)/w) {
			for _, v := range []float64{s.cx, s.cy, s.ux, s.uy, s.length, s.height, s.score} {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Fatalf("%+v", s)
				}
			}
		}
	})
}
