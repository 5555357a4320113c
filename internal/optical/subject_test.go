package optical

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// What is no document is told as what it is: a table, a face, a document in a mirror.
func TestWhatIsNoDocumentIsToldAsWhatItIs(t *testing.T) {
	reader, _ := readerOfAll(t)
	photograph := func(kind fixtures.Kind) *imaging.RGB {
		shot, _ := fixtures.Shoot(document(t, kind, 3).Front(), fixtures.Camera{Seed: 3, Width: 1600, Height: 1200, Fill: .9, Surface: fixtures.Fabric, Noise: 2})
		return shot
	}
	table := func(s fixtures.Surface, seed int64) *imaging.RGB {
		shot, _ := fixtures.ShootAll(nil, fixtures.Camera{Seed: seed, Width: 1600, Height: 1200, Surface: s, Noise: 2})
		return shot
	}
	card := photograph(fixtures.IDCard)
	someone, err := fixtures.Selfie("alder", fixtures.SelfieFace, fixtures.Camera{Seed: 4, Width: 900, Height: 1200})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		shot *imaging.RGB
		want []string
	}{
		{"a card", card, []string{}},
		{"a passport in a mirror", imaging.PhotoOf(photograph(fixtures.Passport)).Mirrored().RGB(), []string{problem.CaptureMirrored.Code}},
		{"a card in a mirror", imaging.PhotoOf(card).Mirrored().RGB(), []string{problem.CaptureMirrored.Code}},
		{"a wooden table", table(fixtures.Wood, 5), []string{problem.CaptureNoDocument.Code}},
		{"a face", someone, []string{problem.CaptureFaceInstead.Code}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if testing.Short() && c.name == "a card in a mirror" {
				t.Skip("nightly: a passport in a mirror is tested by day")
			}
			page, err := reader.Read(t.Context(), imaging.PhotoOf(c.shot))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, page.Quality.Reasons); d != "" {
				t.Errorf("kind %s, %d lines, %d of them legible, %d faces (-want +got):\n%s", page.Kind, len(page.Lines), (&work{page: page}).legible(), len(page.Faces), d)
			}
		})
	}
}

func TestAFileOfTooFewPixelsIsNotAskedToComeCloser(t *testing.T) {
	page := func(short int) Page {
		p := Page{}
		p.Width, p.Height = 800, 600
		p.Quality = idv.Quality{ShortSide: short, Reasons: []string{problem.CaptureTooSmall.Code}}
		return p
	}
	for _, c := range []struct {
		name   string
		source idv.Source
		short  int
		want   problem.Kind
	}{
		{"a file that the page fills", idv.SourceFile, 560, problem.CaptureLowResolution},
		{"a file in which the page is small", idv.SourceFile, 200, problem.CaptureLowResolution},
		{"a camera", idv.SourceCamera, 560, problem.CaptureTooSmall},
		{"a client that does not say", idv.SourceUnknown, 560, problem.CaptureTooSmall},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := forSource(idv.Capture{Source: c.source}, page(c.short)); !slices.Equal(got, []string{c.want.Code}) {
				t.Errorf("told %v, want %s", got, c.want.Code)
			}
		})
	}
	small, err := fixtures.JPEG(imaging.NewRGB(500, 400), 90, 1)
	if err != nil {
		t.Fatal(err)
	}
	err = NewGate(imaging.Limits{}, nil).Glance(t.Context(), idv.Capture{Kind: idv.DocumentImage, Source: idv.SourceFile, Bytes: small})
	if !problem.Has(err, problem.CaptureLowResolution) {
		t.Errorf("the quick look: %v", err)
	}
}
