package lexicon

import (
	"slices"
	"strings"
)

// specimenWords are printed across specimens. Words that are also family names are left out.
var specimenWords = []string{
	"SPECIMEN", "SPECIMENS", "ESPECIMEN", "VZOR", "VZOREC", "WZOR", "MUESTRA", "FACSIMILE", "PAVYZDYS", "NAIDIS", "PARAUGS", "UZORAK", "ORNEK", "MINTA",
}

// SaysSpecimen reports whether a text contains a word for specimen, by itself or run together with itself.
func SaysSpecimen(text string) bool {
	for _, word := range strings.FieldsFunc(Fold(text), func(r rune) bool { return r < 'A' || r > 'Z' }) {
		if slices.Contains(specimenWords, word) || strings.Contains(word, "SPECIMEN") {
			return true
		}
	}
	return false
}
