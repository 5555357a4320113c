package viz

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// verdictOn compares a page of one line with a zone that states one fact.
func verdictOn(text string, name idv.ClaimName, want string, cut int, sure float64) Answer {
	l := at(100, 100, 20, text)
	for range []rune(text) {
		l.Chars = append(l.Chars, sure)
	}
	p := pageOf(l)
	answers, _ := Compare(p, Read(p), []idv.Claim{{Name: name, Value: want, Source: idv.FromMRZ}}, cut)
	return answers[0]
}

func TestNamesAreComparedByTheirTransliterations(t *testing.T) {
	for name, c := range map[string]struct {
		text, zone string
		cut        int
		sure       float64
		want       Verdict
		value      string
	}{
		"the same":                                      {"ERIKSSON", "ERIKSSON", 0, 1, Agrees, "ERIKSSON"},
		"after a label":                                 {"Surname ERIKSSON", "ERIKSSON", 0, 1, Agrees, "ERIKSSON"},
		"with a diacritic":                              {"MÜLLER", "MUELLER", 0, 1, Agrees, "MÜLLER"},
		"whose diacritic the reader lost":               {"MULLER", "MUELLER", 0, 1, Agrees, "MULLER"},
		"with a diacritic, but who is sure":             {"MÜLLER", "MUELLER", 0, .4, Agrees, "MUELLER"},
		"with a diacritic, whose space was lost":        {"ANNAMÁRIA", "ANNA MARIA", 0, 1, Agrees, "ANNA MÁRIA"},
		"as in the zone, but who is sure":               {"MULLER", "MULLER", 0, .5, Agrees, "MULLER"},
		"with cedillas, which are Romanian commas":      {"ŢEPELUŞ", "TEPELUS", 0, 1, Agrees, "ȚEPELUȘ"},
		"in small letters":                              {"Anna Maria", "ANNA MARIA", 0, 1, Agrees, "Anna Maria"},
		"with a hyphen":                                 {"ANNA-MARIA", "ANNA MARIA", 0, 1, Agrees, "ANNA-MARIA"},
		"whose space the reader lost":                   {"ANNAMARIA", "ANNA MARIA", 0, 1, Agrees, "ANNA MARIA"},
		"one letter differs":                            {"ERIKSSEN", "ERIKSSON", 0, 1, Disagrees, "ERIKSSEN"},
		"one letter differs, but who is sure":           {"ERIKSSEN", "ERIKSSON", 0, .5, Silent, ""},
		"one letter is missing":                         {"KETTY", "ETTY", 0, 1, Disagrees, "KETTY"},
		"whose letter the reader does not know":         {"PORVALDSDOTTIR", "THORVALDSDOTTIR", 0, 1, Silent, ""},
		"a letter of which was left out":                {"DANIL", "DANIEL", 0, 1, Silent, ""},
		"a letter of which was read twice":              {"MÄĂRTA", "MARTA", 0, 1, Silent, ""},
		"another name":                                  {"PETERSEN", "ERIKSSON", 0, 1, Silent, ""},
		"another name after its label":                  {"Surname PETERSEN", "ERIKSSON", 0, 1, Disagrees, "PETERSEN"},
		"a name that the zone cut short, after a label": {"Prénom(s): SÆUNN ÝR MAŁGORZATA", "SAEUNN YR MALG", 14, 1, Agrees, "SÆUNN ÝR MAŁGORZATA"},
		"a name that the zone cut short":                {"NILAVADHANANANDA", "NILAVADHANANA", 13, 1, Agrees, "NILAVADHANANANDA"},
		"two letters in other words":                    {"BO EK LANE 12", "BO", 0, 1, Silent, ""},
		"two letters by themselves":                     {"Surname EK", "EK", 0, 1, Agrees, "EK"},
	} {
		t.Run(name, func(t *testing.T) {
			got := verdictOn(c.text, surname, c.zone, c.cut, c.sure)
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
			if got := verdictOn(c.text, documentNumber, "L898902C3", 0, c.sure); got.Verdict != c.want {
				t.Errorf("%q: %v, want %v", c.text, got.Verdict, c.want)
			}
		})
	}
	for text, filled := range map[string]bool{"L898902C3": false, "No. L 898 902 C3": false, "L8989O2C3": true} {
		if got := verdictOn(text, documentNumber, "L898902C3", 0, 1); got.Filled != filled || got.Claim.Value != "L898902C3" {
			t.Errorf("%q: filled %v, want %v", text, got.Filled, filled)
		}
	}
	if got := verdictOn("SERIA HD NR 198025", documentNumber, "HD198025", 0, 1); got.Verdict != Agrees {
		t.Errorf("series and number apart: %v", got.Verdict)
	}
	if got := verdictOn("SERIA KX NR 198025", documentNumber, "HD198025", 0, 1); got.Verdict == Agrees {
		t.Errorf("another series: %v", got.Verdict)
	}
}

func TestDaysOfTheZoneAreFoundInEveryForm(t *testing.T) {
	for _, text := range []string{
		"12.08.1974", "1974-08-12", "08/12/1974", "12/08/1974", "12081974", "12 08 74", "12 AUG 1974", "12 AUG/AOÛT 74", "12AUG/AOUT1974", "12.08.1974 ZENITH", "12 AUG 2517", "12.VIII.1974",
		"24/07/1394", "Aug 12, 1974", "12 SIE/AUG 1974",
	} {
		if got := verdictOn(text, dateOfBirth, "1974-08-12", 0, 1); got.Verdict != Agrees || got.Claim.Value != "1974-08-12" {
			t.Errorf("%q: %v %q", text, got.Verdict, got.Claim.Value)
		}
	}
	for _, text := range []string{"13.08.1974", "12.08.1984", "L898902C36", "Date of birth"} {
		if got := verdictOn(text, dateOfBirth, "1974-08-12", 0, 1); got.Verdict != Silent {
			t.Errorf("%q: %v", text, got.Verdict)
		}
	}
	if got := verdictOn("Date of birth: 13.08.1974", dateOfBirth, "1974-08-12", 0, 1); got.Verdict != Disagrees {
		t.Errorf("another day after its label: %v", got.Verdict)
	}
}

func TestAPrintedCenturyCountsBeforeOneThatTheZoneLetsInfer(t *testing.T) {
	two := pageOf(at(100, 100, 20, "12.08."), at(200, 100, 20, "2012"))
	rows, _ := Compare(two, Read(two), []idv.Claim{{Name: dateOfBirth, Value: "1912-08-12", Source: idv.FromMRZ}}, 0)
	for where, got := range map[string]Answer{"on one line": verdictOn("12.08.2012", dateOfBirth, "1912-08-12", 0, 1), "on two": rows[0]} {
		if got.Verdict != Agrees || got.Claim.Value != "2012-08-12" {
			t.Errorf("%s: %v %q", where, got.Verdict, got.Claim.Value)
		}
	}
}

func TestWhatThePageSaysBesideTheZoneStaysUnlessItIsDoubtful(t *testing.T) {
	p := under("Sex", "F", "Place of birth", "ZENITH", "Personal No.", "1234567890", "Nationality", "UTOPIAN")
	zone := []idv.Claim{{Name: sex, Value: "F"}, {Name: personalNumber, Value: "ZE184226B"}, {Name: nationality, Value: "UTO"}}
	_, rest := Compare(p, Read(p), zone, 0)
	got := stated(Reading{Claims: rest})
	if d := cmp.Diff(claims{sex: "F", placeOfBirth: "ZENITH", nationality: "UTO"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestWhatStandsSurelyBesideALabelCountsBeforeWhatIsFoundElsewhere(t *testing.T) {
	for name, c := range map[string]struct {
		fact idv.ClaimName
		zone string
		page Page
	}{
		"the zone's name in an address":     {surname, "ERIKSSON", under("Surname", "PETERSEN", "Address", "12 ERIKSSON STREET")},
		"the zone's birthday as issue date": {dateOfBirth, "1974-08-12", under("Date of birth", "03.11.1980", "Date of issue", "12.08.1974")},
	} {
		t.Run(name, func(t *testing.T) {
			answers, _ := Compare(c.page, Read(c.page), []idv.Claim{{Name: c.fact, Value: c.zone}}, 0)
			if answers[0].Verdict != Disagrees {
				t.Errorf("got %v, want a disagreement", answers[0])
			}
		})
	}
}

func TestWhatTheReaderIsUnsureOfStatesNothing(t *testing.T) {
	l := at(100, 100, 20, "MARIO")
	l.Chars = []float64{1, 1, 1, 1, .6}
	p := pageOf(l)
	answers, rest := Compare(p, Read(p), []idv.Claim{{Name: surname, Value: "MARIA"}}, 0)
	if answers[0].Verdict != Silent || len(rest) > 0 {
		t.Errorf("got %v and %v, want silence: the zone's value was never read from print", answers[0], rest)
	}
}

func TestAShortNumberIsNotFoundAnywhere(t *testing.T) {
	if got := verdictOn("height 12 cm", documentNumber, "12", 0, 1); got.Verdict == Agrees {
		t.Errorf("got %v", got)
	}
}

func TestTheOrderOfDayAndMonthIsTheIssuersNotTheZones(t *testing.T) {
	p := pageOf(at(100, 100, 20, "Date of birth: 08/12/1974"))
	p.Issuer = "FRA"
	answers, _ := Compare(p, Read(p), []idv.Claim{{Name: dateOfBirth, Value: "1974-08-12"}}, 0)
	if answers[0].Verdict == Agrees {
		t.Errorf("got %v: in France this is the eighth of December", answers[0])
	}
}

func TestAPageOfWordsThatAreAllAlikeIsComparedWithinItsBudget(t *testing.T) {
	var lines []Line
	for i := range 64 {
		lines = append(lines, at(10, float64(10*i), 8, "AA A AAA AA A AAA AA A AAA AA A AAA AA A AAA AA A AAA AA A AAA"))
	}
	p := pageOf(lines...)
	left := mostNames
	c := comparer{reader: newReader(p), zone: map[idv.ClaimName]string{}, cut: 39, names: &left}
	if _, _, ok := c.search(givenNames, "AA A A A A A A A A A A AAAAB"); ok {
		t.Error("found a name that is not there")
	}
	if left > 0 {
		t.Errorf("%d comparisons are left of a page that asks for thousands", left)
	}
}

func TestSmallPrintDoesNotContradict(t *testing.T) {
	for height, want := range map[float64]Verdict{24: Disagrees, 12: Silent} {
		p := pageOf(at(100, 100, height, "Surname: ERIKSSEN"))
		answers, _ := Compare(p, Read(p), []idv.Claim{{Name: surname, Value: "ERIKSSON"}}, 0)
		if answers[0].Verdict != want {
			t.Errorf("%.0f pixels: %v, want %v", height, answers[0].Verdict, want)
		}
	}
}

func TestALabelThatWasTakenForANameSpeaksAgainstNothing(t *testing.T) {
	zone := []idv.Claim{{Name: surname, Value: "DURANDEAU"}, {Name: givenNames, Value: "JEAN PAUL"}}
	tests := map[string]struct {
		surname, givenNames string
		want                []Verdict
	}{
		"a label of which four letters were misread":       {"DURANDEAU", "Idemtifiart sacordaire", []Verdict{Agrees, Silent}},
		"another surname beside given names set as it is":  {"MARTINEZ", "JEAN PAUL", []Verdict{Disagrees, Agrees}},
		"another surname beside given names set otherwise": {"MARTINEZ", "Jean Paul", []Verdict{Disagrees, Agrees}},
	}
	for name, tt := range tests {
		p := under("Surname", tt.surname, "Given names", tt.givenNames)
		answers, _ := Compare(p, Read(p), zone, 0)
		if diff := cmp.Diff(tt.want, []Verdict{answers[0].Verdict, answers[1].Verdict}); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
	}
}
