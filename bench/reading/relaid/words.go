package relaid

import (
	_ "embed" // the tables
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/reading/lexicon"
)

//go:embed labels.tsv
var labelTable string

//go:embed titles.tsv
var titleTable string

//go:embed countries.tsv
var countryTable string

//go:embed people.tsv
var peopleTable string

//go:embed common.tsv
var commonTable string

//go:embed names.tsv
var nameTable string

// vocabulary is the words that pages may print.
type vocabulary struct {
	labels    map[string]map[string][]string // by language and by fact
	names     map[string]map[string][]string // more of them, which pages do not print
	common    map[string][]string            // values that pages do not print, by sense
	titles    map[idv.DocumentKind]map[string][]string
	languages []string
	states    []state
	all       bool                           // pages print common values and made ones too
	people    map[string]map[string][]string // more names by language: family, given
}

// unite lets pages print all words.
func (w *vocabulary) unite() {
	for language, table := range w.names {
		for key, words := range table {
			put(w.labels, language, key, words)
		}
	}
	w.languages, w.all = slices.Sorted(maps.Keys(w.labels)), true
}

// wider is a state whose pages print values of others as well: common ones of anywhere, and ones that nobody has, of parts of two.
func (w vocabulary) wider(rng *rand.Rand, s state) state {
	if !w.all {
		return s
	}
	if chance(rng, .4) {
		s = w.withCommon(s)
	}
	if len(w.people) > 0 && chance(rng, .6) {
		s = w.withPeople(rng, s)
	}
	if chance(rng, specimenShare) {
		return w.withSpecimen(rng, s)
	}
	if chance(rng, .4) {
		for _, list := range []*[]string{&s.families, &s.men, &s.women, &s.towns, &s.offices} {
			*list = crossed(rng, *list)
		}
	}
	return s
}

// withPeople is a state whose people have any names of a language: its own where there are names of it, now and then another one.
func (w vocabulary) withPeople(rng *rand.Rand, s state) state {
	language := pick(rng, s.languages...)
	if w.people[language] == nil || chance(rng, .15) {
		language = pick(rng, slices.Sorted(maps.Keys(w.people))...)
	}
	names := w.people[language]
	if len(s.families) > 0 && scriptOf(names["family"][0]) != scriptOf(s.families[0]) {
		return s
	}
	s.families, s.men, s.women = names["family"], names["given"], names["given"]
	return s
}

// scriptOf is the alphabet of a name's first letter.
func scriptOf(name string) *unicode.RangeTable {
	for _, script := range []*unicode.RangeTable{unicode.Cyrillic, unicode.Greek} {
		if unicode.Is(script, []rune(name)[0]) {
			return script
		}
	}
	return unicode.Latin
}

// peopleOf are names by language and by what they are names of.
func peopleOf(table string) map[string]map[string][]string {
	out := map[string]map[string][]string{}
	for _, row := range rowsOf(table) {
		put(out, row[0], row[1], strings.Split(row[2], ";"))
	}
	return out
}

// withCommon is a state whose people, towns and offices are common ones of anywhere.
func (w vocabulary) withCommon(s state) state {
	s.families, s.men, s.women, s.towns, s.offices = w.common["family"], w.common["given"], w.common["given"], w.common["place"], w.common["office"]
	return s
}

// crossed are beginnings of texts with the ends of others of the list.
func crossed(rng *rand.Rand, all []string) []string {
	out := make([]string, 0, 8)
	for range cap(out) {
		a, b := []rune(pick(rng, all...)), []rune(pick(rng, all...))
		out = append(out, strings.TrimSpace(string(a[:(len(a)+1)/2])+strings.ToLower(string(b[len(b)/2:]))))
	}
	return out
}

// state is one that issues documents.
type state struct {
	code                                string
	names, peoples, languages, families []string
	men, women, towns, streets, offices []string
}

// vocabularyOf is the half of the words that pages may print.
func vocabularyOf(h Half) vocabulary {
	w := vocabulary{
		common: map[string][]string{}, labels: map[string]map[string][]string{}, names: map[string]map[string][]string{},
		titles: map[idv.DocumentKind]map[string][]string{},
	}
	for _, row := range rowsOf(labelTable) {
		put(w.labels, row[0], row[1], h.of(row[2]))
	}
	held := h.heldBack()
	for _, row := range rowsOf(nameTable) {
		put(w.names, row[0], row[1], slices.DeleteFunc(h.of(row[2]), func(s string) bool { return held[lexicon.Alphanumerics(s)] }))
	}
	for _, row := range rowsOf(titleTable) {
		put(w.titles, idv.DocumentKind(row[1]), row[0], h.of(row[2]))
	}
	for _, row := range rowsOf(commonTable) {
		w.common[row[0]] = h.of(row[1])
	}
	w.languages = slices.Sorted(maps.Keys(w.labels))
	more := map[string][]string{}
	for _, row := range rowsOf(peopleTable) {
		more[row[0]] = row
	}
	for _, row := range rowsOf(countryTable) {
		w.states = append(w.states, stateOf(row, more[row[0]], h))
	}
	return w
}

// stateOf is a state with the half of its values: what is learned of names and places is scored on others.
func stateOf(row, more []string, h Half) state {
	list := func(i int) []string { return strings.Split(row[i], ";") }
	men, women, _ := strings.Cut(row[5], "/")
	otherMen, otherWomen, _ := strings.Cut(more[2], "/")
	return state{
		code: row[0], names: list(1), peoples: list(2), languages: list(3), families: h.some(row[4], more[1]),
		men: h.some(men, otherMen), women: h.some(women, otherWomen), towns: h.some(row[6], more[3]), streets: h.some(row[7], more[4]),
		offices: h.some(row[8], more[5]),
	}
}

// some are the words of two lists that belong to the half; where there are none, the last ones.
func (h Half) some(list, more string) []string {
	out := append(h.of(list), h.of(more)...)
	if len(out) == 0 {
		return strings.Split(more, ";")
	}
	return out
}

func put[K comparable](table map[K]map[string][]string, a K, b string, words []string) {
	if table[a] == nil {
		table[a] = map[string][]string{}
	}
	table[a][b] = append(table[a][b], words...)
}

// rowsOf are the rows of a table, without comments.
func rowsOf(table string) [][]string {
	var out [][]string
	for line := range strings.Lines(table) {
		if line = strings.TrimRight(line, "\n"); line != "" && line[0] != '#' {
			out = append(out, strings.Split(line, "\t"))
		}
	}
	return out
}

// heldBack are the labels that do not belong to the half, by their letters.
func (h Half) heldBack() map[string]bool {
	out := map[string]bool{}
	for _, row := range rowsOf(labelTable) {
		own := h.of(row[2])
		for s := range strings.SplitSeq(row[2], ";") {
			if !slices.Contains(own, s) {
				out[lexicon.Alphanumerics(s)] = true
			}
		}
	}
	return out
}

// of are the words of a list that belong to the half.
func (h Half) of(list string) []string {
	half, fold, folded := strings.Cut(string(h), "-")
	var out []string
	for s := range strings.SplitSeq(list, ";") {
		sum := fnv.New32a()
		_, _ = sum.Write([]byte(s)) // never fails
		n := sum.Sum32()
		second := n>>7&1 == 1
		if (Half(half) == Whole || second == (Half(half) == Second)) && (!folded || strconv.Itoa(int(n>>11&1)) == fold) {
			out = append(out, s)
		}
	}
	return out
}
