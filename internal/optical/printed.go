package optical

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/optical/text"
	"github.com/bonafide-id/bonafide/internal/optical/zone"
	"github.com/bonafide-id/bonafide/internal/reading"
	"github.com/bonafide-id/bonafide/internal/reading/lexicon"
)

// How the printed zone is read.
const (
	printedMargin = 0.25 // of a line's height, left and right of it
	printedLeast  = 2    // facts that must be found for the printed zone to agree
	printedWide   = 0.62 // print is from the middle of the zone at most so many of its lengths to the side,
	printedAbove  = 1.15 // so many above it,
	printedBelow  = 0.30 // and so many below: what lies further off is not of this page
	shortestRow   = 0.6  // of its height is how long a row is at least
	numberMore    = 4.0  // heights by which a licence's line is lengthened to the left in search of its field's number
)

// printedText reads the print of a page, and takes the facts out of it.
type printedText struct{ *work }

// readPrinted reads the page's print and takes the facts out of it; where there is a machine-readable zone, it says
// whether they agree.
func (w printedText) readPrinted(ctx context.Context) error {
	rows, err := w.printedRows(ctx)
	if err != nil {
		return err
	}
	lines, err := w.readLines(ctx, rows)
	if err != nil {
		return err
	}
	lines, read, err := w.understand(ctx, lines)
	if err != nil {
		return err
	}
	lines, read, err = edgewise{w}.number(ctx, lines, read)
	if err != nil {
		return err
	}
	w.page.Print = w.printedPage(lines)
	w.page.OtherScript = text.InOtherScript(lines)
	w.addLines(lines)
	if w.page.Kind == idv.UnknownKind {
		w.page.Kind = read.Kind
	}
	if w.page.Issuer == "" {
		w.page.Issuer = read.Issuer
	}
	w.page.LookAt = w.openFacts(read.Likely)
	if w.page.MRZ == nil {
		if err := w.readSecond(ctx, lines, read); err != nil {
			return err
		}
		before, more, err := w.lookBack(ctx, lines, read)
		w.page.Claims = slices.Concat(w.page.Claims, read.Claims, more)
		w.page.Specimen = w.page.Specimen || slices.ContainsFunc(before, func(l text.Line) bool { return lexicon.SaysSpecimen(l.Text) })
		return err
	}
	c, err := w.lookFaded(ctx, w.compare(lines, read), read)
	if err != nil {
		return err
	}
	c, other, err := sides{w}.readOther(ctx, c)
	if err != nil {
		return err
	}
	w.addLines(other)
	w.settlePrinted(c)
	return nil
}

// addLines adds lines to those of the page.
func (w printedText) addLines(lines []text.Line) {
	for _, l := range lines {
		if l.Text != "" {
			w.page.Lines = append(w.page.Lines, idv.Line{Text: l.Text, Confidence: l.Confidence, Box: l.Box})
			w.page.Specimen = w.page.Specimen || lexicon.SaysSpecimen(l.Text)
		}
	}
}

// openFacts are those of likely facts that neither the zone nor a barcode states.
func (w printedText) openFacts(likely []idv.Claim) []idv.Claim {
	var stated []idv.Claim
	if w.page.MRZ != nil {
		stated = w.zoneClaims()
	}
	stated = append(stated, w.page.Claims...)
	return slices.DeleteFunc(slices.Clone(likely), func(l idv.Claim) bool {
		return slices.ContainsFunc(stated, func(c idv.Claim) bool { return c.Name == l.Name })
	})
}

// understand takes the facts out of lines as they were first read, and reads what is in doubt in other ways.
func (w printedText) understand(ctx context.Context, lines []text.Line) ([]text.Line, reading.Reading, error) {
	if err := w.readOverprinted(ctx, lines); err != nil {
		return nil, reading.Reading{}, err
	}
	lines, err := w.partBySize(ctx, lines)
	if err != nil {
		return nil, reading.Reading{}, err
	}
	lines = text.Measure(w.img, lines)
	read := reading.Read(w.printedPage(lines))
	if w.page.MRZ == nil && read.Numbered {
		if lines, err = w.readNumbers(ctx, lines); err != nil {
			return nil, reading.Reading{}, err
		}
		lines = text.Measure(w.img, lines)
		read = reading.Read(w.printedPage(lines))
	}
	return w.lookTwice(ctx, lines, read)
}

// agreement is what the print says of the zone's facts.
type agreement struct {
	answers []reading.Answer
	claims  []idv.Claim     // of what the zone does not speak against
	found   int             // facts that agree
	against []idv.ClaimName // facts that do not
}

// compare holds the print against the zone.
func (w printedText) compare(lines []text.Line, read reading.Reading) agreement {
	var c agreement
	c.answers, c.claims = reading.Compare(w.printedPage(lines), read, w.zoneClaims(), max(0, w.page.MRZ.Document.NameCutAt))
	return c.counted()
}

func (c agreement) counted() agreement {
	c.found, c.against = 0, nil
	for _, a := range c.answers {
		switch a.Verdict {
		case reading.Agrees:
			c.found++
		case reading.Disagrees:
			c.against = append(c.against, a.Fact)
		}
	}
	return c
}

// settlePrinted says whether the printed zone agrees, and whether that proves the machine-readable one.
func (w printedText) settlePrinted(c agreement) {
	z := w.page.MRZ
	z.heedPrint(c, w.page.Lines)
	w.page.Claims = append(w.page.Claims, w.zoneClaims()...)
	for _, a := range c.answers {
		if a.Verdict == reading.Silent {
			continue
		}
		w.page.Claims = append(w.page.Claims, a.Claim)
		if a.Filled {
			w.page.Filled = append(w.page.Filled, a.Fact)
		}
	}
	w.page.Claims = append(w.page.Claims, c.claims...)
	switch {
	case len(c.against) > 0:
		z.PrintedZone, z.against = idv.PrintedDisagrees, c.against
	case c.found >= printedLeast:
		z.PrintedZone = idv.PrintedAgrees
	}
	w.verify()
}

// printedPage is the page's print with what the machine-readable zone or a barcode says about it.
func (w printedText) printedPage(lines []text.Line) reading.Page {
	p := reading.Page{Width: w.img.W, Height: w.img.H, Kind: w.page.Kind, Issuer: w.page.Issuer, Today: w.now()}
	for _, l := range lines {
		if l.Text == "" {
			continue
		}
		p.Lines = append(p.Lines, reading.Line{Text: l.Text, Chars: l.Chars, At: l.At, Strip: reading.Strip{
			X: l.Strip.X, Y: l.Strip.Y, Tilt: math.Atan2(l.Strip.UY, l.Strip.UX), Length: l.Strip.Length, Height: l.Strip.Height,
		}})
	}
	if z := w.page.MRZ; z != nil {
		p.Number = z.value(w.now(), idv.DocumentNumber)
		for _, name := range []idv.ClaimName{idv.DateOfBirth, idv.DateOfExpiry} {
			if v := z.value(w.now(), name); v != "" {
				p.Dates = append(p.Dates, v)
			}
		}
	}
	return p
}

// printedRows are the rows of print that are the page's, outside the machine-readable zone.
func (w printedText) printedRows(ctx context.Context) ([]ocr.Strip, error) {
	if w.page.MRZ == nil {
		var err error
		w.closer, err = w.lookCloser(ctx)
		return w.pageLines(asLines(w.closer, w.slant(w.closer))), err
	}
	return w.rowsOf(w.boxes), nil
}

// rowsOf are the rows of print among runs of text that are of the zone's page.
func (w printedText) rowsOf(boxes []ocr.Strip) []ocr.Strip {
	var out []ocr.Strip
	place := w.zone.Placement()
	slant := place.First().Angle()
	for _, r := range ocr.JoinOverlapping(ocr.JoinRows(asLines(boxes, slant), 1)) {
		if r.Length >= shortestRow*r.Height && neighbours(place, r.Strip) && w.level(r.Strip, slant) {
			out = append(out, r.Strip)
		}
	}
	return nearestTo(out, place.First().Centre(), w.r.options.Lines)
}

// neighbours reports whether a strip can be of the zone's page, and is not of the zone.
func neighbours(z zone.Placement, s ocr.Strip) bool {
	for i, line := range z.Lines {
		a, d := line.Locate(s.Centre())
		if math.Abs(a) < line.Length/2 && math.Abs(d) < line.Height/2 {
			return false
		}
		if i == 0 && (math.Abs(a) > printedWide*line.Length || d < -printedAbove*line.Length) {
			return false
		}
		if i == len(z.Lines)-1 && d > printedBelow*line.Length {
			return false
		}
	}
	return true
}

// upright makes a strip read along the zone's direction, with a little paper at both ends.
func (w printedText) upright(s ocr.Strip) ocr.Strip {
	if s.UX < 0 {
		s = s.Flipped()
	}
	s.Length += 2 * printedMargin * s.Height
	return s
}

// readNumbers reads the lines of a licence that show no field number once more, from further left: a single digit is
// often not seen as text.
func (w printedText) readNumbers(ctx context.Context, lines []text.Line) ([]text.Line, error) {
	var again []int
	var strips []ocr.Strip
	for i, l := range lines {
		if l.Text == "" || l.Other || reading.Numbered(l.Text) {
			continue
		}
		s := l.Strip
		more := math.Min(numberMore*s.Height, roomBefore(lines, i))
		m := s.At(-more/2, 0)
		s.X, s.Y, s.Length = m.X, m.Y, s.Length+more-2*printedMargin*s.Height
		again, strips = append(again, i), append(strips, s)
	}
	more, err := w.readLines(ctx, strips)
	if err != nil {
		return nil, err
	}
	for k, i := range again {
		if reading.Numbered(more[k].Text) && endsAlike(more[k].Text, lines[i].Text) {
			more[k].Box = lines[i].Box
			lines[i] = more[k]
		}
	}
	return lines, nil
}

// roomBefore is how many pixels left of a line no other of its row stands.
func roomBefore(lines []text.Line, i int) float64 {
	s := lines[i].Strip
	room := math.Inf(1)
	for k, l := range lines {
		a, d := s.Locate(l.Strip.Centre())
		if k != i && l.Text != "" && math.Abs(d) < (s.Height+l.Strip.Height)/4 && a < 0 {
			room = math.Min(room, math.Max(0, -a-(s.Length+l.Strip.Length)/2))
		}
	}
	return room
}

// endsAlike reports whether a longer reading of a line ends as the shorter did, but for a letter in ten.
func endsAlike(long, short string) bool {
	a, b := strings.ToUpper(strings.Join(strings.Fields(long), "")), strings.ToUpper(strings.Join(strings.Fields(short), ""))
	if len(a) < len(b) {
		return false
	}
	return lexicon.Distance(a[len(a)-len(b):], b, len(b)/10) <= len(b)/10
}
