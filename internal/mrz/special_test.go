package mrz

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/icao"
)

func TestTheSecondCharacterOfACode(t *testing.T) {
	rest := []string{"9001011F3001012MEX<<<<<<<<<<<6", "GARCIA<<MARIA<<<<<<<<<<<<<<<<<"}
	for name, c := range map[string]struct {
		first, code string
		kind        icao.DocumentKind
		repairs     int
	}{
		"is a digit on cards of permanent residents of the United States": {"C1USA0000000001SRC0000000001<<", "C1", icao.ResidencePermit, 0},
		"is either of two":                             {"C2USA0000000001SRC0000000001<<", "C2", icao.ResidencePermit, 0},
		"is one where an I was read":                   {"CIUSA0000000001SRC0000000001<<", "C1", icao.ResidencePermit, 1},
		"is a letter on other cards of that state":     {"I1USA0000000001SRC0000000001<<", "II", icao.IDCard, 1},
		"is a letter on cards of other states":         {"C1UTO0000000001SRC0000000001<<", "CI", icao.IDCard, 1},
		"may be a letter on cards of permanent labels": {"CAUSA0000000001SRC0000000001<<", "CA", icao.IDCard, 0},
	} {
		lines, repairs, ok := RepairLines(append([]string{c.first}, rest...))
		if !ok || len(repairs) != c.repairs {
			t.Errorf("%s: repaired by %v", name, repairs)
			continue
		}
		d, err := Parse(lines)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range d.Faults {
			if f.Field == "code2" {
				t.Errorf("%s: fault %v", name, f)
			}
		}
		if d.Code != c.code || d.Kind() != c.kind {
			t.Errorf("%s: %s, %s", name, d.Code, d.Kind())
		}
	}
}

func TestACardOfAPermanentResidentIsWritten(t *testing.T) {
	d := Document{
		Format: TD1, Code: "C1", Issuer: "USA", Nationality: "MEX", Number: "000000000", Surname: "GARCIA", GivenNames: "MARIA",
		Sex: "F", BirthDate: "900101", ExpiryDate: "300101",
	}
	lines, err := Write(d)
	if err != nil {
		t.Fatal(err)
	}
	back, err := Parse(lines)
	if err != nil || back.Code != "C1" || !back.Valid() {
		t.Errorf("%v %s %v", err, back.Code, back.Faults)
	}
	d.Issuer = "UTO"
	if _, err := Write(d); err == nil {
		t.Error("a card of another state was written with a digit in its code")
	}
}

func TestWhereANameBreaksOff(t *testing.T) {
	second := "L898902C36UTO7408122F1204159ZE184226B<<<<<10"
	for name, c := range map[string]struct {
		first string
		want  int
	}{
		"a letter in the last place":                       {"P<UTOPAPANDROPOULOU<<ALEXANDRA<CHRISTINA<MAR", 39},
		"room for one more character, which holds no name": {"P<UTOPAPANDROPOULOU<<ALEXANDRA<CHRISTINA<MA<", 39},
		"room for an initial":                              {"P<UTOPAPANDROPOULOU<<ALEXANDRA<CHRISTINA<M<<", 0},
		"a surname that leaves no room for given names":    {"P<UTOPAPANDROPOULOU<KONSTANTOPOULOU<CHRIST<<", 39},
		"a surname that leaves room for one":               {"P<UTOPAPANDROPOULOU<KONSTANTOPOULOU<CHRIS<<<", 0},
	} {
		d, err := Parse([]string{c.first, second})
		if err != nil {
			t.Fatal(name, err)
		}
		if d.NameCutAt != c.want {
			t.Errorf("%s: cut at %d, want %d", name, d.NameCutAt, c.want)
		}
	}
}

func TestTheCenturyOfABirthIsTheLatestThatNoDateSpeaksAgainst(t *testing.T) {
	day := func(s string) time.Time {
		out, err := time.Parse(time.DateOnly, s)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	for name, c := range map[string]struct {
		birth, expiry Date
		issued        []time.Time
		want          string
	}{
		"a child's passport":                       {"120405", "280405", nil, "2012-04-05"},
		"a passport that expired before the child": {"120405", "951231", nil, "1912-04-05"},
		"one that was issued before":               {"120405", "", []time.Time{day("1985-06-01")}, "1912-04-05"},
		"one that was issued after":                {"120405", "", []time.Time{day("2015-06-01")}, "2012-04-05"},
		"a card without a term":                    {"050405", "991231", nil, "2005-04-05"},
		"a term of which the month is not known":   {"120405", "95<<<<", nil, "1912-04-05"},
		"a birth after today":                      {"301201", "401201", nil, "1930-12-01"},
	} {
		got := Document{BirthDate: c.birth, ExpiryDate: c.expiry}.Birth(day("2026-11-24"), c.issued...).String()
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}
