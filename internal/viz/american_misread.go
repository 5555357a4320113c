package viz

import (
	"math"
	"regexp"
	"slices"
	"strings"
)

// What a day of a North American card is joined to where the space was lost: the number of the field behind it (03/05/19974b), and
// the label before it (4bEXP08-05-2033). Its month and day have two digits each and its year four (AAMVA DL/ID Card Design Standard,
// annex A), so that its form says where it ends.
var (
	joinedBehind = regexp.MustCompile(`\b[0-9]{2}([/-])[0-9]{2}[/-](19|20)[0-9]{2}(?:4[aAbB]|1?5?[A-Za-z])|\b(19|20)[0-9]{2}([/-])[0-9]{2}[/-][0-9]{2}4[aAbB]`)
	joinedBefore = regexp.MustCompile(`\b(?:3|4[aAbB])[A-Za-z]{1,4}[0-9]{2}([/-])[0-9]{2}[/-](19|20)[0-9]{2}\b`)
)

// cutDays cuts the words of a line of a North American card where a day was joined to what stands before or behind it.
func cutDays(line []rune, words []word) []word {
	text := string(line)
	var cuts []int // runes
	at := func(bytes int) int { return len([]rune(text[:bytes])) }
	for _, m := range joinedBehind.FindAllStringIndex(text, -1) {
		cuts = append(cuts, at(m[0])+len("01/02/2006"))
	}
	for _, m := range joinedBefore.FindAllStringIndex(text, -1) {
		cuts = append(cuts, at(m[1])-len("01/02/2006"))
	}
	if len(cuts) == 0 {
		return words
	}
	var out []word
	for _, w := range words {
		for _, c := range cuts {
			if w.from < c && c < w.to {
				first, second := w.cut(c - w.from)
				out = append(out, first)
				w = second
			}
		}
		out = append(out, w)
	}
	return out
}

// sexNumber is field 15 of a North American card with what was made of its label: 15Sb, 1SSE.
var sexNumber = regexp.MustCompile(`^1[5S]S[A-Za-z]{0,2}$`)

// setOffX is how many times as far from the label as the label's signs are from each other an X is at least that states the sex: one
// that is closer may be the label's own (15SE X).
const setOffX = 2.5

// misreadSex reports whether words are field 15 with its label misread and a letter of the sex.
func (r *reader) misreadSex(words []word) bool {
	if len(words) != 2 || !sexNumber.MatchString(words[0].text) {
		return false
	}
	l, v := words[0], words[1]
	step := (r.at(l.line, l.to-1) - r.at(l.line, l.from)) / float64(l.to-1-l.from)
	off := r.at(v.line, v.from) - r.at(l.line, l.to-1)
	return v.text == "M" || v.text == "F" || v.text == "X" && off > setOffX*step
}

// notOfNames reports whether a number at the head of a text of a North American card is none of a name's: another field's label stands
// before it on its line, so that it is what was read of 15 or 16, or a number that was read of a label (1FNj) ran into it.
func (r *reader) notOfNames(s segment, number string, rest []word) bool {
	if !r.american || number != "1" && number != "2" {
		return false
	}
	if len(rest) == 0 {
		return r.strayOne(s)
	}
	if s.sequence >= 0 {
		l := r.labels[s.sequence]
		return !l.marker && !isName(l.fact) && l.fact != wholeName
	}
	return rest[0].from == s.words[0].from+1 && nameOf(r.textOf(s.line, rest)) == ""
}

// misreadBirth is field 3 of a North American card with its label, the letters of DOB as signs of their shapes: 310B.
var misreadBirth = regexp.MustCompile(`^3[1I][0OQ][B8]$`)

// issueNumber reports whether what is read for 4b is 4a: its label says so.
func issueNumber(words []word) bool {
	return len(words) > 1 && strings.HasPrefix(words[1].plain, "IS")
}

// labelsOnly are labels and other print of North American cards that are no names.
var labelsOnly = []string{"USA", "RESTR", "RSTR", "HGT", "WGT", "DOB", "EXP", "ISS"}

// isLabelOnly reports whether a text of a North American card is no name but the label of a field whose number was misread: 2 RESTR.
func (r *reader) isLabelOnly(text string) bool {
	return r.american && slices.Contains(labelsOnly, strings.ToUpper(strings.TrimSpace(text)))
}

// shortLabel is the label of a name with a mark read as a small letter: FNs.
var shortLabel = regexp.MustCompile(`^(FN|LN)[a-z]$`)

// mendLabels reads a line of a North American card that is no more than such a label as the label.
func mendLabels(words []word) []word {
	if len(words) != 1 {
		return words
	}
	m := shortLabel.FindStringSubmatch(words[0].text)
	if m == nil {
		return words
	}
	w := words[0]
	w.plain, w.surely = m[1], m[1]
	return []word{w}
}

// strayOne reports whether a sign at the head of a line that looks like field 1 is none: field 2 stands alone right above what is behind it,
// so that this is the given names.
func (r *reader) strayOne(s segment) bool {
	if s.words[0].text != "1" || s.words[0].from != 0 {
		return false
	}
	behind := slices.IndexFunc(r.texts, func(t segment) bool { return t.line == s.line && t.words[0].from > 0 })
	return behind >= 0 && slices.ContainsFunc(r.texts, func(t segment) bool {
		down := (s.y - t.y) / s.h
		return len(t.words) == 1 && t.words[0].text == "2" && down > 0.5 && down < nextLine && math.Abs(t.x0-r.texts[behind].x0) < s.h
	})
}
