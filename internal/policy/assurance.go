package policy

import (
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// AttackBound is the part of the attacks of one kind (upper end of the 95 % interval) that a liveness challenge may accept for the
// level substantial.
const AttackBound = 0.10

// AssuranceRow is what a level asks for beyond the level below.
type AssuranceRow struct {
	Level idv.AssuranceLevel
	Proof idv.AssuranceProof
	Asks  string // in words
	Built bool   // false: nothing proves it yet

	met func(Facts) bool
}

// AssuranceTable is what each level asks for. The lowest asks for nothing but an approval.
func AssuranceTable() []AssuranceRow {
	return slices.Clone(assurance)
}

var assurance = []AssuranceRow{
	{
		idv.AssuranceSubstantial, idv.ProofDocumentSettled,
		"Check digits, a barcode or a second source confirm what was read from the document, and its sources agree.", true, Facts.settled,
	},
	{
		idv.AssuranceSubstantial, idv.ProofNoFraud,
		"Copies and exchanged portraits were looked for, and no check suspects anything.", true, Facts.unsuspected,
	},
	{
		idv.AssuranceSubstantial, idv.ProofFaceMatched, "The selfie shows the person of the portrait.", true,
		func(f Facts) bool { return f.passed(idv.CheckFaceMatch) },
	},
	{
		idv.AssuranceSubstantial, idv.ProofLiveness, "A liveness challenge was answered by frames that were never sent before.", true,
		func(f Facts) bool { return f.passed(idv.CheckLiveness) && f.passed(idv.CheckReplay) },
	},
	{
		idv.AssuranceSubstantial, idv.ProofAttacksBounded,
		"The attack that this challenge accepts most often was measured, and it accepts at most one in ten of them (upper end of the 95 % interval).",
		true, Facts.bounded,
	},
	{
		idv.AssuranceHigh, idv.ProofDocumentSigned, "The issuer signed what was read: the chip of a passport, or a wallet.", false,
		func(Facts) bool { return false },
	},
	{
		idv.AssuranceHigh, idv.ProofSignedFace, "The live face is that of the portrait that the issuer signed.", false,
		func(Facts) bool { return false },
	},
}

// AssuranceOf returns the level that the facts reach, and what the next one asks for that is missing. It is of the evidence alone,
// whoever decided and however.
func AssuranceOf(f Facts) idv.Assurance {
	out := idv.Assurance{Level: idv.AssuranceLow, Met: []idv.AssuranceProof{}, Missing: []idv.AssuranceProof{}}
	for _, level := range idv.AssuranceLevels()[1:] {
		var missing []idv.AssuranceProof
		for _, r := range assurance {
			switch {
			case r.Level != level:
			case r.met(f):
				out.Met = append(out.Met, r.Proof)
			default:
				missing = append(missing, r.Proof)
			}
		}
		switch {
		case len(out.Missing) > 0:
		case len(missing) > 0:
			out.Missing = missing
		default:
			out.Level = level
		}
	}
	return out
}

// Attainable reports whether everything that a level asks for is built.
func Attainable(level idv.AssuranceLevel) bool {
	return !slices.ContainsFunc(assurance, func(r AssuranceRow) bool { return level.Reaches(r.Level) && !r.Built })
}

func (f Facts) passed(k idv.CheckKind) bool {
	c, _ := f.find(k)
	return c.Answer == Passed
}

// settled reports whether something confirms the document's reading, and nothing on it contradicts anything else. A check that
// does not apply, such as that of a second side, stands in nobody's way.
func (f Facts) settled() bool {
	for _, k := range []idv.CheckKind{idv.CheckMRZVerified, idv.CheckFactsAgree, idv.CheckSidesBelong, idv.CheckDatesPlausible} {
		if c, _ := f.find(k); c.Answer != Passed && c.Answer != Skipped {
			return false
		}
	}
	facts, _ := f.find(idv.CheckFactsAgree)
	return f.Confirmed != "" || facts.Answer == Passed && facts.Weakest != ""
}

// unsuspected reports whether copies and exchanged portraits were looked for, and no check suspects deceit, a copy or editing. A
// portrait that does not let itself be compared is skipped; the document as a whole never is. Sessions of older workflows were not
// looked at for editing.
func (f Facts) unsuspected() bool {
	portrait, _ := f.find(idv.CheckPortraitOriginal)
	if edits, asked := f.find(idv.CheckDocumentEdits); asked && edits.Answer != Passed && edits.Answer != Skipped {
		return false
	}
	if !f.passed(idv.CheckDocumentOriginal) || portrait.Answer != Passed && portrait.Answer != Skipped {
		return false
	}
	suspicious := func(r idv.Reason) bool { return !severity(r.Code).Explained() }
	return !slices.ContainsFunc(f.Checks, func(c CheckFact) bool { return slices.ContainsFunc(c.Reasons, suspicious) })
}

// bounded reports whether the worst attack on the liveness challenge was measured and stays under the bound.
func (f Facts) bounded() bool {
	c, _ := f.find(idv.CheckLiveness)
	return c.Attacks != nil && *c.Attacks <= AttackBound
}
