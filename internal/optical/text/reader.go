package text

import (
	"context"
	"math"
	"slices"
	"unicode"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// Reading is a text as it was read. The zero Reading says that nothing was read.
type Reading struct {
	Text       string    // without spaces at either end; "" when nothing was read
	Confidence float64   // mean over its characters, 0–1; 0 when nothing was read
	Least      float64   // of its least sure character, 0–1
	Chars      []float64 // for each rune of Text, 0–1
	At         []float64 // for each rune of Text, where its middle is along the crop: 0 at the left end, 1 at the right
}

// of completes a reading whose characters have been noted: without spaces at either end.
func (p Reading) of(runes []rune) Reading {
	for len(runes) > 0 && unicode.IsSpace(runes[0]) {
		runes, p.Chars, p.At = runes[1:], p.Chars[1:], p.At[1:]
	}
	for n := len(runes); n > 0 && unicode.IsSpace(runes[n-1]); n-- {
		runes, p.Chars, p.At = runes[:n-1], p.Chars[:n-1], p.At[:n-1]
	}
	if len(runes) == 0 {
		return Reading{}
	}
	sum := 0.0
	p.Least = 1
	for _, c := range p.Chars {
		sum += c
		p.Least = math.Min(p.Least, c)
	}
	p.Text, p.Confidence = string(runes), sum/float64(len(runes))
	return p
}

// readText reads ordinary print.
func (r reader) readText(ctx context.Context, img *imaging.Photo, s ocr.Strip) (Reading, error) {
	return r.readCrop(ctx, ocr.CropGray(img, s))
}

// readCrop is readText of a line that is cut already.
func (r reader) readCrop(ctx context.Context, crop *imaging.Gray) (Reading, error) {
	k := keyOf(crop, Marks{}, false)
	if l, ok := r.memo.find(k); ok {
		return l.Reading, nil
	}
	scores, n, step, err := r.Scores(ctx, crop)
	if err != nil {
		return Reading{}, err
	}
	p := r.decode(scores, n, step)
	r.memo.keep(k, looked{Reading: p})
	return p, nil
}

// decode takes the best class of each frame, merges equal neighbours and drops blanks. A character is as sure as in the
// surest frame of its run, and stands in the middle of it.
func (r reader) decode(scores []float32, n int, step float64) Reading {
	var out Reading
	var runes []rune
	before, first := 0, 0
	for t := range min(n, len(scores)/len(r.Dictionary)) {
		row := scores[t*len(r.Dictionary) : (t+1)*len(r.Dictionary)]
		_, best := ocr.BestClass(row)
		switch last := len(runes) - 1; {
		case best == 0:
		case best == before:
			out.Chars[last] = math.Max(out.Chars[last], ocr.BestProbability(row, best))
			out.At[last] = math.Min(1, float64(first+t)/2*step)
		default:
			first = t
			runes = append(runes, r.Dictionary[best])
			out.Chars = append(out.Chars, ocr.BestProbability(row, best))
			out.At = append(out.At, math.Min(1, float64(t)*step))
		}
		before = best
	}
	runes = out.undouble(runes)
	for i, c := range out.Chars {
		out.Chars[i] = r.sure(c)
	}
	if r.other {
		runes = inOneCase(inOneScript(runes))
	}
	return out.of(runes)
}

// sure is how sure the reader is of a character that its network is so sure of.
func (r reader) sure(network float64) float64 {
	if r.doubt == 0 {
		return network
	}
	return math.Max(0, 1-r.doubt*(1-network))
}

// reader reads ordinary print with one network.
type reader struct {
	ocr.LineReader
	other bool    // Cyrillic and Greek
	toned bool    // Vietnamese
	doubt float64 // how many times as doubtful a character is as the network says; 0: as it says
	memo  *memo   // of the page that is read; nil: none
}

// knows reports whether the reader has a class for a character.
func (r reader) knows(c rune) bool { return slices.Contains(r.Dictionary, c) }
