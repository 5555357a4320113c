package text

import (
	"context"
	"strings"
	"unicode"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/reading/lexicon"
)

const (
	beginningRoom = 1.2 // least distance from the smaller print to the middle of the first large character, in large characters
	beginningMore = 2   // most characters that a crop of both loses
	aboveLarge    = .3  // added above the larger print, in heights of the line: most of the line is smaller
	belowLarge    = .1  // added below it
	afterSmall    = .6  // from the middle of the last small character to where the larger print may begin, in small characters
)

// beginning reads larger print again, from where the smaller print before it ends. A crop of both often loses the first large character (ävle for Gävle)
// or shows it as a stroke.
func (n *Readers) beginning(ctx context.Context, img *imaging.Photo, small, large Line) (Line, error) {
	s, room := large.after(small)
	if !room {
		return large, nil
	}
	p, err := n.readerOf(large).readText(ctx, img, s.Grown(aboveLarge, belowLarge))
	if err != nil || !large.endOf(p) {
		return large, err
	}
	large.Strip = s
	return large.as(p), nil
}

// after returns the strip from the end of the smaller print to the end of the line. room says whether another character fits between them.
func (l Line) after(small Line) (s ocr.Strip, room bool) {
	runes := []rune(small.Text)
	last := len(runes) - 1
	for last > 0 && !alphanumeric(runes[last]) && runes[last] != ':' {
		last--
	}
	if last < 1 || len(l.At) < 2 {
		return l.Strip, false
	}
	pitch := small.pitch() * small.Strip.Length
	end, _ := l.Strip.Locate(small.Strip.At((small.At[last]-.5)*small.Strip.Length+afterSmall*pitch, 0))
	first := (l.At[0] - .5) * l.Strip.Length
	if first-end < beginningRoom*(l.At[len(l.At)-1]-l.At[0])*l.Strip.Length/float64(len(l.At)-1) {
		return l.Strip, false
	}
	s = l.Strip
	m := s.At((end+s.Length/2)/2, 0)
	s.X, s.Y, s.Length = m.X, m.Y, s.Length/2-end
	return s, true
}

// endOf reports whether a reading is the line with one or two more letters or digits before it. Marks and case may differ.
func (l Line) endOf(p Reading) bool {
	own, all := []rune(lexicon.Fold(l.Text)), []rune(lexicon.Fold(p.Text))
	more := len(all) - len(own)
	if more < 1 || more > beginningMore || p.Confidence < sizeSure || !strings.HasSuffix(string(all), string(own)) {
		return false
	}
	for _, c := range all[:more] {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			return false
		}
	}
	return true
}
