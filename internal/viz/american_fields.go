package viz

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// americanFields are the fields of North American cards whose numbers have other labels elsewhere (AAMVA DL/ID Card Design
// Standard, annex A).
var americanFields = regexp.MustCompile(`(?:^|\s)(3 ?D[O08]B|4[bB] ?EXP|4[aA] ?ISS|5 ?DD|9[aA] ?END|12 ?RE?STR?|15 ?SEX|16 ?HGT|17 ?WGT|18 ?EYES|19 ?HAIR)\b`)

// fieldsEnough is how many of them tell such a card.
const fieldsEnough = 4

// numbersLabels reports whether the labels of a page stand behind the numbers that North American cards give them.
func numbersLabels(p Page) bool {
	seen := map[string]bool{}
	for _, l := range p.Lines {
		for _, m := range americanFields.FindAllStringSubmatch(l.Text, -1) {
			seen[m[1][:2]] = true
		}
	}
	return len(seen) >= fieldsEnough
}

// behindFigure is a text whose field number was read as a letter, with the number.
func (r *reader) behindFigure(s segment) segment {
	n := misreadFigures[s.words[0].text]
	if n == "" || !r.american || s.sequence >= 0 || len(s.words) < 2 || (n == "8") != (number(s.words[1].text) > 0) || !r.inNumbers(s.words[0].line, s.words[0].x0) || r.beginsLine(n) {
		return s
	}
	s.words = slices.Clone(s.words)
	s.words[0].text, s.words[0].plain = n, ""
	return s
}

// misreadFigures are the numbers of names, and of an address before a house's, as signs of their shape: in the column of field
// numbers no value begins.
var misreadFigures = map[string]string{"I": "1", "l": "1", "ı": "1", "Z": "2", "B": "8", "0": "8"}

// beginsLine reports whether a line of the page begins with a field's number.
func (r *reader) beginsLine(number string) bool {
	return slices.ContainsFunc(r.texts, func(s segment) bool { return s.words[0].text == number }) || r.hasMarker(number) ||
		slices.ContainsFunc(r.labels, func(l segment) bool { return strings.HasPrefix(string(r.runes[l.line]), number+" ") })
}

// openLine is how many heights below a line another of a North American card stands at least that leaves room for a label between
// them, or is a field's of its own.
const openLine = 1.4

// mayBeGiven reports whether a line below the family name of a North American card may be the given names, whose number was not
// read: it stands further down than the next line of a value does.
func (r *reader) mayBeGiven(f found, s segment) bool {
	return r.american && f.fact == surname && !r.hasLabel(givenNames) && (s.y-f.segment.y)/f.segment.h > openLine
}

// sexByRow finds the letter of the sex of a North American card whose label was not read: alone below where field 15 has its label,
// in the row of field 16 and left of it, where the page sets its values below their labels (AAMVA DL/ID Card Design Standard,
// annex A). Only M and F: an X may be a pattern's.
func (r *reader) sexByRow() {
	if _, found := r.found[sex]; found || !r.american || r.hasLabel(sex) || r.lean == isBeside {
		return
	}
	at := slices.IndexFunc(r.labels, func(l segment) bool { return slices.Contains([]string{"HGT", "HT", "HGTHAUT"}, l.tag) })
	if below, _ := r.layouts(); at < 0 || below == nil {
		return
	}
	var letters []int
	for j, t := range r.texts {
		if !t.used && len(t.words) == 1 && (t.words[0].text == "M" || t.words[0].text == "F") {
			letters = append(letters, j)
		}
	}
	if len(letters) != 1 || !r.beforeHeight(r.texts[letters[0]], r.labels[at]) {
		return
	}
	t := r.texts[letters[0]]
	r.texts[letters[0]].used = true
	r.note(value{fact: sex, text: t.words[0].text, to: 1}, t, pairing{cost: costMost})
}

// numberWide is how many heights a field's number and the space behind it take at most.
const numberWide = 2.0

// beforeHeight reports whether a letter stands right below and left of the label of the height, and nothing between it and that.
func (r *reader) beforeHeight(t, height segment) bool {
	down, left := (t.y-height.y)/height.h, (height.x0-t.x1)/height.h
	if down < 0.5 || down > 2 || left < 0 || left > reachRight {
		return false
	}
	between := func(s segment) bool {
		above := math.Abs(s.y-height.y) < onRow*height.h && s.x1 > t.x0-t.h // where its label would be
		beside := math.Abs(s.y-t.y) < onRow*math.Max(t.h, s.h) && s.x0 > t.x1
		return (above || beside) && s.x0 < height.x0-numberWide*height.h && s.line != t.line
	}
	return !slices.ContainsFunc(r.labels, between) && !slices.ContainsFunc(r.texts, between) && r.kind != idv.Passport
}

// expiryByForm finds the day of expiry of a North American card whose label was not read: the only day that nothing explains and
// that is later than that of issue, unless it is a birthday, which the days are until which somebody is too young.
func (r *reader) expiryByForm() {
	issued, ok := r.found[dateOfIssue]
	born, ok2 := r.found[dateOfBirth]
	if _, found := r.found[dateOfExpiry]; found || !ok || !ok2 || !r.american || r.hasLabel(dateOfExpiry) {
		return
	}
	at := -1
	var day value
	for j, t := range r.texts {
		v := r.datesIn(dateOfExpiry, t)
		if t.used || len(v) == 0 || v[len(v)-1].text <= issued.text {
			continue
		}
		if at >= 0 || len(v) > 1 || len(t.words) > 3 || t.sequence >= 0 || strings.HasSuffix(v[0].text, born.text[4:]) {
			return
		}
		at, day = j, v[0]
	}
	if at >= 0 && r.plausible(dateOfExpiry, day.text) {
		r.texts[at].used = true
		r.note(day, r.texts[at], pairing{cost: costMost})
	}
}
