package text

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// togetherDict are the classes of the crops that these tests make up.
var togetherDict = []rune("\x00AHMOÄÖŐ ")

// crop is a crop as a reader answers it: for each character a frame with the probabilities of some letters, the best first, and a
// frame of blank behind it.
func (r reader) cropOf(seen ...map[rune]float64) looked {
	var scores []float32
	for _, letters := range seen {
		for _, frame := range []map[rune]float64{letters, {0: 1}} {
			row := make([]float32, len(r.Dictionary))
			for i, c := range r.Dictionary {
				row[i] = float32(math.Log(math.Max(frame[c], 1e-6)))
			}
			scores = append(scores, row...)
		}
	}
	n := len(scores) / len(r.Dictionary)
	return looked{Reading: r.decode(scores, n, 1/float64(n)), frames: r.possibilities(scores, n)}
}

func TestOfSeveralCropsTheTextThatAllMakeLikeliestCounts(t *testing.T) {
	r := reader{LineReader: ocr.LineReader{Dictionary: togetherDict}}
	one := func(c rune, p float64) map[rune]float64 { return map[rune]float64{c: p, 'A': 1 - p} }
	h, m := one('H', 1), one('M', 1)
	plain := r.cropOf(h, map[rune]float64{'A': 1}, m)
	tall := func(l looked) looked { l.tall = true; return l }
	umlaut := r.cropOf(h, map[rune]float64{'Ä': 1}, m)
	for name, c := range map[string]struct {
		first Reading
		seen  []looked
		want  string
		sure  float64 // of the second letter
	}{
		"one crop":                    {Reading{}, []looked{r.cropOf(h, one('Ä', .8), m)}, "HÄM", .8},
		"what was read first, surely": {readAs("HÄM", 1, 1, 1), []looked{plain, plain}, "HAM", 1},
		"a mark that two crops show beside one that cut it off, where there is a little of it": {
			Reading{}, []looked{r.cropOf(h, one('Ä', .02), m), r.cropOf(h, one('Ä', .9), m), r.cropOf(h, one('Ä', .95), m)}, "HÄM", .95,
		},
		"a mark that one crop hardly shows": {Reading{}, []looked{plain, plain, r.cropOf(h, one('Ä', .6), m)}, "HAM", 1},
		"a mark that only tall crops show":  {Reading{}, []looked{tall(umlaut), tall(umlaut), plain, plain, plain, plain, plain}, "HÄM", 1},
		"a mark that one of two tall crops shows surely, and the other hardly not": {
			Reading{}, []looked{tall(umlaut), tall(r.cropOf(h, one('Ä', .4), m)), plain, plain, plain}, "HÄM", 1,
		},
		"a mark that no tall crop shows surely": {
			Reading{}, []looked{tall(r.cropOf(h, one('Ä', .71), m)), tall(r.cropOf(h, one('Ä', .6), m)), plain, plain, plain}, "HAM", 1,
		},
		"a mark that tall crops are too coarse to show": {Reading{}, []looked{tall(plain), tall(r.cropOf(h, one('Ä', .1), m)), umlaut, umlaut, umlaut}, "HÄM", 1},
		"another letter that only tall crops show":      {Reading{}, []looked{tall(r.cropOf(h, one('O', 1), m)), plain, plain, plain}, "HAM", 1},
		"crops that differ in the mark and agree that there is one": {
			Reading{}, []looked{r.cropOf(h, map[rune]float64{'Ö': .6, 'Ő': .4}, m), r.cropOf(h, map[rune]float64{'Ő': .9, 'Ö': .1}, m)}, "HŐM", .9,
		},
		"a letter that two crops surely show twice": {Reading{}, []looked{r.cropOf(h, m), r.cropOf(h, h, m), r.cropOf(h, h, m)}, "HHM", 1},
		"a letter that one crop shows twice":        {Reading{}, []looked{r.cropOf(h, m), r.cropOf(h, m), r.cropOf(h, h, m)}, "HM", 1},
		"a letter that two crops show twice, one of them not surely": {
			Reading{}, []looked{r.cropOf(h, m), r.cropOf(h, h, m), r.cropOf(h, one('H', .8), m)}, "HM", 1,
		},
		"a letter that one crop lost": {Reading{}, []looked{r.cropOf(h, m), r.cropOf(h, one('O', .9), m), r.cropOf(h, one('O', .9), m)}, "HOM", .9},
		"what no crop shows is as sure as it was": {
			readAs("HOM", 1, .7, 1),
			[]looked{r.cropOf(h, map[rune]float64{'Ö': .55, 'O': .45}, m), r.cropOf(h, map[rune]float64{'Ő': .55, 'O': .45}, m)}, "HOM", .7,
		},
		"a character that the reader has no class for": {readAs("HИM", 1, 1, 1), []looked{plain}, "HAM", 1},
		"crops that show nothing":                      {readAs("HAM", 1, .6, 1), []looked{r.cropOf(map[rune]float64{0: 1})}, "HAM", .6},
	} {
		t.Run(name, func(t *testing.T) {
			texts := []Reading{c.first}
			for _, s := range c.seen {
				texts = append(texts, s.Reading)
			}
			got := r.likeliest(texts, c.seen)
			if got.Text != c.want {
				t.Fatalf("%q, want %q", got.Text, c.want)
			}
			if math.Abs(got.Chars[1]-c.sure) > 1e-4 {
				t.Errorf("its second letter has %.4f, want %.4f", got.Chars[1], c.sure)
			}
		})
	}
	if got := r.likeliest([]Reading{{}}, nil); got.Text != "" {
		t.Errorf("of nothing %q", got.Text)
	}
}

func TestTheLikelihoodOfATextIsThatOfItsBestPath(t *testing.T) {
	half := math.Log(.5)
	f := lineFrames{{{1, half}, {0, half}}, {{1, half}, {0, half}}, {{1, half}, {2, half}}}
	for name, c := range map[string]struct {
		classes []int
		want    float64
	}{
		"one letter for all frames":                   {[]int{1}, 3 * half},
		"two letters":                                 {[]int{1, 2}, 3 * half},
		"two equal letters have a blank between":      {[]int{1, 1}, 3 * half},
		"three equal letters do not fit three frames": {[]int{1, 1, 1}, 6 * frameLeast},
		"a letter that no frame shows":                {[]int{3}, 2*half + frameLeast},
		"nothing":                                     {nil, 3 * frameLeast},
		"a character without a class":                 {[]int{1, 0}, 5 * frameLeast},
	} {
		if d := cmp.Diff(c.want, f.likelihood(c.classes)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}
