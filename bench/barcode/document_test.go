package barcode_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/aamva"
	"github.com/bonafide-id/bonafide/internal/barcode"
	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical"
	"github.com/bonafide-id/bonafide/internal/packtest"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// extractor is one with the models of the pack.
func extractor(t *testing.T) *optical.Extractor {
	t.Helper()
	set, rt := packtest.Runtime(t)
	r := optical.New(set, rt, face.New(set, rt, face.Options{}), optical.Options{})
	return optical.NewExtractor(r, imaging.Limits{})
}

// TestTheBackAloneTellsKindIssuerAndFacts reads backs of cards by their bar code alone, and one whose code is spoiled.
func TestTheBackAloneTellsKindIssuerAndFacts(t *testing.T) {
	x := extractor(t)
	licence, card := fixtures.NewPayload(3, 10, "USA"), fixtures.NewPayload(4, 8, "CAN")
	licence.Type, card.Type = "DL", "ID"
	for _, c := range []struct {
		name    string
		payload aamva.Payload
		change  func(barcode.Modules)
		kind    idv.DocumentKind
		issuer  string
		absent  string
	}{
		{"a licence of the United States", licence, nil, idv.DrivingLicence, "USA", ""},
		{"an identification card of Canada", card, nil, idv.IDCard, "CAN", ""},
		{"a code that is spoiled beyond repair", licence, spoil, idv.UnknownKind, "", problem.DocumentBarcodeUnreadable.Code},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, err := aamva.Write(c.payload)
			if err != nil {
				t.Fatal(err)
			}
			m, err := barcode.WritePDF417(text, 10, 4)
			if err != nil {
				t.Fatal(err)
			}
			if c.change != nil {
				c.change(m)
			}
			picture, _ := fixtures.Shoot(fixtures.CardBack(m, 3, 5), fixtures.Camera{Seed: 5, Width: 1600, Height: 1200, Tilt: 4, Turn: 3, Noise: 2, Blur: .5})
			raw, err := fixtures.JPEG(picture, 85, 1)
			if err != nil {
				t.Fatal(err)
			}
			found, err := x.Extract(t.Context(), idv.Capture{Kind: idv.DocumentImage, Side: idv.Back, Bytes: raw})
			if err != nil {
				t.Fatal(err)
			}
			check(t, found, c.absent, c.kind, c.issuer)
			if c.absent == "" {
				checkClaims(t, found.Claims, c.payload)
			}
		})
	}
}

// spoil leaves the guard patterns and nothing that could be corrected.
func spoil(m barcode.Modules) {
	r := rand.New(rand.NewPCG(1, 1))
	for y := range m.H {
		for x := 40; x < m.W-40; x++ {
			m.Dark[y*m.W+x] = r.IntN(2) == 0
		}
	}
}

func check(t *testing.T, found idv.Extraction, absent string, kind idv.DocumentKind, issuer string) {
	t.Helper()
	for _, a := range found.Artifacts {
		switch a.Kind {
		case idv.ArtifactBarcode:
			if a.Present != (absent == "") || a.Absent != absent {
				t.Errorf("bar code present %v, absent for %q", a.Present, a.Absent)
			}
			if absent != "" {
				continue
			}
			code, err := idv.ValueOf[idv.Barcode](a)
			if err != nil || len(code.Faults) > 0 || len(code.Jurisdiction) != 5 || code.Jurisdiction[:2] != issuer[:2] || code.HeightCM < 150 {
				t.Errorf("%+v, error %v", code, err)
			}
		case idv.ArtifactPage:
			if absent != "" && !a.Present {
				continue // nothing else on it tells that it is a document
			}
			page, err := idv.ValueOf[idv.Page](a)
			if err != nil || page.Kind != kind || page.Issuer != issuer {
				t.Errorf("kind %q, issuer %q, error %v", page.Kind, page.Issuer, err)
			}
		}
	}
}

func checkClaims(t *testing.T, claims []idv.Claim, p aamva.Payload) {
	t.Helper()
	got := map[idv.ClaimName]string{}
	for _, c := range claims {
		if c.Source == idv.FromBarcode {
			got[c.Name] = c.Value
		}
	}
	delete(got, idv.Address)
	want := map[idv.ClaimName]string{
		idv.FamilyName: p.FamilyName, idv.GivenNames: p.GivenNames, idv.DocumentNumber: p.Number, idv.DateOfBirth: p.DateOfBirth,
		idv.DateOfExpiry: p.DateOfExpiry, idv.DateOfIssue: p.DateOfIssue, idv.Sex: p.Sex, idv.Issuer: p.Country,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("claims (-want +got):\n%s", d)
	}
}
