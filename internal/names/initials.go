package names

import "slices"

// abbreviations are words without vowels that are no initials.
var abbreviations = set("ng lv md mhd mhmd wm st ste mc chr gg hj")

// mayBeInitials reports whether a token is a word that may be two or three initials written together. It may be a surname such as Srb, too.
func mayBeInitials(t Token) bool {
	word := t.Folded
	if t.Sort != Word || t.Role == Family || len(word) < 2 || len(word) > 3 || abbreviations[word] {
		return false
	}
	for i := range len(word) {
		if word[i] < 'a' || word[i] > 'z' || isVowel(rune(word[i])) {
			return false
		}
	}
	return true
}

// spellOut writes initials that were written together as a token each, where the other name has words that begin with them in this order, and
// not the word that they are together.
func spellOut(tokens, other []Token) []Token {
	for i, t := range tokens {
		if !mayBeInitials(t) || len(tokens)+len(t.Folded)-1 > MaxTokens || !familyAfter(tokens, i) || !beginWith(other, tokens, t) {
			continue
		}
		var letters []Token
		for _, r := range t.Folded {
			letters = append(letters, withRole(NewToken(string(r)), t.Role))
		}
		return slices.Replace(slices.Clone(tokens), i, i+1, letters...)
	}
	return tokens
}

// familyAfter reports whether a name has the family name beside the token at i: a given name that the source says to be one needs another word
// beside it, and any other word needs one after it, since the last may be the family name.
func familyAfter(tokens []Token, i int) bool {
	after := tokens[i+1:]
	if tokens[i].Role == Given {
		after = tokens
	}
	return slices.ContainsFunc(after, func(t Token) bool { return t.Sort == Word && !mayBeInitials(t) })
}

// beginWith reports whether neighbouring words of a name begin with the letters of a word that it does not have. Words that the other name has
// as well are not what its initials mean.
func beginWith(words, has []Token, initials Token) bool {
	if slices.ContainsFunc(words, func(w Token) bool { return w.Latin == initials.Latin || w.Sound == initials.Sound }) {
		return false
	}
	found := 0
	for _, w := range words {
		switch {
		case w.Sort != Word || slices.ContainsFunc(has, func(h Token) bool { return h.Sound == w.Sound }):
			found = 0
		case w.Latin != "" && w.Latin[0] == initials.Folded[found]:
			found++
		case w.Latin != "" && w.Latin[0] == initials.Folded[0]:
			found = 1
		default:
			found = 0
		}
		if found == len(initials.Folded) {
			return true
		}
	}
	return false
}
