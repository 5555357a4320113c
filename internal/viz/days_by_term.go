package viz

import (
	"slices"
	"time"
)

// longestTerm is for how many years a document that people carry is valid at most, where it runs out a day before so many years
// are over.
const longestTerm = 15

// termDay is a day that may be one of the two of a document's term.
type termDay struct {
	text  int // that states it, −1 for one that is known
	value value
}

// daysByTerm finds the days of issue and of expiry of which a label was not read: the only days on the page, known or explained by no
// label, between which lie whole years less a day, as documents run out. Neither is that of birth, which is known.
func (r *reader) daysByTerm() {
	born, ok := r.birthday()
	if !ok || r.numbers || r.american || r.torn[dateOfIssue] || r.torn[dateOfExpiry] {
		return
	}
	issued, until := r.termDays(dateOfIssue, born), r.termDays(dateOfExpiry, born)
	if _, found := r.found[dateOfExpiry]; !found {
		for _, day := range r.page.Dates {
			until = append(until, termDay{-1, value{fact: dateOfExpiry, text: day}})
		}
	}
	var pair []termDay
	for _, from := range issued {
		for _, to := range until {
			if !runsOut(from.value.text, to.value.text) {
				continue
			}
			if len(pair) > 0 && (pair[0].value.text != from.value.text || pair[1].value.text != to.value.text) {
				return // which of them are they?
			}
			pair = []termDay{from, to}
		}
	}
	for _, d := range pair {
		if d.text >= 0 {
			r.texts[d.text].used = true
			r.note(d.value, r.texts[d.text], pairing{cost: costMost})
		}
	}
}

// termDays are the days that may be a fact's: the one that its label says, else those that no label explains.
func (r *reader) termDays(f fact, born string) []termDay {
	if known, found := r.found[f]; found {
		return []termDay{{-1, known.value}}
	}
	var out []termDay
	for j, t := range r.texts {
		if t.used || t.sequence >= 0 && r.labels[t.sequence].used || t.h > tooTall*r.usual || t.h < tooLow*r.usual && len(r.pairs) > 0 {
			continue
		}
		for _, v := range r.datesIn(f, t) {
			if v.text != born && r.plausible(f, v.text) {
				out = append(out, termDay{j, v})
			}
		}
	}
	return out
}

// birthday is the day of birth, as the page states it, or the zone: the earliest of its days.
func (r *reader) birthday() (day string, ok bool) {
	if f, found := r.found[dateOfBirth]; found {
		return f.text, true
	}
	if len(r.page.Dates) < 2 {
		return "", false
	}
	return slices.Min(r.page.Dates), true
}

// runsOut reports whether a document of one day runs out on another: a day before so many whole years are over.
func runsOut(issued, until string) bool {
	from, err := time.Parse(time.DateOnly, issued)
	to, err2 := time.Parse(time.DateOnly, until)
	if err != nil || err2 != nil {
		return false
	}
	to = to.AddDate(0, 0, 1)
	years := to.Year() - from.Year()
	return years > 0 && years <= longestTerm && to.Equal(from.AddDate(years, 0, 0))
}
