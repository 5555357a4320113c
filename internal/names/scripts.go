package names

import (
	"strings"
	"unicode"

	"github.com/mozillazg/go-unidecode"
	"golang.org/x/text/unicode/norm"
)

// romanise writes a folded word in letters a to z and digits, and reports whether only its consonants are sure. Arabic,
// Hebrew, Greek, Hangul and the order of Thai vowels have rules of their own here; all else is by the tables of go-unidecode
// (from Perl's Text::Unidecode), Chinese characters by their Mandarin reading.
func romanise(word string) (latin string, bare bool) {
	if isASCII(word) {
		return word, false
	}
	first := []rune(word)[0]
	switch {
	case unicode.Is(unicode.Arabic, first):
		return mapRunes(word, arabic), true
	case unicode.Is(unicode.Hebrew, first):
		return mapRunes(word, hebrew), true
	case unicode.Is(unicode.Hangul, first):
		return hangul(word), len(word) > 3
	case unicode.Is(unicode.Katakana, first):
		return ascii(unidecode.Unidecode(word)), true
	case unicode.Is(unicode.Greek, first):
		word = greek.Replace(stripMarks(word))
	case unicode.Is(unicode.Cyrillic, first):
		word = cyrillic.Replace(word)
	case unicode.Is(unicode.Thai, first):
		return strings.ReplaceAll(ascii(unidecode.Unidecode(thaiOrder(word))), "cch", "ch"), true
	case unicode.In(first, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati):
		return ascii(unidecode.Unidecode(word)), true // the vowel that every letter has is not written
	}
	return ascii(unidecode.Unidecode(word)), false
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// ascii keeps letters and digits, in lower case.
func ascii(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		}
		return -1
	}, s)
}

func stripMarks(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(s))
}

func mapRunes(s string, table map[rune]string) string {
	var b strings.Builder
	for _, r := range s {
		b.WriteString(table[r])
	}
	return b.String()
}

// foldArabic writes the letters that Persian, Urdu and Kurdish share with Arabic as Arabic has them, and drops the article.
func foldArabic(word string) string {
	word = arabicFold.Replace(word)
	if rest, ok := strings.CutPrefix(word, "ال"); ok && len([]rune(rest)) >= 3 {
		return rest
	}
	return word
}

var (
	arabicFold = strings.NewReplacer("أ", "ا", "إ", "ا", "آ", "ا", "ٱ", "ا", "ى", "ي", "ی", "ي", "ې", "ي", "ے", "ي", "ک", "ك", "ة", "ه", "ۀ", "ه",
		"ہ", "ه", "ھ", "ه", "ۃ", "ه", "ؤ", "و", "ئ", "ي", "ء", "", "ـ", "")
	// arabic has the consonants of ALA-LC's table, without marks; letters that may be vowels are written as the vowel.
	arabic = map[rune]string{
		'ا': "a", 'ب': "b", 'ت': "t", 'ث': "th", 'ج': "j", 'ح': "h", 'خ': "kh", 'د': "d", 'ذ': "dh", 'ر': "r", 'ز': "z", 'س': "s", 'ش': "sh",
		'ص': "s", 'ض': "d", 'ط': "t", 'ظ': "z", 'ع': "", 'غ': "gh", 'ف': "f", 'ق': "q", 'ك': "k", 'ل': "l", 'م': "m", 'ن': "n", 'ه': "h",
		'و': "u", 'ي': "i", 'پ': "p", 'چ': "ch", 'ژ': "zh", 'گ': "g", 'ڤ': "v", 'ٹ': "t", 'ڈ': "d", 'ڑ': "r", 'ں': "n", 'ځ': "z", 'څ': "ts",
		'ډ': "d", 'ړ': "r", 'ښ': "sh", 'ږ': "zh", 'ګ': "g", 'ڼ': "n", 'ټ': "t", 'ۆ': "o", 'ێ': "e", 'ڕ': "r", 'ڵ': "l", 'ە': "e",
	}
	hebrew = map[rune]string{
		'א': "a", 'ב': "b", 'ג': "g", 'ד': "d", 'ה': "h", 'ו': "u", 'ז': "z", 'ח': "h", 'ט': "t", 'י': "i", 'כ': "k", 'ך': "k", 'ל': "l",
		'מ': "m", 'ם': "m", 'נ': "n", 'ן': "n", 'ס': "s", 'ע': "", 'פ': "f", 'ף': "f", 'צ': "ts", 'ץ': "ts", 'ק': "k", 'ר': "r", 'ש': "sh", 'ת': "t",
	}
	// greek is ELOT 743 where the sound differs from letter by letter.
	greek = strings.NewReplacer("ου", "u", "μπ", "b", "ντ", "d", "γκ", "g", "γγ", "ng", "τζ", "j", "τσ", "ts", "αυ", "av", "ευ", "ev",
		"β", "v", "χ", "ch", "υ", "y", "η", "i", "ς", "s")
	cyrillic = strings.NewReplacer("ь", "", "ъ", "", "кс", "x", "щ", "shch", "х", "kh", "ё", "e",
		"ц", "ts", "ы", "y", "й", "i", "ый", "y", "ий", "i", "ұ", "u",
		"ү", "u", "қ", "q", "ө", "o", "ә", "a", "ң", "ng", "һ", "h", "ғ", "g", "ў", "u", "ѓ", "g", "ќ", "k", "љ", "lj", "њ", "nj", "џ", "dz")
)

// thaiOrder puts the vowels that are written before their consonant behind it.
func thaiOrder(word string) string {
	r := []rune(word)
	for i := 0; i+1 < len(r); i++ {
		if strings.ContainsRune("เแโใไ", r[i]) {
			r[i], r[i+1] = r[i+1], r[i]
			i++
		}
	}
	return string(r)
}

// The letters of a Hangul syllable as passports and newspapers romanise names.
var (
	leads  = strings.Split("k kk n d tt r m b pp s ss  j jj ch k t p h", " ")
	vowels = strings.Split("a ae ya yae o e yo ye o wa wae oe yo u wo we wi yu u ui i", " ")
	tails  = strings.Split(" k k k n n n t l k m l l l p l m p p t t ng t t k t p t", " ")
	// surnames whose usual form is not the one by letter.
	koreanSurnames = map[rune]string{'이': "lee", '박': "park", '리': "ri", '최': "choe", '노': "roh", '임': "lim", '유': "yoo", '우': "woo"}
)

func hangul(word string) string {
	var b strings.Builder
	for _, r := range word {
		if s, ok := koreanSurnames[r]; ok {
			b.WriteString(s)
		} else if i := int(r) - 0xAC00; i >= 0 && i < 19*21*28 {
			b.WriteString(leads[i/588] + vowels[i%588/28] + tails[i%28])
		}
	}
	return b.String()
}
