package optical

import (
	"math"
	"slices"
	"testing"

	"github.com/bonafide-id/bonafide/internal/optical/letter"
)

// letterOf is what the reader of letters says of one: how likely each of its family is.
func letterOf(likely map[rune]float64) map[rune]float64 {
	out := map[rune]float64{}
	for c, p := range likely {
		out[c] = math.Log(p)
	}
	return out
}

func TestOfReadingsThatDifferInMarksTheOneWithTheLikeliestLettersCounts(t *testing.T) {
	plain := func(text string, sure float64) printed {
		return printedAs(text, slices.Repeat([]float64{sure}, len([]rune(text)))...)
	}
	o := letterOf
	for name, tc := range map[string]struct {
		best   printed
		texts  []printed
		likely letter.Likelihoods
		want   string
		least  float64
	}{
		"a mark that one crop showed and the letter has": {
			plain("OHM", .99), []printed{plain("ÖHM", .95)}, letter.Likelihoods{o(map[rune]float64{'O': .05, 'Ö': .9, 'Ő': .05}), nil, nil}, "ÖHM", .95,
		},
		"a mark that the letter has and no crop showed is not claimed, and the letter is not sure": {
			plain("OHM", .99), nil, letter.Likelihoods{o(map[rune]float64{'O': .05, 'Ö': .9, 'Ő': .05}), nil, nil}, "OHM", .05,
		},
		"marks that are hardly likelier": {
			plain("ÖHM", .99), []printed{plain("ŐHM", .99)}, letter.Likelihoods{o(map[rune]float64{'Ö': .4, 'Ő': .6}), nil, nil}, "ÖHM", .99,
		},
		"other letters are not what is looked at": {
			plain("OHM", .99), []printed{plain("AHM", .99)}, letter.Likelihoods{o(map[rune]float64{'O': .9, 'Ö': .1}), nil, nil}, "OHM", .99,
		},
		"a letter that is not seen where it was read says nothing": {
			plain("OHM", .99), []printed{plain("ÖHM", .99)}, letter.Likelihoods{nil, nil, nil}, "OHM", .99,
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := settled(tc.likely, tc.best, tc.texts)
			if got.text != tc.want || math.Abs(got.least-tc.least) > 1e-9 {
				t.Errorf("got %q, sure by %.3f; want %q, %.3f", got.text, got.least, tc.want, tc.least)
			}
		})
	}
}
