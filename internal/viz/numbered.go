package viz

import (
	"cmp"
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
	for _, s := range r.texts {
		if r.american && r.aboveAddress(s) { // 2 MILL STREET is no field 2
			texts = append(texts, s)
			continue
		}
		texts = append(texts, r.numbered(s)...)
	}
	r.texts = texts
	if r.american {
		r.namesByOrder()
		return
	}
	r.byOrder()
}

// byOrder finds the fields of a European licence whose numbers were not seen, by where directive 2006/126/EC, annex I, sets
// them: 1, 2 and 3 right above 4a, in one column with its value, where there are just these three; 4c right of 4a.
func (r *reader) byOrder() {
	from := slices.IndexFunc(r.labels, func(l segment) bool { return l.marker && l.tag == "4A" })
	if from < 0 {
		return
	}
	l := r.labels[from]
	at := slices.IndexFunc(r.texts, func(s segment) bool {
		return s.sequence == from || math.Abs(s.y-l.y) < onRow*math.Max(s.h, l.h) && s.x0 >= l.x1-0.5*l.h && s.x0-l.x1 < reachNumber*l.h
	})
	if at < 0 {
		return
	}
	issued := r.texts[at]
	if !r.hasLabel(authority) {
		r.authorityBeside(issued)
	}
	if !r.hasLabel(dateOfExpiry) {
		r.expiryBelow(issued)
	}
	if !r.hasLabel(documentNumber) {
		r.numberBelow(issued)
	}
	var column []segment
	for _, s := range r.texts {
		if s.y < issued.y-0.5*issued.h && math.Abs(s.x0-issued.x0) < issued.h && math.Max(s.h, issued.h) < nextSize*math.Min(s.h, issued.h) {
			column = append(column, s)
		}
	}
	slices.SortFunc(column, func(a, b segment) int { return cmp.Compare(a.y, b.y) })
	if len(column) != 3 || len(r.contextOf().findDates(r.textOf(column[2].line, column[2].words), past)) != 1 {
		return
	}
	for i, number := range []string{"1", "2", "3"} {
		if column[i].sequence < 0 && !r.hasMarker(number) {
			r.markBefore(column[i], number)
		}
	}
}

// markBefore puts a field's number before a text.
func (r *reader) markBefore(l segment, number string) {
	l.fact, l.tag, l.marker, l.x1 = fieldNumbers[number], number, true, l.x0
	r.labels = append(r.labels, l)
}

// expiryBelow finds the day of expiry right below that of issue, or the row after.
func (r *reader) expiryBelow(issued segment) {
	for _, s := range r.texts {
		below := (s.y - issued.y) / issued.h
		if s.sequence < 0 && below > 0.5 && below < 2*reachLeft && math.Abs(s.x0-issued.x0) < issued.h && len(s.words) <= 3 && len(r.contextOf().findDates(r.textOf(s.line, s.words), coming)) == 1 {
			r.markBefore(s, "4B")
			return
		}
	}
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

// authorityBeside finds the authority on the row of the day of issue: nothing else without a digit stands there.
func (r *reader) authorityBeside(issued segment) {
	for _, s := range r.texts {
		if s.sequence < 0 && s.x0 > issued.x1 && math.Abs(s.y-issued.y) < onRow*math.Max(s.h, issued.h) && !strings.ContainsAny(r.textOf(s.line, s.words), "0123456789") && len(joined0(s.words)) > 2 {
			r.markBefore(s, "4C")
			return
		}
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

// isTable reports whether the page is the back of a licence, whose table has a line for each category: its dates are no fact of
// the document, and beside it stands what the numbers of the front mean.
func (r *reader) isTable() bool {
	if r.american {
		return false
	}
	seen, days := map[string]bool{}, map[string]int{}
	for _, s := range r.texts {
		if c := strings.ToUpper(s.words[0].text); slices.Contains(categories, c) {
			seen[c] = true
		}
		if looksLikeTableDay(s.words) {
			day := alphanumerics(r.textOf(s.line, s.words))
			if days[day]++; days[day] == tableRows {
				return true
			}
		}
	}
	return len(seen) >= tableRows
}

// looksLikeTableDay reports whether words are a day in figures and nothing else.
func looksLikeTableDay(words []word) bool {
	return len(words) == 3 && !slices.ContainsFunc(words, func(w word) bool { return number(w.text) < 0 || len(w.text) > 4 }) &&
		strings.TrimSpace(words[1].before) == strings.TrimSpace(words[2].before)
}

// tableRows is how many categories begin lines of the back at least, or how many of its lines state one day: the columns are read
// apart, and what begins the lines is small. No front states a day so often.
const tableRows = 3

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
		if number == "" {
			break
		}
		if number == "5" && len(rest) > 0 && r.factOf(number) == documentNumber && !strings.ContainsAny(r.textOf(s.line, rest), "0123456789") {
			return append(out, r.segmentOf(s.line, rest, "")) // no number of a licence: another field's was misread
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
	text := strings.ToUpper(w.text)
	if n, ok := misreadNumbers[text]; ok && r.kind == idv.DrivingLicence {
		text = n
	}
	if r.factOf(text) != "" && !beginsDay(s.words) {
		return text, s.words[:1], s.words[1:]
	}
	if n := r.datedNumber(w.text); n != "" && len(s.words) > 1 && len(r.contextOf().findDates(r.textOf(s.line, s.words[1:]), past)) > 0 {
		return n, s.words[:1], s.words[1:]
	}
	return r.joinedMarker(w, s.words[1:])
}

// joinedMarker is marker of a word whose space was lost: 4a12.03.2015, 1MUSTER.
func (r *reader) joinedMarker(w word, after []word) (number string, mark, rest []word) {
	runes := []rune(w.text)
	for _, n := range []int{2, 1} {
		house := n == 1 && r.joinedHouse(w)
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

// joinedHouse reports whether a number that begins a line is a field's 8 and that of a house, whose space was lost: it stands where
// the numbers of other fields do, and the address's second line a field number's width further right. 89 HARBOUR LANE would else
// be an address further down the street.
func (r *reader) joinedHouse(w word) bool {
	if !r.mayBeJoinedHouse(w) {
		return false
	}
	_, y, h := r.level(w.line)
	return slices.ContainsFunc(r.texts, func(t segment) bool {
		down, right := (t.y-y)/h, t.x0-w.x0
		return down > 0.5 && down < nextLine && right > r.pitch(w.line) && right < reachLeft*h && postalLine.MatchString(strings.TrimSpace(r.textOf(t.line, t.words)))
	})
}

// mayBeJoinedHouse reports whether a number that begins a line may be a field's 8 and that of a house, by where it stands.
func (r *reader) mayBeJoinedHouse(w word) bool {
	if !r.american || w.from > 1 || len(w.text) < 2 || w.text[0] != '8' || number(w.text) < 0 {
		return false
	}
	column := 0
	for _, l := range r.labels {
		if l.marker && math.Abs(l.x0-w.x0) < columnOff*l.h {
			column++
		}
	}
	return column >= columnMarkers && !r.hasMarker("8")
}

// What makes a column of field numbers: how many stand at most how far from one's left end, in their heights.
const (
	columnMarkers = 2
	columnOff     = 0.4
)

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

// datedNumber is the number of a dated field of a North American card that begins a word whose rest is the field's label,
// misread: 3D08, 4bE.
func (r *reader) datedNumber(word string) string {
	if !r.american {
		return ""
	}
	upper := strings.ToUpper(word)
	for _, n := range []string{"4A", "4B", "3"} {
		if rest, ok := strings.CutPrefix(upper, n); ok && rest != "" && len(rest) <= 4 && letters(rest) != "" && !strings.ContainsAny(rest[:1], "0123456789") {
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
