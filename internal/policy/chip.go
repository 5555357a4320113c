package policy

import (
	"slices"

	"cel.dev/cel-go/cel"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// chipSent reports whether a chip was sent and looked at.
func (f Facts) chipSent() bool {
	c, asked := f.find(idv.CheckChipAuthentic)
	missing := func(r idv.Reason) bool { return r.Code == problem.ChipMissing.Code }
	return asked && c.Answer != Skipped && c.Answer != NotRun && !slices.ContainsFunc(c.Reasons, missing)
}

// chipVariables are what a rule can ask about the chip of a document. Of a session without one all are false, and the revocation is not
// known.
func chipVariables() []Variable {
	fact := func(name, doc string, of func(Facts) bool) Variable {
		return Variable{Name: name, Type: "bool", Doc: doc, cel: cel.BoolType, value: func(f facts) (any, bool) { return of(f.Facts), true }}
	}
	passed := func(k idv.CheckKind) func(Facts) bool { return func(f Facts) bool { return f.passed(k) } }
	return []Variable{
		fact("chip.present", "Whether the chip of the document was sent.", Facts.chipSent),
		fact("chip.authentic", "Whether a trusted state signed what was read from the chip.", passed(idv.CheckChipAuthentic)),
		fact("chip.not_a_copy", "Whether the chip proved that it is no copy.", passed(idv.CheckChipCopy)),
		fact("chip.like_the_page", "Whether the chip says what the page says.", passed(idv.CheckChipZone)),
		{
			Name: "chip.revocation", Type: "string", Doc: "What is known of the revocation of the chip's signer.", Known: "chip.present", cel: cel.StringType,
			Values: []string{string(idv.RevocationGood), string(idv.RevocationRevoked), string(idv.RevocationNotChecked)},
			value:  func(f facts) (any, bool) { return string(f.chipRevocation()), f.chipSent() },
		},
	}
}

func (f Facts) chipRevocation() idv.ChipRevocation {
	switch c, _ := f.find(idv.CheckChipRevocation); c.Answer {
	case Passed:
		return idv.RevocationGood
	case Failed:
		return idv.RevocationRevoked
	default:
		return idv.RevocationNotChecked
	}
}

// reevaluateChip answers the checks of a chip again where another workflow makes something else of it. Nobody knows what the chip would
// have said that the workflow of the time did not take.
func reevaluateChip(f *Facts, was, now idv.WorkflowVersion) Unknown {
	if !now.TakesChip() || f.chipSent() {
		return ""
	}
	return f.withoutEvidence(absence{
		main: idv.CheckChipAuthentic, checks: idv.ChipChecks(), changed: was.Chip != now.Chip, required: now.Chip == idv.ChipRequired,
		missing: problem.ChipMissing,
	})
}

// absence is signed evidence, of a chip or a wallet, that a session does not have.
type absence struct {
	main              idv.CheckKind   // the check that says that it is missing
	checks            []idv.CheckKind // all that look at it
	changed, required bool            // by the other workflow
	missing           problem.Kind
}

// withoutEvidence answers the checks of evidence that was not sent as another workflow would have.
func (f *Facts) withoutEvidence(a absence) Unknown {
	if _, asked := f.find(a.main); !asked {
		if a.required {
			return UnknownCheck
		}
		for _, k := range a.checks {
			f.Checks = append(f.Checks, CheckFact{Kind: k, Answer: Skipped})
		}
		return ""
	}
	for i := range f.Checks {
		c := &f.Checks[i]
		switch {
		case c.Kind != a.main || c.Answer == NotRun || !a.changed:
		case a.required:
			c.setAnswer(Inconclusive, idv.Reason{Code: a.missing.Code})
		default:
			c.setAnswer(Skipped)
		}
	}
	return ""
}
