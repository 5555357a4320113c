package reading

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// vectors multiplies matrices and lists with the vector instructions that a processor has.
var vectors gonum.Implementation

// Sizes of the network that reads a page (models/reading/net.py).
const (
	netWidth  = 96
	netHeads  = 4
	netLayers = 4
	netInner  = 192
	netDepth  = 16
	netHidden = 96
	headWidth = netWidth / netHeads
)

// Tensor is a table of numbers, row by row.
type Tensor struct {
	Rows, Columns int
	Values        []float32
}

func (t Tensor) row(i int) []float32 { return t.Values[i*t.Columns : (i+1)*t.Columns] }

// Net reads a page: its words attend to each other by what they say and by how they lie to each other, and its candidates are judged by
// their words and by what the witnesses say.
type Net struct {
	Witnesses                                                                                  []string // names of the features by their rows
	Tensors                                                                                    map[string]Tensor
	at                                                                                         map[string]int
	layers                                                                                     [netLayers]netLayer
	parts, forms, word, number, places, ends, terms, direct, judge, page, missed, absent, none dense
	last                                                                                       levelled
}

// dense is a layer: a row of weights for each output, and what each begins with.
type dense struct {
	Tensor
	bias []float32
}

// levelled makes a mean of 0 and a variance of 1, then scales.
type levelled struct{ scale, shift []float32 }

type netLayer struct {
	before, between     levelled
	into, out, up, down dense
}

// NewNet takes the tensors of a trained network by their names.
func NewNet(witnesses []string, tensors map[string]Tensor) (*Net, error) {
	n := &Net{Witnesses: witnesses, Tensors: tensors, at: map[string]int{}}
	for i, name := range witnesses {
		n.at[name] = i
	}
	var failed error
	take := func(name string, rows, columns int) Tensor {
		t := tensors[name]
		if t.Rows != rows || t.Columns != columns || len(t.Values) != rows*columns {
			failed = fmt.Errorf("network: %s is %d × %d, want %d × %d", name, t.Rows, t.Columns, rows, columns)
		}
		return t
	}
	layer := func(name string, out, in int) dense {
		return dense{take(name+".weight", out, in), take(name+".bias", 1, out).Values}
	}
	scaled := func(name string) levelled {
		return levelled{take(name+".weight", 1, netWidth).Values, take(name+".bias", 1, netWidth).Values}
	}
	w := len(witnesses)
	n.parts.Tensor, n.forms.Tensor = take("parts", PartBuckets, netDepth), take("forms", FormBuckets, netDepth)
	n.word, n.number.Tensor = layer("word", netWidth, 2*netDepth), take("number.weight", netWidth, WordNumbers)
	n.places.Tensor, n.last = take("places", placeKinds, netLayers*netHeads), scaled("last")
	for k := range n.layers {
		name := fmt.Sprintf("layers.%d.", k)
		n.layers[k] = netLayer{
			scaled(name + "before"), scaled(name + "between"), layer(name+"into", 3*netWidth, netWidth), layer(name+"out", netWidth, netWidth),
			layer(name+"up", netInner, netWidth), layer(name+"down", netWidth, netInner),
		}
	}
	n.ends, n.judge = layer("ends", 3*netHidden, netWidth), layer("judge", facts, netHidden)
	n.page, n.none = layer("page", netHidden, 2*netWidth), layer("none", facts, netHidden)
	n.terms.Tensor, n.direct.Tensor = take("terms", w, netHidden), take("direct", w, facts)
	n.missed.Tensor, n.absent.Tensor = take("missed", w, netHidden), take("absent", w, facts)
	if failed != nil {
		return nil, failed
	}
	return n, nil
}

// Without is the network without the witnesses whose features' names are gone: to measure what they are worth.
func (n *Net) Without(gone func(name string) bool) *Net {
	out := *n
	out.at = map[string]int{}
	for name, at := range n.at {
		if !gone(name) {
			out.at[name] = at
		}
	}
	return &out
}

// Scores are how well each candidate of a page fits each fact, and how well it fits that the fact is not printed, as natural logarithms of
// odds.
func (n *Net) Scores(s Sight) (candidates [][facts]float64, none [facts]float64) {
	if len(s.Words) == 0 {
		return make([][facts]float64, len(s.Candidates)), none
	}
	x := n.embed(s)
	for k := range n.layers {
		n.attend(k, x, s.Places)
		l := &n.layers[k]
		inner, normed := make([]float32, netInner), make([]float32, netWidth)
		for _, row := range x {
			l.between.of(normed, row)
			l.up.of(inner, normed)
			positive(inner)
			l.down.of(normed, inner)
			plus(row, normed)
		}
	}
	for _, row := range x {
		n.last.of(row, row)
	}
	return n.candidates(s, x), n.absences(s, x)
}

// embed is each word by its letters, its form and its place.
func (n *Net) embed(s Sight) [][]float32 {
	out := make([][]float32, len(s.Words))
	numbers := make([]float32, netWidth)
	for i, w := range s.Words {
		var seen [2 * netDepth]float32
		mean(seen[:netDepth], n.parts.Tensor, w.Parts)
		mean(seen[netDepth:], n.forms.Tensor, w.Forms)
		out[i] = make([]float32, netWidth)
		n.word.of(out[i], seen[:])
		n.number.of(numbers, w.Numbers[:])
		plus(out[i], numbers)
	}
	return out
}

// mean is the mean of rows of a table.
func mean(out []float32, table Tensor, rows []int) {
	for _, b := range rows {
		plus(out, table.row(b))
	}
	for k := range out {
		out[k] /= float32(max(1, len(rows)))
	}
}

// attend lets each word take from the others what a layer looks for.
func (n *Net) attend(k int, x [][]float32, places []uint8) {
	l := &n.layers[k]
	all := make([][]float32, len(x)) // queries, keys and values
	normed := make([]float32, netWidth)
	for i, row := range x {
		l.before.of(normed, row)
		all[i] = make([]float32, 3*netWidth)
		l.into.of(all[i], normed)
	}
	scale := float32(1 / math.Sqrt(headWidth))
	weights, taken := make([]float32, len(x)), make([]float32, netWidth)
	for i, row := range x {
		clear(taken)
		for h := range netHeads {
			from := h * headWidth
			query := all[i][from : from+headWidth]
			most := float32(math.Inf(-1))
			for j := range all {
				weights[j] = scale*dot(query, all[j][netWidth+from:netWidth+from+headWidth]) + n.places.row(int(places[i*len(x)+j]))[k*netHeads+h]
				most = max(most, weights[j])
			}
			softmax(weights, most)
			to := taken[from : from+headWidth]
			for j, w := range weights {
				if w < 1e-4 {
					continue
				}
				vectors.Saxpy(headWidth, w, all[j][2*netWidth+from:], 1, to, 1)
			}
		}
		l.out.of(normed, taken)
		plus(row, normed)
	}
}

func softmax(x []float32, most float32) {
	var sum float32
	for j, v := range x {
		x[j] = float32(math.Exp(float64(v - most)))
		sum += x[j]
	}
	for j := range x {
		x[j] /= sum
	}
}

// candidates judges the candidates by their first words, their last ones, the mean of all, and what the witnesses say.
func (n *Net) candidates(s Sight, x [][]float32) [][facts]float64 {
	ends := make([][]float32, len(x))
	for i := range x {
		ends[i] = make([]float32, 3*netHidden)
		n.ends.of(ends[i], x[i])
	}
	out := make([][facts]float64, len(s.Candidates))
	hidden, scores := make([]float32, netHidden), make([]float32, facts)
	for i, c := range s.Candidates {
		if len(c.Words) == 0 {
			continue
		}
		clear(hidden)
		for _, w := range c.Words {
			plus(hidden, ends[w][2*netHidden:])
		}
		for k := range hidden {
			hidden[k] /= float32(len(c.Words))
		}
		plus(hidden, ends[c.Words[0]][:netHidden])
		plus(hidden, ends[c.Words[len(c.Words)-1]][netHidden:2*netHidden])
		n.heard(out[i][:], c.Terms, n.judge, n.terms, n.direct, hidden, scores)
	}
	return out
}

// heard adds what witnesses say to hidden units and to the scores that they make.
func (n *Net) heard(out []float64, terms []Feature, judge, table, direct dense, hidden, scores []float32) {
	for _, t := range terms {
		at, known := n.at[t.Name]
		if !known || t.Value == 0 {
			continue
		}
		v := float32(t.Value)
		for k, w := range table.row(at) {
			hidden[k] += v * w
		}
		for f, w := range direct.row(at) {
			out[f] += float64(v * w)
		}
	}
	positive(hidden)
	judge.of(scores, hidden)
	for f, v := range scores {
		out[f] += float64(v)
	}
}

// absences judges that facts are not printed by the mean and the most of the words.
func (n *Net) absences(s Sight, x [][]float32) (out [facts]float64) {
	page := make([]float32, 2*netWidth)
	copy(page[netWidth:], x[0])
	for _, row := range x {
		for k, v := range row {
			page[k] += v / float32(len(x))
			page[netWidth+k] = max(page[netWidth+k], v)
		}
	}
	hidden := make([]float32, netHidden)
	n.page.of(hidden, page)
	n.heard(out[:], s.Absence, n.none, n.missed, n.absent, hidden, make([]float32, facts))
	return out
}

// of is the layer's answer to an input.
func (d dense) of(out, in []float32) {
	clear(out[copy(out, d.bias):])
	vectors.Sgemv(blas.NoTrans, d.Rows, d.Columns, 1, d.Values, d.Columns, in, 1, 1, out, 1)
}

func (n levelled) of(out, in []float32) {
	var sum, squares float32
	for _, v := range in {
		sum += v
	}
	middle := sum / float32(len(in))
	for _, v := range in {
		squares += (v - middle) * (v - middle)
	}
	by := float32(1 / math.Sqrt(float64(squares/float32(len(in)))+1e-5))
	for k, v := range in {
		out[k] = (v-middle)*by*n.scale[k] + n.shift[k]
	}
}

// dot is the sum of products of two lists of one length.
func dot(a, b []float32) float32 { return vectors.Sdot(len(a), a, 1, b, 1) }

func plus(to, more []float32) {
	for k, v := range more[:len(to)] {
		to[k] += v
	}
}

func positive(x []float32) {
	for k, v := range x {
		x[k] = max(0, v)
	}
}
