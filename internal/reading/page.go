package reading

import (
	"math"
	"slices"
	"time"
	"unicode"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/reading/lexicon"
)

// Strip is the place of a line: a rectangle in pixels of the upright picture, turned about its centre.
type Strip struct {
	X, Y           float64 // centre
	Tilt           float64 // radians by which reading goes down (> 0) or up
	Length, Height float64
}

// Line is a run of print as a reader saw it.
type Line struct {
	Text  string
	Chars []float64 // for each rune of Text how sure the reader was, 0–1; nil: 1
	At    []float64 // for each rune of Text its middle along the strip, 0–1; nil: evenly
	Strip Strip
}

// Page is a page's print and what else is known about it.
type Page struct {
	Lines         []Line
	Width, Height int              // of the upright picture
	Kind          idv.DocumentKind // from the machine-readable zone or a barcode; empty or unknown: not known
	Issuer        string           // ICAO 9303-3 §5 code from there, empty for not known
	Today         time.Time        // gives the century of two-digit years
	Dates         []string         // days that the zone states, YYYY-MM-DD
	Number        string           // of the document, as the zone states it
}

// What a page can have: more lines, and longer ones, are not of a document.
const (
	mostLines   = 160
	longestLine = 240
)

// word is a run of characters between spaces or signs of one line.
type word struct {
	from, to int // runes of the line
	text     string
	plain    string // its letters A–Z, folded
	x0, x1   float64
	before   string // what stands between it and the word before
	concept  lexicon.Concept
	strength float64 // of its concept
}

// row is a line of the page, levelled: its slope is taken out.
type row struct {
	runes     []rune
	chars, at []float64
	x, y, h   float64
	length    float64
	words     []word
	strip     Strip
	x0, x1    float64
}

// rowsOf levels the lines of a page.
func rowsOf(p Page) []row {
	tilt := tiltOf(p.Lines)
	sin, cos := math.Sincos(-tilt)
	var out []row
	for _, l := range p.Lines[:min(len(p.Lines), mostLines)] {
		runes := naughtsInWords([]rune(l.Text))
		s := l.Strip
		if !finite(s.X+s.Y+s.Tilt+s.Length+s.Height) || math.Abs(s.X)+math.Abs(s.Y)+s.Length > 1e6 || s.Length < 0 || s.Height < 0 || s.Height > 1e6 {
			s = Strip{}
		}
		r := row{runes: runes[:min(len(runes), longestLine)], strip: s, length: s.Length, h: math.Max(1, s.Height)}
		r.x, r.y = s.X*cos-s.Y*sin, s.X*sin+s.Y*cos
		r.x0, r.x1 = r.x-r.length/2, r.x+r.length/2
		if len(l.Chars) == len(runes) {
			r.chars = l.Chars
		}
		if len(l.At) == len(runes) {
			r.at = l.At
		}
		r.words = wordsOf(r)
		out = append(out, r)
	}
	return out
}

// naughtsInWords writes an O for the one naught in a word of letters: 0SKAR, 0'DONOVAN.
func naughtsInWords(runes []rune) []rune {
	out := slices.Clone(runes)
	for i := 0; i < len(out); {
		j, naught, others, letters := i, -1, 0, 0
		for ; j < len(out) && (unicode.IsLetter(out[j]) || unicode.IsDigit(out[j]) || out[j] == '\''); j++ {
			switch {
			case unicode.IsLetter(out[j]):
				letters++
			case out[j] == '0' && naught < 0:
				naught = j
			case out[j] != '\'':
				others++
			}
		}
		if naught >= 0 && others == 0 && letters >= 3 {
			out[naught] = 'O'
		}
		i = max(j, i+1)
	}
	return out
}

func tiltOf(lines []Line) float64 {
	var tilts []float64
	for _, l := range lines {
		if l.Strip.Length > 3*l.Strip.Height && finite(l.Strip.Tilt) {
			tilts = append(tilts, l.Strip.Tilt)
		}
	}
	if len(tilts) == 0 {
		return 0
	}
	slices.Sort(tilts)
	return tilts[len(tilts)/2]
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// usualHeight is the median height of the rows that have letters enough; at least 1.
func usualHeight(rows []row) float64 {
	var all []float64
	for _, r := range rows {
		if r.length > 2*r.h {
			all = append(all, r.h)
		}
	}
	if len(all) == 0 {
		return 20
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// place is where a rune's middle is, in pixels along the levelled page.
func (r row) place(i int) float64 {
	n := float64(max(1, len(r.runes)))
	a := (float64(i) + .5) / n
	if r.at != nil && finite(r.at[i]) {
		a = r.at[i]
	}
	return r.x0 + a*r.length
}

// pitch is about how far apart the row's characters are.
func (r row) pitch() float64 {
	if n := len(r.runes); n > 1 {
		return math.Abs(r.place(n-1)-r.place(0)) / float64(n-1)
	}
	return r.h / 2
}

// sure is the mean and the least confidence of runes, spaces left out.
func (r row) sure(from, to int) (mean, least float64) {
	if r.chars == nil {
		return 1, 1
	}
	sum, n := 0.0, 0
	least = 1
	for i := from; i < to; i++ {
		if unicode.IsSpace(r.runes[i]) {
			continue
		}
		sum, n, least = sum+r.chars[i], n+1, math.Min(least, r.chars[i])
	}
	if n == 0 || !finite(sum) {
		return 0, 0
	}
	return sum / float64(n), least
}

// wordsOf cuts a row at what is no letter and no digit, and where small letters run into a capital: readers lose spaces.
func wordsOf(r row) []word {
	var out []word
	from, last := -1, 0
	glued := gluedNumber(r.runes)
	flush := func(to int) {
		if from < 0 {
			return
		}
		half := r.pitch() / 2
		w := word{from: from, to: to, text: string(r.runes[from:to]), before: string(r.runes[last:from])}
		w.plain, w.x0, w.x1 = lexicon.Letters(w.text), r.place(from)-half, r.place(to-1)+half
		w.concept, w.strength = wordConcepts(w)
		out, from, last = append(out, w), -1, to
	}
	for i, c := range r.runes {
		switch {
		case !ofWord(r.runes, i, from >= 0):
			flush(i)
			continue
		case from >= 0 && i-from >= 2 && unicode.IsUpper(c) && unicode.IsLower(r.runes[i-1]) && unicode.IsLower(r.runes[i-2]),
			from >= 0 && len(out) == 0 && i == glued:
			flush(i)
		}
		if from < 0 {
			from = i
		}
	}
	flush(len(r.runes))
	return out
}

// gluedNumber is where a field's number ends that begins a row and was read as one word with what is behind it: 1SAMPLE, 4bEXP, 16HGT. What
// follows is at least three letters and no figure. 0: there is none.
func gluedNumber(runes []rune) int {
	n := 0
	for n < len(runes) && runes[n] >= '0' && runes[n] <= '9' {
		n++
	}
	if n > 0 && n < len(runes) && runes[n] >= 'a' && runes[n] <= 'd' {
		n++
	}
	end := n
	for end < len(runes) && unicode.IsLetter(runes[end]) {
		end++
	}
	if end-n < 3 || !fieldNumber(string(runes[:n])) || end < len(runes) && unicode.IsDigit(runes[end]) || !unicode.IsUpper(runes[n]) {
		return 0
	}
	return n
}

// ofWord reports whether a rune belongs to a word; begun: one has begun before it.
func ofWord(runes []rune, i int, begun bool) bool {
	c := runes[i]
	switch {
	case unicode.IsLetter(c), unicode.IsDigit(c), unicode.Is(unicode.Mn, c):
		return true
	case !begun:
		return false
	case c == '\'', c == '’', c == '-':
		return i+1 < len(runes) && unicode.IsLetter(runes[i+1]) && unicode.IsLetter(runes[i-1])
	}
	return c == '°' || c == 'º'
}

// piece is a run of words of one row between labels or wide gaps.
type piece struct {
	row         int
	words       []word
	x0, x1      float64
	y, h        float64
	mean, least float64
}

func pieceOf(rows []row, k int, words []word) piece {
	r := rows[k]
	p := piece{row: k, words: words, x0: words[0].x0, x1: words[len(words)-1].x1, y: r.y, h: r.h}
	p.mean, p.least = r.sure(words[0].from, words[len(words)-1].to)
	return p
}

// text is the piece as it was read, with what stands between its words.
func (p piece) text(rows []row) string {
	return string(rows[p.row].runes[p.words[0].from:p.words[len(p.words)-1].to])
}
