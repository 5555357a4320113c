package viz

import (
	"slices"
	"strings"
	"unicode"
)

// nameTitles stand before names and are no part of them.
var nameTitles = []string{"DR", "PROF", "MR", "MRS", "MS", "MISS", "HERR", "FRAU", "MME", "MLLE", "SRA", "SIG", "SIGRA", "DRHC", "MUDR", "JUDR", "PHDR", "RNDR", "MGR", "DIPLING"}

// endTitles stand behind given names on British licences.
var endTitles = []string{"MR", "MRS", "MS", "MISS", "MX", "DR"}

// birthMarks begin the name at birth, which follows the name. The first are names themselves, so that they count only in
// small letters or with a point: VAN OS and VON BORN are whole names.
var (
	birthMarks     = []string{"GEB", "NEE", "NE", "EP", "EPSE", "BORN", "ROZ", "NATA", "OS", "FODD", "FODT"}
	longBirthMarks = []string{"GEBOREN", "GEBORENE", "EPOUSE", "NASCIDA", "SZULETETT", "NASCUTA", "ONCEKI"}
)

// longestName is the longest word of a name; what is longer is a pattern of small print.
const longestName = 24

// mixed reports whether a word in capitals has a small letter, or one in small letters two capitals side by side: LOiC is LOÏC
// misread. McDONALD is so written, and ß has no capital on most documents.
func mixed(word string) bool {
	for _, prefix := range []string{"Mc", "Mac"} {
		word = strings.TrimPrefix(word, prefix)
	}
	small, pair, before := false, false, false
	for _, c := range word {
		small = small || unicode.IsLower(c) && c != 'ß' && c != 'ı'
		pair = pair || before && unicode.IsUpper(c)
		before = unicode.IsUpper(c)
	}
	return small && pair
}

// nameOf is a name without titles, birth name and stray signs; "" for what can be no name.
func nameOf(text string) string {
	text = mendName(text)
	if strings.ContainsAny(text, "0123456789<>@#=%&_") || strokeWithin(text) {
		return ""
	}
	fields := withoutTitles(withoutStroke(strings.Fields(strings.NewReplacer(",", ", ", "|", "").Replace(text))))
	for i := 1; i < len(fields); i++ {
		if fields[i] == "/" || marksBirth(fields[i:]) {
			fields = fields[:i]
			break
		}
	}
	name := unquoted(strings.TrimFunc(strings.Join(fields, " "), func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.Is(unicode.Mn, c) && !strings.ContainsRune("'’ʼ", c)
	}))
	if slices.ContainsFunc(strings.FieldsFunc(name, func(c rune) bool { return c == ' ' || c == '-' }), func(s string) bool { return len([]rune(s)) > longestName }) {
		return ""
	}
	if slices.ContainsFunc(strings.FieldsFunc(name, func(c rune) bool { return strings.ContainsRune(" -'’", c) }), mixed) {
		return ""
	}
	n := len(letters(name))
	if n == 0 || n > 80 || n == 1 && len([]rune(name)) > 1 {
		return ""
	}
	return name
}

// withoutStroke leaves out the small letter that a field's number 1 was read as, before a name in capitals.
func withoutStroke(fields []string) []string {
	if len(fields) > 1 && slices.Contains([]string{"ı", "i", "l", "!"}, fields[0]) && strings.Join(fields[1:], "") == strings.ToUpper(strings.Join(fields[1:], "")) {
		return fields[1:]
	}
	return fields
}

// sameShape are the small letters that are no more than smaller capitals, whatever mark they bear.
const sameShape = "COSUVWXZ"

// capitalised reads a small letter within a word in capitals as the capital of its shape: GYŐZő. Two capitals must stand before
// it, and no small letter of another shape in the word: McDONALD stays.
func capitalised(runes []rune) []rune {
	for from := 0; from < len(runes); {
		to := from
		for to < len(runes) && (unicode.IsLetter(runes[to]) || unicode.Is(unicode.Mn, runes[to])) {
			to++
		}
		word := runes[from:to]
		if len(word) > 2 && unicode.IsUpper(word[0]) && unicode.IsUpper(word[1]) && !slices.ContainsFunc(word, func(c rune) bool { return unicode.IsLower(c) && !strings.Contains(sameShape, Fold(string(c))) }) {
			for i, c := range word {
				word[i] = unicode.ToUpper(c)
			}
		}
		from = to + 1
	}
	return runes
}

// mendName reads a nought between letters as the letter of its shape: names have no digits.
func mendName(text string) string {
	runes := []rune(text)
	for i, c := range runes {
		beside := i > 0 && unicode.IsLetter(runes[i-1]) || i+1 < len(runes) && (unicode.IsLetter(runes[i+1]) || runes[i+1] == '\'' || runes[i+1] == '’')
		if c == '0' && beside {
			runes[i] = 'O'
		}
	}
	return romanian(string(capitalised(tallL(runes))))
}

// cedillas are the letters with a comma below as readers see them: with a cedilla.
var cedillas = strings.NewReplacer("Ş", "Ș", "ş", "ș", "Ţ", "Ț", "ţ", "ț")

// romanianOnly are letters that no other language has, commasBelow those with a comma below, as they are and as readers see them.
const (
	romanianOnly = "ȚțĂăŢţ"
	commasBelow  = "ȘșȚțŞşŢţ"
)

// romanian writes Ș and Ț with their commas in what has a letter that is Romanian alone, Ţ among them; Ş elsewhere is Turkish.
func romanian(text string) string {
	if strings.ContainsAny(text, romanianOnly) {
		return cedillas.Replace(text)
	}
	return text
}

func withoutTitles(fields []string) []string {
	for len(fields) > 1 && slices.Contains(nameTitles, letters(fields[0])) {
		fields = fields[1:]
	}
	for n := len(fields); n > 1 && slices.Contains(endTitles, letters(fields[n-1])); n-- {
		fields = fields[:n-1]
	}
	return fields
}

// marksBirth reports whether the words begin the name at birth.
func marksBirth(fields []string) bool {
	mark := letters(fields[0])
	if len(fields) > 1 {
		switch next := letters(fields[1]); {
		case mark == "Z" && (next == "D" || next == "DOMU"), mark == "DE" && next == "SOLTERA":
			return true
		}
	}
	if slices.Contains(longBirthMarks, mark) {
		return true
	}
	accented := strings.ContainsAny(fields[0], "éÉ")
	small := fields[0] == strings.ToLower(fields[0]) || strings.Contains(fields[0], ".")
	return slices.Contains(birthMarks, mark) && (accented || small && mark != "NE")
}
