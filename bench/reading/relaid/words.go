package relaid

import (
	_ "embed" // the tables
	"hash/fnv"
	"maps"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/idv"
)

//go:embed labels.tsv
var labelTable string

//go:embed titles.tsv
var titleTable string

//go:embed countries.tsv
var countryTable string

// vocabulary is the words that pages may print.
type vocabulary struct {
	labels    map[string]map[string][]string // by language and by fact
	titles    map[idv.DocumentKind]map[string][]string
	languages []string
	states    []state
}

// state is one that issues documents.
type state struct {
	code                                string
	names, peoples, languages, families []string
	men, women, towns, streets, offices []string
}

// vocabularyOf is the half of the words that pages may print.
func vocabularyOf(h Half) vocabulary {
	w := vocabulary{labels: map[string]map[string][]string{}, titles: map[idv.DocumentKind]map[string][]string{}}
	for _, row := range rowsOf(labelTable) {
		put(w.labels, row[0], row[1], h.of(row[2]))
	}
	for _, row := range rowsOf(titleTable) {
		put(w.titles, idv.DocumentKind(row[1]), row[0], h.of(row[2]))
	}
	w.languages = slices.Sorted(maps.Keys(w.labels))
	for _, row := range rowsOf(countryTable) {
		w.states = append(w.states, stateOf(row))
	}
	return w
}

func stateOf(row []string) state {
	list := func(i int) []string { return strings.Split(row[i], ";") }
	men, women, _ := strings.Cut(row[5], "/")
	return state{
		code: row[0], names: list(1), peoples: list(2), languages: list(3), families: list(4),
		men: strings.Split(men, ";"), women: strings.Split(women, ";"), towns: list(6), streets: list(7), offices: list(8),
	}
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

// of are the words of a list that belong to the half.
func (h Half) of(list string) []string {
	var out []string
	for s := range strings.SplitSeq(list, ";") {
		sum := fnv.New32a()
		_, _ = sum.Write([]byte(s)) // never fails
		if second := sum.Sum32()>>7&1 == 1; h == Whole || second == (h == Second) {
			out = append(out, s)
		}
	}
	return out
}
