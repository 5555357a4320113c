package viz

import (
	"slices"
	"time"
)

// buddhist is by how many years the Thai calendar is ahead.
const buddhist = 543

// Years that are of another calendar: no document of a living person states them otherwise.
const (
	buddhistFrom, buddhistTo = 2420, 2640
	hijriFrom, hijriTo       = 1290, 1500
)

// fromHijri is the day of the tabular Islamic calendar, civil epoch, years 2, 5, 7, 10, 13, 16, 18, 21, 24, 26 and 29 of
// thirty being long. Calendars in use differ from it by up to two days.
func fromHijri(year, month, day int) time.Time {
	days := day + (59*(month-1)+1)/2 + (year-1)*354 + (3+11*year)/30
	return time.Date(622, 7, 19, 0, 0, 0, 0, time.UTC).AddDate(0, 0, days-1)
}

// hijriSlack is by how many days a printed Hijri date may be off the day that the zone states.
const hijriSlack = 2

// settle turns years of other calendars into ours where issuer or zone say so; else such a date is none.
func (c context) settle(d Day) Day {
	switch {
	case d.Year >= buddhistFrom && d.Year <= buddhistTo:
		d.Year -= buddhist
		if c.issuer != "THA" && !slices.Contains(c.zone, d.String()) {
			return Day{}
		}
	case d.Year >= hijriFrom && d.Year <= hijriTo:
		return c.settleHijri(d)
	}
	if d.Year < 1880 || d.Year > 2150 {
		return Day{}
	}
	return d
}

// settleHijri is the day that the zone states, where the Hijri date is that day's: the calendar alone leaves a day or
// two of doubt.
func (c context) settleHijri(d Day) Day {
	if d.Month < 1 || d.Month > 12 || d.Day < 1 || d.Day > 30 {
		return Day{}
	}
	at := fromHijri(d.Year, d.Month, d.Day)
	for _, z := range c.zone {
		t, err := time.Parse(time.DateOnly, z)
		if err == nil && at.Sub(t).Abs() <= hijriSlack*24*time.Hour {
			return Day{t.Year(), int(t.Month()), t.Day()}
		}
	}
	return Day{}
}
