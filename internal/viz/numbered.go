package viz

import (
	"math"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// fieldNumbers of driving licences: directive 2006/126/EC annex I and ISO/IEC 18013-1 annex A. North American cards use
// the same but for what they call 4d and 5 (AAMVA DL/ID Card Design Standard, annex A).
var fieldNumbers = map[string]fact{
	"1": surname, "2": givenNames, "3": birthDayAndPlace, "4A": dateOfIssue, "4B": dateOfExpiry, "4C": authority, "4D": personalNumber, "5": documentNumber,
	"6": other, "7": other, "8": address, "9": other,
}

// americanNumbers differ from fieldNumbers.
var americanNumbers = map[string]fact{"3": dateOfBirth, "4D": documentNumber, "5": other, "9A": other, "12": other, "15": sex, "16": other, "17": other, "18": other, "19": other}

// misreadNumbers are what readers make of a field's letter.
var misreadNumbers = map[string]string{"46": "4B", "4Ä": "4A", "4À": "4A", "4Á": "4A", "4G": "4C", "4E": "4C", "4O": "4D", "4Q": "4D", "48": "4B", "4ª": "4A"}

// findNumbers makes labels of the field numbers of a driving licence. A page is one by its title, or because it numbers its
// dates and lists categories of vehicles so. Where only the dates are numbered, the fields are read, but what the page is
// stays open: a licence is asked for no machine-readable zone.
func (r *reader) findNumbers() {
	if r.kind != idv.DrivingLicence && !r.american && (r.kind != idv.UnknownKind || !r.numbersDates()) {
		return
	}
	r.numbers = true
	if r.kind == idv.UnknownKind && !r.american && r.listsCategories() {
		r.kind = idv.DrivingLicence
	}
	var texts []segment
	for i, s := range r.texts {
		if r.american && r.isHouse(s) || i > 0 && r.houseBehind(r.texts[i-1], s) { // 2 MILL STREET is no field 2
			texts = append(texts, s)
			continue
		}
		texts = append(texts, r.numbered(r.dayBehindSign(r.behindFigure(s)))...)
	}
	r.texts = texts
	if r.american {
		r.namesByOrder()
		return
	}
	r.byOrder()
}

// houseBehind reports whether a text is the address whose field number stands alone before it on its line: 8.  7 Mill Street.
func (r *reader) houseBehind(before, s segment) bool {
	if s.line != before.line || len(before.words) != 1 || len(s.words) < 2 {
		return false
	}
	field, _, _ := r.marker(before)
	number, _, _ := r.marker(s)
	return field == "8" && len(number) == 1
}

// namesByOrder finds one of the names of a North American card by the other: field 2 stands right below field 1 (AAMVA DL/ID
// Card Design Standard, annex A).
func (r *reader) namesByOrder() {
	if r.hasLabel(surname) == r.hasLabel(givenNames) {
		return
	}
	known, number, way := givenNames, "1", -1.0
	if r.hasLabel(surname) {
		known, number, way = surname, "2", 1
	}
	from := slices.IndexFunc(r.labels, func(l segment) bool { return l.fact == known })
	at := slices.IndexFunc(r.texts, func(s segment) bool { return s.sequence == from })
	if at < 0 {
		return
	}
	v := r.texts[at]
	best := -1
	for i, s := range r.texts {
		off := way * (s.y - v.y) / v.h
		if off < 0.5 || off > reachBelow || math.Abs(s.x0-v.x0) > 1.5*v.h {
			continue
		}
		if best < 0 || off < way*(r.texts[best].y-v.y)/v.h {
			best = i
		}
	}
	if best >= 0 && r.texts[best].sequence < 0 && nameOf(r.textOf(r.texts[best].line, r.texts[best].words)) != "" && kindOf(r.texts[best]) == idv.UnknownKind {
		r.markBefore(r.texts[best], number)
	}
}

// categories of vehicles: directive 2006/126/EC article 4, and tractors.
var categories = strings.Fields("AM A1 A2 A B1 B BE C1 C1E C CE D1 D1E D DE T")

// listsCategories reports whether field 9 is on the page with a category of vehicles.
func (r *reader) listsCategories() bool {
	return slices.ContainsFunc(r.texts, func(s segment) bool {
		number, _, rest := r.marker(s)
		return number == "9" && len(rest) > 0 && slices.Contains(categories, strings.ToUpper(rest[0].text))
	})
}

// numbersDates reports whether two of a licence's three numbered dates are on the page.
func (r *reader) numbersDates() bool {
	c := r.contextOf()
	seen := map[string]bool{}
	for _, s := range r.texts {
		number, _, rest := r.marker(s)
		if number == "3" || number == "4A" || number == "4B" {
			if len(rest) > 0 && len(c.findDates(r.textOf(s.line, rest), past)) > 0 {
				seen[number] = true
			}
		}
	}
	return len(seen) >= 2
}

// numbered cuts a text at its field numbers: the one that begins it, and the two-sign ones within.
func (r *reader) numbered(s segment) []segment {
	var out []segment
	if n, _, _ := r.marker(s); n == "" {
		if at := r.nextMarker(s.line, s.words); at < len(s.words) { // a value, and another field behind it
			v := r.segmentOf(s.line, s.words[:at], "")
			v.sequence = s.sequence
			out = append(out, v)
			s = r.segmentOf(s.line, s.words[at:], "")
		}
	}
	for {
		number, mark, rest := r.marker(s)
		if number == "" || r.notOfNames(s, number, rest) {
			break
		}
		if number == "5" && len(rest) > 0 && r.factOf(number) == documentNumber && (rest[0].plain == "DD" || !strings.ContainsAny(r.textOf(s.line, rest), "0123456789")) {
			return append(out, r.segmentOf(s.line, rest, "")) // no number of a licence: a card's own (AAMVA's DD), or another field's was misread
		}
		l := r.segmentOf(s.line, mark, r.factOf(number))
		l.tag, l.marker, l.sequence = number, true, s.sequence
		r.labels = append(r.labels, l)
		if len(rest) == 0 {
			return out
		}
		next := r.nextMarker(s.line, rest)
		v := r.segmentOf(s.line, rest[:next], "")
		v.sequence = len(r.labels) - 1
		out = append(out, v)
		if next == len(rest) {
			return out
		}
		s = r.segmentOf(s.line, rest[next:], "")
		s.sequence = -1
	}
	return append(out, s)
}

// nextMarker is where behind the first of a line's words the number of a dated field stands, their count for nowhere.
func (r *reader) nextMarker(line int, words []word) int {
	for i := 1; i < len(words); i++ {
		if n, _, _ := r.marker(r.segmentOf(line, words[i:], "")); len(n) == 2 && n[0] == '4' {
			return i
		}
	}
	return len(words)
}

func (r *reader) factOf(number string) fact {
	if f, ok := americanNumbers[number]; ok && r.american {
		return f
	}
	return fieldNumbers[number]
}

// marker is the field number that begins a text, its words and those that follow it; "" for none.
func (r *reader) marker(s segment) (number string, mark, rest []word) {
	w := s.words[0]
	if r.american && r.misreadSex(s.words) {
		return "15", s.words[:1], s.words[1:]
	}
	text := r.mendedNumber(s)
	if r.factOf(text) != "" && !beginsDay(s.words) {
		return text, s.words[:1], s.words[1:]
	}
	if n := r.datedNumber(w.text); n != "" && len(s.words) > 1 && r.statesDay(s.line, s.words[1:]) {
		return n, s.words[:1], s.words[1:]
	}
	if r.american && len(s.words) > 1 && misreadNumber(w) && len(numberValues(documentNumber, r.segmentOf(s.line, s.words[1:], ""), true)) > 0 {
		return "4D", s.words[:1], s.words[1:]
	}
	return r.joinedMarker(w, s.words[1:])
}

// mendedNumber is the first word of a text, in capitals, or the field number that it was misread from.
func (r *reader) mendedNumber(s segment) string {
	text := strings.ToUpper(s.words[0].text)
	if n, ok := misreadNumbers[text]; ok && r.kind == idv.DrivingLicence && (letters(text) != "" || len(s.words) == 1 || r.statesDay(s.line, s.words[1:])) {
		if text = n; r.american && n == "4B" && issueNumber(s.words) {
			text = "4A"
		}
	}
	if text == "8" && !r.american && len(s.words) > 1 && r.statesDay(s.line, s.words[1:]) { // of those with a point behind them, one has a day
		text = "3"
	}
	return text
}

// misreadNumber reports whether a word begins with field 4d of a North American card and goes on with what is left of its label:
// 4dteNó.
func misreadNumber(w word) bool {
	rest, ok := strings.CutPrefix(strings.ToUpper(w.text), "4D")
	return ok && rest != "" && len([]rune(rest)) <= 4 && !strings.ContainsAny(rest, "0123456789")
}

// statesDay reports whether words hold a day.
func (r *reader) statesDay(line int, words []word) bool {
	return len(r.contextOf().findDates(r.textOf(line, words), past)) > 0
}

// joinedMarker is marker of a word whose space was lost: 4a12.03.2015, 1MUSTER.
func (r *reader) joinedMarker(w word, after []word) (number string, mark, rest []word) {
	runes := []rune(w.text)
	for _, n := range []int{2, 1} {
		house := n == 1 && r.joinedHouse(w)
		if n == 1 && r.besidePrint(w) {
			continue
		}
		if !house && (len(runes) < n+2 || r.factOf(strings.ToUpper(string(runes[:n]))) == "" || !endsNumber(runes, n)) {
			continue
		}
		first, second := w, w
		first.to, first.text, first.plain = w.from+n, string(runes[:n]), letters(string(runes[:n]))
		if runes[n] == '-' && n+1 < len(runes) { // 2-JOAO: a point, misread
			n++
		}
		second.from, second.text, second.plain, second.before = w.from+n, string(runes[n:]), letters(string(runes[n:])), ""
		first.x0, first.x1 = r.span(w.line, first.from, first.to)
		second.x0, second.x1 = r.span(w.line, second.from, second.to)
		return strings.ToUpper(first.text), []word{first}, append([]word{second}, after...)
	}
	return "", nil, nil
}

// endsNumber reports whether a field's number may end after n characters of a word: a number and a letter before a day's
// digits, 1 and 2 before a name.
func endsNumber(word []rune, n int) bool {
	digit := func(c rune) bool { return c >= '0' && c <= '9' }
	if n == 2 {
		return !digit(word[1]) && digit(word[2])
	}
	return (word[0] == '1' || word[0] == '2') && !slices.ContainsFunc(word[1:], digit)
}

// beginsDay reports whether a number is the first of a day's, and no field's: 12/21/2002. A field's number has a space or a
// point behind it.
func beginsDay(words []word) bool {
	if len(words) < 3 || number(words[0].text) < 0 || number(words[1].text) < 0 || number(words[2].text) < 0 {
		return false
	}
	sign := strings.TrimSpace(words[1].before)
	return sign == strings.TrimSpace(words[2].before) && (sign == "/" || sign == "-" || sign == "." && len(words) == 3)
}

// dateLabel is how long the label of a date is that is misread into its number at most, in two languages (EXP/EXP).
const dateLabel = 8

// datedNumber is the number of a dated field of a North American card that begins a word whose rest is the field's label,
// misread: 3D08, 4bE.
func (r *reader) datedNumber(word string) string {
	if !r.american {
		return ""
	}
	upper := strings.ToUpper(word)
	if misreadBirth.MatchString(upper) {
		return "3"
	}
	for _, n := range []string{"4A", "4B", "3"} {
		if rest, ok := strings.CutPrefix(upper, n); ok && rest != "" && rest != "B" && len(rest) <= dateLabel && letters(rest) != "" && !strings.ContainsAny(rest[:1], "0123456789") {
			return n
		}
	}
	return ""
}

// Numbered reports whether a line of a driving licence begins with the number of a field.
func Numbered(text string) bool {
	r := newReader(Page{Lines: []Line{{Text: text}}, Kind: idv.DrivingLicence})
	words := r.words(0)
	if len(words) < 2 {
		return false
	}
	number, _, _ := r.marker(segment{words: words})
	return number != ""
}
