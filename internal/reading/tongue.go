package reading

import (
	"slices"

	"github.com/bonafide-id/bonafide/internal/reading/calendar"
)

// rareMonth is the share of the languages that know a month's name below which what they mean by it is not what a page means that none of
// its other months is in: MAR is March in a dozen languages, and November in Finnish.
const rareMonth = .1

// oneTongue leaves out the days whose month has a name that the page's other months show to be meant otherwise: LIP is July where another
// month is WRZ, and June where one is TRA.
func oneTongue(all []candidate) []candidate {
	votes, seen := map[string]int{}, map[span]bool{}
	for _, c := range all {
		if c.day.Month != "" && !seen[c.spans[0]] {
			seen[c.spans[0]] = true
			for tongue := range calendar.MonthWords()[c.day.Month] {
				votes[tongue]++
			}
		}
	}
	return slices.DeleteFunc(all, func(c candidate) bool { return c.day.Month != "" && meantOtherwise(c.day, votes) })
}

// oneNumeral leaves out, of the days whose month is a Roman figure or another one, those that the page's other days show to be meant otherwise.
func oneNumeral(all []candidate) []candidate {
	roman, figures := false, false
	for _, c := range all {
		if c.kind == aDay && !c.day.Doubtful {
			roman, figures = roman || calendar.IsRoman(c.day.Month), figures || c.day.Month == "" && c.day.Order != calendar.Told
		}
	}
	return slices.DeleteFunc(all, func(c candidate) bool {
		return c.kind == aDay && c.day.Doubtful && roman != figures && calendar.IsRoman(c.day.Month) != roman
	})
}

// meantOtherwise reports whether a day's month is another one in the languages that more of the page's months are in, or, where as many are,
// in nearly all languages that have the name.
func meantOtherwise(d calendar.Day, votes map[string]int) bool {
	bit := calendar.MonthSet(1) << (d.Time.Month() - 1)
	own, others, ofOwn, known := 0, 0, 0, 0
	for tongue, set := range calendar.MonthWords()[d.Month] {
		known++
		if set&bit != 0 {
			ofOwn, own = ofOwn+1, max(own, votes[tongue])
		} else {
			others = max(others, votes[tongue])
		}
	}
	return own < others || own == others && ofOwn > 0 && float64(ofOwn) < rareMonth*float64(known)
}
