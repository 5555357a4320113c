package e2e

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// What tells a copy was measured on generated pictures only: it sends the session to a person, and never declines it.
func TestACopyOfADocumentIsReferredAndTheDocumentItselfIsNotSuspected(t *testing.T) {
	t.Parallel()
	needOCRB(t)
	d, err := fixtures.NewDocument(fixtures.Passport, 3, fixtures.Options{Face: "alder"})
	must(t, err)
	face, err := fixtures.Selfie("alder", fixtures.SelfieFace, fixtures.Camera{Seed: 1})
	must(t, err)
	portrait, err := fixtures.JPEG(face, 90, 1)
	must(t, err)
	selfie := write(t, "selfie.jpg", portrait)
	camera := fixtures.Camera{Seed: 1, Width: 2400, Height: 1800, Fill: .9, Tilt: 4, Turn: 1, Blur: .7, Noise: 2, Surface: fixtures.Wood}
	const screen, paper = "document.screen_copy", "document.paper_copy"
	for _, c := range []struct {
		name    string
		how     fixtures.Copying
		reasons []string // any of them; none: document.original passes
		nightly bool
	}{
		{"the document itself", fixtures.Original, nil, false},
		// That it is a copy is found; pixels that are seen as finely as here can be named a print (decision 7).
		{"on a screen", fixtures.ScreenCopy, []string{screen, paper}, false},
		{"a colour laser print", fixtures.LaserCopy, []string{paper}, true},
		{"a copy in black and white", fixtures.GreyCopy, []string{paper}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.nightly && testing.Short() {
				t.Skip("nightly: the document itself and one copy are photographed by day")
			}
			photo, _, err := fixtures.Recapture(d.Front(), c.how, camera, 3)
			must(t, err)
			raw, err := fixtures.JPEG(photo, 90, 1)
			must(t, err)
			out, code := run(t, "verify", "--json", "--document", write(t, "d.jpg", raw), "--selfie", selfie, "--accept-specimens")
			var got struct {
				Outcome string
				Report  struct{ Checks []idv.Check }
			}
			must(t, json.Unmarshal([]byte(out), &got))
			i := slices.IndexFunc(got.Report.Checks, func(k idv.Check) bool { return k.Kind == idv.CheckDocumentOriginal })
			if i < 0 || got.Report.Checks[i].Finding == nil {
				t.Fatalf("the question was not asked: %.900s", out)
			}
			f := got.Report.Checks[i].Finding
			if f.Rates == nil || f.Rates.OnPeople {
				t.Errorf("the rates are not said to be of generated pictures: %+v", f.Rates)
			}
			if c.reasons == nil {
				if f.Outcome != idv.Pass {
					t.Errorf("%s: %+v", f.Outcome, f.Reasons)
				}
				return
			}
			if f.Outcome != idv.Fail || !slices.Contains(c.reasons, f.Reasons[0].Code) || got.Outcome != "referred" || code != 4 {
				t.Errorf("%s, exit code %d, %+v", got.Outcome, code, f)
			}
		})
	}
}
