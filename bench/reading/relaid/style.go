package relaid

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// placement is where a label is, seen from its value.
type placement string

const (
	above  placement = "above"
	tight  placement = "inside" // above, in one box with it
	beside placement = "left"
	column placement = "column"
	right  placement = "right"
	below  placement = "below"
	none   placement = "none"
)

// style is a layout drawn at random. Lengths are heights of a value's letters.
type style struct {
	labels     placement
	columns    int
	columnWide float64
	byColumn   bool // columns are filled one after the other
	size       float64
	gap        float64 // between fields
	step       float64 // between the rows of a value
	colon      string
	numbers    string // "", "european", "american", "counted"
	point      string // behind a number
	languages  []string
	separator  string // empty: the second language is on a row of its own
	caps       int    // of the labels: 0 as they are, 1 capitals, 2 small letters
	invented   bool   // labels of a language that nobody speaks
	shorten    float64
	tailed     float64 // share of labels with a tail: Name (in block letters)
	lose       float64
	wide       float64 // of letters
	big        float64 // size of the names' letters
	shuffle    float64 // how far fields move from the order of documents
	joined     bool    // both names, days or a day and its place are in one field
	paired     float64 // share of neighbouring fields that share a row and a label: Number / Expiry
	centred    bool    // values are in the middle of their column
}

func (w vocabulary) styleOf(rng *rand.Rand, c content) style {
	s := style{
		labels:  pick(rng, above, above, above, above, tight, tight, beside, beside, beside, column, column, below, right, none),
		columns: pick(rng, 1, 1, 1, 2, 2, 3), columnWide: between(rng, 9, 18), byColumn: chance(rng, .3),
		size: between(rng, .42, 1), gap: between(rng, .35, 1.4), step: pick(rng, 1.25, between(rng, 1.1, 1.75)), colon: pick(rng, "", "", "", ":", ":", " :", "."),
		separator: pick(rng, " / ", "/", " · ", " - ", " | ", " ", ""),
		caps:      pick(rng, 0, 0, 0, 1, 1, 2), invented: chance(rng, .07), shorten: pick(rng, 0, 0, 0, .15, .5), tailed: pick(rng, 0, 0, 0, .2, .6),
		lose: pick(rng, .02, .02, .1, .3), wide: between(rng, .46, .64), big: pick(rng, 1, 1, 1, 1.15, 1.35), joined: chance(rng, .2),
		paired:  pick(rng, 0, 0, 0, .2, .5),
		shuffle: pick(rng, 0, .8, 1.5, 2.5, 20),
	}
	if s.labels == beside || s.labels == column {
		s.size = between(rng, .55, 1)
	}
	s.centred = s.columns == 1 && chance(rng, .15)
	s.languages = w.languagesOf(rng, c.state)
	s.numbersOf(rng, c)
	return s
}

// languagesOf are one to three languages of labels: mostly the state's, then others.
func (w vocabulary) languagesOf(rng *rand.Rand, s state) []string {
	first := pick(rng, s.languages...)
	if chance(rng, .15) {
		first = pick(rng, w.languages...)
	}
	out := []string{first}
	for range pick(rng, 0, 1, 1, 2) {
		next := pick(rng, "en", "en", "fr", "en", pick(rng, w.languages...))
		if next != first {
			out = append(out, next)
		}
	}
	return out
}

func (s *style) numbersOf(rng *rand.Rand, c content) {
	share := map[idv.DocumentKind]float64{idv.DrivingLicence: .5}[c.kind]
	s.point = pick(rng, ".", "", ")", ".")
	switch {
	case chance(rng, share) && (c.state.code == "USA" || c.state.code == "CAN"):
		s.numbers = "american"
	case chance(rng, share):
		s.numbers = "european"
		if chance(rng, .7) {
			s.labels, s.lose = beside, 1
		}
	case chance(rng, .1):
		s.numbers = "counted"
	}
}

// fieldNumbers are those of licences (directive 2006/126/EC, annex I; AAMVA, annex A).
var fieldNumbers = map[string]map[string]string{
	"european": {
		"family_name": "1", "given_names": "2", "date_of_birth": "3", "place_of_birth": "3",
		"date_of_issue": "4a", "date_of_expiry": "4b", "authority": "4c",
		"personal_number": "4d", "document_number": "5", "address": "8", "categories": "9",
	},
	"american": {
		"family_name": "1", "given_names": "2", "date_of_birth": "3", "date_of_issue": "4a",
		"date_of_expiry": "4b", "document_number": "4d", "address": "8",
		"categories": "9", "sex": "15", "height": "16", "eye_colour": "18",
	},
}

// labelOf is the label of a field, one text for each row that it takes; empty: it has none. n is the field's place on the page.
func (t *setter) labelOf(key string, n int) []string {
	number := ""
	switch t.style.numbers {
	case "european", "american":
		number = fieldNumbers[t.style.numbers][key]
	case "counted":
		number = itoa(n + 1)
	}
	if number != "" {
		number += t.style.point
	}
	words := t.wordsOf(key)
	if words == nil {
		if number == "" {
			return nil
		}
		return []string{number}
	}
	if number != "" {
		words[0] = number + " " + words[0]
	}
	words[len(words)-1] += t.style.colon
	return words
}

// wordsOf is a label in the page's languages.
func (t *setter) wordsOf(key string) []string {
	if chance(t.rng, t.style.lose) {
		return nil
	}
	var all []string
	for _, language := range t.style.languages {
		some := t.fitting(t.words.labels[language][key])
		if key == passportNumber {
			some = ofPassports(t.words.labels[language][string(idv.DocumentNumber)])
		}
		if len(some) > 0 {
			all = append(all, t.changed(pick(t.rng, some...)+t.tail(language)))
		}
	}
	switch {
	case len(all) == 0 && t.style.invented:
		all = []string{t.changed("Type")}
	case len(all) == 0:
		return nil
	case t.style.separator != "":
		return []string{strings.Join(all, t.style.separator)}
	}
	return all[:min(len(all), 2)]
}

// part is the label, or a part of the label, of the field of a key.
type part struct{ key, text string }

// labelRows are the label of a block by rows: of two fields that share it, one beside the other or one below the other.
func (t *setter) labelRows(b block, n int) [][]part {
	var out [][]part
	for _, text := range t.labelOf(b.key, n) {
		out = append(out, []part{{b.key, text}})
	}
	if b.second == "" {
		return out
	}
	second := t.labelOf(b.second, n+1)
	if len(out) == 1 && len(second) == 1 {
		out[0][0].text = strings.TrimSuffix(out[0][0].text, t.style.colon) + pick(t.rng, " /", "/", ",", " -", " |")
		return [][]part{append(out[0], part{b.second, second[0]})}
	}
	for _, text := range second {
		out = append(out, []part{{b.second, text}})
	}
	return out
}

// tails are what labels say beside what their field is.
var tails = map[string][]string{
	"en": {"of the bearer", "in full", "(block letters)", "(day, month, year)", "as in the register", "(optional)"},
	"de": {"der Person", "(in Druckschrift)", "laut Register", "(Tag, Monat, Jahr)"},
	"fr": {"du porteur", "en majuscules", "(jour, mois, année)", "selon l'état civil"}, "es": {"del interesado", "(día, mes, año)", "completo"},
	"pt": {"do portador", "(dia, mês, ano)", "completo"}, "it": {"dell'intestatario", "(giorno, mese, anno)"}, "nl": {"van de houder", "voluit"},
	"pl": {"posiadacza", "(dzień, miesiąc, rok)"}, "cs": {"držitele", "(den, měsíc, rok)"}, "sv": {"för innehavaren"}, "fi": {"haltijan"},
	"ru": {"владельца", "(полностью)"},
	"":   {"(1)", "*", "(2)", "(a)", "¹"},
}

// tail is one for a label of a language; empty for most.
func (t *setter) tail(language string) string {
	if !chance(t.rng, t.style.tailed) {
		return ""
	}
	some := tails[language]
	if some == nil || chance(t.rng, .15) {
		some = tails[""]
	}
	return " " + pick(t.rng, some...)
}

// kindWords are parts of labels that name a kind of document.
var kindWords = map[idv.DocumentKind][]string{
	idv.Passport:       {"pass", "pas ", "paso", "paszp", "pasap", "paspo", "útlev", "putovn", "hộ chi", "an phas", "pasi"},
	idv.DrivingLicence: {"licen", "führersch", "rijbew", "patente", "n° permis", "dl", "carta n."},
	idv.IDCard:         {"card", "carte", "ausweis", "cédula", "letërnj", "kart", "kaart", "kort", "bilhete", "tessera", "iskazn", "průkaz", "preukaz", "igazolv"},
}

// ofPassports are the labels that name a passport, or an English one where there are none.
func ofPassports(all []string) []string {
	var out []string
	for _, label := range all {
		if slices.ContainsFunc(kindWords[idv.Passport], func(part string) bool { return strings.Contains(strings.ToLower(label), part) }) {
			out = append(out, label)
		}
	}
	if len(out) == 0 {
		return []string{"Passport no."}
	}
	return out
}

// fitting are the labels that name no kind of document but the page's.
func (t *setter) fitting(all []string) []string {
	var out []string
	for _, label := range all {
		fits := true
		for kind, parts := range kindWords {
			for _, part := range parts {
				fits = fits && (kind == t.kind || !strings.Contains(strings.ToLower(label), part))
			}
		}
		if fits {
			out = append(out, label)
		}
	}
	return out
}

// changed is a label as the page prints it.
func (t *setter) changed(label string) string {
	if t.style.invented {
		label = t.inventedWord(label)
	}
	if r := []rune(label); chance(t.rng, t.style.shorten) && len(r) > 6 && !strings.Contains(label, ".") {
		label = string(r[:3+t.rng.IntN(3)]) + "."
	}
	switch t.style.caps {
	case 1:
		return strings.ToUpper(label)
	case 2:
		return strings.ToLower(label)
	}
	return label
}

// inventedWord is a word for a label in a language that nobody speaks: the same for the same label on one page.
func (t *setter) inventedWord(label string) string {
	if t.invented == nil {
		t.invented = map[string]string{}
	}
	if w, seen := t.invented[label]; seen {
		return w
	}
	var b strings.Builder
	for i := range 2 + t.rng.IntN(4) {
		b.WriteString(pick(t.rng, "b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z", "st", "kr", "sh", ""))
		b.WriteString(pick(t.rng, "a", "e", "i", "o", "u", "ai", "á", "ö", "y"))
		b.WriteString(pick(t.rng, "", "", "n", "r", "s", "l", "m"))
		if i == 2 && chance(t.rng, .4) {
			b.WriteString(" ")
		}
	}
	w := capitalised(strings.TrimSpace(b.String()))
	t.invented[label] = w
	return w
}

// capitalised is a text with a capital first letter.
func capitalised(s string) string {
	r := []rune(s)
	return strings.ToUpper(string(r[:1])) + string(r[1:])
}
