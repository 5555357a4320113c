package text

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/optical/letter"
	"github.com/bonafide-id/bonafide/internal/reading"
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
	plain := func(text string, sure float64) Reading {
		return readAs(text, slices.Repeat([]float64{sure}, len([]rune(text)))...)
	}
	of := func(likely map[rune]float64) letter.Likelihoods { return letter.Likelihoods{letterOf(likely)} }
	for name, tc := range map[string]struct {
		best   Reading
		texts  []Reading
		likely letter.Likelihoods
		want   string
		sure   bool
	}{
		"a mark that the letter has by far the likeliest": {
			plain("OHM", .99), []Reading{plain("ÖHM", .95)}, of(map[rune]float64{'O': .001, 'Ö': .998, 'Ő': .001}), "ÖHM", true,
		},
		"a mark that is likelier is not claimed, nor is what was read": {
			plain("OHM", .99), []Reading{plain("ÖHM", .95)}, of(map[rune]float64{'O': .1, 'Ö': .9}), "OHM", false,
		},
		"what was read is by far the likeliest": {
			plain("ÖHM", .99), []Reading{plain("OHM", .99), plain("ŐHM", .9)}, of(map[rune]float64{'O': .01, 'Ö': .98, 'Ő': .01}), "ÖHM", true,
		},
		"what was read is hardly the likeliest": {
			plain("ÖHM", .99), []Reading{plain("OHM", .99), plain("ŐHM", .9)}, of(map[rune]float64{'O': .01, 'Ö': .59, 'Ő': .4}), "ÖHM", false,
		},
		"two other marks are likelier, and alike": {
			plain("OHM", .99), []Reading{plain("ÖHM", .99), plain("ŐHM", .9)}, of(map[rune]float64{'O': .001, 'Ö': .5, 'Ő': .499}), "ÖHM", false,
		},
		"a reading that its crop was not sure of is no rival": {
			plain("OHM", .99), []Reading{plain("ÖHM", .6)}, letter.Likelihoods{}, "OHM", true,
		},
		"a letter that is not seen where it was read is not sure": {
			plain("OHM", .99), []Reading{plain("ÖHM", .99)}, letter.Likelihoods{nil}, "OHM", false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := contestOf(tc.best, tc.texts).settled(tc.likely)
			if sure := got.Least >= reading.Measured().Least; got.Text != tc.want || sure != tc.sure {
				t.Errorf("got %q, sure by %.3f; want %q, sure: %t", got.Text, got.Least, tc.want, tc.sure)
			}
		})
	}
}

func TestReadingsThatDifferInMarksAloneAreContested(t *testing.T) {
	for name, tc := range map[string]struct {
		best  string
		texts []string
		want  []int
	}{
		"in one mark":                       {"ÖHM", []string{"ÖHM", "OHM"}, []int{0}},
		"in two marks":                      {"ÖHMÁ", []string{"OHMÁ", "ÖHMA"}, []int{0, 3}},
		"in a letter":                       {"ÖHM", []string{"ÄHM", "ÖHMS"}, nil},
		"a cedilla for a comma is the same": {"ȘOȚ", []string{"ŞOŢ"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var texts []Reading
			for _, text := range tc.texts {
				texts = append(texts, Reading{Text: text, Least: .9})
			}
			if diff := cmp.Diff(tc.want, contestOf(Reading{Text: tc.best}, texts).places); diff != "" {
				t.Errorf("places, want −, got +:\n%s", diff)
			}
		})
	}
}
