package policy

import (
	"slices"

	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Unknown is why a decision cannot be made again under another workflow: what was kept does not tell.
type Unknown string

// The reasons. None of them is guessed around.
const (
	UnknownFacts    Unknown = "made_before" // it was made before what it rests on was kept
	UnknownAge      Unknown = "age_band"    // the minimum age lies within the band that was kept
	UnknownDocument Unknown = "document"    // the kind of document or its issuer could not be told
	UnknownSpecimen Unknown = "specimen"    // specimens were accepted: which documents were specimens was not kept
	UnknownScale    Unknown = "scale"       // the model in use has no measured error rates at that threshold
	UnknownModel    Unknown = "model"       // the faces were compared by another model than the one in use
)

// Scale is the calibrated scale of the face model in use.
type Scale interface {
	// ThresholdAt is the similarity at which the given false match rate was measured.
	ThresholdAt(fmr string) (float64, bool)
	// Mark is what facts keep of the model (ModelMark).
	Mark() string
}

// Again makes a decision again: as if the session had followed another workflow version than the one it did. A check whose
// question is the same keeps its answer; one whose question differs is answered from what was kept, if that tells; one that
// was not asked then did not run. Problems of the answer are returned, not guessed around.
func (j *Judge) Again(f Facts, was, now idv.WorkflowVersion, scale Scale) (idv.Verdict, Unknown) {
	f.Checks = slices.Clone(f.Checks)
	for _, ask := range []func(*Facts, idv.WorkflowVersion, idv.WorkflowVersion) Unknown{askAccepted, askAge, askSpecimen} {
		if why := ask(&f, was, now); why != "" {
			return idv.Verdict{}, why
		}
	}
	if why := askFace(&f, was, now, scale); why != "" {
		return idv.Verdict{}, why
	}
	return j.Decide(f, now, f.Tried.Left(now)), ""
}

// answered finds a check that has an answer and that the new workflow requires.
func answered(f *Facts, k idv.CheckKind, now idv.WorkflowVersion) *CheckFact {
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

func (c *CheckFact) say(a Answer, reasons ...idv.Reason) { c.Answer, c.Reasons = a, reasons }

// askAccepted asks anew whether kind and issuer are accepted.
func askAccepted(f *Facts, was, now idv.WorkflowVersion) Unknown {
	c := answered(f, idv.CheckDocumentAccepted, now)
	if c == nil || slices.Equal(was.Documents, now.Documents) && slices.Equal(was.Countries, now.Countries) {
		return ""
	}
	reason := func(k problem.Kind) idv.Reason { return idv.Reason{Code: k.Code, Step: idv.StepDocumentFront} }
	switch {
	case !f.kindKnown():
		return "" // then it was not accepted before either
	case len(now.Documents) > 0 && !slices.Contains(now.Documents, f.Kind):
		c.say(Failed, reason(problem.DocumentTypeNotAccepted))
	case len(now.Countries) == 0:
		c.say(Passed)
	case f.Country == "":
		return UnknownDocument // another side may have told
	case !slices.ContainsFunc(now.Countries, func(state string) bool { return icao.SameState(state, f.Country) }):
		c.say(Failed, reason(problem.DocumentCountryNotAccepted))
	default:
		c.say(Passed)
	}
	return ""
}

// askAge asks anew whether somebody is old enough. Of the age only its band is known.
func askAge(f *Facts, was, now idv.WorkflowVersion) Unknown {
	c := answered(f, idv.CheckAgeLimit, now)
	if c == nil || was.MinimumAge == now.MinimumAge {
		return ""
	}
	if now.MinimumAge <= 0 {
		c.say(Skipped)
		return ""
	}
	if c.Answer == Inconclusive {
		return "" // the sources do not agree on a date, whatever the limit
	}
	least, most, ok := ages(f.AgeBand)
	switch {
	case !ok:
		c.say(Inconclusive, idv.Reason{Code: problem.DocumentReadersDisagree.Code, Claim: idv.DateOfBirth})
	case least >= now.MinimumAge, c.Answer == Passed && was.MinimumAge >= now.MinimumAge:
		c.say(Passed)
	case most < now.MinimumAge, c.Answer == Failed && was.MinimumAge > 0 && was.MinimumAge <= now.MinimumAge:
		c.say(Failed, idv.Reason{Code: problem.PersonUnderAge.Code, Claim: idv.DateOfBirth})
	default:
		return UnknownAge
	}
	return ""
}

// askSpecimen asks anew whether a document is a real one.
func askSpecimen(f *Facts, was, now idv.WorkflowVersion) Unknown {
	c := answered(f, idv.CheckDocumentSpecimen, now)
	switch {
	case c == nil || was.AcceptSpecimens == now.AcceptSpecimens:
		return ""
	case now.AcceptSpecimens && c.Answer == Failed:
		c.say(Passed)
		return ""
	case now.AcceptSpecimens:
		return ""
	default:
		return UnknownSpecimen
	}
}

// askFace places the similarity on the scale anew.
func askFace(f *Facts, was, now idv.WorkflowVersion, scale Scale) Unknown {
	c := answered(f, idv.CheckFaceMatch, now)
	if c == nil || c.Score == nil || was.FaceFMR == now.FaceFMR && was.FaceReferFMR == now.FaceReferFMR {
		return ""
	}
	if scale == nil {
		return UnknownScale
	}
	if c.Model != scale.Mark() {
		return UnknownModel
	}
	low, ok := scale.ThresholdAt(now.FaceReferFMR)
	high, ok2 := scale.ThresholdAt(now.FaceFMR)
	if !ok || !ok2 {
		return UnknownScale
	}
	switch {
	case *c.Score >= high:
		c.say(Passed)
	case *c.Score >= low:
		c.say(Inconclusive, idv.Reason{Code: problem.FaceUncertain.Code, Step: idv.StepSelfie})
	default:
		c.say(Failed, idv.Reason{Code: problem.FaceMismatch.Code, Step: idv.StepSelfie})
	}
	return ""
}
