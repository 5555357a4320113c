package idv

import "slices"

// Settling is what a workflow accepts as confirmation of a document without a machine-readable zone or barcode.
type Settling string

// The choices, strictest first. Statements by the applicant or the integrator never confirm anything.
const (
	SettledByMachine    Settling = "machine"     // nothing: only a zone or a barcode settles a document
	SettledByTwoSources Settling = "two_sources" // both sides state the fact, or a number encodes it
	SettledByTwoReaders Settling = "two_readers" // that, or two readers agree on a numbered field
)

// Settlings returns every choice, the strictest first.
func Settlings() []Settling {
	return []Settling{SettledByMachine, SettledByTwoSources, SettledByTwoReaders}
}

// Accepts reports whether the choice accepts a confirmation. The zero value is SettledByMachine.
func (s Settling) Accepts(c Confirmation) bool {
	switch c {
	case BySignature, ByCheckDigits, ByBarcode:
		return true
	case ByTwoSources, ByNumber:
		return s == SettledByTwoSources || s == SettledByTwoReaders
	case ByTwoReaders:
		return s == SettledByTwoReaders
	}
	return false
}

// SettlingFacts returns the facts that have to be confirmed before such a document counts as settled.
func SettlingFacts() []ClaimName {
	return []ClaimName{FamilyName, GivenNames, DateOfBirth, DocumentNumber, DateOfExpiry}
}

// Weakest returns the weakest confirmation among the settling facts; empty if one of them is not confirmed.
func Weakest(facts []ConfirmedFact) Confirmation {
	weakest := -1
	for _, name := range SettlingFacts() {
		at := slices.IndexFunc(facts, func(f ConfirmedFact) bool { return f.Claim == name })
		if at < 0 {
			return ""
		}
		weakest = max(weakest, slices.Index(Confirmations(), facts[at].By))
	}
	if weakest < 0 {
		return ""
	}
	return Confirmations()[weakest]
}
