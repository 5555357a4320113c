package names

import (
	"slices"
	"strings"
)

// spellings writes alike what English, German, French, Polish, Dutch, Turkish and Arabic transliteration spell differently. The
// earlier of two that begin at one place wins.
var spellings = strings.NewReplacer(
	"shch", "s", "tsch", "c", "dsch", "j", "dzh", "j", "sch", "s", "tch", "c", "cz", "c", "ch", "c", "sh", "s", "zh", "z", "dj", "j", "dh", "d",
	"th", "t", "kh", "h", "gh", "g", "ph", "f", "ck", "k", "qu", "k", "q", "k", "x", "ks", "ce", "se", "ci", "si", "cy", "si", "c", "k",
	"w", "v", "ou", "u", "oo", "u", "ee", "i", "ie", "i", "y", "i", "ii", "i", "ae", "e", "oe", "o", "ue", "u", "tz", "z", "ts", "z",
)

// sound writes a Latin word so that spellings of one sound are the same.
func sound(latin string) string {
	s := spellings.Replace(latin)
	out := make([]byte, 0, len(s))
	for i := range len(s) {
		if i == 0 || s[i] != s[i-1] {
			out = append(out, s[i])
		}
	}
	if n := len(out); n > 2 && out[n-1] == 'h' { // -ah
		out = out[:n-1]
	}
	if n := len(out); n > 2 && out[n-1] == 'v' { // -ov, -off
		out[n-1] = 'f'
	}
	return string(out)
}

// class groups consonants that are taken for each other; 0 is a vowel or a weak consonant, which the key of a token leaves out.
var class = [256]byte{
	'b': 'b', 'p': 'b', 'v': 'f', 'f': 'f', 'g': 'k', 'k': 'k', 'd': 't', 't': 't', 's': 's', 'z': 's', 'c': 's', 'j': 's',
	'l': 'l', 'r': 'r', 'm': 'm', 'n': 'n',
	'0': '0', '1': '1', '2': '2', '3': '3', '4': '4', '5': '5', '6': '6', '7': '7', '8': '8', '9': '9',
}

// Keys returns the groups of consonants under which a token is found, at most six, the plainest first. Tokens that sound
// alike share at least one. A token without consonants has its sound as its only key.
func (t Token) Keys() []string {
	if inAbjad(t.Folded) {
		return abjadKeys(t.Folded)
	}
	if t.Sound == "" {
		return []string{"=" + t.Folded}
	}
	plain := skeleton(t.Sound)
	if len(plain) < 2 {
		if plain == "" {
			plain = t.Sound[:1]
		}
		return []string{plain + "="}
	}
	out := []string{plain}
	if strings.Contains(t.Sound[1:], "v") { // between vowels it may be a w, which others leave out
		out = append(out, skeleton(t.Sound[:1]+strings.ReplaceAll(t.Sound[1:], "v", "")))
	}
	if strings.HasPrefix(t.Sound, "h") && strings.HasPrefix(t.Latin, "kh") {
		out = append(out, "k"+plain)
	}
	if s, ok := pinyinSound(t.Latin); ok {
		out = append(out, skeleton(s))
	}
	if strings.Contains(t.Latin, "j") && isSyllabic(t.Latin) { // Wade and Giles write so what is an r in pinyin
		out = append(out, skeleton(sound(strings.ReplaceAll(t.Latin, "j", "r"))))
	}
	return slices.Compact(out)
}

func skeleton(sound string) string {
	var out []byte
	for i := range len(sound) {
		if c := class[sound[i]]; c != 0 && (len(out) == 0 || out[len(out)-1] != c || i > 0 && class[sound[i-1]] != c) {
			out = append(out, c)
		}
	}
	return string(out)
}
