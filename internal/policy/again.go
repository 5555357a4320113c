package policy

import (
	"slices"

	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Unknown is the reason why a decision cannot be reevaluated under another workflow: the stored facts do not suffice.
type Unknown string

// The reasons.
const (
	UnknownFacts    Unknown = "made_before" // the decision is older than stored facts, or than what they say of its reasons
	UnknownAge      Unknown = "age_band"    // the minimum age is within the stored age band
	UnknownDocument Unknown = "document"    // the kind or the issuer of the document is unknown
	UnknownSpecimen Unknown = "specimen"    // specimens were accepted, so that it was not stored whether this was one
	UnknownLight    Unknown = "light"       // no colours were shown, because the workflow did not ask for them
	UnknownScale    Unknown = "scale"       // the model in use has no measured threshold for that error rate
	UnknownModel    Unknown = "model"       // the faces were compared by another model than the one in use
	UnknownSeen     Unknown = "seen"        // what is kept of other sessions does not say whether they would count
	UnknownCheck    Unknown = "check"       // a check that the new workflow requires did not exist yet
)

// Scale is the calibrated scale of the face model in use.
type Scale interface {
	// ThresholdAt returns the similarity at which the given false match rate was measured.
	ThresholdAt(fmr string) (float64, bool)
	// ModelMark returns the policy.ModelMark of the model.
	ModelMark() string
}

// Reevaluate decides as if the session had followed workflow version now instead of was. A check that both versions configure
// alike keeps its answer; one that they configure differently is answered from the stored facts, if they suffice; a check
// that did not run then counts as not run. It returns why it cannot tell, instead of guessing.
func (j *Judge) Reevaluate(f Facts, was, now idv.WorkflowVersion, scale Scale) (idv.Verdict, Unknown) {
	f.Checks = slices.Clone(f.Checks)
	if f.Version < confirmedFinals && f.hasFinal() {
		return idv.Verdict{}, UnknownFacts
	}
	if f.Version < knownSources && j.rules(now.Rules).asksSource() {
		return idv.Verdict{}, UnknownFacts
	}
	if j.rules(now.Rules).asksSystem() {
		return idv.Verdict{}, UnknownSeen
	}
	if f.before(was, now) || f.unscreened(now) || f.unlooked(now) {
		return idv.Verdict{}, UnknownCheck
	}
	for _, ask := range []func(*Facts, idv.WorkflowVersion, idv.WorkflowVersion) Unknown{
		reevaluateAccepted, reevaluateAge, reevaluateSpecimen, reevaluateLight, reevaluateSettled, reevaluateChip, reevaluateWallet, reevaluateSeen,
	} {
		if why := ask(&f, was, now); why != "" {
			return idv.Verdict{}, why
		}
	}
	if why := reevaluateFace(&f, was, now, scale); why != "" {
		return idv.Verdict{}, why
	}
	return j.Decide(f, now, f.Attempts.Remaining(now)), ""
}

// The stored forms from which on facts say what confirms a final reason, what a document without zone and barcode, and where captures
// came from.
const (
	confirmedFinals   = 2
	confirmedDocument = 3
	knownSources      = 4
)

// hasFinal reports whether a check failed for a final reason.
func (f Facts) hasFinal() bool {
	final := func(r idv.Reason) bool { return severity(r.Code) == problem.Final }
	return slices.ContainsFunc(f.Checks, func(c CheckFact) bool { return slices.ContainsFunc(c.Reasons, final) })
}

// before reports whether the decision is older than a check that was added later and only the new workflow requires. What the session
// sent would have been looked at: a check that the program has is recorded where no workflow requires it, too.
func (f Facts) before(was, now idv.WorkflowVersion) bool {
	return slices.ContainsFunc(idv.Switches(idv.Live, was.AsksLiveness()), func(k idv.CheckKind) bool {
		_, asked := f.find(k)
		return now.Requires(k) && !was.Requires(k) && !asked
	})
}

// answeredCheck returns the fact of a check that has an answer and that the new workflow requires, nil without one.
func answeredCheck(f *Facts, k idv.CheckKind, now idv.WorkflowVersion) *CheckFact {
	if !now.Requires(k) {
		return nil
	}
	for i := range f.Checks {
		if f.Checks[i].Kind == k && f.Checks[i].Answer != NotRun {
			return &f.Checks[i]
		}
	}
	return nil
}

func (c *CheckFact) setAnswer(a Answer, reasons ...idv.Reason) { c.Answer, c.Reasons = a, reasons }

// reevaluateAccepted returns again whether kind and issuer are accepted.
func reevaluateAccepted(f *Facts, was, now idv.WorkflowVersion) Unknown {
	c := answeredCheck(f, idv.CheckDocumentAccepted, now)
	if c == nil || slices.Equal(was.AcceptedKinds(), now.AcceptedKinds()) && slices.Equal(was.Countries, now.Countries) {
		return ""
	}
	reason := func(k problem.Kind) idv.Reason {
		return idv.Reason{Code: k.Code, Step: idv.StepDocumentFront, Confirmed: f.Confirmed}
	}
	switch {
	case !f.kindKnown():
		return "" // it was not accepted before either
	case !slices.Contains(now.AcceptedKinds(), f.Kind):
		c.setAnswer(Failed, reason(problem.DocumentTypeNotAccepted))
	case len(now.Countries) == 0:
		c.setAnswer(Passed)
	case f.Country == "":
		return UnknownDocument // the check may have read it from another side
	case !slices.ContainsFunc(now.Countries, func(state string) bool { return icao.SameState(state, f.Country) }):
		c.setAnswer(Failed, reason(problem.DocumentCountryNotAccepted))
	default:
		c.setAnswer(Passed)
	}
	return ""
}

// reevaluateAge returns again whether the person is old enough. Only the band of the age is known.
func reevaluateAge(f *Facts, was, now idv.WorkflowVersion) Unknown {
	c := answeredCheck(f, idv.CheckAgeLimit, now)
	if c == nil || was.MinimumAge == now.MinimumAge {
		return ""
	}
	if now.MinimumAge <= 0 {
		c.setAnswer(Skipped)
		return ""
	}
	if c.Answer == Inconclusive {
		return "" // the sources do not agree on a date, whatever the limit
	}
	least, most, ok := ageRange(f.AgeBand)
	switch {
	case !ok:
		c.setAnswer(Inconclusive, idv.Reason{Code: problem.DocumentReadersDisagree.Code, Claim: idv.DateOfBirth})
	case least >= now.MinimumAge, c.Answer == Passed && was.MinimumAge >= now.MinimumAge:
		c.setAnswer(Passed)
	case most < now.MinimumAge, c.Answer == Failed && was.MinimumAge > 0 && was.MinimumAge <= now.MinimumAge:
		c.setAnswer(Failed, idv.Reason{Code: problem.PersonUnderAge.Code, Claim: idv.DateOfBirth, Confirmed: f.Confirmed})
	default:
		return UnknownAge
	}
	return ""
}

// reevaluateSpecimen returns again whether the document is a specimen.
func reevaluateSpecimen(f *Facts, was, now idv.WorkflowVersion) Unknown {
	c := answeredCheck(f, idv.CheckDocumentSpecimen, now)
	switch {
	case c == nil || was.AcceptSpecimens == now.AcceptSpecimens:
		return ""
	case now.AcceptSpecimens && c.Answer == Failed:
		c.setAnswer(Passed)
		return ""
	case now.AcceptSpecimens:
		return ""
	default:
		return UnknownSpecimen
	}
}

// reevaluateLight says of a session that was shown no colours that nobody knows what its face would have answered.
func reevaluateLight(f *Facts, _, now idv.WorkflowVersion) Unknown {
	if c := answeredCheck(f, idv.CheckLight, now); c != nil && c.Answer == Skipped {
		return UnknownLight
	}
	return ""
}

// reevaluateSettled returns again whether what confirms a document without zone and barcode suffices. Sources that disagree disagree
// under every workflow.
func reevaluateSettled(f *Facts, was, now idv.WorkflowVersion) Unknown {
	c := answeredCheck(f, idv.CheckFactsAgree, now)
	if c == nil || was.SettledBy == now.SettledBy {
		return ""
	}
	is := func(k problem.Kind) bool {
		return slices.ContainsFunc(c.Reasons, func(r idv.Reason) bool { return r.Code == k.Code })
	}
	switch {
	case f.Version < confirmedDocument && is(problem.DocumentReadersDisagree):
		return UnknownFacts
	case c.Answer != Passed && !is(problem.DocumentUnconfirmed), c.Answer == Passed && c.Weakest == "":
	case now.SettledBy.Accepts(c.Weakest):
		c.setAnswer(Passed)
	default:
		c.setAnswer(Inconclusive, idv.Reason{Code: problem.DocumentUnconfirmed.Code})
	}
	return ""
}

// reevaluateFace compares the similarity with the new thresholds.
func reevaluateFace(f *Facts, was, now idv.WorkflowVersion, scale Scale) Unknown {
	c := answeredCheck(f, idv.CheckFaceMatch, now)
	if c == nil || c.Score == nil || was.FaceFMR == now.FaceFMR && was.FaceReferFMR == now.FaceReferFMR {
		return ""
	}
	if scale == nil {
		return UnknownScale
	}
	if c.Model != scale.ModelMark() {
		return UnknownModel
	}
	low, ok := scale.ThresholdAt(now.FaceReferFMR)
	high, ok2 := scale.ThresholdAt(now.FaceFMR)
	if !ok || !ok2 {
		return UnknownScale
	}
	copied := slices.ContainsFunc(c.Reasons, func(r idv.Reason) bool { return r.Code == problem.FaceTooAlike.Code })
	switch {
	case copied: // too good a match under every threshold
	case *c.Score >= high:
		c.setAnswer(Passed)
	case *c.Score >= low:
		c.setAnswer(Inconclusive, idv.Reason{Code: problem.FaceUncertain.Code, Step: idv.StepSelfie})
	default:
		c.setAnswer(Failed, idv.Reason{Code: problem.FaceMismatch.Code, Step: idv.StepSelfie})
	}
	return ""
}
