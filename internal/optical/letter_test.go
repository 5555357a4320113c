package optical

import "testing"

func TestALetterIsReadWhereCropsSpeakForItAndNoneForAnother(t *testing.T) {
	m := func(p float64) vote { return vote{letters: []float64{p, 0}} }
	f := func(p float64) vote { return vote{letters: []float64{0, p}} }
	other := func(p float64) vote { return vote{letters: []float64{.6, 0}, other: p} }
	fe := vote{letters: []float64{0, .99}, other: .98}
	for name, c := range map[string]struct {
		votes []vote
		want  string // "" for nothing
		sure  float64
	}{
		"all speak for it":                      {[]vote{m(.9), m(.7), m(.8), m(.6)}, "M", .9},
		"some say nothing":                      {[]vote{f(.9), {letters: []float64{0, 0}}, f(.8), f(.51), m(.4)}, "F", .9},
		"it never speaks against a zone":        {[]vote{f(1), f(1), f(1)}, "F", letterCap},
		"too few":                               {[]vote{m(.99), m(.99)}, "", 0},
		"one speaks for another":                {[]vote{m(.9), m(.9), m(.9), f(.6)}, "", 0},
		"another sign is surer in each":         {[]vote{other(.9), other(.8), other(.7), m(.9)}, "", 0},
		"another sign, but not as sure":         {[]vote{other(.2), other(.29), other(.1)}, "M", .6},
		"each holds a letter and another sign":  {[]vote{fe, fe, fe, fe}, "", 0},
		"nothing was there":                     {nil, "", 0},
		"one crop that speaks for both of them": {[]vote{m(.9), m(.9), m(.9), {letters: []float64{.5, .5}}}, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			at, sure, ok := elected(c.votes, len(sexes), letterVotes)
			got := ""
			if ok {
				got = string(sexes[at])
			}
			if got != c.want || ok && sure != c.sure {
				t.Errorf("got %q (%.2f), want %q (%.2f)", got, sure, c.want, c.sure)
			}
		})
	}
}

func TestWithoutALabelMoreCropsMustSpeakForALetter(t *testing.T) {
	m := vote{letters: []float64{.9, 0}}
	for n, want := range map[int]bool{letterVotes: false, openVotes - 1: false, openVotes: true} {
		var votes []vote
		for range n {
			votes = append(votes, m)
		}
		if _, _, ok := elected(votes, len(sexes), openVotes); ok != want {
			t.Errorf("%d of them: %v, want %v", n, ok, want)
		}
	}
}
