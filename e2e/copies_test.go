package e2e

import (
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/fixtures"
)

// What tells a copy was measured on generated pictures only: it sends the session to a person, and never declines it.
func TestACopyOfADocumentIsReferredAndTheDocumentItselfApproved(t *testing.T) {
	if testing.Short() {
		t.Skip("photographs take seconds each")
	}
	if err := fixtures.HasOCRB(); err != nil {
		t.Skip(err)
	}
	d, err := fixtures.NewDocument(fixtures.Passport, 1, fixtures.Options{Face: "alder", Today: time.Now()})
	must(t, err)
	face, err := fixtures.Selfie("alder", fixtures.SelfieFace, fixtures.Camera{Seed: 1})
	must(t, err)
	portrait, err := fixtures.JPEG(face, 90, 1)
	must(t, err)
	selfie := write(t, "selfie.jpg", portrait)
	camera := fixtures.Camera{Seed: 1, Width: 2400, Height: 1800, Fill: .9, Tilt: 4, Turn: 1, Blur: .7, Noise: 2, Surface: fixtures.Wood}
	for _, c := range []struct {
		name    string
		how     fixtures.Copying
		code    int
		outcome string
		reason  string
	}{
		{"the document itself", fixtures.Original, 0, `"approved"`, ""},
		{"on a screen", fixtures.ScreenCopy, 4, `"referred"`, "document.screen_copy"},
		{"a colour laser print", fixtures.LaserCopy, 4, `"referred"`, "document.paper_copy"},
		{"a copy in black and white", fixtures.GreyCopy, 4, `"referred"`, "document.paper_copy"},
	} {
		t.Run(c.name, func(t *testing.T) {
			photo, _, err := fixtures.Recapture(d.Front(), c.how, camera, 3)
			must(t, err)
			raw, err := fixtures.JPEG(photo, 90, 1)
			must(t, err)
			out, code := run(t, "verify", "--json", "--document", write(t, "d.jpg", raw), "--selfie", selfie, "--accept-specimens")
			if code != c.code || !strings.Contains(out, `"outcome": `+c.outcome) || !strings.Contains(out, c.reason) {
				t.Errorf("exit code %d, want %d, %s and %q: %.900s", code, c.code, c.outcome, c.reason, out)
			}
			if c.reason != "" && !strings.Contains(out, "Synthetic") {
				t.Error("the finding does not say that its rates are of generated pictures")
			}
		})
	}
}
