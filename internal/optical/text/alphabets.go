package text

import (
	"slices"
	"strings"
)

// tongueMarks are the capitals with marks that languages have (Unicode CLDR 48, exemplar characters).
var tongueMarks = map[string]string{
	"az": "ÇÖÜĞİŞ", "cs": "ÁÉÍÓÚÝČĎĚŇŘŠŤŮŽ", "da": "Å", "de": "ÄÖÜ", "en": "", "es": "ÁÉÍÑÓÚÜ", "ca": "ÀÇÈÉÍÏÒÓÚÜ", "gl": "ÁÉÍÏÑÓÚÜ", "eu": "ÇÑ",
	"et": "ÄÕÖÜŠŽ", "fi": "ÄÅÖŠŽ", "fr": "ÀÂÇÈÉÊËÎÏÔÙÛÜŸ", "ga": "ÁÉÍÓÚ", "hr": "ĆČŠŽ", "hu": "ÁÉÍÓÖÚÜŐŰ", "is": "ÁÉÍÓÖÚÝ", "it": "ÀÈÉÌÒÙ",
	"lb": "ÄÉË", "lt": "ĄČĖĘĮŠŪŲŽ", "lv": "ĀČĒĢĪĶĻŅŠŪŽ", "mt": "ÀÈÌÒÙĊĠŻ", "nb": "ÀÅÉÒÓÔ", "nl": "ÁÄÉËÍÏÓÖÚÜ", "pl": "ÓĄĆĘŃŚŹŻ",
	"pt": "ÀÁÂÃÇÉÊÍÒÓÔÕÚ", "ro": "ÂÎĂȘȚŞŢ", "sk": "ÁÄÉÍÓÔÚÝČĎĹĽŇŔŠŤŽ", "sl": "ČŠŽ", "sq": "ÇË", "sv": "ÀÄÅÉÖ", "tr": "ÂÎÛÇÖÜĞİŞ",
}

// tonguesOf lists the languages of names by the state that prints them.
var tonguesOf = []struct{ states, tongues string }{
	{"ARG BOL CHL COL CRI CUB DOM ECU GTM HND MEX NIC PAN PER PRY SLV URY VEN", "es"}, {"AGO BRA CPV MOZ PRT", "pt"}, {"AUT D DEU LIE", "de"},
	{"BIH HRV SRB", "hr"}, {"CYP TUR", "tr"}, {"MDA", "ro"}, {"ROU", "ro hu"}, {"SVN", "sl hr"}, {"MNE", "hr sq"}, {"ALB", "sq"}, {"AZE", "az"},
	{"AND", "ca es fr"}, {"ESP", "es ca gl eu"}, {"FRA", "fr"}, {"BEL", "fr nl de"}, {"CHE", "de fr it"}, {"LUX", "lb fr de"}, {"ITA", "it de"},
	{"SMR", "it"}, {"NLD", "nl"}, {"IRL", "ga"}, {"MLT", "mt"}, {"DNK", "da"}, {"NOR", "nb"}, {"SWE", "sv"}, {"FIN", "fi sv"}, {"ISL", "is"},
	{"EST", "et"}, {"LVA", "lv"}, {"LTU", "lt"}, {"POL", "pl"}, {"CZE", "cs"}, {"SVK", "sk"}, {"HUN", "hu"},
}

// lettersOf are the capitals with marks of a state's languages; those of all languages for a state that is not listed.
func lettersOf(state string) string {
	var out strings.Builder
	for _, group := range tonguesOf {
		if state != "" && slices.Contains(strings.Fields(group.states), state) {
			for tongue := range strings.FieldsSeq(group.tongues) {
				out.WriteString(tongueMarks[tongue])
			}
			return out.String()
		}
	}
	for _, letters := range tongueMarks {
		out.WriteString(letters)
	}
	return out.String()
}
