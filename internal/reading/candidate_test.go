package reading

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/reading/calendar"
)

func TestAnAddressMayBeginBehindTheNumberOfItsField(t *testing.T) {
	for _, tc := range []struct {
		what, text string
		family     family
		want       string
	}{
		{"a field's number before a house's", "8. 161 Hazel Lane", numbered, "161 Hazel Lane"},
		{"a field's number before a house's and a word of labels", "8. 161 Observatory Road", numbered, "161 Observatory Road"},
		{"a house's number where fields are numbered", "8 Hazel Lane", numbered, "8 Hazel Lane"},
		{"two numbers where no fields are numbered", "8 161 Hazel Lane", plain, "8 161 Hazel Lane"},
	} {
		rows := rowsOf(sheet(printed{x: 100, y: 100, text: tc.text}))
		_, apart := linesApart(rows, tc.family)
		var texts []string
		for _, c := range candidatesOf(rows, piecesOf(rows, apart), plain) {
			if c.kind == aText {
				texts = append(texts, c.value)
			}
		}
		if !slices.Contains(texts, tc.want) {
			t.Errorf("%s: candidates %q, want %q among them", tc.what, texts, tc.want)
		}
	}
}

func TestANumberMayHaveALabelBetweenItsParts(t *testing.T) {
	rows := rowsOf(sheet(printed{x: 100, y: 100, text: "SERIA HD NR 198025"}))
	_, apart := linesApart(rows, plain)
	var numbers []string
	for _, c := range candidatesOf(rows, piecesOf(rows, apart), plain) {
		if c.kind == aNumber {
			numbers = append(numbers, c.value)
		}
	}
	if !slices.Contains(numbers, "HD198025") || !slices.Contains(numbers, "198025") {
		t.Errorf("candidates %q", numbers)
	}
}

func TestANumberDoesNotBeginBehindAFigureThatWasMisread(t *testing.T) {
	for _, tc := range []struct {
		what, text, number string
		want               bool
	}{
		{"a seven and a one that were read as a bracket", "S5147(2-80-844-0", "2808440", false},
		{"a number in brackets behind a word", "Card (2-80-844-0)", "2808440", true},
		{"a number with its check figure in brackets", "A123456(3)", "A123456", true},
	} {
		rows := rowsOf(sheet(printed{x: 100, y: 100, text: tc.text}))
		_, apart := linesApart(rows, plain)
		got := slices.ContainsFunc(candidatesOf(rows, piecesOf(rows, apart), plain), func(c candidate) bool { return c.kind == aNumber && c.value == tc.number })
		if got != tc.want {
			t.Errorf("%s: %q is a candidate: %t, want %t", tc.what, tc.number, got, tc.want)
		}
	}
}

func TestANameMayBeOnTwoRows(t *testing.T) {
	for _, tc := range []struct {
		what     string
		texts    []printed
		want     string
		together bool
	}{
		{"two words below each other", []printed{{x: 100, y: 100, text: "ORTEGA"}, {x: 100, y: 140, text: "BLANCO"}}, "ORTEGA BLANCO", true},
		{"two words far from each other", []printed{{x: 100, y: 100, text: "ORTEGA"}, {x: 100, y: 240, text: "BLANCO"}}, "ORTEGA BLANCO", false},
		{"two words that begin elsewhere", []printed{{x: 100, y: 100, text: "ORTEGA"}, {x: 400, y: 140, text: "BLANCO"}}, "ORTEGA BLANCO", false},
		{"a name above a number", []printed{{x: 100, y: 100, text: "ORTEGA"}, {x: 100, y: 140, text: "X1234567"}}, "ORTEGA X1234567", false},
		{"a sentence above a name", []printed{{x: 100, y: 100, text: "THE HOLDER OF THIS"}, {x: 100, y: 140, text: "BLANCO"}}, "THE HOLDER OF THIS BLANCO", false},
	} {
		rows := rowsOf(sheet(tc.texts...))
		_, apart := linesApart(rows, plain)
		got := slices.ContainsFunc(candidatesOf(rows, piecesOf(rows, apart), plain), func(c candidate) bool { return c.kind == aName && c.value == tc.want })
		if got != tc.together {
			t.Errorf("%s: %q is a candidate: %t, want %t", tc.what, tc.want, got, tc.together)
		}
	}
}

func TestALicenceOfNorthAmericaMayStateBothNamesInOneRow(t *testing.T) {
	for _, tc := range []struct {
		family family
		want   []string
	}{
		{american, []string{"JOHN A SMITH", "JOHN A", "SMITH"}},
		{plain, []string{"JOHN A SMITH"}},
	} {
		rows := rowsOf(sheet(printed{x: 100, y: 100, text: "JOHN A. SMITH"}))
		_, apart := linesApart(rows, tc.family)
		var got []string
		for _, c := range candidatesOf(rows, piecesOf(rows, apart), tc.family) {
			if name := strings.ReplaceAll(c.value, ".", ""); c.kind == aName && !slices.Contains(got, name) {
				got = append(got, name)
			}
		}
		slices.Sort(got)
		slices.Sort(tc.want)
		if d := cmp.Diff(tc.want, got); d != "" {
			t.Errorf("%s: names (-want +got)\n%s", tc.family, d)
		}
	}
}

func TestANameIsGivenWithoutWhatIsNoName(t *testing.T) {
	for text, want := range map[string]string{
		"JANE Q.":        "JANE Q.", // an initial keeps its point
		"JANE Q":         "JANE Q",
		"JANE QUINN.":    "JANE QUINN",
		"Q.":             "",
		"MR JANE A. DOE": "JANE A. DOE",
		"· JANE ·":       "JANE",
		"JANE <<":        "JANE",
		"llona":          "Ilona", // both are one stroke
		"Quinn lngrid":   "Quinn Ingrid",
		"la Quinn":       "la Quinn",
		"Jane Llewellyn": "Jane Llewellyn",
		".":              "",
	} {
		if got := nameOf(text); got != want {
			t.Errorf("nameOf(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestANumberIsNotCutAtItsHyphens(t *testing.T) {
	page := sheet(printed{x: 100, y: 100, text: "K219-40-71-633-0"})
	for i := range 16 { // much white behind the first hyphen
		at := (float64(i) + .5) / 20
		if i > 4 {
			at += .2
		}
		page.Lines[0].At = append(page.Lines[0].At, at)
	}
	rows := rowsOf(page)
	var got []string
	for _, p := range piecesOf(rows, nil) {
		for _, c := range numbersOf(rows, p, "") {
			got = append(got, c.value)
		}
	}
	if want := []string{"K21940716330"}; !slices.Equal(slices.Compact(got), want) {
		t.Errorf("got numbers %q, want %q", got, want)
	}
}

func TestTheNumberOfAPassportIsNotThatOfAVisa(t *testing.T) {
	for _, tc := range []struct {
		what, label string
		kind        idv.DocumentKind
		want        bool
	}{
		{"a passport's number on a visa", "Passport ref.", idv.Visa, false},
		{"the same in another language", "Paszport nr", idv.Visa, false},
		{"a visa's number", "Visa number", idv.Visa, true},
		{"a passport's number on a passport", "Passport ref.", idv.Passport, true},
	} {
		p := sheet(printed{x: 100, y: 100, text: tc.label}, printed{x: 100, y: 140, text: "G86ZL50G5"})
		p.Kind = tc.kind
		got := slices.ContainsFunc(viewOf(p).options(fNumber), func(o Option) bool { return o.Value == "G86ZL50G5" })
		if got != tc.want {
			t.Errorf("%s may be the number of the document: %t, want %t", tc.what, got, tc.want)
		}
	}
}

func TestALetterOfADayOrNumberIsNoSex(t *testing.T) {
	for _, tc := range []struct {
		what, text string
		want       []string
	}{
		{"the month of a day", "2.X.2025", nil},
		{"the last letter of a number", "38029999-M", nil},
		{"a sex before a day", "M/12.03.1990", []string{"M"}},
		{"a sex behind a day", "12.03.1990/F", []string{"F"}},
		{"a sex by itself", "F", []string{"F"}},
	} {
		rows := rowsOf(sheet(printed{x: 100, y: 100, text: tc.text}))
		_, apart := linesApart(rows, plain)
		var got []string
		for _, c := range candidatesOf(rows, piecesOf(rows, apart), plain) {
			if c.kind == aSex {
				got = append(got, c.value)
			}
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: candidates for a sex, want −, got +:\n%s", tc.what, diff)
		}
	}
}

func TestAHeightIsNoOffice(t *testing.T) {
	for text, want := range map[string]bool{"178": false, "119": true, "0178": true, "1780": true, "PASSAU": true, "BERN 178": true} {
		p := sheet(printed{x: 100, y: 100, text: text})
		got := slices.ContainsFunc(viewOf(p).options(fAuthority), func(o Option) bool { return o.Value == text })
		if got != want {
			t.Errorf("%q may be an office: %t, want %t", text, got, want)
		}
	}
}

func TestADateIsNotCutAtItsSignsHoweverWideItIsSet(t *testing.T) {
	for _, text := range []string{"2025.10.14", "28.X.1965", "09-12-2031"} {
		page := sheet(printed{x: 100, y: 100, text: text})
		at := .05
		for _, c := range text { // much white round each sign
			if c == '.' || c == '-' {
				at += .05
			}
			page.Lines[0].At = append(page.Lines[0].At, at)
			at += .05
			if c == '.' || c == '-' {
				at += .05
			}
		}
		rows := rowsOf(page)
		days := 0
		for _, p := range piecesOf(rows, nil) {
			days += len(daysOf(rows, p))
		}
		if days == 0 {
			t.Errorf("%s: no day was found", text)
		}
	}
}

func TestAPageSaysOfAStateWhatElseNamesIt(t *testing.T) {
	p := NewProblem(sheet(printed{x: 100, y: 50, text: "KENYA"}, printed{x: 100, y: 200, text: "M, KEN"}), &Model{})
	for at, o := range p.Options[fNationality] {
		var got []string
		for _, f := range p.OwnFeatures(fNationality, at) {
			got = append(got, f.Name)
		}
		slices.Sort(got)
		var want []string
		switch {
		case o.Value == "KEN" && o.Spans[0] == (span{1, 3, 6}):
			want = []string{"own nationality beside a sex", "own nationality same state above", "own nationality same state elsewhere"}
		case o.Value == "KEN" && o.Spans[0].row == 1: // M, KEN
			want = []string{"own nationality same state above", "own nationality same state elsewhere"}
		case o.Value == "KEN":
			want = []string{"own nationality same state elsewhere"}
		}
		if !slices.Equal(got, want) {
			t.Errorf("option %d, %q: %q, want %q", at, o.Value, got, want)
		}
	}
}

func TestANumberMayHaveAWordBehindItsSeries(t *testing.T) {
	for text, want := range map[string]bool{
		"HD NR 198025": true, "SS nr. 099993": true, "Card No 198025": false, "NR 198025": false, "HD NR AB12": false, "HD OF 198025": false, "": false,
	} {
		if got := SeriesOf(text); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
}

func TestANaughtInAWordOfLettersIsAnO(t *testing.T) {
	for text, want := range map[string]string{
		"2 0SKAR": "2 OSKAR", "0'DONOVAN": "O'DONOVAN",
		"T0UL0USE": "T0UL0USE", "AB0": "AB0", "0CT": "0CT", "A012BC": "A012BC", "12 0CTO 30": "12 OCTO 30", "": "",
	} {
		if got := string(naughtsInWords([]rune(text))); got != want {
			t.Errorf("%q is read as %q, want %q", text, got, want)
		}
	}
}

func TestLettersBehindAFigureOfAnAddressMayBeFigures(t *testing.T) {
	for text, want := range map[string]string{
		"MÄKITIE 7I, 32729 KUOPIO":      "MÄKITIE 71, 32729 KUOPIO",
		"RRUGA E KAVAJËS 7O 4312 BERAT": "RRUGA E KAVAJËS 70 4312 BERAT",
		"CALLE MAYOR 48/2O":             "CALLE MAYOR 48/20",
		"7A HAZEL LANE, E1 OAA":         "7A HAZEL LANE, E1 OAA",
		"LEIPZIG II":                    "LEIPZIG II",
		"Ulica Petra l 76-4, 1093 Ptuj": "Ulica Petra I 76-4, 1093 Ptuj",
		"RUE CHARLES | 8":               "RUE CHARLES I 8",
		"12 l":                          "12 l",
		"Dorpsweg 71 4913 KX Hoorn":     "Dorpsweg 71 4913 KX Hoorn",
	} {
		if got := figuresBehind(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestAWordOfNothingButOsIsOfNaughts(t *testing.T) {
	for text, want := range map[string]string{
		"DIPONEGOR0 12": "DIPONEGORO 12", "4027O PAPHOS": "40270 PAPHOS", "CARLISLE OO": "CARLISLE 00", "O": "O", "OO7": "OO7", "OOSTENDE": "OOSTENDE",
	} {
		if got := naughtsAndOs(text); got != want {
			t.Errorf("%q is read as %q, want %q", text, got, want)
		}
	}
}

func TestTheStatesThatAPageNamesTellTheOrderOfItsDays(t *testing.T) {
	const open = "08-04-2003"
	for _, tc := range []struct {
		what  string
		lines []string
		want  calendar.Order
	}{
		{"a state that puts the day first", []string{"REPÚBLICA DEL PERÚ", open}, calendar.DayFirst},
		{"a state of people where the issuer is not told", []string{"CÔTE D'IVOIRE", open}, calendar.DayFirst},
		{"a state that puts the month first, beside another", []string{"UNITED STATES OF AMERICA", "PERUVIAN", open}, calendar.Told},
		{"a state that uses both orders", []string{"CANADA", open}, calendar.Told},
		{"no state", []string{"Born", open}, calendar.Told},
		{"a state of specimens", []string{"UTOPIA", open}, calendar.Told},
		{"another day of the page, whatever the state", []string{"REPÚBLICA DEL PERÚ", open, "08-24-2033"}, calendar.MonthFirst},
	} {
		var lines []printed
		for i, text := range tc.lines {
			lines = append(lines, printed{x: 100, y: 100 + 60*float64(i), text: text})
		}
		if got := viewOf(sheet(lines...)).order; got != tc.want {
			t.Errorf("%s: order %d, want %d", tc.what, got, tc.want)
		}
	}
}
