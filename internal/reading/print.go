package reading

import (
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Print is the lines of a page, to look for what is known to be on it. Lines that no page of a document has are not among them.
type Print struct {
	page  Page
	rows  []row
	order order
}

// PrintOf returns the print of a page.
func PrintOf(p Page) Print {
	out := Print{page: p, rows: rowsOf(p)}
	var all []candidate
	for k, r := range out.rows {
		for _, d := range daysIn(r.runes) {
			all = append(all, candidate{kind: aDay, value: d.String(), day: d, spans: []span{{k, d.from, d.to}}})
		}
	}
	out.order = orderOf(all, p.Dates)
	return out
}

// Lines is how many lines there are. They are numbered from 0.
func (p Print) Lines() int { return len(p.rows) }

// Word is a run of letters and figures of a line: its runes From up to To.
type Word struct{ From, To int }

// Words are those of a line, from left to right.
func (p Print) Words(line int) []Word {
	var out []Word
	for _, w := range p.rows[line].words {
		out = append(out, Word{w.from, w.to})
	}
	return out
}

// Text is what runes from up to to of a line say.
func (p Print) Text(line, from, to int) string { return string(p.rows[line].runes[from:to]) }

// Length is how many runes a line has.
func (p Print) Length(line int) int { return len(p.rows[line].runes) }

// Sure is the mean and the least confidence of runes of a line, spaces left out, 0–1.
func (p Print) Sure(line, from, to int) (mean, least float64) { return p.rows[line].sure(from, to) }

// Box is round runes of a line, as parts of the picture.
func (p Print) Box(line, from, to int) idv.Box {
	problem := Problem{page: p.page, rows: p.rows}
	return *problem.boxOf([]span{{line, from, to}})
}

// RightOf are the lines of a line's row that begin where it does or right of it, from left to right; itself among them.
func (p Print) RightOf(line int) []int {
	r := p.rows[line]
	var out []int
	for i, o := range p.rows {
		if dy := o.y - r.y; max(dy, -dy) < .5*max(o.h, r.h) && o.x >= r.x {
			out = append(out, i)
		}
	}
	slices.SortStableFunc(out, func(a, b int) int { return int(p.rows[a].x - p.rows[b].x) })
	return out
}

// Day is a date as print may state it: one reading of its runes From up to To.
type Day struct {
	From, To int
	Value    time.Time
}

// Days are the readings of all dates of a text, in any calendar, in the order of day and month that the page's other dates are in.
func (p Print) Days(text string) []Day {
	var out []Day
	for _, d := range anyDaysIn([]rune(text)) {
		if p.order == told || d.order == told || d.order == p.order {
			out = append(out, Day{d.from, d.to, d.time})
		}
	}
	return out
}

// Labelled reports whether a line begins with a label, be it behind a field's number or two words.
func Labelled(text string) bool {
	rows := rowsOf(Page{Lines: []Line{{Text: text}}})
	words := rows[0].words
	for i := range min(3, len(words)) {
		n, c, strength := labelRun(rows, 0, words[i:])
		if n > 0 && strength > .9 && meaningOfRun(words[i:i+n], c) != (meaning{}) {
			return true
		}
	}
	return false
}

// Numbered reports whether a line begins with the number of a field of European licences, with something behind it.
func Numbered(text string) bool {
	words := rowsOf(Page{Lines: []Line{{Text: text}}})[0].words
	if len(words) < 2 || !startsField(words, 0) {
		return false
	}
	_, ok := europeanNumbers[strings.ToUpper(words[0].text)]
	return ok
}

// Nation reports whether a text is a nationality: its name or code, or the same in two languages.
func Nation(text string) bool { return nationalityOf(text) != "" }
