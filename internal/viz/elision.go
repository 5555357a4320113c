package viz

import (
	"slices"
	"strings"
	"unicode"
)

// elided are the words of which an apostrophe is all that is printed of the rest: 's-Hertogenbosch, VAN 'T HOOFT, 'n Diaye. It belongs
// to the name; before any other word it may be a speck.
const elided = "sStTnN"

// opensElided reports whether a rune is the apostrophe of such a word: nothing stands before it, and behind its one letter the rest of
// the name.
func opensElided(runes []rune, i int) bool {
	if !strings.ContainsRune("'’ʼ", runes[i]) || i+3 >= len(runes) || !strings.ContainsRune(elided, runes[i+1]) || !unicode.IsLetter(runes[i+3]) {
		return false
	}
	return (runes[i+2] == '-' || runes[i+2] == ' ') && (i == 0 || runes[i-1] == ' ' || runes[i-1] == ':')
}

// elidedPlaces is how places of the Low Countries begin behind "'s-", the rest of "des": 's-Gravenhage, 's-Hertogenbosch, 's-Heerenberg.
var elidedPlaces = []string{"GRAVE", "HERTOGEN", "HEER", "HEREN"}

// withElided is a place with the apostrophe that was not read before its s: no place begins with S- and these words.
func withElided(text string) string {
	rest, ok := strings.CutPrefix(strings.ToUpper(text), "S-")
	if !ok || !slices.ContainsFunc(elidedPlaces, func(p string) bool { return strings.HasPrefix(rest, p) }) {
		return text
	}
	return "'" + text
}

// longI reports whether a capital I behind small letters ends its word: it is a small l, which most faces draw alike.
func longI(runes []rune, i int) bool {
	if runes[i] != 'I' || i < smallRun || i+1 < len(runes) && (unicode.IsLetter(runes[i+1]) || unicode.IsDigit(runes[i+1])) {
		return false
	}
	return unicode.IsLower(runes[i-1]) && unicode.IsLower(runes[i-2])
}

// plainOf are the letters A–Z of a word as a label has them.
func plainOf(text string) string {
	runes := []rune(text)
	for i := range runes {
		if runes[i] == '!' || longI(runes, i) {
			runes[i] = 'l'
		}
	}
	return letters(string(runes))
}

// tallL is a name in small letters of which the capital I that begins a word was read as the small letter of its shape: lbáñez.
// Before a vowel it may be an article, and ll and lj begin words of their own.
func tallL(runes []rune) []rune {
	for i, c := range runes {
		begins := i == 0 || runes[i-1] == ' ' || runes[i-1] == '-'
		if c == 'l' && begins && i+1 < len(runes) && unicode.IsLower(runes[i+1]) && !strings.ContainsAny(Fold(string(runes[i+1])), "AEIOUYLJ") {
			runes[i] = 'I'
		}
	}
	return runes
}

// strokeWithin reports whether a stroke stands between two letters: names in two languages have spaces beside it.
func strokeWithin(text string) bool {
	runes := []rune(text)
	for i := 1; i+1 < len(runes); i++ {
		if runes[i] == '/' && unicode.IsLetter(runes[i-1]) && unicode.IsLetter(runes[i+1]) {
			return true
		}
	}
	return false
}

// unquoted is a text without the apostrophes round it that belong to none of its words.
func unquoted(text string) string {
	const signs = "'’ʼ"
	text = strings.TrimRight(text, signs)
	if runes := []rune(text); len(runes) > 0 && strings.ContainsRune(signs, runes[0]) && !opensElided(runes, 0) {
		text = strings.TrimLeft(text, signs)
	}
	return text
}
