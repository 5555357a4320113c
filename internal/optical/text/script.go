package text

import "unicode"

// The reader of printed lines knows Latin letters only. Of Cyrillic or Greek it makes the Latin letters that look most alike: some
// surely, others not at all, figures and capitals in the middle of words. The weights are those of a logistic regression on 2 135
// lines of twelve typefaces, half of them as from far away. On sixteen other typefaces, none of 1 700 pages of twelve Latin lines was
// taken for another script, also where print was too fine or blurred to be read; 86 % of 1 400 Cyrillic pages were told and 77 % of
// 1 300 Greek ones, and a fifth to a quarter of those whose lines are half Latin. A typeface of pictures of keys was taken for one.
const (
	scriptBias   = -1.36
	scriptUnsure = 12.23 // for the share of characters below unsureBelow
	scriptVague  = 12.73 // … of those between both
	scriptFigure = 8.90  // … of figures in words of letters
	scriptCase   = 10.98 // … of capitals after small letters within words

	unsureBelow = .70
	vagueBelow  = .97

	foreignScore = 3.0 // of a line that is surely of another script
	foreignLeast = 5   // characters of lines that count
	foreignLines = 3   // such lines, at least, of a page in another script
	foreignShare = .4  // … and their part of all characters
)

// scriptScore returns how much a line as it was read looks like one in another script, as the logarithm of the odds.
func scriptScore(text string, chars []float64) float64 {
	n, unsure, vague, sum := 0.0, 0.0, 0.0, 0.0
	for i, c := range []rune(text) {
		if unicode.IsSpace(c) || i >= len(chars) {
			continue
		}
		n++
		switch {
		case chars[i] < unsureBelow:
			unsure++
		case chars[i] < vagueBelow:
			vague++
		}
	}
	if n == 0 {
		return scriptBias
	}
	figures, cases := oddCharacters(text)
	sum = scriptUnsure*unsure + scriptVague*vague + scriptFigure*float64(figures) + scriptCase*float64(cases)
	return scriptBias + sum/n
}

// oddCharacters returns the figures in words that are mostly letters, and the capitals right after small letters.
func oddCharacters(text string) (figures, cases int) {
	letters, digits, before := 0, 0, ' '
	for _, c := range text + " " {
		switch {
		case unicode.IsLetter(c):
			letters++
		case unicode.IsDigit(c):
			digits++
		case unicode.IsSpace(c):
			if letters >= max(1, digits) {
				figures += digits
			}
			letters, digits = 0, 0
		}
		if unicode.IsLower(before) && unicode.IsUpper(c) {
			cases++
		}
		before = c
	}
	return figures, cases
}

// InOtherScript reports whether a good part of a page is in a script that is not read. Small print is read as badly as letters that the reader does
// not know. On a page in another script hardly a line is surely Latin, though.
func InOtherScript(lines []Line) bool {
	some, foreign, all, latins := 0, 0, 0, 0
	for _, l := range lines {
		n, score := len([]rune(l.Text)), scriptScore(l.Text, l.Chars)
		if l.surelyLatin() && score < 0 {
			latins++
		}
		if n < foreignLeast {
			continue
		}
		all += n
		if !l.Other && !l.toned && score > foreignScore {
			some++
			foreign += n
		}
	}
	return some >= max(foreignLines, otherMostly*latins) && float64(foreign) >= foreignShare*float64(all)
}

// surelyLatin reports whether a line is clearly read and has letters that look like those of no other script.
func (l Line) surelyLatin() bool {
	return !l.Other && l.Confidence >= latinSure && ownLetters([]rune(l.Text))[latin] > 1
}
