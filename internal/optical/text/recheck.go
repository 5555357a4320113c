package text

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"unicode"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/letter"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// Set on the values of the scans of letters.go.
const (
	letterUnsure  = 0.5 // how likely it must be in one crop not to be looked at in all
	letterDoubted = 0.1 // how likely a letter on which no crops disagree must be to stand
	letterSure    = 0.9 // how likely another one must be to take its place
)

// recheck looks at all letters of a reading, and at what may be a figure or a letter, whether or not its crops agree on them. A letter that is very
// unlikely does not stand: a likely one takes its place, or it is unsure. at is where the letters are in the crops. One crop shows which of them need a
// closer look.
func (n *Readers) recheck(
	ctx context.Context, img *imaging.Photo, s ocr.Strip, p Reading, at []float64, a letter.Alphabet,
) (Reading, error) {
	own := []rune(p.Text)
	asked := askedOf(own)
	places := make([]int, 0, len(asked))
	for i, c := range asked {
		if c != 0 {
			places = append(places, i)
		}
	}
	var likely letter.Likelihoods
	for _, look := range []struct {
		papers  []paper
		doubted float64
	}{{letterPaper[:1], letterUnsure}, {letterPaper, letterDoubted}} {
		if len(places) == 0 {
			return p, nil
		}
		var err error
		if likely, err = n.letters.Look(ctx, cropsOf(img, s, look.papers), membersAt(asked, places), membersAt(at, places), a); err != nil {
			return Reading{}, err
		}
		var doubted []int
		var still letter.Likelihoods
		for k, i := range places {
			if likely[k] != nil && !stands(own[i], likely[k], look.doubted) {
				doubted, still = append(doubted, i), append(still, likely[k])
			}
		}
		places, likely = doubted, still
	}
	return p.corrected(places, likely), nil
}

// stands reports whether a letter is likely enough to stand. One that has a look-alike is doubted sooner, because readers of lines are sure of it.
func stands(c rune, likely map[rune]float64, doubted float64) bool {
	if letter.HasLookAlike(c) {
		doubted = letterUnsure
	}
	return likely[c] >= math.Log(doubted)
}

// askedOf is what the reader of letters is asked for at each place of a text: a letter without its mark; in a word of letters and figures the figure that
// a sign is or looks like; 0 for nothing.
func askedOf(text []rune) []rune {
	out := make([]rune, len(text))
	for _, w := range wordsApart(text) {
		word := text[w[0]:w[1]]
		mixed := slices.ContainsFunc(word, unicode.IsDigit) && slices.ContainsFunc(word, unicode.IsLetter)
		for i, c := range word {
			switch figure := letter.Figure(c); {
			case mixed && figure != 0:
				out[w[0]+i] = figure
			case !mixed && unicode.IsLetter(c):
				out[w[0]+i] = letter.Bare(c)
			}
		}
	}
	return out
}

// corrected is the reading with other letters where its own are very unlikely.
func (p Reading) corrected(places []int, likely letter.Likelihoods) Reading {
	runes := []rune(p.Text)
	p.Chars = slices.Clone(p.Chars)
	for k, i := range places {
		best := slices.MaxFunc(slices.Collect(maps.Keys(likely[k])), func(a, b rune) int {
			return cmp.Or(cmp.Compare(likely[k][a], likely[k][b]), cmp.Compare(a, b))
		})
		sure := math.Exp(likely[k][best])
		if sure < letterSure {
			p.Chars[i] = math.Min(p.Chars[i], unlike)
			continue
		}
		runes[i], p.Chars[i] = best, sure
	}
	return p.of(runes)
}
