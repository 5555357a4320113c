package checker

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// TestTheBarcodeIsComparedWithTheFront is about cards of North America: the front prints what the code on the back says.
func TestTheBarcodeIsComparedWithTheFront(t *testing.T) {
	printed := map[idv.ClaimName]string{
		idv.FamilyName: "Specimen-Longname-Hohenlohe", idv.GivenNames: "Anna Maria Konstantina", idv.DateOfBirth: "08/12/1974", idv.DateOfExpiry: "08/12/2030",
		idv.DocumentNumber: "D123-4567", idv.Sex: "F", idv.Address: "1 Main Street, Utopolis, CA 90223", idv.Issuer: "USA",
	}
	coded := map[idv.ClaimName]string{
		idv.FamilyName: "SPECIMEN LONGNAME HOHENLOHE", idv.GivenNames: "ANNA MARIA KONSTANTINA", idv.DateOfBirth: "1974-08-12", idv.DateOfExpiry: "2030-08-12",
		idv.DocumentNumber: "D1234567", idv.Sex: "F", idv.Address: "1 MAIN STREET, UTOPOLIS, CA, 90223", idv.Issuer: "USA",
	}
	for _, c := range []struct {
		name   string
		change map[idv.ClaimName]string
		fields map[string]string
		want   []string
	}{
		{"every fact agrees", nil, nil, []string{"pass"}},
		{"a family name that is said to be cut", map[idv.ClaimName]string{idv.FamilyName: "SPECIMEN LONGNAME HOH"}, map[string]string{"DDE": "T"}, []string{"pass"}},
		{"a middle name that is said to be cut", map[idv.ClaimName]string{idv.GivenNames: "ANNA MARIA KONSTANTI"}, map[string]string{"DDG": "T"}, []string{"pass"}},
		{"a shorter name that is said to be whole", map[idv.ClaimName]string{idv.FamilyName: "SPECIMEN LONGNAME HOH"}, map[string]string{"DDE": "N"},
			[]string{"fail", "document.facts_disagree family_name printed barcode"}},
		{"another name, although cut", map[idv.ClaimName]string{idv.FamilyName: "SPECTACLE LONGNAME HO"}, map[string]string{"DDE": "T"},
			[]string{"fail", "document.facts_disagree family_name printed barcode"}},
		{"a few letters that are said to be cut", map[idv.ClaimName]string{idv.FamilyName: "SPECIMEN"}, map[string]string{"DDE": "T"},
			[]string{"fail", "document.facts_disagree family_name printed barcode"}},
		{"another birthday", map[idv.ClaimName]string{idv.DateOfBirth: "1974-09-12"}, nil, []string{"fail", "document.facts_disagree date_of_birth printed barcode"}},
		{
			"another number", map[idv.ClaimName]string{idv.DocumentNumber: "D1234568"}, nil,
			[]string{"fail", "document.facts_disagree document_number printed barcode"},
		},
		{"another sex", map[idv.ClaimName]string{idv.Sex: "M"}, nil, []string{"fail", "document.facts_disagree sex printed barcode"}},
		{"an address in other words says nothing", map[idv.ClaimName]string{idv.Address: "PO BOX 7, UTOPOLIS"}, nil, []string{"pass"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var claims []idv.Claim
			for _, name := range facts {
				if v, ok := printed[name]; ok {
					claims = append(claims, claim(idv.FromPrinted, name, v))
				}
				v, ok := c.change[name]
				if !ok {
					v, ok = coded[name]
				}
				if ok {
					claims = append(claims, onBack(claim(idv.FromBarcode, name, v)))
				}
			}
			ev := evidence(t, false, claims...)
			code, err := idv.PresentArtifact(idv.ArtifactBarcode, idv.Capture{Side: idv.Back}, idv.Barcode{Format: "PDF417", Fields: c.fields})
			if err != nil {
				t.Fatal(err)
			}
			ev.Artifacts = append(ev.Artifacts, code)
			if d := cmp.Diff(c.want, outcomeOf(t, FactsAgree{}, ev)); d != "" {
				t.Errorf("want -, got +:\n%s", d)
			}
		})
	}
}
