package names

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Dates is an interval of days in which somebody was born, both ends included. The zero value is unknown.
type Dates struct {
	From, To time.Time // UTC midnight
}

// The bounds of a date of birth that is believed.
const earliestBirth = 1880

// ErrBirth is a date of birth that is no date, lies before 1880 or in the future.
var ErrBirth = errors.New("names: not a date of birth")

// Known reports whether anything is known.
func (d Dates) Known() bool { return !d.From.IsZero() }

// Exact reports whether the day is known.
func (d Dates) Exact() bool { return d.Known() && d.From.Equal(d.To) }

// String is the day, the month, the year, or both ends.
func (d Dates) String() string {
	switch {
	case !d.Known():
		return ""
	case d.Exact():
		return d.From.Format(time.DateOnly)
	case d == Year(d.From.Year()):
		return d.From.Format("2006")
	case d == Month(d.From.Year(), d.From.Month()):
		return d.From.Format("2006-01")
	}
	return d.From.Format(time.DateOnly) + "/" + d.To.Format(time.DateOnly)
}

// MarshalJSON implements [json.Marshaler].
func (d Dates) MarshalJSON() ([]byte, error) { return json.Marshal(d.String()) }

// UnmarshalJSON implements [json.Unmarshaler]: what String writes.
func (d *Dates) UnmarshalJSON(raw []byte) error {
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return fmt.Errorf("read dates: %w", err)
	}
	if s == "" {
		*d = Dates{}
		return nil
	}
	first, last, isRange := strings.Cut(s, "/")
	from, err := ParseBirth(first, time.Time{})
	if err != nil || !isRange {
		*d = from
		return err
	}
	to, err := ParseBirth(last, time.Time{})
	*d = Dates{from.From, to.To}
	return err
}

// Day is one day.
func Day(year int, month time.Month, day int) Dates {
	t := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	return Dates{t, t}
}

// Month is any day of a month.
func Month(year int, month time.Month) Dates {
	t := time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
	return Dates{t, t.AddDate(0, 1, -1)}
}

// Year is any day of a year.
func Year(year int) Dates { return Years(year, year) }

// Years is any day of the years from first to last.
func Years(first, last int) Dates {
	return Dates{time.Date(first, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(last, 12, 31, 0, 0, 0, 0, time.UTC)}
}

// circaYears is by how much a date that a list calls approximate may be off.
const circaYears = 2

// Circa widens a date that is known approximately to two years on either side.
func (d Dates) Circa() Dates {
	if !d.Known() {
		return d
	}
	return Years(d.From.Year()-circaYears, d.To.Year()+circaYears)
}

var isoBirth = regexp.MustCompile(`^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$`)

// ParseBirth reads YYYY, YYYY-MM or YYYY-MM-DD. It returns [ErrBirth] for what is no date, before 1880 or after now, where now
// is not zero.
func ParseBirth(s string, now time.Time) (Dates, error) {
	m := isoBirth.FindStringSubmatch(strings.TrimSpace(s))
	if m == nil {
		return Dates{}, ErrBirth
	}
	year, _ := strconv.Atoi(m[1])
	month, _ := strconv.Atoi(m[2])
	day, _ := strconv.Atoi(m[3])
	var d Dates
	switch {
	case m[2] == "":
		d = Year(year)
	case month < 1 || month > 12:
		return Dates{}, ErrBirth
	case m[3] == "":
		d = Month(year, time.Month(month))
	default:
		if d = Day(year, time.Month(month), day); d.From.Day() != day {
			return Dates{}, ErrBirth
		}
	}
	if year < earliestBirth || !now.IsZero() && d.From.After(now) {
		return Dates{}, ErrBirth
	}
	return d, nil
}

// BirthGrade is how two dates of birth agree.
type BirthGrade string

// Grades of dates of birth.
const (
	BirthSame     BirthGrade = "same"     // one day
	BirthClose    BirthGrade = "close"    // intervals that meet, a day and month exchanged, or a year apart
	BirthUnknown  BirthGrade = "unknown"  // one of both is not known
	BirthConflict BirthGrade = "conflict" // neither
)

// Evidence of dates of birth in bits: how much likelier they are for one person than for two.
const (
	bitsSameDay   = 14.0
	bitsFlipped   = 10.0
	bitsSameMonth = 8.0
	bitsSameYear  = 5.5
	bitsNear      = 3.0
	bitsLoose     = -2.0
	bitsConflict  = -6.0
)

// CompareBirth compares a date of birth with those that a list has, and returns the best grade: one of them has to agree.
func CompareBirth(searched Dates, listed []Dates) (BirthGrade, float64) {
	grade, bits := BirthUnknown, 0.0
	if !searched.Known() {
		return grade, bits
	}
	for _, l := range listed {
		if !l.Known() {
			continue
		}
		if g, b := compareDates(searched, l); grade == BirthUnknown || b > bits {
			grade, bits = g, b
		}
	}
	return grade, bits
}

func compareDates(a, b Dates) (BirthGrade, float64) {
	meet := !a.From.After(b.To) && !b.From.After(a.To)
	switch {
	case a.Exact() && b.Exact() && a == b:
		return BirthSame, bitsSameDay
	case a.Exact() && b.Exact() && flipped(a.From, b.From):
		return BirthClose, bitsFlipped
	case meet && span(a) <= 31 && span(b) <= 31:
		return BirthClose, bitsSameMonth
	case meet && span(a) <= 366 && span(b) <= 366:
		return BirthClose, bitsSameYear
	case meet:
		return BirthClose, bitsNear
	case gapYears(a, b) <= 1:
		return BirthClose, bitsNear
	case a.Exact() && b.Exact():
		return BirthConflict, bitsConflict
	}
	return BirthConflict, bitsLoose
}

func flipped(a, b time.Time) bool {
	return a.Year() == b.Year() && int(a.Month()) == b.Day() && a.Day() == int(b.Month())
}

// span is the length of an interval in days.
func span(d Dates) int { return int(d.To.Sub(d.From).Hours()/24) + 1 }

// gapYears is how many calendar years apart two intervals are.
func gapYears(a, b Dates) int {
	if a.From.After(b.From) {
		a, b = b, a
	}
	return max(0, b.From.Year()-a.To.Year())
}
