package forensic

import (
	"image"
	"math/rand/v2"
	"testing"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// saved is a picture as it comes out of a JPEG file of a quality.
func saved(t testing.TB, p *imaging.RGB, quality int) *imaging.Photo {
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

// replaced is a picture with fresh noise of the same sort in a box.
func replaced(p *imaging.RGB, box image.Rectangle) *imaging.RGB {
	out := &imaging.RGB{W: p.W, H: p.H, Pix: append([]uint8(nil), p.Pix...)}
	r := rand.New(rand.NewPCG(3, 4))
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			v := uint8(max(0, min(255, 190+6*r.NormFloat64())))
			i := 3 * (y*p.W + x)
			out.Pix[i], out.Pix[i+1], out.Pix[i+2] = v, v, v
		}
	}
	return out
}

func TestARegionThatWasSavedOnceStandsOutOfAPageThatWasSavedTwice(t *testing.T) {
	page, edited, other := image.Rect(0, 0, 960, 720), image.Rect(200, 200, 520, 300), image.Rect(500, 500, 820, 600)
	camera := replaced(paper(960, 720, wave(31, 10, 12)).RGB(), page)
	first := saved(t, camera, 84).RGB()
	value := func(t *testing.T, p *imaging.Photo, region image.Rectangle) (float64, bool) {
		t.Helper()
		sq, ok := p.Squares()
		if !ok {
			t.Fatal("no squares")
		}
		return Histories(sq, page, []image.Rectangle{region})[0].Value()
	}
	forged := saved(t, replaced(first, edited), 93)
	sign := Edits().Signs[PrintHistorySign]
	if v, ok := value(t, forged, edited); !ok || !sign.Fires(v) {
		t.Errorf("what was put in: %.2f, measured %t", v, ok)
	}
	if v, ok := value(t, forged, other); !ok || sign.Fires(v) {
		t.Errorf("what was left alone: %.2f, measured %t", v, ok)
	}
	turned := forged.Turn(1)
	if v, ok := value(t, turned, image.Rect(720-300, 200, 720-200, 520)); !ok || !sign.Fires(v) {
		t.Errorf("what was put in, of a picture held upright: %.2f, measured %t", v, ok)
	}
	if v, ok := value(t, saved(t, first, 93), edited); !ok || sign.Fires(v) {
		t.Errorf("saved twice and left alone: %.2f, measured %t", v, ok)
	}
	if v, ok := value(t, saved(t, camera, 93), edited); ok {
		t.Errorf("a picture that was saved once was measured: %.2f", v)
	}
}

func TestARegionThatIsTooSmallSaysNothing(t *testing.T) {
	p := saved(t, paper(960, 720, wave(31, 10, 12)).RGB(), 90)
	sq, _ := p.Squares()
	for _, region := range []image.Rectangle{{}, image.Rect(10, 10, 14, 14), image.Rect(-50, -50, -10, -10)} {
		if v, ok := Histories(sq, image.Rect(0, 0, 960, 720), []image.Rectangle{region})[0].Value(); ok {
			t.Errorf("%v: %.2f", region, v)
		}
	}
	if v, ok := Histories(sq, image.Rect(0, 0, 20, 20), []image.Rectangle{image.Rect(0, 0, 16, 16)})[0].Value(); ok {
		t.Errorf("of a page of a few squares: %.2f", v)
	}
}
