package e2e

import (
	"encoding/json"
	"testing"

	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
)

// A licence of Québec was declined as expired by a date that one reader read from its print. Its twin is declined only where the
// barcode on its back says the same.
func TestALicenceThatOnlyItsPrintSaysHasExpiredIsLeftToAPerson(t *testing.T) {
	t.Parallel()
	needOCRB(t)
	d, err := fixtures.NewDocument(fixtures.CanadaLicence, 811, fixtures.Options{Face: "alder", Expired: true})
	must(t, err)
	photograph := func(seed int64, page *imaging.RGB) string {
		shot, _ := fixtures.Shoot(page, fixtures.Camera{Seed: seed, Width: 2400, Height: 1800, Fill: .9, Noise: 2, Surface: fixtures.Wood})
		raw, err := fixtures.JPEG(shot, 92, 1)
		must(t, err)
		return write(t, "side.jpg", raw)
	}
	front, back := photograph(1, d.Front()), photograph(2, d.Back())
	for _, c := range []struct {
		name      string
		also      []string
		outcome   string
		code      int
		confirmed idv.Confirmation
	}{
		{"its front alone", nil, "referred", 4, ""},
		{"with its back", []string{"--back", back}, "declined", 1, idv.ByBarcode},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, code := run(t, append([]string{"verify", "--json", "--accept-specimens", "--document", front}, c.also...)...)
			var got struct {
				Outcome string
				Reasons []idv.Reason
			}
			must(t, json.Unmarshal([]byte(out), &got))
			if got.Outcome != c.outcome || code != c.code || len(got.Reasons) == 0 || got.Reasons[0].Code != "document.expired" ||
				got.Reasons[0].Confirmed != c.confirmed {
				t.Errorf("%s, exit code %d, %+v; want %s confirmed by %q", got.Outcome, code, got.Reasons, c.outcome, c.confirmed)
			}
		})
	}
}
