package viz

import "testing"

func TestANationalityIsReadBesideLabelsThatWereMisread(t *testing.T) {
	for name, c := range map[string]struct {
		line string
		want string
	}{
		"its code behind a label in another language, misread":        {"STAATSANGEHÖRIGKEIT/NATIONIY BRA", "BRA"},
		"the word behind two such labels":                             {"KANSALAISUUS- NIONALTY- NATIONAUTĚ UTOPIALAINEN", "UTO"},
		"its code, with which the label nearly is a longer one":       {"Staatsangehörigkeit / Nationality / Nationalité UTO", "UTO"},
		"the end of a label that is no state's code":                  {"Nationality / Nationalité IIT", ""},
		"behind words that are no label of it":                        {"STAATSANGEHÖRIGKEIT/MATIONIY BRA", ""},
		"without a label, in two languages":                           {"UTOPIJSKIE / UTOPIAN", "UTO"},
		"without a label, of two peoples":                             {"UTOPIJSKIE / GERMAN", ""},
		"without a label, in one language, which may be a name":       {"GERMAN", ""},
		"without a label, the name of the state":                      {"UTOPIEN / UTOPIE", ""},
		"a heading with words that name people, too":                  {"SUOMI / FINLAND", ""},
		"behind the label of something else, in two languages":        {"Place of birth: UTOPIJSKIE / UTOPIAN", ""},
		"without a label, twice, of which nobody knows what which is": {"UTOPIJSKIE / UTOPIAN|UTOPIJSKIE / UTOPIAN", ""},
	} {
		t.Run(name, func(t *testing.T) {
			lines := []Line{at(100, 60, 20, "Surname: ERIKSSON"), at(100, 100, 20, "Date of birth: 12 AUG 1974")}
			for i, text := range splitLines(c.line) {
				lines = append(lines, at(100, 140+40*float64(i), 20, text))
			}
			if got := stated(Read(pageOf(lines...)))[nationality]; got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
