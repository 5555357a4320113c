package optical

import (
	"math"
	"testing"

	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

func TestMarksThatAnIssuerDoesNotPrintAreTakenForTheirLetters(t *testing.T) {
	r := textReader{LineReader: ocr.LineReader{Dictionary: []rune("\x00EÉÝYŸ ")}}
	read := func(marks []int, probabilities ...float64) string {
		scores := make([]float32, len(r.Dictionary))
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
