package relaid

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/bonafide-id/bonafide/internal/idv"
	joint "github.com/bonafide-id/bonafide/internal/reading"
)

func itoa(n int) string { return strconv.Itoa(n) }

// run is a text on a level page. Lengths are heights of a value's letters.
type run struct {
	text  string
	chars []float64 // as it was recognised; nil: to be drawn
	x, y  float64   // its left end, its middle
	h     float64
	wide  float64 // how long it is; 0: as its letters are
	small bool    // a label, or other small print
	dirt  bool    // hardly legible
	names int8    // as Senses says of its letters
}

// setter sets one page.
type setter struct {
	words    vocabulary
	rng      *rand.Rand
	style    style
	state    state
	kind     idv.DocumentKind
	runs     []run
	invented map[string]string
}

func (t *setter) add(text string, x, y, h float64, small bool) float64 {
	if text != "" {
		t.runs = append(t.runs, run{text: text, x: x, y: y, h: h, small: small})
	}
	return x + t.width(text, h)
}

// label adds the label of a field.
func (t *setter) label(key, text string, x, y, h float64) float64 {
	end := t.add(text, x, y, h, true)
	if text == "" {
		return end
	}
	f := slices.Index(joint.FactNames[:], idv.ClaimName(key))
	if f < 0 {
		f = len(joint.FactNames)
	}
	t.runs[len(t.runs)-1].names = int8(f + 1) //nolint:gosec // there are 13 facts
	return end
}

// width is how long a text is.
func (t *setter) width(text string, h float64) float64 {
	sum := 0.0
	for _, r := range text {
		sum += letterWidth(r)
	}
	return sum * h * t.style.wide
}

// letterWidth is a letter's width as a part of the mean one.
func letterWidth(r rune) float64 {
	switch {
	case strings.ContainsRune("iljI.,:;'|! 1", r):
		return .6
	case strings.ContainsRune("MWmwÆŒ@", r):
		return 1.5
	}
	return 1
}

// set sets a content: a heading, the fields in columns, and what else is on pages.
func (t *setter) set(c content) {
	x0, y := 0.0, 0.0
	if chance(t.rng, .6) {
		x0 = between(t.rng, 7, 11) // right of a portrait
	}
	y = t.heading(c, y)
	blocks := t.blocks(c)
	wide := float64(t.style.columns) * t.style.columnWide
	x, top, low := 0.0, y, y
	for i, b := range blocks {
		long := t.blockWidth(b)
		switch {
		case t.style.byColumn && i > 0 && i%((len(blocks)+t.style.columns-1)/t.style.columns) == 0:
			x, y = x+t.style.columnWide, top
		case !t.style.byColumn && x > 0 && x+long > wide*1.1:
			x, y = 0, low+t.style.gap
		}
		end := t.block(b, i, x0+x, y)
		low = max(low, end)
		if t.style.byColumn {
			y = end + t.style.gap
			continue
		}
		x += t.style.columnWide * math.Ceil((long+1)/t.style.columnWide)
		if x >= wide {
			x, y = 0, low+t.style.gap
		}
	}
	t.rest(c, low+t.style.gap)
}

// block is what is set under one label.
type block struct {
	key    string
	second string  // whose label stands behind the first one's, where two fields share a row; or empty
	values []field // beside each other, or address rows
	joint  string  // between them
}

// blocks are the fields in the page's order, with other ones among them.
func (t *setter) blocks(c content) []block {
	type placed struct {
		block
		at float64
	}
	var all []placed
	for i, f := range c.fields {
		all = append(all, placed{block{key: f.key, values: []field{f}}, float64(i) + t.style.shuffle*t.rng.NormFloat64()})
	}
	for range t.rng.IntN(5) {
		f := t.other(c)
		all = append(all, placed{block{key: f.key, values: []field{f}}, between(t.rng, -1, float64(len(all)))})
	}
	if chance(t.rng, passportShare[c.kind]) {
		f := field{key: passportNumber, text: numberOf(t.rng)[1]}
		all = append(all, placed{block{key: f.key, values: []field{f}}, between(t.rng, -1, float64(len(all)))})
	}
	slices.SortStableFunc(all, func(a, b placed) int { return cmp.Compare(a.at, b.at) })
	out := make([]block, len(all))
	for i, p := range all {
		out[i] = p.block
	}
	if t.style.joined || t.style.numbers == "european" {
		out = t.together(out)
	}
	return t.pairs(out)
}

// passportNumber is the field of visas and permits for the number of the holder's passport, and passportShare says how often they print it.
const passportNumber = "passport_number"

var passportShare = map[idv.DocumentKind]float64{idv.Visa: .6, idv.ResidencePermit: .2}

// pairs puts neighbouring fields of one value each on one row, as styles do.
func (t *setter) pairs(all []block) []block {
	joint := pick(t.rng, " / ", "/", ", ", " ", " - ", "   ", " | ")
	short := func(b block) bool {
		return len(b.values) == 1 && b.key != string(idv.Address) && b.values[0].text != "" && !strings.Contains(b.values[0].text, "\n")
	}
	for i := 0; i+1 < len(all); i++ {
		if a, b := all[i], all[i+1]; short(a) && short(b) && chance(t.rng, t.style.paired) {
			all[i].second, all[i].joint, all[i].values = b.key, joint, append(a.values, b.values...)
			if !strings.ContainsAny(a.values[0].text+b.values[0].text, "0123456789") && strings.TrimSpace(joint) == "" {
				all[i].joint = " / "
			}
			all = slices.Delete(all, i+1, i+2)
		}
	}
	return all
}

// together puts fields into one where pages do: a day and its place, both names, the days of a term.
func (t *setter) together(all []block) []block {
	pairs := []struct {
		a, b  idv.ClaimName
		joint string
		share float64
	}{
		{idv.DateOfBirth, idv.PlaceOfBirth, pick(t.rng, " ", ", ", "  "), .8}, {idv.FamilyName, idv.GivenNames, ", ", .35},
		{idv.DateOfIssue, idv.DateOfExpiry, pick(t.rng, " - ", "-", " / ", " – "), .5}, {idv.DateOfIssue, idv.Authority, pick(t.rng, " ", ", "), .2},
	}
	at := func(n idv.ClaimName) int {
		return slices.IndexFunc(all, func(b block) bool { return b.key == string(n) && len(b.values) == 1 })
	}
	for _, p := range pairs {
		i, j := at(p.a), at(p.b)
		if i < 0 || j < 0 || !chance(t.rng, p.share) {
			continue
		}
		all[i].values, all[i].joint = append(all[i].values, all[j].values...), p.joint
		all = slices.Delete(all, j, j+1)
	}
	return all
}

// other is a field that states nothing that is asked for.
func (t *setter) other(c content) field {
	texts := map[string]string{
		"height": heightText(t.rng), "eye_colour": pick(t.rng, "BROWN", "BLU", "Grey", "hazel", "BRO"), "type": pick(t.rng, "P", "ID", "C", "AR", "B1"),
		"categories": pick(t.rng, "B", "AM B1 B", "A B BE", "C"), "signature": "",
		"other": pick(t.rng, otherDay(t.rng, c), figures(t.rng, "999999"), figures(t.rng, "9999 9999"),
			"NONE", "0+", "A1", "--", "CORR LENSES", figures(t.rng, "A99 999999"),
			"01.06", "MULT", "90", pick(t.rng, c.state.families...), pick(t.rng, c.state.men...), "ENGINEER", "STUDENT"),
	}
	key := pick(t.rng, "height", "eye_colour", "type", "categories", "signature", "other", "other", "other")
	return field{key: key, text: texts[key]}
}

func (t *setter) blockWidth(b block) float64 {
	label, value := 0.0, 0.0
	if t.style.labels != none {
		label = 10 * t.style.size * t.style.wide
	}
	for _, f := range b.values {
		value += t.width(f.text+b.joint, 1)
	}
	if t.style.labels == beside || t.style.labels == right || t.style.labels == column {
		return label + value + 1
	}
	return max(label, value)
}

// block sets one field, and returns where it ends.
func (t *setter) block(b block, n int, x, y float64) float64 {
	place, label := t.style.labels, [][]part(nil)
	if chance(t.rng, .05) {
		place = pick(t.rng, above, beside, none)
	}
	if place != none {
		label = t.labelRows(b, n)
	}
	size := t.style.size
	if label == nil {
		return t.values(b, x, y+.5) + .5
	}
	row := func(parts []part, x, y float64) float64 {
		for i, p := range parts {
			if i > 0 {
				x += .3 * size
			}
			x = t.label(p.key, p.text, x, y, size)
		}
		return x
	}
	rows := func(y float64) float64 {
		for _, parts := range label {
			row(parts, x, y+.5*size)
			y += 1.1 * size
		}
		return y
	}
	all := slices.Concat(label...)
	switch place {
	case above:
		return t.values(b, x, rows(y)+.6) + .5
	case tight:
		return t.values(b, x, rows(y)+.45) + .5
	case below:
		return rows(t.values(b, x, y+.5) + .6)
	case right:
		y = t.values(b, x, y+.5)
		row(all, x+t.blockWidth(block{values: b.values, joint: b.joint})+.4, y)
		return y + .5
	case column:
		end := row(all, x, y+.5)
		return t.values(b, max(end+.6, x+9*size), y+.5) + .5
	}
	return t.values(b, row(all, x, y+.5)+between(t.rng, .3, 1.2), y+.5) + .5
}

// values sets the values of a field on one row, an address on up to three, and returns the last row's middle.
func (t *setter) values(b block, x, y float64) float64 {
	h := 1.0
	if b.key == string(idv.FamilyName) || b.key == string(idv.GivenNames) {
		h = t.style.big
	}
	middle := func(text string) float64 {
		if !t.style.centred || len(b.values) > 1 {
			return x
		}
		return x + max(0, (t.style.columnWide-t.width(text, h))/2)
	}
	for i, f := range b.values {
		r := run{text: f.text, chars: f.chars, x: middle(f.text), y: y, h: h}
		if i+1 < len(b.values) {
			r.text = strings.TrimRight(f.text+strings.TrimRight(b.joint, " "), " ")
			if r.text != f.text {
				r.chars = nil
			}
		}
		if parts := t.rowsOfValue(f); len(parts) > 1 {
			for k, part := range parts {
				t.add(part, middle(part), y+t.style.step*float64(k), h, false)
			}
			return y + t.style.step*float64(len(parts)-1)
		}
		if r.text != "" {
			t.runs = append(t.runs, r)
		}
		x += t.width(r.text, h) + .35*h
	}
	return y
}

// rowsOfValue are the rows that a value takes: an address several, a name in two scripts two, and one of two words now and then.
func (t *setter) rowsOfValue(f field) []string {
	if rows := strings.Split(f.text, "\n"); len(rows) > 1 {
		return rows
	}
	words := strings.Fields(f.text)
	placed := f.key == string(idv.PlaceOfBirth) || f.key == string(idv.Authority)
	if n := len(words); placed && n > 1 && len(f.text) > 9 && f.chars == nil && chance(t.rng, .5) {
		at := 1 + t.rng.IntN(n-1)
		if at == 1 && n > 2 && strings.HasSuffix(words[0], ".") { // what kind of place it is stands before its name
			at = 2
		}
		return []string{strings.Join(words[:at], " "), strings.Join(words[at:], " ")}
	}
	named := f.key == string(idv.FamilyName) || f.key == string(idv.GivenNames)
	share := .25
	if named && scriptOf(f.text) == unicode.Cyrillic { // a patronymic is mostly on a row of its own
		share = .6
	}
	if named && len(words) == 2 && f.chars == nil && min(len(words[0]), len(words[1])) > 2 && chance(t.rng, share) {
		return words
	}
	return t.addressRows(f)
}

// addressRows are an address cut at its commas, in half of the cases.
func (t *setter) addressRows(f field) []string {
	parts := strings.SplitAfter(f.text, ", ")
	if f.key != string(idv.Address) || len(parts) < 2 || chance(t.rng, .4) {
		return nil
	}
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
		if chance(t.rng, .6) {
			parts[i] = strings.TrimRight(parts[i], ",")
		}
	}
	return parts
}
