package text

import (
	"math"
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

func TestMarksThatAnIssuerDoesNotPrintAreTakenForTheirLetters(t *testing.T) {
	r := reader{LineReader: ocr.LineReader{Dictionary: []rune("\x00EÉÝYŸ ")}}
	read := func(m Marks, probabilities ...float64) string {
		scores := make([]float32, len(r.Dictionary))
		for i := range scores {
			scores[i] = -20
			if i < len(probabilities) && probabilities[i] > 0 {
				scores[i] = float32(math.Log(probabilities[i]))
			}
		}
		m.heed(scores, len(r.Dictionary))
		return r.decode(scores, 1, 1).Text
	}
	hawaii := []Line{{Reading: Reading{Text: "STATE OF HAWAIʻI"}}}
	for name, c := range map[string]struct {
		issuer string
		lines  []Line
		seen   []float64 // of blank, E, É, Ý, Y, Ÿ
		want   string
	}{
		"É in the USA":                              {"USA", nil, []float64{.2, .01, .79}, "E"},
		"É in the USA, though blank is nearer":      {"USA", nil, []float64{.4, .25, .35}, "E"},
		"nothing in the USA":                        {"USA", nil, []float64{.8, .1, .1}, ""},
		"É in Canada":                               {"CAN", nil, []float64{.2, .01, .79}, "É"},
		"Ý in Canada":                               {"CAN", nil, []float64{0, 0, 0, .9, .1}, "Y"},
		"Ÿ in Canada":                               {"CAN", nil, []float64{0, 0, 0, 0, .1, .9}, "Ÿ"},
		"É on a page of Hawaii":                     {"USA", hawaii, []float64{.2, .01, .79}, "É"},
		"É where the state's letters are not known": {"UTO", nil, []float64{.2, .01, .79}, "É"},
		"É where no issuer was told":                {"", nil, []float64{.2, .01, .79}, "É"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := read(r.marksOf(c.issuer, c.issuer, c.lines), c.seen...); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestAnAccentOnACapitalIIsADotInTurkey(t *testing.T) {
	r := reader{LineReader: ocr.LineReader{Dictionary: []rune("\x00IİÍÌÎÏíi ")}}
	turkish := []Line{{Reading: readAs("Doğ", .9, .9, .99)}, {Reading: readAs("Adı", .9, .9, .99)}}
	for _, tc := range []struct {
		issuer, seen, want string
		lines              []Line
	}{
		{"TUR", "Í", "İ", nil},
		{"TUR", "Ì", "İ", nil},
		{"TUR", "Î", "İ", nil},
		{"TUR", "İ", "İ", nil},
		{"TUR", "I", "I", nil},
		{"TUR", "Ï", "Ï", nil},
		{"TUR", "í", "í", nil},
		{"AZE", "Í", "İ", nil},
		{"PRT", "Í", "Í", nil},
		{"ROU", "Î", "Î", nil},
		{"", "Í", "Í", nil},
		{"", "Í", "İ", turkish},
		{"UTO", "Í", "İ", turkish},
		{"PRT", "Í", "Í", turkish},
		{"USA", "Í", "I", turkish},
		{"", "Í", "Í", turkish[:1]},
		{"", "Í", "Í", []Line{{Reading: readAs("Doğ", .99, .99, .8)}, {Reading: readAs("Adı", .99, .99, .8)}}},
	} {
		m := r.marksOf(tc.issuer, "", tc.lines)
		scores := make([]float32, len(r.Dictionary))
		for i, c := range r.Dictionary {
			if string(c) == tc.seen {
				scores[i] = 20
			}
		}
		m.heed(scores, len(r.Dictionary))
		if got := r.decode(scores, 1, 1).Text; got != tc.want {
			t.Errorf("%q on a page of %q: got %q, want %q", tc.seen, tc.issuer, got, tc.want)
		}
		seen := []rune(tc.seen)[0]
		if got, want := r.lettersAs(m).Known(seen), tc.seen == tc.want; got != want {
			t.Errorf("%q on a page of %q: a letter that may be printed: %v, want %v", tc.seen, tc.issuer, got, want)
		}
	}
}

func TestMarksThatTheIssuersLanguagesDoNotHaveAreRare(t *testing.T) {
	r := reader{LineReader: ocr.LineReader{Dictionary: []rune("\x00EÈĖSŞŠ ")}}
	for name, c := range map[string]struct {
		state string
		seen  map[rune]float64
		want  string
	}{
		"È in Lithuania, which has Ė":             {"LTU", map[rune]float64{'È': .75, 'Ė': .2}, "Ė"},
		"È in Lithuania that is surely one":       {"LTU", map[rune]float64{'È': .97, 'Ė': .01}, "È"},
		"È in France":                             {"FRA", map[rune]float64{'È': .75, 'Ė': .2}, "È"},
		"È where nothing is known of the names":   {"", map[rune]float64{'È': .75, 'Ė': .2}, "È"},
		"Ş in Germany, which has no mark on an S": {"DEU", map[rune]float64{'Ş': .6, 'S': .4}, "Ş"},
		"Š in Turkey, which has Ş":                {"TUR", map[rune]float64{'Š': .6, 'Ş': .4}, "Ş"},
		"no mark in Turkey":                       {"TUR", map[rune]float64{'S': .6, 'Ş': .4}, "S"},
	} {
		t.Run(name, func(t *testing.T) {
			scores := make([]float32, len(r.Dictionary))
			for i, letter := range r.Dictionary {
				scores[i] = float32(math.Log(max(c.seen[letter], 1e-6)))
			}
			r.marksOf("", c.state, nil).heed(scores, len(r.Dictionary))
			if got := r.decode(scores, 1, 1).Text; got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestStatesHaveLanguagesWhoseLettersAreKnown(t *testing.T) {
	seen := map[string]bool{}
	for _, group := range tonguesOf {
		for state := range strings.FieldsSeq(group.states) {
			if seen[state] {
				t.Errorf("%s is listed twice", state)
			}
			seen[state] = true
		}
		for tongue := range strings.FieldsSeq(group.tongues) {
			if _, known := tongueMarks[tongue]; !known {
				t.Errorf("%s have %q, whose letters are not known", group.states, tongue)
			}
		}
	}
}
