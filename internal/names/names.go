// Package names compares names of people across scripts, spellings and orders of words, without any list and without I/O.
//
// A name is read into tokens ([Parse]). Each token has three forms: folded, in its own script; Latin, as letters a to z; and
// its sound, in which spellings of one sound are the same. [Compare] pairs the tokens of two names, weighs each by how rare it
// is among the names of a [Reference], and explains the result part by part. A result is a grade and a band, never a bare
// number: see [Comparison.Grade] and [Assess].
//
// Names that only share a word, a title or an initial do not agree, however often that word occurs.
package names

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Limits of one name. What is beyond is cut, and Name.Cut says so.
const (
	MaxRunes  = 300
	MaxTokens = 12
)

// Role is what a token is in its name, where the source says so.
type Role uint8

// Roles.
const (
	Any Role = iota
	Given
	Family
)

// Sort is how much a token says.
type Sort uint8

// Sorts of tokens.
const (
	Word     Sort = iota // a part of the name
	Particle             // al, bin, von: agrees or not, and matters little
	Initial              // one letter
)

// Token is one word of a name.
type Token struct {
	Folded string // lower case, in its own script, without marks that the script can do without
	Latin  string // a to z and digits; empty where no table knows the letters
	Sound  string // Latin with spellings of one sound written alike
	Bare   bool   // only the consonants of Latin are sure: Arabic, Hebrew, foreign names in Hangul and kana
	Sort   Sort
	Role   Role
}

// Name is a name as it is compared.
type Name struct {
	Tokens    []Token
	Mixed     bool // a word has look-alike letters of another script
	Cut       bool // longer than a name may be: what is beyond is not compared
	Truncated bool // from a machine-readable zone: the last word may be shortened
}

// Usable reports whether the name says enough to be searched for: two words, or one of at least three letters that is not
// only a title or a particle.
func (n Name) Usable() bool {
	words, longest := 0, 0
	for _, t := range n.Tokens {
		if t.Sort == Word {
			words++
			longest = max(longest, len([]rune(t.Folded)))
		}
	}
	return words > 1 || longest >= 3
}

// Plain reports whether the name is of two words or more that each count whole: none twice, no initial, honorific or patronymic, none
// that may be initials or a particle, and none that may be cut. Two plain names with only one pair of words alike are two names, whatever these words are.
func (n Name) Plain() bool {
	words := 0
	for i, t := range n.Tokens {
		switch {
		case t.Sort == Particle:
			continue
		case t.Sort == Initial || t.Sound == "" || honorifics[t.Folded] || isPatronymic(t.Latin) || mayBeInitials(t) || mayBeParticle(t):
			return false
		}
		if slices.ContainsFunc(n.Tokens[:i], func(o Token) bool { return o.Sound == t.Sound }) {
			return false
		}
		words++
	}
	return words > 1 && !n.Truncated
}

// likeParticles are the words that betweenParticles takes for a particle with one letter more or less, as long as a particle may be there.
var likeParticles = sync.OnceValue(func() (out struct{ particles, shortened map[string]bool }) {
	out.particles, out.shortened = map[string]bool{}, map[string]bool{}
	for p := range particles {
		latin, _ := romanise(p)
		out.particles[latin] = true
		if len(latin) == 3 || len(latin) == 4 {
			out.shortened[latin[1:]] = true
		}
	}
	return out
})

// mayBeParticle reports whether [Compare] may pair a word with a particle.
func mayBeParticle(t Token) bool {
	n := len(t.Latin)
	return n >= 2 && n <= 4 && (likeParticles().shortened[t.Latin] || n >= 3 && likeParticles().particles[t.Latin[1:]])
}

// Parse reads a name as people, documents or lists write it: "Given Family", "FAMILY, Given", or the form of a machine-readable
// zone, "FAMILY<<GIVEN<MIDDLE". Titles are left out where other words remain.
func Parse(text string) Name {
	if strings.Contains(text, "<") {
		return parseZone(text)
	}
	if family, given, ok := strings.Cut(text, ","); ok && strings.TrimSpace(given) != "" && !strings.Contains(given, ",") {
		return ParseParts(given, family)
	}
	return build(part{text, Any})
}

// ParseParts reads a name whose parts are known. Either may be empty.
func ParseParts(given, family string) Name {
	return build(part{given, Given}, part{family, Family})
}

// parseZone reads the form of a machine-readable zone (ICAO 9303-3 §4.6).
func parseZone(text string) Name {
	text = strings.NewReplacer("NXX", "N", "UXX", "U").Replace(text)
	family, given, _ := strings.Cut(strings.Trim(text, "< "), "<<")
	fill := strings.NewReplacer("<", " ")
	n := ParseParts(fill.Replace(given), fill.Replace(family))
	n.Truncated = len(text) >= 25 && !strings.HasSuffix(text, "<")
	return n
}

type part struct {
	text string
	role Role
}

func build(parts ...part) Name {
	var n Name
	var titled []Token
	for _, p := range parts {
		words, mixed, cut := words(p.text)
		n.Mixed, n.Cut = n.Mixed || mixed, n.Cut || cut
		for _, w := range words {
			t := NewToken(w)
			t.Role = p.role
			if titles[t.Folded] {
				titled = append(titled, t)
			} else {
				n.Tokens = append(n.Tokens, t)
			}
		}
	}
	if len(n.Tokens) == 0 { // nothing but titles: they stay, and say nothing
		for i := range titled {
			titled[i].Sort = Particle
		}
		n.Tokens = titled
	}
	n.Tokens = joinCompounds(joinServant(n.Tokens))
	if len(n.Tokens) > MaxTokens {
		n.Tokens, n.Cut = n.Tokens[:MaxTokens], true
	}
	return n
}

// NewToken reads one folded word. The same word always gives the same token.
func NewToken(folded string) Token {
	t := KnownToken(folded, "")
	t.Sound = sound(t.Latin)
	return t
}

// KnownToken is NewToken for a word whose sound is known, which costs most.
func KnownToken(folded, sound string) Token {
	t := Token{Folded: folded, Sound: sound}
	t.Latin, t.Bare = romanise(folded)
	letter, size := utf8.DecodeRuneInString(folded)
	switch {
	case particles[folded]:
		t.Sort = Particle
	case folded != "" && size == len(folded) && !unicode.In(letter, unicode.Han, unicode.Hangul, unicode.Katakana, unicode.Hiragana):
		t.Sort = Initial
	}
	return t
}

// servant are the spellings of the word that begins names such as Abd al-Rahman.
var servant = []string{"abd", "abdu", "abdul", "abdel", "abdal", "abdol", "abdur", "abdus", "abdoul", "عبد"}

// article are the spellings of the article between its parts.
var article = []string{"al", "el", "ul", "ur", "us", "ud", "l", "ar", "as", "ad", "an", "az"}

// joinServant writes Abd al-Rahman, Abdul Rahman, Abdurrahman and Abdelrahman as one token.
func joinServant(in []Token) []Token {
	var out []Token
	for i := 0; i < len(in); i++ {
		t := in[i]
		if slices.Contains(servant, t.Folded) {
			next := i + 1
			for next < len(in) && slices.Contains(article, in[next].Folded) {
				next++
			}
			if next < len(in) && in[next].Sort == Word && in[next].Role == t.Role {
				t, i = fuseServant(in[next]), next
				t.Role = in[i].Role
			}
		} else if rest, ok := servedBy(t.Folded); ok {
			role, servant := t.Role, "abd"
			if t.Bare {
				servant = arabicServant
			}
			t = NewToken(servant + rest)
			t.Role = role
		}
		out = append(out, t)
	}
	return out
}

func fuseServant(next Token) Token {
	if next.Bare {
		if rest, ok := servedBy(arabicServant + next.Folded); ok {
			return NewToken(arabicServant + rest)
		}
		return NewToken(arabicServant + next.Folded)
	}
	if rest, ok := strings.CutPrefix(next.Folded, "allah"); ok {
		return NewToken("abdlah" + rest)
	}
	return NewToken("abd" + next.Folded)
}

const arabicServant = "عبد"

// servedBy returns what follows the article in a word such as abdurrahman. The article of God's own name is a part of it.
func servedBy(word string) (string, bool) {
	if rest, ok := strings.CutPrefix(word, arabicServant+"ال"); ok {
		return rest, utf8.RuneCountInString(rest) >= 2 && rest != "له"
	}
	rest, ok := strings.CutPrefix(word, "abd")
	if rest, ok = cutVowel(rest, ok); !ok || len(rest) < 4 || !strings.Contains("lrsznd", rest[:1]) {
		return "", false
	}
	return rest[1:], true
}

// cutVowel cuts the vowel of an article.
func cutVowel(word string, ok bool) (string, bool) {
	rest, long := strings.CutPrefix(word, "ou")
	switch {
	case !ok || word == "":
		return "", false
	case long:
		return rest, true
	}
	return word[1:], strings.Contains("aeou", word[:1])
}

// syllable reports whether the token is one character of Han or Hangul.
func (t Token) syllable() bool {
	r, size := utf8.DecodeRuneInString(t.Folded)
	return size > 1 && size == len(t.Folded) && unicode.In(r, unicode.Han, unicode.Hangul)
}

// Joined returns two neighbours of a name written as one word, in either order, where both are in the same kind of script; else none.
func Joined(a, b Token) []Token {
	if a.Bare != b.Bare || a.Latin == "" || b.Latin == "" || len(a.Latin)+len(b.Latin) < 4 {
		return nil
	}
	if inAbjad(a.Folded) && inAbjad(b.Folded) { // in these scripts the words of a compound keep their order
		return []Token{withRole(NewToken(a.Folded+string(seam)+b.Folded), a.Role)}
	}
	var out []Token
	for _, text := range []string{a.Latin + b.Latin, b.Latin + a.Latin} {
		t := withRole(NewToken(text), a.Role)
		t.Bare = a.Bare
		out = append(out, t)
	}
	return out
}

func withRole(t Token, r Role) Token {
	t.Role = r
	return t
}
