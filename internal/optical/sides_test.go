package optical

import (
	"slices"
	"testing"

	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/packtest"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// TestBothSidesOfACardInOnePicture also holds that the front of somebody else's card, beside the back of one, is no side of it.
func TestBothSidesOfACardInOnePicture(t *testing.T) {
	if err := fixtures.HasOCRB(); err != nil {
		t.Skip(err)
	}
	set, rt := packtest.Runtime(t)
	reader := New(set, rt, face.New(set, rt, face.Options{}), Options{})
	card := func(seed int64) *fixtures.Document {
		d, err := fixtures.NewDocument(fixtures.IDCard, seed, fixtures.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	own, other := card(5), card(8)
	for _, tc := range []struct {
		name        string
		front, back *fixtures.Document
		want        bool
	}{
		{"of one card", own, own, true},
		{"of two cards", other, own, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			shot, _ := fixtures.ShootAll([]*imaging.RGB{tc.front.Front(), tc.back.Back()}, fixtures.Scan(5))
			page, err := reader.Read(t.Context(), imaging.PhotoOf(shot))
			if err != nil || page.MRZ == nil || !page.MRZ.CheckDigitsOK {
				t.Fatalf("zone %+v, %v", page.MRZ, err)
			}
			number := slices.ContainsFunc(page.Claims, func(c idv.Claim) bool {
				return c.Source == idv.FromPrinted && c.Name == idv.DocumentNumber && c.Value == tc.back.Fields.Number
			})
			doubted := slices.ContainsFunc(page.MRZ.Doubts, func(d idv.ZoneDoubt) bool { return d.Code == problem.CaptureSeveralDocuments.Code })
			if number != tc.want || (page.Portrait != nil) != tc.want || doubted == tc.want {
				t.Errorf("number in print %t, portrait %t, other document doubted %t; want %t, %t, %t (%+v)",
					number, page.Portrait != nil, doubted, tc.want, tc.want, !tc.want, page.MRZ.Doubts)
			}
			if agrees := page.MRZ.PrintedZone == idv.PrintedAgrees; agrees != tc.want {
				t.Errorf("print and zone: %s", page.MRZ.PrintedZone)
			}
		})
	}
}
