package optical

import (
	"testing"

	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/page"
	"github.com/bonafide-id/bonafide/internal/problem"
)

func TestOfWhoDeclinedNothingIsMadeOfThePortrait(t *testing.T) {
	read := Page{Portrait: &page.Portrait{
		Face: face.Face{Box: face.Box{X: .1, Y: .2, W: .3, H: .4}, Score: .9}, Crop: &imaging.RGB{W: 1, H: 1, Pix: []byte{1, 2, 3}},
	}}
	found, err := (&Extractor{}).portrait(t.Context(), idv.Capture{Side: idv.Front, Faceless: true}, read)
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
