package viz

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// fact is what a label announces: one of idv's claims, or one of the names below.
type fact = idv.ClaimName

const (
	surname        = idv.FamilyName
	givenNames     = idv.GivenNames
	dateOfBirth    = idv.DateOfBirth
	dateOfExpiry   = idv.DateOfExpiry
	dateOfIssue    = idv.DateOfIssue
	documentNumber = idv.DocumentNumber
	personalNumber = idv.PersonalNumber
	nationality    = idv.Nationality
	issuer         = idv.Issuer
	sex            = idv.Sex
	placeOfBirth   = idv.PlaceOfBirth
	address        = idv.Address
	authority      = idv.Authority

	birthDayAndPlace fact = "(birth)"          // both on one line, in either order
	validity         fact = "(validity)"       // from and until, on one line
	secondSurname    fact = "(second surname)" // the second part of a Spanish family name
	issueDayOrPlace  fact = "(issued)"         // one or the other
	expiryOrScope    fact = "(valid)"          // until when, or for where
	wholeName        fact = "(whole name)"     // all names in one field, or the family name beside "Given names"
	other            fact = "(other)"          // what is no claim
)

// labelRow is one fact and language: its labels, with semicolons between them.
type labelRow struct {
	fact   fact
	lang   string
	labels string
}

// label is one entry of the lexicon.
type label struct {
	fact  fact
	lang  string
	langs []string // all languages of which it is the same label
	text  string   // letters only, folded
	rough string   // the same as readers see it: RN as M
	bag   uint32   // which letters rough has
	pure  bool     // counts only on a line of nothing but labels, and on visas and permits: words like "from" and "du"
	lead  bool     // counts only at the beginning of a line or after another label: words that names may have too
}

// pureWords are too short or too common to be labels beside anything else.
var pureWords = strings.Fields("FROM UNTIL DU AU VON BIS DEL AL DAL DE DELA TOT VAN DO OD ATE HASTA DESDE FRAN FRA TILL TIL ALKAEN PAATTYY ETTOL EDDIG BASLANGIC BITIS PANALA STATO STAAT STATUS")

// lexicons are the label tables, folded: of all documents, and with the short words of North America.
var lexicons = sync.OnceValue(func() (l [2][]label) {
	all := slices.Concat(nameLabels, dateLabels, codeLabels, otherLabels)
	l[0] = foldLabels(all)
	l[1] = foldLabels(slices.Concat(all, americanLabels))
	return l
})

func foldLabels(rows []labelRow) []label {
	var out []label
	seen := map[string]bool{}
	langs := map[string][]string{}
	for _, row := range rows {
		for text := range strings.SplitSeq(withoutOrdinals(row.labels), ";") {
			langs[letters(text)] = append(langs[letters(text)], row.lang)
		}
	}
	for i := range rows {
		row := rows[len(rows)-1-i] // what comes later in the tables is the more special and wins
		for text := range strings.SplitSeq(withoutOrdinals(row.labels), ";") {
			l := label{fact: row.fact, lang: row.lang, langs: langs[letters(text)], text: letters(text)}
			l.rough = smudged(l.text)
			l.bag = bagOf(l.rough)
			if l.text == "" || seen[l.text] {
				continue
			}
			seen[l.text] = true
			l.pure = slices.Contains(pureWords, l.text)
			l.lead = len(l.text) <= 4
			out = append(out, l)
		}
	}
	slices.SortFunc(out, func(a, b label) int {
		return cmp.Or(cmp.Compare(len(a.text), len(b.text)), cmp.Compare(a.text, b.text))
	})
	return out
}

// withoutOrdinals adds the labels with ordinal signs once more without them: behind a point they are no letter (N.º).
func withoutOrdinals(labels string) string {
	var out strings.Builder
	for text := range strings.SplitSeq(labels, ";") {
		if bare := strings.NewReplacer("º", "", "°", "").Replace(text); bare != text && len(letters(bare)) >= longBeginning {
			out.WriteString(";" + bare)
		}
	}
	return labels + out.String()
}

// bagOf is which of the letters A–Z a text has.
func bagOf(s string) uint32 {
	var b uint32
	for i := range len(s) {
		b |= 1 << (s[i] - 'A')
	}
	return b
}

// smudged writes RN as M, which readers see in it.
func smudged(s string) string { return strings.ReplaceAll(s, "RN", "M") }

// findLabels takes every line apart into labels and texts.
func (r *reader) findLabels() {
	r.american = american(r.page)
	lexicon := lexicons()[0]
	if r.american {
		lexicon = lexicons()[1]
	}
	r.clearPrint()
	for i := range r.page.Lines {
		r.takeApart(i, lexicon)
	}
	r.dismissShy()
	r.joinCutLabels()
	r.heightsByForm()
}

// shyWords are labels that are names too: they count only where another label is of their language.
var shyWords = []string{"ADI", "NEM", "EMRI"}

func (r *reader) dismissShy() {
	for i, l := range r.labels {
		if !slices.Contains(shyWords, l.tag) || slices.ContainsFunc(r.labels, func(o segment) bool { return o.lang == l.lang && o.tag != l.tag && len(o.tag) > 3 }) {
			continue
		}
		r.labels[i].used = true
		l.fact, l.sequence = "", -1
		r.texts = append(r.texts, l)
	}
}

// takeApart finds the labels of one line and the texts between them. Words that are too common to be labels are labels on
// visas and permits, beside nothing but labels.
func (r *reader) takeApart(line int, lexicon []label) {
	words := r.words(line)
	if r.american {
		words = cutDays(r.runes[line], mendLabels(words))
	}
	words = splitLabels(lexicon, words, r.american)
	if r.american && len(words) == 2 && joined0(words) == "IDCARD" { // a title, though ID is a label
		r.keep([]segment{r.segmentOf(line, words, "")})
		return
	}
	parts := r.partsOf(line, lexicon, words, true)
	permit := r.kind == idv.Visa || r.kind == idv.ResidencePermit || r.kind == idv.UnknownKind
	pure := func(s segment) bool { return s.fact != "" && slices.Contains(pureWords, s.tag) }
	text := func(s segment) bool {
		if s.fact == "" && r.kind == idv.Visa && looksLikeDay(s.words) { // From - Du 12 NOV 2025
			return false
		}
		return s.fact == "" && (!s.slashed || strings.ContainsAny(r.textOf(line, s.words), "0123456789"))
	}
	seen := parts
	if r.kind == idv.Visa { // EttöI - From, Bis / Untit: 09 MÄR 2027
		seen = r.joinTongues(slices.Clone(parts))
	}
	if slices.ContainsFunc(parts, pure) && (!permit || slices.ContainsFunc(seen, text) && !r.beforeDays(seen, pure)) {
		parts = r.partsOf(line, lexicon, words, false)
	}
	r.keep(r.joinTongues(parts))
}

// beforeDays reports whether behind each of a visa's too common words a day stands: Visa No.: L8277558 From: 13/09/2025.
func (r *reader) beforeDays(parts []segment, pure func(segment) bool) bool {
	for i, p := range parts {
		if !pure(p) {
			continue
		}
		next := slices.IndexFunc(parts[i:], func(s segment) bool { return s.fact == "" })
		if r.kind != idv.Visa || next < 0 || !looksLikeDay(parts[i+next].words) {
			return false
		}
	}
	return true
}

// looksLikeDay reports whether words are of the form of a day: one to three, the last a year.
func looksLikeDay(words []word) bool {
	y := words[len(words)-1].text
	day, _, _ := strings.Cut(words[0].text, "-") // 26-FEB
	return len(words) <= 4 && number(day) > 0 && (len(words) == 1 || number(y) >= 0 && (len(y) == 2 || len(y) == 4))
}

// endsDay reports whether a visa's words are a whole day, behind which its next label may stand close: From: 09 02 2026 Until: 08 02 2028.
func (r *reader) endsDay(words []word) bool {
	return r.kind == idv.Visa && len(words) > 1 && len(words[len(words)-1].text) == 4 && looksLikeDay(words)
}

// joinTongues makes texts before a stroke and a label a part of the label, and those between a stroke after a label and a
// colon: they are the label in a language that was not read.
func (r *reader) joinTongues(parts []segment) []segment {
	var out []segment
	for i, p := range parts {
		figures := p.fact == "" && strings.ContainsAny(r.textOf(p.line, unnumbered(p.words)), "0123456789")
		n := len(out)
		switch {
		case p.fact == "" && !figures && i+1 < len(parts) && parts[i+1].fact != "" && parts[i+1].slashed && (n == 0 || out[n-1].fact != "" && !freeText(out[n-1].fact) && len(joined0(p.words)) > 2 || out[n-1].fact != "" && r.gap(out[n-1].words[len(out[n-1].words)-1], p.words[0]) > wideGap*p.h):
			parts[i+1].x0 = p.x0
			continue
		case p.fact == "" && p.slashed && n > 0 && out[n-1].fact != "":
			if k := slices.IndexFunc(p.words, func(w word) bool { return strings.Contains(w.before, ":") }); k > 0 && !strings.ContainsAny(r.textOf(p.line, p.words[:k]), "0123456789") {
				out[n-1].x1 = p.words[k-1].x1
				p = r.segmentOf(p.line, p.words[k:], "")
			}
		}
		out = append(out, p)
	}
	return out
}

// unnumbered are words without the number that begins them (2. Passaporte), if there are more.
func unnumbered(words []word) []word {
	if len(words) > 1 && onlyNumbering(words[:1]) {
		return words[1:]
	}
	return words
}

// partsOf are the labels and texts of a line, from left to right.
func (r *reader) partsOf(line int, lexicon []label, words []word, pure bool) []segment {
	var parts []segment
	var rest []word
	flush := func() {
		if len(rest) > 0 {
			parts = append(parts, r.texts0(line, rest)...)
			rest = nil
		}
	}
	for i := 0; i < len(words); {
		m, ok := matchLabel(lexicon, words[i:], r.oneRun(words[i:]))
		if n := titleAt(words[i:]); n > m.words { // RESIDENCE PERMIT is no label of a residence
			rest = append(rest, words[i:i+n]...)
			i += n
			continue
		}
		if ok && m.label.pure && !pure {
			ok = false
		}
		if ok && r.withinText(lexicon, rest, words[i:], m) {
			ok = false
		}
		if !ok {
			rest = append(rest, words[i])
			i++
			continue
		}
		begins := words[i].x0
		if onlyNumbering(rest) {
			if len(rest) > 0 && !r.american { // 2. Passport number: its value stands below the 2
				begins = rest[0].x0
			}
			rest = nil
		}
		if n := len(rest); n > 0 && r.american && fieldNumber(rest[n-1].text) {
			rest = rest[:n-1]
		}
		flush()
		parts = append(parts, r.segmentOf(line, words[i:i+m.words], m.label.fact))
		l := &parts[len(parts)-1]
		l.x0 = begins
		l.tag, l.lang, l.langs, l.whole = m.label.text, m.label.lang, m.label.langs, m.off == 0
		i += m.words
	}
	flush()
	return parts
}

// oneRun is how many of the words may be of one label: after a colon, or a gap between columns, there is something else.
func (r *reader) oneRun(words []word) int {
	_, _, h := r.level(words[0].line)
	for i := 1; i < len(words); i++ {
		if strings.Contains(words[i].before, ":") || r.gap(words[i-1], words[i]) > 2*wideGap*h {
			return i
		}
	}
	return len(words)
}

// startsAnew reports whether a word begins something new on its line: a stroke or a wide gap stands before it or, on North American
// cards, a field number.
func (r *reader) startsAnew(before, w word) bool {
	_, _, h := r.level(w.line)
	return setOff(w) || r.gap(before, w) > wideGap*h || r.american && fieldNumber(before.text)
}

// fieldNumber reports whether a text is of the form of a field number: 1, 4a, 15.
func fieldNumber(s string) bool {
	n := number(strings.TrimRight(s, "abcdABCD"))
	return n > 0 && n < 30 && len(s) <= 2 && len(strings.TrimLeft(s, "0123456789")) <= 1
}

// onlyNumbering reports whether words are no more than the numbering of a label: "1.", "(2)", "4b".
func onlyNumbering(words []word) bool {
	for _, w := range words {
		if len(w.text) > 3 || !unicode.IsDigit([]rune(w.text)[0]) {
			return false
		}
	}
	return len(words) <= 2
}

// keep sorts a line's parts into labels and texts.
func (r *reader) keep(parts []segment) {
	last := -1
	for _, s := range parts {
		s.sequence = last
		switch {
		case s.fact == "":
			r.texts = append(r.texts, s)
		case last >= 0 && s.slashed && sameName(r.labels[last].fact, s.fact): // Name/Surname: the one word says what the other means
			r.labels[last].words = append(r.labels[last].words, s.words...)
			r.labels[last].x1, r.labels[last].fact, r.labels[last].langs = s.x1, surname, slices.Concat(r.labels[last].langs, s.langs)
		case last >= 0 && r.labels[last].fact == s.fact: // the same in another language
			r.dayFirst = r.dayFirst || s.whole && ofDayFirstTongue(s) || r.labels[last].whole && ofDayFirstTongue(r.labels[last])
			r.labels[last].words = append(r.labels[last].words, s.words...)
			r.labels[last].x1, r.labels[last].langs = s.x1, slices.Concat(r.labels[last].langs, s.langs)
		default:
			r.labels = append(r.labels, s)
			last = len(r.labels) - 1
		}
	}
}

func sameName(a, b fact) bool {
	return a == wholeName && b == surname || a == surname && b == wholeName
}

func (r *reader) segmentOf(line int, words []word, f fact) segment {
	_, y, h := r.level(line)
	s := segment{line: line, words: words, fact: f, x0: words[0].x0, x1: words[len(words)-1].x1, y: y, h: h, sequence: -1}
	s.slashed = setOff(words[0])
	return s
}

// wideGap is the space, in heights of the line, at which two texts of a line are of two columns.
const wideGap = 0.8

// gap is the space between two words of a line, without the signs that stand in it.
func (r *reader) gap(a, b word) float64 {
	return b.x0 - a.x1 - r.pitch(a.line)*float64(max(0, b.from-a.to-1))
}

// ofOneDay reports whether a month and a year follow each other: letters of the month that were not read leave a gap.
func ofOneDay(month, year word) bool {
	y := number(year.text)
	return len(year.text) == 4 && y > 1880 && y < 2150 && len(month.plain) >= 3 && monthsOf(month.text, nil) != 0
}

// texts0 cuts the words between labels where there is a wide gap.
func (r *reader) texts0(line int, words []word) []segment {
	var out []segment
	_, _, h := r.level(line)
	from := 0
	for i := 1; i <= len(words); i++ {
		if i == len(words) || r.gap(words[i-1], words[i]) > wideGap*h && !(ofOneDay(words[i-1], words[i]) && r.gap(words[i-1], words[i]) < 2*wideGap*h) {
			out = append(out, r.segmentOf(line, words[from:i], ""))
			from = i
		}
	}
	return out
}
