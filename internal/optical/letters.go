package optical

import (
	"context"
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/letter"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// letterPaper is the crop that single letters are read from: with room for the marks above and below.
var letterPaper = paper{above: .2, below: .2}

const (
	letterDoubt  = 0.3 // a letter that is less likely than that among its family is only as sure as it is likely
	letterBetter = 2.3 // log of how many times as likely the letters of another reading must be
)

// lettersAs is what is known of the letters of a line.
func (r textReader) lettersAs(known marks) letter.Alphabet {
	a := letter.Alphabet{Known: r.knows, Rare: map[rune]bool{}, RareBy: rareMark}
	for _, i := range known.rare {
		a.Rare[r.Dictionary[i]] = true
	}
	return a
}

// settle is what was read of a line after a look at each of its letters. texts: what else may have been read; seen: the crops that were.
func (n *networks) settle(
	ctx context.Context, img *imaging.Photo, s ocr.Strip, best printed, texts []printed, seen []looked, a letter.Alphabet,
) (printed, error) {
	runes := []rune(best.text)
	at := slices.IndexFunc(seen, func(l looked) bool { return l.text == best.text && len(l.at) == len(runes) })
	if at < 0 {
		return best, nil
	}
	likely, err := n.letters.Look(ctx, letterPaper.cut(img, s), runes, seen[at].at, a)
	if err != nil {
		return printed{}, err
	}
	return settled(likely, best, texts), nil
}

// settled is that of the readings which differ from the best in marks alone whose letters are likeliest. Letters that are unlikely are not sure.
func settled(likely letter.Likelihoods, best printed, texts []printed) printed {
	runes := []rune(best.text)
	most := likely.Of(runes) + letterBetter
	for _, p := range texts {
		if other := []rune(p.text); letter.Alike(other, runes) {
			if sum := likely.Of(other); sum > most {
				best, most = p, sum
			}
		}
	}
	best.chars = slices.Clone(best.chars)
	for i, c := range []rune(best.text) {
		if log, ok := likely[i][c]; ok && math.Exp(log) < letterDoubt {
			best.chars[i] = math.Min(best.chars[i], math.Exp(log))
		}
	}
	return best.of([]rune(best.text))
}
