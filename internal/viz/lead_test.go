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
