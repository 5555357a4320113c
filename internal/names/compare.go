package names

import (
	"cmp"
	"slices"
	"strings"
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
	KnownVariant  Means = "known_variant" // forms of one name, or the lists use both for one person
	Romanised     Means = "romanised"     // one Chinese or Korean name in two romanisations
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
	searchedOnlyCost  = 4.0  // bits a word
	syllableCost      = 6.0  // bits more for a syllable of Han or Hangul: there are no middle names to leave out
	listedOnlyCost    = 1.5  // bits a word
	particleBits      = 0.5
	leastBits         = 4.0
	mostBits          = 12.0
)

// Compare compares a name that is searched for with one on a list.
func Compare(searched, listed Name, ref Reference) Comparison {
	q, l := spellOut(searched.Tokens, listed.Tokens), spellOut(listed.Tokens, searched.Tokens)
	q, l = fuse(q, l), fuse(l, q)
	c := Comparison{Mixed: searched.Mixed}
	var sum tally
	usedQ, usedL := make([]bool, len(q)), make([]bool, len(l))
	for _, p := range align(q, l, searched.Truncated, ref) {
		usedQ[p.q], usedL[p.l] = true, true
		a, b := q[p.q], l[p.l]
		w := min(weight(a, ref), weight(b, ref))
		if p.means == FirstLetter {
			w = max(weight(a, ref), weight(b, ref)) / 2
		}
		if a.Sort == Word && b.Sort == Word {
			c.Words++
			c.Bits += w * p.likeness
		}
		sum.add(a, b, p, w)
		c.Parts = append(c.Parts, Part{a.Folded, b.Folded, p.means, p.likeness, w})
	}
	restQ, partsQ := rest(q, usedQ, OnlySearched, ref)
	restL, partsL := rest(l, usedL, OnlyListed, ref)
	restQ.again, restL.again = restQ.again+sum.servants[0], restL.again+sum.servants[1]
	against := restQ.against(&restL)
	if against >= 1 {
		markContradicting(partsQ)
		markContradicting(partsL)
	}
	c.Parts = append(append(c.Parts, partsQ...), partsL...)
	if c.Words > 0 {
		c.Score = sum.agreed / (sum.agreed + unlikenessCost*sum.unlikeness(c.Words) + contradictionCost*against +
			searchedOnlyCost*max(0, restQ.words-against) + syllableCost*restQ.syllables + listedOnlyCost*(restL.words-against))
	}
	return c
}

// tally is what the pairs of two names add up to, in bits.
type tally struct {
	agreed, unlike float64
	nearest        float64    // likeness of the words that are most alike
	servants       [2]float64 // words for servant that only the searched or only the listed name has
}

func (s *tally) add(a, b Token, p pairing, weight float64) {
	s.agreed += weight * p.likeness
	s.unlike += weight * (1 - p.likeness)
	if a.Sort != Word || b.Sort != Word {
		return
	}
	s.nearest = max(s.nearest, p.likeness)
	switch {
	case p.means != KnownVariant || !served(a.Latin, b.Latin):
	case len(a.Latin) > len(b.Latin):
		s.servants[0]++
	default:
		s.servants[1]++
	}
}

// noneSure is the likeness below which a word is misspelt, and allMisspelt what letters that differ cost the more where every word is:
// two words of one name are seldom misspelt at once, and two names have letters in common often.
const (
	noneSure    = 0.9
	allMisspelt = 1.5
)

func (s *tally) unlikeness(words int) float64 {
	if words > 1 && s.nearest < noneSure {
		return allMisspelt * s.unlike
	}
	return s.unlike
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

// remains are what of a name found no counterpart, in words.
type remains struct {
	words     float64
	syllables float64 // of them
	again     float64 // words that the name has twice: they speak against another word, and say nothing by themselves
	fathers   float64 // patronymics: they speak against another one, and little by themselves
}

// Parts of a word that an unpaired token counts for.
const (
	ofParticle  = 0.1
	ofHonorific = 0.2
	ofFather    = 0.35
	ofInitial   = 0.5
)

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
			left.words += ofParticle
		case t.Sort == Initial:
			left.words += ofInitial
		case honorifics[t.Folded]:
			left.words += ofHonorific
		case isAgain(tokens, used, t):
			left.again++
		case isPatronymic(t.Latin):
			left.fathers++
		default:
			left.words++
			if t.syllable() {
				left.syllables++
			}
		}
	}
	return left, parts
}

// against settles what is left of two names, and returns how many words of each speak against one another.
func (q *remains) against(l *remains) float64 {
	if q.words+l.words >= 1 {
		q.words, l.words = q.words+q.again, l.words+l.again
	}
	each := ofFather
	if q.fathers > 0 && l.fathers > 0 {
		each = 1
	}
	q.words, l.words = q.words+each*q.fathers, l.words+each*l.fathers
	return min(q.words, l.words)
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

// otherRole is what is left of the likeness of two words where the sources say that one is a given name and the other a family name.
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

// betweenParticles compares two tokens, at least one of them a particle: a particle is like another by its sound, and like a short word that
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
	case slices.Contains(article, a.Folded) && slices.Contains(article, b.Folded):
		return 0.95, SoundsAlike
	case a.Sound == b.Sound || skeleton(a.Sound) == skeleton(b.Sound):
		return 0.9, SoundsAlike
	}
	return 0, ""
}

// transcribed is how like two words are that are the same in Latin letters.
const transcribed = 0.99

// known compares two words by what is known of them: how they are transcribed and spoken, and which variants a name has.
func known(a, b Token, ref Reference) (float64, Means) {
	switch {
	case a.Latin != "" && a.Latin == b.Latin && !a.Bare:
		return transcribed, Transcribed
	case a.Sound != "" && a.Sound == b.Sound && !a.Bare:
		return 0.96, SoundsAlike
	case ref.Equivalent(a.Sound, b.Sound), inFamily(a.Sound, b.Sound):
		return 0.92, KnownVariant
	case !isHan(a.Folded) && !isHan(b.Folded) && !a.Bare && !b.Bare:
		return knownPlain(a.Latin, b.Latin, a.Sound, b.Sound)
	case gendered(a.Latin, b.Latin):
		return 0.92, OtherGender
	case !a.Bare && !b.Bare && oneRomanisation(a.Latin, b.Latin):
		return 0.92, Romanised
	}
	return 0, ""
}

// knownPlain compares two words in letters, by relations that depend on nothing else.
func knownPlain(a, b, soundA, soundB string) (float64, Means) {
	switch {
	case gendered(a, b):
		return 0.92, OtherGender
	case oneRomanisation(a, b):
		return 0.92, Romanised
	case oneKorean(a, b):
		return 0.9, Romanised
	case articled(a, b), articled(soundA, soundB):
		return 0.92, KnownVariant
	case served(a, b):
		return servedLikeness, KnownVariant
	}
	return 0, ""
}

// leastArticled is the least length of a word to which an article may have grown, at its beginning or its end.
const leastArticled = 3

// articled reports whether one word is the other with an Arabic article that has grown to it: Alrawi and Rawi, Arrawi, or Ziaul as in Ziaul Haq.
func articled(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) < leastArticled || len(b) != len(a)+2 {
		return false
	}
	before, ok := strings.CutSuffix(b, a)
	if ok {
		return len(a) > leastArticled && (before[0] == 'a' || before[0] == 'e') && (before[1] == 'l' || before[1] == a[0] && strings.IndexByte("trdsznl", a[0]) >= 0)
	}
	after, ok := strings.CutPrefix(b, a)
	return ok && (after == "ul" || after == "ur")
}

// spelled compares the letters of two words.
func spelled(a, b Token) (float64, Means) {
	like := likeness(a.Folded, b.Folded)
	if a.Latin != "" && b.Latin != "" && !a.Bare {
		if a.Latin != a.Folded || b.Latin != b.Folded { // else that was compared
			like = max(like, transcribed*likeness(a.Latin, b.Latin))
		}
		like = max(like, 0.96*likeness(a.Sound, b.Sound))
	}
	if like < leastLikeness || anotherSyllable(a.Latin, b.Latin) {
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
