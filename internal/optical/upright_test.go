package optical

import (
	"math"
	"testing"

	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/page"
)

// TestAPageWithoutZoneAndPortraitIsTurnedByItsPrint also holds that pages that are upright stay so, and those that lie on their side.
func TestAPageWithoutZoneAndPortraitIsTurnedByItsPrint(t *testing.T) {
	reader, _ := readerOfAll(t)
	shot, _ := fixtures.Shoot(document(t, fixtures.EULicence, 5).Back(), fixtures.Scan(5))
	for quarters := range 4 {
		if testing.Short() && (quarters == 1 || quarters == 2) {
			continue // nightly: by day the page is upright, or lies on the side from which it is turned twice
		}
		read, err := reader.Read(t.Context(), imaging.PhotoOf(shot.Turn(quarters)))
		if err != nil {
			t.Fatal(err)
		}
		if want := (4 - quarters) % 4; read.Turn != want {
			t.Errorf("turned by %d quarters: turned back by %d, want %d", quarters, read.Turn, want)
		}
	}
}

// TestFacesOfATurnedPageAreThoseOfItsUprightCopy holds that faces that were found while looking for the way up are where they would be found afterwards.
func TestFacesOfATurnedPageAreThoseOfItsUprightCopy(t *testing.T) {
	reader, faces := readerOfAll(t)
	shot, _ := fixtures.Shoot(document(t, fixtures.EULicence, 5).Front(), fixtures.Scan(5))
	for quarters := range 4 {
		if testing.Short() && quarters%2 == 0 {
			continue // nightly: by day the page lies on either side
		}
		read, err := reader.Read(t.Context(), imaging.PhotoOf(shot.Turn(quarters)))
		if err != nil {
			t.Fatal(err)
		}
		if want := (4 - quarters) % 4; read.Turn != want {
			t.Errorf("turned by %d quarters: turned back by %d, want %d", quarters, read.Turn, want)
		}
		small, scale := imaging.PhotoOf(shot.Turn(quarters + read.Turn)).Fit(page.FaceSide)
		want, err := faces.Detect(t.Context(), small)
		if err != nil {
			t.Fatal(err)
		}
		if len(read.Faces) == 0 || len(read.Faces) != len(want) {
			t.Fatalf("turned by %d quarters: %d faces, want %d", quarters, len(read.Faces), len(want))
		}
		for i, f := range read.Faces {
			if x := want[i].Pixel.X / scale / float64(shot.W); math.Abs(f.Box.X-x) > .02 {
				t.Errorf("turned by %d quarters: face %d at %.3f, want %.3f", quarters, i, f.Box.X, x)
			}
		}
	}
}
