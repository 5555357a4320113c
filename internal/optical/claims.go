package optical

import (
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// ofOtherScript returns those of the claims of a page in another script that do not rest on its letters: dates, and what is not print.
// A name may consist of look-alikes alone, which nothing tells.
func ofOtherScript(claims []idv.Claim) []idv.Claim {
	dates := []idv.ClaimName{idv.DateOfBirth, idv.DateOfIssue, idv.DateOfExpiry}
	return slices.DeleteFunc(claims, func(c idv.Claim) bool { return c.Source == idv.FromPrinted && !slices.Contains(dates, c.Name) })
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
