package text

import (
	"slices"
	"testing"

	"github.com/bonafide-id/bonafide/internal/optical/letter"
	"github.com/bonafide-id/bonafide/internal/reading"
)

func TestALetterThatIsVeryUnlikelyDoesNotStand(t *testing.T) {
	for name, tc := range map[string]struct {
		text   string
		likely map[rune]float64
		want   string
		sure   bool
	}{
		"another one is likely":             {"OHM", map[rune]float64{'O': .02, 'Ö': .97, 'Ő': .01}, "ÖHM", true},
		"two others are likely":             {"OHM", map[rune]float64{'O': .02, 'Ö': .5, 'Ő': .48}, "OHM", false},
		"a letter that looks like a figure": {"S6", map[rune]float64{'S': .05, '5': .95}, "56", true},
	} {
		t.Run(name, func(t *testing.T) {
			p := readAs(tc.text, slices.Repeat([]float64{.99}, len([]rune(tc.text)))...)
			got := p.corrected([]int{0}, letter.Likelihoods{letterOf(tc.likely)})
			if sure := got.Least >= reading.Measured().Least; got.Text != tc.want || sure != tc.sure {
				t.Errorf("got %q, sure by %.2f; want %q, sure: %t", got.Text, got.Least, tc.want, tc.sure)
			}
			if p.Text != tc.text || p.Least != .99 {
				t.Errorf("the reading itself became %q, sure by %.2f", p.Text, p.Least)
			}
		})
	}
}

func TestALetterThatHasALookAlikeIsDoubtedSooner(t *testing.T) {
	for _, tc := range []struct {
		c    rune
		sure float64
		want bool
	}{{'o', .3, true}, {'o', .05, false}, {'t', .6, true}, {'t', .3, false}} {
		if got := stands(tc.c, letterOf(map[rune]float64{tc.c: tc.sure}), letterDoubted); got != tc.want {
			t.Errorf("%c at %.2f stands: %t, want %t", tc.c, tc.sure, got, tc.want)
		}
	}
}

func TestWhatTheReaderOfLettersIsAsked(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"ÖHM", "OHM"},
		{"B04HE3S1", "8-----5-"},
		{"KRANJ S6", "KRANJ-56"},
		{"2025", "----"},
		{"SZÉP 12", "SZEP---"},
	} {
		got := askedOf([]rune(tc.text))
		for i, c := range got {
			if c == 0 {
				got[i] = '-'
			}
		}
		if string(got) != tc.want {
			t.Errorf("%q: asked for %q, want %q", tc.text, string(got), tc.want)
		}
	}
}
