package nameindex

import (
	"strings"

	"github.com/bonafide-id/bonafide/internal/names"
	"github.com/bonafide-id/bonafide/internal/watchlist"
)

// Probe tells quickly that a search cannot find any of some entries, so that a list that changed need not be searched for everybody.
// It looks at the same keys as a search does, and never rules out what a search would find by them.
type Probe struct {
	near    map[uint32]bool
	numbers map[string]bool
}

// Probe returns a Probe for entries of the index.
func (x *Index) Probe(entries []watchlist.Entity) *Probe {
	p := &Probe{near: map[uint32]bool{}, numbers: map[string]bool{}}
	for _, e := range entries {
		for _, n := range e.Names {
			for _, t := range joinedWords(n.Parsed()) {
				p.add(t)
				for sound := range x.equivalents[t.Sound] {
					p.add(names.NewToken(sound))
				}
			}
		}
		for _, d := range e.Documents {
			p.numbers[d.Number] = true
		}
	}
	return p
}

func (p *Probe) add(t names.Token) {
	for _, key := range t.Keys() {
		for _, d := range shorter(key) {
			p.near[d] = true
		}
	}
}

// May reports whether a search could find one of the entries.
func (p *Probe) May(q Query) bool {
	for _, n := range q.Numbers {
		if p.numbers[n] {
			return true
		}
	}
	for _, n := range q.Names {
		for _, t := range joinedWords(n) {
			for _, key := range t.Keys() {
				if p.hasKey(key) {
					return true
				}
			}
		}
	}
	return false
}

func (p *Probe) hasKey(key string) bool {
	wanted := shorter(key)
	if strings.Contains(key, "=") {
		wanted = wanted[:1]
	}
	for _, d := range wanted {
		if p.near[d] {
			return true
		}
	}
	return false
}

// joinedWords are the words of a name, and neighbours written as one.
func joinedWords(n names.Name) []names.Token {
	var out []names.Token
	for i, t := range n.Tokens {
		if t.Sort == names.Word {
			out = append(out, t)
		}
		if i+1 < len(n.Tokens) {
			out = append(out, names.Joined(t, n.Tokens[i+1])...)
		}
	}
	return out
}
