package lexicon

import (
	"slices"
	"strings"
	"unicode"
)

// vietnameseNames are family names, folded. Most people of Viet Nam have one of them, and few people of other descent do.
var vietnameseNames = strings.Fields("NGUYEN TRAN PHAM HUYNH HOANG PHAN DANG DUONG TRUONG NGO DINH TRINH LUONG DOAN")

// NamesVietnam reports whether a line of Latin print names the state, or has one of its usual family names, so that some of its page is likely
// Vietnamese. A reader without the letters of Vietnamese may have read it.
func NamesVietnam(text string) bool {
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
	for i, w := range words {
		folded := Letters(w)
		state := folded == "VIETNAM" || folded == "VNM" || folded == "VIET" && i+1 < len(words) && Letters(words[i+1]) == "NAM"
		if state || slices.Contains(vietnameseNames, folded) {
			return true
		}
	}
	return false
}

// HasVietnameseLetter reports whether a line has a letter that no other language writes. Readers also take specks for one.
func HasVietnameseLetter(text string) bool { return strings.ContainsAny(text, "ƠơƯư") }
