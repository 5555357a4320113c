package e2e

import (
	"encoding/json"
	"image"
	"testing"

	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
)

// The portrait of the document, cut out of its own photograph, was approved as the selfie where no liveness was asked for.
func TestThePortraitOfTheDocumentIsNoSelfie(t *testing.T) {
	t.Parallel()
	needOCRB(t)
	d, err := fixtures.NewDocument(fixtures.Passport, 821, fixtures.Options{Face: "alder"})
	must(t, err)
	shot, quad := fixtures.Shoot(d.Front(), fixtures.Camera{Seed: 821, Width: 3200, Height: 2400, Fill: .9, Noise: 2, Surface: fixtures.Wood})
	raw, err := fixtures.JPEG(shot, 92, 1)
	must(t, err)
	document := write(t, "front.jpg", raw)
	photo, _, err := imaging.Open(raw, imaging.Limits{})
	must(t, err)
	page := photo.Warp(quad, 2500, 1760)
	left := page.Crop(image.Rect(0, 300, 1000, 1400)) // the left of a passport's page, where the portrait is
	for _, c := range []struct {
		name    string
		quality int
		side    int
	}{{"unchanged", 92, 1000}, {"compressed again", 60, 1000}, {"smaller", 80, 600}} {
		t.Run(c.name, func(t *testing.T) {
			if testing.Short() && c.name != "unchanged" {
				t.Skip("nightly: the unchanged portrait is tested by day, and so is this attack in cmd/bonafide")
			}
			copied, _ := left.Fit(c.side)
			raw, err := fixtures.JPEG(copied, c.quality, 1)
			must(t, err)
			out, _ := run(t, "verify", "--json", "--accept-specimens", "--document", document, "--selfie", write(t, "selfie.jpg", raw))
			var got struct {
				Outcome string
				Reasons []idv.Reason
			}
			must(t, json.Unmarshal([]byte(out), &got))
			if got.Outcome != "referred" || len(got.Reasons) == 0 || got.Reasons[0].Code != "face.too_alike" {
				t.Errorf("%s for %+v, want referred for face.too_alike", got.Outcome, got.Reasons)
			}
		})
	}
}
