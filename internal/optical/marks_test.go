package optical

import (
	"math"
	"testing"
)

func TestMarksThatAnIssuerDoesNotPrintAreTakenForTheirLetters(t *testing.T) {
	r := textReader{dict: []rune("\x00EÉÝYŸ ")}
	read := func(marks []int, probabilities ...float64) string {
		scores := make([]float32, len(r.dict))
		for i := range scores {
			scores[i] = -20
			if i < len(probabilities) && probabilities[i] > 0 {
				scores[i] = float32(math.Log(probabilities[i]))
			}
		}
		unmarked(scores, marks)
		return r.decode(scores, 1, 1).text
	}
	hawaii := []line{{text: "STATE OF HAWAIʻI"}}
	for name, c := range map[string]struct {
		issuer string
		lines  []line
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
			if got := read(r.marksOf(c.issuer, c.lines), c.seen...); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestAMarkThatSomeCropsCutOffIsRead(t *testing.T) {
	for name, c := range map[string]struct {
		seen []printed // the first was the surest
		want string
		sure float64 // of the second letter
	}{
		"two crops show it":                    {[]printed{printedAs("GOR", 1, 1, 1), printedAs("GŐR", 1, .8, 1), printedAs("GŐR", 1, .7, 1)}, "GŐR", .75},
		"one crop does":                        {[]printed{printedAs("GOR", 1, 1, 1), printedAs("GŐR", 1, 1, 1)}, "GOR", 1},
		"two crops hardly do":                  {[]printed{printedAs("GOR", 1, 1, 1), printedAs("GŐR", 1, .6, 1), printedAs("GŐR", 1, .6, 1)}, "GOR", 1},
		"two do, and do not agree which it is": {[]printed{printedAs("GOR", 1, 1, 1), printedAs("GŐR", 1, .9, 1), printedAs("GÖR", 1, .7, 1)}, "GŐR", .45},
		"another word says nothing":            {[]printed{printedAs("GOR", 1, 1, 1), printedAs("GŐB", 1, 1, 1), printedAs("GŐB", 1, 1, 1)}, "GOR", 1},
		"what has a mark keeps it":             {[]printed{printedAs("GÖR", 1, 1, 1), printedAs("GŐR", 1, .9, 1), printedAs("GŐR", 1, .9, 1)}, "GÖR", 1},
		"nothing was read":                     {[]printed{{}}, "", 0},
	} {
		got := c.seen[0].marked(c.seen)
		if got.text != c.want || got.text != "" && math.Abs(got.chars[1]-c.sure) > 1e-9 {
			t.Errorf("%s: %q %v, want %q %.2f", name, got.text, got.chars, c.want, c.sure)
		}
	}
}
