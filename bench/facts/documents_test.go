package facts

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
)

func TestAListOfDocumentsHasFactsWithTheirAlternatives(t *testing.T) {
	path := filepath.Join(t.TempDir(), "truth.tsv")
	list := "# file\tkind\tclaim\tvalue\n" +
		"a.jpg\tid_card\tkind\tid_card\na.jpg\tid_card\tissuer\tUTO\na.jpg\tid_card\tplace_of_birth\tZenith, UTO | Zenith\na.jpg\tid_card\tdate_of_expiry\t-\n" +
		"b.jpg\tother\tfamily_name\tEK\n"
	if err := os.WriteFile(path, []byte(list), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := readDocuments(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[0].wantKind != idv.IDCard || got[0].wantIssuer != "UTO" || got[1].wantKind != "" || got[1].group != "other" {
		t.Fatalf("%+v", got)
	}
	if d := cmp.Diff([]Truth{{idv.PlaceOfBirth, "Zenith, UTO", "Zenith, UTO"}, {idv.PlaceOfBirth, "Zenith", "Zenith"}}, got[0].truth); d != "" {
		t.Errorf("facts (-want +got):\n%s", d)
	}
	got[0].good = true
	got[0].claims = []idv.Claim{
		{Name: idv.PlaceOfBirth, Value: "ZENITH", Source: idv.FromPrinted}, {Name: idv.DateOfExpiry, Value: "2030-01-01", Source: idv.FromPrinted},
	}
	if s := judge(got[0], got[0].claims, nil); s.exact != 1 || s.extra != 1 || s.wrong != 0 {
		t.Errorf("exact %d, extra %d, wrong %d; want 1, 1 and 0", s.exact, s.extra, s.wrong)
	}
}

func TestAStateIsTheSameByBothOfItsCodes(t *testing.T) {
	want := Truth{Name: idv.Nationality, Value: "D", Printed: "DEU"}
	for code, same := range map[string]bool{"D": true, "DEU": true, "DNK": false} {
		if equal(idv.Nationality, code, want) != same {
			t.Errorf("%s: %v", code, !same)
		}
	}
}
