package idv

import "slices"

// AssuranceLevel says how hard it is to be approved with somebody else's identity. The levels are our own; docs/integrate/assurance.md
// maps them to NIST SP 800-63A and eIDAS, for information only.
type AssuranceLevel string

// The levels, lowest first.
const (
	AssuranceLow         AssuranceLevel = "low"
	AssuranceSubstantial AssuranceLevel = "substantial"
	AssuranceHigh        AssuranceLevel = "high"
)

// AssuranceLevels returns the levels, lowest first.
func AssuranceLevels() []AssuranceLevel {
	return []AssuranceLevel{AssuranceLow, AssuranceSubstantial, AssuranceHigh}
}

// Reaches reports whether the level is at least another one. No level reaches an unknown one.
func (l AssuranceLevel) Reaches(other AssuranceLevel) bool {
	asked := slices.Index(AssuranceLevels(), other)
	return asked >= 0 && slices.Index(AssuranceLevels(), l) >= asked
}

// AssuranceProof is a piece of evidence that an assurance level requires.
type AssuranceProof string

// The proofs, in the order in which they are shown.
const (
	ProofDocumentSettled AssuranceProof = "document_settled" // something confirms what was read from the document, and its sources agree
	ProofNoFraud         AssuranceProof = "no_fraud"         // copies and exchanged portraits were looked for, and no check suspects anything
	ProofFaceMatched     AssuranceProof = "face_matched"     // the selfie is of the person of the portrait
	ProofLiveness        AssuranceProof = "liveness"         // a liveness challenge was answered by frames that were never sent before
	ProofAttacksBounded  AssuranceProof = "attacks_bounded"  // the attack that fools that challenge most often was measured and stays under the bound
	ProofDocumentSigned  AssuranceProof = "document_signed"  // the issuer signed what was read: a chip or a wallet
	ProofSignedFace      AssuranceProof = "signed_face"      // the live face is that of the signed portrait
)

// AssuranceProofs returns every proof, in the order in which they are shown.
func AssuranceProofs() []AssuranceProof {
	return []AssuranceProof{
		ProofDocumentSettled, ProofNoFraud, ProofFaceMatched, ProofLiveness, ProofAttacksBounded, ProofDocumentSigned, ProofSignedFace,
	}
}

// Assurance is the level of a decision, with what proves it and what is missing for the next level.
type Assurance struct {
	Level   AssuranceLevel   `json:"level"`
	Met     []AssuranceProof `json:"met"`     // of all levels
	Missing []AssuranceProof `json:"missing"` // what the next level requires and is not there; empty at the highest
}
