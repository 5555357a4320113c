package viz

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// confirmed is how surely a name must have been read to be stated as it was, where the zone says the same but for what the zone
// cannot say: which of its letters bear marks.
var confirmed = Sure{Mean: 0.8, Least: 0.5}

// alike is the same for a name that was read letter for letter as the zone has it.
var alike = Sure{Mean: 0.5, Least: 0.25}

// spelling is the value of a printed form that agrees with the zone: what was read, with its diacritics. A space that the reader
// lost is put where the zone has it. A name that was not read surely, and a number of which a letter was read as the digit of
// its shape, are spelled as in the zone, which filled says.
func spelling(name idv.ClaimName, printed, want string, sure bool) (text string, filled bool) {
	switch {
	case name == documentNumber:
		all, number := Alphanumerics(printed), Alphanumerics(want)
		return want, !strings.Contains(all, number) && !inParts(all, number)
	case name != surname && name != givenNames:
		return printed, false
	case !sure:
		return want, true
	}
	return spaced(mendName(printed), want), false
}

// named is the spelling of a name that was found anywhere on the page.
func (c comparer) named(name idv.ClaimName, line, from, to int, want string) (text string, filled bool) {
	printed := string(c.reader.runes[line][from:to])
	need := confirmed
	if plain := strings.ToUpper(strings.Join(strings.Fields(printed), "")); plain == strings.ReplaceAll(want, " ", "") {
		need = alike
	}
	return spelling(name, printed, want, need.holds(c.reader.sureOf(line, from, to)))
}

// spaced puts spaces into a name that has the letters of another and fewer words.
func spaced(printed, want string) string {
	words := strings.Fields(want)
	if letters(printed) != letters(want) || len(strings.FieldsFunc(printed, func(r rune) bool { return r == ' ' || r == '-' })) >= len(words) {
		return printed
	}
	var out []string
	rest := []rune(strings.ReplaceAll(printed, " ", ""))
	for i, w := range words {
		n := 0
		for n < len(rest) && (len(letters(string(rest[:n]))) < len(letters(w)) || i == len(words)-1) {
			n++
		}
		for n < len(rest) && letters(string(rest[n])) == "" { // a sign is of the word before it
			n++
		}
		if letters(string(rest[:n])) != letters(w) {
			return printed
		}
		out, rest = append(out, string(rest[:n])), rest[n:]
	}
	return strings.Join(out, " ")
}

// search looks for a fact anywhere on the page.
func (c comparer) search(name idv.ClaimName, want string) (claim idv.Claim, filled, ok bool) {
	for i, l := range c.reader.page.Lines {
		switch name {
		case surname, givenNames:
			if from, to, ok := c.findName(i, want); ok {
				text, filled := c.named(name, i, from, to, want)
				return c.claim(name, text, i, from, to), filled, true
			}
		case documentNumber:
			if len(Alphanumerics(want)) >= shortNumber && statesNumber(l.Text, want) {
				text, filled := spelling(name, l.Text, want, true)
				return c.claim(name, text, i, 0, len(c.reader.runes[i])), filled, true
			}
		default:
			if d, ok := c.findDay(c.reader.runes[i], want, eraOf(name)); ok {
				return c.claim(name, d.day.String(), i, d.from, d.to), false, true
			}
		}
	}
	if name == dateOfBirth || name == dateOfExpiry {
		claim, ok = c.searchRows(name, want)
	}
	return claim, false, ok
}

func (c comparer) claim(name idv.ClaimName, text string, line, from, to int) idv.Claim {
	mean, _ := c.reader.sureOf(line, from, to)
	box := c.reader.box(line, from, to)
	return idv.Claim{Name: name, Value: text, Source: idv.FromPrinted, Confidence: mean, Box: &box}
}

// shortName is the length up to which a name must stand by itself to count: two letters are found anywhere.
const shortName = 3

// longLabel is the length from which a label is told from a name though a quarter of its letters were misread.
const longLabel = 12

// shortNumber is the length from which a number counts wherever it stands: two digits are found anywhere.
const shortNumber = 5

// findName looks for a run of words that is the name.
func (c comparer) findName(line int, want string) (from, to int, ok bool) {
	if len(want) == 1 { // a letter by itself is the sex, if anything
		return 0, 0, false
	}
	words := c.reader.words(line)
	count := len(strings.Fields(want))
	for n := min(count+2, len(words)); n > 0; n-- {
		for i := 0; i+n <= len(words); i++ {
			text := c.reader.textOf(line, words[i:i+n])
			if k := len(letters(text)); k > 3*len(letters(want))+10 || 3*k < len(letters(want)) {
				continue // titles, a name at birth, two letters for one: but not that much
			}
			if *c.names--; *c.names < 0 {
				return 0, 0, false
			}
			if len(letters(want)) <= shortName && (i > 0 || n < len(words)) && !c.sameName(c.reader.textOf(line, words), c.zone[surname]+" "+c.zone[givenNames]) {
				continue
			}
			if c.sameName(text, want) {
				i, n = c.pastLabel(words, i, n, want)
				return words[i].from, words[i+n-1].to, true
			}
		}
	}
	return 0, 0, false
}

// pastLabel leaves the label out that begins a run of words: where the zone cuts names short, it may be a part of what was cut.
func (c comparer) pastLabel(words []word, i, n int, want string) (from, count int) {
	m, ok := matchLabel(lexicons()[0], words[i:i+n], n)
	if !ok || m.words >= n || !c.sameName(c.reader.textOf(words[i].line, words[i+m.words:i+n]), want) {
		return i, n
	}
	return i + m.words, n - m.words
}

// findDay looks for a date that is the zone's but for the century, which the page may print; in either order of day and
// month where nothing settles the page's.
func (c comparer) findDay(runes []rune, want string, e era) (dated, bool) {
	orders := []order{c.reader.dates.order}
	if c.reader.dates.order == unsettled {
		orders = []order{unsettled, dayFirst, monthFirst}
	}
	for _, order := range orders {
		context := c.reader.dates
		context.order = order
		context.zone = []string{want}
		for _, d := range context.findDates(string(runes), e) {
			if sameButCentury(d.day.String(), want) {
				return d, true
			}
		}
	}
	return dated{}, false
}

// searchRows looks for a date whose parts were read as several lines of one row.
func (c comparer) searchRows(name idv.ClaimName, want string) (idv.Claim, bool) {
	lines := c.reader.page.Lines
	for i := range lines {
		x, y, h := c.reader.level(i)
		var row []int
		for j := range lines {
			a, b, k := c.reader.level(j)
			if math.Abs(b-y) < onRow*math.Max(h, k) && a >= x {
				row = append(row, j)
			}
		}
		if len(row) < 2 {
			continue
		}
		slices.SortFunc(row, func(a, b int) int {
			u, _, _ := c.reader.level(a)
			v, _, _ := c.reader.level(b)
			return cmp.Compare(u, v)
		})
		text := lines[row[0]].Text + " " + lines[row[1]].Text
		if d, ok := c.findDay([]rune(text), want, eraOf(name)); ok && d.to > len(c.reader.runes[row[0]]) {
			claim := c.claim(name, d.day.String(), row[0], 0, len(c.reader.runes[row[0]]))
			other := c.claim(name, claim.Value, row[1], 0, len(c.reader.runes[row[1]]))
			box := union(*claim.Box, *other.Box)
			claim.Box, claim.Confidence = &box, min(claim.Confidence, other.Confidence)
			return claim, true
		}
	}
	return idv.Claim{}, false
}
