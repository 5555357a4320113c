package names

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Reference says what is known of names at large.
type Reference interface {
	// Bits returns how rare a token is among the names of the reference: 1 bit for one that half of all names have.
	Bits(Token) float64
	// Equivalent reports whether two sounds are known to be forms of one name.
	Equivalent(a, b string) bool
}

// Means is how two parts of names agree.
type Means string

// Means of agreement, the surest first. The last three are parts without a counterpart.
const (
	Same          Means = "same"          // letter by letter
	Transcribed   Means = "transcribed"   // in another script or with other marks
	SoundsAlike   Means = "sounds_alike"  // another spelling of one sound
	KnownVariant  Means = "known_variant" // the lists use both for one person
	OtherGender   Means = "other_gender"  // Kuznetsov, Kuznetsova
	Shortened     Means = "shortened"     // cut at the end of a machine-readable zone
	Consonants    Means = "consonants"    // vowels are not written in one of both
	Spelling      Means = "spelling"      // a few letters differ
	FirstLetter   Means = "initial"       // one is only the first letter
	OnlySearched  Means = "only_searched" // in the name that is searched for
	OnlyListed    Means = "only_listed"   // in the name on the list
	Contradicting Means = "contradicts"   // each has a word that the other has not
)

// Part is one step of the comparison: two words that were paired, or one without a counterpart.
type Part struct {
	Searched string  `json:"searched,omitempty"`
	Listed   string  `json:"listed,omitempty"`
	Means    Means   `json:"means"`
	Likeness float64 `json:"likeness"` // 0–1
	Bits     float64 `json:"bits"`     // how rare the word is
}

// Comparison is the result of comparing two names.
type Comparison struct {
	Score float64 `json:"score"` // 0–1
	Bits  float64 `json:"bits"`  // rarity of all that agrees
	Words int     `json:"words"` // pairs of whole words that agree
	Parts []Part  `json:"parts"`
	Mixed bool    `json:"mixed_scripts"` // a word of the searched name has letters of two scripts
}

// What a letter, a missing word and a contradiction cost: fitted on half of the labelled pairs
// (bench/screening), reported on the other.
const (
	unlikenessCost    = 1.5  // of each bit that does not agree
	contradictionCost = 20.0 // bits: a common word that is another speaks as much against it as a rare one
	searchedOnlyCost  = 4.0  // bits a word, and as much again for a syllable of Han or Hangul: there are no middle names to leave out
	listedOnlyCost    = 1.5  // bits a word
	particleBits      = 0.5
	leastBits         = 4.0
	mostBits          = 12.0
)

// Compare compares a name that is searched for with one on a list.
func Compare(searched, listed Name, ref Reference) Comparison {
	q, l := fuse(searched.Tokens, listed.Tokens), fuse(listed.Tokens, searched.Tokens)
	pairs := align(q, l, searched.Truncated, ref)
	var c Comparison
	c.Mixed = searched.Mixed
	agreed, unlike := 0., 0.
	usedQ, usedL := make([]bool, len(q)), make([]bool, len(l))
	for _, p := range pairs {
		usedQ[p.q], usedL[p.l] = true, true
		w := min(weight(q[p.q], ref), weight(l[p.l], ref))
		if p.means == FirstLetter {
			w = max(weight(q[p.q], ref), weight(l[p.l], ref)) / 2
		}
		agreed += w * p.likeness
		unlike += w * (1 - p.likeness)
		if q[p.q].Sort == Word && l[p.l].Sort == Word {
			c.Words++
			c.Bits += w * p.likeness
		}
		c.Parts = append(c.Parts, Part{q[p.q].Folded, l[p.l].Folded, p.means, p.likeness, w})
	}
	restQ, partsQ := rest(q, usedQ, OnlySearched, ref)
	restL, partsL := rest(l, usedL, OnlyListed, ref)
	if restQ.words+restL.words >= 1 {
		restQ.words, restL.words = restQ.words+restQ.again, restL.words+restL.again
	}
	against := min(restQ.words, restL.words)
	if against >= 1 {
		markContradicting(partsQ)
		markContradicting(partsL)
	}
	c.Parts = append(append(c.Parts, partsQ...), partsL...)
	if c.Words > 0 {
		c.Score = agreed / (agreed + unlikenessCost*unlike + contradictionCost*against +
			searchedOnlyCost*(max(0, restQ.words-against)+restQ.syllables) + listedOnlyCost*(restL.words-against))
	}
	return c
}

func markContradicting(parts []Part) {
	for i := range parts {
		if parts[i].Bits >= leastBits {
			parts[i].Means = Contradicting
		}
	}
}

// weight returns a token's bits within the bounds in which rarity counts.
func weight(t Token, ref Reference) float64 {
	if t.Sort == Particle {
		return particleBits
	}
	return min(mostBits, max(leastBits, ref.Bits(t)))
}

// remains are what of a name found no counterpart, in words; an initial is half a word, a particle a tenth.
type remains struct {
	words     float64
	syllables float64 // of them
	again     float64 // words that the name has twice: they speak against another word, and say nothing by themselves
}

func rest(tokens []Token, used []bool, means Means, ref Reference) (left remains, parts []Part) {
	for i, t := range tokens {
		if used[i] {
			continue
		}
		p := Part{Means: means, Bits: weight(t, ref), Searched: t.Folded}
		if means == OnlyListed {
			p.Searched, p.Listed = "", t.Folded
		}
		parts = append(parts, p)
		switch {
		case t.Sort == Particle:
			left.words += 0.1
		case t.Sort == Initial:
			left.words += 0.5
		case isAgain(tokens, used, t):
			left.again++
		default:
			left.words++
			if t.syllable() {
				left.syllables++
			}
		}
	}
	return left, parts
}

func isAgain(tokens []Token, used []bool, t Token) bool {
	for i, other := range tokens {
		if used[i] && other.Sound == t.Sound && t.Sound != "" {
			return true
		}
	}
	return false
}

type pairing struct {
	q, l     int
	likeness float64
	means    Means
}

// align pairs the tokens of two names, the most alike first.
func align(q, l []Token, truncated bool, ref Reference) []pairing {
	var all []pairing
	for i, a := range q {
		for j, b := range l {
			if like, means := Alike(a, b, ref); like > 0 {
				all = append(all, pairing{i, j, like, means})
			} else if truncated && i == truncatedAt(q) && len(a.Latin) >= 3 && strings.HasPrefix(b.Latin, a.Latin) {
				all = append(all, pairing{i, j, 0.95, Shortened})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b pairing) int {
		return cmp.Or(cmp.Compare(b.likeness, a.likeness), cmp.Compare(abs(a.q-a.l), abs(b.q-b.l)))
	})
	var out []pairing
	usedQ, usedL := [MaxTokens]bool{}, [MaxTokens]bool{}
	for _, p := range all {
		if !usedQ[p.q] && !usedL[p.l] {
			usedQ[p.q], usedL[p.l] = true, true
			out = append(out, p)
		}
	}
	return out
}

// truncatedAt is the last given name, which a zone cuts first.
func truncatedAt(q []Token) int {
	for i := len(q) - 1; i >= 0; i-- {
		if q[i].Role == Given {
			return i
		}
	}
	return len(q) - 1
}

func abs(i int) int { return max(i, -i) }

// otherRole is what is left of the likeness of two words of which the sources say that one is a given and one a family name.
const otherRole = 0.85

// Alike returns how alike two tokens are, and by what means; 0 where they are not.
func Alike(a, b Token, ref Reference) (float64, Means) {
	like, means := alike(a, b, ref)
	if a.Role != Any && b.Role != Any && a.Role != b.Role && a.Sort == Word && b.Sort == Word {
		like *= otherRole
	}
	return like, means
}

func alike(a, b Token, ref Reference) (float64, Means) {
	switch {
	case a.Sort == Particle || b.Sort == Particle:
		return betweenParticles(a, b)
	case a.Folded == b.Folded:
		return 1, Same
	case initials(a, b):
		return 0.9, FirstLetter
	case a.Sort == Initial || b.Sort == Initial:
		return 0, ""
	case a.Bare != b.Bare:
		if like := bones(a, b); like > 0 {
			return like, Consonants
		}
		return 0, ""
	}
	if like, means := known(a, b, ref); like > 0 {
		return like, means
	}
	if a.syllable() || b.syllable() {
		return syllables(a, b)
	}
	return spelled(a, b)
}

// betweenParticles compares two tokens of which one at least is a particle: a particle is like another by its sound, and like a short word that
// has one letter more or less.
func betweenParticles(a, b Token) (float64, Means) {
	switch {
	case a.Sort != b.Sort:
		if len(a.Latin) <= 4 && len(b.Latin) <= 4 && (strings.HasSuffix(a.Latin, b.Latin) || strings.HasSuffix(b.Latin, a.Latin)) &&
			abs(len(a.Latin)-len(b.Latin)) == 1 && min(len(a.Latin), len(b.Latin)) >= 2 {
			return 0.8, Spelling
		}
		return 0, ""
	case a.Folded == b.Folded:
		return 1, Same
	case a.Sound == b.Sound || skeleton(a.Sound) == skeleton(b.Sound):
		return 0.9, SoundsAlike
	}
	return 0, ""
}

// known compares two words by what is known of them: how they are transcribed and spoken, and which variants a name has.
func known(a, b Token, ref Reference) (float64, Means) {
	switch {
	case a.Latin != "" && a.Latin == b.Latin && !a.Bare:
		return 0.99, Transcribed
	case a.Sound != "" && a.Sound == b.Sound && !a.Bare:
		return 0.96, SoundsAlike
	case ref.Equivalent(a.Sound, b.Sound):
		return 0.92, KnownVariant
	case gendered(a.Latin, b.Latin):
		return 0.92, OtherGender
	case served(a.Latin, b.Latin):
		return servedLikeness, KnownVariant
	}
	return 0, ""
}

// spelled compares the letters of two words.
func spelled(a, b Token) (float64, Means) {
	like := likeness(a.Folded, b.Folded)
	if a.Latin != "" && b.Latin != "" && !a.Bare {
		if a.Latin != a.Folded || b.Latin != b.Folded { // else that was compared
			like = max(like, 0.99*likeness(a.Latin, b.Latin))
		}
		like = max(like, 0.96*likeness(a.Sound, b.Sound))
	}
	if like < leastLikeness {
		return 0, ""
	}
	return like, Spelling
}

// syllables compares a syllable with a word: a consonant more or less is another syllable, and Korean vowels are romanised in
// several ways.
func syllables(a, b Token) (float64, Means) {
	if len(a.Sound) != len(b.Sound) || a.Sound == "" || skeleton(a.Sound) != skeleton(b.Sound) || class[a.Sound[0]] != class[b.Sound[0]] {
		return 0, ""
	}
	if like := likeness(a.Sound, b.Sound); like >= 0.85 {
		return like, SoundsAlike
	}
	return 0, ""
}

// leastLikeness is below which two words are two words.
const leastLikeness = 0.6

// servedLikeness is what a name is like without its word for servant: another name, but of the same sort.
const servedLikeness = 0.65

// served reports whether one word is the other with the word for servant before it.
func served(a, b string) bool {
	const servant = "abd"
	if len(a) > len(b) {
		a, b = b, a
	}
	return len(a) > 3 && len(b) == len(a)+len(servant) && strings.HasPrefix(b, servant) && strings.HasSuffix(b, a)
}

// fuse joins neighbouring tokens that the other name writes as one word.
func fuse(tokens, other []Token) []Token {
	out := slices.Clone(tokens)
	for i := 0; i+1 < len(out); i++ {
		if joined, n, ok := joinAt(out, i, other); ok {
			out = slices.Replace(out, i, i+n, joined)
		}
	}
	return out
}

// joinAt returns the tokens from i on as one, where the other name has nearly that word. The words may change places.
func joinAt(tokens []Token, i int, other []Token) (Token, int, bool) {
	for n := min(3, len(tokens)-i); n >= 2; n-- {
		span := tokens[i : i+n]
		if !mayJoin(span, other) {
			continue
		}
		for _, t := range joinedSpan(span) {
			for _, o := range other {
				if len(o.Latin) < 4 || utf8.RuneCountInString(o.Folded) == 1 || t.Bare == o.Bare && abs(len(o.Latin)-len(t.Latin)) > 2 {
					continue
				}
				if joins(t, o) && !standsAlone(span, o) {
					return t, n, true
				}
			}
		}
	}
	return Token{}, 0, false
}

// mayJoin reports whether words of a name may be one of the other's by their length alone.
func mayJoin(span, other []Token) bool {
	letters, abjad := 0, true
	for _, t := range span {
		letters += len(t.Latin)
		abjad = abjad && inAbjad(t.Folded)
	}
	return abjad || slices.ContainsFunc(other, func(o Token) bool {
		return len(o.Latin) >= 4 && (o.Bare != span[0].Bare || abs(len(o.Latin)-letters) <= 2)
	})
}

// joinedSpan returns two or three words as one.
func joinedSpan(span []Token) []Token {
	var out []Token
	for k, t := range Joined(span[0], span[1]) {
		if len(span) == 2 {
			out = append(out, t)
			continue
		}
		if more := Joined(t, span[2]); len(more) > 0 {
			out = append(out, more[min(k, len(more)-1)])
		}
	}
	return out
}

// leastJoined is how alike a joined word in an abjad and a Latin one have to be: every consonant is there.
const leastJoined = 0.88

// joins reports whether a joined word is nearly the other: nearer than two words may be.
func joins(t, o Token) bool {
	if t.Bare != o.Bare {
		if !inAbjad(t.Folded) && !inAbjad(o.Folded) {
			k := skeleton(t.Sound)
			return len(k) >= 3 && slices.Contains(o.Keys(), k)
		}
		return consonants(t.Folded)+consonants(o.Folded) >= 3 && bones(t, o) >= leastJoined
	}
	return t.Latin == o.Latin || t.Sound == o.Sound || likeness(t.Sound, o.Sound) >= 0.85
}

// standsAlone reports whether a word of the span is already as good as the other.
func standsAlone(span []Token, o Token) bool {
	return slices.ContainsFunc(span, func(t Token) bool {
		if t.Bare != o.Bare {
			return t.Sort == Word && bones(t, o) >= 0.9
		}
		return t.Sound == o.Sound || t.Sort == Word && likeness(t.Sound, o.Sound) >= 0.85
	})
}
