package page

import (
	"image"
	"testing"

	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/mrz"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/optical/zone"
)

func TestOnlyAPrintedFaceIsThePortrait(t *testing.T) {
	at := func(x, y, h float64) face.Face { return face.Face{Pixel: face.Box{X: x, Y: y, W: .8 * h, H: h}} }
	// A passport in the lower left of a picture: two lines of 44 characters, 10 pixels each.
	band := &Zone{
		Placement: zone.Placement{Pitch: 10, Lines: []ocr.Strip{
			{X: 300, Y: 870, UX: 1, Length: 460, Height: 20}, {X: 300, Y: 895, UX: 1, Length: 460, Height: 20},
		}},
		Reading: &zone.Reading{Document: mrz.Document{Checks: []mrz.Check{{OK: true}}}},
	}
	lines := []ocr.Strip{{Height: 12}, {Height: 12}, {Height: 14}}
	portrait, ghost := at(110, 700, 90), at(420, 720, 40)
	for name, c := range map[string]struct {
		zone  *Zone
		boxes []ocr.Strip
		found []face.Face
		want  face.Face
		ok    bool
	}{
		"the larger of portrait and ghost":             {band, lines, []face.Face{ghost, portrait}, portrait, true},
		"the head of whoever holds the page":           {band, lines, []face.Face{at(700, 200, 500), portrait}, portrait, true},
		"a small head beside the page":                 {band, lines, []face.Face{at(700, 700, 150), portrait}, portrait, true},
		"a head behind it and the portrait covered":    {band, lines, []face.Face{at(150, 300, 400)}, face.Face{}, false},
		"a card's front without a zone":                {nil, lines, []face.Face{ghost, portrait}, portrait, true},
		"a head beside a card's front":                 {nil, lines, []face.Face{at(700, 200, 500), portrait}, portrait, true},
		"a selfie, sent as the picture of a document":  {nil, nil, []face.Face{at(300, 200, 500)}, face.Face{}, false},
		"a selfie with a word in the background there": {nil, lines[:1], []face.Face{at(300, 200, 500)}, face.Face{}, false},
	} {
		t.Run(name, func(t *testing.T) {
			v := &View{Zone: c.zone, Boxes: c.boxes}
			if got, ok := v.portraitOf(c.found); got.Pixel != c.want.Pixel || ok != c.ok {
				t.Errorf("got %+v %v, want %+v %v", got.Pixel, ok, c.want.Pixel, c.ok)
			}
		})
	}
}

// cardZone is the zone of a card, 10 pixels a millimetre, with the middle of its last line at a place.
func cardZone(x, y float64) *Zone {
	z := &Zone{Placement: zone.Placement{Pitch: 25.4, Format: mrz.TD1, Characters: 30}, Reading: &zone.Reading{}}
	for i := range 3 {
		z.Lines = append(z.Lines, ocr.Strip{X: x, Y: y + float64(i-2)*63.5, UX: 1, Length: 30 * 25.4, Height: 40})
	}
	return z
}

func TestAPortraitOffThePageIsOfAnotherDocument(t *testing.T) {
	for name, c := range map[string]struct {
		x, y, h float64 // of the face, in pixels; a pitch is 25.4
		side    *image.Rectangle
		want    bool
	}{
		"the page's own":                        {700, 650, 200, nil, false},
		"of a card that lies above":             {700, 150, 220, nil, true},
		"of a larger document below":            {1000, 1400, 400, nil, true},
		"the head of whoever holds the page":    {1000, 200, 900, nil, false},
		"of the other side of the card, above":  {700, 150, 220, &image.Rectangle{Min: image.Pt(300, 0), Max: image.Pt(1100, 400)}, false},
		"of a third card beside the other side": {1500, 150, 220, &image.Rectangle{Min: image.Pt(300, 0), Max: image.Pt(1100, 400)}, true},
		"a speck":                               {700, 150, 60, nil, false},
	} {
		v := &View{Img: imaging.PhotoOf(imaging.NewRGB(2000, 1600)), Zone: cardZone(1000, 1000), OtherSide: c.side}
		b := face.Box{X: c.x - .4*c.h, Y: c.y - c.h/2, W: .8 * c.h, H: c.h}
		v.Faces = []idv.Face{{Box: idv.Box{X: b.X / 2000, Y: b.Y / 1600, Width: b.W / 2000, Height: b.H / 1600}}}
		if got := v.otherPortrait(); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
		if v.Several() != c.want || v.Ambiguous() != c.want {
			t.Errorf("%s: several %v, ambiguous %v", name, v.Several(), v.Ambiguous())
		}
	}
}
