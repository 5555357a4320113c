package optical

import (
	"context"
	"math"
	"slices"
	"unicode"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/optical/page"
	"github.com/bonafide-id/bonafide/internal/optical/text"
	"github.com/bonafide-id/bonafide/internal/reading"
	"github.com/bonafide-id/bonafide/internal/reading/lexicon"
)

// Numbers that are printed along the side of a page, across its lines: those of passports of Russia are nowhere else.
const (
	edgewiseGap    = 3.0 // heights between the groups of a number, at most
	edgewiseLong   = 3.0 // heights that a number is long, at least
	edgewiseDigits = 6   // that it has at least
	edgewiseWide   = .5  // of its height is about how wide a figure is
	edgewiseSure   = .95 // the mean confidence of its characters the right way up, at least
)

// edgewise reads the numbers that run up or down a page.
type edgewise struct{ printedText }

// number looks for the number of a document whose level print states none, among the numbers that run up or down its page. It returns the lines
// with the one that the page's reading takes for it, and the reading with that claim.
func (w edgewise) number(ctx context.Context, lines []text.Line, read reading.Reading) ([]text.Line, reading.Reading, error) {
	isNumber := func(c idv.Claim) bool { return c.Name == idv.DocumentNumber }
	if w.page.MRZ != nil || slices.ContainsFunc(read.Claims, isNumber) || slices.ContainsFunc(w.page.Claims, isNumber) {
		return lines, read, nil
	}
	numbers, err := w.numbers(ctx)
	if err != nil || len(numbers) != 1 {
		return lines, read, err
	}
	more := append(slices.Clone(lines), numbers[0])
	for _, c := range reading.Read(w.printedPage(more)).Claims {
		if isNumber(c) && lexicon.Alphanumerics(c.Value) == lexicon.Alphanumerics(numbers[0].Text) {
			box := numbers[0].Box
			c.Box = &box
			read.Claims = append(slices.Clone(read.Claims), c)
			return more, read, nil
		}
	}
	return lines, read, nil
}

// numbers are the numbers that run up or down the page, read the way that is surer.
func (w edgewise) numbers(ctx context.Context) ([]text.Line, error) {
	rows := w.rows()
	read := make([]text.Reading, 2*len(rows))
	err := text.Each(ctx, len(read), func(ctx context.Context, i int) (err error) {
		s := rows[i/2]
		if i%2 == 1 {
			s = s.Flipped()
		}
		read[i], err = w.models.text.Read(ctx, w.img, s)
		return err
	})
	if err != nil {
		return nil, err
	}
	var out []text.Line
	for i, s := range rows {
		p, other := read[2*i], read[2*i+1]
		if other.Confidence > p.Confidence {
			p = other
		}
		if p.Confidence >= edgewiseSure && isFigures(p.Text) {
			out = append(out, w.levelled(text.Line{Reading: p, Box: page.BoxAround(s, w.img), Strip: s}))
		}
	}
	return out, nil
}

// levelled puts a number that runs across the page's lines beside them as one of them: it begins where it is, and its groups are a space apart.
func (w edgewise) levelled(l text.Line) text.Line {
	n := float64(len(l.Chars))
	l.At = make([]float64, len(l.Chars))
	for i := range l.At {
		l.At[i] = (float64(i) + .5) / n
	}
	s := &l.Strip
	s.Length = edgewiseWide * n * s.Height
	s.UY, s.UX = math.Sincos(w.slant(w.closer) * math.Pi / 180)
	s.X, s.Y = s.X+s.UX*s.Length/2, s.Y+s.UY*s.Length/2
	return l
}

// rows are the rows of print that run across the page's lines and are long enough for a number.
func (w edgewise) rows() []ocr.Strip {
	var out []ocr.Strip
	slant := w.slant(w.closer)
	for _, row := range ocr.JoinRows(asLines(w.closer, slant+90), edgewiseGap) {
		s := row.Strip
		off := math.Abs(math.Mod(s.Angle()-slant+360+180, 180) - 90)
		if off > allSlant || s.Length < edgewiseLong*s.Height || !page.NearPortrait(w.page.Portrait, s) {
			continue
		}
		s.Length += 2 * printedMargin * s.Height
		out = append(out, s)
	}
	return out
}

// isFigures reports whether a text is a number with hardly a letter.
func isFigures(text string) bool {
	digits, letters := 0, 0
	for _, r := range text {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsLetter(r):
			letters++
		}
	}
	return digits >= edgewiseDigits && 2*letters < digits
}
