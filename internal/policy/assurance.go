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

	met func(Facts) bool
}

// AssuranceTable is what each level asks for. The lowest asks for nothing but an approval.
func AssuranceTable() []AssuranceRow {
	return slices.Clone(assurance)
}

var assurance = []AssuranceRow{
	{
		idv.AssuranceSubstantial, idv.ProofDocumentSettled,
		"Check digits, a barcode or a second source confirm what was read from the document, and its sources agree.", Facts.settled,
	},
	{
		idv.AssuranceSubstantial, idv.ProofNoFraud,
		"Copies and exchanged portraits were looked for, and no check suspects anything.", Facts.unsuspected,
	},
	{
		idv.AssuranceSubstantial, idv.ProofFaceMatched, "The selfie shows the person of the portrait.",
		func(f Facts) bool { return f.passed(idv.CheckFaceMatch) },
	},
	{
		idv.AssuranceSubstantial, idv.ProofLiveness, "A liveness challenge was answered by frames that were never sent before.",
		func(f Facts) bool { return f.passed(idv.CheckLiveness) && f.passed(idv.CheckReplay) },
	},
	{
		idv.AssuranceSubstantial, idv.ProofAttacksBounded,
		"The attack that this challenge accepts most often was measured, and it accepts at most one in ten of them (upper end of the 95 % interval).",
		Facts.bounded,
	},
	{
		idv.AssuranceHigh, idv.ProofDocumentSigned,
		"A trusted state signed the chip of the document, did not revoke the signer, and the page says the same; or a trusted issuer signed the " +
			"credential that a wallet presented for this request, and did not revoke it.", Facts.signed,
	},
	{
		idv.AssuranceHigh, idv.ProofSignedFace, "The live face is that of the portrait that the state or issuer signed.",
		func(f Facts) bool { c, _ := f.find(idv.CheckFaceMatch); return c.Answer == Passed && c.Signed },
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
	if f.walletAlone() {
		return f.trustworthy()
	}
	if edits, asked := f.find(idv.CheckDocumentEdits); asked && edits.Answer != Passed && edits.Answer != Skipped {
		return false
	}
	if !f.passed(idv.CheckDocumentOriginal) || portrait.Answer != Passed && portrait.Answer != Skipped {
		return false
	}
	return f.trustworthy()
}

// trustworthy reports whether no check suspects anything.
func (f Facts) trustworthy() bool {
	suspicious := func(r idv.Reason) bool { return !severity(r.Code).Explained() }
	return !slices.ContainsFunc(f.Checks, func(c CheckFact) bool { return slices.ContainsFunc(c.Reasons, suspicious) })
}

// signed reports whether a credential is good, or the chip is authentic, its signer known not to be revoked, and its zone that of the
// page. Whether the chip is a copy is another question: the live face is compared with what the state signed, and a copy has the same portrait.
func (f Facts) signed() bool {
	chip := f.passed(idv.CheckChipAuthentic) && f.passed(idv.CheckChipRevocation) && f.passed(idv.CheckChipZone)
	return chip || f.walletGood()
}

// bounded reports whether the worst attack on the liveness challenge was measured and stays under the bound.
func (f Facts) bounded() bool {
	c, _ := f.find(idv.CheckLiveness)
	return c.Attacks != nil && *c.Attacks <= AttackBound
}
