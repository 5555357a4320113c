package calendar

import (
	"maps"
	"math/bits"
	"slices"
	"strings"
	"sync"

	"github.com/bonafide-id/bonafide/internal/reading/lexicon"
)

// monthNames are the months by language, in full and as documents shorten them; a name's first three letters count too
// where they are no other month's in that language.
var monthNames = map[string]string{
	"en": "JANUARY FEBRUARY MARCH APRIL MAY JUNE JULY AUGUST SEPTEMBER OCTOBER NOVEMBER DECEMBER",
	"fr": "JANVIER/JANV FEVRIER/FEVR MARS AVRIL MAI JUIN JUILLET/JUIL AOUT/AOU SEPTEMBRE/SEPT OCTOBRE NOVEMBRE DECEMBRE",
	"de": "JANUAR/JAENNER/JANNER FEBRUAR/FEBER MAERZ/MARZ/MRZ APRIL MAI JUNI JULI AUGUST SEPTEMBER OKTOBER NOVEMBER DEZEMBER",
	"es": "ENERO FEBRERO MARZO ABRIL MAYO JUNIO JULIO AGOSTO SEPTIEMBRE/SETIEMBRE/SEPT OCTUBRE NOVIEMBRE DICIEMBRE",
	"it": "GENNAIO FEBBRAIO MARZO APRILE MAGGIO GIUGNO LUGLIO AGOSTO SETTEMBRE/SETT OTTOBRE NOVEMBRE DICEMBRE",
	"pt": "JANEIRO FEVEREIRO MARCO ABRIL MAIO JUNHO JULHO AGOSTO SETEMBRO OUTUBRO NOVEMBRO DEZEMBRO",
	"nl": "JANUARI FEBRUARI MAART/MRT APRIL MEI JUNI JULI AUGUSTUS SEPTEMBER/SEPT OKTOBER NOVEMBER DECEMBER",
	"pl": "STYCZNIA/STYCZEN LUTEGO/LUTY MARCA/MARZEC KWIETNIA/KWIECIEN MAJA/MAJ CZERWCA/CZERWIEC/CZE LIPCA/LIPIEC SIERPNIA/SIERPIEN " +
		"WRZESNIA/WRZESIEN PAZDZIERNIKA/PAZDZIERNIK LISTOPADA/LISTOPAD GRUDNIA/GRUDZIEN",
	"cs": "LEDEN/LEDNA UNOR/UNORA BREZEN/BREZNA DUBEN/DUBNA KVETEN/KVETNA CERVEN/CERVNA/CVN CERVENEC/CERVENCE/CVC SRPEN/SRPNA ZARI " +
		"RIJEN/RIJNA LISTOPAD/LISTOPADU PROSINEC/PROSINCE",
	"sk": "JANUAR FEBRUAR MAREC APRIL MAJ JUN JUL AUGUST SEPTEMBER OKTOBER NOVEMBER DECEMBER",
	"hu": "JANUAR FEBRUAR/FEBR MARCIUS/MARC APRILIS MAJUS JUNIUS JULIUS AUGUSZTUS SZEPTEMBER/SZEPT OKTOBER NOVEMBER DECEMBER",
	"ro": "IANUARIE/IAN FEBRUARIE MARTIE APRILIE MAI IUNIE/IUN IULIE/IUL AUGUST SEPTEMBRIE/SEPT OCTOMBRIE NOIEMBRIE/NOI/NOV DECEMBRIE",
	"sv": "JANUARI FEBRUARI MARS APRIL MAJ JUNI JULI AUGUSTI SEPTEMBER/SEPT OKTOBER NOVEMBER DECEMBER",
	"da": "JANUAR FEBRUAR MARTS APRIL MAJ JUNI JULI AUGUST SEPTEMBER/SEPT OKTOBER NOVEMBER DECEMBER",
	"no": "JANUAR FEBRUAR MARS APRIL MAI JUNI JULI AUGUST SEPTEMBER/SEPT OKTOBER NOVEMBER DESEMBER",
	"fi": "TAMMIKUU/TAMMI HELMIKUU/HELMI MAALISKUU/MAALIS HUHTIKUU/HUHTI TOUKOKUU/TOUKO KESAKUU/KESA HEINAKUU/HEINA ELOKUU/ELO " +
		"SYYSKUU/SYYS LOKAKUU/LOKA MARRASKUU/MARRAS JOULUKUU/JOULU",
	"hr": "SIJECANJ/SIJECNJA VELJACA/VELJACE OZUJAK/OZUJKA TRAVANJ/TRAVNJA SVIBANJ/SVIBNJA LIPANJ/LIPNJA SRPANJ/SRPNJA " +
		"KOLOVOZ/KOLOVOZA RUJAN/RUJNA LISTOPAD/LISTOPADA STUDENI/STUDENOGA PROSINAC/PROSINCA",
	"sl": "JANUAR FEBRUAR MAREC APRIL MAJ JUNIJ JULIJ AVGUST SEPTEMBER OKTOBER NOVEMBER DECEMBER",
	"tr": "OCAK SUBAT MART NISAN MAYIS HAZIRAN TEMMUZ AGUSTOS EYLUL EKIM KASIM ARALIK",
	"et": "JAANUAR VEEBRUAR MARTS APRILL MAI JUUNI JUULI AUGUST SEPTEMBER/SEPT OKTOOBER NOVEMBER DETSEMBER/DETS",
	"lv": "JANVARIS FEBRUARIS MARTS APRILIS MAIJS JUNIJS JULIJS AUGUSTS SEPTEMBRIS OKTOBRIS NOVEMBRIS DECEMBRIS",
	"lt": "SAUSIS/SAUSIO VASARIS/VASARIO KOVAS/KOVO BALANDIS/BALANDZIO GEGUZE/GEGUZES BIRZELIS/BIRZELIO LIEPA/LIEPOS " +
		"RUGPJUTIS/RUGPJUCIO RUGSEJIS/RUGSEJO SPALIS/SPALIO LAPKRITIS/LAPKRICIO GRUODIS/GRUODZIO",
	"is": "JANUAR FEBRUAR MARS APRIL MAI JUNI JULI AGUST SEPTEMBER OKTOBER NOVEMBER DESEMBER",
	"sq": "JANAR SHKURT MARS PRILL MAJ QERSHOR KORRIK GUSHT SHTATOR TETOR NENTOR DHJETOR",
}

// MonthSet holds months as bits: bit 0 is January.
type MonthSet uint16

// single is the month of a set of one, else 0.
func (s MonthSet) single() int {
	if bits.OnesCount16(uint16(s)) != 1 {
		return 0
	}
	return bits.TrailingZeros16(uint16(s)) + 1
}

// MonthWords returns what words mean by language: the months that each names, folded.
func MonthWords() map[string]map[string]MonthSet { return monthWords() }

var monthWords = sync.OnceValue(func() map[string]map[string]MonthSet {
	out := map[string]map[string]MonthSet{}
	add := func(word, lang string, m int) {
		if out[word] == nil {
			out[word] = map[string]MonthSet{}
		}
		out[word][lang] |= 1 << m
	}
	all := maps.Clone(monthNames)
	for lang, names := range lexicon.EasternMonths {
		all[lang] = lexicon.Fold(names)
	}
	for lang, names := range all {
		short := map[string]MonthSet{}
		for m, forms := range strings.Fields(names) {
			for form := range strings.SplitSeq(forms, "/") {
				add(form, lang, m)
				short[form[:3]] |= 1 << m
			}
		}
		for word, set := range short {
			if m := set.single(); m > 0 && out[word][lang] == 0 {
				add(word, lang, m-1)
			}
		}
		for m, forms := range strings.Fields(names) {
			for form := range strings.SplitSeq(forms, "/") {
				if len(form) > 4 && out[form[:4]][lang] == 0 {
					add(form[:4], lang, m)
				}
			}
		}
	}
	return out
})

// monthsOf are the months that a word may name: LIP is July in Polish and June in Croatian. Digits that look like letters are taken for them; long words
// may be off by one letter.
func monthsOf(word string) MonthSet {
	word = strings.NewReplacer("0", "O", "1", "I", "5", "S", "8", "B").Replace(lexicon.Fold(word))
	if s := lookUp(word); s != 0 || len(word) < 5 {
		return s
	}
	return nearly(word, 5)
}

func lookUp(word string) MonthSet {
	var s MonthSet
	for _, set := range monthWords()[word] {
		s |= set
	}
	return s
}

// inTwoTongues are the months that two words name in different languages: MAR is March in many and November in Finnish, but MÄR/MAR is March.
func inTwoTongues(a, b string) MonthSet {
	var out MonthSet
	for one, s := range monthWords()[lexicon.Fold(a)] {
		for other, t := range monthWords()[lexicon.Fold(b)] {
			if one != other {
				out |= s & t
			}
		}
	}
	return out
}

// runTogether are the months of a word that is one month in two languages, whose stroke the reader lost (AOUTAUG) or took for a letter
// (JUILIJUL). Where one name is whole, the other may be off by a letter, which the stroke touched (AOUUAUG).
func runTogether(word string) MonthSet {
	if len(word) > longestPair {
		return 0
	}
	for _, names := range []func(a, b string) MonthSet{
		func(a, b string) MonthSet { return lookUp(a) & lookUp(b) },
		func(a, b string) MonthSet { return whole(a, b) | whole(b, a) },
	} {
		for _, stroke := range []string{"", "I", "L", "J", "T", "F", "1"} {
			for cut := 3; cut+len(stroke)+3 <= len(word); cut++ {
				if !strings.HasPrefix(word[cut:], stroke) {
					continue
				}
				if m := names(word[:cut], word[cut+len(stroke):]); m != 0 {
					return m
				}
			}
		}
	}
	return 0
}

// longestPair is how many letters the names of one month in two languages have at most, with their stroke.
const longestPair = 24

// whole are the months that one word names, and another but for one letter.
func whole(name, other string) MonthSet {
	s := lookUp(name)
	if s == 0 {
		return 0
	}
	return s & nearly(other, 4)
}

// nearly are the months with a name that differs from a word by one letter at most. Names of fewer letters than least do not count.
func nearly(word string, least int) (s MonthSet) {
	for name := range monthWords() {
		if len(name) >= least && lexicon.Distance(word, name, 1) <= 1 {
			s |= lookUp(name)
		}
	}
	return s
}

// romans are the months in Roman numerals, which Polish and Hungarian documents use.
var romans = []string{"I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"}

// IsRoman reports whether the name of a month (Day.Month) is a Roman figure.
func IsRoman(month string) bool { return slices.Contains(romans, month) }
