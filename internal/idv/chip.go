package idv

import (
	"slices"
	"time"
)

// ChipUse says what a workflow makes of the chip of a document.
type ChipUse string

// The uses. The page is photographed in any case: what the chip says is compared with it.
const (
	ChipOff      ChipUse = "off"      // none is taken
	ChipOffered  ChipUse = "offered"  // one that is sent counts; without one nothing is missing
	ChipRequired ChipUse = "required" // without one a person decides
)

// ChipUses returns every use.
func ChipUses() []ChipUse { return []ChipUse{ChipOff, ChipOffered, ChipRequired} }

// TakesChip reports whether a chip is taken, read by an app or over a relay.
func (w WorkflowVersion) TakesChip() bool { return w.Chip == ChipOffered || w.Chip == ChipRequired }

// ChipChallengeBytes is the length of a challenge of Active Authentication (ICAO 9303-11 section 6.1).
const ChipChallengeBytes = 8

// ChipChallengeLife is how long a challenge to a chip can be answered after it was issued.
const ChipChallengeLife = 5 * time.Minute

// MostPortraitPixels is the size up to which the portrait of a chip is opened; those of documents have a fifth of a million or less.
const MostPortraitPixels = 4_000_000

// Chip is what was found about a chip from the files that were read.
type Chip struct {
	Authentic  bool           `json:"authentic"`  // a trusted state signed all that was read
	NotACopy   bool           `json:"not_a_copy"` // the chip used a key that the state signed, for a challenge or an agreement of the server's
	CopyProof  ChipProof      `json:"copy_proof"` // what excludes a copy; empty where nothing does
	Relayed    bool           `json:"relayed"`    // the server read the chip itself, over a relay
	Asked      bool           `json:"asked"`      // an answer to the server's challenge was sent along, or the server led Chip Authentication
	HasKey     bool           `json:"has_key"`    // the signed data has a key of Active Authentication (DG15), or of Chip Authentication for a read over a relay
	Revocation ChipRevocation `json:"revocation"` // of the signer and those above it
	Refusals   []ChipReason   `json:"refusals"`   // why it is not authentic
	Notes      []ChipReason   `json:"notes"`      // what is weak, or could not be checked
	Zone       []string       `json:"zone"`       // lines of the machine-readable zone in DG1; empty where it was not read
	Groups     []ChipGroup    `json:"groups"`     // by name
	Signature  string         `json:"signature"`  // algorithm of the signature over the data; empty where there is none
	Digest     string         `json:"digest"`     // algorithm of the digests of the data groups
	SignedAt   time.Time      `json:"signed_at,omitzero"`
	Path       []ChipIssuer   `json:"path"`       // from the signer to the anchor; the signer alone where it leads to none
	Anchor     *ChipAnchor    `json:"anchor"`     // nil where the signer leads to none
	Missing    string         `json:"missing"`    // the certificate that would be needed; empty where it leads to one
	Portrait   string         `json:"portrait"`   // encoding of the picture in DG2; empty where there is none
	CheckedAt  time.Time      `json:"checked_at"` // the moment for which it holds
}

// ChipProof is what excludes that a chip is a copy.
type ChipProof string

// The proofs. Where a chip gave both, the one that can be shown to others.
const (
	ProofAnswer    ChipProof = "active_authentication" // it signed a challenge
	ProofAgreement ChipProof = "chip_authentication"   // it agreed on a key with the server, which led the conversation
)

// ChipRevocation is what is known of the signer's revocation.
type ChipRevocation string

// The answers. What was not checked is not good.
const (
	RevocationGood       ChipRevocation = "good"
	RevocationRevoked    ChipRevocation = "revoked"
	RevocationNotChecked ChipRevocation = "not_checked"
)

// ChipReason is a refusal or a note: a row of the catalogue, and a sentence for people that names no holder.
type ChipReason struct {
	Code string `json:"code"`
	Says string `json:"says"`
}

// ChipGroup is how a data group compares with what the state signed.
type ChipGroup struct {
	Name  string `json:"name"`  // DG1 to DG16
	State string `json:"state"` // matches, differs, not_read or not_signed
}

// ChipIssuer is a certificate on the way from the signer to the anchor.
type ChipIssuer struct {
	Subject   string    `json:"subject"`
	Issuer    string    `json:"issuer"`
	Key       string    `json:"key"` // kind and size
	SHA256    Digest    `json:"sha256"`
	NotBefore time.Time `json:"not_before"`
	NotAfter  time.Time `json:"not_after"`
	DER       []byte    `json:"der"` // as it was read, so that the proof can be made again
}

// ChipAnchor is where trust in a signer comes from.
type ChipAnchor struct {
	Country    string    `json:"country"` // ISO 3166-1, two letters
	Source     string    `json:"source"`  // list or file that it came from
	AcceptedAt time.Time `json:"accepted_at"`
}

// Has reports whether one of the reasons has a code.
func (c Chip) Has(code string) bool {
	is := func(r ChipReason) bool { return r.Code == code }
	return slices.ContainsFunc(c.Refusals, is) || slices.ContainsFunc(c.Notes, is)
}
