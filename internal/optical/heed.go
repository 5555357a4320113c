package optical

import (
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/mrz"
	"github.com/bonafide-id/bonafide/internal/reading"
)

const (
	statedSure = 0.95 // confidence of print that supports the zone where the second reader does not
	oldest     = 120  // years of age, at most
)

// heedPrint keeps what the page prints that the zone leaves open: which century a birth is of, and what supports a character that
// the second reader does not.
func (z *Zone) heedPrint(c agreement, lines []idv.Line) {
	agrees := func(name idv.ClaimName) (idv.Claim, bool) {
		i := slices.IndexFunc(c.answers, func(a reading.Answer) bool { return a.Fact == name && a.Verdict == reading.Agrees && !a.Filled })
		if i < 0 || c.answers[i].Claim.Confidence < statedSure {
			return idv.Claim{}, false
		}
		return c.answers[i].Claim, true
	}
	for _, p := range factPlaces {
		if _, ok := agrees(p.name); ok && p.field != nameField {
			z.stated = append(z.stated, p.field)
		}
	}
	_, family := agrees(idv.FamilyName)
	_, given := agrees(idv.GivenNames)
	if z.Document.NameCutAt == 0 && family && (given || z.Document.GivenNames == "") {
		z.stated = append(z.stated, nameFields...)
	}
	for _, claim := range c.claims {
		if claim.Name == idv.Nationality && claim.Confidence >= statedSure && icao.SameState(claim.Value, z.Document.Nationality) {
			z.stated = append(z.stated, nationalityField)
		}
		if day, err := time.Parse(time.DateOnly, claim.Value); claim.Name == idv.DateOfIssue && claim.Confidence >= statedSure && err == nil {
			z.alive = append(z.alive, day)
		}
	}
	if birth, ok := agrees(idv.DateOfBirth); ok {
		z.born = printedYear(birth.Value, lines)
	}
}

// Fields of the zone.
const (
	nameField        = "name"
	nationalityField = "nationality"
	issuerField      = "issuer"
)

// nameFields are those that state names: one, or on older French cards two.
var nameFields = []string{nameField, "surname", "given_names"}

// printedYear returns the year of a date that was taken from print, 0 unless some line prints all four of its digits.
func printedYear(day string, lines []idv.Line) int {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil || !slices.ContainsFunc(lines, func(l idv.Line) bool { return strings.Contains(l.Text, day[:4]) }) {
		return 0
	}
	return t.Year()
}

// birth is the date of birth with its century: as the page prints it, else as its other dates leave it.
func (z *Zone) birth(today time.Time) mrz.Calendar {
	c := z.Document.Birth(today, z.alive...)
	if c.Year != 0 && z.born%100 == c.Year%100 && z.born <= today.Year() && z.born >= today.Year()-oldest {
		c.Year = z.born
	}
	return c
}

// unconfirmed returns the fields that the second reader does not support and nothing else does either: not print on the page, nor the
// zone itself, which writes the code of one state twice.
func (z *Zone) unconfirmed() []string {
	twice := z.Document.Issuer == z.Document.Nationality
	var out []string
	for _, f := range z.unsupported {
		other := map[string]string{nationalityField: issuerField, issuerField: nationalityField}[f]
		again := twice && other != "" && (slices.Contains(z.stated, other) || !slices.Contains(z.unsupported, other))
		if !slices.Contains(z.stated, f) && !again {
			out = append(out, f)
		}
	}
	return out
}
