package viz

import "github.com/bonafide-id/bonafide/internal/idv"

// Prints reports whether a page prints a fact anywhere, whatever stands beside it: a name as words of their own, a number from five
// signs on, a day in any way of writing it. Nothing proves that it is printed as that fact.
func Prints(p Page, name idv.ClaimName, value string) bool {
	switch name {
	case surname, givenNames, documentNumber, dateOfBirth, dateOfExpiry, dateOfIssue:
	default:
		return false
	}
	left := mostNames
	c := comparer{reader: newReader(p), zone: map[idv.ClaimName]string{name: value}, names: &left}
	c.reader.dates = c.reader.contextOf()
	_, _, ok := c.search(name, value)
	return ok
}
