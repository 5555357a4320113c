package reading

import (
	"math"
	"strings"
)

// Senses of a text by its letters: the label of a fact, by the fact's place in FactNames, the label of what is no fact, or a value.
const (
	OtherLabel = facts + iota
	FamilyNames
	GivenNames
	BothNames
	Place
	Office
	Residence
	Nation
	Title
	Remark
	Senses
)

// senseNames are the senses in the names of features.
var senseNames = func() (out [Senses]string) {
	for f, name := range FactNames {
		out[f] = "label of " + string(name)
	}
	copy(out[facts:], []string{"label of another", "family", "given", "both names", "place", "office", "residence", "nation", "title", "remark"})
	return out
}()

// SenseParts are the runs of letters of a text that tell its sense: of each word, folded, with its ends marked, those of three to five
// letters and the word itself. Figures are alike.
func SenseParts(text string) []string {
	var out []string
	for w := range strings.FieldsFuncSeq(Fold(text), func(r rune) bool { return (r < 'A' || r > 'Z') && (r < '0' || r > '9') }) {
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

// Size of the network of senses.
const (
	SenseBuckets = 1 << 14
	SenseDepth   = 16
)

// SenseBucket is the row of a part (FNV-1a).
func SenseBucket(part string) int {
	h := uint32(2166136261)
	for i := range len(part) {
		h = (h ^ uint32(part[i])) * 16777619
	}
	return int((h ^ h>>15) % SenseBuckets)
}

// SenseNet tells the sense of a text: the mean of its parts' rows, and one layer of a softmax.
type SenseNet struct {
	Parts [SenseBuckets][SenseDepth]float32
	Out   [Senses][SenseDepth + 1]float32 // the last one is the bias
}

// Mean is the mean of the rows of a text's parts; false for a text without letters and figures.
func (n *SenseNet) Mean(buckets []int) (out [SenseDepth]float32, ok bool) {
	if len(buckets) == 0 {
		return out, false
	}
	for _, b := range buckets {
		for k, v := range n.Parts[b] {
			out[k] += v
		}
	}
	for k := range out {
		out[k] /= float32(len(buckets))
	}
	return out, true
}

// Of is how likely a text has each sense.
func (n *SenseNet) Of(text string) (out [Senses]float32) {
	parts := SenseParts(text)
	buckets := make([]int, len(parts))
	for i, p := range parts {
		buckets[i] = SenseBucket(p)
	}
	mean, ok := n.Mean(buckets)
	if !ok {
		return out
	}
	return n.Softmax(mean)
}

// Softmax is the last layer.
func (n *SenseNet) Softmax(mean [SenseDepth]float32) (out [Senses]float32) {
	var sum float32
	most := float32(math.Inf(-1))
	for c := range out {
		v := n.Out[c][SenseDepth]
		for k, x := range mean {
			v += n.Out[c][k] * x
		}
		out[c], most = v, max(most, v)
	}
	for c := range out {
		out[c] = float32(math.Exp(float64(out[c] - most)))
		sum += out[c]
	}
	for c := range out {
		out[c] /= sum
	}
	return out
}
