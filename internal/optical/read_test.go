package optical

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/packtest"
)

// TestAGeneratedPassportIsReadWhicheverWayItLies follows one picture through every stage: the zone, the facts that it states in
// print, the portrait, the corners.
func TestAGeneratedPassportIsReadWhicheverWayItLies(t *testing.T) {
	reader, _ := readerOfAll(t)
	passport := document(t, fixtures.Passport, 3)
	shot, _ := fixtures.Shoot(passport.Front(), fixtures.Camera{Seed: 3, Width: 2000, Height: 1500, Surface: fixtures.Fabric, Blur: .5, Noise: 2})
	for _, quarters := range []int{0, 2} {
		img := imaging.PhotoOf(shot.Turn(quarters))
		page, err := reader.Read(t.Context(), img)
		if err != nil {
			t.Fatal(err)
		}
		if page.MRZ == nil || !page.MRZ.Verified || page.Kind != idv.Passport || page.Portrait == nil || len(page.Corners) != 8 {
			t.Fatalf("turned by %d quarters: kind %s, zone %+v, portrait %v, corners %v",
				quarters, page.Kind, page.MRZ, page.Portrait != nil, page.Corners)
		}
		if page.Turn != (4-quarters)%4 || len(page.Quality.Reasons) > 0 {
			t.Errorf("turned by %d quarters: turned back by %d, %v", quarters, page.Turn, page.Quality.Reasons)
		}
		if d := cmp.Diff(passport.Truth.Lines, page.MRZ.Lines); d != "" {
			t.Errorf("turned by %d quarters (-printed +got):\n%s", quarters, d)
		}
		zone, err := reader.ReadZone(t.Context(), img)
		if err != nil || zone == nil || !zone.Verified || !zone.Quick || len(zone.Rows()) != 2 {
			t.Errorf("turned by %d quarters: the zone alone: %+v, %v", quarters, zone, err)
		}
	}
}

func TestAPictureWithoutADocumentIsNoError(t *testing.T) {
	reader, _ := readerOfAll(t)
	page, err := reader.Read(t.Context(), imaging.PhotoOf(imaging.NewRGB(900, 700)))
	if err != nil || page.MRZ != nil || page.Portrait != nil || len(page.Claims) > 0 {
		t.Errorf("%+v, %v", page, err)
	}
	if zone, err := reader.ReadZone(t.Context(), imaging.PhotoOf(imaging.NewRGB(900, 700))); zone != nil || err != nil {
		t.Errorf("a zone %+v, %v", zone, err)
	}
}

func TestWithoutAModelNothingIsRead(t *testing.T) {
	set := packtest.Models(t)
	reader := New(set, nil, face.New(set, nil, face.Options{}), Options{})
	if _, err := reader.Read(t.Context(), imaging.PhotoOf(imaging.NewRGB(900, 700))); err == nil {
		t.Error("a picture was read without a runtime")
	}
	if _, err := reader.ReadZone(t.Context(), imaging.PhotoOf(imaging.NewRGB(900, 700))); err == nil {
		t.Error("a zone was read without a runtime")
	}
}
