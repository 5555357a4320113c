package page

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/forensic"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
)

// speckle fills a box, in parts of the picture, with grey noise.
func speckle(p *imaging.RGB, b idv.Box, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 1))
	for y := int(b.Y * float64(p.H)); y < int((b.Y+b.Height)*float64(p.H)); y++ {
		for x := int(b.X * float64(p.W)); x < int((b.X+b.Width)*float64(p.W)); x++ {
			v := uint8(190 + max(-60, min(60, 6*r.NormFloat64())))
			i := 3 * (y*p.W + x)
			p.Pix[i], p.Pix[i+1], p.Pix[i+2] = v, v, v
		}
	}
}

// resaved is a picture as it comes out of a JPEG file of a quality.
func resaved(t *testing.T, p *imaging.RGB, quality int) *imaging.Photo {
	t.Helper()
	raw, err := imaging.EncodeJPEG(p, quality)
	if err != nil {
		t.Fatal(err)
	}
	photo, _, err := imaging.Open(raw, imaging.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return photo
}

func TestAnEditedPartIsSuspectAndTheOthersAreNot(t *testing.T) {
	parts := []Part{
		{idv.PortraitRegion, idv.Box{X: .1, Y: .2, Width: .2, Height: .4}},
		{string(idv.FamilyName), idv.Box{X: .5, Y: .2, Width: .4, Height: .1}},
		{idv.ZoneRegion, idv.Box{X: .1, Y: .8, Width: .8, Height: .06}},
		{idv.ZoneRegion, idv.Box{X: .1, Y: .9, Width: .8, Height: .06}},
	}
	quad := imaging.Quad{{X: 0, Y: 0}, {X: 1200, Y: 0}, {X: 1200, Y: 800}, {X: 0, Y: 800}}
	camera := imaging.NewRGB(1200, 800)
	speckle(camera, idv.Box{Width: 1, Height: 1}, 1)
	first := resaved(t, camera, 84).RGB()
	speckle(first, parts[0].Box, 2)
	speckle(first, parts[3].Box, 3)
	forged := resaved(t, first, 93)

	type seen struct {
		Sign, Region string
		Suspect      bool
	}
	var got []seen
	for _, e := range Edits(forged, quad, parts, 14) {
		got = append(got, seen{e.Sign, e.Region, e.Suspect})
	}
	want := []seen{
		{forensic.PortraitHistorySign, "portrait", true}, {forensic.PrintHistorySign, "family_name", false},
		{forensic.PrintHistorySign, "zone", false}, {forensic.PrintHistorySign, "zone", true},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if got := Edits(forged, quad, parts, 8); got != nil {
		t.Errorf("a coarse page was looked at: %+v", got)
	}
	if got := Edits(imaging.PhotoOf(first), quad, parts, 14); got != nil {
		t.Errorf("a picture that comes from no JPEG was looked at: %+v", got)
	}
	if got := Edits(resaved(t, camera, 93), quad, parts, 14); got != nil {
		t.Errorf("a picture that was saved once was looked at: %+v", got)
	}
}
