package reading

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
)

// day is a date that a text may state: one of several where the order of day and month, or the century, is open.
type day struct {
	from, to int // runes of the row
	time     time.Time
	order    order
	mended   bool   // letters that look like figures were read as such
	month    string // the month's name, folded, where it has one in one language
}

// order is which of two figures is the month.
type order int

const (
	told       order = iota // a name, the year first, or only one is possible and it says nothing of other pages
	dayFirst                // 31/12/2025
	monthFirst              // 12/31/2025
)

func (d day) String() string { return d.time.Format(time.DateOnly) }

// datePart is a run of letters or of digits.
type datePart struct {
	from, to int
	text     string
	before   string
}

// The years of documents' days.
const firstYear, lastYear = 1880, 2120

// HasDay reports whether a text states a day of the calendar.
func HasDay(text string) bool { return len(daysIn([]rune(text))) > 0 }

// daysIn returns all days that a row may state, with every reading of each.
func daysIn(runes []rune) []day {
	return slices.DeleteFunc(anyDaysIn(runes), func(d day) bool { return d.time.Year() < firstYear || d.time.Year() > lastYear })
}

// anyDaysIn is daysIn with days of other calendars, as if they were of ours.
func anyDaysIn(runes []rune) []day {
	mended, is := figuresFor(runes)
	parts := datePartsOf(mended)
	var out []day
	for i := range parts {
		if i > 0 && parts[i].before == "" {
			continue
		}
		for _, d := range daysAt(parts[i:]) {
			d.mended = is && string(runes[d.from:d.to]) != string(mended[d.from:d.to])
			out = append(out, d)
		}
	}
	return out
}

// figuresFor writes figures for the letters that look like them in words of up to four signs that have a figure and nothing but figures
// and such letters, and reports whether there were any.
func figuresFor(runes []rune) ([]rune, bool) {
	out := apartFromMonths(lettersFor(strokesBetweenMonths(runes)))
	word := func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }
	for i := 0; i < len(out); {
		j, figures, alike := i, 0, 0
		for j < len(out) && word(out[j]) {
			switch {
			case out[j] >= '0' && out[j] <= '9':
				figures++
			case likeFigures[out[j]] != 0:
				alike++
			}
			j++
		}
		if figures > 0 && alike > 0 && figures+alike == j-i && j-i <= 4 {
			for k := i; k < j; k++ {
				if f := likeFigures[out[k]]; f != 0 {
					out[k] = f
				}
			}
		}
		i = max(j, i+1)
	}
	return out, !slices.Equal(out, runes)
}

// strokesBetweenMonths writes a stroke for the one figure that begins a month's name behind another name of the same month: 01 JAN 7JAN 1985.
func strokesBetweenMonths(runes []rune) []rune {
	out := slices.Clone(runes)
	parts := datePartsOf(out)
	for i := 1; i+1 < len(parts); i++ {
		p, next := parts[i], parts[i+1]
		if len(p.text) == 1 && figure(p.text) >= 0 && p.before == " " && next.before == "" && monthsOf(parts[i-1].text, nil)&monthsOf(next.text, nil) != 0 {
			out[p.from] = '/'
		}
	}
	return out
}

// apartFromMonths writes the words that are a month's name, alone or between figures, so, where letters were read for figures or figures for
// letters: 0CT, 270CT1989, O5NOV2032, V1.
func apartFromMonths(runes []rune) []rune {
	out := slices.Clone(runes)
	for i := 0; i < len(out); {
		j := i
		for j < len(out) && (unicode.IsLetter(out[j]) || unicode.IsDigit(out[j])) {
			j++
		}
		if isRoman(out[i:j]) {
			write(out[i:j], likeLetters)
		} else if from, to, ok := monthWithin(out[i:j]); ok && slices.ContainsFunc(out[i:j], unicode.IsDigit) {
			write(out[i:i+from], likeFigures)
			write(out[i+from:i+to], likeLetters)
			write(out[i+to:j], likeFigures)
		}
		i = max(j, i+1)
	}
	return out
}

// isRoman reports whether a word is the number of a month in Roman figures, where ones were read for some of them.
func isRoman(word []rune) bool {
	text := string(word)
	return strings.ContainsAny(text, "VX") && strings.Contains(text, "1") && slices.Contains(romans, strings.ReplaceAll(text, "1", "I"))
}

// monthWithin finds the name of a month that is the whole word, or stands between the figures of a day and a year. The figures may be letters that
// look like them.
func monthWithin(word []rune) (from, to int, ok bool) {
	figures := func(part []rune, lengths ...int) bool {
		return slices.Contains(lengths, len(part)) && !slices.ContainsFunc(part, func(c rune) bool {
			return (c < '0' || c > '9') && likeFigures[c] == 0
		})
	}
	for from := 0; from <= 2; from++ {
		for _, year := range []int{0, 2, 4} {
			to := len(word) - year
			if to-from < 3 || !figures(word[:from], 0, 1, 2) || !figures(word[to:], 0, 2, 4) {
				continue
			}
			name := slices.Clone(word[from:to])
			write(name, likeLetters)
			if _, known := monthWords()[Fold(string(name))]; known {
				return from, to, true
			}
		}
	}
	return 0, 0, false
}

// lettersFor writes letters for the one figure within a word of letters that looks like one: ENER0.
func lettersFor(runes []rune) []rune {
	out := slices.Clone(runes)
	for i := 0; i < len(out); {
		j, letters, figures, at := i, 0, 0, 0
		for ; j < len(out) && (unicode.IsLetter(out[j]) || unicode.IsDigit(out[j])); j++ {
			if unicode.IsDigit(out[j]) {
				figures, at = figures+1, j
				continue
			}
			letters++
		}
		if letters >= 2 && figures == 1 && at > i && likeLetters[out[at]] != 0 {
			out[at] = likeLetters[out[at]]
		}
		i = max(j, i+1)
	}
	return out
}

func datePartsOf(runes []rune) []datePart {
	class := func(c rune) int {
		switch {
		case c >= '0' && c <= '9':
			return 1
		case unicode.IsLetter(c):
			return 2
		}
		return 0
	}
	var out []datePart
	last := 0
	for i := 0; i < len(runes); {
		k := class(runes[i])
		if k == 0 {
			i++
			continue
		}
		j := i
		for j < len(runes) && class(runes[j]) == k {
			j++
		}
		out = append(out, datePart{i, j, Fold(string(runes[i:j])), string(runes[last:i])})
		i, last = j, j
	}
	return out
}

func joins(p datePart) bool {
	return len([]rune(p.before)) <= 3 && strings.Trim(p.before, " ./-,–·'") == ""
}

// oneSign reports whether the figures of a date are parted by one sign, or one of them was not read: in 11.05.09-13.09.2069 no day begins with 05.
func oneSign(p []datePart) bool {
	first, second := strings.TrimSpace(p[1].before), strings.TrimSpace(p[2].before)
	return first == "" || second == "" || dateSigns[first] == dateSigns[second]
}

// dateSigns part the figures of a date, or are read for those that do.
var dateSigns = map[string]string{".": ".", ",": ".", "·": ".", "-": "-", "–": "-", "/": "/"}

// daysAt returns the days that begin with the first part.
func daysAt(p []datePart) []day {
	if out := withoutSign(p); len(out) > 0 {
		return out
	}
	if len(p) < 3 || !joins(p[1]) || !joins(p[2]) {
		return nil
	}
	a, b, c := p[0].text, p[1].text, p[2].text
	if figure(b) < 0 {
		return namedAt(p)
	}
	switch {
	case figure(c) < 0:
	case figure(a) < 0 && monthsOf(a, nil).single() > 0 && len(a) >= 3 && len(b) <= 2 && figure(b) > 0 && figure(c) > 0:
		return named(p[:3], b, a, c)
	case figure(a) >= 0 && (len(p) < 4 || p[3].before != "" || figure(p[3].text) < 0):
		if len(a) <= 2 && len(c) == 2 && !oneSign(p) {
			return nil
		}
		return dayFirstWithDots(p, days(p[0].from, p[2].to, a, b, c))
	}
	return nil
}

// dayFirstWithDots leaves out the readings of three figures with dots between them that have the month first: nobody writes it so.
func dayFirstWithDots(p []datePart, all []day) []day {
	if strings.TrimSpace(p[1].before) != "." || strings.TrimSpace(p[2].before) != "." {
		return all
	}
	return slices.DeleteFunc(all, func(d day) bool { return d.order == monthFirst })
}

// withoutSign returns the days that begin with the first part where what parts their figures is not printed, or was not read: 27012027,
// 27.012027, 2028 1017.
func withoutSign(p []datePart) []day {
	a := p[0].text
	if figure(a) < 0 {
		return nil
	}
	if len(a) == 8 && (len(p) < 2 || p[1].before != "") {
		return append(days(p[0].from, p[0].to, a[:2], a[2:4], a[4:]), days(p[0].from, p[0].to, a[:4], a[4:6], a[6:])...)
	}
	if len(p) < 2 || !joins(p[1]) || figure(p[1].text) < 0 || len(p) > 2 && p[2].before == "" {
		return nil
	}
	switch b := p[1].text; {
	case len(a) <= 2 && len(b) == 6 && strings.TrimSpace(p[1].before) != "":
		return days(p[0].from, p[1].to, a, b[:2], b[2:])
	case len(a) == 4 && len(b) == 4:
		return days(p[0].from, p[1].to, a, b[:2], b[2:])
	}
	return nil
}

// namedAt returns the days that begin with the first part and have the name of a month as the second, in one language or two: 12 AUG 1974,
// 12 AUG/AOÛT 1974.
func namedAt(p []datePart) []day {
	a, b, c := p[0].text, p[1].text, p[2].text
	switch {
	case figure(a) < 0:
	case figure(c) >= 0:
		return named(p[:3], a, b, c)
	case len(p) > 3 && joins(p[3]) && figure(p[3].text) >= 0:
		return named([]datePart{p[0], p[1], p[3]}, a, b+" "+c, p[3].text)
	}
	return nil
}

// named returns the days of a month that has a name: in one language, or one word for each of two.
func named(p []datePart, d, month, year string) []day {
	var all monthSet
	for i, w := range strings.Fields(month) {
		s := monthsOf(w, nil)
		if s == 0 {
			s = runTogether(w)
		}
		for k, r := range romans {
			if strings.NewReplacer("L", "I", "1", "I", "T", "I").Replace(w) == r {
				s |= 1 << k
			}
		}
		switch {
		case i == 0 || all == 0:
			all = s
		case s != 0 && all&s != 0:
			all &= s
		}
	}
	if words := strings.Fields(month); len(words) == 2 {
		if s := inTwoTongues(words[0], words[1]); s&all != 0 {
			all &= s
		}
	}
	if len(d) == 4 {
		d, year = year, d
	}
	var out []day
	for m := 1; m <= 12; m++ {
		if all&(1<<(m-1)) == 0 {
			continue
		}
		for _, y := range years(year) {
			out = appendDay(out, p[0].from, p[len(p)-1].to, y, m, figure(d), told)
		}
	}
	if !strings.Contains(month, " ") {
		for i := range out {
			out[i].month = month
		}
	}
	return out
}

// days returns the readings of three figures.
func days(from, to int, a, b, c string) []day {
	var out []day
	if len(a) == 4 && len(b) <= 2 && len(c) <= 2 {
		return appendDay(nil, from, to, figure(a), figure(b), figure(c), told)
	}
	if len(a) > 2 || len(b) > 2 || len(c) != 4 && len(c) != 2 {
		return nil
	}
	for _, y := range years(c) {
		if figure(a) == figure(b) {
			out = appendDay(out, from, to, y, figure(b), figure(a), told)
			continue
		}
		out = appendDay(out, from, to, y, figure(b), figure(a), dayFirst)
		out = appendDay(out, from, to, y, figure(a), figure(b), monthFirst)
	}
	return out
}

func years(s string) []int {
	n := figure(s)
	switch {
	case len(s) == 4:
		return []int{n}
	case len(s) == 2 && n >= 0:
		return []int{1900 + n, 2000 + n}
	}
	return nil
}

func appendDay(out []day, from, to, y, m, d int, o order) []day {
	t, err := time.Parse(time.DateOnly, fmt.Sprintf("%04d-%02d-%02d", y, m, d))
	if err != nil || d < 1 {
		return out
	}
	return append(out, day{from: from, to: to, time: t, order: o})
}

// term reports whether one day is whole years after another, or a day less.
func term(from, to time.Time) bool {
	for _, t := range []time.Time{to, to.AddDate(0, 0, 1)} {
		if n := t.Year() - from.Year(); n >= 1 && n <= 60 && from.AddDate(n, 0, 0).Equal(t) {
			return true
		}
	}
	return false
}
