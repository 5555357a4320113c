package calendar

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/bonafide-id/bonafide/internal/reading/lexicon"
)

// Day is a date that a text may state: one of several where the order of day and month, or the century, is open.
type Day struct {
	From, To int // runes of the row
	Time     time.Time
	Order    Order
	Mended   bool   // letters that look like figures were read as such
	Month    string // the month's name, folded, where it has one in one language; a Roman figure among them
	Doubtful bool   // its month was read as letters I and figures 1: a Roman figure or another one, and both are among the days of the row
}

// Order says which of two figures is the month.
type Order int

// A day has one of these orders.
const (
	Told       Order = iota // a name, the year first, or only one is possible and it says nothing of other pages
	DayFirst                // 31/12/2025
	MonthFirst              // 12/31/2025
)

// String is the day as YYYY-MM-DD.
func (d Day) String() string { return d.Time.Format(time.DateOnly) }

// datePart is a run of letters or of digits.
type datePart struct {
	from, to int
	text     string
	before   string
}

// The years of documents' days.
const firstYear, lastYear = 1880, 2120

// HasDay reports whether a text states a day of the calendar.
func HasDay(text string) bool { return len(DaysIn([]rune(text))) > 0 }

// DaysIn returns all days from 1880 to 2120 that a row may state, with every reading of each.
func DaysIn(runes []rune) []Day {
	return slices.DeleteFunc(AnyDaysIn(runes), func(d Day) bool { return !d.Plausible() })
}

// Plausible reports whether documents state days of its year: from 1880 to 2120.
func (d Day) Plausible() bool { return d.Time.Year() >= firstYear && d.Time.Year() <= lastYear }

// AnyDaysIn is DaysIn with days of other calendars, as if they were of ours.
func AnyDaysIn(runes []rune) []Day {
	out := daysOf(runes)
	roman, at := asRoman(runes)
	if len(at) == 0 {
		return out
	}
	doubt := func(all []Day) []Day {
		for i, d := range all {
			all[i].Doubtful = slices.ContainsFunc(at, func(k int) bool { return d.From < k && k < d.To })
		}
		return all
	}
	for _, d := range doubt(daysOf(roman)) {
		if d.Doubtful {
			d.Mended = true
			out = append(out, d)
		}
	}
	return doubt(out)
}

// asRoman writes the words that are letters I and figures 1 as Roman figures, and says where they begin.
func asRoman(runes []rune) (out []rune, at []int) {
	out = slices.Clone(runes)
	for i := 0; i < len(out); {
		j, letters, ones := i, 0, 0
		for ; j < len(out) && (unicode.IsLetter(out[j]) || unicode.IsDigit(out[j])); j++ {
			switch out[j] {
			case 'I', 'l':
				letters++
			case '1':
				ones++
			}
		}
		if letters > 0 && ones > 0 && letters+ones == j-i && j-i <= len("III") {
			for k := i; k < j; k++ {
				out[k] = 'I'
			}
			at = append(at, i)
		}
		i = max(j, i+1)
	}
	return out, at
}

// daysOf returns the days that a row may state, with letters for figures and figures for letters where they must be.
func daysOf(runes []rune) []Day {
	mended, is := figuresFor(runes)
	parts := datePartsOf(mended)
	var out []Day
	for i := range parts {
		if i > 0 && parts[i].before == "" {
			continue
		}
		for _, d := range daysAt(parts[i:], len(parts) == 3) {
			d.Mended = is && string(runes[d.From:d.To]) != string(mended[d.From:d.To])
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
			case lexicon.LikeFigures[out[j]] != 0:
				alike++
			}
			j++
		}
		if figures > 0 && alike > 0 && figures+alike == j-i && j-i <= 4 {
			for k := i; k < j; k++ {
				if f := lexicon.LikeFigures[out[k]]; f != 0 {
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
		if len(p.text) == 1 && lexicon.Figure(p.text) >= 0 && p.before == " " && next.before == "" && monthsOf(parts[i-1].text)&monthsOf(next.text) != 0 {
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
			lexicon.Rewrite(out[i:j], lexicon.LikeLetters)
		} else if from, to, ok := monthWithin(out[i:j]); ok && slices.ContainsFunc(out[i:j], unicode.IsDigit) {
			lexicon.Rewrite(out[i:i+from], lexicon.LikeFigures)
			lexicon.Rewrite(out[i+from:i+to], lexicon.LikeLetters)
			lexicon.Rewrite(out[i+to:j], lexicon.LikeFigures)
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
			return (c < '0' || c > '9') && lexicon.LikeFigures[c] == 0
		})
	}
	for from := 0; from <= 2; from++ {
		for _, year := range []int{0, 2, 4} {
			to := len(word) - year
			if to-from < 3 || !figures(word[:from], 0, 1, 2) || !figures(word[to:], 0, 2, 4) {
				continue
			}
			name := slices.Clone(word[from:to])
			lexicon.Rewrite(name, lexicon.LikeLetters)
			if _, known := monthWords()[lexicon.Fold(string(name))]; known {
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
		if letters >= 2 && figures == 1 && at > i && lexicon.LikeLetters[out[at]] != 0 {
			out[at] = lexicon.LikeLetters[out[at]]
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
		out = append(out, datePart{i, j, lexicon.Fold(string(runes[i:j])), string(runes[last:i])})
		i, last = j, j
	}
	return out
}

func joins(p datePart) bool {
	return len([]rune(p.before)) <= 3 && strings.Trim(p.before, " ./-,–·'") == ""
}

// oneSign reports whether the figures of a date are parted by one sign, or one of them was not read: in 11.05.09-13.09.2069 no day begins with 05.
// Where its row has no other parts (alone), one of two signs was misread.
func oneSign(p []datePart, alone bool) bool {
	if alone {
		return true
	}
	first, second := strings.TrimSpace(p[1].before), strings.TrimSpace(p[2].before)
	return first == "" || second == "" || dateSigns[first] == dateSigns[second]
}

// dateSigns part the figures of a date, or are read for those that do.
var dateSigns = map[string]string{".": ".", ",": ".", "·": ".", "-": "-", "–": "-", "/": "/"}

// daysAt returns the days that begin with the first part. alone: the row has three parts and no more.
func daysAt(p []datePart, alone bool) []Day {
	if out := withoutSign(p); len(out) > 0 {
		return out
	}
	if len(p) < 3 || !joins(p[1]) || !joins(p[2]) {
		return nil
	}
	a, b, c := p[0].text, p[1].text, p[2].text
	if lexicon.Figure(b) < 0 {
		return namedAt(p)
	}
	switch {
	case lexicon.Figure(c) < 0:
	case lexicon.Figure(a) < 0 && monthsOf(a).single() > 0 && len(a) >= 3 && len(b) <= 2 && lexicon.Figure(b) > 0 && lexicon.Figure(c) > 0:
		return named(p[:3], b, a, c)
	case lexicon.Figure(a) >= 0 && (len(p) < 4 || p[3].before != "" || lexicon.Figure(p[3].text) < 0):
		if len(a) <= 2 && len(c) == 2 && !oneSign(p, alone) {
			return nil
		}
		return dayFirstWithDots(p, days(p[0].from, p[2].to, a, b, c))
	}
	return nil
}

// dayFirstWithDots leaves out the readings of three figures with dots between them that have the month first: nobody writes it so.
func dayFirstWithDots(p []datePart, all []Day) []Day {
	if strings.TrimSpace(p[1].before) != "." || strings.TrimSpace(p[2].before) != "." {
		return all
	}
	return slices.DeleteFunc(all, func(d Day) bool { return d.Order == MonthFirst })
}

// withoutSign returns the days that begin with the first part where what parts their figures is not printed, or was not read: 27012027,
// 27.012027, 2028 1017, 0410 2030, 202710 03.
func withoutSign(p []datePart) []Day {
	a := p[0].text
	if lexicon.Figure(a) < 0 {
		return nil
	}
	if len(a) == 8 && (len(p) < 2 || p[1].before != "") {
		return append(days(p[0].from, p[0].to, a[:2], a[2:4], a[4:]), days(p[0].from, p[0].to, a[:4], a[4:6], a[6:])...)
	}
	if len(p) < 2 || !joins(p[1]) || lexicon.Figure(p[1].text) < 0 || len(p) > 2 && p[2].before == "" {
		return nil
	}
	switch b := p[1].text; {
	case len(a) <= 2 && len(b) == 6 && strings.TrimSpace(p[1].before) != "":
		return days(p[0].from, p[1].to, a, b[:2], b[2:])
	case len(a) == 4 && len(b) == 4:
		return append(days(p[0].from, p[1].to, a, b[:2], b[2:]), days(p[0].from, p[1].to, a[:2], a[2:], b)...)
	case len(a) == 6 && len(b) == 2:
		return days(p[0].from, p[1].to, a[:4], a[4:], b)
	}
	return nil
}

// namedAt returns the days that begin with the first part and have the name of a month as the second, in one language or two: 12 AUG 1974,
// 12 AUG/AOÛT 1974.
func namedAt(p []datePart) []Day {
	a, b, c := p[0].text, p[1].text, p[2].text
	switch {
	case lexicon.Figure(a) < 0:
	case lexicon.Figure(c) >= 0:
		return named(p[:3], a, b, c)
	case len(p) > 3 && joins(p[3]) && lexicon.Figure(p[3].text) >= 0:
		return named([]datePart{p[0], p[1], p[3]}, a, b+" "+c, p[3].text)
	}
	return nil
}

// named returns the days of a month that has a name: in one language, or one word for each of two.
func named(p []datePart, d, month, year string) []Day {
	var all MonthSet
	for i, w := range strings.Fields(month) {
		s := monthsOf(w)
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
	var out []Day
	for m := 1; m <= 12; m++ {
		if all&(1<<(m-1)) == 0 {
			continue
		}
		for _, y := range years(year) {
			out = appendDay(out, p[0].from, p[len(p)-1].to, y, m, lexicon.Figure(d), Told)
		}
	}
	if !strings.Contains(month, " ") {
		for i := range out {
			out[i].Month = month
		}
	}
	return out
}

// days returns the readings of three figures.
func days(from, to int, a, b, c string) []Day {
	var out []Day
	if len(a) == 4 && len(b) <= 2 && len(c) <= 2 {
		return appendDay(nil, from, to, lexicon.Figure(a), lexicon.Figure(b), lexicon.Figure(c), Told)
	}
	if len(a) > 2 || len(b) > 2 || len(c) != 4 && len(c) != 2 {
		return nil
	}
	for _, y := range years(c) {
		if lexicon.Figure(a) == lexicon.Figure(b) {
			out = appendDay(out, from, to, y, lexicon.Figure(b), lexicon.Figure(a), Told)
			continue
		}
		out = appendDay(out, from, to, y, lexicon.Figure(b), lexicon.Figure(a), DayFirst)
		out = appendDay(out, from, to, y, lexicon.Figure(a), lexicon.Figure(b), MonthFirst)
	}
	return out
}

func years(s string) []int {
	n := lexicon.Figure(s)
	switch {
	case len(s) == 4:
		return []int{n}
	case len(s) == 2 && n >= 0:
		return []int{1900 + n, 2000 + n}
	}
	return nil
}

func appendDay(out []Day, from, to, y, m, d int, o Order) []Day {
	t, err := time.Parse(time.DateOnly, fmt.Sprintf("%04d-%02d-%02d", y, m, d))
	if err != nil || d < 1 {
		return out
	}
	return append(out, Day{From: from, To: to, Time: t, Order: o})
}

// Term reports whether one day is whole years after another, or a day less.
func Term(from, to time.Time) bool {
	for _, t := range []time.Time{to, to.AddDate(0, 0, 1)} {
		if n := t.Year() - from.Year(); n >= 1 && n <= 60 && from.AddDate(n, 0, 0).Equal(t) {
			return true
		}
	}
	return false
}
