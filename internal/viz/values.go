package viz

import (
	"math"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// value is what a text states about a fact.
type value struct {
	fact     fact
	text     string
	from, to int    // words of the segment that it takes
	runes    [2]int // of the line that state it; zero: all of those words
	listed   bool   // a word of several letters that a list explains
}

// parse reads a text as the value of a label; none where it cannot be one. The words that it takes come first.
func (r *reader) parse(f fact, s segment) []value {
	text := r.textOf(s.line, s.words)
	switch f {
	case surname, givenNames, secondSurname:
		if r.isLabelOnly(text) {
			return nil
		}
		return oneValue(f, s, nameOf(text))
	case wholeName:
		return r.wholeName(s, text)
	case dateOfBirth, dateOfIssue, dateOfExpiry:
		return r.dateValues(f, s)
	case issueDayOrPlace, expiryOrScope:
		day := map[fact]fact{issueDayOrPlace: dateOfIssue, expiryOrScope: dateOfExpiry}[f]
		if v := r.dateValues(day, s); len(v) > 0 {
			return v
		}
		return oneValue(other, s, strings.TrimSpace(text))
	case validity:
		return r.validityValues(s)
	case birthDayAndPlace:
		return r.birthValues(s)
	case documentNumber, personalNumber:
		return numberValues(f, s, r.american)
	case sex:
		return r.sexValues(s)
	case nationality:
		return nationValues(s, text)
	case issuer:
		return issuerValues(s)
	case address:
		if r.numbers && len(r.dates.findDates(text, past)) > 0 { // field 3, misread
			return nil
		}
		return oneValue(f, s, placeOf(text, f))
	case placeOfBirth, authority:
		return oneValue(f, s, placeOf(text, f))
	}
	return oneValue(f, s, strings.TrimSpace(text))
}

// longWord is how many letters a word has that no other of a list is mistaken for.
const longWord = 5

// textOf is the text of a run of words of a line, with what stands between them.
func (r *reader) textOf(line int, words []word) string {
	return string(r.runes[line][words[0].from:words[len(words)-1].to])
}

func oneValue(f fact, s segment, text string) []value {
	if text == "" {
		return nil
	}
	return []value{{fact: f, text: text, to: len(s.words)}}
}

// wholeName is a field of both names: the family name before a comma. Beside a label of given names it is the family's.
func (r *reader) wholeName(s segment, text string) []value {
	if r.hasLabel(givenNames) {
		return oneValue(surname, s, nameOf(text))
	}
	if r.hasLabel(surname) {
		return oneValue(givenNames, s, "")
	}
	family, given, both := strings.Cut(text, ",")
	family, given = nameOf(family), nameOf(given)
	if !both || family == "" || given == "" {
		return nil
	}
	at := slices.IndexFunc(s.words, func(w word) bool { return strings.Contains(w.before, ",") })
	if at < 1 {
		return nil
	}
	return []value{{fact: surname, text: family, to: at}, {fact: givenNames, text: given, from: at, to: len(s.words)}}
}

func (r *reader) hasLabel(f fact) bool {
	return slices.ContainsFunc(r.labels, func(l segment) bool { return l.fact == f })
}

// eraOf is the century that a field's two-digit years are of.
func eraOf(f fact) era {
	if f == dateOfExpiry {
		return coming
	}
	return past
}

// datesIn are the dates of a segment as values, in order.
func (r *reader) datesIn(f fact, s segment) []value {
	first, last := s.words[0].from, s.words[len(s.words)-1].to
	// A bracket or an unknown part may stand before the first word.
	var out []value
	for _, d := range r.dates.findDates(string(r.runes[s.line][first:last]), eraOf(f)) {
		v := value{fact: f, text: d.day.String(), runes: [2]int{first + d.from, first + d.to}}
		for i, w := range s.words {
			if w.to <= v.runes[0] {
				v.from = i + 1
			}
			if w.from < v.runes[1] {
				v.to = i + 1
			}
		}
		out = append(out, v)
	}
	return out
}

// dateValues takes the first date of a text, and of an expiry the last. Of a birth alone no more than the month or the year may be
// known (ICAO 9303-3 §4.8); of another day the rest was not read.
func (r *reader) dateValues(f fact, s segment) []value {
	found := slices.DeleteFunc(r.datesIn(f, s), func(v value) bool {
		return !r.plausible(f, v.text) || strings.HasSuffix(v.text, "XX") && (f != dateOfBirth || v.from == 0 && r.besideLetters(s))
	})
	if len(found) == 0 {
		if f == dateOfExpiry && saysForever(r.textOf(s.line, s.words)) {
			return []value{{fact: f, to: len(s.words)}}
		}
		if f == dateOfBirth {
			return r.bareYear(s)
		}
		return nil
	}
	v := found[0]
	if f == dateOfExpiry {
		v = found[len(found)-1]
	}
	return []value{v}
}

// bareYear: of some people no more than the year of birth is known. It stands alone on its row: beside it there may be a day
// that was not read.
func (r *reader) bareYear(s segment) []value {
	if len(s.words) != 1 || len(s.words[0].text) != 4 || r.besideLetters(s) {
		return nil
	}
	d := Day{Year: number(s.words[0].text)}
	if d.Year < 1880 || d.Year > r.page.Today.Year() {
		return nil
	}
	return []value{{fact: dateOfBirth, text: d.String(), to: 1}}
}

// besideLetters reports whether there is more print close to a text's left, on its line or on another of its row, that is no label.
func (r *reader) besideLetters(s segment) bool {
	for i, c := range r.runes[s.line][:s.words[0].from] {
		if (unicode.IsLetter(c) || unicode.IsDigit(c)) && !r.inLabel(s.line, i) {
			return true
		}
	}
	return slices.ContainsFunc(r.texts, func(t segment) bool {
		return t.line != s.line && math.Abs(t.y-s.y) < onRow*math.Max(t.h, s.h) && t.x1 < s.x0+0.5*s.h && s.x0-t.x1 < reachNumber*s.h
	})
}

// inLabel reports whether a rune of a line is of a label.
func (r *reader) inLabel(line, at int) bool {
	return slices.ContainsFunc(r.labels, func(l segment) bool {
		return slices.ContainsFunc(l.words, func(w word) bool { return w.line == line && w.from <= at && at < w.to })
	})
}

// oldest is the longest documented life in years; documents of the dead run out.
const oldest = 123

// plausible reports whether a day can be the field's: nobody is born or documented in the future.
func (r *reader) plausible(f fact, day string) bool {
	t, err := time.Parse(time.DateOnly, strings.ReplaceAll(day, "XX", "01"))
	if err != nil {
		return false
	}
	today := r.page.Today
	switch f {
	case dateOfBirth:
		return !t.After(today) && t.After(today.AddDate(-oldest, 0, 0))
	case dateOfIssue:
		return !t.After(today.AddDate(0, 0, 1)) && t.After(today.AddDate(-80, 0, 0))
	}
	return t.After(today.AddDate(-60, 0, 0)) && t.Before(today.AddDate(80, 0, 0))
}

func (r *reader) validityValues(s segment) []value {
	found := r.datesIn(dateOfExpiry, s)
	switch len(found) {
	case 1:
	case 2:
		found[0].fact = dateOfIssue
		if behind := r.datesIn(dateOfIssue, s); len(behind) == 2 {
			found[0] = behind[0] // a year of two digits lies behind, not ahead
		}
	default:
		return nil
	}
	return slices.DeleteFunc(found, func(v value) bool { return !r.plausible(v.fact, v.text) })
}

// Numbers of documents and persons: so many letters and digits, and so many digits among them at least.
const (
	numberLeast, numberMost = 5, 24
	numberDigits            = 3
)

// numberValues takes the words that make up a number; what is left of its label is skipped.
func numberValues(f fact, s segment, american bool) []value {
	from := pastLabel(s.words, american)
	to := from
	for to < len(s.words) && numberWord(s.words[to]) {
		if to++; american && len(s.words[to-1].text) >= numberLeast && to < len(s.words) && fieldNumber(s.words[to].text) && !strings.Contains(s.words[to].before, "-") {
			break // 2509503 9 CLASS
		}
	}
	var b strings.Builder
	for _, w := range s.words[from:to] {
		b.WriteString(Alphanumerics(w.text))
	}
	text := b.String()
	digits := strings.Count(text, "") - 1 - len(letters(text))
	if len(text) < numberLeast || len(text) > numberMost || digits < numberDigits || looksLikeDate(s.words[from:to]) {
		return nil
	}
	return []value{{fact: f, text: text, from: from, to: to}}
}

// pastLabel is where a number may begin behind what is left of its label: NO, or on a North American card 4d LC No 6629295.
func pastLabel(words []word, american bool) int {
	from := 0
	for from+1 < len(words) && slices.Contains([]string{"NO", "NR", "N", "NUM", "NRO", "C", "NUMBER"}, words[from].plain) && len(words[from].plain) == len(letters(words[from].text)) &&
		!strings.ContainsAny(words[from].text, "0123456789") {
		from++
	}
	for k := from; american && k < min(from+3, len(words)-1) && strings.Trim(words[k].text, "0123456789") == words[k].text && (len(words[k].plain) <= 4 || strings.HasPrefix(words[k].plain, "NUM")); k++ {
		if len(words[k+1].text) >= numberLeast && strings.ContainsAny(words[k+1].text, "0123456789") {
			return k + 1
		}
	}
	return from
}

// numberWord: words of a number have a digit, or are a short series in capitals.
func numberWord(w word) bool {
	if strings.ContainsAny(w.text, "0123456789") {
		return true
	}
	return len([]rune(w.text)) <= 4 && strings.ToUpper(w.text) == w.text
}

// looksLikeDate: 12.08.1974 is no number, though 12 08 1974 may be one.
func looksLikeDate(words []word) bool {
	if len(words) != 3 {
		return false
	}
	for i, w := range words {
		sign := strings.TrimSpace(w.before)
		if number(w.text) < 0 || i > 0 && sign != "." && sign != "/" && sign != "-" {
			return false
		}
	}
	a, c := len(words[0].text), len(words[2].text)
	return a == 2 && c == 4 || a == 4 && c == 2
}

// sexWords mean the same everywhere.
var sexWords = map[string]string{
	"MALE": "M", "FEMALE": "F", "MANNLICH": "M", "WEIBLICH": "F", "MASCULIN": "M", "FEMININ": "F", "MASCULINO": "M", "FEMENINO": "F", "FEMININO": "F", "MASCHIO": "M", "FEMMINA": "F",
	"KOBIETA": "F", "MEZCZYZNA": "M", "VROUW": "F", "MAN": "M", "KVINNA": "F", "KVINDE": "F", "KVINNE": "F", "FERFI": "M", "NAINEN": "F", "MIES": "M", "ZENSKI": "F", "MUSKI": "M", "ZENA": "F", "MUZ": "M",
	"MASCHILE": "M", "FEMMINILE": "F", "HOMME": "M", "FEMME": "F", "HOMBRE": "M", "MUJER": "F", "DIVERS": "X", "MAND": "M", "MANN": "M", "MOSKI": "M", "KADIN": "F", "ERKEK": "M",
}

// sexLetters are the letters of single languages, by issuer: V is a woman in Dutch and a man in Latvian. What is not
// listed for an issuer means nothing on its documents.
var sexLetters = map[string]map[string]string{
	"": {"F": "F", "M": "M", "X": "X", "K": "F", "W": "F", "Z": "F"},

	"NLD": {"V": "F"}, "BEL": {"V": "F"}, "LVA": {"S": "F", "V": "M"}, "LTU": {"V": "M", "M": ""}, "ESP": {"V": "M", "M": "", "H": "M"}, "MEX": {"H": "M", "M": ""},
	"FIN": {"N": "F"}, "EST": {"N": "F"}, "HUN": {"N": "F", "F": ""}, "TUR": {"E": "M"}, "FRA": {"H": "M"},
}

// sexValues reads the sex. Of two letters with a stroke between them the second is the international one
// (ICAO 9303-3 §3.4: the state's language first).
func (r *reader) sexValues(s segment) []value {
	w := s.words
	if len(w) == 2 && len(w[0].plain) >= 3 && len(w[1].text) == 1 && sexWords[w[0].plain] == "" { // a label that was misread
		rest := s
		rest.words = w[1:]
		v := r.sexValues(rest)
		for i := range v {
			v[i].from, v[i].to = 1, 2
		}
		return v
	}
	if len(w) >= 2 && strings.Contains(w[1].before, "/") {
		if v, ok := map[string]string{"F": "F", "M": "M", "X": "X"}[w[1].plain]; ok && len(w[0].plain) <= 2 {
			return []value{{fact: sex, text: v, to: 2}}
		}
	}
	if v, ok := sexWords[w[0].plain]; ok {
		return []value{{fact: sex, text: v, to: 1, listed: len(w[0].plain) >= longWord}}
	}
	if len(w[0].plain) != 1 || len([]rune(w[0].text)) != 1 {
		if strings.Trim(w[0].text, "<-–") == "" && w[0].text != "" {
			return []value{{fact: sex, text: "X", to: 1}}
		}
		return nil
	}
	state := r.issuer
	if v, listed := sexLetters[state][w[0].plain]; listed {
		if v == "" {
			return nil
		}
		return []value{{fact: sex, text: v, to: 1}}
	}
	if v := sexLetters[""][w[0].plain]; v != "" {
		return []value{{fact: sex, text: v, to: 1}}
	}
	return nil
}

func issuerValues(s segment) []value {
	if len(s.words) == 0 {
		return nil
	}
	code := strings.ToUpper(s.words[0].text)
	if st, ok := icao.StateByCode(code); ok && icao.MayIssue(st.Code) && (len(code) == 3 || code == "D") {
		return []value{{fact: issuer, text: st.Code, to: 1}}
	}
	var all strings.Builder
	for _, w := range s.words {
		all.WriteString(w.plain)
	}
	if code, ok := stateNames()[all.String()]; ok {
		return []value{{fact: issuer, text: code, to: len(s.words)}}
	}
	return nil
}

// known lists the facts that a reading may claim, in the order of its claims.
var known = []idv.ClaimName{
	surname, givenNames, documentNumber, dateOfBirth, dateOfIssue, dateOfExpiry, sex, nationality, issuer, placeOfBirth, personalNumber, authority, address,
}
