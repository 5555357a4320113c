package names

import (
	"slices"
	"strings"
)

// Literal compares names letter by letter and nothing else: by the similarity of Jaro and Winkler, word by word and as a whole, whichever is
// more. So does the search tool of the United States' Treasury (OFAC, frequently asked question 249), in which auditors and banks look people
// up. It is no sign of who somebody is: KIM JONG UN and Kim Jong Man are wholly alike, because words of one or two letters do not count.
// [Compare] decides; Literal lists what somebody else's tool would show.
type Literal struct {
	words []string
	whole string
}

// Limits of a literal comparison.
const (
	shortWord   = 2   // letters; as long a word counts only where there is no longer one
	leastAlike  = 0.5 // words that are less alike are not alike at all
	prefixMost  = 4   // letters at the beginning that count more
	prefixBonus = 0.1 // for each of them, of what is missing
)

// LiteralOf is how a name that is searched for is written, in Latin letters.
func LiteralOf(n Name) Literal {
	s := Literal{whole: latinOf(n)}
	for _, t := range n.Tokens {
		if t.Latin != "" {
			s.words = append(s.words, t.Latin)
		}
	}
	long := slices.DeleteFunc(slices.Clone(s.words), func(w string) bool { return len(w) <= shortWord })
	if len(long) > 0 {
		s.words = long
	}
	return s
}

func latinOf(n Name) string {
	words := make([]string, 0, len(n.Tokens))
	for _, t := range n.Tokens {
		words = append(words, t.Latin)
	}
	return strings.Join(words, " ")
}

// Words are the words that are compared one by one.
func (s Literal) Words() []string { return s.words }

// Alike says how alike the name is to a listed one, from 0 to 1.
func (s Literal) Alike(listed Name) float64 {
	best := make([]float64, len(s.words))
	for i, w := range s.words {
		for _, t := range listed.Tokens {
			best[i] = max(best[i], WordsAlike(w, t.Latin))
		}
	}
	return max(MeanAlike(best), s.Whole(latinOf(listed)))
}

// Whole compares the name as a whole with a listed one that is written in the order in which its list has it. It is 0 where the first letters differ.
func (s Literal) Whole(listed string) float64 {
	if s.whole == "" || listed == "" || s.whole[0] != listed[0] {
		return 0
	}
	return jaroWinkler(s.whole, listed)
}

// MeanAlike is how alike a name is whose words have been compared with those of another: the mean of what each found best.
func MeanAlike(best []float64) float64 {
	if len(best) == 0 {
		return 0
	}
	sum := 0.0
	for _, b := range best {
		sum += b
	}
	return sum / float64(len(best))
}

// WordsAlike compares two words of Latin letters: 0 where they are less than half alike.
func WordsAlike(a, b string) float64 {
	if alike := jaroWinkler(a, b); alike >= leastAlike {
		return alike
	}
	return 0
}

// jaroWinkler is the similarity of Jaro (1989) with the bonus of Winkler (1990) for letters at the beginning, for text of one byte a letter.
func jaroWinkler(a, b string) float64 {
	if a == b {
		return 1
	}
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	var storeA, storeB [64]bool
	takenA, takenB := taken(&storeA, len(a)), taken(&storeB, len(b))
	reach, matches := max(0, max(len(a), len(b))/2-1), 0
	for i := range a {
		for j := max(0, i-reach); j < min(len(b), i+reach+1); j++ {
			if !takenB[j] && a[i] == b[j] {
				takenA[i], takenB[j] = true, true
				matches++
				break
			}
		}
	}
	if matches == 0 {
		return 0
	}
	swapped, j := 0, 0
	for i := range a {
		if !takenA[i] {
			continue
		}
		for !takenB[j] {
			j++
		}
		if a[i] != b[j] {
			swapped++
		}
		j++
	}
	m := float64(matches)
	jaro := (m/float64(len(a)) + m/float64(len(b)) + (m-float64(swapped/2))/m) / 3
	prefix := 0
	for prefix < min(len(a), len(b), prefixMost) && a[prefix] == b[prefix] {
		prefix++
	}
	return jaro + float64(prefix)*prefixBonus*(1-jaro)
}

func taken(store *[64]bool, n int) []bool {
	if n <= len(store) {
		return store[:n]
	}
	return make([]bool, n)
}
