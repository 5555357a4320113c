package names

// Sieve rules out most words that are not like a token, by their letters, at a small part of what [Alike] costs.
type Sieve struct {
	token Token
	ref   Reference
	works bool
}

// NewSieve returns the sieve of a token. It rules out nothing where the token is no word of ASCII.
func NewSieve(t Token, ref Reference) Sieve {
	return Sieve{t, ref, t.Sort == Word && !t.Bare && t.Folded == t.Latin && len(t.Latin) > 1 && isASCII(t.Latin) && isASCII(t.Sound)}
}

// Apart reports that a word, by its folded form and its sound, is surely not like the token: [Alike] answers 0 for the two. Where it says
// false they may be alike or not.
func (s Sieve) Apart(folded, sound string) bool {
	t := s.token
	if !s.works || len(folded) < 2 || !isASCII(folded) || !isASCII(sound) || particles[folded] {
		return false
	}
	return !near(t.Folded, folded) && !near(t.Sound, sound) && !gendered(t.Latin, folded) && !served(t.Latin, folded) &&
		!s.ref.Equivalent(t.Sound, sound)
}
