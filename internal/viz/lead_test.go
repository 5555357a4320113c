package viz

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAShortLabelRightBehindAValueIsNoPartOfIt(t *testing.T) {
	for name, c := range map[string]struct {
		line string
		want claims
	}{
		"it is said again in another language":      {"Nombres - Given names: JIŘÍ VÁCLAV Sexo · Sex M", claims{givenNames: "JIŘÍ VÁCLAV", sex: "M"}},
		"a colon follows it":                        {"Given names: JIŘÍ VÁCLAV Sex: M", claims{givenNames: "JIŘÍ VÁCLAV", sex: "M"}},
		"a name that is such a word, at the end":    {"Given names: ANNA IME", claims{givenNames: "ANNA IME"}},
		"a name that is such a word, before others": {"Given names: ANNA NEM BO", claims{givenNames: "ANNA NEM BO"}},
		"the number of a house":                     {"Address: MILL ROAD NO: 5 UTOPIA", claims{address: "MILL ROAD NO: 5 UTOPIA"}},
	} {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(c.want, stated(Read(pageOf(at(100, 100, 20, c.line))))); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestALabelThatWasCutIsOne(t *testing.T) {
	row := func(first, rest string) Page {
		a := at(100, 100, 14, first)
		return pageOf(at(250, 60, 14, "Surname"), at(390, 60, 20, "NOVAK"), a, at(a.Strip.X+a.Strip.Length/2+8, 101, 14, rest), at(390, 100, 20, "A CORUÑA"))
	}
	for name, c := range map[string]struct {
		page Page
		want claims
	}{
		"its end is another fact's label, behind a word that links": {row("Místo narození/Lugar", "de nacimiento:"), claims{surname: "NOVAK", placeOfBirth: "A CORUÑA"}},
		"its end is another fact's label":                           {row("Místo narození/Lugar de", "nacimiento:"), claims{surname: "NOVAK", placeOfBirth: "A CORUÑA"}},
		"its end is of no label of its fact":                        {row("Místo narození/Lugar", "de emisión:"), claims{surname: "NOVAK"}},
		"a word that links is no place":                             {pageOf(at(100, 100, 20, "Place of birth: di")), claims{}},
	} {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(c.want, stated(Read(c.page))); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}
