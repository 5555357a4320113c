package viz

import (
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// monthFirstStates put the month before the day.
var monthFirstStates = []string{"USA", "FSM", "MHL", "PLW", "PHL"}

// contextOf says how the dates of a page are to be read: by its issuer, else by those of its dates that leave no choice.
func (r *reader) contextOf() context {
	c := context{today: r.page.Today, issuer: r.issuer, zone: r.page.Dates}
	if s, ok := icao.StateByCode(r.issuer); ok {
		c.issuer = s.Code
		if own, listed := tonguesOf[s.Code]; listed {
			c.tongues = append([]string{"en", "fr"}, strings.Fields(own)...)
		}
		switch {
		case slices.Contains(monthFirstStates, s.Code):
			c.order = monthFirst
		case s.Code != "CAN" && s.Kind != icao.Specimen:
			c.order = dayFirst
		}
	}
	c.likely = r.tongues()
	c.settled = r.monthsByZone(c)
	if c.order == unsettled && r.kind == idv.DrivingLicence && !r.american && r.hasMarker("4A", "4B") {
		c.order = dayFirst // directive 2006/126/EC, annex I
	}
	if c.order == unsettled && r.dayFirstTongue() {
		c.order = dayFirst
	}
	if c.order == unsettled {
		c.order = r.orderSeen()
	}
	if c.order == unsettled {
		c.order = r.orderByTerm()
	}
	return c
}

// tongues are the languages of the page's labels.
func (r *reader) tongues() []string {
	var out []string
	for _, l := range r.labels {
		for _, lang := range l.langs {
			if !slices.Contains(out, lang) {
				out = append(out, lang)
			}
		}
	}
	return out
}

// monthFirstTongues are the languages of states of which some put the month first, or leave it open.
var monthFirstTongues = []string{"en", "fr", "es"}

// dayFirstTongue reports whether a label, or what it says in another language, is in one whose states all put the day before the month.
func (r *reader) dayFirstTongue() bool {
	return r.dayFirst || slices.ContainsFunc(r.labels, ofDayFirstTongue)
}

func ofDayFirstTongue(l segment) bool {
	return len(l.tag) >= longWord && len(l.langs) > 0 && !slices.ContainsFunc(l.langs, func(lang string) bool { return slices.Contains(monthFirstTongues, lang) })
}

// hasMarker reports whether the page has one of the field numbers.
func (r *reader) hasMarker(numbers ...string) bool {
	return slices.ContainsFunc(r.labels, func(l segment) bool { return l.marker && slices.Contains(numbers, l.tag) })
}

// orderByTerm looks for two dates that are whole years apart, or a day less, in one order of day and month only: documents
// run out so. 08/12/2024 and 07/12/2034 are days of December.
func (r *reader) orderByTerm() order {
	var days [2][]Day // in either order
	for _, l := range r.page.Lines {
		parts := dateParts([]rune(l.Text))
		for i := 0; i+2 < len(parts); i++ {
			p := parts[i : i+3]
			a, b, y := number(p[0].text), number(p[1].text), number(p[2].text)
			if !close3(p) || len(p[2].text) != 4 || a < 1 || b < 1 || a > 12 || b > 12 {
				continue
			}
			days[0], days[1] = append(days[0], Day{y, b, a}), append(days[1], Day{y, a, b})
		}
	}
	plain, swapped := hasTerm(days[0]), hasTerm(days[1])
	switch {
	case plain && !swapped:
		return dayFirst
	case swapped && !plain:
		return monthFirst
	}
	return unsettled
}

// hasTerm reports whether one of the days is a day less than whole years after another.
func hasTerm(days []Day) bool {
	for _, from := range days {
		for _, to := range days {
			before := time.Date(from.Year, time.Month(from.Month), from.Day-1, 0, 0, 0, 0, time.UTC)
			if to.Year > from.Year && int(before.Month()) == to.Month && before.Day() == to.Day {
				return true
			}
		}
	}
	return false
}

// orderSeen looks for dates on the page of which one number cannot be a month.
func (r *reader) orderSeen() order {
	first, second := 0, 0
	for _, l := range r.page.Lines {
		parts := dateParts([]rune(l.Text))
		for i := 0; i+2 < len(parts); i++ {
			switch orderOf(parts[i : i+3]) {
			case dayFirst:
				first++
			case monthFirst:
				second++
			}
		}
	}
	switch {
	case first > 0 && second == 0:
		return dayFirst
	case second > 0 && first == 0:
		return monthFirst
	}
	return unsettled
}

// orderOf is the order of a date in figures of which one number cannot be a month.
func orderOf(p []datePart) order {
	a, b, y := number(p[0].text), number(p[1].text), number(p[2].text)
	if !close3(p) || dotted(p) || y < 0 || len(p[2].text) != 4 || a < 1 || b < 1 || a > 31 || b > 31 {
		return unsettled
	}
	switch {
	case a > 12 && b <= 12:
		return dayFirst
	case b > 12 && a <= 12:
		return monthFirst
	}
	return unsettled
}
