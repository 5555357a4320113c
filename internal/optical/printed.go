package optical

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/mrz"
)

// How the printed zone is searched for what the machine-readable zone says.
const (
	printedTriesAFact = 3    // lines that are read for one fact before it counts as not printed
	printedHint       = 0.45 // likeness to a fact, as the quick reader sees a line, below which the line is not read for it
	printedSure       = 0.90 // mean confidence at which a printed text may contradict
	printedLeastSure  = 0.60 // and that of its least sure character
	printedMargin     = 0.25 // of a line's height, left and right of it
	printedLeast      = 2    // facts that must be found for the printed zone to agree
	specimenHint      = 0.70 // likeness to the word SPECIMEN at which a line is read for it
)

// wanted is a fact that is searched for on the page.
type wanted struct {
	name  idv.ClaimName
	forms []string // how it may be printed, in the quick reader's alphabet, for the first look only
	judge func(text string, sure bool) verdict
	tries int
	found *idv.Claim
	other *idv.Claim // what the page says instead
}

type verdict int

const (
	silent    verdict = iota // the text says nothing about the fact
	agrees                   // it states the same
	disagrees                // it states it, differently
)

// hint is a line that the quick reader found to look like a fact.
type hint struct {
	line, fact int // fact -1: the word SPECIMEN
	like       float64
}

// readPrinted looks for the zone's facts among the other lines of the page. Each line is first read by the quick reader,
// which was not made for this print but sees enough to tell which lines are worth the slow one.
func (w *work) readPrinted(ctx context.Context) error {
	if w.page.MRZ == nil {
		return w.readAll(ctx)
	}
	lines := w.otherLines()
	w.page.Claims = append(w.page.Claims, w.zoneClaims()...)
	facts := w.wantedFacts()
	hints, err := w.skim(ctx, lines, facts)
	if err != nil {
		return err
	}
	read := map[int]bool{}
	for _, h := range hints {
		if read[h.line] || len(read) >= w.r.options.Lines || !w.worth(h, facts) {
			continue
		}
		read[h.line] = true
		if err := w.readLine(ctx, lines[h.line], facts); err != nil {
			return err
		}
	}
	w.settlePrinted(facts)
	return nil
}

// worth reports whether a line is still worth the slow reader: its fact is open, and not yet looked for too often.
func (w *work) worth(h hint, facts []*wanted) bool {
	if h.fact < 0 {
		return !w.page.Specimen
	}
	f := facts[h.fact]
	f.tries++
	return f.found == nil && f.tries <= printedTriesAFact
}

// otherLines are the rows outside the machine-readable zone.
func (w *work) otherLines() []strip {
	var out []strip
	for _, r := range joinRows(w.boxes, 1) {
		if !w.zone.covers(r.strip) {
			out = append(out, r.strip)
		}
	}
	return out
}

// covers reports whether the strip lies on one of the zone's rows.
func (z *zone) covers(s strip) bool {
	for _, g := range z.rows {
		a, d := g.strip.locate(centre(s))
		if abs(a) < g.strip.length/2 && abs(d) < g.strip.height/2 {
			return true
		}
	}
	return false
}

func abs(v float64) float64 { return max(v, -v) }

// skim reads all lines with the quick reader and orders them by how much they look like a fact.
func (w *work) skim(ctx context.Context, lines []strip, facts []*wanted) ([]hint, error) {
	var out []hint
	for i, s := range lines {
		if s.length < 1.2*s.height {
			continue
		}
		g, err := look(ctx, w.models.own, w.img, w.upright(s))
		if err != nil {
			return nil, err
		}
		seen := text(g.glyphs)
		if like := within("SPECIMEN", seen); like >= specimenHint {
			out = append(out, hint{line: i, fact: -1, like: like})
		}
		for j, f := range facts {
			best := 0.0
			for _, form := range f.forms {
				best = max(best, within(form, seen))
			}
			if best >= printedHint {
				out = append(out, hint{line: i, fact: j, like: best})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b hint) int { return cmpFloat(b.like, a.like) })
	return out, nil
}

// upright makes a strip read along the zone's direction, with a little paper at both ends.
func (w *work) upright(s strip) strip {
	if s.ux < 0 {
		s = s.flipped()
	}
	s.length += 2 * printedMargin * s.height
	return s
}

// readLine reads a line with the slow reader and asks it about every fact that is still open.
func (w *work) readLine(ctx context.Context, s strip, facts []*wanted) error {
	p, err := w.models.print.readText(ctx, w.img, w.upright(s))
	if err != nil {
		return err
	}
	box := s.bounds(w.img.W, w.img.H)
	w.page.Lines = append(w.page.Lines, idv.Line{Text: p.text, Confidence: p.conf, Box: box})
	w.page.Specimen = w.page.Specimen || saysSpecimen(p.text)
	for _, f := range facts {
		if f.found != nil {
			continue
		}
		c := &idv.Claim{Name: f.name, Value: p.text, Source: idv.FromPrinted, Confidence: p.conf, Box: &box}
		switch f.judge(p.text, p.conf >= printedSure && p.least >= printedLeastSure) {
		case agrees:
			f.found = c
		case disagrees:
			f.other = c
		}
	}
	return nil
}

// settlePrinted says whether the printed zone agrees, and whether that proves the machine-readable one.
func (w *work) settlePrinted(facts []*wanted) {
	z, found, against := w.page.MRZ, 0, 0
	for _, f := range facts {
		switch {
		case f.found != nil:
			found++
			c := *f.found
			c.Value = z.value(w, f.name) // the printed form was found to state this value
			w.page.Claims = append(w.page.Claims, c)
		case f.other != nil:
			against++
			w.page.Claims = append(w.page.Claims, *f.other)
		}
	}
	switch {
	case against > 0:
		z.PrintedZone = idv.PrintedDisagrees
	case found >= printedLeast:
		z.PrintedZone = idv.PrintedAgrees
	}
	z.Verified = z.CheckDigitsOK && z.ReadersAgree && z.PrintedZone != idv.PrintedDisagrees
}

// wantedFacts are the facts that people print beside the zone, the most telling first.
func (w *work) wantedFacts() []*wanted {
	d, today := w.page.MRZ.Document, w.now()
	cut := 0
	if d.NameCutAt > 0 {
		cut = d.NameCutAt
	}
	var out []*wanted
	if n := strings.ReplaceAll(d.Number, " ", ""); len(n) >= 5 {
		out = append(out, &wanted{name: idv.DocumentNumber, forms: []string{n}, judge: func(t string, sure bool) verdict { return judgeNumber(t, n, sure) }})
	}
	if d.Surname != "" {
		out = append(out, &wanted{name: idv.FamilyName, forms: nameForms(d.Surname), judge: func(t string, sure bool) verdict { return judgeName(t, d.Surname, cut, sure) }})
	}
	if d.GivenNames != "" {
		out = append(out, &wanted{name: idv.GivenNames, forms: nameForms(d.GivenNames), judge: func(t string, sure bool) verdict { return judgeName(t, d.GivenNames, cut, sure) }})
	}
	for _, date := range []struct {
		name idv.ClaimName
		day  mrz.Calendar
	}{{idv.DateOfBirth, d.Birth(today)}, {idv.DateOfExpiry, d.Expiry(today)}} {
		if c := date.day; c.Complete() {
			out = append(out, &wanted{name: date.name, forms: dateForms(c), judge: func(t string, _ bool) verdict {
				if statesDate(t, c.Year, c.Month, c.Day) {
					return agrees
				}
				return silent
			}})
		}
	}
	return out
}

func nameForms(name string) []string { return []string{strings.ReplaceAll(name, " ", "")} }

// dateForms are the usual ways to print a day, as the quick reader sees them: without separators.
func dateForms(c mrz.Calendar) []string {
	two := func(n int) string { return string([]byte{byte('0' + n/10%10), byte('0' + n%10)}) }
	d, m, y, yy := two(c.Day), two(c.Month), two(c.Year/100)+two(c.Year), two(c.Year)
	out := []string{d + m + y, y + m + d, d + m + yy}
	for _, name := range monthStarts[c.Month-1][:min(3, len(monthStarts[c.Month-1]))] {
		out = append(out, d+name+y, d+name+yy)
	}
	return out
}

// bare drops diacritics.
func bare(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(s))
}

// judgeName compares each run of words in the text with the name, by the set of allowed transliterations.
func judgeName(text, name string, cut int, sure bool) verdict {
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' && r != '-' && r != '’' })
	count := len(strings.Fields(name))
	result := silent
	for i := range words {
		for n := max(1, count-1); n <= count+1 && i+n <= len(words); n++ {
			printed := strings.Join(words[i:i+n], " ")
			if icao.SameNameBare(printed, name, 0) || cut > 0 && icao.SameNameBare(printed, name, cut) {
				return agrees
			}
			if sure && nearName(printed, name) {
				result = disagrees
			}
		}
	}
	// The slow reader drops spaces: ANNAMARIA states ANNA MARIA.
	if joined := letters(text); joined != "" && joined == letters(name) {
		return agrees
	}
	return result
}

// nearName reports whether the printed text is the name but for one or two letters: it is about the same fact.
func nearName(printed, name string) bool {
	a, b := letters(printed), letters(name)
	if rough.Replace(a) == rough.Replace(b) {
		return false
	}
	return len(b) >= 4 && distance(a, b) <= 1 || len(b) >= 8 && distance(a, b) <= 2
}

// rough makes alike what a reader without diacritics takes for each other: it reads Þ as P, Æ as E, ß as B.
var rough = strings.NewReplacer("TH", "P", "AE", "E", "OE", "O", "UE", "U", "AA", "A", "SS", "B", "DH", "D")

// letters are the upper-case letters of a text without diacritics.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r
		}
		return -1
	}, strings.ToUpper(bare(s)))
}

// judgeNumber looks for the number in the text, whatever separators it is printed with.
func judgeNumber(text, number string, sure bool) verdict {
	all := alphanumerics(text)
	if strings.Contains(all, number) || strings.Contains(shapes(all), shapes(number)) || inParts(all, number) {
		return agrees
	}
	if !sure {
		return silent
	}
	for _, word := range append(strings.Fields(text), text) {
		t := alphanumerics(word)
		if len(t) == len(number) && differing(shapes(t), shapes(number)) <= 2 && sameKinds(t, number) {
			return disagrees
		}
	}
	return silent
}

// inParts: series and number are often printed apart, each after its label (SERIA HD NR 198025).
func inParts(text, number string) bool {
	series := strings.TrimRight(number, "0123456789")
	digits := number[len(series):]
	if len(series) < 2 || len(digits) < 5 {
		return false
	}
	at, rest := strings.Index(text, digits), strings.Index(text, series)
	return at >= 0 && rest >= 0 && rest < at
}

func alphanumerics(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToUpper(s))
}

// shapes folds letters onto the digits that they look like in ordinary print.
func shapes(s string) string {
	return strings.NewReplacer("O", "0", "Q", "0", "D", "0", "I", "1", "L", "1", "Z", "2", "S", "5", "B", "8", "G", "6").Replace(s)
}

// sameKinds reports whether letters and digits stand at the same places, all but one.
func sameKinds(a, b string) bool {
	off := 0
	for i := range len(a) {
		if (a[i] <= '9') != (b[i] <= '9') {
			off++
		}
	}
	return off <= 1
}

func differing(a, b string) int {
	n := 0
	for i := range len(a) {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}
