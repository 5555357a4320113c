package icao

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// letterForms lists, per upper-case letter, the A–Z forms that a machine
// readable zone may write for it, the recommended one first (ICAO 9303-3 §6,
// tables A: Latin, B: Cyrillic, C: Arabic; Greek, which it has no table of, by
// ELOT 743, which is ISO 843 and what Greek passports are written by). Latin letters that only lose their
// diacritic are found by decomposition and need no row. An empty form means
// that the letter may be left out.
var letterForms = loadLetters()

// latinLetters: letters with more than their base, or without one.
const latinLetters = `
Ä AE A
Å AA A
Æ AE
Ð D
Đ D
Ñ N NXX
Ö OE O
Ø OE
Þ TH
Ü UE UXX U
Ħ H
İ I
I I
Ĳ IJ
ĸ Q
Ł L
Ŀ L
Ŋ N
Œ OE
Ŧ T
ẞ SS
Ə E
Ơ O
Ư U
Ǝ E
`

// cyrillicLetters: the general form first, then those of the national
// alphabets that the table or the national passport rules name.
const cyrillicLetters = `
А A
Б B
В V
Г G H
Д D
Е E YE
Ё E IO YO
Ж ZH Z
З Z
И I Y
І I
Й I Y
К K
Л L
М M
Н N
О O
П P
Р R
С S
Т T
У U
Ф F
Х KH H
Ц TS C
Ч CH C
Ш SH S
Щ SHCH SHT
Ъ IE A
Ы Y
Ь - Y
Э E
Ю IU YU
Я IA YA
Ѵ Y
Ґ G
Ў U
Ѫ U
Ѓ G GJ
Ђ D DJ
Ѕ DZ
Ј J
Ќ K KJ
Љ LJ
Њ NJ
Һ C H
Џ DZ DJ
Є IE YE
Ї I YI
Ћ C
Ә A
Ғ G
Қ K Q
Ң N
Ө O
Ұ U
Ү U
`

// greekLetters: ΑΥ, ΕΥ and ΗΥ are written with a V or an F, ΟΥ with a U, ΓΓ, ΓΞ and ΓΧ
// with an N, and ΜΠ with a B where a word begins.
const greekLetters = `
Α A
Β V
Γ G N
Δ D
Ε E
Ζ Z
Η I
Θ TH
Ι I
Κ K
Λ L
Μ M -
Ν N
Ξ X
Ο O
Π P B
Ρ R
Σ S
Τ T
Υ Y U V F
Φ F
Χ CH
Ψ PS
Ω O
`

const arabicLetters = `
ء XE
آ XAA
أ XAE
ؤ U
إ I
ئ XI
ا A
ب B
ة XTA XAH
ت T
ث XTH
ج J
ح XH
خ XKH
د D
ذ XDH
ر R
ز Z
س S
ش XSH
ص XSS
ض XDZ
ط XTT
ظ XZZ
ع E
غ G
ف F
ق Q
ك K
ل L
م M
ن N
ه H
و W
ى XAY
ي Y
ٱ XXA
ٹ XXT
ټ XRT
پ P
ځ XKE
څ XXH
چ XC
ڈ XXD
ډ XDR
ڑ XXR
ړ XRR
ږ XRX
ژ XJ
ښ XXS
ک XKK
ګ XXK
ڭ XNG
گ XGG
ں XNN
ڼ XXN
ھ XDO
ۀ XYH
ہ XXG
ۂ XGE
ۃ XTG
ی XYA
ۍ XXY
ې Y
ے XYB
ۓ XBE
`

func loadLetters() map[rune][]string {
	m := make(map[rune][]string, 200)
	for line := range strings.Lines(latinLetters + cyrillicLetters + greekLetters + arabicLetters) {
		f := strings.Fields(line)
		if len(f) < 2 {
			continue
		}
		forms := f[1:]
		for i, form := range forms {
			if form == "-" {
				forms[i] = ""
			}
		}
		for _, r := range f[0] {
			m[r] = forms
			break
		}
	}
	return m
}

// Romanise writes each Cyrillic or Greek letter of a text in Latin capitals, in its recommended form. It changes no other character.
func Romanise(s string) string {
	var b strings.Builder
	for _, r := range s {
		if !unicode.In(r, unicode.Cyrillic, unicode.Greek) {
			b.WriteRune(r)
			continue
		}
		if forms := formsOf(unicode.ToUpper(r)); len(forms) > 0 {
			b.WriteString(forms[0])
		}
	}
	return b.String()
}

// formsOf returns the allowed forms of one upper-case letter; nil when the
// table and decomposition know none.
func formsOf(r rune) []string {
	if r >= 'A' && r <= 'Z' {
		return []string{string(r)}
	}
	if forms, ok := letterForms[r]; ok {
		return forms
	}
	if r == 0x0640 || unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Cf, r) {
		return []string{""} // tatweel, vowel signs, joiners: not encoded
	}
	base, _ := utf8.DecodeRuneInString(norm.NFD.String(string(r)))
	if base == r {
		return nil
	}
	return formsOf(base)
}

// upper brings a name to composed capitals. ß has no single capital in
// unicode.ToUpper, so it is spelled as its capital form.
func upper(s string) string {
	s = strings.ReplaceAll(norm.NFC.String(s), "ß", "ẞ")
	return strings.ToUpper(s)
}
