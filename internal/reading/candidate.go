package reading

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idnumber"
	"github.com/bonafide-id/bonafide/internal/reading/calendar"
	"github.com/bonafide-id/bonafide/internal/reading/lexicon"
)

// kind is what a candidate can be.
type kind int

const (
	aDay kind = iota
	aNumber
	aName
	aSex
	aNation
	aText
)

// kindNames are the kinds in the names of features.
var kindNames = [...]string{"day", "number", "name", "sex", "nation", "text"}

// kindOfFact is what a fact's candidates are.
var kindOfFact = [facts]kind{aName, aName, aNumber, aDay, aDay, aDay, aSex, aNation, aNation, aText, aNumber, aText, aText}

// span is runs of a row.
type span struct{ row, from, to int }

// candidate is a value that a text may state.
type candidate struct {
	kind        kind
	value       string
	rows        []string // of a text of several rows, with the commas that end them
	spans       []span
	x0, x1      float64
	y, h        float64 // of the first row
	bottom      float64 // middle of the last row
	mean, least float64
	day         calendar.Day
	number      []idnumber.Number
	late        bool // it does not begin its piece
	mended      bool // letters that look like figures were read as such
}

// candidatesOf returns all that the texts of a page can be.
func candidatesOf(rows []row, texts []piece, f family) []candidate {
	var out []candidate
	jurisdiction := ""
	if f == american {
		jurisdiction = jurisdictionOf(rows)
	}
	for _, t := range texts {
		if f == american {
			out = append(out, namesOfRow(rows, t)...)
		}
		out = append(out, daysOf(rows, t)...)
		out = append(out, numbersOf(rows, t, jurisdiction)...)
		out = append(out, codesOf(rows, t)...)
		out = append(out, namesOf(rows, texts, t)...)
		out = append(out, blocksOf(rows, texts, t)...)
	}
	return oneNumeral(oneTongue(distinct(out)))
}

// distinct leaves out what another candidate says of the same text.
func distinct(all []candidate) []candidate {
	type key struct {
		kind     kind
		value    string
		from, to span
		order    calendar.Order
	}
	seen := map[key]bool{}
	return slices.DeleteFunc(all, func(c candidate) bool {
		k := key{c.kind, c.value, c.spans[0], c.spans[len(c.spans)-1], c.day.Order}
		twice := seen[k]
		seen[k] = true
		return twice
	})
}

func candidateOf(rows []row, t piece, k kind, from, to int, value string) candidate {
	r := rows[t.row]
	half := r.pitch() / 2
	c := candidate{kind: k, value: value, spans: []span{{t.row, from, to}}, x0: r.place(from) - half, x1: r.place(to-1) + half, y: t.y, h: t.h, bottom: t.y}
	c.mean, c.least = r.sure(from, to)
	c.late = from > t.words[0].from
	return c
}

func daysOf(rows []row, t piece) []candidate {
	var out []candidate
	end := t.words[len(t.words)-1].to
	for _, d := range calendar.DaysIn(rows[t.row].runes[:end]) {
		if d.From < t.words[0].from {
			continue
		}
		c := candidateOf(rows, t, aDay, d.From, d.To, d.String())
		c.day, c.mended = d, d.Mended
		out = append(out, c)
	}
	return out
}

func codesOf(rows []row, t piece) []candidate {
	var out []candidate
	for i, w := range t.words {
		if v := lexicon.SexOf(w.text); v != "" && !endsNumber(rows[t.row].words, w.from) {
			out = append(out, candidateOf(rows, t, aSex, w.from, w.to, v))
		}
		for j := i; j < min(i+5, len(t.words)); j++ {
			text := string(rows[t.row].runes[w.from:t.words[j].to])
			if strings.ContainsAny(text, "0123456789") {
				break
			}
			if code := lexicon.NationalityOf(text); code != "" && len(lexicon.Letters(text)) > 1 {
				out = append(out, candidateOf(rows, t, aNation, w.from, t.words[j].to, code))
			}
		}
	}
	return out
}

// endsNumber reports whether a dot or a hyphen alone is between the word of a row that begins there and one with figures before it: the month of
// 2.X.2025, the last letter of 38029999-M. Such a letter states no sex.
func endsNumber(words []word, from int) bool {
	i := slices.IndexFunc(words, func(w word) bool { return w.from == from })
	return i > 0 && (words[i].before == "." || words[i].before == "-") && hasFigure(words[i-1].text)
}

// namesOf is the name that a piece states, and that which it begins and the piece right below it ends: names of two words are set so.
func namesOf(rows []row, texts []piece, t piece) []candidate {
	c, ok := nameIn(rows, t)
	if !ok {
		return nil
	}
	out := []candidate{c}
	next := below(texts, c)
	if next == nil || len(t.words) > mostWordsOfRow || len(next.words) > mostWordsOfRow {
		return out
	}
	if more, ok := nameIn(rows, *next); ok {
		c.value += " " + more.value
		c.spans = append(slices.Clone(c.spans), more.spans...)
		c.bottom, c.mean, c.least = next.y, min(c.mean, more.mean), min(c.least, more.least)
		out = append(out, c)
	}
	return out
}

// namesOfRow are the given names and the family name behind them of a piece that may state both, as older licences of North America print them.
func namesOfRow(rows []row, t piece) []candidate {
	n := len(t.words)
	if n < 2 || n > 4 {
		return nil
	}
	given, ok := nameIn(rows, pieceOf(rows, t.row, t.words[:n-1]))
	family, ok2 := nameIn(rows, pieceOf(rows, t.row, t.words[n-1:]))
	if !ok || !ok2 {
		return nil
	}
	return []candidate{given, family}
}

// mostWordsOfRow is how many words each row of a name has that is set on two.
const mostWordsOfRow = 2

// nameIn is a piece as a name.
func nameIn(rows []row, t piece) (candidate, bool) {
	text := t.text(rows)
	if end, runes := t.words[len(t.words)-1].to, rows[t.row].runes; end < len(runes) && runes[end] == '.' {
		text += "."
	}
	name := nameOf(text)
	if name == "" {
		return candidate{}, false
	}
	at := strings.Index(commas(text), name)
	text = commas(text)
	if at < 0 {
		return candidateOf(rows, t, aName, t.words[0].from, t.words[len(t.words)-1].to, name), true
	}
	from := t.words[0].from + len([]rune(text[:at]))
	return candidateOf(rows, t, aName, from, from+len([]rune(name)), name), true
}

// nameTitles are words before names that are no part of them; the first titlesBehind of them are behind names too.
var nameTitles = []string{
	"MR", "MRS", "MS", "MX", "MISS", "DR", "PROF", "HERR", "FRAU", "MME", "MLLE", "SRA", "SIG", "MUDR", "JUDR", "PHDR", "RNDR", "MGR", "DIPLING",
}

const titlesBehind = 5

// commas writes letters that Romanian has with a comma below so, unless the text has letters that are Turkish: readers take the comma
// for a cedilla.
func commas(text string) string {
	if strings.ContainsAny(text, "ğĞıİçÇöÖüÜ") {
		return text
	}
	return strings.NewReplacer("Ş", "Ș", "ş", "ș", "Ţ", "Ț", "ţ", "ț").Replace(text)
}

// nameAtBirth are words between a name and the one that was given at birth.
var nameAtBirth = []string{"GEB", "NEE", "EPSE", "GEBOREN", "EPOUSE", "NASCIDA"}

// beforeName reports whether a word is a title, or what is left of a label.
func beforeName(word string) bool {
	first := []rune(word)
	return slices.Contains(nameTitles, lexicon.Letters(word)) || len(first) == 1 && unicode.IsLower(first[0])
}

// nameOf is a name without its titles; "" for what can be none.
func nameOf(text string) string {
	pointed := strings.HasSuffix(strings.TrimSpace(text), ".")
	text = strings.TrimFunc(text, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.Is(unicode.Mn, c) })
	text = commas(strings.ReplaceAll(text, "0", "O"))
	if strings.ContainsAny(text, "0123456789<>@#=%&_/|:") {
		return ""
	}
	fields := strings.Fields(strings.ReplaceAll(text, ",", " "))
	for len(fields) > 1 && beforeName(fields[0]) {
		fields = fields[1:]
	}
	for last := len(fields) - 1; last > 0 && slices.Contains(nameTitles[:titlesBehind], lexicon.Letters(fields[last])); last-- {
		fields = fields[:last]
	}
	for i := 1; i < len(fields); i++ {
		if slices.Contains(nameAtBirth, lexicon.Letters(fields[i])) && fields[i] != strings.ToUpper(fields[i]) {
			fields = fields[:i]
			break
		}
	}
	for i, word := range fields {
		fields[i] = capitalI(word)
	}
	name := strings.Trim(strings.Join(fields, " "), " -'’")
	if pointed && initialLast(fields) && strings.HasSuffix(text, fields[len(fields)-1]) {
		name += "."
	}
	if n := len(lexicon.Letters(name)); n < 2 || n > 60 || len(fields) > 6 {
		return ""
	}
	return name
}

// capitalI writes a capital I for a small l that begins a word before a small consonant. Most print shows both alike, and no name begins with such an l.
func capitalI(word string) string {
	c := []rune(word)
	if len(c) > 2 && c[0] == 'l' && unicode.IsLower(c[1]) && !strings.ContainsAny(lexicon.Letters(string(c[1])), "AEIOUY") {
		return "I" + string(c[1:])
	}
	return word
}

// initialLast reports whether the last word of a name is an initial.
func initialLast(words []string) bool {
	return len(words) > 1 && len([]rune(words[len(words)-1])) == 1
}

// mostLinesOfText is how many rows an address or an office has.
const mostLinesOfText = 4

// blocksOf are the texts that begin with a piece: alone, and with the pieces below that are set alike.
func blocksOf(rows []row, texts []piece, t piece) []candidate {
	text := strings.TrimFunc(t.text(rows), func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune(").", c)
	})
	if len(lexicon.Letters(text)) < 2 && len(lexicon.Alphanumerics(text)) < 3 {
		return nil
	}
	text = naughtsAndOs(text + dotBehind(rows[t.row], t.words[len(t.words)-1]))
	c := candidateOf(rows, t, aText, t.words[0].from, t.words[len(t.words)-1].to, text)
	c.rows = []string{text + commaBehind(rows[t.row], t.words[len(t.words)-1])}
	out := []candidate{c}
	for n := 1; n < mostLinesOfText; n++ {
		next := below(texts, c)
		if next == nil {
			break
		}
		more := candidateOf(rows, *next, aText, next.words[0].from, next.words[len(next.words)-1].to, "")
		text = naughtsAndOs(strings.TrimSpace(next.text(rows)))
		c.value += ", " + text
		c.rows = append(slices.Clone(c.rows), text+commaBehind(rows[next.row], next.words[len(next.words)-1]))
		c.spans = append(slices.Clone(c.spans), more.spans...)
		c.bottom, c.mean, c.least = next.y, min(c.mean, more.mean), min(c.least, more.least)
		out = append(out, c)
	}
	return out
}

// naughtsAndOs writes an O for the naught in a word of letters, and a naught for the O in a word of figures or of nothing but O: DIPONEGOR0, 4027O,
// CARLISLE OO.
func naughtsAndOs(text string) string {
	runes := []rune(text)
	for i := 0; i < len(runes); {
		j, figures, naughts, os, letters := i, 0, 0, 0, 0
		for ; j < len(runes) && (unicode.IsLetter(runes[j]) || unicode.IsDigit(runes[j])); j++ {
			switch c := runes[j]; {
			case c == '0':
				naughts++
			case unicode.IsDigit(c):
				figures++
			case c == 'O' || c == 'o':
				os++
			default:
				letters++
			}
		}
		switch {
		case letters == 0 && (os == 1 && figures+naughts >= 2 || os > 1 && os == j-i):
			lexicon.Rewrite(runes[i:j], map[rune]rune{'O': '0', 'o': '0'})
		case figures == 0 && naughts == 1 && letters+os >= 3:
			lexicon.Rewrite(runes[i:j], map[rune]rune{'0': 'O'})
		}
		i = max(j, i+1)
	}
	return string(runes)
}

// dotBehind is the dot of an abbreviation that ends a text: I.P.
func dotBehind(r row, last word) string {
	runes := r.runes
	if last.to < len(runes) && runes[last.to] == '.' && last.to-last.from <= 2 && last.from > 1 && runes[last.from-1] == '.' {
		return "."
	}
	return ""
}

// commaBehind is the comma that ends a text.
func commaBehind(r row, last word) string {
	if last.to < len(r.runes) && r.runes[last.to] == ',' {
		return ","
	}
	return ""
}

// below is the piece right below a candidate that begins where it does, or has its middle there, and is as tall; nil for none.
func below(texts []piece, c candidate) *piece {
	var best *piece
	for i, t := range texts {
		dy := t.y - c.bottom
		apart := min(math.Abs(t.x0-c.x0), math.Abs(t.x0+t.x1-c.x0-c.x1))
		if dy < .5*c.h || dy > 1.9*max(c.h, t.h) || apart > 1.2*c.h || max(t.h, c.h) > 1.35*min(t.h, c.h) {
			continue
		}
		if best == nil || t.y < best.y || t.y == best.y && len(t.words) > len(best.words) {
			best = &texts[i]
		}
	}
	return best
}

// isCode reports whether a value is a state's code as it was printed.
func isCode(s string) bool {
	st, ok := icao.StateByCode(s)
	return ok && st.Code != ""
}
