package checker

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/mrz"
)

// likeness is the answer to "are these two statements the same fact?"
type likeness int

const (
	incomparable likeness = iota // the question cannot be answered; says nothing
	same
	partly // one says less than the other and nothing against it
	different
)

// statement is a claim with what is needed to compare it.
type statement struct {
	idv.Claim
	cutAt int // characters after which the zone or the bar code may have cut a name, 0 where it did not
}

// compare answers the question for one fact; it knows every name that idv lists.
func compare(a, b statement) likeness {
	if strings.TrimSpace(a.Value) == "" || strings.TrimSpace(b.Value) == "" {
		return incomparable
	}
	switch a.Name {
	case idv.FamilyName, idv.GivenNames:
		return compareNames(a, b)
	case idv.DateOfBirth, idv.DateOfExpiry, idv.DateOfIssue:
		return compareDates(a, b)
	case idv.DocumentNumber, idv.PersonalNumber:
		return compareNumbers(a.Value, b.Value)
	case idv.Nationality, idv.Issuer:
		return compareStates(a.Value, b.Value)
	case idv.Sex:
		return compareSexes(a.Value, b.Value)
	case idv.Address, idv.PlaceOfBirth:
		return compareTexts(a.Value, b.Value)
	}
	return incomparable
}

// statements gathers the evidence's claims, each with the cut of its zone.
func statements(ev idv.Evidence) []statement {
	out := make([]statement, 0, len(ev.Claims))
	for _, c := range ev.Claims {
		s := statement{Claim: c}
		switch c.Source {
		case idv.FromMRZ:
			s.cutAt = nameCut(ev, c.Side)
		case idv.FromChip:
			s.cutAt = chipNameCut(ev, c.Value)
		case idv.FromWallet:
			if w, ok, err := ev.Wallet(); ok && err == nil && slices.Contains(w.Cut, c.Name) {
				s.cutAt = utf8.RuneCountInString(c.Value)
			}
		case idv.FromBarcode:
			if n := utf8.RuneCountInString(c.Value); n >= leastCut && barcodeCuts(ev, c.Side, c.Name) {
				s.cutAt = n
			}
		}
		out = append(out, s)
	}
	return out
}

func nameCut(ev idv.Evidence, side idv.Side) int {
	a, ok := ev.Artifact(idv.ArtifactMRZ, side)
	if !ok || !a.Present {
		a, ok = ev.Best(idv.ArtifactMRZ)
	}
	if !ok || !a.Present {
		return 0
	}
	zone, err := idv.ValueOf[idv.MRZ](a)
	if err != nil {
		return 0
	}
	d, err := mrz.Parse(zone.Lines)
	if err != nil {
		return 0
	}
	return d.NameCutAt
}

// chipNameCut returns after how many characters the zone in the chip may have cut a name; 0 for one that the chip states in full.
func chipNameCut(ev idv.Evidence, name string) int {
	chip, ok, err := ev.Chip()
	if !ok || err != nil {
		return 0
	}
	d, err := mrz.Parse(chip.Zone)
	if err != nil || name != d.Surname && name != d.GivenNames {
		return 0
	}
	return d.NameCutAt
}

// leastCut is the shortest name that a bar code can have cut: issuers cut where their field ends, at 25 letters or more with
// what belongs to it, and a card that calls LI a cut name would be anybody's.
const leastCut = 20

// truncation are the elements in which AAMVA's bar codes say that a name is cut: T, or N where it is whole.
var truncation = map[idv.ClaimName][]string{idv.FamilyName: {"DDE"}, idv.GivenNames: {"DDF", "DDG"}}

// barcodeCuts reports whether the bar code on that side says that it cuts the name.
func barcodeCuts(ev idv.Evidence, side idv.Side, name idv.ClaimName) bool {
	a, ok := ev.Artifact(idv.ArtifactBarcode, side)
	if !ok || !a.Present {
		return false
	}
	code, err := idv.ValueOf[idv.Barcode](a)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(truncation[name], func(element string) bool { return strings.EqualFold(code.Fields[element], "T") })
}

// zoneVerified reports whether the zone on that side was read beyond doubt.
func zoneVerified(ev idv.Evidence, side idv.Side) bool {
	a, ok := ev.Artifact(idv.ArtifactMRZ, side)
	if !ok {
		a, ok = ev.Best(idv.ArtifactMRZ)
	}
	if !ok || !a.Present {
		return false
	}
	zone, err := idv.ValueOf[idv.MRZ](a)
	return err == nil && zone.Verified
}

// sure reports whether the statement was read beyond doubt by itself: see confirmed.
func (s statement) sure(ev idv.Evidence) bool { return s.confirmed(ev) != "" }

// confirmed returns what confirms the statement by itself: the signature of an issuer, the check digits of a verified zone, or a barcode's
// error correction.
// Print is read by one reader and has no check digits, so nothing does.
func (s statement) confirmed(ev idv.Evidence) idv.Confirmation {
	switch s.Source {
	case idv.FromChip, idv.FromWallet:
		return idv.BySignature
	case idv.FromBarcode:
		return idv.ByBarcode
	case idv.FromMRZ:
		if zoneVerified(ev, s.Side) {
			return idv.ByCheckDigits
		}
	}
	return ""
}

// stronger returns the stronger of two confirmations, of which either may be none.
func stronger(a, b idv.Confirmation) idv.Confirmation {
	for _, c := range idv.Confirmations() {
		if a == c || b == c {
			return c
		}
	}
	return ""
}

// likely reports whether a printed fact was not surely read, and taken because the zone states the same. Names, days and the document's number
// are looked for on the page by the zone's value, so that how surely they were read does not tell.
func (s statement) likely() bool {
	return s.Source == idv.FromPrinted && s.Confidence < idv.SurelyRead &&
		(s.Name == idv.Nationality || s.Name == idv.Issuer || s.Name == idv.PersonalNumber)
}

// confirmation returns what confirms one of the document's statements of a fact: something in itself, another source or side that
// states the same while none states anything else, or a number that encodes it. It is empty for a reading that stands alone.
func confirmation(ev idv.Evidence, all []statement, s statement) idv.Confirmation {
	if by := s.confirmed(ev); by != "" {
		return by
	}
	if s.likely() {
		return ""
	}
	agrees := false
	for _, o := range documentOnly(byName(all, s.Name)) {
		if o.Source == s.Source && o.Side == s.Side || o.likely() {
			continue
		}
		switch alike(all, s, o) {
		case different:
			return ""
		case same:
			agrees = true
		}
	}
	switch {
	case agrees, onOtherSide(ev, s):
		return idv.ByTwoSources
	case confirmsByNumber(all, s):
		return idv.ByNumber
	}
	return ""
}

func byName(all []statement, name idv.ClaimName) []statement {
	var out []statement
	for _, s := range all {
		if s.Name == name {
			out = append(out, s)
		}
	}
	return out
}

func documentOnly(all []statement) []statement {
	return slices.DeleteFunc(slices.Clone(all), func(s statement) bool { return s.Source == idv.FromClaimed })
}

// counterpart finds the same source's other half of the name.
func counterpart(all []statement, s statement) (statement, bool) {
	other := idv.GivenNames
	if s.Name == idv.GivenNames {
		other = idv.FamilyName
	}
	for _, o := range all {
		if o.Name == other && o.Source == s.Source && o.Side == s.Side {
			return o, true
		}
	}
	return statement{}, false
}

// alike compares two statements and, where two halves of a name differ, the
// whole names: sources draw the line between family and given names
// differently, and some print them in the other order.
func alike(all []statement, a, b statement) likeness {
	got := compare(a, b)
	if got != different || a.Name != idv.FamilyName && a.Name != idv.GivenNames {
		return got
	}
	wholeA, okA := whole(all, a)
	wholeB, okB := whole(all, b)
	switch {
	case okA && okB && compareNames(wholeA, wholeB) == same:
		return same
	case initialOf(a, b) || initialOf(b, a):
		return partly
	}
	return different
}

func whole(all []statement, s statement) (statement, bool) {
	o, ok := counterpart(all, s)
	if !ok {
		return s, false
	}
	family, given := s, o
	if s.Name == idv.GivenNames {
		family, given = o, s
	}
	s.Value = family.Value + " " + given.Value
	if s.Source == idv.FromBarcode {
		// Only what is cut at the end can be told from another name.
		s.cutAt = 0
		if given.cutAt > 0 {
			s.cutAt = utf8.RuneCountInString(s.Value)
		}
	}
	return s, true
}

// facts lists every fact that sources may state about one document, in the
// order of the field table.
var facts = []idv.ClaimName{
	idv.FamilyName, idv.GivenNames, idv.DateOfBirth, idv.Sex, idv.Nationality, idv.PlaceOfBirth, idv.DocumentNumber,
	idv.Issuer, idv.DateOfIssue, idv.DateOfExpiry, idv.PersonalNumber, idv.Address,
}
