package lexicon

import (
	"strconv"
	"strings"
)

// LikeLetters are figures that are read for letters.
var LikeLetters = map[rune]rune{'0': 'O', '1': 'I', '5': 'S', '8': 'B'}

// LikeFigures are letters that are read for figures.
var LikeFigures = map[rune]rune{'O': '0', 'o': '0', 'D': '0', 'Q': '0', 'I': '1', 'l': '1', 'S': '5', 'B': '8', 'Z': '2'}

// Rewrite replaces the runes that a table has, in place.
func Rewrite(runes []rune, table map[rune]rune) {
	for i, c := range runes {
		if r := table[c]; r != 0 {
			runes[i] = r
		}
	}
}

// Figure returns the number that up to eight digits write; −1 for any other text.
func Figure(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || strings.Trim(s, "0123456789") != "" || len(s) > 8 {
		return -1
	}
	return n
}
