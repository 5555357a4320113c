package names

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// formsOf is a reference that knows the forms of one sound.
type formsOf struct {
	sound string
	forms map[string]bool
}

func (formsOf) Bits(Token) float64            { return 5 }
func (f formsOf) Equivalent(a, b string) bool { return a == f.sound && f.forms[b] }

// drawn is one or two of the words.
func drawn(draw *rand.Rand, words string) string {
	all := strings.Fields(words)
	return all[draw.IntN(len(all))] + []string{"", all[draw.IntN(len(all))]}[draw.IntN(2)]
}

// TestASieveRulesOutNothingThatIsAlike compares words that are made of each other: by endings, servants, edits and spellings.
func TestASieveRulesOutNothingThatIsAlike(t *testing.T) {
	t.Parallel()
	draw := rand.New(rand.NewPCG(24, 3)) //nolint:gosec // it invents words for a test, which have to repeat
	letters := "aeiouyhbcdfgklmnprstvwzjqx"
	word := func() string {
		var b strings.Builder
		for range 2 + draw.IntN(9) {
			b.WriteByte(letters[draw.IntN(len(letters))])
		}
		return b.String()
	}
	change := func(w string) string {
		i := draw.IntN(len(w))
		switch draw.IntN(10) {
		case 0:
			return w[:i] + string(letters[draw.IntN(len(letters))]) + w[i:]
		case 1:
			return w[:i] + w[i+1:] + "a"
		case 2:
			return w + []string{"a", "ova", "as", "is", "us"}[draw.IntN(5)]
		case 3:
			return strings.TrimRight(w, "iy") + []string{"aia", "aya", "a"}[draw.IntN(3)]
		case 4:
			return "abd" + w
		case 5:
			return strings.NewReplacer("v", "w", "k", "q", "i", "y", "s", "sh", "u", "ou").Replace(w)
		case 6:
			return w[:i] + w[i:i+1] + w[i:]
		case 7:
			return w[:i] + string(letters[draw.IntN(len(letters))]) + w[i+1:]
		case 8:
			return word()
		}
		return w + word()[:1]
	}
	alike, apart := 0, 0
	cyrillic := strings.NewReplacer("sh", "ш", "zh", "ж", "ya", "я", "a", "а", "e", "е", "i", "и", "o", "о", "u", "у", "b", "б", "c", "к", "d", "д", "f", "ф",
		"g", "г", "h", "х", "k", "к", "l", "л", "m", "м", "n", "н", "p", "п", "r", "р", "s", "с", "t", "т", "v", "в", "w", "в", "z", "з", "j", "ж", "q", "к", "x",
		"кс", "y", "ы")
	arabic := strings.NewReplacer("sh", "ش", "a", "ا", "e", "", "i", "ي", "o", "و", "u", "و", "y", "ي", "b", "ب", "c", "ك", "d", "د", "f", "ف", "g", "غ", "h", "ه",
		"k", "ك", "l", "ل", "m", "م", "n", "ن", "p", "ب", "q", "ق", "r", "ر", "s", "س", "t", "ت", "v", "ف", "w", "و", "x", "كس", "z", "ز", "j", "ج")
	for range 200_000 {
		a := word()
		b := change(a)
		if draw.IntN(2) == 0 {
			b = change(b)
		}
		if draw.IntN(4) == 0 {
			a = cyrillic.Replace(a)
		}
		if draw.IntN(4) == 0 {
			b = cyrillic.Replace(b)
		}
		switch draw.IntN(16) {
		case 0:
			a = arabic.Replace(a)
		case 1:
			b = arabic.Replace(b)
		case 2:
			a, b = arabic.Replace(a), arabic.Replace(b)
		case 3:
			a += "2"
		case 4:
			b = []string{"van", "de", "al", "bin"}[draw.IntN(4)]
		case 5:
			a, b = drawn(draw, "xu zhi jian xiao guo qing ren"), drawn(draw, "hsu chih chien hsiao kuo ching jen")
		case 6:
			a, b = drawn(draw, "jeong yeong cheol seong gi eun"), drawn(draw, "chung yong chol song ki un")
		case 7:
			a, b = drawn(draw, "bob robert william bill sasha pedro"), drawn(draw, "robert bob bill wilhelm alexander peter")
		case 8:
			b = []string{"al", "el", "ar", "as"}[draw.IntN(4)] + a
		case 9:
			b = a + []string{"ul", "ur"}[draw.IntN(2)]
		}
		x, y := NewToken(a), NewToken(b)
		ref := formsOf{x.Sound, map[string]bool{sound(word()): true}}
		if draw.IntN(20) == 0 {
			ref.forms[y.Sound] = true
		}
		like, means := Alike(x, y, ref)
		sieve := NewSieve(x, ref.forms)
		shape := ShapeOf(y.Folded, y.Sound)
		ruledOut := sieve.Apart(shape)
		if got := sieve.Alike(shape, y.Folded, y.Sound, ref); got != like {
			t.Fatalf("%s and %s: %v by the sieve, want %v", a, b, got, like)
		}
		switch {
		case like > 0 && ruledOut:
			t.Fatalf("%s and %s are %v alike (%s) and ruled out", a, b, like, means)
		case like > 0:
			alike++
		case ruledOut:
			apart++
		}
	}
	if alike < 20_000 || apart < 10_000 {
		t.Errorf("%d pairs were alike and %d ruled out: the words are no test", alike, apart)
	}
}
