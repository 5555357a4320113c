package emrtd

import (
	"golang.org/x/text/language"

	"github.com/bonafide-id/bonafide/internal/icao"
)

// unlisted are the codes in certificates of issuers that have no code of ISO 3166-1 of their own, or several.
var unlisted = map[string][]string{
	"CHN": {"CN", "HK", "MO"}, // Hong Kong and Macao issue as China
	"EUE": {"EU"},
	"RKS": {"XK", "KS", "RK"},
	"UNO": {"UN"}, "UNA": {"UN"}, "UNK": {"UN"},
	"GBD": {"GB"}, "GBN": {"GB"}, "GBO": {"GB"}, "GBP": {"GB"}, "GBS": {"GB"},
	"XOM": {"XO"}, "XPO": {"XP"},
	"UTO": {"UT"},
}

// countries returns the country codes that certificates of a document's issuer have (ICAO 9303-12 section 7.1.1): the two letters of
// ISO 3166-1, or those of the organisation. Nothing for an unknown issuer.
func countries(issuer string) []string {
	s, known := icao.StateByCode(issuer)
	if !known {
		return nil
	}
	if codes, ok := unlisted[s.Code]; ok {
		return codes
	}
	code := s.ISO
	if code == "" {
		code = s.Code
	}
	region, err := language.ParseRegion(code)
	if err != nil {
		return nil
	}
	return []string{region.String()}
}
