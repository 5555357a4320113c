package reading

import (
	"slices"

	"github.com/bonafide-id/bonafide/internal/reading/calendar"
)

// term is how a document's days of issue and expiry go together.
type term string

const (
	wholeYears term = "term"
	toBirthday term = "on birthday"
	unusual    term = "no term"
)

// youngest is the least number of years from a birth to an expiry on a birthday: fewer are a term.
const youngest = 16

// termOf is the term from issue to expiry. Some states let documents expire on the holder's birthday; all are the candidates of the page, among which
// the birth may be.
func termOf(issue, expiry *candidate, all []candidate) term {
	if calendar.Term(issue.day.Time, expiry.day.Time) {
		return wholeYears
	}
	birthday := func(c candidate) bool {
		years := expiry.day.Time.Year() - c.day.Time.Year()
		return c.kind == aDay && years >= youngest && c.day.Time.AddDate(years, 0, 0).Equal(expiry.day.Time)
	}
	if slices.ContainsFunc(all, birthday) {
		return toBirthday
	}
	return unusual
}

// noTerm reports whether a document expires neither whole years after its issue nor on a birthday, as visas do that are valid from another day.
func (p *Problem) noTerm(s Solution) bool {
	issue, expiry := s.Choice[fIssue], s.Choice[fExpiry]
	return issue > 0 && expiry > 0 && termOf(p.candidate(fIssue, issue), p.candidate(fExpiry, expiry), p.all) == unusual
}
