package reading

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/bonafide-id/bonafide/internal/reading/lexicon"
)

// Sizes of what the network sees of a word.
const (
	PartBuckets = 1 << 15
	FormBuckets = 1 << 11
	placeKinds  = 96
	mostWords   = 256
)

// WordNumbers is how many numbers say where a word is, how surely it was read and what label it is part of.
const WordNumbers = 11 + 2*(facts+1)

// SeenWord is a word as the network sees it.
type SeenWord struct {
	Parts   []int // buckets of its runs of letters
	Forms   []int // buckets of its form and of the signs round it
	Numbers [WordNumbers]float32
	Row     int
	From    int // runes of its row
	To      int
}

// SeenCandidate is a candidate by its words.
type SeenCandidate struct {
	Words []int // those of all its rows, in reading order
	Terms []Feature
}

// Sight is a page as the network sees it.
type Sight struct {
	Words      []SeenWord
	Places     []uint8 // for each word how each other one lies to it: row by row
	Candidates []SeenCandidate
	Absence    []Feature
}

// sight is the page as the network sees it.
func (v view) sight() Sight {
	out := Sight{Absence: v.missed()}
	at := make([][]int, len(v.rows))
	var places []placed
	for k, r := range v.rows {
		for i, w := range r.words {
			if len(out.Words) == mostWords {
				break
			}
			at[k] = append(at[k], len(out.Words))
			out.Words = append(out.Words, v.seenWord(k, i))
			places = append(places, placed{k, i, w.x0, w.x1, r.y, r.h})
		}
	}
	out.Places = make([]uint8, len(places)*len(places))
	for i, a := range places {
		for j, b := range places {
			out.Places[i*len(places)+j] = placeOf(a, b)
		}
	}
	for i, c := range v.all {
		out.Candidates = append(out.Candidates, SeenCandidate{Words: v.wordsOf(c, at), Terms: v.terms(i)})
	}
	return out
}

// terms are what the witnesses say of a candidate, whatever fact it may be.
func (v view) terms(i int) []Feature {
	c := v.all[i]
	out := append(slices.Clone(v.own[i]),
		Feature{"kind " + kindNames[c.kind], 1}, Feature{"page " + string(v.family), 1},
		Feature{"page lean " + string(v.lean), 1}, Feature{"page legible " + v.legible, 1})
	if v.page.Kind != "" {
		out = append(out, Feature{"page kind " + string(v.page.Kind), 1})
	}
	return v.fitInputs(out, c)
}

// missed are what says of facts that they are not printed: what the page has labels for, and candidates.
func (v view) missed() []Feature {
	out := []Feature{{"page", 1}, {"page " + string(v.family), 1}, {"page legible " + v.legible, 1}, {fmt.Sprintf("page rows %d", min(len(v.rows), 40)/5), 1}}
	if v.page.Kind != "" {
		out = append(out, Feature{"page kind " + string(v.page.Kind), 1})
	}
	if len(v.page.Dates) > 0 {
		out = append(out, Feature{"page zone", 1})
	}
	var fits [facts]float64
	for _, l := range v.labels {
		for f, x := range l.fits {
			fits[f] = max(fits[f], x)
		}
	}
	for f, x := range fits {
		if x > 0 {
			out = append(out, Feature{"page label " + string(FactNames[f]), x})
		}
	}
	seen := map[kind]map[int]bool{}
	for _, c := range v.all {
		if seen[c.kind] == nil {
			seen[c.kind] = map[int]bool{}
		}
		seen[c.kind][c.spans[0].row] = true
	}
	for k, name := range kindNames {
		out = append(out, Feature{fmt.Sprintf("page %ss %d", name, min(len(seen[kind(k)]), 6)), 1})
	}
	return out
}

// wordsOf are the words of a candidate, by their places among those that are seen.
func (v view) wordsOf(c candidate, at [][]int) []int {
	var out []int
	for _, s := range c.spans {
		for i, n := range at[s.row] {
			if w := v.rows[s.row].words[i]; w.from < s.to && s.from < w.to {
				out = append(out, n)
			}
		}
	}
	return out
}

func (v view) seenWord(k, i int) SeenWord {
	r := v.rows[k]
	w := r.words[i]
	out := SeenWord{Row: k, From: w.from, To: w.to}
	for _, p := range partsOfWord(w.text) {
		out.Parts = append(out.Parts, bucketOf(p, PartBuckets))
	}
	for _, f := range formsOf(r, i) {
		out.Forms = append(out.Forms, bucketOf(f, FormBuckets))
	}
	before, after := 4.0, 4.0
	if i > 0 {
		before = gapOf(r, r.words[i-1], w) / r.h
	}
	if i+1 < len(r.words) {
		after = gapOf(r, w, r.words[i+1]) / r.h
	}
	mean, least := r.sure(w.from, w.to)
	wide, tall := float64(max(1, v.page.Width)), float64(max(1, v.page.Height))
	numbers := []float64{
		clamp(math.Log(r.h/v.usual), -1, 1), clamp(w.x0/wide, 0, 1), clamp(w.x1/wide, 0, 1), clamp(r.y/tall, 0, 1), clamp(before, 0, 4) / 4, clamp(after, 0, 4) / 4,
		is(i == 0), is(i == len(r.words)-1), mean, least, math.Min(1, float64(len(r.words))/8),
	}
	for n, x := range numbers {
		out.Numbers[n] = float32(x)
	}
	v.labelNumbers(&out, len(numbers))
	return out
}

// labelNumbers are what the label means that a word is part of, and what the field's number that it is.
func (v view) labelNumbers(w *SeenWord, at int) {
	for _, l := range v.labels {
		if l.row != w.Row || l.words[0].from >= w.To || l.words[len(l.words)-1].to <= w.From {
			continue
		}
		to := w.Numbers[at:]
		if l.number {
			to = to[facts+1:]
		}
		for f, x := range l.fits {
			to[f] = max(to[f], float32(x))
		}
		to[facts] = max(to[facts], float32(l.other))
	}
}

func is(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// bucketOf is the row of a text in a table of rows (FNV-1a).
func bucketOf(text string, rows uint32) int {
	h := uint32(2166136261)
	for i := range len(text) {
		h = (h ^ uint32(text[i])) * 16777619
	}
	return int((h ^ h>>15) % rows)
}

// partsOfWord are the runs of letters of a text that tell what it means: of each word, folded, with its ends marked, those of three to five
// letters and the word itself. Figures are alike.
func partsOfWord(text string) []string {
	var out []string
	for w := range strings.FieldsFuncSeq(lexicon.Fold(text), func(r rune) bool { return (r < 'A' || r > 'Z') && (r < '0' || r > '9') }) {
		w = "<" + strings.Map(func(r rune) rune {
			if r <= '9' {
				return '0'
			}
			return r
		}, w[:min(len(w), 24)]) + ">"
		out = append(out, w)
		for n := 3; n <= 5; n++ {
			for i := 0; i+n <= len(w) && n < len(w); i++ {
				out = append(out, w[i:i+n])
			}
		}
	}
	return out
}

// longestForm is how much of a word's form is told from others.
const longestForm = 14

// formsOf are the forms of a word: its figures and letters, large and small, one by one and in runs; its number, its length and the signs
// before and behind it.
func formsOf(r row, i int) []string {
	w := r.words[i]
	var full, runs []rune
	for _, c := range w.text {
		f := c
		switch {
		case unicode.IsDigit(c):
			f = '0'
		case unicode.IsUpper(c):
			f = 'A'
		case unicode.IsLetter(c):
			f = 'a'
		}
		if full = append(full, f); len(runs) == 0 || runs[len(runs)-1] != f {
			runs = append(runs, f)
		}
	}
	end := ""
	if i+1 == len(r.words) {
		end = string(r.runes[w.to:])
	} else {
		end = r.words[i+1].before
	}
	return []string{
		"=" + string(full[:min(len(full), longestForm)]), "~" + string(runs[:min(len(runs), longestForm)]), fmt.Sprintf("l%d", min(len(full), 16)),
		"<" + signs(w.before), ">" + signs(end), numberForm(w.text),
	}
}

// signs are what stands between two words without its spaces: up to two signs.
func signs(s string) string {
	all := []rune(strings.Join(strings.Fields(s), ""))
	return string(all[:min(len(all), 2)])
}

// numberForm is what a word in figures can be of a date.
func numberForm(s string) string {
	n := 0
	for _, c := range s {
		if c < '0' || c > '9' {
			return "#none"
		}
		n = min(10*n+int(c-'0'), 1e6)
	}
	switch {
	case len(s) <= 2 && n == 0, len(s) == 4 && (n < 1890 || n > 2090), len(s) == 3, len(s) > 4:
		return fmt.Sprintf("#%d", min(len(s), 12))
	case len(s) == 4:
		return fmt.Sprintf("#year %d", n/10)
	case n <= 12:
		return fmt.Sprintf("#month %d", len(s))
	case n <= 31:
		return "#day"
	}
	return "#above"
}

// placed is where a word is.
type placed struct {
	row, word    int
	x0, x1, y, h float64
}

// Bounds of distances between words, in heights: of rows, of white beside each other.
var (
	downBounds  = [...]float64{1.3, 2.1, 3.6, 7}
	whiteBounds = [...]float64{.9, 2.5, 6, 14}
)

func stepOf(v float64, bounds []float64) int {
	n := 0
	for n < len(bounds) && v >= bounds[n] {
		n++
	}
	return n
}

// placeOf is how b lies to a, as one of placeKinds.
func placeOf(a, b placed) uint8 {
	h := max(a.h, b.h)
	dy := (b.y - a.y) / h
	if a.row == b.row && a.word == b.word {
		return 0
	}
	if a.row == b.row || math.Abs(dy) < .6 {
		return besideOf(a, b, h)
	}
	across := 0
	switch white := max(a.x0-b.x1, b.x0-a.x1) / h; {
	case math.Abs(a.x0-b.x0) < .7*h:
	case white < 0:
		across = 1
	case b.x1 <= a.x0 && white < whiteBounds[2]:
		across = 2
	case b.x1 <= a.x0:
		across = 3
	case white < whiteBounds[2]:
		across = 4
	default:
		across = 5
	}
	down := stepOf(math.Abs(dy), downBounds[:])
	if dy > 0 {
		down += len(downBounds) + 1
	}
	return uint8(24 + 6*down + across) //nolint:gosec // less than placeKinds
}

// besideOf is how b lies to a on one row: 1 to 20.
func besideOf(a, b placed, h float64) uint8 {
	white, n := (b.x0-a.x1)/h, 1
	if b.x0 < a.x0 {
		white, n = (a.x0-b.x1)/h, 11
	}
	if a.row == b.row && (a.word-b.word == 1 || b.word-a.word == 1) {
		n += 5
	}
	return uint8(n + stepOf(white, whiteBounds[:])) //nolint:gosec // less than placeKinds
}
