package text

import (
	"context"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/letter"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

const (
	toneSure   = 0.9 // from how sure its reader was of a letter in a line on its mark is not looked at
	lineWeight = 0.5 // how much the reader of the line counts beside the reader of letters
	toneReach  = 2   // how many frames beside the middle of a letter the reader of a line may speak of it
)

// vietnameseMarked are the capitals of Vietnamese that have a mark.
const vietnameseMarked = "ĂÂĐÊÔƠƯẠẢÃÀÁẶẲẴẰẮẬẨẪẦẤẸẺẼÈÉỆỂỄỀẾỊỈĨÌÍỌỎÕÒÓỘỔỖỒỐỢỞỠỜỚỤỦŨÙÚỰỬỮỪỨỴỶỸỲÝ"

// lookAtTones looks closely at the marks of all lines that the reader of Vietnamese has seen. seen is what it made of each.
func (n *Readers) lookAtTones(ctx context.Context, img *imaging.Photo, lines []Line, seen []looked) error {
	return Each(ctx, len(lines), func(ctx context.Context, i int) error {
		l := lines[i]
		if !l.toned {
			return nil
		}
		p, err := n.withTones(ctx, img, l.Strip, l.Reading, seen[i:i+1])
		lines[i] = l.as(p)
		return err
	})
}

// withTones returns a reading with the likeliest mark on each letter that is unsure. What the reader of letters sees counts, and what the reader of
// Vietnamese made of some crops of the line. The reading's letters are where they are in these crops.
func (n *Readers) withTones(ctx context.Context, img *imaging.Photo, s ocr.Strip, p Reading, seen []looked) (Reading, error) {
	runes := []rune(p.Text)
	var places []int
	var bare []rune
	for i, c := range runes {
		if unicode.IsLetter(c) && p.Chars[i] < toneSure {
			places, bare = append(places, i), append(bare, letter.Bare(c))
		}
	}
	if len(places) == 0 {
		return p, nil
	}
	likely, err := n.letters.Look(ctx, cropsOf(img, s, letterPaper), bare, membersAt(p.At, places), n.vietnamese.rarelyOthers())
	if err != nil {
		return Reading{}, err
	}
	p.Chars = slices.Clone(p.Chars)
	for k, i := range places {
		if likely[k] != nil {
			runes[i], p.Chars[i] = n.vietnamese.likeliestOf(likely[k], seen, p.At[i])
		}
	}
	return p.of(runes), nil
}

// rarelyOthers is the alphabet in which letters with marks that Vietnamese does not have are rare.
func (r reader) rarelyOthers() letter.Alphabet {
	a := letter.Alphabet{Known: r.knows, Rare: map[rune]bool{}, RareBy: rareMark}
	for _, c := range r.Dictionary {
		if unicode.IsLetter(c) && c > unicode.MaxASCII && !strings.ContainsRune(vietnameseMarked, unicode.ToUpper(c)) {
			a.Rare[c] = true
		}
	}
	return a
}

// likeliestOf returns the likeliest letter of a family, and how sure it is. likely is what the reader of letters says, at is where the letter stands.
func (r reader) likeliestOf(likely map[rune]float64, seen []looked, at float64) (rune, float64) {
	var family []rune
	var logs []float64
	for class, c := range r.Dictionary {
		log, ok := likely[c]
		if !ok {
			continue
		}
		for _, s := range seen {
			log += lineWeight * s.frames.around(at, func(t int) float64 { return s.frames.log(t, class) }) / float64(len(seen))
		}
		family, logs = append(family, c), append(logs, log)
	}
	there := 0.0 // how surely the reader of the line sees some letter of the family
	for _, s := range seen {
		there = math.Max(there, s.frames.around(at, func(t int) float64 {
			sum := 0.0
			for _, p := range s.frames[t] {
				if _, ok := likely[r.Dictionary[p.class]]; ok {
					sum += math.Exp(p.log)
				}
			}
			return sum
		}))
	}
	best, sum := 0, 0.0
	for k, log := range logs {
		sum += math.Exp(log)
		if log > logs[best] {
			best = k
		}
	}
	return family[best], math.Exp(logs[best]) / sum * r.sure(there)
}

// around is the most that something is in the frames around a place along the line.
func (f lineFrames) around(at float64, of func(t int) float64) float64 {
	middle := int(math.Round(at * float64(len(f))))
	most := math.Inf(-1)
	for t := max(0, middle-toneReach); t <= min(len(f)-1, middle+toneReach); t++ {
		most = math.Max(most, of(t))
	}
	return most
}
