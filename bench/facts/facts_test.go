package facts

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
)

func TestWrongAndMissingAreToldApart(t *testing.T) {
	r := reading{
		picture: "p", group: "passport", good: true, kind: idv.Passport, wantKind: idv.Passport,
		truth: []Truth{
			{idv.FamilyName, "Ångström-Öberg", "Ångström-Öberg"}, {idv.DateOfBirth, "1974-08-12", "12 AUG 74"}, {idv.DocumentNumber, "AB 123456", "AB 123456"},
			{idv.Address, "12 Harbour Lane, 1234 Utopia City", "12 Harbour Lane 1234 Utopia City"}, {"height", "1.80 m", "1.80 m"}, {idv.GivenNames, "ANNA", "ANNA"},
		},
		filled: []idv.ClaimName{idv.GivenNames},
		claims: []idv.Claim{
			{Name: idv.FamilyName, Value: "ÅNGSTRÖM-ÖBERG", Source: idv.FromPrinted},
			{Name: idv.DateOfBirth, Value: "1974-08-13", Source: idv.FromPrinted},
			{Name: idv.DocumentNumber, Value: "AB123456", Source: idv.FromMRZ}, // the print did not say so
			{Name: idv.Address, Value: "12 Harbour Lane 1234 Utopia City", Source: idv.FromPrinted},
			{Name: idv.Sex, Value: "F", Source: idv.FromPrinted},
			{Name: idv.GivenNames, Value: "ANNA", Source: idv.FromPrinted}, // the zone says so, the print was not surely read
		},
	}
	got := settle([]reading{r})
	want := []Miss{
		{"p", idv.DateOfBirth, "1974-08-12", "1974-08-13", false, true}, {"p", idv.DocumentNumber, "AB 123456", "", false, true},
		{"p", idv.GivenNames, "ANNA", "ANNA", true, true},
	}
	if d := cmp.Diff(want, got.Misses); d != "" {
		t.Errorf("misses (-want +got):\n%s", d)
	}
	g := got.Good
	if g.Exact.Count != 2 || g.Wrong.Count != 1 || g.Filled.Count != 1 || g.Missing.Count != 1 || g.Extra != 1 || g.Whole.Count != 0 {
		t.Errorf("%+v", g)
	}
}

func TestDiacriticsCountAndCaseDoesNot(t *testing.T) {
	for name, c := range map[string]struct {
		fact      idv.ClaimName
		got, want string
		equal     bool
	}{
		"another case":             {idv.FamilyName, "müller", "MÜLLER", true},
		"a lost diacritic":         {idv.FamilyName, "MULLER", "MÜLLER", false},
		"sharp s in capitals":      {idv.FamilyName, "WEISS", "Weiß", true},
		"another apostrophe":       {idv.GivenNames, "L’AÏDA", "L'AÏDA", true},
		"a number with spaces":     {idv.DocumentNumber, "AB 123 456", "AB123456", true},
		"a number with O for zero": {idv.DocumentNumber, "AB1O3456", "AB103456", false},
		"a day":                    {idv.DateOfBirth, "1974-08-12", "1974-08-12", true},
	} {
		t.Run(name, func(t *testing.T) {
			if equal(c.fact, c.got, Truth{c.fact, c.want, c.want}) != c.equal {
				t.Errorf("%q and %q: %v", c.got, c.want, !c.equal)
			}
		})
	}
}

func TestKindAndIssuerCountWhereTheyAreKnown(t *testing.T) {
	tests := []struct {
		name         string
		reading      reading
		kind, issuer [3]int // right, wrong, not told
	}{
		{"both right", reading{kind: idv.IDCard, issuer: "UTO", wantKind: idv.IDCard, wantIssuer: "UTO"}, [3]int{1, 0, 0}, [3]int{1, 0, 0}},
		{"both wrong", reading{kind: idv.Visa, issuer: "FRA", wantKind: idv.IDCard, wantIssuer: "UTO"}, [3]int{0, 1, 0}, [3]int{0, 1, 0}},
		{"an open question is not an answer", reading{kind: idv.UnknownKind, wantKind: idv.IDCard, wantIssuer: "UTO"}, [3]int{0, 0, 1}, [3]int{0, 0, 1}},
		{"what nobody knows does not count", reading{kind: idv.Visa, issuer: "FRA"}, [3]int{}, [3]int{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.reading.good = true
			bad := tt.reading
			bad.good = false
			got := settle([]reading{tt.reading, bad})
			for what, pair := range map[string]struct {
				told Told
				want [3]int
			}{"kind": {got.Kind, tt.kind}, "issuer": {got.Issuer, tt.issuer}} {
				if d := cmp.Diff(pair.want, [3]int{pair.told.Right.Count, pair.told.Wrong.Count, pair.told.NotTold.Count}); d != "" {
					t.Errorf("%s (-want +got):\n%s", what, d)
				}
				if n := pair.want[0] + pair.want[1] + pair.want[2]; pair.told.Right.Of != n {
					t.Errorf("%s: of %d, want %d", what, pair.told.Right.Of, n)
				}
			}
		})
	}
}

func TestAListOfClaimsIsRead(t *testing.T) {
	list := filepath.Join(t.TempDir(), "claims.tsv")
	text := "id_card_td1-000001-front.jpg\tfamily_name\tÅKE\tÅke\t0.1\t0.2\t0.3\t0.4\tid_card\tUTO\n" +
		"id_card_td1-000001-front.jpg\tsex\tF\tK\t0.1\t0.2\t0.3\t0.4\tid_card\tUTO\n" +
		"id_card_td1-000001-back.jpg\taddress\t1 High Street, Utopia\t1 High Street Utopia\t0.1\t0.2\t0.3\t0.4\tid_card\tUTO\n" +
		"mine.jpg\tsex\tM\tMale\nbroken line\n"
	if err := os.WriteFile(list, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := readClaims(list)
	if err != nil {
		t.Fatal(err)
	}
	want := []reading{
		{
			picture: "id_card_td1-000001-front.jpg", group: "id_card_td1", wantKind: idv.IDCard, wantIssuer: "UTO",
			truth: []Truth{{idv.FamilyName, "ÅKE", "Åke"}, {idv.Sex, "F", "K"}},
		},
		{picture: "id_card_td1-000001-back.jpg", group: "id_card_td1", truth: []Truth{{idv.Address, "1 High Street, Utopia", "1 High Street Utopia"}}},
		{picture: "mine.jpg", group: "mine.jpg", truth: []Truth{{idv.Sex, "M", "Male"}}},
	}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(reading{})); d != "" {
		t.Errorf("readings (-want +got):\n%s", d)
	}
}

func TestTheListOfLegibleFactsFitsTheDataSet(t *testing.T) {
	dir := os.Getenv("BONAFIDE_DATA")
	if dir == "" {
		t.Skip("BONAFIDE_DATA is not set: no passporteye-27")
	}
	zones, err := readZones(filepath.Join(dir, "mrz", "truth.tsv"))
	if err != nil {
		t.Skip("no passporteye-27")
	}
	rows := strings.Split(strings.TrimSpace(legible), "\n")[1:]
	for _, row := range rows {
		f := strings.Split(row, "\t")
		if len(f) != 1+len(compared) || zones[f[0]] == nil {
			t.Errorf("row %q", row)
		}
	}
	if len(rows) != 27 {
		t.Errorf("%d rows", len(rows))
	}
}

func TestLinesOfTesseractAreRead(t *testing.T) {
	table := "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n" +
		"5\t1\t1\t1\t1\t1\t100\t50\t80\t20\t96.0\tANNA\n5\t1\t1\t1\t1\t2\t200\t50\t100\t20\t90.0\tMARIA\n5\t1\t1\t1\t2\t1\t100\t90\t40\t20\t91.0\tF\n"
	got := linesOf(table)
	if len(got) != 2 || got[0].Text != "ANNA MARIA" || got[1].Text != "F" {
		t.Fatalf("%+v", got)
	}
	if s := got[0].Strip; s.X != 200 || s.Length != 200 || len(got[0].At) != 10 || len(got[0].Chars) != 10 {
		t.Errorf("%+v", got[0])
	}
}
