package relaid

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/bench/facts"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/reading/lexicon"
)

// people are names of one language.
const people = "# names\nen\tfamily\tQuenby;Thistlewood\nen\tgiven\tAldous;Merle\n"

func TestLicencesOfNorthAmericaPrintWhatTheyState(t *testing.T) {
	m := NewMill(known(), Options{Seed: 3, All: true, People: people})
	pages, whole, of := 0, 0, 0
	for i := 0; pages < 60; i++ {
		d := m.Page(i)
		if !strings.HasPrefix(d.Picture, "american") {
			continue
		}
		pages++
		var text strings.Builder
		for k, l := range d.Lines {
			text.WriteString(lexicon.Alphanumerics(l.Text) + " ")
			if len(d.Labels[k]) != len([]rune(l.Text)) {
				t.Fatalf("%s: %d letters of %q have a label or none", d.Picture, len(d.Labels[k]), l.Text)
			}
		}
		for _, name := range []idv.ClaimName{idv.FamilyName, idv.GivenNames, idv.DocumentNumber, idv.DateOfBirth, idv.Sex, idv.Address} {
			at := slices.IndexFunc(d.Truth, func(f facts.Truth) bool { return f.Name == name })
			if at < 0 {
				t.Fatalf("%s does not state the %s", d.Picture, name)
			}
			if name == idv.FamilyName || name == idv.DocumentNumber {
				of++
				if strings.Contains(text.String(), lexicon.Alphanumerics(d.Truth[at].Printed)) {
					whole++
				}
			}
		}
	}
	if 4*whole < 3*of {
		t.Errorf("%d of %d names and numbers can be read", whole, of)
	}
}

func TestTheSameNumberIsTheSameLicence(t *testing.T) {
	draw := func() []Drawn {
		m := NewMill(known(), Options{Seed: 5, All: true, People: people})
		var out []Drawn
		for i := range 40 {
			out = append(out, m.Page(i))
		}
		return out
	}
	if diff := cmp.Diff(draw(), draw()); diff != "" {
		t.Error(diff)
	}
}

func TestPeopleHaveNamesOfOneLanguage(t *testing.T) {
	table := peopleOf(people)
	if diff := cmp.Diff(map[string]map[string][]string{"en": {"family": {"Quenby", "Thistlewood"}, "given": {"Aldous", "Merle"}}}, table); diff != "" {
		t.Error(diff)
	}
	s := vocabulary{people: table}.withPeople(newRand(1, 1), state{languages: []string{"en"}})
	if !slices.Equal(s.men, table["en"]["given"]) || !slices.Equal(s.families, table["en"]["family"]) {
		t.Errorf("got %q and %q", s.men, s.families)
	}
}
