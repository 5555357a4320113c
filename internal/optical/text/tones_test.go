package text

import (
	"math"
	"testing"

	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

func TestAToneIsWhatBothReadersMakeLikeliest(t *testing.T) {
	r := reader{LineReader: ocr.LineReader{Dictionary: []rune("\x00eéêếểx ")}, toned: true, doubt: 2}
	frames := func(likely map[rune]float64) lineFrames {
		out := make(lineFrames, 9)
		for class, c := range r.Dictionary {
			if p := likely[c]; p > 0 {
				out[4] = append(out[4], possible{class, math.Log(p)})
			}
		}
		return out
	}
	for name, tc := range map[string]struct {
		letters, line map[rune]float64
		want          rune
		least, most   float64
	}{
		"both say the same": {map[rune]float64{'ế': .9, 'ể': .1}, map[rune]float64{'ế': .9, 'ể': .1}, 'ế', .95, 1},
		"the reader of letters counts more": {
			map[rune]float64{'ế': .9, 'ể': .1}, map[rune]float64{'ế': .2, 'ể': .8}, 'ế', .8, .85,
		},
		"the reader of the line decides where that of letters is in doubt": {
			map[rune]float64{'ế': .5, 'ể': .5}, map[rune]float64{'ế': .01, 'ể': .99}, 'ể', .85, .95,
		},
		"they contradict each other": {
			map[rune]float64{'ế': .7, 'ể': .3}, map[rune]float64{'ế': .2, 'ể': .8}, 'ế', .5, .6,
		},
		"the reader of the line doubts that there is such a letter": {
			map[rune]float64{'ế': 1, 'ể': 1e-6}, map[rune]float64{'ế': .7, 'x': .3}, 'ế', .3, .5,
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, sure := r.likeliestOf(letterOf(tc.letters), []looked{{frames: frames(tc.line)}}, .5)
			if got != tc.want || sure < tc.least || sure > tc.most {
				t.Errorf("got %c, sure by %.2f, want %c and %.2f to %.2f", got, sure, tc.want, tc.least, tc.most)
			}
		})
	}
}

func TestALetterIsLookedForAroundItsPlace(t *testing.T) {
	frames := make(lineFrames, 21)
	frames[12] = []possible{{class: 3, log: -.1}}
	log := func(at float64) float64 { return frames.around(at, func(t int) float64 { return frames.log(t, 3) }) }
	for _, tc := range []struct{ at, want float64 }{{12. / 21, -.1}, {10. / 21, -.1}, {9. / 21, frameLeast}, {0, frameLeast}, {1, frameLeast}} {
		if got := log(tc.at); got != tc.want {
			t.Errorf("at %.2f: got %.2f, want %.2f", tc.at, got, tc.want)
		}
	}
}
