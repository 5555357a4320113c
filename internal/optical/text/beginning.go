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
	beginningRoom = 1.2 // distances of characters from smaller print to the middle of the first large one, from which another may stand between them
	beginningMore = 2   // characters at most that are missing
	aboveLarge    = .3  // of the line's height, added above larger print where it is read: the line is as high as most of its print, which is smaller,
	belowLarge    = .1  // … and below it
	afterSmall    = .6  // distances of characters from the middle of the last small one to where the larger print may begin
)

// beginning reads larger print behind smaller once more, from where the smaller ends. In a crop of both, the first large character is often not read,
// or read as a stroke behind the small print: Gävle as ävle.
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

// after is the strip of larger print from where smaller print before it ends, and whether another character may stand between them.
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

// endOf reports whether a reading is the line's, but for marks and cases, with a few more letters or figures before it.
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
