package icao

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTransliterationsAreTheAllowedSet(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		{"plain capitals stay", "Anna", []string{"ANNA"}},
		{"an umlaut has two forms, the recommended first", "Mäd", []string{"MAED", "MAD"}},
		{"a tilde N may be N or NXX", "Núñez", []string{"NUNEZ", "NUNXXEZ"}},
		{"thorn and eth", "Þórð", []string{"THORD"}},
		{"sharp s", "Weiß", []string{"WEISS"}},
		{"a hyphen becomes a word break", "Anna-Maria", []string{"ANNA MARIA"}},
		{"an apostrophe vanishes", "D’Artagnan", []string{"DARTAGNAN"}},
		{"a decomposed accent is the same letter", "Muñoz", []string{"MUNOZ", "MUNXXOZ"}},
		{"Arabic", "محمد", []string{"MXHMD"}},
		{"Vietnamese stacks diacritics", "Nguyễn", []string{"NGUYEN"}},
		{"a Chinese name has no form", "林美华", nil},
		{"nothing has no form", " - ", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if d := cmp.Diff(c.want, Transliterations(c.in)); d != "" {
				t.Errorf("want -, got +:\n%s", d)
			}
		})
	}
}

func TestTransliterationsIsBounded(t *testing.T) {
	got := Transliterations("ÜÜÜÜÜÜÜÜÜÜÜÜ")
	if len(got) != maxForms {
		t.Fatalf("%d forms, want %d", len(got), maxForms)
	}
	if got[0] != "UEUEUEUEUEUEUEUEUEUEUEUE" {
		t.Errorf("first form %q is not the recommended one", got[0])
	}
}

func TestCyrillicHasTheGeneralFormFirst(t *testing.T) {
	if got := Transliterations("Щербаков"); got[0] != "SHCHERBAKOV" {
		t.Errorf("got %q", got[0])
	}
	if !slices.Contains(Transliterations("Юлія"), "YULIYA") {
		t.Error("the Ukrainian form YULIYA is missing")
	}
}

func TestSameName(t *testing.T) {
	for _, c := range []struct {
		name, printed, zone string
		cut                 int
		want                bool
	}{
		{"equal", "ANNA MARIA", "ANNA<MARIA", 0, true},
		{"case", "Anna Maria", "ANNA<MARIA", 0, true},
		{"umlaut as two letters", "Müller", "MUELLER", 0, true},
		{"umlaut as one letter", "Müller", "MULLER", 0, true},
		{"mixed forms of the same letter", "Jörg Böhm", "JOERG<BOHM", 0, true},
		{"Spanish tilde", "Peña", "PENXXA", 0, true},
		{"Icelandic", "Ævarsdóttir Þuríður", "AEVARSDOTTIR<<THURIDUR", 0, true},
		{"order", "Maria Anna Eriksson", "ERIKSSON<<MARIA<ANNA", 0, true},
		{"hyphen as filler", "Kowalska-Kwiatkowska", "KOWALSKA<KWIATKOWSKA", 0, true},
		{"hyphen as nothing", "Jean-Luc", "JEANLUC", 0, true},
		{"apostrophe as nothing", "O'Connor", "OCONNOR", 0, true},
		{"apostrophe as filler", "O'Connor", "O<CONNOR", 0, true},
		{"particle joined", "De la Cruz", "DELACRUZ", 0, true},
		{"particle after the name", "Gaalen, van", "VAN<GAALEN", 0, true},
		{"title on the page only", "Dr. Mustermann", "MUSTERMANN", 0, true},
		{"birth name on the page only", "Mustermann geb. Gabler", "MUSTERMANN", 0, true},
		{"Cyrillic", "Щербаков", "SHCHERBAKOV", 0, true},
		{"Serbian", "Живковић", "ZIVKOVIC", 0, true},
		{"cut with initials", "Nilavadhanananda Chayapa Dejthamrong Krasuang", "NILAVADHANANANDA<<CHAYAPA<DEJTHAMRONG<K", 39, true},
		{"cut with words dropped", "Papandropoulous Jonathon Alec Theodore", "PAPANDROPOULOUS<<JONATHON<ALEC", 30, true},
		{"shortened though nothing was cut", "Krasuang Anna", "ANNA<K", 0, false},
		{"another name behind a cut", "Krasuang Anna", "ANNA<B", 39, false},
		{"a missing word", "Anna Maria", "ANNA", 0, false},
		{"a word too many", "Anna", "ANNA<MARIA", 0, false},
		{"one letter differs", "Anna", "ANMA", 0, false},
		{"O umlaut is no plain E", "Böhm", "BEHM", 0, false},
		{"empty zone", "Anna", "<<<", 0, false},
		{"empty page", "", "ANNA", 0, false},
		{"unknown script", "林", "LIN", 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := SameName(c.printed, c.zone, c.cut); got != c.want {
				t.Errorf("SameName(%q, %q, %d) = %v", c.printed, c.zone, c.cut, got)
			}
		})
	}
}

func TestSameNameBareForgivesOnlyLostDiacritics(t *testing.T) {
	if SameName("Muller", "MUELLER", 0) {
		t.Error("a bare U must not spell UE")
	}
	if !SameNameBare("Muller", "MUELLER", 0) {
		t.Error("a reader without diacritics sees MULLER for MÜLLER")
	}
	if SameNameBare("Muller", "MOELLER", 0) {
		t.Error("another vowel is another name")
	}
}

func TestStates(t *testing.T) {
	for _, c := range []struct {
		name, code, iso string
		ok, issues      bool
	}{
		{"Germany in the zone", "D<<", "DEU", true, true},
		{"Germany by ISO", "DEU", "DEU", true, true},
		{"Utopia", "UTO", "", true, true},
		{"overseas British", "GBD", "", true, true},
		{"the UN", "UNO", "", true, true},
		{"the EU", "EUE", "", true, true},
		{"Kosovo", "RKS", "", true, true},
		{"a refugee is no issuer", "XXB", "", true, false},
		{"not listed", "ZZZ", "", false, false},
		{"lower case", "uto", "", false, false},
		{"empty", "<<<", "", false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, ok := StateByCode(c.code)
			if ok != c.ok || s.ISO != c.iso || MayIssue(c.code) != c.issues {
				t.Errorf("%q: %+v, found %v, issues %v", c.code, s, ok, MayIssue(c.code))
			}
		})
	}
	if !SameState("D<<", "DEU") || SameState("FRA", "GBR") || SameState("ZZA", "ZZB") {
		t.Error("SameState")
	}
	if n := len(States()); n != 249+1+1+15+9 {
		t.Errorf("%d states; ISO 3166-1 has 249", n)
	}
}

func TestDocumentTypes(t *testing.T) {
	for code, want := range map[string]DocumentKind{
		"P<": Passport, "PP": Passport, "PA": Passport, "V": Visa, "VC": Visa, "I<": IDCard, "ID": IDCard,
		"C<": IDCard, "AR": ResidencePermit, "IR": ResidencePermit, "": UnknownKind, "X": UnknownKind,
	} {
		if got := DocumentTypeOf(code).Kind; got != want {
			t.Errorf("%q is %s, want %s", code, got, want)
		}
	}
}

func FuzzSameName(f *testing.F) {
	f.Add("Müller-Łukasz d'Arc", "MUELLER<<LUKASZ", 39)
	f.Add("Ä Ä Ä Ä Ä Ä Ä Ä Ä Ä Ä Ä", "AAEAAEAAEAAEAAEAAEB", 0)
	f.Fuzz(func(t *testing.T, printed, zone string, cut int) {
		if len(printed) > 200 || len(zone) > 90 {
			t.Skip("longer than a name field holds, and quadratic to compare")
		}
		if SameName(printed, zone, cut) && !SameNameBare(printed, zone, cut) {
			t.Error("the lenient comparison refuses what the strict one accepts")
		}
		for _, form := range Transliterations(printed) {
			if len(split(printed)) <= maxWords && !SameName(printed, form, 0) && form != "" && len(mrzWords(form)) > 0 {
				t.Errorf("%q does not match its own form %q", printed, form)
			}
		}
	})
}

func TestNamesOfWordsThatAreAllAlikeAreComparedInFewSteps(t *testing.T) {
	for _, c := range []struct {
		name         string
		printed, mrz string
		truncatedAt  int
	}{
		{"twelve words of two letters against a zone that was cut", strings.Repeat("AB ", 12), strings.Repeat("AB ", 11) + "BBBBB", 39},
		{"twelve words of one letter that may stand for two", strings.Repeat("A ", 12), strings.Repeat("A ", 17) + "B", 0},
		{"twelve words of one letter against a long zone that was cut", strings.Repeat("O ", 12), strings.Repeat("O ", 11) + "E", 39},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := matcher{words: split(c.printed), forms: bareForms, target: strings.ReplaceAll(c.mrz, " ", "")}
			if m.all(0, 0) || m.cut(strings.Fields(c.mrz)) {
				t.Error("the names are not the same")
			}
			if m.steps > 2*maxSteps {
				t.Errorf("took %d steps", m.steps)
			}
		})
	}
}
