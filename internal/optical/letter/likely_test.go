package letter

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestALetterIsOneOfItsFamily(t *testing.T) {
	dictionary := []rune("\x00OÖŐØXS5ltłț ")
	logs := func(likely map[rune]float64) []float64 {
		var out []float64
		for _, c := range dictionary {
			out = append(out, math.Log(math.Max(likely[c], 1e-9)))
		}
		return out
	}
	const by = 3.0
	all := func(rune) bool { return true }
	for name, tc := range map[string]struct {
		likely map[rune]float64
		c      rune
		known  func(rune) bool
		rare   map[rune]bool
		want   map[rune]float64
	}{
		"with all marks and strokes": {
			map[rune]float64{'O': .1, 'Ö': .4, 'Ő': .2, 'Ø': .1, 'X': .2}, 'Ö', all, nil, map[rune]float64{'O': .125, 'Ö': .5, 'Ő': .25, 'Ø': .125},
		},
		"without letters that the line's reader does not know": {
			map[rune]float64{'O': .1, 'Ö': .4, 'Ő': .5}, 'O', func(c rune) bool { return c != 'Ő' && c != 'Ø' }, nil, map[rune]float64{'O': .2, 'Ö': .8},
		},
		"rare marks are less likely": {
			map[rune]float64{'Ö': .5, 'Ő': .5}, 'Ö', func(c rune) bool { return c == 'Ö' || c == 'Ő' }, map[rune]bool{'Ő': true},
			map[rune]float64{'Ö': 1 / (1 + math.Exp(-by)), 'Ő': math.Exp(-by) / (1 + math.Exp(-by))},
		},
		"a letter of another family that is taken for it": {map[rune]float64{'ł': .8, 't': .1, 'ț': .1}, 't', all, nil, map[rune]float64{'ł': .8, 't': .1, 'ț': .1}},
		"the other letter is not taken for a third":       {map[rune]float64{'ł': .1, 't': .5, 'l': .4}, 'l', all, nil, nil},
		"another letter stands there":                     {map[rune]float64{'X': .9, 'O': .1}, 'O', all, nil, nil},
		"a figure or the letter that looks like it":       {map[rune]float64{'S': .6, '5': .2, 'X': .2}, '5', all, nil, map[rune]float64{'S': .75, '5': .25}},
		"a letter without a family":                       {map[rune]float64{'X': 1}, 'X', all, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			r := New(nil, dictionary)
			var got map[rune]float64
			for c, log := range r.family(logs(tc.likely), tc.c, Alphabet{tc.known, tc.rare, by}) {
				if got == nil {
					got = map[rune]float64{}
				}
				got[c] = math.Exp(log)
			}
			if diff := cmp.Diff(tc.want, got, cmpopts.EquateApprox(0, 1e-6)); diff != "" {
				t.Errorf("want −, got +:\n%s", diff)
			}
		})
	}
}

func TestTextsAreAlikeThatDifferInMarksAlone(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want bool
	}{
		{"ÅSA", "ASA", true},
		{"Łódź", "Lodz", true},
		{"ĐẶNG", "DANG", true},
		{"ısı", "isi", true},
		{"QUINN", "OUINN", true},
		{"ASA", "ASS", false},
		{"ASA", "AS", false},
		{"Asa", "ASA", false},
	} {
		if got := Alike([]rune(tc.a), []rune(tc.b)); got != tc.want {
			t.Errorf("%q and %q are alike: %t, want %t", tc.a, tc.b, got, tc.want)
		}
	}
}
