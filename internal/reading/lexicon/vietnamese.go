package lexicon

import (
	"slices"
	"strings"
	"unicode"
)

// vietnameseNames are family names, folded. Most people of Viet Nam have one of them, and few people of other descent do.
var vietnameseNames = strings.Fields("NGUYEN TRAN PHAM HUYNH HOANG PHAN DANG DUONG TRUONG NGO DINH TRINH LUONG DOAN")

// SpeaksForVietnamese reports whether a line of Latin print makes it likely that some of its page is Vietnamese: it names the state, or has one of the
// usual family names or a letter that no other language writes. A reader without the letters of Vietnamese may have read it.
func SpeaksForVietnamese(text string) bool {
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
	for i, w := range words {
		folded := Letters(w)
		state := folded == "VIETNAM" || folded == "VNM" || folded == "VIET" && i+1 < len(words) && Letters(words[i+1]) == "NAM"
		if state || slices.Contains(vietnameseNames, folded) {
			return true
		}
	}
	return strings.ContainsAny(text, "ƠơƯư")
}
