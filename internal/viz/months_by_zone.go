package viz

import "slices"

// monthsByZone are the months of words that name several, by the days that the zone states: MAR, which on a Finnish page may be of
// March and of November, is of March throughout it where the zone states such a day.
func (r *reader) monthsByZone(c context) map[string]monthSet {
	out := map[string]monthSet{}
	for _, l := range r.page.Lines {
		parts := dateParts([]rune(l.Text))
		for i := 0; i+2 < len(parts); i++ {
			p := parts[i : i+3]
			months := c.monthsOf(p[1].text)
			if number(p[0].text) < 1 || number(p[1].text) >= 0 || !close3(p) || months == 0 || months.single() > 0 {
				continue
			}
			for m := range 12 {
				day := Day{0, m + 1, number(p[0].text)}
				if months&(1<<m) != 0 && slices.ContainsFunc([]era{past, coming}, func(e era) bool {
					day.Year = c.year(p[2].text, e)
					return day.exists() && slices.Contains(c.zone, day.String())
				}) {
					out[p[1].text] |= 1 << m
				}
			}
		}
	}
	return out
}
