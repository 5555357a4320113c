package viz

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// byOrder finds the fields of a European licence whose numbers were not seen, by where directive 2006/126/EC, annex I, sets
// them: 1, 2 and 3 right above 4a, in one column with its value, where there are just these three; 4c right of 4a.
func (r *reader) byOrder() {
	r.tellTwins()
	from := slices.IndexFunc(r.labels, func(l segment) bool { return l.marker && l.tag == "4A" })
	if from < 0 {
		return
	}
	at := r.behindNumber(from)
	if at < 0 {
		return
	}
	issued := r.texts[at]
	if !r.hasLabel(authority) {
		r.authorityBeside(issued)
	}
	if !r.hasLabel(authority) {
		r.authorityBefore()
	}
	if !r.hasLabel(dateOfExpiry) {
		r.expiryBelow(issued)
	}
	if !r.hasLabel(dateOfExpiry) {
		r.expiryBeside(issued)
	}
	if !r.hasLabel(documentNumber) {
		r.numberBelow(issued)
	}
	if !r.hasLabel(documentNumber) {
		r.numberBehindSign(issued)
	}
	if !r.hasLabel(address) {
		r.addressBetween()
	}
	r.namesBehindSigns()
	r.namesAbove(issued)
}

// behindNumber is the text behind a field's number, on its line or on its row; −1 for none.
func (r *reader) behindNumber(label int) int {
	l := r.labels[label]
	return slices.IndexFunc(r.texts, func(s segment) bool {
		return s.sequence == label || math.Abs(s.y-l.y) < onRow*math.Max(s.h, l.h) && s.x0 >= l.x1-0.5*l.h && s.x0-l.x1 < reachNumber*l.h
	})
}

// tellTwins tells 4a from 4b where both were read as the same: a document runs out later than it was issued.
func (r *reader) tellTwins() {
	if r.hasMarker("4A") == r.hasMarker("4B") {
		return
	}
	c := r.contextOf()
	var labels []int
	var days []string
	for i, l := range r.labels {
		if !l.marker || l.tag != "4A" && l.tag != "4B" {
			continue
		}
		at := r.behindNumber(i)
		if at < 0 {
			return
		}
		found := c.findDates(r.textOf(r.texts[at].line, r.texts[at].words), past)
		if len(found) != 1 {
			return
		}
		labels, days = append(labels, i), append(days, found[0].day.String())
	}
	if len(days) != 2 || days[0] == days[1] {
		return
	}
	if days[0] > days[1] {
		slices.Reverse(labels)
	}
	for i, number := range []string{"4A", "4B"} {
		r.labels[labels[i]].tag, r.labels[labels[i]].fact = number, fieldNumbers[number]
	}
}

// namesAbove finds fields 1, 2 and 3 in a column right above the day of issue.
func (r *reader) namesAbove(issued segment) {
	var column []segment
	for _, s := range r.texts {
		if s.y < issued.y-0.5*issued.h && math.Abs(s.x0-issued.x0) < issued.h && math.Max(s.h, issued.h) < nextSize*math.Min(s.h, issued.h) {
			column = append(column, s)
		}
	}
	slices.SortFunc(column, func(a, b segment) int { return cmp.Compare(a.y, b.y) })
	if len(column) != 3 || len(r.contextOf().findDates(r.textOf(column[2].line, column[2].words), past)) != 1 {
		return
	}
	for i, number := range []string{"1", "2", "3"} {
		if column[i].sequence < 0 && !r.hasMarker(number) {
			r.markBefore(column[i], number)
		}
	}
}

// markBefore puts a field's number before a text.
func (r *reader) markBefore(l segment, number string) {
	l.fact, l.tag, l.marker, l.x1 = fieldNumbers[number], number, true, l.x0
	r.labels = append(r.labels, l)
}

// expiryBelow finds the day of expiry right below that of issue, or the row after.
func (r *reader) expiryBelow(issued segment) {
	for _, s := range r.texts {
		below := (s.y - issued.y) / issued.h
		if s.sequence < 0 && below > 0.5 && below < 2*reachLeft && math.Abs(s.x0-issued.x0) < issued.h && len(s.words) <= 3 && len(r.contextOf().findDates(r.textOf(s.line, s.words), coming)) == 1 {
			r.markBefore(s, "4B")
			return
		}
	}
}

// expiryBeside finds the day of expiry on the row of that of issue, right of it: no other day that is later stands on a licence.
func (r *reader) expiryBeside(issued segment) {
	c := r.contextOf()
	from := c.findDates(r.textOf(issued.line, issued.words), past)
	for _, s := range r.texts {
		if s.sequence >= 0 || s.line == issued.line || s.x0 < issued.x1 || math.Abs(s.y-issued.y) > onRow*math.Max(s.h, issued.h) || len(s.words) > 3 {
			continue
		}
		until := c.findDates(r.textOf(s.line, s.words), coming)
		if len(from) == 1 && len(until) == 1 && until[0].day.String() > from[0].day.String() {
			r.markBefore(s, "4B")
			return
		}
	}
}

// authorityBefore finds the authority left of field 4d, on its row: the only text there that has letters and no digit.
func (r *reader) authorityBefore() {
	at := slices.IndexFunc(r.labels, func(l segment) bool { return l.marker && l.tag == "4D" })
	if at < 0 {
		return
	}
	l := r.labels[at]
	var before []segment
	for _, s := range r.texts {
		if s.x1 < l.x0 && math.Abs(s.y-l.y) < onRow*math.Max(s.h, l.h) && len(joined0(s.words)) > 2 {
			before = append(before, s)
		}
	}
	if len(before) == 1 && before[0].sequence < 0 && !strings.ContainsAny(r.textOf(before[0].line, before[0].words), "0123456789") {
		r.markBefore(before[0], "4C")
	}
}

// addressBetween finds the address between fields 5 and 9, where nothing else is printed: field 6 is the picture, and field 7 the
// signature. It has the number of a house and words.
func (r *reader) addressBetween() {
	place := func(number string) int {
		return slices.IndexFunc(r.labels, func(l segment) bool { return l.marker && l.tag == number })
	}
	five, nine := place("5"), place("9")
	if five < 0 || nine < 0 {
		return
	}
	above, below := r.labels[five], r.labels[nine]
	var found []segment
	for _, s := range r.texts {
		if s.y > above.y+0.5*above.h && s.y < below.y-0.5*below.h && s.x0 > above.x0-s.h && len(joined0(s.words)) > shortName {
			found = append(found, s)
		}
	}
	if len(found) != 1 || found[0].sequence >= 0 || len(found[0].words) < 3 {
		return
	}
	s := found[0]
	house := slices.ContainsFunc(s.words, func(w word) bool { return number(w.text) > 0 })
	if value := r.heightOf(five); house && math.Max(value, s.h) < likeValues*math.Min(value, s.h) {
		if sign, _ := r.signBefore(s); len(sign) == 1 {
			s = r.behindSign(s)
		}
		r.markBefore(s, "8")
	}
}

// heightOf is the height of a label's value on its line, else of the label.
func (r *reader) heightOf(label int) float64 {
	if at := slices.IndexFunc(r.texts, func(s segment) bool { return s.sequence == label }); at >= 0 {
		return r.texts[at].h
	}
	return r.labels[label].h
}

// authorityBeside finds the authority on the row of the day of issue: nothing else without a digit stands there.
func (r *reader) authorityBeside(issued segment) {
	for _, s := range r.texts {
		if s.sequence >= 0 || s.x0 < issued.x1 || math.Abs(s.y-issued.y) > onRow*math.Max(s.h, issued.h) || len(joined0(s.words)) < 3 {
			continue
		}
		if _, rest := r.signBefore(s); !strings.ContainsAny(r.textOf(s.line, rest), "0123456789") {
			r.markBefore(r.behindSign(s), "4C")
			return
		}
	}
}
