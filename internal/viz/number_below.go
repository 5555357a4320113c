package viz

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// numberBelow finds the number of the licence in the column of the dates, right below them, where a later field follows. A personal
// number (4d) may stand in that place: one that holds the day of birth is none of a licence.
func (r *reader) numberBelow(issued segment) {
	lowest := issued
	for _, l := range r.labels {
		if l.marker && l.tag == "4B" && l.y > lowest.y {
			lowest.y = l.y
		}
	}
	var found []segment
	for _, s := range r.texts {
		below := (s.y - lowest.y) / issued.h
		if s.sequence < 0 && len(s.words) == 1 && below > 0.5 && below < reachBelow && math.Abs(s.x0-issued.x0) < 1.5*issued.h &&
			math.Max(s.h, issued.h) < nextSize*math.Min(s.h, issued.h) && len(numberValues(documentNumber, s, false)) == 1 {
			found = append(found, s)
		}
	}
	if len(found) == 1 && lowest.y > issued.y && r.laterFieldBelow(found[0]) && !r.mayBePersonal(found[0], issued) {
		r.markBefore(found[0], "5")
	}
}

// laterFieldBelow reports whether a field that follows the number of a licence stands below a text: one from 7 to 9, or what
// field 9 holds.
func (r *reader) laterFieldBelow(s segment) bool {
	later := func(l segment) bool {
		return l.marker && l.y > s.y+0.5*s.h && slices.Contains([]string{"7", "8", "9"}, l.tag)
	}
	return slices.ContainsFunc(r.labels, later) || slices.ContainsFunc(r.texts, func(t segment) bool {
		return t.y > s.y+0.5*s.h && slices.Contains(categories, strings.ToUpper(t.words[0].text))
	})
}

// mayBePersonal reports whether a text of digits may be a person's number: it holds the day of birth, or that is not known.
func (r *reader) mayBePersonal(s, issued segment) bool {
	value := Alphanumerics(s.words[0].text)
	if strings.Trim(value, "0123456789") != "" {
		return false
	}
	born := r.daysAbove(issued)
	return len(born) == 0 || slices.ContainsFunc(born, func(d Day) bool { return holdsDay(value, d) })
}

// daysAbove are the days that stand above that of issue: field 3 has that of birth.
func (r *reader) daysAbove(issued segment) []Day {
	var out []Day
	for _, t := range r.texts {
		if t.y > issued.y-0.5*issued.h {
			continue
		}
		for _, d := range r.contextOf().findDates(r.textOf(t.line, t.words), past) {
			out = append(out, d.day)
		}
	}
	return out
}

// holdsDay reports whether digits hold a day as personal numbers do: YYMMDD, DDMMYY or with more of the year. Some states add to
// the month by sex or century.
func holdsDay(digits string, d Day) bool {
	for _, more := range []int{0, 20, 40, 50, 60, 70, 80} {
		yy, mm, dd := fmt.Sprintf("%02d", d.Year%100), fmt.Sprintf("%02d", d.Month+more), fmt.Sprintf("%02d", d.Day)
		year := fmt.Sprintf("%04d", d.Year)
		for _, form := range []string{yy + mm + dd, dd + mm + yy, dd + mm + year[1:], dd + mm + year} {
			if strings.Contains(digits, form) {
				return true
			}
		}
	}
	return false
}
