package viz

import (
	"math"
	"slices"
	"time"
	"unicode"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Strip is where a line stands: a rectangle in pixels of the upright picture, turned about its centre.
type Strip struct {
	X, Y           float64 // centre
	Tilt           float64 // radians by which reading goes down (> 0) or up
	Length, Height float64
}

// Line is a run of print as a reader saw it.
type Line struct {
	Text  string
	Chars []float64 // for each rune of Text how sure the reader was, 0–1; nil: 1
	At    []float64 // for each rune its middle along the strip, 0–1; nil: evenly
	Strip Strip
}

// Page is a page's print and what else is known about it.
type Page struct {
	Lines         []Line
	Width, Height int              // of the upright picture
	Kind          idv.DocumentKind // from the machine-readable zone or a barcode; empty or unknown: from the headings
	Issuer        string           // ICAO 9303-3 §5 code from there, empty for not told
	Today         time.Time        // gives the century of two-digit years
	Limits        Limits           // zero: those that were measured
	Dates         []string         // days that the zone states, YYYY-MM-DD: they allow other calendars
	Number        string           // of the document, as the zone states it: one that nearly is it is worth a second look
}

// Reading is what a page says.
type Reading struct {
	Kind   idv.DocumentKind
	Issuer string      // as the page was given, or as its headings tell; empty for not told
	Claims []idv.Claim // at most one a fact, from idv.FromPrinted, each with the box of its value

	Likely   []idv.Claim // what another reader of the page holds likelier than not, but not surely enough to be claimed; Read finds none
	Numbered bool        // its fields are numbered as those of driving licences
	Missing  []Strip     // where the layout of the page says that there is print which was not read
	Letter   []Strip     // where the letter of the sex should stand, if it was not read surely
	Open     []Strip     // where that letter may stand, if no label of it was read: only beside a zone that says which letter it is
	Again    []Part      // worth a second look: what states a fact and was not read surely, or has no form that a misreading would break
	Fields   []Field     // of the claims whose place on the page is known exactly
}

// Field is where the value of a claim is printed.
type Field struct {
	Name   idv.ClaimName
	Number string // of the field, as driving licences print it before the value: "4B"; empty where none is on the value's line
	Parts  []Part // of the value, in reading order; the first begins with the field's number, where there is one
}

// Part is a run of characters of a line.
type Part struct {
	Line     int // of the page
	From, To int // runes
	Strip    Strip
	Against  bool // a number that is the zone's but for a digit or two: what is printed across it may have changed it
}

// Read takes the facts out of a page. It never fails: what cannot be understood is not in the reading.
func Read(p Page) Reading {
	r := newReader(p)
	r.findLabels()
	r.tellKind()
	if r.isTable() {
		return Reading{Kind: r.kind, Issuer: r.issuer}
	}
	r.findNumbers()
	r.tellIssuer()
	r.splitColumns()
	r.dates = r.contextOf()
	r.pairAlike()
	r.forgetLegend()
	r.namesByPlace()
	r.wholeAddress()
	r.sexByRow()
	r.expiryByForm()
	r.daysByTerm()
	r.licenceDays()
	r.birthplaceByRow()
	r.sexByForm()
	r.nationByForm()
	r.numberByForm()
	return r.reading()
}

// word is a run of letters and digits of one line.
type word struct {
	line     int
	from, to int     // runes of the line
	text     string  // as it stands there
	plain    string  // its letters A–Z, folded
	surely   string  // those of them that the reader was sure of
	x0, x1   float64 // levelled
	before   string  // what stands between it and the word before: spaces and punctuation
}

// segment is a run of words of one line that belong together: a label, or a text that no label explains.
type segment struct {
	line     int
	words    []word
	fact     fact   // of a label; none for a text
	tag      string // of a label: its letters, or its field number
	lang     string
	langs    []string // of a label: those that it may be written in
	whole    bool     // of a label: none of its letters was misread
	x0, x1   float64
	y, h     float64
	slashed  bool // a stroke stands right before it: another language of the same label
	marker   bool // a label that is a field number
	used     bool
	sequence int // of the label that stands before it on the line, −1 for none
}

// reader is one Read in progress.
type reader struct {
	page     Page
	runes    [][]rune
	tilt     float64
	usual    float64 // a height that most lines do not exceed
	labels   []segment
	texts    []segment
	kind     idv.DocumentKind
	issuer   string
	american bool // the order of fields and dates of North America
	dayFirst bool // a label says the same in another language, whose states all put the day before the month
	numbers  bool // the fields are numbered as those of driving licences
	dates    context
	found    map[fact]found
	pairs    [][2]segment  // labels and their values
	lean     direction     // where the page's values stand
	torn     map[fact]bool // facts for which two values stand equally well
	doubtful []part        // worth a second look, though nothing was found there
}

// What a page can have: more lines, and longer ones, are not of a document.
const (
	mostLines   = 160
	longestLine = 240
)

func newReader(p Page) *reader {
	if p.Limits == (Limits{}) {
		p.Limits = Measured()
	}
	p.Lines = p.Lines[:min(len(p.Lines), mostLines)]
	r := &reader{page: p, kind: p.Kind, issuer: p.Issuer, found: map[fact]found{}, torn: map[fact]bool{}}
	if r.kind == "" {
		r.kind = idv.UnknownKind
	}
	r.runes = make([][]rune, len(p.Lines))
	tilts := make([]float64, 0, len(p.Lines))
	r.page.Lines = slices.Clone(p.Lines)
	for i, l := range p.Lines {
		r.runes[i] = []rune(l.Text)
		if n := longestLine; len(r.runes[i]) > n {
			r.runes[i] = r.runes[i][:n]
			l.Chars, l.At = l.Chars[:min(n, len(l.Chars))], l.At[:min(n, len(l.At))]
			r.page.Lines[i] = l
		}
		if s := l.Strip; !finite(s.X+s.Y+s.Tilt+s.Length+s.Height) || math.Abs(s.X)+math.Abs(s.Y)+s.Length > 1e6 || s.Height < 0 || s.Height > 1e6 || s.Length < 0 {
			l.Strip = Strip{}
			r.page.Lines[i] = l
		}
		if l.Strip.Length > 3*l.Strip.Height && finite(l.Strip.Tilt) {
			tilts = append(tilts, l.Strip.Tilt)
		}
	}
	if len(tilts) > 0 {
		slices.Sort(tilts)
		r.tilt = tilts[len(tilts)/2]
	}
	r.usual = usualHeight(r.page.Lines)
	return r
}

// tooTall is how many times as tall as most lines a value never is: print over which a large word is printed is found as one box.
// And tooLow how low it never is: small print of a pattern, of which a piece looks like a field (1ASPE).
const (
	tooTall = 1.9
	tooLow  = 0.45
)

// usualHeight is a height that three of four lines do not exceed, small print among them; infinite for a few lines, which say
// nothing.
func usualHeight(lines []Line) float64 {
	var all []float64
	for _, l := range lines {
		if l.Strip.Length > 2*l.Strip.Height {
			all = append(all, l.Strip.Height)
		}
	}
	if len(all) < 6 {
		return math.Inf(1)
	}
	slices.Sort(all)
	return all[3*len(all)/4]
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// at is where a rune's middle stands along its line, 0–1.
func (r *reader) at(line, i int) float64 {
	l := r.page.Lines[line]
	if i < len(l.At) && len(l.At) == len(r.runes[line]) && finite(l.At[i]) {
		return l.At[i]
	}
	return (float64(i) + .5) / math.Max(1, float64(len(r.runes[line])))
}

// level gives a line's place on the page once its slope is taken out: its centre and height.
func (r *reader) level(line int) (x, y, h float64) {
	s := r.page.Lines[line].Strip
	sin, cos := math.Sincos(-r.tilt)
	return s.X*cos - s.Y*sin, s.X*sin + s.Y*cos, math.Max(1, s.Height)
}

// span is where runes from up to to stand, levelled.
func (r *reader) span(line, from, to int) (x0, x1 float64) {
	x, _, _ := r.level(line)
	length := r.page.Lines[line].Strip.Length
	first, last := r.pitch(line), r.pitch(line)
	if to-from > 1 { // labels and values of one line are set in different sizes
		first, last = math.Abs(r.at(line, from+1)-r.at(line, from))*length, math.Abs(r.at(line, to-1)-r.at(line, to-2))*length
	}
	return x + (r.at(line, from)-.5)*length - first/2, x + (r.at(line, to-1)-.5)*length + last/2
}

// pitch is about how far apart a line's characters are.
func (r *reader) pitch(line int) float64 {
	n := len(r.runes[line])
	if n < 2 {
		return r.page.Lines[line].Strip.Height / 2
	}
	return math.Abs(r.at(line, n-1)-r.at(line, 0)) * r.page.Lines[line].Strip.Length / float64(n-1)
}

// smallRun is how many small letters must stand before a capital for a space to have been lost there: readers take small
// capitals for small letters (sEx).
const smallRun = 2

// words cuts a line at what is neither letter nor digit, and where small letters run into a capital: readers lose spaces.
func (r *reader) words(line int) []word {
	runes := r.runes[line]
	var out []word
	from, last := -1, 0
	flush := func(to int) {
		if from < 0 {
			return
		}
		w := word{line: line, from: from, to: to, text: string(runes[from:to]), before: string(runes[last:from])}
		w.plain, w.surely = plainOf(w.text), letters(r.sureText(line, from, to))
		w.x0, w.x1 = r.span(line, from, to)
		out = append(out, w)
		from, last = -1, to
	}
	for i, c := range runes {
		if !ofWord(runes, i, from >= 0) {
			flush(i)
			continue
		}
		if from >= 0 && i-from >= smallRun && unicode.IsUpper(c) && !longI(runes, i) && !slices.ContainsFunc(runes[i-smallRun:i], func(c rune) bool { return !unicode.IsLower(c) }) {
			flush(i)
		}
		if from < 0 {
			from = i
		}
	}
	flush(len(runes))
	return out
}

// ofWord reports whether a rune belongs to a word; begun: one has begun before it.
func ofWord(runes []rune, i int, begun bool) bool {
	c := runes[i]
	switch {
	case unicode.IsLetter(c), unicode.IsDigit(c), unicode.Is(unicode.Mn, c):
		return true
	case !begun:
		return opensElided(runes, i)
	case c == '°', c == 'º':
		return true
	case c == '!': // an l
		return unicode.IsLower(runes[i-1])
	case c == '\'', c == '’', c == '-':
		return i+1 < len(runes) && unicode.IsLetter(runes[i+1])
	}
	return false
}

// unsure is the confidence below which a character may as well not be there.
const unsure = 0.5

// sureText is the text of runes from up to to without those that the reader was unsure of.
func (r *reader) sureText(line, from, to int) string {
	chars := r.page.Lines[line].Chars
	if len(chars) != len(r.runes[line]) {
		return string(r.runes[line][from:to])
	}
	var out []rune
	for i := from; i < to; i++ {
		if chars[i] >= unsure {
			out = append(out, r.runes[line][i])
		}
	}
	return string(out)
}

// sureOf is the mean and the least confidence of runes from up to to, spaces left out.
func (r *reader) sureOf(line, from, to int) (mean, least float64) {
	chars := r.page.Lines[line].Chars
	if len(chars) != len(r.runes[line]) {
		return 1, 1
	}
	sum, n := 0.0, 0
	least = 1
	for i := from; i < to; i++ {
		if unicode.IsSpace(r.runes[line][i]) {
			continue
		}
		sum, n, least = sum+chars[i], n+1, math.Min(least, chars[i])
	}
	if n == 0 || !finite(sum) {
		return 0, 0
	}
	return sum / float64(n), least
}

// along is where runes from up to to of a line begin and end, in pixels from the middle of its strip.
func (r *reader) along(line, from, to int) (a, b float64) {
	s := r.page.Lines[line].Strip
	half := r.pitch(line) / 2 / math.Max(1, s.Length)
	return (math.Max(0, r.at(line, from)-half) - .5) * s.Length, (math.Min(1, r.at(line, to-1)+half) - .5) * s.Length
}

// partOfLine is runes from up to to of a line, with their place.
func (r *reader) partOfLine(p part) Part {
	s := r.page.Lines[p.line].Strip
	a, b := r.along(p.line, p.from, p.to)
	sin, cos := math.Sincos(s.Tilt)
	s.X, s.Y, s.Length = s.X+(a+b)/2*cos, s.Y+(a+b)/2*sin, math.Max(0, b-a)
	return Part{Line: p.line, From: p.from, To: p.to, Strip: s}
}

// box is round runes from up to to of a line, as parts of the picture.
func (r *reader) box(line, from, to int) idv.Box {
	s := r.page.Lines[line].Strip
	a, b := r.along(line, from, to)
	sin, cos := math.Sincos(s.Tilt)
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, u := range [2]float64{a, b} {
		for _, v := range [2]float64{-s.Height / 2, s.Height / 2} {
			x, y := s.X+u*cos-v*sin, s.Y+u*sin+v*cos
			x0, x1, y0, y1 = math.Min(x0, x), math.Max(x1, x), math.Min(y0, y), math.Max(y1, y)
		}
	}
	clip := func(v, size float64) float64 { return math.Max(0, math.Min(1, v/math.Max(1, size))) }
	w, h := float64(r.page.Width), float64(r.page.Height)
	b0 := idv.Box{X: clip(x0, w), Y: clip(y0, h)}
	b0.Width, b0.Height = clip(x1, w)-b0.X, clip(y1, h)-b0.Y
	return b0
}

func union(a, b idv.Box) idv.Box {
	x0, y0 := min(a.X, b.X), min(a.Y, b.Y)
	x1, y1 := max(a.X+a.Width, b.X+b.Width), max(a.Y+a.Height, b.Y+b.Height)
	return idv.Box{X: x0, Y: y0, Width: x1 - x0, Height: y1 - y0}
}
