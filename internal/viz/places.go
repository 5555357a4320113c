package viz

import (
	"slices"
	"strings"
	"unicode"
)

// placeOf is a place, an office or an address: any text with letters, and for a place of birth without digits.
func placeOf(text string, f fact) string {
	text = strings.TrimFunc(text, func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune(")(.'’ʼ", c)
	})
	text = unquoted(strings.TrimLeft(text, ". "))
	if f == placeOfBirth { // a place of birth has no digits
		text = withElided(mendName(text))
	}
	if len(letters(text)) < 2 || f == placeOfBirth && (strings.ContainsAny(text, "0123456789<") || onlyLink(text)) {
		return ""
	}
	return text
}

// onlyLink reports whether a text is no more than a short word in small letters, as link those of labels and of names: de, of, van.
func onlyLink(text string) bool {
	return len(letters(text)) <= shortName && text == strings.ToLower(text)
}

// mendAddress puts back the space that was lost between a house's number and its street (ordinals have two letters), and reads
// a nought that begins a word as the letter, and the letter in the
// house's number that begins the address as a nought: behind it, 4O may be a flat.
func mendAddress(text string) string {
	runes := []rune(text)
	var out []rune
	for i, c := range runes {
		begins := i == 0 || !unicode.IsLetter(runes[i-1]) && !unicode.IsDigit(runes[i-1])
		lettersFrom := func(i int) int {
			n := 0
			for i+n < len(runes) && unicode.IsLetter(runes[i+n]) {
				n++
			}
			return n
		}
		switch {
		case c == '0' && begins && lettersFrom(i+1) >= 3:
			c = 'O'
		case c == 'O' && i > 0 && digitsOnly(out) && i+1 < len(runes) && (runes[i+1] == ' ' || runes[i+1] == 'O' || unicode.IsDigit(runes[i+1])):
			c = '0'
		case i > 0 && unicode.IsDigit(runes[i-1]) && out[len(out)-1] != 'O' && lettersFrom(i) >= 3:
			out = append(out, ' ')
		}
		out = append(out, c)
	}
	return string(out)
}

// digitsOnly reports whether all of an address so far is digits.
func digitsOnly(runes []rune) bool {
	return !slices.ContainsFunc(runes, func(c rune) bool { return !unicode.IsDigit(c) })
}
