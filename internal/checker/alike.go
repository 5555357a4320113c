package checker

import (
	"strings"
	"unicode/utf8"

	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/mrz"
)

// Comparison compares what a report's sources state about one document, by the same rules as the checks.
type Comparison struct{ all []statement }

// Compare returns the Comparison of the claims of a report, by their indexes. A report does not keep which names a barcode says that
// it cut: there every name that is long enough may have been.
func Compare(r idv.Report) Comparison {
	cut := 0
	if r.Document.MRZ != nil {
		if d, err := mrz.Parse(r.Document.MRZ.Lines); err == nil {
			cut = d.NameCutAt
		}
	}
	c := Comparison{all: make([]statement, len(r.Claims))}
	for i, claim := range r.Claims {
		c.all[i].Claim = claim
		n := utf8.RuneCountInString(claim.Value)
		switch {
		case claim.Source == idv.FromMRZ:
			c.all[i].cutAt = cut
		case claim.Source == idv.FromBarcode && len(truncation[claim.Name]) > 0 && n >= leastCut:
			c.all[i].cutAt = n
		}
	}
	return c
}

// Agree reports whether two claims of one fact state the same.
func (c Comparison) Agree(i, j int) bool { return i == j || alike(c.all, c.all[i], c.all[j]) == same }

// Within reports whether one of two claims says a part of what the other says, and nothing against it.
func (c Comparison) Within(i, j int) bool { return alike(c.all, c.all[i], c.all[j]) == partly }

// Contradict reports whether two claims of one fact state different things.
func (c Comparison) Contradict(i, j int) bool {
	return alike(c.all, c.all[i], c.all[j]) == different
}

// Spell reports whether two names spell the same by themselves, without the other half of the name.
func (c Comparison) Spell(i, j int) bool { return i == j || compareNames(c.all[i], c.all[j]) == same }

// Cut returns the number of characters at which a claim's name may have been cut; 0 where it was not.
func (c Comparison) Cut(i int) int { return c.all[i].cutAt }

// FormOf returns a claim's value in the form of its fact: days as 1990-12-31 (XX for unknown parts), states by their code of
// three letters, sex as F, M or X; names, numbers and addresses as they are stated. It returns false for what has no such form.
func FormOf(c idv.Claim) (string, bool) {
	value := strings.TrimSpace(c.Value)
	switch c.Name {
	case idv.DateOfBirth, idv.DateOfExpiry, idv.DateOfIssue:
		days := datesOf(value)
		if len(days) != 1 && !(len(days) == 2 && days[0] == days[1]) {
			return "", false
		}
		return days[0].String(), true
	case idv.Nationality, idv.Issuer:
		code, ok := stateOf(value)
		return icao.ClaimedState(code), ok
	case idv.Sex:
		sex, ok := sexForms[strings.ToUpper(value)]
		return sex, ok
	default:
		return value, value != ""
	}
}
