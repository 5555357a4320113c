package reading

import (
	"slices"
	"strings"
	"unicode"

	"github.com/bonafide-id/bonafide/internal/idnumber"
	"github.com/bonafide-id/bonafide/internal/reading/lexicon"
)

// Numbers have so many letters and digits, and so many digits among them at least.
const (
	numberLeast, numberMost = 5, 24
	numberDigits            = 3
)

// mostGroups is how many words a number has at most.
const mostGroups = 6

func numbersOf(rows []row, t piece, jurisdiction string) []candidate {
	var out []candidate
	for i := range t.words {
		if hyphened(rows[t.row].words, t.words[i].from) || broken(rows[t.row].words, t.words[i].from) {
			continue
		}
		text, digits := "", 0
		for j := i; j < min(i+mostGroups, len(t.words)); j++ {
			w := t.words[j]
			n := strings.Count(strings.Map(digitsOnly, w.text), "") - 1
			if j > i && n == 0 && w.concept&lexicon.Number != 0 {
				continue // SERIA HD NR 198025
			}
			if n == 0 && (len([]rune(w.text)) > 4 || w.text != strings.ToUpper(w.text)) || j > i && strings.Trim(w.before, " -/.") != "" {
				break
			}
			text, digits = text+numberText(w.text), digits+n
			if len(text) < numberLeast || len(text) > numberMost || digits < numberDigits || hyphened(rows[t.row].words, w.to+1) {
				continue
			}
			for k, form := range spellings(text, jurisdiction) {
				c := candidateOf(rows, t, aNumber, t.words[i].from, w.to, form)
				c.number, c.mended = idnumber.Read(form), k > 0
				out = append(out, c)
			}
		}
	}
	return out
}

// hyphened reports whether a hyphen alone is between the word of a row that begins there and the one before it, and both have figures: no number
// is cut there.
func hyphened(words []word, from int) bool {
	i := slices.IndexFunc(words, func(w word) bool { return w.from == from })
	return i > 0 && words[i].before == "-" && hasFigure(words[i-1].text) && hasFigure(words[i].text)
}

// broken reports whether a bracket or stroke joins the word of a row that begins there to the one before it, and both have figures. The reader takes
// figures for such signs, so no number begins there.
func broken(words []word, from int) bool {
	i := slices.IndexFunc(words, func(w word) bool { return w.from == from })
	return i > 0 && len(words[i].before) == 1 && strings.Contains("()[]{}|!", words[i].before) && hasFigure(words[i-1].text) && hasFigure(words[i].text)
}

// numberText are the letters and digits of a word of a number. Letters that have Latin twins are Latin: series are written in these.
func numberText(word string) string {
	if latin, ok := lexicon.AsLatin(word); ok {
		word = latin
	}
	return lexicon.Alphanumerics(figuresForSmall(word))
}

// figuresForSmall writes the naughts and ones for small letters o and l behind a figure among figures and capitals: B78VCo6G1.
func figuresForSmall(word string) string {
	first := max(0, strings.IndexFunc(word, unicode.IsDigit))
	figures := word[:first] + strings.NewReplacer("o", "0", "l", "1").Replace(word[first:])
	if figures != strings.ToUpper(figures) {
		return word
	}
	return figures
}

// figuresBehind writes ones and naughts for the letters I, l, O and o behind a figure in words that have nothing else: houses are numbered 7A, and
// hardly 7I or 7O. A single stroke behind a word is a Roman numeral: KARL I.
func figuresBehind(text string) string {
	words := strings.Split(text, " ")
	for i, w := range words {
		if (w == "l" || w == "|") && i > 0 && lexicon.Letters(words[i-1]) != "" && !hasFigure(words[i-1]) {
			words[i] = "I"
			continue
		}
		bare := strings.TrimRight(w, ",")
		if bare != "" && unicode.IsDigit(rune(bare[0])) && strings.Trim(bare, "0123456789/-IlOo") == "" {
			words[i] = strings.NewReplacer("I", "1", "l", "1", "O", "0", "o", "0").Replace(w)
		}
	}
	return strings.Join(words, " ")
}

// spellings returns the ways to spell a number: as it was read, and with naughts for the letters O right before and behind its first figure. A single
// letter before it may be a naught if figures alone follow. A driver's number has one spelling if it fits the form of its issuer.
func spellings(text, jurisdiction string) []string {
	if form, ok := britishDriver(text); ok {
		return []string{form}
	}
	if form, ok := americanDriver(text, jurisdiction); ok {
		return []string{form}
	}
	first := strings.IndexFunc(text, unicode.IsDigit)
	if (first > 1 || first == 1 && strings.Trim(text[1:], "0123456789") == "") && text[first-1] == 'O' {
		first--
	}
	if first < 0 || !strings.Contains(text[first:], "O") {
		return []string{text}
	}
	return []string{text, text[:first] + strings.ReplaceAll(text[first:], "O", "0")}
}

func digitsOnly(r rune) rune {
	if r >= '0' && r <= '9' {
		return r
	}
	return -1
}

// mostSeries is how many letters the series of a number has at most.
const mostSeries = 3

// SeriesOf reports whether a text is a number with a word for number behind its series: HD NR 198025.
func SeriesOf(text string) bool {
	words := rowsOf(Page{Lines: []Line{{Text: text}}})[0].words
	return len(words) == 3 && len(words[0].plain) <= mostSeries && words[0].text == strings.ToUpper(words[0].text) && !hasFigure(words[0].text) &&
		words[1].concept&lexicon.Number != 0 && lexicon.Figure(words[2].text) > 0
}
