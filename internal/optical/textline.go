package optical

import (
	"context"
	"math"
	"slices"
	"unicode"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// printed is a line of ordinary text as it was read.
type printed struct {
	text  string
	conf  float64   // mean over its characters, 0–1
	least float64   // of its least sure character, 0–1
	chars []float64 // for each rune of text, 0–1
	at    []float64 // for each rune of text, where it is along the crop, 0–1
}

// of completes a reading whose characters have been noted: without spaces at either end.
func (p printed) of(runes []rune) printed {
	for len(runes) > 0 && unicode.IsSpace(runes[0]) {
		runes, p.chars, p.at = runes[1:], p.chars[1:], p.at[1:]
	}
	for n := len(runes); n > 0 && unicode.IsSpace(runes[n-1]); n-- {
		runes, p.chars, p.at = runes[:n-1], p.chars[:n-1], p.at[:n-1]
	}
	if len(runes) == 0 {
		return printed{}
	}
	sum := 0.0
	p.least = 1
	for _, c := range p.chars {
		sum += c
		p.least = math.Min(p.least, c)
	}
	p.text, p.conf = string(runes), sum/float64(len(runes))
	return p
}

// readText reads ordinary print.
func (r textReader) readText(ctx context.Context, img *imaging.Photo, s ocr.Strip) (printed, error) {
	return r.readCrop(ctx, ocr.CropGray(img, s))
}

// readCrop is readText of a line that is cut already.
func (r textReader) readCrop(ctx context.Context, crop *imaging.Gray) (printed, error) {
	k := keyOf(crop, marks{}, false)
	if l, ok := r.memo.find(k); ok {
		return l.printed, nil
	}
	scores, n, step, err := r.Scores(ctx, crop)
	if err != nil {
		return printed{}, err
	}
	p := r.decode(scores, n, step)
	r.memo.keep(k, looked{printed: p})
	return p, nil
}

// decode takes the best class of each frame, merges equal neighbours and drops blanks. A character is as sure as in the
// surest frame of its run, and stands in the middle of it.
func (r textReader) decode(scores []float32, n int, step float64) printed {
	var out printed
	var runes []rune
	before, first := 0, 0
	for t := range min(n, len(scores)/len(r.Dictionary)) {
		row := scores[t*len(r.Dictionary) : (t+1)*len(r.Dictionary)]
		_, best := ocr.BestClass(row)
		switch last := len(runes) - 1; {
		case best == 0:
		case best == before:
			out.chars[last] = math.Max(out.chars[last], ocr.BestProbability(row, best))
			out.at[last] = math.Min(1, float64(first+t)/2*step)
		default:
			first = t
			runes = append(runes, r.Dictionary[best])
			out.chars = append(out.chars, ocr.BestProbability(row, best))
			out.at = append(out.at, math.Min(1, float64(t)*step))
		}
		before = best
	}
	runes = out.undouble(runes)
	for i, c := range out.chars {
		out.chars[i] = r.sure(c)
	}
	if r.other {
		runes = inOneCase(inOneScript(runes))
	}
	return out.of(runes)
}

// sure is how sure the reader is of a character that its network is so sure of.
func (r textReader) sure(network float64) float64 {
	if r.doubt == 0 {
		return network
	}
	return math.Max(0, 1-r.doubt*(1-network))
}

// textReader reads ordinary print.
type textReader struct {
	ocr.LineReader
	other bool    // Cyrillic and Greek
	toned bool    // Vietnamese
	doubt float64 // how many times as doubtful a character is as the network says; 0: as it says
	memo  *memo   // of the page that is read; nil: none
}

// knows reports whether the reader has a class for a character.
func (r textReader) knows(c rune) bool { return slices.Contains(r.Dictionary, c) }
