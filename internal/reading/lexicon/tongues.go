package lexicon

import "strings"

// tongues are the states that issue documents in a language, beside those that do in English.
var tongues = map[string]string{
	"fr": "FRA BEL CHE LUX MCO CAN", "de": "D AUT CHE LIE LUX BEL", "es": "ESP MEX ARG CHL COL PER URY VEN",
	"it": "ITA CHE SMR", "pt": "PRT BRA", "nl": "NLD BEL",
	"pl": "POL", "cs": "CZE", "sk": "SVK", "hu": "HUN", "ro": "ROU MDA", "hr": "HRV BIH",
	"sr": "SRB MNE BIH", "sl": "SVN", "sv": "SWE FIN", "da": "DNK", "nb": "NOR",
	"fi": "FIN", "et": "EST", "lv": "LVA", "lt": "LTU", "mt": "MLT", "ga": "IRL", "is": "ISL", "tr": "TUR CYP", "sq": "ALB RKS", "id": "IDN", "vi": "VNM",
	"el": "GRC CYP", "bg": "BGR", "sw": "KEN TZA",
}

// easternTongues completes tongues.
var easternTongues = map[string]string{
	"ru": "RUS BLR KAZ KGZ", "uk": "UKR", "be": "BLR", "mk": "MKD", "kk": "KAZ",
}

// StatesOf are the codes of the states that issue documents in a language, by its ISO 639-1 code; none for English, in which all do.
func StatesOf(language string) []string {
	return strings.Fields(tongues[language] + " " + easternTongues[language])
}
