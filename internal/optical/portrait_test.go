package optical

import (
	"testing"

	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/problem"
)

func TestOnlyAPrintedFaceIsThePortrait(t *testing.T) {
	at := func(x, y, h float64) face.Face { return face.Face{Pixel: face.Box{X: x, Y: y, W: .8 * h, H: h}} }
	// A passport in the lower left of a picture: two lines of 44 characters, 10 pixels each.
	band := &zone{pitch: 10, rows: []glance{{strip: ocr.Strip{X: 300, Y: 870, UX: 1, Length: 460, Height: 20}}, {strip: ocr.Strip{X: 300, Y: 895, UX: 1, Length: 460, Height: 20}}}}
	lines := []ocr.Strip{{Height: 12}, {Height: 12}, {Height: 14}}
	portrait, ghost := at(110, 700, 90), at(420, 720, 40)
	for name, c := range map[string]struct {
		zone  *zone
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
			w := &work{zone: c.zone, boxes: c.boxes}
			if c.zone != nil {
				w.page.MRZ = &Zone{MRZ: idv.MRZ{CheckDigitsOK: true}}
			}
			if got, ok := w.portraitOf(c.found); got.Pixel != c.want.Pixel || ok != c.ok {
				t.Errorf("got %+v %v, want %+v %v", got.Pixel, ok, c.want.Pixel, c.ok)
			}
		})
	}
}

func TestOfWhoDeclinedNothingIsMadeOfThePortrait(t *testing.T) {
	page := Page{Portrait: &Portrait{Face: face.Face{Box: face.Box{X: .1, Y: .2, W: .3, H: .4}, Score: .9}, Crop: &imaging.RGB{W: 1, H: 1, Pix: []byte{1, 2, 3}}}}
	found, err := (&Extractor{}).portrait(t.Context(), idv.Capture{Side: idv.Front, Faceless: true}, page)
	if err != nil || len(found) != 2 {
		t.Fatalf("%+v, %v", found, err)
	}
	portrait, template := found[0], found[1]
	at, err := idv.ValueOf[idv.Face](portrait)
	if err != nil || !portrait.Present || at.Box.Width != .3 {
		t.Errorf("where the portrait is was lost: %+v, %v", portrait, err)
	}
	if len(portrait.Blob) > 0 || portrait.BlobType != "" {
		t.Error("it was cut out")
	}
	if template.Present || template.Absent != problem.BiometricsDeclined.Code {
		t.Errorf("template %+v", template)
	}
}
