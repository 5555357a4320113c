package viz

import "time"

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
