package viz

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// Day is a calendar date that may be partly unknown.
type Day struct{ Year, Month, Day int } // 0 for an unknown month or day

// String writes the day by ISO 8601 with XX for what is unknown, as claims state it.
func (d Day) String() string {
	part := func(n int) string {
		if n == 0 {
			return "XX"
		}
		return string([]byte{byte('0' + n/10), byte('0' + n%10)})
	}
	return strconv.Itoa(d.Year) + "-" + part(d.Month) + "-" + part(d.Day)
}

// exists reports whether there is such a day.
func (d Day) exists() bool {
	if d.Year < 1000 || d.Year > 9999 || d.Month < 0 || d.Month > 12 || d.Day < 0 || d.Day > 31 || d.Month == 0 && d.Day > 0 {
		return false
	}
	return d.Day == 0 || time.Date(d.Year, time.Month(d.Month), d.Day, 0, 0, 0, 0, time.UTC).Day() == d.Day
}

// era is which century a year of two digits is of.
type era int

const (
	past   era = iota // births and issues: the latest year that is not in the future
	coming            // expiries: within fifty years of today
)

// context is what is known about a page's dates.
type context struct {
	today   time.Time
	issuer  string
	tongues []string // languages of month names; nil for all
	likely  []string // of the page's labels: they tell the months that a word is in one language and not in another
	order   order
	zone    []string            // days that the zone states
	settled map[string]monthSet // of words that name several months, those that such days tell
}

// order is which of two numbers is the month where both could be.
type order int

const (
	unsettled order = iota
	dayFirst
	monthFirst
)

// reading of a date: the runes that it takes and the days that it may be.
type dated struct {
	from, to int
	day      Day
}

// findDates reads the dates of a text, first to last. A date that can be read in two ways is not among them.
func (c context) findDates(text string, e era) []dated {
	parts := dateParts([]rune(text))
	var out []dated
	for i := 0; i < len(parts); {
		d, n := c.dateAt(parts[i:], e)
		if n == 0 || glued(parts, i) || n == 2 && i > 0 && near(parts[i]) { // a day before the month that was not understood is no unknown day
			i++
			continue
		}
		if d.exists() {
			out = append(out, dated{parts[i].from, parts[i+n-1].to, d})
		}
		i += n
	}
	return out
}

// dateAt reads the date that begins the parts and says how many of them it takes, 0 for none. A Day of zeros is a date
// that cannot be settled.
func (c context) dateAt(parts []datePart, e era) (Day, int) {
	if len(parts) >= 3 && close3(parts) && !c.beginsLater(parts, e) {
		if d, ok := c.threeParts(parts, e); ok {
			return d, 3
		}
	}
	if len(parts) >= 4 && close3(parts[1:]) && near(parts[1]) {
		if months, ok := c.twoLanguages(parts[1], parts[2]); ok {
			return c.named(parts[0].text, months, parts[3].text, e), 4
		}
	}
	if len(parts) >= 2 && near(parts[1]) {
		if d, ok := c.monthAndYear(parts[0].text, parts[1].text, e); ok {
			return d, 2
		}
	}
	return Day{}, 0
}

// beginsLater reports whether a number or two before a date are none of it: what a label was misread as (08 07/02/1964). The
// three numbers behind have one sign between them and are a date, the last of the text; those before it have one of one or two digits.
func (c context) beginsLater(parts []datePart, e era) bool {
	skip := len(parts) - 3
	if skip < 1 || skip > 2 {
		return false
	}
	p := parts[skip:]
	sign := strings.TrimSpace(p[1].before)
	if sign == "" || sign != strings.TrimSpace(p[2].before) || strings.TrimSpace(p[0].before) != "" || !close3(p) || number(p[1].text) < 0 {
		return false
	}
	if slices.ContainsFunc(parts[:skip], func(x datePart) bool { return number(x.text) < 0 || len(x.text) > 2 }) {
		return false
	}
	d, ok := c.threeParts(p, e)
	return ok && d.exists()
}

// twoLanguages are the months that two words name which may be one month in two languages: 12 AUG/AOÛT 74. One of them may
// not be understood where a stroke stands between them.
func (c context) twoLanguages(first, second datePart) (monthSet, bool) {
	if number(first.text) >= 0 || number(second.text) >= 0 {
		return 0, false
	}
	a, b := c.monthsOf(first.text), c.monthsOf(second.text)
	switch {
	case a != 0 && b != 0 && a&b != 0:
		return a & b, true
	case a != 0 && b != 0:
		return monthsOf(first.text, nil) & monthsOf(second.text, nil), true
	}
	return a | b, a|b != 0 && strings.Contains(second.before, "/")
}

// monthAndYear is a date without its day: AUG 1974.
func (c context) monthAndYear(month, year string, e era) (Day, bool) {
	if number(month) >= 0 || len(year) != 4 {
		return Day{}, false
	}
	d := Day{c.year(year, e), c.monthsOf(month).single(), 0}
	return d, d.Year > 0 && d.Month > 0
}

// monthsOf are the months that a word may name: where they are several, those in the languages of the page's labels, and the one that
// the zone tells.
func (c context) monthsOf(word string) monthSet {
	all := monthsOf(word, c.tongues)
	if all.single() == 0 && len(c.likely) > 0 {
		if s := monthsOf(word, c.likely) & all; s != 0 {
			all = s
		}
	}
	if s := c.settled[word]; all.single() == 0 && s != 0 {
		return s
	}
	return all
}

// near reports whether a part follows the one before it as parts of a date do.
func near(p datePart) bool {
	return len([]rune(p.before)) <= 4 && strings.Trim(p.before, " ./-,–·'|:") == ""
}

func close3(parts []datePart) bool { return near(parts[1]) && near(parts[2]) }

// threeParts reads day, month and year in one of their orders.
func (c context) threeParts(p []datePart, e era) (Day, bool) {
	a, b, y := p[0].text, p[1].text, p[2].text
	switch {
	case number(b) < 0 && len(b) >= 3 && !unknown(b): // 12 AUG 1974, 1974 AUG 12
		m := c.monthsOf(b)
		if m == 0 {
			m = c.runTogether(b)
		}
		if m == 0 && isRoman(b) {
			m = 1 << (slices.Index(romans, b))
		}
		if m == 0 {
			return Day{}, false
		}
		if len(a) == 4 && number(a) >= 0 {
			a, y = y, a
		}
		d := c.named(a, m, y, e)
		return d, d.Year > 0 || number(y) >= 0 && number(a) >= 0 && len(a) <= 2
	case number(a) < 0 && c.monthsOf(a) != 0 && number(b) > 0 && number(y) > 0: // AUG 12, 1974
		d := c.named(b, c.monthsOf(a), y, e)
		return d, d.Year > 0
	case isRoman(b) && number(a) > 0 && number(y) > 0: // 12.VIII.1974
		d := c.named(a, 1<<slices.Index(romans, b), y, e)
		return d, d.Year > 0
	}
	return c.numeric(p, e)
}

// runTogether are the months of a word that is one month in two languages, whose stroke the reader lost (AOÛTAUG) or took for
// a letter (JUILIJUL).
func (c context) runTogether(word string) monthSet {
	for _, stroke := range []string{"", "I", "L", "J", "T", "F"} {
		for cut := 3; cut+len(stroke)+3 <= len(word); cut++ {
			first, second := word[:cut], word[cut:]
			if !strings.HasPrefix(second, stroke) {
				continue
			}
			if m := lookUp(first, c.tongues) & lookUp(second[len(stroke):], c.tongues); m != 0 {
				return m
			}
		}
	}
	return 0
}

func isRoman(s string) bool { return slices.Contains(romans, s) }

// unknown reports whether a text stands for a part of a date that is not known.
func unknown(s string) bool { return len(s) > 1 && strings.Trim(s, "X*?") == "" || s == "00" }

// named is a date whose month has a name.
func (c context) named(day string, months monthSet, year string, e era) Day {
	m := months.single()
	y := c.year(year, e)
	if m == 0 || y == 0 {
		return Day{}
	}
	if unknown(day) {
		return c.settle(Day{y, m, 0})
	}
	d := number(day)
	if d < 1 || len(day) > 2 {
		return Day{}
	}
	return c.settle(Day{y, m, d})
}

// numeric reads three numbers.
func (c context) numeric(p []datePart, e era) (Day, bool) {
	for _, x := range p[:3] {
		if number(x.text) < 0 && !unknown(x.text) || len(x.text) > 4 || len(x.text) == 3 {
			return Day{}, false
		}
	}
	value := func(s string) int { return max(0, number(s)) }
	if len(p[0].text) == 4 { // 1974-08-12
		if len(p[1].text) > 2 || len(p[2].text) > 2 {
			return Day{}, false
		}
		d := Day{c.year(p[0].text, e), value(p[1].text), value(p[2].text)}
		return c.settle(d), d.Year > 0
	}
	y := c.year(p[2].text, e)
	if y == 0 || len(p[0].text) > 2 || len(p[1].text) > 2 {
		return Day{}, false
	}
	a, b := value(p[0].text), value(p[1].text)
	switch {
	case a == b || a > 12 || a == 0:
		return c.settle(Day{y, b, a}), true
	case b > 12:
		return c.settle(Day{y, a, b}), c.order != dayFirst && !dotted(p)
	}
	return c.settle(c.ordered(Day{y, b, a}, Day{y, a, b}, dotted(p))), true
}

// ordered chooses between a day and the one with day and month exchanged; the zero Day where nothing tells.
func (c context) ordered(plain, swapped Day, dotted bool) Day {
	inZone := func(d Day) bool { return slices.Contains(c.zone, d.String()) }
	switch {
	case dotted || c.order == dayFirst:
		return plain
	case c.order == monthFirst:
		return swapped
	case inZone(plain) && !inZone(swapped):
		return plain
	case inZone(swapped) && !inZone(plain):
		return swapped
	}
	return Day{}
}

// dotted: 12.08.1974 is day first wherever it is written.
func dotted(p []datePart) bool {
	return strings.TrimSpace(p[1].before) == "." && strings.TrimSpace(p[2].before) == "."
}

// year gives a printed year its century; 0 for none.
func (c context) year(s string, e era) int {
	n := number(s)
	switch {
	case len(s) == 4 && n >= 1000:
		return n
	case len(s) != 2 || n < 0:
		return 0
	}
	now := c.today.Year()
	n += now / 100 * 100
	switch {
	case e == past && n > now:
		n -= 100
	case e == coming && n < now-50:
		n += 100
	case e == coming && n > now+50:
		n -= 100
	}
	return n
}
