package reading

import (
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// verdictOn compares a page of one line with a zone that states one fact. read is what the page was read to state as that fact; empty: nothing.
func verdictOn(text, read string, name idv.ClaimName, want string, cut int, sure float64) Answer {
	p := sheet(printed{x: 100, y: 100, text: text})
	for range []rune(text) {
		p.Lines[0].Chars = append(p.Lines[0].Chars, sure)
	}
	answers, _ := Compare(p, statedAs(p, name, read), []idv.Claim{{Name: name, Value: want, Source: idv.FromMRZ}}, cut)
	return answers[0]
}

// statedAs is a reading that surely states pairs of a fact and its value, in print as high as a page's first line; empty values are left out.
func statedAs(p Page, pairs ...any) Reading {
	var out Reading
	for i := 0; i < len(pairs); i += 2 {
		name, value := pairs[i].(idv.ClaimName), pairs[i+1].(string)
		if value != "" {
			box := idv.Box{X: .1, Y: .1 + .1*float64(i), Width: .2, Height: p.Lines[0].Strip.Height / float64(p.Height)}
			out.Claims = append(out.Claims, idv.Claim{Name: name, Value: value, Source: idv.FromPrinted, Confidence: .99, Box: &box})
		}
	}
	return out
}

func TestNamesAreComparedByTheirTransliterations(t *testing.T) {
	for name, c := range map[string]struct {
		text, read, zone string
		cut              int
		sure             float64
		want             Verdict
		value            string
	}{
		"the same":                                  {"ERIKSSON", "", "ERIKSSON", 0, 1, Agrees, "ERIKSSON"},
		"after a label":                             {"Surname ERIKSSON", "ERIKSSON", "ERIKSSON", 0, 1, Agrees, "ERIKSSON"},
		"with a diacritic":                          {"MÜLLER", "", "MUELLER", 0, 1, Agrees, "MÜLLER"},
		"whose diacritic the reader lost":           {"MULLER", "", "MUELLER", 0, 1, Agrees, "MULLER"},
		"with a diacritic, but who is sure":         {"MÜLLER", "", "MUELLER", 0, .4, Agrees, "MUELLER"},
		"with a diacritic, whose space was lost":    {"ANNAMÁRIA", "", "ANNA MARIA", 0, 1, Agrees, "ANNA MÁRIA"},
		"as in the zone, but who is sure":           {"MULLER", "", "MULLER", 0, .5, Agrees, "MULLER"},
		"with cedillas, which are Romanian commas":  {"ŢEPELUŞ", "", "TEPELUS", 0, 1, Agrees, "ȚEPELUȘ"},
		"in small letters":                          {"Anna Maria", "", "ANNA MARIA", 0, 1, Agrees, "Anna Maria"},
		"with a hyphen":                             {"ANNA-MARIA", "", "ANNA MARIA", 0, 1, Agrees, "ANNA-MARIA"},
		"whose space the reader lost":               {"ANNAMARIA", "", "ANNA MARIA", 0, 1, Agrees, "ANNA MARIA"},
		"with a date behind it":                     {"KARABULUT 2411.2021", "", "KARABULUT", 0, 1, Agrees, "KARABULUT"},
		"run together with a date":                  {"Gonzalo12.2023)", "", "GONZALO", 0, 1, Agrees, "Gonzalo"},
		"behind figures":                            {"2 ERIKSSON", "", "ERIKSSON", 0, 1, Agrees, "ERIKSSON"},
		"that ends with a naught for an O":          {"MARI0", "", "MARIO", 0, 1, Agrees, "MARIO"},
		"in Cyrillic":                               {"ЩЕРБАКОВ", "ЩЕРБАКОВ", "SHCHERBAKOV", 0, 1, Agrees, "ЩЕРБАКОВ"},
		"in Greek":                                  {"ΙΩΑΝΝΙΔΗΣ", "", "IOANNIDIS", 0, 1, Agrees, "ΙΩΑΝΝΙΔΗΣ"},
		"in Greek and in Latin letters":             {"ΙΩΑΝΝΙΔΗΣ / IOANNIDIS", "", "IOANNIDIS", 0, 1, Agrees, "IOANNIDIS"},
		"in Cyrillic, written by another rule":      {"ЩЕРБАКОВ", "ЩЕРБАКОВ", "STCHERBAKOFF", 0, 1, Silent, ""},
		"another one, in letters that look Latin":   {"ВОСТОК", "ВОСТОК", "MERTENS", 0, 1, Disagrees, "ВОСТОК"},
		"another one, with the stem of a Greek eye": {"MARIANNE", "MARIANNE", "SABINE", 0, 1, Disagrees, "MARIANNE"},
		"one letter differs":                        {"ERIKSSEN", "", "ERIKSSON", 0, 1, Disagrees, "ERIKSSEN"},
		"one letter differs, but who is sure":       {"ERIKSSEN", "", "ERIKSSON", 0, .5, Silent, ""},
		"one letter is missing":                     {"KETTY", "", "ETTY", 0, 1, Disagrees, "KETTY"},
		"whose letter the reader does not know":     {"PORVALDSDOTTIR", "", "THORVALDSDOTTIR", 0, 1, Silent, ""},
		"with one letter left out":                  {"DANIL", "", "DANIEL", 0, 1, Silent, ""},
		"with one letter read twice":                {"MÄĂRTA", "", "MARTA", 0, 1, Silent, ""},
		"another name":                              {"PETERSEN", "", "ERIKSSON", 0, 1, Silent, ""},
		"another name after its label":              {"Surname PETERSEN", "PETERSEN", "ERIKSSON", 0, 1, Disagrees, "PETERSEN"},
		"a name that the zone cut short, after a label": {
			"Prénom(s): SÆUNN ÝR MAŁGORZATA", "SÆUNN ÝR MAŁGORZATA", "SAEUNN YR MALG", 14, 1, Agrees,
			"SÆUNN ÝR MAŁGORZATA",
		},
		"a name that the zone cut short": {"NILAVADHANANANDA", "", "NILAVADHANANA", 13, 1, Agrees, "NILAVADHANANANDA"},
		"two letters in other words":     {"BO EK LANE 12", "", "BO", 0, 1, Silent, ""},
		"two letters by themselves":      {"Surname EK", "EK", "EK", 0, 1, Agrees, "EK"},
	} {
		t.Run(name, func(t *testing.T) {
			got := verdictOn(c.text, c.read, idv.FamilyName, c.zone, c.cut, c.sure)
			if got.Verdict != c.want || got.Claim.Value != c.value {
				t.Errorf("%q for %q: %v %q, want %v %q", c.text, c.zone, got.Verdict, got.Claim.Value, c.want, c.value)
			}
			if filled := got.Verdict == Agrees && c.sure < confirmed.Least; got.Filled != filled {
				t.Errorf("%q: filled %v", c.text, got.Filled)
			}
		})
	}
}

func TestNumbersAreComparedByTheirShapes(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		sure float64
		want Verdict
	}{
		"the same":         {"L898902C3", 1, Agrees},
		"with spaces":      {"L 898 902 C3", 1, Agrees},
		"beside its label": {"Passport No. L898902C3", 1, Agrees},
		"a letter read as the digit of its shape": {"L8989O2C3", 1, Agrees},
		"one digit differs":                       {"L898992C3", 1, Disagrees},
		"one digit differs, but who is sure":      {"L898992C3", .5, Silent},
		"another number":                          {"ZE184226B", 1, Silent},
		"a word":                                  {"UTOPIAN", 1, Silent},
	} {
		t.Run(name, func(t *testing.T) {
			if got := verdictOn(c.text, "", idv.DocumentNumber, "L898902C3", 0, c.sure); got.Verdict != c.want {
				t.Errorf("%q: %v, want %v", c.text, got.Verdict, c.want)
			}
		})
	}
	for text, filled := range map[string]bool{"L898902C3": false, "No. L 898 902 C3": false, "L8989O2C3": true} {
		if got := verdictOn(text, "", idv.DocumentNumber, "L898902C3", 0, 1); got.Filled != filled || got.Claim.Value != "L898902C3" {
			t.Errorf("%q: filled %v, want %v", text, got.Filled, filled)
		}
	}
	if got := verdictOn("SERIA HD NR 198025", "", idv.DocumentNumber, "HD198025", 0, 1); got.Verdict != Agrees {
		t.Errorf("series and number apart: %v", got.Verdict)
	}
	if got := verdictOn("SERIA KX NR 198025", "", idv.DocumentNumber, "HD198025", 0, 1); got.Verdict == Agrees {
		t.Errorf("another series: %v", got.Verdict)
	}
}

func TestDaysOfTheZoneAreFoundInEveryForm(t *testing.T) {
	for _, text := range []string{
		"12.08.1974", "1974-08-12", "08/12/1974", "12/08/1974", "12081974", "12 08 74", "12 AUG 1974", "12 AUG/AOÛT 74",
		"12AUG/AOUT1974", "12.08.1974 ZENITH", "12 AUG 2517", "12.VIII.1974",
		"24/07/1394", "Aug 12, 1974", "12 SIE/AUG 1974",
	} {
		if got := verdictOn(text, "", idv.DateOfBirth, "1974-08-12", 0, 1); got.Verdict != Agrees || got.Claim.Value != "1974-08-12" {
			t.Errorf("%q: %v %q", text, got.Verdict, got.Claim.Value)
		}
	}
	for _, text := range []string{"13.08.1974", "12.08.1984", "L898902C36", "Date of birth"} {
		if got := verdictOn(text, "", idv.DateOfBirth, "1974-08-12", 0, 1); got.Verdict != Silent {
			t.Errorf("%q: %v", text, got.Verdict)
		}
	}
	if got := verdictOn("Date of birth: 13.08.1974", "1974-08-13", idv.DateOfBirth, "1974-08-12", 0, 1); got.Verdict != Disagrees {
		t.Errorf("another day after its label: %v", got.Verdict)
	}
}

func TestAPrintedCenturyCountsBeforeOneThatTheZoneLetsInfer(t *testing.T) {
	two := sheet(printed{x: 100, y: 100, text: "12.08."}, printed{x: 250, y: 100, text: "2012"})
	rows, _ := Compare(two, Reading{}, []idv.Claim{{Name: idv.DateOfBirth, Value: "1912-08-12", Source: idv.FromMRZ}}, 0)
	for where, got := range map[string]Answer{"on one line": verdictOn("12.08.2012", "", idv.DateOfBirth, "1912-08-12", 0, 1), "on two": rows[0]} {
		if got.Verdict != Agrees || got.Claim.Value != "2012-08-12" {
			t.Errorf("%s: %v %q", where, got.Verdict, got.Claim.Value)
		}
	}
}

func TestACenturyInWhichNoDocumentWasMadeIsTheZonesAsOneFigureOfItWasMisread(t *testing.T) {
	got := verdictOn("12 APR/APR 1006", "", idv.DateOfExpiry, "2006-04-12", 0, 1)
	if got.Verdict != Agrees || got.Claim.Value != "2006-04-12" {
		t.Errorf("%v %q", got.Verdict, got.Claim.Value)
	}
}

func TestWhatThePageSaysBesideTheZoneStaysUnlessItIsDoubtful(t *testing.T) {
	p := sheet(printed{x: 100, y: 100, text: "F ZENITH 1234567890"})
	read := statedAs(p, idv.Sex, "F", idv.PlaceOfBirth, "ZENITH", idv.PersonalNumber, "1234567890", idv.Nationality, "UTO")
	zone := []idv.Claim{{Name: idv.Sex, Value: "F"}, {Name: idv.PersonalNumber, Value: "ZE184226B"}, {Name: idv.Nationality, Value: "UTO"}}
	_, rest := Compare(p, read, zone, 0)
	want := map[idv.ClaimName]string{idv.Sex: "F", idv.PlaceOfBirth: "ZENITH", idv.Nationality: "UTO"}
	if d := cmp.Diff(want, valuesOf(Reading{Claims: rest}, idv.Sex, idv.PlaceOfBirth, idv.PersonalNumber, idv.Nationality)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestATextThatAgreesWithTheZoneStatesNoOtherFact(t *testing.T) {
	p := sheet(printed{x: 100, y: 100, text: "KOVAČ"}, printed{x: 100, y: 400, text: "ŠIBENIK"}, printed{x: 700, y: 100, text: "ZADAR"})
	read := statedAs(p, idv.Sex, "F")
	for i, name := range []idv.ClaimName{idv.Authority, idv.PlaceOfBirth, idv.Address} {
		c := comparerOf(p, 0)
		read.Claims = append(read.Claims, idv.Claim{Name: name, Value: "X", Box: c.boxOf([]span{{i, 0, len(c.rows[i].runes)}})})
	}
	_, rest := Compare(p, read, []idv.Claim{{Name: idv.FamilyName, Value: "KOVAC"}}, 0)
	want := map[idv.ClaimName]string{idv.Sex: "F", idv.PlaceOfBirth: "X", idv.Address: "X"}
	if d := cmp.Diff(want, valuesOf(Reading{Claims: rest}, idv.Sex, idv.Authority, idv.PlaceOfBirth, idv.Address)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestWhatIsLikelyIsClaimedWhereTheZoneSaysTheSame(t *testing.T) {
	zone := []idv.Claim{
		{Name: idv.Nationality, Value: "D"}, {Name: idv.Sex, Value: "F"}, {Name: idv.Issuer, Value: "FRA"}, {Name: idv.PersonalNumber, Value: "12 34"},
	}
	likely := []idv.Claim{
		{Name: idv.Nationality, Value: "DEU", Confidence: .7},
		{Name: idv.Sex, Value: "F", Confidence: .8}, {Name: idv.PersonalNumber, Value: "1234", Confidence: .95},
		{Name: idv.PlaceOfBirth, Value: "PARIS", Confidence: .8},
	}
	_, got := Compare(sheet(printed{x: 100, y: 100, text: "A"}), Reading{Likely: likely}, zone, 0)
	likely[2].Confidence = idv.SurelyRead - .01
	if diff := cmp.Diff([]idv.Claim{likely[0], likely[2]}, got); diff != "" {
		t.Error("(-want +got)\n" + diff)
	}
}

func TestWhatThePageSurelyStatesCountsBeforeWhatIsFoundElsewhere(t *testing.T) {
	for name, c := range map[string]struct {
		fact        idv.ClaimName
		read, zone  string
		texts, rest string
	}{
		"the zone's name in an address":     {idv.FamilyName, "PETERSEN", "ERIKSSON", "PETERSEN", "12 ERIKSSON STREET"},
		"the zone's birthday as issue date": {idv.DateOfBirth, "1980-11-03", "1974-08-12", "03.11.1980", "12.08.1974"},
	} {
		t.Run(name, func(t *testing.T) {
			p := sheet(printed{x: 100, y: 60, text: c.texts}, printed{x: 100, y: 400, text: c.rest})
			answers, _ := Compare(p, statedAs(p, c.fact, c.read), []idv.Claim{{Name: c.fact, Value: c.zone}}, 0)
			if answers[0].Verdict != Disagrees {
				t.Errorf("got %v, want a disagreement", answers[0])
			}
		})
	}
}

func TestWhatTheReaderIsUnsureOfStatesNothing(t *testing.T) {
	p := sheet(printed{x: 100, y: 100, text: "MARIO"})
	p.Lines[0].Chars = []float64{1, 1, 1, 1, .6}
	answers, rest := Compare(p, Read(p), []idv.Claim{{Name: idv.FamilyName, Value: "MARIA"}}, 0)
	if answers[0].Verdict != Silent || len(rest) > 0 {
		t.Errorf("got %v and %v, want silence: the zone's value was never read from print", answers[0], rest)
	}
}

func TestAShortNumberIsNotFoundAnywhere(t *testing.T) {
	if got := verdictOn("height 12 cm", "", idv.DocumentNumber, "12", 0, 1); got.Verdict == Agrees {
		t.Errorf("got %v", got)
	}
}

func TestTheOrderOfDayAndMonthIsTheIssuersNotTheZones(t *testing.T) {
	p := sheet(printed{x: 100, y: 100, text: "Date of birth: 08/12/1974"})
	for issuer, want := range map[string]Verdict{"FRA": Silent, "USA": Agrees} {
		answers, _ := Compare(p, Reading{Issuer: issuer}, []idv.Claim{{Name: idv.DateOfBirth, Value: "1974-08-12"}}, 0)
		if answers[0].Verdict != want {
			t.Errorf("%s: got %v, want %v", issuer, answers[0].Verdict, want)
		}
	}
}

func TestAPageOfWordsThatAreAllAlikeIsComparedWithinItsBudget(t *testing.T) {
	var lines []printed
	for i := range 64 {
		lines = append(lines, printed{x: 10, y: float64(10 * i), text: "AA A AAA AA A AAA AA A AAA AA A AAA AA A AAA AA A AAA AA A AAA", h: 8})
	}
	c := comparerOf(sheet(lines...), 39)
	if _, _, ok := c.search(idv.GivenNames, "AA A A A A A A A A A A A AAAAB"); ok {
		t.Error("found a name that is not there")
	}
	if *c.names > 0 {
		t.Errorf("%d comparisons are left of a page that asks for thousands", *c.names)
	}
}

func TestADayOfIssueThatWasTakenForThatOfBirthContradictsNothing(t *testing.T) {
	p := sheet(printed{x: 100, y: 100, text: "27.07.1998"})
	for read, want := range map[string]Verdict{"1998-07-27": Silent, "1998-07-28": Silent, "1998-07-26": Disagrees} {
		zone := []idv.Claim{{Name: idv.DateOfBirth, Value: "1966-06-07"}, {Name: idv.DateOfExpiry, Value: "2008-07-27"}}
		answers, rest := Compare(p, statedAs(p, idv.DateOfBirth, read), zone, 0)
		if answers[0].Verdict != want || len(rest) > 0 {
			t.Errorf("%s: got %v and %v, want %v", read, answers[0].Verdict, rest, want)
		}
	}
}

func TestSmallPrintDoesNotContradict(t *testing.T) {
	for height, want := range map[float64]Verdict{24: Disagrees, 12: Silent} {
		p := sheet(printed{x: 100, y: 100, text: "Surname: ERIKSSEN", h: height})
		answers, _ := Compare(p, statedAs(p, idv.FamilyName, "ERIKSSEN"), []idv.Claim{{Name: idv.FamilyName, Value: "ERIKSSON"}}, 0)
		if answers[0].Verdict != want {
			t.Errorf("%.0f pixels: %v, want %v", height, answers[0].Verdict, want)
		}
	}
}

func TestALabelThatWasTakenForANameSpeaksAgainstNothing(t *testing.T) {
	zone := []idv.Claim{{Name: idv.FamilyName, Value: "DURANDEAU"}, {Name: idv.GivenNames, Value: "JEAN PAUL"}}
	for name, tc := range map[string]struct {
		surname, given string
		want           []Verdict
	}{
		"a label of which a letter was misread":            {"DURANDEAU", "Nationalitat", []Verdict{Agrees, Silent}},
		"another surname beside given names set as it is":  {"MARTINEZ", "JEAN PAUL", []Verdict{Disagrees, Agrees}},
		"another surname beside given names set otherwise": {"MARTINEZ", "Jean Paul", []Verdict{Disagrees, Agrees}},
	} {
		p := sheet(printed{x: 100, y: 60, text: tc.surname}, printed{x: 100, y: 160, text: tc.given})
		answers, _ := Compare(p, statedAs(p, idv.FamilyName, tc.surname, idv.GivenNames, tc.given), zone, 0)
		if diff := cmp.Diff(tc.want, []Verdict{answers[0].Verdict, answers[1].Verdict}); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
	}
}

func TestOfGivenNamesThatTheZoneCutToOneLetterThoseThatAreStatedCount(t *testing.T) {
	zone := []idv.Claim{{Name: idv.FamilyName, Value: "KEREKES SZENTGYOERGYI VON HO"}, {Name: idv.GivenNames, Value: "M"}}
	for name, tc := range map[string]struct {
		given string
		cut   int
		want  Verdict
	}{
		"they begin with the letter":     {"MIN", 31, Agrees},
		"they begin with another":        {"KIM", 31, Silent},
		"the zone was not cut, and less": {"MIN", 0, Silent},
	} {
		p := sheet(printed{x: 100, y: 60, text: "KEREKES-SZENTGYÖRGYI VON HOHENLOHE"}, printed{x: 100, y: 160, text: tc.given}, printed{x: 100, y: 260, text: "M"})
		answers, _ := Compare(p, statedAs(p, idv.GivenNames, tc.given), zone, tc.cut)
		if got := answers[1].Verdict; got != tc.want {
			t.Errorf("%s: got %v, want %v", name, got, tc.want)
		}
	}
}

func TestANameCutToThreeLettersIsFoundIfOnlyOneWordBeginsWithThem(t *testing.T) {
	zone := []idv.Claim{{Name: idv.FamilyName, Value: "KEREKES SZENTGYOERGYI VON"}, {Name: idv.GivenNames, Value: "RUB"}}
	for _, tc := range []struct {
		name, stated, other string
		want                string
	}{
		{"one word", "", "NOTES 8 E", "RUBÉN"},
		{"two words, and the page names neither", "", "RUBRIEK 8 E", ""},
		{"two words, and the page names one", "RUBÉN", "RUBRIEK 8 E", "RUBÉN"},
	} {
		p := sheet(printed{x: 100, y: 60, text: "KEREKES-SZENTGYÖRGYI VON"}, printed{x: 100, y: 160, text: "RUBÉN"}, printed{x: 100, y: 260, text: tc.other})
		answers, _ := Compare(p, statedAs(p, idv.GivenNames, tc.stated), zone, 31)
		if got := answers[1].Claim.Value; got != tc.want {
			t.Errorf("%s: got %q, want %q", tc.name, got, tc.want)
		}
	}
}

func TestPrintsFindsAFactWhateverIsBesideIt(t *testing.T) {
	p := sheet(printed{x: 100, y: 60, text: "ERIKA MUSTERFRAU, 12 AUG 1964 L01X00T47"})
	for _, tc := range []struct {
		name  idv.ClaimName
		value string
		want  bool
	}{
		{idv.FamilyName, "MUSTERFRAU", true},
		{idv.FamilyName, "MUSTER", false},
		{idv.DateOfBirth, "1964-08-12", true},
		{idv.DateOfBirth, "1964-08-13", false},
		{idv.DocumentNumber, "L01X00T47", true},
		{idv.DocumentNumber, "L01X00T48", false},
		{idv.Sex, "F", false},
	} {
		if got := Prints(p, tc.name, tc.value); got != tc.want {
			t.Errorf("%s %s: got %t, want %t", tc.name, tc.value, got, tc.want)
		}
	}
}

// FuzzCompare: whatever the lines say and wherever they are, comparing ends, and a claim is on the page.
func FuzzCompare(f *testing.F) {
	f.Add("Surname / Nom|ERIKSSON|Date of birth|12 AUG/AOÛT 74", 0.0, 20.0, "")
	f.Add("1. BRØNDSTED|3. 22.11.1987 X|4b.03.12.2037", .1, 10.0, "UTO")
	f.Add("Luogo e data di nascita|ROMA 12.08.1974", math.NaN(), math.Inf(1), "ITA")
	f.Fuzz(func(t *testing.T, text string, tilt, height float64, issuer string) {
		if len(text) > 600 {
			return
		}
		p := sheet()
		p.Issuer, p.Dates = issuer, []string{"1974-08-12"}
		for i, l := range strings.Split(text, "|") {
			p.Lines = append(p.Lines, Line{Text: l, Strip: Strip{X: 100, Y: 40 + 30*float64(i), Tilt: tilt, Length: 9 * height, Height: height}})
		}
		zone := []idv.Claim{{Name: idv.FamilyName, Value: "ERIKSSON"}, {Name: idv.DocumentNumber, Value: "D1234567"}, {Name: idv.DateOfBirth, Value: "1974-08-12"}}
		read := Read(p)
		answers, claims := Compare(p, read, zone, 0)
		for _, a := range answers {
			if a.Verdict != Silent {
				claims = append(claims, a.Claim)
			}
		}
		for _, c := range append(claims, read.Claims...) {
			if c.Value == "" || c.Box == nil || !(c.Box.X >= 0 && c.Box.Y >= 0 && c.Box.X+c.Box.Width <= 1.0001 && c.Box.Y+c.Box.Height <= 1.0001) {
				t.Errorf("%q: claim %+v, box %+v", text, c, c.Box)
			}
			if utf8.ValidString(text) && !utf8.ValidString(c.Value) {
				t.Errorf("%q: value %q", text, c.Value)
			}
		}
	})
}
