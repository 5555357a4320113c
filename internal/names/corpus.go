package names

import (
	"math"
	"slices"
)

// Corpus counts the names of lists: how often each sound occurs, and which sounds the lists themselves use for one person. Its
// zero value is not ready; use [NewCorpus].
type Corpus struct {
	names  int
	counts map[string]int
	pairs  map[[2]string]int
	sealed map[[2]string]bool
}

// NewCorpus returns an empty corpus.
func NewCorpus() *Corpus {
	return &Corpus{counts: map[string]int{}, pairs: map[[2]string]int{}}
}

// Add counts the names of one person. From names that agree in all words but one, it learns that the two words left may be
// forms of one name.
func (c *Corpus) Add(person []Name) {
	for _, n := range person {
		c.names++
		seen := map[string]bool{}
		for _, t := range n.Tokens {
			if k := t.countKey(); t.Sort == Word && !seen[k] {
				seen[k] = true
				c.counts[k]++
			}
		}
	}
	learned := map[[2]string]bool{}
	for i, a := range person[:min(len(person), maxLearned)] {
		for _, b := range person[i+1 : min(len(person), maxLearned)] {
			if p, ok := onlyDifference(a, b); ok && !learned[p] {
				learned[p] = true
				c.pairs[p]++
			}
		}
	}
	c.sealed = nil
}

// maxLearned bounds the names of one person that are compared with each other.
const maxLearned = 40

// countKey is under which a token is counted.
func (t Token) countKey() string {
	if t.Sound == "" {
		return t.Folded
	}
	return t.Sound
}

// onlyDifference returns the one sound in which two names of as many words differ.
func onlyDifference(a, b Name) ([2]string, bool) {
	x, y := soundsOf(a), soundsOf(b)
	if len(x) != len(y) || len(x) < 2 {
		return [2]string{}, false
	}
	var left []string
	for _, s := range x {
		if i := slices.Index(y, s); i >= 0 {
			y = slices.Delete(y, i, i+1)
		} else {
			left = append(left, s)
		}
	}
	if len(left) != 1 || len(y) != 1 {
		return [2]string{}, false
	}
	return ordered(left[0], y[0]), true
}

func soundsOf(n Name) []string {
	var out []string
	for _, t := range n.Tokens {
		if t.Sort == Word && t.Sound != "" && !t.Bare {
			out = append(out, t.Sound)
		}
	}
	return out
}

func ordered(a, b string) [2]string {
	if a > b {
		a, b = b, a
	}
	return [2]string{a, b}
}

// Equivalents returns the pairs of sounds that are taken for forms of one name, in order: pairs that two people have whose
// consonants are alike, and pairs that four people have whatever they look like. A pair has to make up a part of all names that
// have the rarer of both: Mohamed and Ahmed are names of one person often enough, and two names.
func (c *Corpus) Equivalents() [][2]string {
	var out [][2]string
	for p, n := range c.pairs {
		if min(len(p[0]), len(p[1])) < 3 {
			continue
		}
		often := float64(n) / float64(1+min(c.counts[p[0]], c.counts[p[1]]))
		switch x, y := skeleton(p[0]), skeleton(p[1]); {
		case n >= 2 && x == y && often >= 0.01, n >= 2 && p[0][0] == p[1][0] && likeness(x, y) >= 0.6 && often >= 0.03, n >= 4 && often >= 0.1:
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	return out
}

// Equivalent implements [Reference].
func (c *Corpus) Equivalent(a, b string) bool {
	if c.sealed == nil {
		c.sealed = map[[2]string]bool{}
		for _, p := range c.Equivalents() {
			c.sealed[p] = true
		}
	}
	return c.sealed[ordered(a, b)]
}

// Bits implements [Reference].
func (c *Corpus) Bits(t Token) float64 {
	return Rarity(c.Count(t), c.names)
}

// Count returns how many names have a token of this sound.
func (c *Corpus) Count(t Token) int { return c.counts[t.countKey()] }

// Rarity is the bits of a word that count of all names have. Half a name more is counted than was seen.
func Rarity(count, all int) float64 {
	return math.Log2((float64(all) + 1) / (float64(count) + 0.5))
}
