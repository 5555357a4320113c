package viz

import "strings"

// birthValues reads the day and the place of birth from one text, in either order.
func (r *reader) birthValues(s segment) []value {
	found := r.dateValues(dateOfBirth, s)
	if len(found) != 1 {
		return nil
	}
	d := found[0]
	if place, ok := r.joinedPlace(s, d); ok {
		return append(found, place)
	}
	for _, rest := range [][2]int{{d.to, len(s.words)}, {0, d.from}} {
		if rest[0] >= rest[1] {
			continue
		}
		if p := placeOf(r.textOf(s.line, s.words[rest[0]:rest[1]]), placeOfBirth); p != "" {
			return append(found, value{fact: placeOfBirth, text: p, from: rest[0], to: rest[1]})
		}
	}
	return found
}

// joinedPlace is the place that a day ran into, with the sign that was read for the space between them: 30.09.1985-KORÇË. What no sign
// sets off and is as short as the r. behind a Polish year is none.
func (r *reader) joinedPlace(s segment, day value) (value, bool) {
	w := s.words[day.to-1]
	from := day.runes[1]
	if from == 0 {
		return value{}, false
	}
	for from < w.to && strings.ContainsRune("-–.,:", r.runes[s.line][from]) {
		from++
	}
	end := s.words[len(s.words)-1].to
	if from >= w.to || from == day.runes[1] && len(letters(string(r.runes[s.line][from:w.to]))) < shortName {
		return value{}, false
	}
	p := placeOf(string(r.runes[s.line][from:end]), placeOfBirth)
	return value{fact: placeOfBirth, text: p, from: day.to - 1, to: len(s.words), runes: [2]int{from, end}}, p != ""
}
