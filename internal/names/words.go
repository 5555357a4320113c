package names

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// alsoKnown writes abbreviations before other names as the one word that they are.
var alsoKnown = strings.NewReplacer("a.k.a.", " aka ", "f.k.a.", " fka ")

// words cuts a text into folded words: letters and digits of one script, without marks that carry no sound of their own.
func words(text string) (out []string, mixed, cut bool) {
	runes := []rune(norm.NFKC.String(strings.ToValidUTF8(text, "")))
	if len(runes) > MaxRunes {
		runes, cut = runes[:MaxRunes], true
	}
	mixed = settleCapitals(runes)
	// The dotted capital I folds to i and a mark that is not there in other languages.
	folded := cases.Fold().String(strings.NewReplacer("İ", "i", "ı", "i").Replace(splitCamel(runes)))
	folded = alsoKnown.Replace(folded)
	var word []rune
	flush := func() {
		if len(word) == 0 {
			return
		}
		w, m := settle(word)
		mixed = mixed || m
		out = append(out, pieces(w)...)
		word = nil
	}
	for _, r := range norm.NFD.String(folded) {
		switch {
		case unicode.Is(unicode.Cf, r), strings.ContainsRune("'’ʼʻʿʾ`´‘.·ـ", r) && r != '.' && r != '·':
		case r == '.' || r == '·' || r == '・':
			flush()
		case keepsMark(r), unicode.IsLetter(r), unicode.IsDigit(r):
			word = append(word, r)
		case unicode.Is(unicode.Mn, r), unicode.Is(unicode.Me, r), unicode.Is(unicode.Lm, r):
		default:
			flush()
		}
	}
	flush()
	return out, mixed, cut
}

// splitCamel separates words that were joined ("AlisherUsmanov"); prefixes such as Mc and De stay.
func splitCamel(in []rune) string {
	var b strings.Builder
	run := 0 // letters since the word began
	for i, r := range in {
		if unicode.IsUpper(r) && i > 0 && unicode.IsLower(in[i-1]) && run > 3 {
			b.WriteByte(' ')
			run = 0
		}
		if unicode.IsLetter(r) {
			run++
		} else {
			run = 0
		}
		b.WriteRune(r)
	}
	return b.String()
}

// keepsMark reports whether a mark is a vowel or a voicing, without which the word is another.
func keepsMark(r rune) bool {
	if unicode.Is(unicode.Mn, r) && r >= 0x3099 && r <= 0x309A { // kana voicing
		return true
	}
	return (unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Mc, r)) && unicode.In(r,
		unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Tamil, unicode.Telugu, unicode.Kannada,
		unicode.Malayalam, unicode.Sinhala, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) || r == 'ー'
}

// lookAlikes are letters of Cyrillic and Greek that a reader takes for Latin ones (Unicode TS 39, the singles that occur in names).
var lookAlikes = map[rune]rune{
	'а': 'a', 'в': 'b', 'с': 'c', 'ԁ': 'd', 'е': 'e', 'һ': 'h', 'і': 'i', 'ј': 'j', 'к': 'k', 'м': 'm', 'н': 'h', 'о': 'o', 'р': 'p',
	'ѕ': 's', 'т': 't', 'у': 'y', 'х': 'x', 'ԛ': 'q', 'ԝ': 'w', 'α': 'a', 'β': 'b', 'ε': 'e', 'η': 'n', 'ι': 'i', 'κ': 'k', 'ν': 'v',
	'ο': 'o', 'ρ': 'p', 'τ': 't', 'υ': 'u', 'χ': 'x', 'μ': 'm', 'ζ': 'z',
}

// capitals are Greek letters that look like a Latin one only as capitals: as small letters they look like another.
var capitals = map[rune]rune{'Η': 'H', 'Ν': 'N', 'Υ': 'Y'}

// settleCapitals writes such letters within words of mostly Latin letters as what they look like, and reports whether there were any.
func settleCapitals(text []rune) (mixed bool) {
	for from := 0; from < len(text); from++ {
		to, latin, greek := from, 0, 0
		for ; to < len(text) && unicode.IsLetter(text[to]); to++ {
			if unicode.Is(unicode.Latin, text[to]) {
				latin++
			} else if unicode.Is(unicode.Greek, text[to]) {
				greek++
			}
		}
		for i := from; i < to && latin > greek; i++ {
			if c, ok := capitals[text[i]]; ok {
				text[i], mixed = c, true
			}
		}
		from = to
	}
	return mixed
}

// native are the Cyrillic letters that Latin ones are taken for; of two for one letter, the one that occurs in names.
var native = map[rune]rune{
	'a': 'а', 'b': 'в', 'c': 'с', 'd': 'ԁ', 'e': 'е', 'h': 'н', 'i': 'і', 'j': 'ј', 'k': 'к', 'm': 'м', 'o': 'о', 'p': 'р', 's': 'ѕ', 't': 'т', 'y': 'у',
	'x': 'х', 'q': 'ԛ', 'w': 'ԝ',
}

// settle writes a word that mixes scripts in the one that most of its letters have.
func settle(word []rune) (string, bool) {
	latin, like := 0, 0
	for _, r := range word {
		if unicode.Is(unicode.Latin, r) {
			latin++
		} else if _, ok := lookAlikes[r]; ok {
			like++
		}
	}
	if latin == 0 || like == 0 {
		return norm.NFC.String(string(word)), false
	}
	out := make([]rune, len(word))
	for i, r := range word {
		if to, ok := lookAlikes[r]; ok && latin >= like {
			r = to
		} else if latin < like {
			if from, ok := native[r]; ok {
				r = from
			}
		}
		out[i] = r
	}
	return norm.NFC.String(string(out)), true
}

// pieces cuts what is written without spaces into what is compared: each Han character is a word, and each syllable of a short
// word in Hangul, since longer ones are foreign names. An Arabic article is left out.
func pieces(word string) []string {
	first := []rune(word)[0]
	switch {
	case unicode.Is(unicode.Han, first), unicode.Is(unicode.Hangul, first) && utf8.RuneCountInString(word) <= 4:
		var out []string
		for _, r := range word {
			out = append(out, string(r))
		}
		return out
	case unicode.Is(unicode.Arabic, first):
		return []string{foldArabic(word)}
	}
	return []string{word}
}

// isHan reports whether a folded word is a Chinese character.
func isHan(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return unicode.Is(unicode.Han, r)
}

// set makes a set of words.
func set(list string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		out[w] = true
	}
	return out
}

// particles are words that connect the parts of a name.
var particles = set(`al el ul ur ud us ad as an ar az at ash l bin ibn ben bint binti von van der den de del della di da do dos das du des la
	le les y e i u zu zum zur af av ap ter ten te und and et nee fka aka formerly ال بن ابن بنت den het
	аль эль ибн бин бен бинт фон де оглы оглу кызы уулу oglu ogly oghlu oghli ogli ugli uly uli kizi qizi kyzy qyzy gizi uulu
	ii iii iv junior senior filho neto sobrinho hijo`)

// honorifics are words that belong to a name where it has them, and that others leave out.
var honorifics = set(`sayyid sayyed sayid sayed seyyid seyyed seyed seyid saiyid syed سيد`)

// titles are words of address, rank and office. They are left out, since sources write them or not as they please.
var titles = set(`mr mrs ms miss mister dr prof professor sir dame lord lady dipl ing mag sheikh shaikh shaykh sheik shaik haji hajji hadji
	mullah mulla maulavi maulawi mawlawi maulvi qari hafiz ustad ayatollah president praesident präsident presidente präsidentin prasident
	president präsidenten presedintele predsjednik presiden elnok minister general gen maj major col colonel lt lieutenant brig brigadier capt captain
	admiral commander sgt senator king queen prince princess emir amir imam rev reverend father pope saint
	daw dato datuk datin shri smt hj hjh
	jr sr phd md esq eng engineer شيخ حاج حاجي حجي ملا مولوي قاري حافظ استاد استاذ امير امام دكتور مهندس جنرال президент доктор г-н господин`)
