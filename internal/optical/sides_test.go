package optical

import (
	"slices"
	"testing"

	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// TestBothSidesOfACardInOnePicture also holds that the front of somebody else's card, beside the back of one, is no side of it.
func TestBothSidesOfACardInOnePicture(t *testing.T) {
	reader, _ := readerOfAll(t)
	own, other := document(t, fixtures.IDCard, 5), document(t, fixtures.IDCard, 8)
	for _, tc := range []struct {
		name          string
		pages         []*imaging.RGB
		joined, other bool // both sides are one document; another document is doubted to be meant
	}{
		{"of one card", []*imaging.RGB{own.Front(), own.Back()}, true, false},
		{"of two cards", []*imaging.RGB{other.Front(), own.Back()}, false, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			shot, _ := fixtures.ShootAll(tc.pages, fixtures.Scan(5))
			page, err := reader.Read(t.Context(), imaging.PhotoOf(shot))
			if err != nil || page.MRZ == nil || !page.MRZ.CheckDigitsOK {
				t.Fatalf("zone %+v, %v", page.MRZ, err)
			}
			states := func(name idv.ClaimName, value string) bool {
				return slices.ContainsFunc(page.Claims, func(c idv.Claim) bool {
					return c.Source == idv.FromPrinted && c.Name == name && c.Value == value
				})
			}
			doubted := slices.ContainsFunc(page.MRZ.Doubts, func(d idv.ZoneDoubt) bool { return d.Code == problem.CaptureSeveralDocuments.Code })
			if doubted != tc.other {
				t.Errorf("another document doubted to be meant: %t, want %t (%+v)", doubted, tc.other, page.MRZ.Doubts)
			}
			if number := states(idv.DocumentNumber, own.Fields.Number); number != tc.joined || (page.Portrait != nil) != tc.joined {
				t.Errorf("number in print %t, portrait %t, want %t", number, page.Portrait != nil, tc.joined)
			}
			if agrees := page.MRZ.PrintedZone == idv.PrintedAgrees; agrees != tc.joined {
				t.Errorf("print and zone: %s", page.MRZ.PrintedZone)
			}
			for _, c := range other.Truth.Front {
				if c.Name != idv.Nationality && c.Name != idv.Issuer && c.Name != idv.Sex && !tc.joined && states(c.Name, c.Value) && !contradicts(page, c.Name) {
					t.Errorf("%s of the other card is a claim", c.Name)
				}
			}
		})
	}
}

// contradicts reports whether a fact of the print contradicts the zone.
func contradicts(page Page, name idv.ClaimName) bool {
	return slices.ContainsFunc(page.MRZ.Doubts, func(d idv.ZoneDoubt) bool { return slices.Contains(d.Fields, zoneField(name)) })
}
