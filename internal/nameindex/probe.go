package nameindex

import (
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/names"
	"github.com/bonafide-id/bonafide/internal/watchlist"
)

// Probe tells quickly that a search cannot find any of some entries, so that a list that changed need not be searched for everybody.
// It looks at the same keys as a search does and judges the same names and facts, but only those of the entries: it never rules out
// what a search would find by them. It is safe for concurrent use.
type Probe struct {
	x       *Index
	near    map[uint32][]int32 // tokens by the digest of a key
	sounds  map[string][]int32 // tokens by the sounds that are equivalent to their own
	ids     map[string]int32   // of tokens, by folded word
	tokens  []names.Token      // without roles
	shapes  []names.Shape      // of the tokens
	owners  [][]int32          // names that have a token
	names   []probed
	bits    map[string]float64
	numbers map[string]bool
}

// probed is a name of an entry.
type probed struct {
	parsed names.Name
	words  []int32 // its tokens, of a plain name; none of another
	weak   bool
	entity watchlist.Entity
}

// Probe returns a Probe for entries of the index.
func (x *Index) Probe(entries []watchlist.Entity) *Probe {
	p := &Probe{
		x: x, near: map[uint32][]int32{}, sounds: map[string][]int32{}, ids: map[string]int32{}, bits: map[string]float64{},
		numbers: map[string]bool{},
	}
	ref := reference{x, p.bits}
	for _, e := range entries {
		for _, n := range e.Names {
			parsed := n.Parsed()
			for _, t := range joinedWords(parsed) {
				p.add(t, int32(len(p.names))) //nolint:gosec // a list has at most some millions of names
			}
			var words []int32
			for _, t := range parsed.Tokens {
				ref.Bits(t)
				if t.Sort == names.Word {
					words = append(words, p.ids[t.Folded])
				}
			}
			if !parsed.Plain() {
				words = nil
			}
			p.names = append(p.names, probed{parsed, words, n.Strength == watchlist.Weak, e})
		}
		for _, d := range e.Documents {
			p.numbers[d.Number] = true
		}
	}
	return p
}

// add notes that a name has a token.
func (p *Probe) add(t names.Token, name int32) {
	id, ok := p.ids[t.Folded]
	if !ok {
		id = int32(len(p.tokens)) //nolint:gosec // as many at most as names have words
		p.ids[t.Folded] = id
		p.tokens, p.shapes, p.owners = append(p.tokens, roleless(t)), append(p.shapes, names.ShapeOf(t.Folded, t.Sound)), append(p.owners, nil)
		for _, key := range t.Keys() {
			for _, d := range shorter(key) {
				p.near[d] = append(p.near[d], id)
			}
		}
		for _, sound := range p.x.forms(t.Sound) {
			p.sounds[sound] = append(p.sounds[sound], id)
		}
	}
	p.owners[id] = append(p.owners[id], name)
}

// May reports whether a search could find one of the entries with a number of the person, or in a band for which alarms says true.
func (p *Probe) May(q Query, alarms func(names.Band) bool) bool {
	for _, n := range q.Numbers {
		if p.numbers[n] {
			return true
		}
	}
	for _, n := range q.Names {
		if n.Usable() && p.mayName(n, q, alarms) {
			return true
		}
	}
	return false
}

// probing is one name that is looked for among those of the entries.
type probing struct {
	*Probe
	name     names.Name
	plain    bool
	sieves   []names.Sieve // of its words
	answers  [][]answer    // of each sieve, by token: many names share their words
	ref      probeReference
	seen     []bool // tokens that the word that is looked up has met
	compared []bool // names
}

// answer is whether a word is like a token.
type answer uint8

const (
	notAsked answer = iota
	isAlike
	isApart
)

// mayName compares a name with those of the entries that have a word like one of its own.
func (p *Probe) mayName(n names.Name, q Query, alarms func(names.Band) bool) bool {
	r := probing{
		Probe: p, name: n, plain: n.Plain(), ref: probeReference{reference{p.x, map[string]float64{}}, p.bits}, seen: make([]bool, len(p.tokens)),
		compared: make([]bool, len(p.names)),
	}
	for _, t := range n.Tokens {
		if t.Sort == names.Word {
			r.sieves = append(r.sieves, names.NewSieve(t, p.x.equivalents[t.Sound]))
			r.answers = append(r.answers, make([]answer, len(p.tokens)))
		}
	}
	for _, t := range p.x.words(n) {
		clear(r.seen)
		sieve := names.NewSieve(t, p.x.equivalents[t.Sound])
		for _, ids := range p.alike(t) {
			for _, id := range ids {
				if r.seen[id] {
					continue
				}
				r.seen[id] = true
				if r.likeness(sieve, id) > 0 && r.mayOwner(id, q, alarms) {
					return true
				}
			}
		}
	}
	return false
}

// likeness compares a word with a token of the entries.
func (r *probing) likeness(s names.Sieve, id int32) float64 {
	if s.Apart(r.shapes[id]) {
		return 0
	}
	return s.Alike(r.shapes[id], r.tokens[id].Folded, r.tokens[id].Sound, r.ref)
}

// mayOwner compares the names that have a token.
func (r *probing) mayOwner(id int32, q Query, alarms func(names.Band) bool) bool {
	for _, name := range r.owners[id] {
		if r.compared[name] {
			continue
		}
		r.compared[name] = true
		if !r.oneWord(r.names[name]) && alarms(r.names[name].band(r.name, q, r.ref)) {
			return true
		}
	}
	return false
}

// oneWord reports that one word at most is like one of the other name, and that no words are one word there: they are two names.
func (r *probing) oneWord(o probed) bool {
	if !r.plain || len(o.words) == 0 {
		return false
	}
	alike := 0
	for s := range r.sieves {
		if slices.ContainsFunc(o.words, func(id int32) bool { return r.isAlike(s, id) }) {
			if alike++; alike > 1 {
				return false
			}
		}
	}
	return !names.MayFuse(r.name.Tokens, o.parsed.Tokens)
}

// isAlike reports whether a word of the name is like a token.
func (r *probing) isAlike(sieve int, id int32) bool {
	a := &r.answers[sieve][id]
	if *a == notAsked {
		if *a = isApart; r.likeness(r.sieves[sieve], id) > 0 {
			*a = isAlike
		}
	}
	return *a == isAlike
}

// band is that in which a search that compares this name finds its entry.
func (o probed) band(n names.Name, q Query, ref names.Reference) names.Band {
	c := names.Compare(n, o.parsed, ref)
	if !c.Shown() {
		return names.BandNone
	}
	return names.Assess(c, c.Grade(o.weak), facts(q, o.entity))
}

// alike returns tokens that a word may be, some more than once.
func (p *Probe) alike(t names.Token) [][]int32 {
	out := [][]int32{p.sounds[t.Sound]}
	for _, key := range t.Keys() {
		wanted := shorter(key)
		if strings.Contains(key, "=") {
			wanted = wanted[:1]
		}
		for _, d := range wanted {
			out = append(out, p.near[d])
		}
	}
	return out
}

// probeReference knows the words of the entries already.
type probeReference struct {
	reference
	known map[string]float64
}

// Bits implements [names.Reference].
func (r probeReference) Bits(t names.Token) float64 {
	if b, ok := r.known[t.Folded]; ok {
		return b
	}
	return r.reference.Bits(t)
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
