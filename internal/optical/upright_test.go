package optical

import (
	"testing"

	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/packtest"
)

// TestAPageWithoutZoneAndPortraitIsTurnedByItsPrint also holds that pages that are upright stay so, and those that lie on their side.
func TestAPageWithoutZoneAndPortraitIsTurnedByItsPrint(t *testing.T) {
	if err := fixtures.HasOCRB(); err != nil {
		t.Skip(err)
	}
	set, rt := packtest.Runtime(t)
	reader := New(set, rt, face.New(set, rt, face.Options{}), Options{})
	licence, err := fixtures.NewDocument(fixtures.EULicence, 5, fixtures.Options{})
	if err != nil {
		t.Fatal(err)
	}
	shot, _ := fixtures.Shoot(licence.Back(), fixtures.Scan(5))
	for quarters := range 4 {
		page, err := reader.Read(t.Context(), imaging.PhotoOf(shot.Turn(quarters)))
		if err != nil {
			t.Fatal(err)
		}
		if want := (4 - quarters) % 4; page.Turn != want {
			t.Errorf("turned by %d quarters: turned back by %d, want %d", quarters, page.Turn, want)
		}
	}
}
