package reading

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"

	"github.com/bonafide-id/bonafide/bench/reading/relaid"
	"github.com/bonafide-id/bonafide/internal/reading"
)

// factCount is how many facts a page is solved for.
const factCount = len(reading.FactNames)

// Tags teach the network what a word is. The first factCount are the values of facts, in the order of FactNames. The labels of the same facts
// follow, then the label of any other field, then words that are neither. openWord marks words about which nothing is known.
const (
	labelWord = factCount
	otherWord = 2*factCount + 1
	openWord  = 255
)

// SightWriter writes pages as the network sees them, for models/reading/train.py, which says how they are laid out.
type SightWriter struct {
	to    io.Writer
	at    map[string]int // places of features
	names []string
	Grow  bool // features that are new get a place; else they are left out
}

// NewSightWriter writes to a stream. names are the features that have a place already.
func NewSightWriter(to io.Writer, names []string) *SightWriter {
	w := &SightWriter{to: to, at: map[string]int{}, names: names}
	for i, name := range names {
		w.at[name] = i
	}
	return w
}

// Names are the features by their places.
func (w *SightWriter) Names() []string { return w.names }

// page is what is written of one.
type sightPage struct {
	counts                [8]uint32
	parts, forms          []uint16
	partCounts, formCount []uint16
	numbers               []float32
	tags                  []uint8
	first, last           []uint16
	wordCounts, words     []uint16
	terms                 []uint16
	values                []float32
	termCounts            []uint16
	missed                []uint16
	missedValues          []float32
	optionFacts           []uint8
	optionAt              []uint16
	optionRight           []uint8
	noneRight             [factCount]uint8
}

// Write writes one picture. labels are as relaid.Drawn has them; nil: not known.
func (w *SightWriter) Write(p Picture, labels [][]int8) error {
	problem, sight := reading.SightOf(p.Page)
	var out sightPage
	out.addWords(sight)
	tags := tagsOf(sight, labels)
	w.addCandidates(&out, sight)
	for f := range factCount {
		right := rightOptions(p, &problem, f)
		out.noneRight[f] = flag(right[0])
		for i, o := range problem.Options[f][1:] {
			out.optionFacts, out.optionAt = append(out.optionFacts, narrow[uint8](f)), append(out.optionAt, narrow[uint16](o.At))
			out.optionRight = append(out.optionRight, flag(right[i+1]))
			if right[i+1] {
				for _, n := range sight.Candidates[o.At].Words {
					tags[n] = narrow[uint8](f)
				}
			}
		}
	}
	out.tags = tags
	out.missed, out.missedValues = w.placed(sight.Absence)
	out.counts = [8]uint32{
		narrow[uint32](len(sight.Words)), narrow[uint32](len(out.parts)), narrow[uint32](len(out.forms)), narrow[uint32](len(sight.Candidates)),
		narrow[uint32](len(out.words)), narrow[uint32](len(out.terms)), narrow[uint32](len(out.missed)), narrow[uint32](len(out.optionAt)),
	}
	for _, x := range []any{
		out.counts, out.parts, out.partCounts, out.forms, out.formCount, out.numbers, sight.Places, out.tags, out.first, out.last, out.wordCounts, out.words,
		out.terms, out.values, out.termCounts, out.missed, out.missedValues, out.optionFacts, out.optionAt, out.optionRight, out.noneRight,
	} {
		if err := binary.Write(w.to, binary.LittleEndian, x); err != nil {
			return err
		}
	}
	return nil
}

func (out *sightPage) addWords(s reading.Sight) {
	for _, word := range s.Words {
		for _, b := range word.Parts {
			out.parts = append(out.parts, narrow[uint16](b))
		}
		for _, b := range word.Forms {
			out.forms = append(out.forms, narrow[uint16](b))
		}
		out.partCounts, out.formCount = append(out.partCounts, narrow[uint16](len(word.Parts))), append(out.formCount, narrow[uint16](len(word.Forms)))
		out.numbers = append(out.numbers, word.Numbers[:]...)
	}
}

func (w *SightWriter) addCandidates(out *sightPage, s reading.Sight) {
	for _, c := range s.Candidates {
		first, last := math.MaxUint16, math.MaxUint16
		if n := len(c.Words); n > 0 {
			first, last = c.Words[0], c.Words[n-1]
		}
		out.first, out.last = append(out.first, narrow[uint16](first)), append(out.last, narrow[uint16](last))
		out.wordCounts = append(out.wordCounts, narrow[uint16](len(c.Words)))
		for _, n := range c.Words {
			out.words = append(out.words, narrow[uint16](n))
		}
		at, values := w.placed(c.Terms)
		out.terms, out.values = append(out.terms, at...), append(out.values, values...)
		out.termCounts = append(out.termCounts, narrow[uint16](len(at)))
	}
}

// placed are features by their places.
func (w *SightWriter) placed(features []reading.Feature) (at []uint16, values []float32) {
	for _, f := range features {
		i, seen := w.at[f.Name]
		if !seen && w.Grow {
			i, seen = len(w.names), true
			w.at[f.Name], w.names = i, append(w.names, f.Name)
		}
		if seen && f.Value != 0 {
			at, values = append(at, narrow[uint16](i)), append(values, float32(f.Value))
		}
	}
	return at, values
}

// tagsOf are what the words are, as far as labels say so.
func tagsOf(s reading.Sight, labels [][]int8) []uint8 {
	out := make([]uint8, len(s.Words))
	for i, word := range s.Words {
		out[i] = openWord
		if labels == nil || word.Row >= len(labels) {
			continue
		}
		out[i] = uint8(otherWord)
		for _, l := range labels[word.Row][min(word.From, len(labels[word.Row])):min(word.To, len(labels[word.Row]))] {
			if l > 0 {
				out[i] = narrow[uint8](labelWord + int(l) - 1)
			}
		}
	}
	return out
}

// narrow is a number as another type. It panics where the number does not fit: a file must not hold another one in its place.
func narrow[T uint8 | uint16 | uint32 | uint64](n int) T {
	out := T(n) //nolint:gosec // compared below
	if n < 0 || uint64(out) != uint64(n) {
		panic(fmt.Sprintf("%d does not fit into %T", n, out))
	}
	return out
}

func flag(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}

// excerpt is a few lines of a page that follow each other, as a hand or the edge of a picture leaves them.
func excerpt(p Picture, labels [][]int8, seed uint64) (Picture, [][]int8) {
	rng := rand.New(rand.NewPCG(seed, 23))
	if n := len(p.Page.Lines); n > 1 {
		from := rng.IntN(n)
		to := min(n, from+1+rng.IntN(7))
		p.Page.Lines, labels = p.Page.Lines[from:to], labels[from:to]
	}
	return p, labels
}

// Training draws the page of a number for a network to learn: of unknown layouts mostly, of known ones, and with labels blurred.
func Training(m *relaid.Mill, i int) ([]Picture, [][]int8, error) {
	n, page := i/10, i%10
	if page >= 3 {
		d := m.Page(7*n + page - 3)
		p := pictureOf(d.Cached)
		switch {
		case page >= 8:
			p = BlurLabels(p, d.Labels, []float64{.3, .6, 1}[n%3], narrow[uint64](i))
		case page == 5 && n%2 == 0:
			return []Picture{Garbled(p, narrow[uint64](i))}, nil, nil
		case page == 6 && n%2 == 0:
			p, d.Labels = excerpt(p, d.Labels, narrow[uint64](i))
		}
		return []Picture{p}, d.Labels, nil
	}
	sides, err := m.Known(3*n + page)
	if err != nil {
		return nil, nil, err
	}
	var out []Picture
	for _, c := range sides {
		p := pictureOf(c)
		if page == 2 {
			p = Blur(p, []float64{.3, .7, 1}[n%3], narrow[uint64](i))
		}
		out = append(out, p)
	}
	return out, nil, nil
}
