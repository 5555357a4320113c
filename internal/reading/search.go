package reading

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/reading/calendar"
	"github.com/bonafide-id/bonafide/internal/reading/lexicon"
)

// confirmed is how surely a name must have been read to be spelled as it was where the zone says the same but for what the zone cannot say:
// which of its letters bear marks. alike is enough where it was read letter for letter as the zone has it.
var confirmed, alike = Surely{.8, .5}, Surely{.5, .25}

// shortName is the length up to which a name must be by itself to count: two letters are found anywhere. Where they are what
// the zone left of a longer name, no other word may begin with them. shortNumber is the length from
// which a number counts wherever it is.
const (
	shortName   = 3
	shortNumber = 5
)

// textAt is what a run of a row says.
func (p *Problem) textAt(s span) string { return string(p.rows[s.row].runes[s.from:s.to]) }

// found is the claim of a text that was searched for.
func (c comparer) found(name idv.ClaimName, value string, spans ...span) idv.Claim {
	out := idv.Claim{Name: name, Value: value, Source: idv.FromPrinted, Confidence: 1, Box: c.boxOf(spans)}
	for _, s := range spans {
		mean, _ := c.rows[s.row].sure(s.from, s.to)
		out.Confidence = min(out.Confidence, mean)
	}
	return out
}

// search looks for a fact anywhere on the page.
func (c comparer) search(name idv.ClaimName, want string) (claim idv.Claim, filled, ok bool) {
	c.crowded = c.cut > 0 && (name == idv.FamilyName || name == idv.GivenNames) && c.beginning(want) > 1
	var eastern *span
	for k, r := range c.rows {
		whole := span{k, 0, len(r.runes)}
		switch name {
		case idv.FamilyName, idv.GivenNames:
			switch s, ok := c.findName(k, want); {
			case ok && lexicon.IsLatin(c.textAt(s)):
				text, filled := c.named(name, s, want)
				return c.found(name, text, s), filled, true
			case ok && eastern == nil:
				eastern = &s
			}
		case idv.DocumentNumber:
			if text := c.textAt(whole); len(lexicon.Alphanumerics(want)) >= shortNumber && statesNumber(text, want) {
				value, filled := spelling(name, text, want, true)
				return c.found(name, value, whole), filled, true
			}
		default:
			if d, value, ok := c.findDay(r.runes, want); ok {
				return c.found(name, value, span{k, d.From, d.To}), false, true
			}
		}
	}
	switch {
	case eastern != nil:
		text, filled := c.named(name, *eastern, want)
		return c.found(name, text, *eastern), filled, true
	case name == idv.DateOfBirth || name == idv.DateOfExpiry:
		claim, ok = c.searchRows(name, want)
	}
	return claim, false, ok
}

// findName looks for a run of words of a row that is the name, in Latin letters if it is there in these, too.
func (c comparer) findName(row int, want string) (span, bool) {
	if len(want) == 1 { // a letter by itself is the sex, if anything
		return span{}, false
	}
	words := c.rows[row].words
	n := len(lexicon.Letters(want))
	var eastern *span
	for count := min(len(strings.Fields(want))+2, len(words)); count > 0; count-- {
		for i := 0; i+count <= len(words); i++ {
			s := span{row, words[i].from, words[i+count-1].to}
			text := c.textAt(s)
			if k := len(lexicon.Letters(text)); k > 3*n+10 || 3*k < n {
				continue // titles, a name at birth, two letters for one: but not that much
			}
			if *c.names--; *c.names < 0 {
				return span{}, false
			}
			if n <= shortName && (count < len(words) || c.crowded) && !c.statesBoth(row) {
				continue
			}
			if !c.sameName(text, want) {
				continue
			}
			s = c.withoutFigures(c.pastLabel(s, words[i:i+count], want))
			if lexicon.IsLatin(c.textAt(s)) {
				return s, true
			}
			eastern = cmp.Or(eastern, &s)
		}
	}
	if eastern != nil {
		return *eastern, true
	}
	return span{}, false
}

// beginning counts the different words of the page that begin with the letters of a name.
func (c comparer) beginning(name string) int {
	all := map[string]bool{}
	for _, r := range c.rows {
		for _, w := range r.words {
			if word := lexicon.Letters(w.text); strings.HasPrefix(word, lexicon.Letters(name)) {
				all[word] = true
			}
		}
	}
	return len(all)
}

// statesBoth reports whether a row is the whole name of the zone.
func (c comparer) statesBoth(row int) bool {
	return c.sameName(c.textAt(span{row, 0, len(c.rows[row].runes)}), c.zone[idv.FamilyName]+" "+c.zone[idv.GivenNames])
}

// pastLabel leaves the words of a label out that begin a run: where the zone cuts names short, they may be a part of what was cut.
func (c comparer) pastLabel(s span, words []word, want string) span {
	for i := len(words) - 1; i > 0; i-- {
		rest := span{s.row, words[i].from, s.to}
		if LabelWord(words[i-1].text) && c.sameName(c.textAt(rest), want) {
			return rest
		}
	}
	return s
}

// withoutFigures is a run of characters without the figures at its ends, which are no part of a name: a stamp is printed there, or a date. A naught
// beside a letter may be an O.
func (c comparer) withoutFigures(s span) span {
	runes := c.rows[s.row].runes
	letter := func(i int) bool { return i >= s.from && i < s.to && unicode.IsLetter(runes[i]) }
	first, last := s.from, s.to-1
	for first < last && !letter(first) {
		first++
	}
	for last > first && !letter(last) {
		last--
	}
	if strings.ContainsFunc(string(runes[s.from:first]), unicode.IsDigit) && string(runes[s.from:first]) != "0" {
		s.from = first
	}
	if tail := string(runes[last+1 : s.to]); strings.ContainsFunc(tail, unicode.IsDigit) && tail != "0" {
		s.to = last + 1
	}
	return s
}

// findDay looks for a date that is the zone's but for the century, which the page may print. value is the day, with the century as printed.
func (c comparer) findDay(runes []rune, want string) (d calendar.Day, value string, ok bool) {
	zone, err := time.Parse(time.DateOnly, want)
	var others []calendar.Day
	for _, d := range calendar.AnyDaysIn(runes) {
		switch {
		case c.order != calendar.Told && d.Order != calendar.Told && d.Order != c.order:
		case err == nil && (d.Time.Equal(zone) || inOtherCalendar(d.Time, zone)):
			return d, want, true
		case sameButCentury(d.String(), want):
			others = append(others, d)
		}
	}
	for _, d := range others {
		if d.Plausible() {
			return d, d.String(), true
		}
	}
	if len(others) > 0 { // no document prints the year 1006: a figure of 2006 was misread
		return others[0], want, true
	}
	return calendar.Day{}, "", false
}

// searchRows looks for a date whose parts were read as two lines of one row.
func (c comparer) searchRows(name idv.ClaimName, want string) (idv.Claim, bool) {
	for k, r := range c.rows {
		next := -1
		for i, o := range c.rows {
			dy := max(o.y-r.y, r.y-o.y)
			if i != k && dy < sameRow*max(o.h, r.h) && o.x > r.x && (next < 0 || o.x < c.rows[next].x) {
				next = i
			}
		}
		if next < 0 {
			continue
		}
		row := slices.Concat(r.runes, []rune{' '}, c.rows[next].runes)
		if d, value, ok := c.findDay(row, want); ok && d.To > len(r.runes) {
			return c.found(name, value, span{k, 0, len(r.runes)}, span{next, 0, len(c.rows[next].runes)}), true
		}
	}
	return idv.Claim{}, false
}

// spelling is the value of a printed form that agrees with the zone: what was read, with its diacritics. A space that the reader
// lost is put where the zone has it. A name that was not read surely, and a number of which a letter was read as the digit of
// its shape, are spelled as in the zone, which filled says.
func spelling(name idv.ClaimName, printed, want string, sure bool) (text string, filled bool) {
	switch {
	case name == idv.DocumentNumber:
		all, number := lexicon.Alphanumerics(printed), lexicon.Alphanumerics(want)
		return want, !strings.Contains(all, number) && !inParts(all, number)
	case name != idv.FamilyName && name != idv.GivenNames:
		return printed, false
	case !sure:
		return want, true
	}
	return spaced(commas(withoutNaughts(printed)), want), false
}

// named is the spelling of a name that was found anywhere on the page.
func (c comparer) named(name idv.ClaimName, s span, want string) (text string, filled bool) {
	printed := c.textAt(s)
	need := confirmed
	if plain := strings.ToUpper(strings.Join(strings.Fields(printed), "")); plain == strings.ReplaceAll(want, " ", "") {
		need = alike
	}
	return spelling(name, printed, want, need.holds(c.rows[s.row].sure(s.from, s.to)))
}

// withoutNaughts reads a naught beside letters as the letter of its shape: names have no figures.
func withoutNaughts(text string) string {
	runes := []rune(text)
	for i, c := range runes {
		if c == '0' && (i > 0 && unicode.IsLetter(runes[i-1]) || i+1 < len(runes) && (unicode.IsLetter(runes[i+1]) || strings.ContainsRune("'’", runes[i+1]))) {
			runes[i] = 'O'
		}
	}
	return string(runes)
}

// spaced puts spaces into a name that has the letters of another and fewer words.
func spaced(printed, want string) string {
	words := strings.Fields(want)
	if lexicon.Letters(printed) != lexicon.Letters(want) || len(strings.FieldsFunc(printed, func(r rune) bool { return r == ' ' || r == '-' })) >= len(words) {
		return printed
	}
	var out []string
	rest := []rune(strings.ReplaceAll(printed, " ", ""))
	for i, w := range words {
		n := 0
		for n < len(rest) && (len(lexicon.Letters(string(rest[:n]))) < len(lexicon.Letters(w)) || i == len(words)-1) {
			n++
		}
		for n < len(rest) && lexicon.Letters(string(rest[n])) == "" { // a sign is of the word before it
			n++
		}
		if lexicon.Letters(string(rest[:n])) != lexicon.Letters(w) {
			return printed
		}
		out, rest = append(out, string(rest[:n])), rest[n:]
	}
	return strings.Join(out, " ")
}
