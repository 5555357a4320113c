package optical

import (
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// tongueMarks are the capitals with marks that languages have (Unicode CLDR 48, exemplar characters).
var tongueMarks = map[string]string{
	"az": "ÇÖÜĞİŞ", "cs": "ÁÉÍÓÚÝČĎĚŇŘŠŤŮŽ", "da": "Å", "de": "ÄÖÜ", "en": "", "es": "ÁÉÍÑÓÚÜ", "ca": "ÀÇÈÉÍÏÒÓÚÜ", "gl": "ÁÉÍÏÑÓÚÜ", "eu": "ÇÑ",
	"et": "ÄÕÖÜŠŽ", "fi": "ÄÅÖŠŽ", "fr": "ÀÂÇÈÉÊËÎÏÔÙÛÜŸ", "ga": "ÁÉÍÓÚ", "hr": "ĆČŠŽ", "hu": "ÁÉÍÓÖÚÜŐŰ", "is": "ÁÉÍÓÖÚÝ", "it": "ÀÈÉÌÒÙ",
	"lb": "ÄÉË", "lt": "ĄČĖĘĮŠŪŲŽ", "lv": "ĀČĒĢĪĶĻŅŠŪŽ", "mt": "ÀÈÌÒÙĊĠŻ", "nb": "ÀÅÉÒÓÔ", "nl": "ÁÄÉËÍÏÓÖÚÜ", "pl": "ÓĄĆĘŃŚŹŻ",
	"pt": "ÀÁÂÃÇÉÊÍÒÓÔÕÚ", "ro": "ÂÎĂȘȚŞŢ", "sk": "ÁÄÉÍÓÔÚÝČĎĹĽŇŔŠŤŽ", "sl": "ČŠŽ", "sq": "ÇË", "sv": "ÀÄÅÉÖ", "tr": "ÂÎÛÇÖÜĞİŞ",
}

// stateTongues are the languages of which states print names, by the state's code.
var stateTongues = map[string]string{
	"ALB": "sq", "AND": "ca es fr", "AUT": "de", "AZE": "az", "BEL": "fr nl de", "BIH": "hr", "CHE": "de fr it", "CYP": "tr", "CZE": "cs", "DEU": "de",
	"D": "de", "DNK": "da", "ESP": "es ca gl eu", "EST": "et", "FIN": "fi sv", "FRA": "fr", "HRV": "hr", "HUN": "hu", "IRL": "ga", "ISL": "is",
	"ITA": "it de", "LIE": "de", "LTU": "lt", "LUX": "lb fr de", "LVA": "lv", "MDA": "ro", "MLT": "mt", "MNE": "hr sq", "NLD": "nl", "NOR": "nb",
	"POL": "pl", "PRT": "pt", "ROU": "ro hu", "SMR": "it", "SRB": "hr", "SVK": "sk", "SVN": "sl hr", "SWE": "sv", "TUR": "tr",
	"ARG": "es", "BOL": "es", "BRA": "pt", "CHL": "es", "COL": "es", "CRI": "es", "CUB": "es", "DOM": "es", "ECU": "es", "GTM": "es", "HND": "es",
	"MEX": "es", "NIC": "es", "PAN": "es", "PER": "es", "PRY": "es", "SLV": "es", "URY": "es", "VEN": "es", "AGO": "pt", "CPV": "pt", "MOZ": "pt",
}

// lettersOf are the capitals with marks of a state's languages; those of all languages for a state that is not listed.
func lettersOf(state string) string {
	var out strings.Builder
	if tongues, listed := stateTongues[state]; listed {
		for tongue := range strings.FieldsSeq(tongues) {
			out.WriteString(tongueMarks[tongue])
		}
		return out.String()
	}
	for _, letters := range tongueMarks {
		out.WriteString(letters)
	}
	return out.String()
}

// withCedillas writes Ş for Ș on documents of people of Turkey and Azerbaijan: one is hardly told from the other in print, and reading takes both for
// the Romanian letter where nothing else in the text is Turkish.
func withCedillas(claims []idv.Claim) {
	at := slices.IndexFunc(claims, func(c idv.Claim) bool { return c.Name == idv.Nationality })
	if at < 0 {
		at = slices.IndexFunc(claims, func(c idv.Claim) bool { return c.Name == idv.Issuer })
	}
	if at < 0 || claims[at].Value != "TUR" && claims[at].Value != "AZE" {
		return
	}
	cedillas := strings.NewReplacer("Ș", "Ş", "ș", "ş")
	for i, c := range claims {
		claims[i].Value = cedillas.Replace(c.Value)
	}
}
