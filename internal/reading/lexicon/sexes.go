package lexicon

import (
	"strings"
	"sync"
	"unicode"
)

// sexWords are the words and letters of the sexes.
var sexWords = map[string]string{
	"M": `M MALE MANNLICH MASCULIN MASCULINO MASCHILE HOMME HOMBRE MAN MIES MUZ MUSKI FERFI ERKEK MEZCZYZNA H`,
	"F": `F FEMALE WEIBLICH FEMININ FEMENINO FEMININO FEMMINILE FEMME MUJER K W Z KVINNA KVINDE KVINNE VROUW NAINEN ZENA ZENSKI
		KADIN KOBIETA`,
	"X": `X`,
}

// sexes is the sex by word, folded.
var sexes = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for sex, words := range sexWords {
		for w := range strings.FieldsSeq(words) {
			out[w] = sex
		}
	}
	return out
})

// easternSexes completes sexWords: by word in capitals, as Ч and Θ are CH and TH in Latin letters.
var easternSexes = map[string]string{
	"М": "M", "МУЖ": "M", "МУЖСКОЙ": "M", "МУЖЧИНА": "M", "ЧОЛ": "M", "ЧОЛОВІЧА": "M", "Ч": "M", "МЪЖ": "M", "МУШКИ": "M", "МАШКИ": "M", "ЕР": "M", "ΑΡΡΕΝ": "M",
	"ΆΡΡΕΝ": "M", "ΑΝΔΡΑΣ": "M", "ЖЕН": "F", "ЖЕНСКИЙ": "F", "ЖЕНЩИНА": "F", "ЖІН": "F", "ЖІНОЧА": "F", "Ж": "F", "ЖЕНА": "F", "ЖЕНСКИ": "F", "ӘЙЕЛ": "F",
	"ΘΗΛΥ": "F", "ΓΥΝΑΙΚΑ": "F", "Θ": "F",
}

// SexOf is the sex that a word states: M, F or X; empty for none.
func SexOf(word string) string {
	if strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }) {
		return ""
	}
	if !IsLatin(word) {
		return easternSexes[strings.ToUpper(word)]
	}
	plain := Letters(word)
	if len(plain) != len([]rune(word)) {
		return ""
	}
	return sexes()[plain]
}
