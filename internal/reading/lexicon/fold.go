package lexicon

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/bonafide-id/bonafide/internal/icao"
)

// whole are letters that do not fall apart into a base and a mark.
var whole = strings.NewReplacer(
	"ß", "SS", "ẞ", "SS", "Æ", "AE", "æ", "AE", "Œ", "OE", "œ", "OE", "Ø", "O", "ø", "O", "Ł", "L", "ł", "L",
	"Đ", "D", "đ", "D", "Ð", "D", "ð", "D", "Þ", "TH", "þ", "TH", "Ħ", "H", "ħ", "H", "ı", "I", "Ŧ", "T", "ŧ", "T", "Ĳ", "IJ", "ĳ", "IJ", "°", "O", "º", "O",
)

// Fold writes a text in capitals without diacritics; Latin letters that are no base and mark become those that stand for
// them (ß → SS, Ø → O, Þ → TH), and Cyrillic and Greek ones their transliteration. What else is not Latin stays.
func Fold(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r >= unicode.MaxASCII }) {
		return strings.ToUpper(s)
	}
	s = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(whole.Replace(icao.Romanise(s))))
	return strings.ToUpper(s)
}

// Letters are the letters A–Z of a text, folded: what is left when spaces, marks and digits are lost.
func Letters(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r
		}
		return -1
	}, Fold(s))
}

// Alphanumerics returns the letters A–Z and digits of a text, folded.
func Alphanumerics(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, Fold(s))
}

// Distance is Levenshtein's, counted in bytes: how many must be changed, added or left out to make a into b; most+1 once it
// is more than most.
func Distance(a, b string, most int) int {
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return most + 1
	}
	var buffer [64]int
	row := buffer[:0]
	for j := range len(b) + 1 {
		row = append(row, j)
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		least := row[0]
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
			least = min(least, cost)
		}
		if least > most {
			return most + 1
		}
	}
	return min(row[len(b)], most+1)
}
