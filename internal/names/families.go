package names

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// familiesText has the forms of one name in a line.
//
//go:embed families.txt
var familiesText string

// families are the other sounds of a name's forms, by sound: what languages make of it, short forms and abbreviations. What a list
// itself uses for one person comes on top of it ([Corpus]).
var families = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for line := range strings.Lines(familiesText) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		var sounds []string
		for form := range strings.FieldsSeq(line) {
			if n := Parse(form); len(n.Tokens) == 1 && n.Tokens[0].Sort == Word && !slices.Contains(sounds, n.Tokens[0].Sound) {
				sounds = append(sounds, n.Tokens[0].Sound)
			}
		}
		for _, a := range sounds {
			for _, b := range sounds {
				if a != b && !slices.Contains(out[a], b) {
					out[a] = append(out[a], b)
				}
			}
		}
	}
	return out
})

// FamilyOf returns the sounds of the other forms of a name, none for most words.
func FamilyOf(sound string) []string { return families()[sound] }

// inFamily reports whether two sounds are forms of one name.
func inFamily(a, b string) bool {
	return a != "" && b != "" && haveForms()[outline(a)] && slices.Contains(families()[a], b)
}

// haveForms rules out most words that have no other forms at once, by their outlines.
var haveForms = sync.OnceValue(func() *[1 << 14]bool {
	var out [1 << 14]bool
	for sound := range families() {
		out[outline(sound)] = true
	}
	return &out
})

// outline is the first and the last letter of a word, and how many it has.
func outline(w string) int { return int(w[0]&31)<<9 | int(w[len(w)-1]&31)<<4 | len(w)&15 }
