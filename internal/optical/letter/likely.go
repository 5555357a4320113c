package letter

import (
	"context"
	"math"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// strokes are letters with a stroke or without their dot, which have no decomposition, and what they are otherwise.
var strokes = strings.NewReplacer("Đ", "D", "đ", "d", "Ø", "O", "ø", "o", "Ł", "L", "ł", "l", "Ħ", "H", "ħ", "h", "Ŧ", "T", "ŧ", "t", "Q", "O", "ı", "i")

// Bare is a letter without its marks and strokes.
func Bare(c rune) rune { return []rune(norm.NFD.String(strokes.Replace(string(c))))[0] }

// Alike reports whether two texts have the same letters but for marks.
func Alike(a, b []rune) bool {
	return slices.EqualFunc(a, b, func(x, y rune) bool { return Bare(x) == Bare(y) })
}

// twins are figures and the letters that look like them. An O and a 0 are not told apart by their shape (ADR 112).
var twins = map[rune]rune{'5': 'S', '8': 'B', '2': 'Z', '6': 'G'}

// lookAlikes are letters of another family that readers of lines take for a letter: to them, a ł with a short stroke is a t.
var lookAlikes = map[rune]rune{'t': 'ł'}

// HasLookAlike reports whether readers of lines take a letter of another family for this one.
func HasLookAlike(c rune) bool { return lookAlikes[c] != 0 }

// Figure is the figure that a character is or looks like; 0 for none.
func Figure(c rune) rune {
	for figure, twin := range twins {
		if c == figure || c == twin {
			return figure
		}
	}
	return 0
}

// Alphabet is what is known of the letters of a line before they are looked at.
type Alphabet struct {
	Known  func(rune) bool // those that may be there
	Rare   map[rune]bool   // those of them that are less likely,
	RareBy float64         // by this much log likelihood
}

// Likelihoods hold a map for each character: how likely each letter of its family is, as a log. The family of a letter is the letter without a mark and
// with each mark, and a letter of another family that is taken for it; that of a figure is the figure and the letter that looks like it. The map is nil
// if the character has no family, or if no letter of it is seen.
type Likelihoods []map[rune]float64

// least is the log of the likelihood that every letter is taken to have, so that no single one decides.
const least = -8.0

// there is how likely a letter of the family must be for it to be seen: lines are not always read exactly where they stand.
const there = 0.6

// Look reads some characters of a line from crops of it. at holds the middle of each character as a part of the width, the same in every crop.
func (r Reader) Look(ctx context.Context, crops []*imaging.Gray, characters []rune, at []float64, a Alphabet) (Likelihoods, error) {
	means, err := r.means(ctx, crops, at)
	if err != nil {
		return nil, err
	}
	out := make(Likelihoods, len(characters))
	for i, c := range characters {
		out[i] = r.family(means[i], c, a)
	}
	return out, nil
}

// means are the logs of the likelihoods of all classes, for each character, on the mean over crops.
func (r Reader) means(ctx context.Context, crops []*imaging.Gray, at []float64) ([][]float64, error) {
	out := make([][]float64, len(at))
	for i := range out {
		out[i] = make([]float64, len(r.dictionary))
	}
	for _, crop := range crops {
		scores, err := r.scores(ctx, crop, at)
		if err != nil {
			return nil, err
		}
		for i, row := range scores {
			top, best := ocr.BestClass(row)
			all := float64(top) - math.Log(ocr.BestProbability(row, best))
			for k, v := range row {
				out[i][k] += (float64(v) - all) / float64(len(crops))
			}
		}
	}
	return out, nil
}

// family is how likely each letter of a character's family is, given that one of them is there; see Likelihoods.
func (r Reader) family(logs []float64, c rune, a Alphabet) map[rune]float64 {
	all, seen, known := 0.0, 0.0, 0.0
	for _, v := range logs {
		all += math.Exp(v)
	}
	out := map[rune]float64{}
	for _, k := range r.families[Bare(c)] {
		letter := r.dictionary[k]
		seen += math.Exp(logs[k])
		if !a.Known(letter) {
			continue
		}
		out[letter] = logs[k]
		if a.Rare[letter] {
			out[letter] -= a.RareBy
		}
		known += math.Exp(out[letter])
	}
	if _, ok := out[c]; !ok || len(out) < 2 || seen < there*all {
		return nil
	}
	for letter := range out {
		out[letter] -= math.Log(known)
	}
	return out
}

// Of is the log of the likelihood of characters that differ from those looked at in marks alone.
func (l Likelihoods) Of(characters []rune) float64 {
	sum := 0.0
	for i, c := range characters {
		if l[i] == nil {
			continue
		}
		log, ok := l[i][c]
		if !ok {
			log = least
		}
		sum += math.Max(least, log)
	}
	return sum
}
