package page

import (
	"math"
	"slices"
	"testing"

	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/mrz"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/optical/zone"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// cardOnDesk is a picture of 1600×1200 pixels: a card of 1030×650 in its middle, turned by degrees, with lines of print. The shades
// are those of the desk and of the card.
func cardOnDesk(degrees float64, desk, paper uint8) (*imaging.Photo, imaging.Quad, []ocr.Strip) {
	const wide, high, pitch = 1030.0, 650.0, 60.0
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	card := ocr.Strip{X: 800, Y: 600, UX: cos, UY: sin, Length: wide, Height: high}
	var lines []ocr.Strip
	for i := range 8 {
		m := card.At(-60, -250+float64(i)*pitch)
		lines = append(lines, ocr.Strip{X: m.X, Y: m.Y, UX: cos, UY: sin, Length: 760, Height: 24})
	}
	img := imaging.NewRGB(1600, 1200)
	for i := range img.W * img.H {
		p := imaging.Point{X: float64(i%img.W) + .5, Y: float64(i/img.W) + .5}
		c := [3]uint8{desk, desk, desk}
		if a, d := card.Locate(p); math.Abs(a) < wide/2 && math.Abs(d) < high/2 {
			c = [3]uint8{paper, paper - 8, paper - 20}
			for _, l := range lines {
				if a, d := l.Locate(p); math.Abs(a) < l.Length/2 && math.Abs(d) < 9 && math.Mod(a+1000, 16) < 9 {
					c = [3]uint8{30, 30, 34}
				}
			}
		}
		copy(img.Pix[3*i:], c[:])
	}
	return imaging.PhotoOf(img), card.Quad(), lines
}

func TestAPageIsFoundByItsEdges(t *testing.T) {
	for _, degrees := range []float64{0, 5, -11} {
		img, want, lines := cardOnDesk(degrees, 90, 215)
		v := &View{Img: img, Boxes: lines, Kind: idv.IDCard}
		found, err := v.Inspect(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(found.Corners) != 2*len(want) {
			t.Errorf("turned by %.0f°: no corners", degrees)
			continue
		}
		for i, p := range want {
			if x, y := found.Corners[2*i]*1600, found.Corners[2*i+1]*1200; math.Hypot(x-p.X, y-p.Y) > 12 {
				t.Errorf("turned by %.0f°: corner %d at %.0f, %.0f, want %.0f, %.0f", degrees, i, x, y, p.X, p.Y)
			}
		}
		if q := found.Quality; math.Abs(q.Skew-degrees) > 1.5 || len(q.CutSides) > 0 {
			t.Errorf("turned by %.0f°: skew %.1f°, cut sides %v", degrees, q.Skew, q.CutSides)
		}
		if mm := found.Signs.PixelsPerMM; math.Abs(mm-1030/widthID1) > .3 {
			t.Errorf("turned by %.0f°: %.2f pixels a millimetre", degrees, mm)
		}
	}
}

func TestAZonePredictsTheEdgesThatNothingShows(t *testing.T) {
	img, want, lines := cardOnDesk(0, 215, 215)
	mm := 1030 / widthID1
	z := &Zone{
		Placement: zone.Placement{Pitch: zone.PitchMillimetres * mm, Format: mrz.TD1, Characters: 30},
		Reading:   &zone.Reading{Document: mrz.Document{Format: mrz.TD1}, InView: true},
	}
	for i := range 3 {
		y := want[2].Y - 5.5*mm - float64(2-i)*ocr.LineSpacing*z.Pitch
		z.Lines = append(z.Lines, ocr.Strip{X: 800, Y: y, UX: 1, Length: 30 * z.Pitch, Height: ocr.CropHeight * z.Pitch})
	}
	v := &View{Img: img, Boxes: lines, Zone: z}
	found, err := v.Inspect(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range want {
		if x, y := found.Corners[2*i]*1600, found.Corners[2*i+1]*1200; math.Hypot(x-p.X, y-p.Y) > 25 {
			t.Errorf("corner %d at %.0f, %.0f, want about %.0f, %.0f", i, x, y, p.X, p.Y)
		}
	}
	if q := found.Quality; q.CharHeight == 0 || math.Abs(float64(q.ShortSide)-shortTD1*z.Pitch) > 1 {
		t.Errorf("characters of %.1f pixels on a page of %d", q.CharHeight, q.ShortSide)
	}
}

func TestWhatPreventsReadingAPageIsNamed(t *testing.T) {
	img, _, lines := cardOnDesk(0, 90, 215)
	dark, _, _ := cardOnDesk(0, 4, 30)
	small, _ := img.Fit(400)
	for name, c := range map[string]struct {
		view View
		want problem.Kind
	}{
		"no document": {View{Img: imaging.PhotoOf(imaging.NewRGB(1600, 1200))}, problem.CaptureNoDocument},
		"too small":   {View{Img: imaging.PhotoOf(small)}, problem.CaptureTooSmall},
		"dark":        {View{Img: dark, Boxes: lines}, problem.CaptureDark},
	} {
		found, err := c.view.Inspect(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(found.Quality.Reasons, c.want.Code) {
			t.Errorf("%s: %v", name, found.Quality.Reasons)
		}
	}
}

func TestAGhostImageIsASmallerFaceApartFromThePortrait(t *testing.T) {
	at := func(x, w float64) face.Face { return face.Face{Pixel: face.Box{X: x, Y: 100, W: w, H: 1.2 * w}} }
	portrait := at(100, 300)
	for name, c := range map[string]struct {
		other face.Face
		want  bool
	}{
		"a ghost image":             {at(700, 120), true},
		"too small to compare":      {at(700, 40), false},
		"as large as the portrait":  {at(700, 290), false},
		"a part of the portrait":    {at(200, 120), false},
		"a face in the background ": {at(700, 50), false},
	} {
		if _, ok := ghostOf([]face.Face{portrait, c.other}); ok != c.want {
			t.Errorf("%s: %v", name, ok)
		}
	}
}
