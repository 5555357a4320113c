package viz

import (
	"math"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// readAs are what "à" is read as.
var readAs = []string{"à", "À", "á", "Á", "â", "ä", "å", "a", "A", "8", "4", "6"}

// rowTimes is how many times as tall as a label beside the row the place of birth is at most, or the label as it: a box holds the
// marks over capitals, or no more than small letters.
const rowTimes = 1.6

// birthplaceByRow finds the place of birth of an identity card set as the French one, on which it stands behind no more than "à":
// in a row of its own between those of sex and height.
func (r *reader) birthplaceByRow() {
	if _, found := r.found[placeOfBirth]; found || r.kind != idv.IDCard || r.hasLabel(placeOfBirth) {
		return
	}
	row := func(is func(segment) bool) *segment {
		if at := slices.IndexFunc(r.labels, is); at >= 0 {
			return &r.labels[at]
		}
		return nil
	}
	above, below := row(func(l segment) bool { return l.fact == sex && l.tag == "SEXE" }), row(func(l segment) bool { return l.tag == heightTag })
	if above == nil || below == nil || math.Abs(above.x0-below.x0) > above.h {
		return
	}
	found := r.valuesBetween(above, below)
	if len(found) != 1 {
		return
	}
	t := r.texts[found[0]]
	from := 0
	if len(t.words) > 1 && r.readAsTo(t.words[0], t.words[1]) {
		from = 1
	}
	if from == 0 && r.issuer != "FRA" {
		return // on another state's card it may be any field's
	}
	if text := placeOf(r.textOf(t.line, t.words[from:]), placeOfBirth); text != "" {
		r.texts[found[0]].used = true
		r.note(value{fact: placeOfBirth, text: text, from: from, to: len(t.words)}, t, pairing{cost: costMost})
	}
}

// readAsTo reports whether a word is the à of a French card, misread. A digit alone is that there: no place begins with one.
func (r *reader) readAsTo(w, next word) bool {
	digit := r.issuer == "FRA" && len(w.text) == 1 && w.text[0] >= '0' && w.text[0] <= '9'
	return digit || slices.Contains(readAs, w.text) && strings.ContainsAny(next.before, ":;.")
}

// valuesBetween are the texts that nothing has yet, of about a label's height, in the rows between two labels of one column.
func (r *reader) valuesBetween(above, below *segment) (found []int) {
	for j, t := range r.texts {
		free := !t.used && t.sequence < 0
		like := func(l *segment) bool { return math.Max(t.h, l.h) < rowTimes*math.Min(t.h, l.h) }
		row := t.y > above.y+0.5*above.h && t.y < below.y-0.5*below.h
		if free && (like(above) || like(below)) && row && t.x0 > above.x0-above.h && t.x0 < above.x1+reachLeft*above.h {
			found = append(found, j)
		}
	}
	return found
}

// heightTag is the French label of a person's height, and heightOff how many of its letters may be misread before what has the form
// of a height.
const (
	heightTag = "TAILLE"
	heightOff = 2
)

// heightsByForm makes labels of what stands before a height, 1,64m, and is the French word for it but for two letters.
func (r *reader) heightsByForm() {
	for j, t := range r.texts {
		if t.sequence >= 0 || len(t.words) < 3 || t.words[0].from != 0 || Distance(t.words[0].plain, heightTag, heightOff) > heightOff {
			continue
		}
		if !isHeight(r.textOf(t.line, t.words[1:])) {
			continue
		}
		label, rest := r.partOf(t, 0, 1), r.partOf(t, 1, len(t.words))
		label.fact, label.tag, label.lang, label.langs = other, heightTag, "fr", []string{"fr"}
		r.labels = append(r.labels, label)
		rest.sequence = len(r.labels) - 1
		r.texts[j] = rest
	}
}

// isHeight reports whether a text is a person's height in metres.
func isHeight(text string) bool {
	text = strings.Map(func(c rune) rune {
		switch {
		case strings.ContainsRune("lI|", c):
			return '1'
		case c >= '0' && c <= '9':
			return c
		case strings.ContainsRune(".,", c):
			return ','
		case c == ' ':
			return -1
		}
		return c
	}, text)
	digits, metres := strings.CutSuffix(text, "m")
	whole, part, ok := strings.Cut(digits, ",")
	return metres && ok && (whole == "1" || whole == "2") && len(part) == 2 && number(part) >= 0
}
