package ocr

import (
	"math"
	"testing"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// paint sets the map inside a rectangle.
func paint(p []float32, w, h int, s Strip, v float32) {
	for y := range h {
		for x := range w {
			a, d := s.Locate(imaging.Point{X: float64(x) + .5, Y: float64(y) + .5})
			if math.Abs(a) <= s.Length/2 && math.Abs(d) <= s.Height/2 {
				p[y*w+x] = v
			}
		}
	}
}

func tilted(cx, cy, degrees, length, height float64) Strip {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	return Strip{X: cx, Y: cy, UX: cos, UY: sin, Length: length, Height: height}
}

func TestRegionsFindEachRunOfTextWhereItLies(t *testing.T) {
	const w, h = 300, 200
	for name, want := range map[string]Strip{
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
			grow := want.Length * want.Height * regionUnclip / (2 * (want.Length + want.Height))
			if math.Hypot(g.X-want.X, g.Y-want.Y) > 1.5 || math.Abs(g.Length-want.Length-2*grow) > 4 || math.Abs(g.Height-want.Height-2*grow) > 4 {
				t.Errorf("want %+v grown by %.1f, got %+v", want, grow, g)
			}
			if turn := math.Abs(g.UX*want.UY - g.UY*want.UX); turn > .03 {
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
	boxes := []Strip{
		tilted(50, 100, 0, 60, 12), tilted(130, 101, 0, 70, 12), tilted(220, 102, 1, 80, 13), // one line
		tilted(130, 130, 0, 200, 12), // the next
		tilted(130, 60, 0, 90, 40),   // a title: too high
	}
	rows := JoinRows(boxes, 3)
	if len(rows) != 3 {
		t.Fatalf("%d rows: %+v", len(rows), rows)
	}
	for _, r := range rows {
		if len(r.Parts) == 3 && math.Abs(r.Length-240) > 6 {
			t.Errorf("the joined row is %.0f long", r.Length)
		}
	}
}

func TestATurnMovesAStripWithItsPicture(t *testing.T) {
	s := tilted(30, 20, 90, 40, 10) // reads downwards in a picture of 100 by 80
	got := s.Turned(3, 100, 80)     // a quarter back
	if math.Abs(got.X-20) > 1e-9 || math.Abs(got.Y-70) > 1e-9 || math.Abs(got.UX-1) > 1e-9 {
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
			for _, v := range []float64{s.X, s.Y, s.UX, s.UY, s.Length, s.Height, s.Score} {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Fatalf("%+v", s)
				}
			}
		}
	})
}

func TestALineThatWasFoundInTwoPiecesOverEachOtherIsOneRow(t *testing.T) {
	at := func(x, y, length float64) Row {
		s := Strip{X: x + length/2, Y: y, UX: 1, Length: length, Height: 30}
		return Row{Strip: s, Parts: []Strip{s}}
	}
	got := JoinOverlapping([]Row{at(0, 100, 140), at(90, 104, 190), at(0, 150, 100), at(120, 150, 100)})
	if len(got) != 3 || math.Abs(got[0].Length-280) > 1 || got[1].Length != 100 {
		t.Errorf("%d rows, the first %.0f long", len(got), got[0].Length)
	}
}
