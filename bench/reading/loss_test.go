package reading

import (
	"testing"

	"github.com/bonafide-id/bonafide/bench/facts"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/reading"
)

func TestHowAFactIsAmongTheLines(t *testing.T) {
	p := Picture{Page: reading.Page{Lines: []reading.Line{
		{Text: "Nom: GÖTZ"}, {Text: "Lieu SEVILLA NORTE"}, {Text: "Calle Mayor 23"}, {Text: "10791 Teruel"},
	}}}
	for printed, want := range map[string]Seen{
		"GÖTZ": Whole, "GOTZ": Unmarked, "SEVILLO NORTE": Misread, "Calle Mayor 23, 10791 Teruel": Spread, "Kecskemét": Unseen,
	} {
		if got := seenOf(p, facts.Truth{Printed: printed}); got != want {
			t.Errorf("%q: got %d, want %d", printed, got, want)
		}
	}
}

func TestTheFateOfAFact(t *testing.T) {
	p := card()
	m := reading.Fitted()
	for _, tc := range []struct {
		name   string
		fact   facts.Truth
		limits reading.Limits
		want   Fate
	}{
		{"read", p.Truth[idv.FamilyName], reading.Limits{}, ReadRight},
		{"left out as unsure", p.Truth[idv.FamilyName], reading.Limits{Sure: 1}, TextUnsure},
		{"misread", facts.Truth{Name: idv.FamilyName, Value: "OTHER", Printed: "OTHER"}, reading.Limits{}, ReadWrong},
		{"without a candidate", facts.Truth{Name: idv.PlaceOfBirth, Value: "OTHER", Printed: "OTHER"}, reading.Limits{}, NoCandidate},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := p
			p.Truth = map[idv.ClaimName]facts.Truth{tc.fact.Name: tc.fact}
			losses := LossesOf([]Picture{p}, m, tc.limits)
			n := 0
			for _, row := range losses[tc.fact.Name] {
				n += row[tc.want]
			}
			if n != 1 {
				t.Errorf("not %s:\n%s", fateNames[tc.want], losses)
			}
		})
	}
}

func TestHalvesAreTheWholeAndShareNothing(t *testing.T) {
	var all []Picture
	for i := range 40 {
		all = append(all, Picture{Name: string(rune('a'+i%26)) + string(rune('a'+i/26))})
	}
	a, b := Half(all, "a"), Half(all, "b")
	if len(a)+len(b) != len(all) || len(a) == 0 || len(b) == 0 || len(Half(all, "")) != len(all) {
		t.Errorf("%d and %d of %d", len(a), len(b), len(all))
	}
	for _, x := range a {
		for _, y := range b {
			if x.Name == y.Name {
				t.Errorf("%s is in both", x.Name)
			}
		}
	}
}

func TestConfidencesAreCalibrated(t *testing.T) {
	right, wrong := card(), card()
	wrong.Truth = map[idv.ClaimName]facts.Truth{}
	m := reading.Fitted()
	for _, tc := range []struct {
		name        string
		pictures    []Picture
		least, most float64
	}{
		{"where three of four claims are right", []Picture{right, right, right, wrong}, .6, .9},
		{"where none is right", []Picture{wrong, wrong, wrong, wrong}, 0, .3},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := *m
			c.Weights = Calibrate(m, tc.pictures)
			for _, claim := range reading.ReadWith(right.Page, &c, reading.Limits{}).Claims {
				if claim.Confidence < tc.least || claim.Confidence > tc.most {
					t.Errorf("%s has confidence %.2f, want %.2f–%.2f", claim.Name, claim.Confidence, tc.least, tc.most)
				}
			}
		})
	}
}
