package watchlist

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/names"
)

var (
	digitsOnly = regexp.MustCompile(`\d{4}`)
	ukBirth    = regexp.MustCompile(`^(\w\w)/(\w\w)/(\d{4})$`)
)

// birthOf reads a date of birth as English lists write it: 02 Jan 1965, Jan 1965, 1965, circa 1965, 1960 to 1962, dd/mm/1945,
// 1965-01-02. It is unknown where nothing of that can be read.
func birthOf(s string) names.Dates {
	s = strings.Trim(strings.ToLower(clean(s, 80)), " .;,")
	if rest, ok := cutAny(s, "circa ", "c. ", "approximately ", "about "); ok {
		return birthOf(rest).Circa()
	}
	if first, last, ok := strings.Cut(s, " to "); ok {
		a, b := birthOf(first), birthOf(last)
		if a.Known() && b.Known() && !b.To.Before(a.From) {
			return names.Dates{From: a.From, To: b.To}
		}
		return a
	}
	if m := ukBirth.FindStringSubmatch(s); m != nil {
		return parts(m[1], m[2], m[3])
	}
	if d, err := names.ParseBirth(firstPart(s, "t"), time.Time{}); err == nil {
		return d
	}
	for _, layout := range []string{"2 Jan 2006", "2 January 2006"} {
		if t, err := time.Parse(layout, s); err == nil {
			return names.Day(t.Date())
		}
	}
	for _, layout := range []string{"Jan 2006", "January 2006"} {
		if t, err := time.Parse(layout, s); err == nil {
			return names.Month(t.Year(), t.Month())
		}
	}
	if y := digitsOnly.FindString(s); y != "" && len(s) <= 6 {
		return parts("", "", y)
	}
	return names.Dates{}
}

func firstPart(s, sep string) string {
	before, _, _ := strings.Cut(s, sep)
	return before
}

func cutAny(s string, prefixes ...string) (string, bool) {
	for _, p := range prefixes {
		if rest, ok := strings.CutPrefix(s, p); ok {
			return rest, true
		}
	}
	return s, false
}

// parts makes a date of a day, a month and a year in digits; a day or month that is none is unknown.
func parts(day, month, year string) names.Dates {
	y, err := strconv.Atoi(year)
	if err != nil || y < 1000 || y > 9999 {
		return names.Dates{}
	}
	m, _ := strconv.Atoi(month)
	d, _ := strconv.Atoi(day)
	if m < 1 || m > 12 {
		return names.Year(y)
	}
	if exact := names.Day(y, time.Month(m), d); d >= 1 && exact.From.Day() == d {
		return exact
	}
	return names.Month(y, time.Month(m))
}

// islamic is the interval in which a year of the Islamic calendar may have begun and ended, by the mean length of its year.
func islamic(year string) names.Dates {
	y, err := strconv.Atoi(year)
	if err != nil || y < 1200 || y > 1600 {
		return names.Dates{}
	}
	const epoch, length = 621.57, 0.970224 // Gregorian years
	first := int(epoch + float64(y-1)*length)
	return names.Years(first, first+1)
}

// published reads when a file says that it was made.
func published(s string) time.Time {
	s = strings.TrimSpace(s)
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", time.DateOnly, "01/02/2006"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}

// publishedByDay is published for dates that begin with the day.
func publishedByDay(s string) time.Time {
	if t, err := time.Parse("02/01/2006", strings.TrimSpace(s)); err == nil {
		return t.UTC()
	}
	return published(s)
}
