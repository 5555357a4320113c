package viz

import (
	"math"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// signBefore is what begins a text where a European licence has a field's number that was read as something else, and the words behind
// it: a sign with a point, or what was made of a 4 with its letter. None where it begins with neither.
func (r *reader) signBefore(s segment) (sign string, rest []word) {
	if len(s.words) < 2 || s.words[0].from != 0 {
		return "", s.words
	}
	sign = s.words[0].text
	n := len([]rune(sign))
	point := strings.HasPrefix(s.words[1].before, ".")
	if n == 1 && point || n == 2 && sign[0] == '4' {
		return sign, s.words[1:]
	}
	return "", s.words
}

// behindSign is a text without that sign: c. MT-UTO, 0. 46 Mill Street.
func (r *reader) behindSign(s segment) segment {
	at := slices.IndexFunc(r.texts, func(t segment) bool { return t.line == s.line && t.words[0].from == s.words[0].from })
	sign, rest := r.signBefore(s)
	if at < 0 || sign == "" {
		return s
	}
	r.texts[at] = r.segmentOf(s.line, rest, "")
	return r.texts[at]
}

// dayBehindSign is a text without what its 4a or 4b was read as, before a day: no day of a month begins with a 4.
func (r *reader) dayBehindSign(s segment) segment {
	sign, rest := r.signBefore(s)
	if n := number(sign); n >= 40 && n < 50 && s.sequence < 0 && !r.american && r.factOf(sign) == "" && misreadNumbers[sign] == "" && r.statesDay(s.line, rest) {
		return r.segmentOf(s.line, rest, "")
	}
	return s
}

// namesBehindSigns finds fields 1 and 2 of a European licence behind their misread numbers: right above field 3 stands field 2, and
// above that field 1.
func (r *reader) namesBehindSigns() {
	for _, n := range [][2]string{{"2", "3"}, {"1", "2"}} {
		below := slices.IndexFunc(r.labels, func(l segment) bool { return l.marker && l.tag == n[1] })
		if below < 0 || r.hasMarker(n[0]) {
			continue
		}
		l := r.labels[below]
		if above := r.rowAbove(l); len(above) == 1 && above[0].sequence < 0 {
			if sign, rest := r.signBefore(above[0]); len(sign) == 1 && nameOf(r.textOf(above[0].line, rest)) != "" {
				r.markBefore(r.behindSign(above[0]), n[0])
			}
		}
	}
}

// rowAbove are the texts of the row right above a label.
func (r *reader) rowAbove(l segment) (row []segment) {
	nearest := reachBelow
	for _, s := range r.texts {
		up := (l.y - s.y) / math.Max(l.h, s.h)
		if up < onRow || up > nearest+0.3 || s.h < tooLow*r.usual {
			continue
		}
		if up < nearest-0.3 {
			row = nil
		}
		nearest = math.Min(nearest, up)
		row = append(row, s)
	}
	return row
}

// numberBehindSign finds the number of a European licence behind the sign that its 5 was read as: in the rows between the dates and
// a later field.
func (r *reader) numberBehindSign(issued segment) {
	var found []segment
	for _, s := range r.texts {
		sign, rest := r.signBefore(s)
		if len(sign) == 1 && s.sequence < 0 && s.y > issued.y && len(rest) == 1 && len(numberValues(documentNumber, r.segmentOf(s.line, rest, ""), false)) == 1 {
			found = append(found, s)
		}
	}
	if len(found) == 1 && r.laterFieldBelow(found[0]) {
		r.markBefore(r.behindSign(found[0]), "5")
	}
}

// licenceDays finds the day of issue or of expiry, or both, of a European licence whose numbers were not read: its front has no
// days but these and that of birth (directive 2006/126/EC, annex I).
func (r *reader) licenceDays() {
	born, ok := r.found[dateOfBirth]
	issued, hasFrom := r.found[dateOfIssue]
	expires, hasTo := r.found[dateOfExpiry]
	if r.american || !r.numbers || r.kind != idv.DrivingLicence || !ok || hasFrom && hasTo {
		return
	}
	days, at := r.freeDays()
	switch {
	case len(days) == 1 && hasTo && born.text < days[0].text && days[0].text < expires.text:
		r.takeDay(at[0], days[0], dateOfIssue)
	case len(days) == 1 && hasFrom && issued.text < days[0].text:
		r.takeDay(at[0], days[0], dateOfExpiry)
	case len(days) == 2 && !hasFrom && !hasTo && born.text < days[0].text && days[0].text < days[1].text:
		r.takeDay(at[0], days[0], dateOfIssue)
		r.takeDay(at[1], days[1], dateOfExpiry)
	}
}

// freeDays are the days that nothing explains, the earliest first, and the texts that state them.
func (r *reader) freeDays() (days []value, at []int) {
	for j, t := range r.texts {
		if t.used {
			continue
		}
		for _, v := range r.datesIn(dateOfExpiry, t) {
			k := 0
			for k < len(days) && days[k].text < v.text {
				k++
			}
			days, at = slices.Insert(days, k, v), slices.Insert(at, k, j)
		}
	}
	return days, at
}

// takeDay makes a day that no number announces a fact.
func (r *reader) takeDay(j int, day value, f fact) {
	if day.fact = f; !r.plausible(f, day.text) {
		return
	}
	r.texts[j].used = true
	r.note(day, r.texts[j], pairing{cost: costMost})
}
