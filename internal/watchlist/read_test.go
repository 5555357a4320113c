package watchlist

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The lists of the tests are invented, one person in each format.
var (
	unList       = fixture("un.xml")
	ofacList     = fixture("ofac.xml")
	euList       = fixture("eu.xml")
	ukList       = fixture("uk.xml")
	secoList     = fixture("seco.xml")
	advancedList = fixture("advanced.xml")
	ftmList      = fixture("ftm.json")
)

const (
	sdnList = "1,\"ZAHRAN, Ilyan\",\"individual\",\"TEST\",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ," +
		"\"DOB 02 Jan 1965; alt. DOB circa 1966; nationality Austria; a.k.a. 'THE BAKER'.\"\r\n\x1a"
	ownCSV  = "\xef\xbb\xbfname,birth,nationality,note\r\nIlyan Zahran,1965-01-02,AT,seen twice\r\n"
	ownJSON = `{"name":"Ilyan Zahran","birth":"1965","until":"2027-01-01"}`
)

func fixture(name string) string {
	raw, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		panic(err)
	}
	return string(raw)
}

func all(text string) (out []Entity, s Summary, err error) {
	s, err = Read(strings.NewReader(text), Options{}, func(c Change, _ Format) error {
		out = append(out, c.Entity)
		return nil
	})
	return out, s, err
}

func TestEveryFormatIsReadIntoOneForm(t *testing.T) {
	for name, c := range map[string]struct {
		text   string
		format Format
		births string
		weak   int
		names  int
	}{
		"OFAC":                 {ofacList, OFACXML, "1960-01-01/1964-12-31", 1, 3},
		"OFAC, advanced":       {advancedList, OFACAdvanced, "1965-03-12", 0, 1},
		"OFAC, CSV":            {sdnList, OFACCSV, "1965-01-02 1964-01-01/1968-12-31", 1, 2},
		"United Nations":       {unList, UN, "1973-01-01/1974-12-31", 1, 4},
		"European Union":       {euList, EU, "1973-04-28", 1, 2},
		"United Kingdom":       {ukList, UK, "1945", 1, 3},
		"Switzerland":          {secoList, SECO, "1980-03-23", 0, 2},
		"OpenSanctions":        {ftmList, FtM, "1965-01", 1, 2},
		"an own list, CSV":     {ownCSV, OwnCSV, "1965-01-02", 0, 1},
		"an own list, by line": {ownJSON, OwnJSON, "1965", 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			got, s, err := all(c.text)
			if err != nil || len(got) != 1 || s.Format != c.format || s.Persons != 1 || s.Rejected != 0 || len(s.SHA256) != 64 {
				t.Fatalf("got %d entries, %+v, %v", len(got), s, err)
			}
			var births []string
			for _, b := range got[0].Births {
				births = append(births, b.String())
			}
			weak := 0
			for _, n := range got[0].Names {
				if n.Strength == Weak {
					weak++
				}
			}
			if diff := cmp.Diff([]any{c.births, c.weak, c.names}, []any{strings.Join(births, " "), weak, len(got[0].Names)}); diff != "" {
				t.Errorf("births, weak names, names (-want +got):\n%s%+v", diff, got[0].Names)
			}
			if n := got[0].Names[0].Parsed(); len(n.Tokens) != 2 {
				t.Errorf("the first name is %+v", n.Tokens)
			}
		})
	}
}

func TestFactsAreFolded(t *testing.T) {
	got, _, err := all(unList)
	if err != nil {
		t.Fatal(err)
	}
	e := got[0]
	want := []any{[]string{"AUT"}, []string{"M"}, []Document{{Type: "Passport", Number: "P012345"}}}
	if diff := cmp.Diff(want, []any{e.Nationalities, e.Sexes, e.Documents}); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	for in, want := range map[string]string{"D": "DEU", "de": "DEU", "Germany": "DEU", "RUS": "RUS", "Russia": "RUS", "Atlantis": "ATLANTIS"} {
		if got := Country(in); got != want {
			t.Errorf("Country(%q) is %q, want %q", in, got, want)
		}
	}
}

func TestFilesThatAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want error
	}{
		"nothing":                    {"", ErrNotAList},
		"a page of an error":         {"<!doctype html><html><body>sorry</body></html>", ErrHostile},
		"a page without a type":      {"<html><body>sorry</body></html>", ErrNotAList},
		"a binary file":              {"PK\x03\x04\x00\x00", ErrNotAList},
		"the list of a retired site": {"<ArrayOfFinancialSanctionsTarget/>", ErrNotAList},
		"a part of the Swiss list":   {`<swiss-sanctions-list list-type="delta" date="2026-02-27"/>`, ErrNotAList},
		"an XML that ends early":     {unList[:len(unList)-60], ErrBroken},
		"entities that grow": {
			`<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;">]>` +
				`<CONSOLIDATED_LIST><INDIVIDUAL>&lol2;</INDIVIDUAL></CONSOLIDATED_LIST>`, ErrHostile,
		},
		"a type definition after the root": {"<sdnList><!DOCTYPE x></sdnList>", ErrHostile},
		"elements without end":             {"<sdnList><sdnEntry>" + strings.Repeat("<a>", 100), ErrHostile},
		"JSON without end":                 {`{"name":` + strings.Repeat("[", 100), ErrHostile},
		"an entry of nine million letters": {`{"name":"` + strings.Repeat("a", 9<<20) + `"}`, ErrHostile},
		"a column that nobody knows":       {"name,shoe size\nIlyan,42\n", ErrNotAList},
	} {
		t.Run(name, func(t *testing.T) {
			if got, _, err := all(c.text); !errors.Is(err, c.want) {
				t.Errorf("got %d entries and %v, want %v", len(got), err, c.want)
			}
		})
	}
}

func TestEntriesThatCannotBeReadAreCounted(t *testing.T) {
	got, s, err := all("name,birth\nIlyan Zahran,1965\n,1965\nAda Zahran,31 Smarch\n\"-\",\nToo,many,columns\n")
	if err != nil || len(got) != 1 || s.Rejected != 4 || !slices.Equal(s.RejectedRows, []int{3, 4, 5, 6}) {
		t.Errorf("got %d entries, %d rejected in lines %v, %v", len(got), s.Rejected, s.RejectedRows, err)
	}
	_, s, err = all(`{"name":"Ada Zahran"}` + "\n\n" + `{"nom":"Ilyan"}` + "\n" + strings.Repeat("{\n", 30))
	if err != nil || s.Rejected != 31 || len(s.RejectedRows) != 20 || s.RejectedRows[0] != 3 || s.RejectedRows[19] != 22 {
		t.Errorf("got %d rejected in lines %v, %v", s.Rejected, s.RejectedRows, err)
	}
	if _, s, err = all(strings.Replace(unList, "<FIRST_NAME>", "<NOBODY>", 1)); err == nil && len(s.RejectedRows) > 0 {
		t.Errorf("lines %v of an XML file", s.RejectedRows)
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{unList, ofacList, euList, ukList, secoList, advancedList, sdnList, ftmList, ownCSV, ownJSON} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		s, err := Read(strings.NewReader(string(raw)), Options{}, func(c Change, _ Format) error {
			if c.Op == Put && (c.Entity.ID == "" || len(c.Entity.Names) == 0) {
				t.Fatalf("an entry without id or name: %+v", c.Entity)
			}
			return nil
		})
		if err == nil && s.Bytes != int64(len(raw)) {
			t.Fatalf("read %d bytes of %d", s.Bytes, len(raw))
		}
	})
}

func TestANameInTwoScriptsIsTwoNames(t *testing.T) {
	for text, want := range map[string][]string{
		"Ivan Zahran (Иван Захран)":                  {"Ivan Zahran", "Иван Захран"},
		"Ivan Zahran (original script: Иван Захран)": {"Ivan Zahran", "Иван Захран"},
		"حسن زهران (Hasan Zahran":                    {"حسن زهران", "Hasan Zahran"},
		"Ivan Zahran (a remark)":                     {"Ivan Zahran (a remark)"},
		"Ivan (Иван) Zahran":                         {"Ivan (Иван) Zahran"},
		"Ivan Zahran (1962)":                         {"Ivan Zahran (1962)"},
	} {
		var got []string
		for _, n := range tidyNames([]ListedName{{Text: text, Strength: Weak}}) {
			got = append(got, n.Text)
			if n.Strength != Weak {
				t.Errorf("%q: got strength %s, want that of the whole", text, n.Strength)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
