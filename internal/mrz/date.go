package mrz

import (
	"fmt"
	"time"
)

// Date is a date as the zone writes it: YYMMDD, where any of the three pairs
// may be fillers because it is unknown (ICAO 9303-3 §4.8). Empty where a
// format has no such field.
type Date string

// DateOf writes a day as the zone does.
func DateOf(t time.Time) Date { return Date(t.Format("060102")) }

// Calendar is a day with its century. A part that is unknown is 0; the zero
// Calendar knows nothing.
type Calendar struct{ Year, Month, Day int }

// String writes the day by ISO 8601 with XX for what is unknown:
// "1974-08-12", "1980-XX-XX", and "" when not even the year is known.
func (c Calendar) String() string {
	if c.Year == 0 {
		return ""
	}
	part := func(n int) string {
		if n == 0 {
			return "XX"
		}
		return fmt.Sprintf("%02d", n)
	}
	return fmt.Sprintf("%04d-%s-%s", c.Year, part(c.Month), part(c.Day))
}

// Complete reports whether year, month and day are known.
func (c Calendar) Complete() bool { return c.Year != 0 && c.Month != 0 && c.Day != 0 }

// First and Last bound the days that a partly unknown date can be; both zero
// times when the year is unknown.
func (c Calendar) First() time.Time {
	if c.Year == 0 {
		return time.Time{}
	}
	return time.Date(c.Year, time.Month(max(c.Month, 1)), max(c.Day, 1), 0, 0, 0, 0, time.UTC)
}

// Last is the latest day that the date can be.
func (c Calendar) Last() time.Time {
	switch {
	case c.Year == 0:
		return time.Time{}
	case c.Month == 0:
		return time.Date(c.Year, 12, 31, 0, 0, 0, 0, time.UTC)
	case c.Day == 0:
		return time.Date(c.Year, time.Month(c.Month)+1, 0, 0, 0, 0, 0, time.UTC)
	}
	return time.Date(c.Year, time.Month(c.Month), c.Day, 0, 0, 0, 0, time.UTC)
}

// Parts returns year (0–99), month and day, each −1 when unknown. ok is false
// when the text is no date field at all.
func (d Date) Parts() (year, month, day int, ok bool) {
	if len(d) != 6 {
		return -1, -1, -1, false
	}
	var p [3]int
	for i := range p {
		a, b := d[2*i], d[2*i+1]
		switch {
		case a == '<' && b == '<':
			p[i] = -1
		case a >= '0' && a <= '9' && b >= '0' && b <= '9':
			p[i] = int(a-'0')*10 + int(b-'0')
		default:
			return -1, -1, -1, false
		}
	}
	return p[0], p[1], p[2], true
}

// Possible reports whether some century has such a day; unknown parts are
// possible, a known day of an impossible month is not.
func (d Date) Possible() bool {
	y, m, day, ok := d.Parts()
	if !ok || m == 0 || m > 12 || day == 0 || day > 31 {
		return false
	}
	if m < 0 || day < 0 {
		return true
	}
	if y < 0 {
		y = 0 // 2000: a leap year, so 29 February passes
	}
	for _, century := range []int{1900, 2000} {
		if time.Date(century+y, time.Month(m), day, 0, 0, 0, 0, time.UTC).Day() == day {
			return true
		}
	}
	return false
}

// BirthDate gives the date its century: the latest that is not after a day,
// which is today or an earlier one when the person was alive. Impossible dates
// give the zero Calendar.
func BirthDate(d Date, alive time.Time) Calendar {
	return d.withCentury(func(c Calendar) bool {
		return !c.First().After(alive)
	}, alive.Year()/100*100)
}

// ExpiryDate gives the date its century: the latest that is not more than
// fifty years ahead of today.
func ExpiryDate(d Date, today time.Time) Calendar {
	return d.withCentury(func(c Calendar) bool {
		return c.Year <= today.Year()+50
	}, today.Year()/100*100+100)
}

func (d Date) withCentury(fits func(Calendar) bool, century int) Calendar {
	y, m, day, _ := d.Parts()
	if y < 0 || !d.Possible() {
		return Calendar{}
	}
	c := Calendar{Year: century + y, Month: max(m, 0), Day: max(day, 0)}
	for !fits(c) {
		c.Year -= 100
	}
	if c.Complete() && c.First().Day() != c.Day {
		return Calendar{} // 29 February in a year that has none
	}
	return c
}
