package viz

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNamesAreReadWithoutWhatIsNoName(t *testing.T) {
	for text, want := range map[string]string{
		"ERIKSSON":                "ERIKSSON",
		"van der MEER":            "van der MEER",
		"O'SÚILLEABHÁIN":          "O'SÚILLEABHÁIN",
		"DR. MUSTERMANN":          "MUSTERMANN",
		"MUSTERMANN GEB. GABLER":  "MUSTERMANN",
		"DUPONT née MARTIN":       "DUPONT",
		"KOWALSKA z d. NOWAK":     "KOWALSKA",
		"KOWALSKA z domu NOWAK":   "KOWALSKA",
		"GARCIA de soltera LOPEZ": "GARCIA",
		"SARAH MEREDYTH MS":       "SARAH MEREDYTH",
		"ANNA  MARIA.":            "ANNA MARIA",
		"ne":                      "ne",
		"12.08.1974":              "",
		"P<UTOERIKSSON":           "",
		"0'DONOVAN":               "O'DONOVAN",
		"SJ0ERD":                  "SJOERD",
		"LOiC":                    "",
		"GYŐZő":                   "GYŐZŐ",
		"BO KOVAčs":               "BO KOVAČS",
		"ShcherbakOV":             "",
		"McDONALD":                "McDONALD",
		"Mc Donald":               "Mc Donald",
		"MÜLLER-WEIß":             "MÜLLER-WEIß",
		"Ångström-Öberg":          "Ångström-Öberg",
		"d'ARC":                   "d'ARC",
		"VAN OS":                  "VAN OS",
		"VON BORN":                "VON BORN",
		"VIRTANEN o.s. NIEMI":     "VIRTANEN",
		"'t Hooft":                "'t Hooft",
		"’n DIAYE":                "’n DIAYE",
		"'ERIKSSON":               "ERIKSSON",
		"Nuñez lbáñez":            "Nuñez Ibáñez",
		"Ana de la Cruz":          "Ana de la Cruz",
		"lloyd":                   "lloyd",
		"ENU/TOPIE":               "",
		"ANA / ANNE":              "ANA",
		"---":                     "",
		"":                        "",
	} {
		if got := nameOf(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestSexIsReadInEveryLanguage(t *testing.T) {
	for _, c := range []struct{ text, issuer, want string }{
		{"F", "", "F"}, {"M", "", "M"}, {"X", "", "X"}, {"K", "", "F"}, {"W", "", "F"}, {"Ž", "", "F"}, {"K/F", "", "F"}, {"Ž/F", "", "F"}, {"M/M", "", "M"}, {"V/M", "LVA", "M"},
		{"M/F", "LTU", "F"}, {"N/F", "HUN", "F"}, {"F/M", "HUN", "M"}, {"V", "NLD", "F"}, {"V", "LVA", "M"}, {"V", "", ""}, {"N", "FIN", "F"}, {"N", "", ""}, {"M", "ESP", ""}, {"M", "LTU", ""},
		{"weiblich", "", "F"}, {"FÉMININ", "", "F"}, {"MASCHIO", "", "M"}, {"Mężczyzna", "", "M"}, {"UTOPIA", "", ""}, {"8", "", ""},
	} {
		p := under("Sex", c.text)
		p.Issuer = c.issuer
		if got := stated(Read(p))[sex]; got != c.want {
			t.Errorf("%q of %q: %q, want %q", c.text, c.issuer, got, c.want)
		}
	}
}

func TestNationalitiesBecomeCodes(t *testing.T) {
	for text, want := range map[string]string{
		"DEUTSCH": "D", "BRITISH CITIZEN": "GBR", "FRANÇAISE": "FRA", "ITALIANA": "ITA", "POLSKIE": "POL", "NEDERLANDSE": "NLD", "UTOPIAN / UTOPIENNE": "UTO", "POLSKIE / POLISH": "POL",
		"ČESKÁ REPUBLIKA / CZECH REPUBLIC": "CZE", "UTO": "UTO", "XXA": "XXA", "Luxembourgeoise": "LUX", "ÍSLENSKUR/ICELANDIC/ISLANDAISE": "ISL", "UTOPLAN": "UTO",
		"GERMAN / FRENCH": "", "ZENITH": "", "12": "",
	} {
		if got := nationalityOf(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestNumbersAreReadWithoutTheirSeparators(t *testing.T) {
	for text, want := range map[string]string{
		"L898902C3": "L898902C3", "AB 123456": "AB123456", "No. AB 123456": "AB123456", "99 999 999": "99999999", "AA-12.345.678": "AA12345678", "12.08.1974": "", "UTOPIA": "", "12": "",
	} {
		if got := stated(Read(under("Document No.", text)))[documentNumber]; got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestWhatWasNotReadSurelyIsNoClaim(t *testing.T) {
	doubtful := func(p Page, line int, sure float64) Page {
		for range []rune(p.Lines[line].Text) {
			p.Lines[line].Chars = append(p.Lines[line].Chars, sure)
		}
		return p
	}
	for sure, want := range map[float64]claims{.99: {surname: "ERIKSSON"}, .5: {}} {
		if d := cmp.Diff(want, stated(Read(doubtful(under("Surname", "ERIKSSON"), 1, sure)))); d != "" {
			t.Errorf("at %.2f (-want +got):\n%s", sure, d)
		}
	}
}

func TestDatesThatContradictEachOtherAreNone(t *testing.T) {
	for name, p := range map[string]Page{
		"issued after it ran out": under("Date of issue", "12.08.2024", "Date of expiry", "12.08.2014"),
		"born in the future":      under("Date of birth", "12.08.2030"),
		"issued in the future":    under("Date of issue", "12.08.2030"),
	} {
		if got := stated(Read(p)); len(got) != 0 {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestAClaimHasTheBoxOfItsValue(t *testing.T) {
	r := Read(pageOf(at(100, 100, 20, "Surname: ERIKSSON")))
	if len(r.Claims) != 1 {
		t.Fatalf("%+v", r.Claims)
	}
	b := r.Claims[0].Box
	// 17 letters of 11 pixels from 100 on, the value from the tenth.
	if b.X < .195 || b.X > .205 || b.X+b.Width < .283 || b.X+b.Width > .29 || b.Y < .125 || b.Y+b.Height > .16 {
		t.Errorf("%+v", b)
	}
}

func TestACedillaIsACommaInRomanianNames(t *testing.T) {
	for read, want := range map[string]string{"ȚEPELUŞ": "ȚEPELUȘ", "ŞTEFAN RĂZVAN": "ȘTEFAN RĂZVAN", "ŞAHİN": "ŞAHİN", "ŢEPELUŞ": "ȚEPELUȘ", "BŁAŻEJ": "BŁAŻEJ"} {
		if got := nameOf(read); got != want {
			t.Errorf("%s: %s, want %s", read, got, want)
		}
	}
}

func TestACommaThatMayBeACedillaLeavesARomanianNameSure(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		at   int // of the letter
		sure float64
		want string
	}{
		"a comma in doubt":                             {"ȘTEFAN RĂZVAN", 0, .6, "ȘTEFAN RĂZVAN"},
		"a cedilla in doubt":                           {"ŞTEFAN RĂZVAN", 0, .6, "ȘTEFAN RĂZVAN"},
		"more against it than for it":                  {"ȘTEFAN RĂZVAN", 0, .45, ""},
		"another letter in doubt":                      {"ȘTEFAN RĂZVAN", 8, .6, ""},
		"a name that may be of any language with an Ş": {"ŞIRIN EK", 0, .6, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := under("Surname", "NOVAK", "Given names", c.text)
			for range []rune(c.text) {
				p.Lines[3].Chars = append(p.Lines[3].Chars, 1)
			}
			p.Lines[3].Chars[c.at] = c.sure
			if got := stated(Read(p))[givenNames]; got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
