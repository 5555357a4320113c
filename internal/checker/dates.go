package checker

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/mrz"
)

var (
	isoDate   = regexp.MustCompile(`^(\d{4})-(\d\d|XX)-(\d\d|XX)$`)
	numeric   = regexp.MustCompile(`^(\d{1,2})[./ -]+(\d{1,2})[./ -]+(\d{4})$`)
	withMonth = regexp.MustCompile(`^(\d{1,2})([^0-9]{3,30})(\d{4})$`)
)

var months = map[string]int{
	"JAN": 1, "FEB": 2, "MAR": 3, "APR": 4, "MAY": 5, "JUN": 6,
	"JUL": 7, "AUG": 8, "SEP": 9, "OCT": 10, "NOV": 11, "DEC": 12,
}

// datesOf lists the days that a text can mean: ISO 8601 with XX for unknown
// parts means one; 03/04/2030 means two. None when the form is not known.
func datesOf(s string) []mrz.Calendar {
	s = strings.ToUpper(strings.TrimSpace(s))
	if m := isoDate.FindStringSubmatch(s); m != nil {
		return real(mrz.Calendar{Year: number(m[1]), Month: number(m[2]), Day: number(m[3])})
	}
	if m := numeric.FindStringSubmatch(s); m != nil {
		a, b, year := number(m[1]), number(m[2]), number(m[3])
		return real(mrz.Calendar{Year: year, Month: b, Day: a}, mrz.Calendar{Year: year, Month: a, Day: b})
	}
	if m := withMonth.FindStringSubmatch(s); m != nil {
		return real(mrz.Calendar{Year: number(m[3]), Month: monthIn(m[2]), Day: number(m[1])})
	}
	return nil
}

// monthIn finds the English month among the words between day and year; pages
// print it beside one in the issuer's language ("AUG / AOÛT"). 99 if there is none.
func monthIn(s string) int {
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return r < 'A' || r > 'Z' }) {
		if len(w) >= 3 && months[w[:3]] != 0 {
			return months[w[:3]]
		}
	}
	return 99
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0 // XX
	}
	return n
}

// real keeps the days that exist.
func real(in ...mrz.Calendar) []mrz.Calendar {
	var out []mrz.Calendar
	for _, c := range in {
		if c.Year == 0 || c.Month > 12 || c.Day > 31 {
			continue
		}
		if c.Complete() && time.Date(c.Year, time.Month(c.Month), c.Day, 0, 0, 0, 0, time.UTC).Day() != c.Day {
			continue
		}
		out = append(out, c)
	}
	return out
}

// compareDates: the same when some meaning of one is some meaning of the
// other; unknown parts agree with anything but make the answer partial. The
// zone has no century, so a hundred years between it and another source are
// the same date.
func compareDates(a, b statement) likeness {
	got := incomparable
	fromZone := func(s statement) bool { return s.Source == idv.FromMRZ || s.Source == idv.FromChip }
	noCentury := fromZone(a) || fromZone(b)
	for _, x := range datesOf(a.Value) {
		for _, y := range datesOf(b.Value) {
			switch l := sameDay(x, y, noCentury); {
			case l == same:
				return same
			case l == partly || got == incomparable:
				got = l
			}
		}
	}
	return got
}

func sameDay(x, y mrz.Calendar, noCentury bool) likeness {
	if noCentury {
		x.Year, y.Year = x.Year%100+100, y.Year%100+100
	}
	if x.Year != y.Year || differs(x.Month, y.Month) || differs(x.Day, y.Day) {
		return different
	}
	if x.Month != y.Month || x.Day != y.Day {
		return partly
	}
	return same
}

func differs(a, b int) bool { return a != 0 && b != 0 && a != b }
