package reading

import (
	"slices"
	"strings"
	"unicode"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/reading/calendar"
	"github.com/bonafide-id/bonafide/internal/reading/lexicon"
)

// Facts in the order in which they are solved and claimed.
const (
	fSurname = iota
	fGiven
	fNumber
	fBirth
	fIssue
	fExpiry
	fSex
	fNationality
	fIssuer
	fBirthplace
	fPersonal
	fAuthority
	fAddress
	facts
)

// FactNames are the facts that a page is solved for.
var FactNames = [facts]idv.ClaimName{
	idv.FamilyName, idv.GivenNames, idv.DocumentNumber, idv.DateOfBirth, idv.DateOfIssue, idv.DateOfExpiry, idv.Sex, idv.Nationality, idv.Issuer,
	idv.PlaceOfBirth, idv.PersonalNumber, idv.Authority, idv.Address,
}

// label is a run of words that names a fact, or a field's number.
type label struct {
	piece
	meaning
	number bool // a field's number alone
	whole  bool // nothing but labels is on its row
}

// europeanNumbers and americanNumbers are the facts by their fields' numbers (directive 2006/126/EC, annex I; AAMVA, annex A).
var (
	europeanNumbers = map[string]int{
		"1": fSurname, "2": fGiven, "3": fBirth, "4A": fIssue, "4B": fExpiry, "4C": fAuthority, "4D": fPersonal, "5": fNumber, "8": fAddress,
	}
	americanNumbers = map[string]int{"1": fSurname, "2": fGiven, "3": fBirth, "4A": fIssue, "4B": fExpiry, "4D": fNumber, "8": fAddress, "15": fSex}
)

// fieldNumber reports whether a text has the form of a field's number: 1, 4a, 15.
func fieldNumber(s string) bool {
	digits := strings.TrimRight(s, "abcdABCD")
	n := 0
	for _, c := range digits {
		if c < '0' || c > '9' {
			return false
		}
		n = 10*n + int(c-'0')
	}
	return n > 0 && n < 30 && len(digits) <= 2 && len(s)-len(digits) <= 1 && len(s) <= 3
}

// numberLabel is a field's number as a label. What the numbers of European licences mean, those of other pages do not.
func numberLabel(p piece, f family) label {
	l := label{piece: p, number: true}
	table := europeanNumbers
	if f == american {
		table = americanNumbers
	}
	if f == plain {
		return l
	}
	text := strings.ToUpper(p.words[0].text)
	if fact, ok := table[text]; ok {
		l.fits[fact] = 1
		if text == "3" && f == numbered {
			l.fits[fBirthplace] = .7
		}
		return l
	}
	l.other = 1
	return l
}

// family is how a page is laid out, as far as that decides what a number before a field means.
type family string

const (
	plain    family = "plain"
	numbered family = "numbered" // the fields of European licences
	american family = "american"
)

// familyOf tells a page's family from the numbers that begin its rows and from the words and states of North America.
func familyOf(rows []row) family {
	seen := map[string]bool{}
	usa := 0
	for _, r := range rows {
		for i, w := range r.words {
			up := strings.ToUpper(w.text)
			if i == 0 && len(r.words) > 1 || i > 0 && (up == "4A" || up == "4B" || up == "4C" || up == "4D") {
				seen[up] = true
			}
			switch w.plain {
			case "DOB", "RSTR", "WGT", "HGT", "EYES", "HGTS", "ENDORSEMENTS", "RESTRICTIONS", "DLN", "DONOR":
				usa++
			}
		}
		if _, ok := lexicon.Provinces()[lexicon.Letters(string(r.runes))]; ok {
			usa += 2
		}
	}
	fields := 0
	for _, n := range []string{"1", "2", "3", "4A", "4B", "4C", "5"} {
		if seen[n] {
			fields++
		}
	}
	switch {
	case usa >= 2:
		return american
	case fields >= 4 && (seen["4A"] || seen["4B"]):
		return numbered
	}
	return plain
}

// longLink is the length from which a word that says nothing ends a label, such as holder. Shorter ones may begin a name.
const longLink = 5

// labelRun is how many of the words are a label, what about, and how well they match; 0 for none. It ends behind its last word that
// says something.
func labelRun(rows []row, k int, words []word) (n int, c lexicon.Concept, strength float64) {
	strength = 1
	long := false
	for i, w := range words {
		if i > 0 && (gapOf(rows[k], words[i-1], w) > 1.6*rows[k].h || strings.Contains(w.before, ":") && n > 0) {
			break
		}
		wc, s := w.concept, w.strength
		switch {
		case wc == 0 && i > 0 && (inBrackets(rows[k], w) || mayBeOfLabel(words, i, n)):
			continue
		case wc == 0, wc&^lexicon.Link == 0 && n == 0 && i > 0:
			return n, c, weak(strength, long, n)
		case wc&^lexicon.Link == 0:
			n = pastLink(w, i, n)
			continue
		}
		if valueBegins(words, i, n, c) {
			break
		}
		n, c = i+1, c|wc&^lexicon.Link
		strength = min(strength, s)
		long = long || len(w.plain) >= 4
	}
	return n, c, weak(strength, long, n)
}

// pastLink is where a label ends that has so many words before a word that says nothing.
func pastLink(w word, i, n int) int {
	if n > 0 && len(w.plain) >= longLink {
		return i + 1
	}
	return n
}

// valueBegins reports whether the value of a label of so many words begins at a word that labels are made of.
func valueBegins(words []word, i, n int, c lexicon.Concept) bool {
	return caseChanges(words, i, n) && len(words[i].plain) < 5 || n > 0 && beginsName(words, i, c)
}

// beginsName reports whether a word of a label that is not about days or offices is a particle of the name behind it: NOM VON THURNAU.
func beginsName(words []word, i int, c lexicon.Concept) bool {
	const particles = lexicon.From | lexicon.Until | lexicon.By | lexicon.Link
	return words[i].concept&^particles == 0 && c&(lexicon.Issue|lexicon.Expiry|lexicon.Date|lexicon.Authority) == 0 &&
		i+1 < len(words) && words[i+1].concept == 0
}

// weak is the strength of a label, less where all its words are short.
func weak(strength float64, long bool, n int) float64 {
	if !long && n > 0 {
		return strength * .8
	}
	return strength
}

// inBrackets reports whether a word is within brackets.
func inBrackets(r row, w word) bool {
	before := string(r.runes[:w.from])
	return strings.LastIndex(before, "(") > strings.LastIndex(before, ")")
}

// mayBeOfLabel reports whether a word that the table does not know may be part of the label that began before it: a label in another
// language behind a stroke, or one or two small words before another word of labels.
func mayBeOfLabel(words []word, i, n int) bool {
	w := words[i]
	if !unicode.IsLower(lastRune(w.text)) || n == 0 {
		return false
	}
	if strings.ContainsAny(w.before, "/|·") {
		return true
	}
	for j := i + 1; j < min(i+3, len(words)); j++ {
		if strings.Contains(words[j].before, ":") {
			return false
		}
		if next := words[j]; next.concept&^lexicon.Link != 0 && next.strength > .9 && !caseChanges(words, j, n) {
			return true
		}
	}
	return false
}

// caseChanges reports whether the word is all capitals behind a label in small letters: the value begins there.
func caseChanges(words []word, i, n int) bool {
	if n == 0 {
		return false
	}
	upper := func(s string) bool { return s == strings.ToUpper(s) && s != strings.ToLower(s) }
	return upper(words[i].text) && !upper(words[n-1].text)
}

func lastRune(s string) rune {
	r := []rune(s)
	return r[len(r)-1]
}

// gapOf is the white between two words that follow each other in a row. Where one sign alone parts a date or a number there is none, however
// wide print is set.
func gapOf(r row, a, b word) float64 {
	if oneSignApart(a, b) {
		return 0
	}
	return b.x0 - a.x1 - r.pitch()*float64(max(0, b.from-a.to-1))
}

// oneSignApart reports whether a dot, stroke or hyphen without any space is between two words with figures or letters of months in them:
// 2025.10.14, 28.X.1965. A field's number that a row begins with is by itself.
func oneSignApart(a, b word) bool {
	return len(b.before) == 1 && strings.Contains("./-", b.before) && (hasFigure(a.text) || hasFigure(b.text)) &&
		(a.from > 0 || !fieldNumber(a.text))
}

// wordConcepts are those of a word that has letters alone, or a digit that was read for one.
func wordConcepts(w word) (lexicon.Concept, float64) {
	figures := 0
	for _, c := range w.text {
		if c >= '0' && c <= '9' {
			figures++
		}
	}
	if len(w.plain) == 0 || figures > 1 || figures == 1 && len(w.plain) < 2 {
		return 0, 0
	}
	return lexicon.ConceptsOfWord(w.text, w.plain)
}

// linesApart cuts the rows into labels and texts.
func linesApart(rows []row, f family) (labels []label, texts []piece) {
	for k := range rows {
		ls, ts := rowApart(rows, k, f)
		labels, texts = append(labels, ls...), append(texts, ts...)
	}
	return labels, texts
}

// rowApart cuts one row into labels and texts.
func rowApart(rows []row, k int, f family) (labels []label, texts []piece) {
	words := rows[k].words
	var rest []word
	afterNumber := false
	flush := func() {
		if len(rest) > 0 {
			texts = append(texts, pieceOf(rows, k, rest))
			rest = nil
		}
	}
	for i := 0; i < len(words); {
		if len(rest) > 0 && gapOf(rows[k], words[i-1], words[i]) > .9*rows[k].h {
			flush()
		}
		numbered := fieldNumber(words[i].text) && (i+1 < len(words) || f != plain) && startsField(words, i)
		if numbered && len(rest) == 0 && !afterNumber && !startsDay(rows[k], words[i]) {
			labels = append(labels, numberLabel(pieceOf(rows, k, words[i:i+1]), f))
			afterNumber = true
			i++
			continue
		}
		if n, c, s := labelRun(rows, k, words[i:]); n > 0 && (len(rest) == 0 || s > .9 && mayBeginLabel(rows[k], words, i)) {
			if m := meaningOfRun(words[i:i+n], c); m != (meaning{}) {
				flush()
				labels = append(labels, label{piece: pieceOf(rows, k, words[i:i+n]), meaning: m.times(s)})
				i += n
				continue
			}
		}
		rest = append(rest, words[i])
		i++
	}
	flush()
	for i := range labels {
		labels[i].whole = len(texts) == 0
	}
	return labels, texts
}

// mayBeginLabel reports whether a label may begin at a word behind a text: there is more than a space between, or it is set otherwise.
func mayBeginLabel(r row, words []word, i int) bool {
	last, next := words[i-1].text, words[i].text
	upper := func(s string) bool { return s == strings.ToUpper(s) }
	return strings.TrimSpace(words[i].before) != "-" && (gapOf(r, words[i-1], words[i]) > .5*r.h || upper(last) != upper(next))
}

// startsField: behind a field's number more follows that is no part of a date.
func startsField(words []word, i int) bool {
	if i+1 >= len(words) || words[i+1].from == words[i].to {
		return true
	}
	sep := strings.TrimSpace(words[i+1].before)
	return sep == "" && words[i+1].before != "" || sep == "." && strings.Contains(words[i+1].before, " ") || sep == ")" || sep == ":"
}

// startsDay: a day begins with the word.
func startsDay(r row, w word) bool {
	return slices.ContainsFunc(calendar.DaysIn(r.runes), func(d calendar.Day) bool { return d.From == w.from })
}

// LabelWord reports whether labels are made of words like this one.
func LabelWord(word string) bool {
	c, _ := lexicon.ConceptsOf(word)
	return len(lexicon.Letters(word)) > 1 && c&^lexicon.Link != 0
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
