package viz

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// postalLine is how the second line of a North American address ends: the code of a state or province, and a postal code.
var postalLine = regexp.MustCompile(`\b[A-Z]{2}\)?[ ,.]+([A-Z][0-9][A-Z][ -]?[0-9][A-Z][0-9]|[0-9]{5}(-?[0-9]{4})?)$`)

// isHouse reports whether the number that begins a text of a North American card is no field's but that of a house: the text follows
// the label of the address, or an address's second line stands right below it. An 8 is the field's where no other is on the page.
func (r *reader) isHouse(s segment) bool {
	if s.sequence >= 0 && r.labels[s.sequence].fact == address {
		return number(s.words[0].text) > 0
	}
	n, _, rest := r.marker(s)
	if n == "" || len(rest) == 0 || number(s.words[0].text) <= 0 && n != "1" && n != "2" || n == "8" && (!r.showsAddress() || number(rest[0].text) > 0) {
		return false
	}
	return slices.ContainsFunc(r.texts, func(t segment) bool {
		down := (t.y - s.y) / s.h
		return down > 0.5 && down < nextLine && math.Abs(t.x0-s.x0) < nextIndent*s.h && r.endsPostal(t)
	})
}

// showsAddress reports whether the page has the label of the address, or its number in a line of its own.
func (r *reader) showsAddress() bool {
	return r.hasLabel(address) || slices.ContainsFunc(r.texts, func(t segment) bool { return len(t.words) == 1 && t.words[0].text == "8" })
}

// wholeAddress states the address of a North American card by its form: a line that begins with a house's number and, right below,
// one that ends with a postal code (AAMVA DL/ID Card Design Standard, annex A, field 8). What was found by its label and is not
// whole is no address: half of one is wrong.
func (r *reader) wholeAddress() {
	if !r.american {
		return
	}
	old, found := r.found[address]
	whole := found && isWhole(old)
	if found {
		r.setUsed(old.parts, false)
		delete(r.found, address)
	}
	f, ok := r.addressByForm()
	if ok && (!whole || f.parts[0].line == old.parts[0].line) {
		r.setUsed(f.parts, true)
		r.found[address] = f
		return
	}
	switch {
	case whole:
		r.setUsed(old.parts, true)
		r.found[address] = old
	case found:
		r.doubtful = append(r.doubtful, old.parts...)
	}
}

// isWhole reports whether an address has a street's line and a postal code. One letter that begins it is a number misread.
func isWhole(f found) bool {
	first, _, _ := strings.Cut(f.text, " ")
	return postalLine.MatchString(f.text) && (number(first) > 0 || len(f.parts) > 1 && len(letters(first)) > 1)
}

// setUsed marks the texts that parts of lines hold.
func (r *reader) setUsed(parts []part, used bool) {
	for j, t := range r.texts {
		if slices.ContainsFunc(parts, func(p part) bool {
			return p.line == t.line && p.from <= t.words[len(t.words)-1].from && t.words[0].from < p.to
		}) {
			r.texts[j].used = used
		}
	}
}

// addressByForm is the one address of a card that its form shows, whether or not its number was seen. A number that may be the
// field's and the house's in one is left unread.
func (r *reader) addressByForm() (f found, ok bool) {
	for _, second := range r.texts {
		if second.used || second.sequence >= 0 || !r.endsPostal(second) {
			continue
		}
		for _, first := range r.texts {
			from, above := r.streetAbove(first, second)
			if !above {
				continue
			}
			if ok {
				return found{}, false
			}
			f, ok = r.addressOf(first, second, from), true
		}
	}
	return f, ok
}

// streetAbove reports whether a text is the first line of an address, and where in the second line this begins.
func (r *reader) streetAbove(first, second segment) (from int, above bool) {
	down := (second.y - first.y) / first.h
	byLabel := first.sequence >= 0 && r.labels[first.sequence].fact == address
	if first.used || first.sequence >= 0 && !byLabel || down < 0.5 || down > nextLine || !r.setAlike(first, second, byLabel) ||
		number(first.words[0].text) <= 0 || len(first.words) < 2 || r.mayBeJoinedHouse(first.words[0]) {
		return 0, false
	}
	from = r.pastPrint(second, first.x0)
	x0, _ := r.span(second.line, from, from+1)
	return from, math.Abs(first.x0-x0) < nextIndent*first.h || byLabel && math.Abs(r.labels[first.sequence].x0-x0) < nextIndent*first.h
}

// addressOf is the address that two lines state.
func (r *reader) addressOf(first, second segment, from int) found {
	f := found{segment: first, cost: costMost, parts: []part{{first.line, first.words[0].from, first.words[len(first.words)-1].to}}}
	f.value = value{fact: address, text: strings.TrimSpace(r.textOf(first.line, first.words)), to: len(first.words)}
	r.alongside(&f, first)
	last := part{second.line, from, second.words[len(second.words)-1].to}
	f.text = mendAddress(f.text) + ", " + mendPostal(strings.TrimSpace(string(r.runes[last.line][last.from:last.to])))
	f.parts = append(f.parts, last)
	f.mean, f.least = r.sureOfWords(f.parts)
	return f
}

// sureOfWords is sureOfParts without the signs between words, which an address may be written with or without.
func (r *reader) sureOfWords(parts []part) (mean, least float64) {
	var words []part
	for _, p := range parts {
		for i := p.from; i < p.to; i++ {
			if c := r.runes[p.line][i]; unicode.IsLetter(c) || unicode.IsDigit(c) {
				words = append(words, part{p.line, i, i + 1})
			}
		}
	}
	return r.sureOfParts(words)
}

// postalSigns is what may be a postal code behind the code of a state or province, with letters for digits and digits for letters.
var postalSigns = regexp.MustCompile(`^(.*\b[A-Z]{2}\)?[ ,.]+)([A-Z0-9]{3} ?[A-Z0-9]{3}|[A-Z0-9]{5})$`)

// endsPostal reports whether a text ends as the second line of an address does.
func (r *reader) endsPostal(s segment) bool {
	return postalLine.MatchString(mendPostal(strings.TrimSpace(r.textOf(s.line, s.words))))
}

// misreadComma is the sign between a city's state and the postal code that is read for a comma, or for nothing: of a signature, of a
// pattern.
var misreadComma = regexp.MustCompile(`([A-Z][ ,.]+[A-Z]{2}) ?[:;-] ?([A-Z0-9]{3} ?[A-Z0-9]{3}|[A-Z0-9]{5})$`)

// digitsLeast is how many of a postal code's digits were read as such at least, by whether it is one of Canada: of what has fewer the
// letters may be a name's.
var digitsLeast = map[bool]int{true: 1, false: 3}

// mendPostal reads the signs of a postal code as what stands in their places: five digits, or a letter and a digit by turns. Canada
// uses no O and no I.
func mendPostal(text string) string {
	text = misreadComma.ReplaceAllString(text, "$1 $2")
	m := postalSigns.FindStringSubmatch(text)
	if m == nil || postalLine.MatchString(text) {
		return text
	}
	canada := len(m[2]) > 5
	var code strings.Builder
	at, digits := 0, 0
	for _, c := range m[2] {
		switch {
		case c == ' ':
			at--
		case canada && at%2 == 0:
			c = lookAlike(c, "5826", "SBZG")
		default:
			if unicode.IsDigit(c) {
				digits++
			}
			c = lookAlike(c, "OISBZG", "015826")
		}
		at++
		code.WriteRune(c)
	}
	mended := m[1] + code.String()
	if postalLine.MatchString(mended) && digits >= digitsLeast[canada] {
		return mended
	}
	return text
}

// lookAlike is the sign that stands in a list where c stands in another.
func lookAlike(c rune, from, to string) rune {
	if i := strings.IndexRune(from, c); i >= 0 {
		return rune(to[i])
	}
	return c
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
		return down > 0.5 && down < nextLine && right > r.pitch(w.line) && right < reachLeft*h && r.endsPostal(t)
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
