package optical

import (
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
)

func TestPrintedTextStatesADate(t *testing.T) {
	for name, c := range map[string]struct {
		text             string
		year, month, day int
		want             bool
	}{
		"in digits":                        {"12.08.1974", 1974, 8, 12, true},
		"year first":                       {"1974-08-12", 1974, 8, 12, true},
		"month first":                      {"08/12/1974", 1974, 8, 12, true},
		"in one go":                        {"12081974", 1974, 8, 12, true},
		"with a short year":                {"12 08 74", 1974, 8, 12, true},
		"with the month's name":            {"12 AUG 1974", 1974, 8, 12, true},
		"with the month in two languages":  {"12 AUG/AOÛT 74", 1974, 8, 12, true},
		"run together as readers do":       {"12AUG/AOUT1974", 1974, 8, 12, true},
		"beside a place":                   {"12.08.1974 ZENITH", 1974, 8, 12, true},
		"another day":                      {"13.08.1974", 1974, 8, 12, false},
		"another year":                     {"12.08.1984", 1974, 8, 12, false},
		"digits of something else":         {"L898902C36", 1974, 8, 12, false},
		"an unknown day is not looked for": {"XX 08 1974 12 08 1974", 1974, 8, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			if got := statesDate(c.text, c.year, c.month, c.day); got != c.want {
				t.Errorf("%q: %v", c.text, got)
			}
		})
	}
}

func TestPrintedDatesAreRead(t *testing.T) {
	now := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"04 JUL/JUIL 1966":      "1966-07-04",
		"04 JUL/JUIL1966MA":     "1966-07-04",
		"22.11.1987 ÆRØSKØBING": "1987-11-22",
		"2025-06-26":            "2025-06-26",
		"07 DEC 82":             "1982-12-07",
	} {
		got, ok := printedDate(text, now, true)
		if !ok || got.Format(time.DateOnly) != want {
			t.Errorf("%q: %v %v, want %s", text, got, ok, want)
		}
	}
	if got, ok := printedDate("31.02.1990", now, true); ok {
		t.Errorf("a day that does not exist was read as %v", got)
	}
}

func TestPrintedNumbersAreCompared(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		sure bool
		want verdict
	}{
		"the same":         {"L898902C3", true, agrees},
		"with spaces":      {"L 898 902 C3", true, agrees},
		"beside its label": {"Passport No. L898902C3", true, agrees},
		"a letter read as the digit of its shape": {"L8989O2C3", true, agrees},
		"one digit differs":                       {"L898992C3", true, disagrees},
		"one digit differs, but who is sure":      {"L898992C3", false, silent},
		"another number":                          {"ZE184226B", true, silent},
		"a word":                                  {"UTOPIAN", true, silent},
	} {
		t.Run(name, func(t *testing.T) {
			if got := judgeNumber(c.text, "L898902C3", c.sure); got != c.want {
				t.Errorf("%q: %v, want %v", c.text, got, c.want)
			}
		})
	}
}

func TestSeriesAndNumberMayBePrintedApart(t *testing.T) {
	if got := judgeNumber("SERIAHD NR198025", "HD198025", true); got != agrees {
		t.Errorf("%v", got)
	}
	if got := judgeNumber("SERIA KX NR 198025", "HD198025", true); got == agrees {
		t.Errorf("another series: %v", got)
	}
}

func TestPrintedNamesAreCompared(t *testing.T) {
	for name, c := range map[string]struct {
		text, zone string
		cut        int
		want       verdict
	}{
		"the same":                              {"ERIKSSON", "ERIKSSON", 0, agrees},
		"after a label":                         {"Surname ERIKSSON", "ERIKSSON", 0, agrees},
		"with a diacritic":                      {"MÜLLER", "MUELLER", 0, agrees},
		"whose diacritic the reader lost":       {"MULLER", "MUELLER", 0, agrees},
		"in small letters":                      {"Anna Maria", "ANNA MARIA", 0, agrees},
		"whose space the reader lost":           {"ANNAMARIA", "ANNA MARIA", 0, agrees},
		"one letter differs":                    {"ERIKSSEN", "ERIKSSON", 0, disagrees},
		"one letter is missing":                 {"KETTY", "ETTY", 0, disagrees},
		"whose letter the reader does not know": {"PORVALDSDOTTIR", "THORVALDSDOTTIR", 0, silent},
		"another name":                          {"PETERSEN", "ERIKSSON", 0, silent},
		"a name that the zone cut short":        {"NILAVADHANANANDA", "NILAVADHANANA", 13, agrees},
	} {
		t.Run(name, func(t *testing.T) {
			if got := judgeName(c.text, c.zone, c.cut, true); got != c.want {
				t.Errorf("%q for %q: %v, want %v", c.text, c.zone, got, c.want)
			}
		})
	}
}

func TestLabelsNameTheFactBesideThem(t *testing.T) {
	w := &work{}
	for text, want := range map[string]idv.ClaimName{
		"Surname / Nom":                     idv.FamilyName,
		"Given names/Prénoms":               idv.GivenNames,
		"Date of birth / Date de naissance": idv.DateOfBirth,
		"Card No.I N de carte":              idv.DocumentNumber,
		"NAMENLOS":                          "",
		"UTOPIA CITY":                       "",
	} {
		if got, _ := w.labelIn(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	w.page.Kind = idv.DrivingLicence
	for text, want := range map[string]struct {
		name  idv.ClaimName
		value string
	}{
		"1. BRØNDSTED":        {idv.FamilyName, "BRØNDSTED"},
		"4b.03.12.2037":       {idv.DateOfExpiry, "03.12.2037"},
		"3.22.11.1987 UTOPIA": {idv.DateOfBirth, "22.11.1987 UTOPIA"},
		"9.AM/B1/B":           {"", ""},
		"5 WR20031382":        {idv.DocumentNumber, "WR20031382"},
	} {
		if name, rest := w.labelIn(text); name != want.name || rest != want.value {
			t.Errorf("%q: %q %q, want %+v", text, name, rest, want)
		}
	}
}

func TestSimilarityIsFoundAnywhereInTheText(t *testing.T) {
	if v := within("ERIKSSON", "SURNAMEERIKSSON"); v != 1 {
		t.Errorf("%.2f", v)
	}
	if v := within("ERIKSSON", "XXER1KSSONXX"); v < .85 {
		t.Errorf("%.2f", v)
	}
	if v := within("ERIKSSON", ""); v != 0 {
		t.Errorf("%.2f", v)
	}
}
