package viz

import (
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/icao"
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
	if c.order == unsettled {
		c.order = r.orderSeen()
	}
	return c
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
