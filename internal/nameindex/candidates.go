package nameindex

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/bonafide-id/bonafide/internal/names"
)

// scratch is what a search works in.
type scratch struct {
	epoch   uint32
	stamp   []uint32  // by name: search and word that saw it last
	score   []float32 // by name
	touched []uint32
	word    uint32   // that is looked up, of all searches
	tokens  []uint32 // by token: word that saw it last
}

func newScratch(all, tokens int) *scratch {
	return &scratch{stamp: make([]uint32, all), score: make([]float32, all), tokens: make([]uint32, tokens)}
}

// begin starts a search: no name was seen.
func (s *scratch) begin() {
	s.epoch++
	if s.epoch >= 1<<26 {
		clear(s.stamp)
		s.epoch = 1
	}
	if s.word >= 1<<31 {
		clear(s.tokens)
		s.word = 0
	}
	s.touched = s.touched[:0]
}

// near is a token of the index that a word may be.
type near struct {
	token int
	like  float64
}

// candidates returns the names that may be the one searched for, the likeliest first.
func (x *Index) candidates(n names.Name, ref reference) []uint32 {
	s, _ := x.scratch.Get().(*scratch)
	defer x.scratch.Put(s)
	s.begin()
	words := x.words(n)
	slices.SortStableFunc(words, func(a, b names.Token) int { return cmp.Compare(ref.Bits(b), ref.Bits(a)) })
	looked := 0
	for i, w := range words {
		own := w.Bare || slices.ContainsFunc(n.Tokens, func(t names.Token) bool { return t.Folded == w.Folded })
		found := x.near(w, s, ref, own)
		for _, f := range found {
			at := x.sections[sectionPostingAt]
			from, to := int(at.at(f.token)), int(at.at(f.token+1))
			looked += to - from
			x.credit(s, from, to, uint32(i), float32(f.like*bitsOf(x, f.token)), looked > mostPostings) //nolint:gosec // few words
		}
	}
	return x.best(s)
}

func bitsOf(x *Index, token int) float64 {
	return min(14, names.Rarity(int(x.sections[sectionCounts].at(token)), x.foot.Names))
}

// credit adds to the names that have a token. Each word counts once for a name, by its nearest token.
func (x *Index) credit(s *scratch, from, to int, word uint32, worth float32, onlySeen bool) {
	postings := x.sections[sectionPostings]
	mark := s.epoch<<5 | word
	for i := from; i < to; i++ {
		name := postings.at(i)
		switch seen := s.stamp[name]; {
		case seen == mark:
			continue
		case seen>>5 == s.epoch:
			s.score[name] += worth
		case onlySeen:
			continue
		default:
			s.score[name] = worth
			s.touched = append(s.touched, name)
		}
		s.stamp[name] = mark
	}
}

// perWord is what each word of a name takes from its credit.
const perWord float32 = 0.4

// best returns the names with most credit; of equal ones those with fewer words.
func (x *Index) best(s *scratch) []uint32 {
	at := x.sections[sectionNameAt]
	worth := func(n uint32) float32 {
		return s.score[n] - perWord*float32(at.at(int(n)+1)-at.at(int(n)))
	}
	type ranked struct {
		name  uint32
		worth float32
	}
	top := make([]ranked, 0, 2*mostCandidates)
	least := float32(-1e9)
	better := func(a, b ranked) int { return cmp.Or(cmp.Compare(b.worth, a.worth), cmp.Compare(a.name, b.name)) }
	for _, n := range s.touched {
		if s.score[n]-perWord <= least { // a name has a word at least
			continue
		}
		if w := worth(n); w > least {
			if top = append(top, ranked{n, w}); len(top) == cap(top) {
				slices.SortFunc(top, better)
				top = top[:mostCandidates]
				least = top[mostCandidates-1].worth
			}
		}
	}
	slices.SortFunc(top, better)
	out := make([]uint32, 0, mostCandidates)
	for _, r := range top[:min(len(top), mostCandidates)] {
		out = append(out, r.name)
	}
	return out
}

// words are the tokens that are looked up: those of the name, neighbours written as one, and one written as two.
func (x *Index) words(n names.Name) []names.Token {
	var out []names.Token
	for i, t := range n.Tokens {
		if t.Sort == names.Word {
			out = append(out, t)
			out = append(out, x.halves(t)...)
		}
		if i+1 < len(n.Tokens) {
			out = append(out, names.Joined(t, n.Tokens[i+1])...)
		}
	}
	return out[:min(len(out), mostTokensOfAQuery)]
}

// halves cuts a word in two that are both in the index, where the word itself is not.
func (x *Index) halves(t names.Token) []names.Token {
	if _, ok := x.find(sectionTokens, sectionTokenAt, t.Folded); ok || len(t.Latin) < 7 || t.Bare {
		return nil
	}
	var out []names.Token
	for i := 3; i <= len(t.Latin)-3; i++ {
		_, first := x.find(sectionTokens, sectionTokenAt, t.Latin[:i])
		_, second := x.find(sectionTokens, sectionTokenAt, t.Latin[i:])
		if first && second {
			out = append(out, names.NewToken(t.Latin[:i]), names.NewToken(t.Latin[i:]))
		}
		if len(out) >= 4 {
			break
		}
	}
	return out
}

// near returns the tokens of the index that a word may be, the most alike first. A word that was made of others, which count if they
// are its own, has to have the same consonants: it joins only what is nearly the same.
func (x *Index) near(t names.Token, s *scratch, ref reference, own bool) []near {
	s.word++
	var out []near
	sieve := names.NewSieve(t, x.equivalents[t.Sound])
	add := func(token int) {
		if s.tokens[token] == s.word {
			return
		}
		s.tokens[token] = s.word
		shape := x.shape(token)
		if sieve.Apart(shape) || x.farApart(t, token) {
			return
		}
		folded, sound := x.tokens.view(token), x.sounds.view(token) // they go no further
		if like := sieve.Alike(shape, folded, sound, ref); like > 0 {
			out = append(out, near{token, like})
		}
	}
	for _, key := range t.Keys() {
		for _, k := range x.nearKeys(key, own) {
			x.eachOfKey(k, add)
		}
	}
	for _, sound := range x.forms(t.Sound) {
		if k, ok := x.find(sectionKeys, sectionKeyAt, names.NewToken(sound).Keys()[0]); ok {
			x.eachOfKey(k, func(token int) {
				if x.text(sectionSounds, sectionSoundAt, token) == sound {
					add(token)
				}
			})
		}
	}
	slices.SortFunc(out, func(a, b near) int { return cmp.Or(cmp.Compare(b.like, a.like), cmp.Compare(a.token, b.token)) })
	return out
}

func roleless(t names.Token) names.Token {
	t.Role = names.Any
	return t
}

// farApart rules out most tokens by the length of their sound. Where only the consonants of either are sure, it rules out none.
func (x *Index) farApart(t names.Token, token int) bool {
	if begins := x.tokens.at.at(token); x.tokens.raw[begins] >= utf8.RuneSelf {
		return false
	}
	n := int(x.sounds.at.at(token+1) - x.sounds.at.at(token))
	return !t.Bare && n > 0 && (n > len(t.Sound)+4 || n < len(t.Sound)-4)
}

func (x *Index) eachOfKey(key int, each func(int)) {
	at, tokens := x.sections[sectionKeyTokenAt], x.sections[sectionKeyTokens]
	for i := at.at(key); i < at.at(key+1); i++ {
		each(int(tokens.at(int(i))))
	}
}

// nearKeys returns the keys that are the given one, or, where others count, too, become it by leaving out a letter of either or of both.
func (x *Index) nearKeys(key string, others bool) []int {
	if !others {
		if k, ok := x.find(sectionKeys, sectionKeyAt, key); ok {
			return []int{k}
		}
		return nil
	}
	pairs := x.sections[sectionNear]
	n := pairs.len() / 2
	var out []int
	wanted := shorter(key)
	if strings.Contains(key, "=") {
		wanted = wanted[:1]
	}
	for _, d := range wanted {
		for i := sort.Search(n, func(i int) bool { return pairs.at(2*i) >= d }); i < n && pairs.at(2*i) == d; i++ {
			out = append(out, int(pairs.at(2*i+1)))
		}
	}
	return out
}
