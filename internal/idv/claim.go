package idv

import (
	"maps"
	"slices"
)

// ClaimName names a fact about a document or its holder.
type ClaimName string

// The facts.
const (
	FamilyName     ClaimName = "family_name"
	GivenNames     ClaimName = "given_names"
	DateOfBirth    ClaimName = "date_of_birth"  // YYYY-MM-DD; XX for unknown parts (ICAO 9303-3 §4.8)
	DateOfExpiry   ClaimName = "date_of_expiry" // YYYY-MM-DD
	DateOfIssue    ClaimName = "date_of_issue"  // YYYY-MM-DD
	DocumentNumber ClaimName = "document_number"
	Nationality    ClaimName = "nationality" // ICAO 9303-3 §5 code
	Issuer         ClaimName = "issuer"      // ICAO 9303-3 §5 code
	Sex            ClaimName = "sex"         // F, M or X
	PlaceOfBirth   ClaimName = "place_of_birth"
	PersonalNumber ClaimName = "personal_number"
	Address        ClaimName = "address"
	Authority      ClaimName = "authority" // that issued the document, as printed
)

// ClaimSource is where a fact was stated.
type ClaimSource string

// The sources.
const (
	FromClaimed ClaimSource = "claimed" // by the integrator
	FromPrinted ClaimSource = "printed" // the visual zone
	FromMRZ     ClaimSource = "mrz"
	FromBarcode ClaimSource = "barcode"
	FromChip    ClaimSource = "chip"   // data that a trusted state signed; of other data no claims are made
	FromWallet  ClaimSource = "wallet" // a credential that a trusted issuer signed and its holder presented; of others no claims are made

	FromReviewer ClaimSource = "reviewer" // somebody who corrected what was read: never among the claims of a report
)

// ClaimSources returns every source.
func ClaimSources() []ClaimSource {
	return []ClaimSource{FromClaimed, FromPrinted, FromMRZ, FromBarcode, FromChip, FromWallet, FromReviewer}
}

// Box is a rectangle on an upright picture; x, y, width and height are parts of the picture, 0 to 1.
type Box struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// SurelyRead is the confidence from which what a page prints is a fact by itself (ADR 114).
const SurelyRead = .85

// Claim is one stated fact.
type Claim struct {
	Name       ClaimName   `json:"name"`
	Value      string      `json:"value"`
	Source     ClaimSource `json:"source"`
	Side       Side        `json:"side,omitempty"`
	Capture    CaptureID   `json:"capture,omitempty"`
	Confidence float64     `json:"confidence"`        // 0 to 1
	Readers    int         `json:"readers,omitempty"` // independent readers that agree on the value; 0 if only one read it
	Box        *Box        `json:"box,omitempty"`
}

// ClaimedFacts turns the integrator's statements about the person into claims, sorted by name.
func ClaimedFacts(claimed map[ClaimName]string) []Claim {
	out := make([]Claim, 0, len(claimed))
	for _, name := range slices.Sorted(maps.Keys(claimed)) {
		out = append(out, Claim{Name: name, Value: claimed[name], Source: FromClaimed, Confidence: 1})
	}
	return out
}

// ClaimableNames returns the facts that an integrator can claim.
func ClaimableNames() []ClaimName {
	return []ClaimName{FamilyName, GivenNames, DateOfBirth, DocumentNumber, Nationality, Address}
}

// DocumentFacts returns the facts that documents state.
func DocumentFacts() []ClaimName {
	return []ClaimName{
		FamilyName, GivenNames, DateOfBirth, DateOfExpiry, DateOfIssue, DocumentNumber, Nationality, Issuer, Sex, PlaceOfBirth,
		PersonalNumber, Address, Authority,
	}
}

// ReadingSources returns the sources of a document, most reliable first.
func ReadingSources() []ClaimSource {
	return []ClaimSource{FromChip, FromWallet, FromMRZ, FromBarcode, FromPrinted}
}

// ReadFact returns the reading of a fact: from a chip, else from a wallet, else from the machine-readable zone, else from a barcode, else
// from print. It is empty if the fact was read in none of them; the integrator's claims do not count.
func ReadFact(claims []Claim, name ClaimName) string {
	for _, source := range ReadingSources() {
		for _, c := range claims {
			if c.Name == name && c.Source == source && c.Value != "" {
				return c.Value
			}
		}
	}
	return ""
}
