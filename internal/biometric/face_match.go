package biometric

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/modelcard"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// FaceMatch asks whether the selfie shows the person of the portrait.
type FaceMatch struct{ card modelcard.Card }

// Kind is face.match.
func (FaceMatch) Kind() idv.CheckKind { return idv.CheckFaceMatch }

// Needs both templates.
func (FaceMatch) Needs() []idv.ArtifactKind {
	return []idv.ArtifactKind{idv.ArtifactPortraitTemplate, idv.ArtifactSelfieTemplate}
}

// Check compares the templates on the calibrated scale of the model's card. Below the threshold of the workflow's lower
// rate (FaceReferFMR) it fails for face.mismatch, between that and the threshold of FaceFMR it is undecided for
// face.uncertain, from there on it passes, unless one picture reaches the ceiling of the card: then it is undecided for
// face.too_alike. Where a template is absent, and where both are of one picture, it is undecided
// for face.not_comparable. The portrait is that of the front: a face on the back proves nothing. A model without calibration,
// or templates of another model, are an error.
func (m FaceMatch) Check(_ context.Context, ev idv.Evidence) (idv.Finding, error) {
	portrait, ok := ev.Artifact(idv.ArtifactPortraitTemplate, idv.Front)
	selfie, ok2 := ev.Best(idv.ArtifactSelfieTemplate)
	if !ok2 {
		return idv.DoesNotApply("No selfie was asked for."), nil
	}
	if !ok || !portrait.Present || !selfie.Present {
		f := idv.Undecided(idv.Reason{Code: problem.FaceNotComparable.Code})
		f.Inputs = slices.Concat(portrait.Inputs, selfie.Inputs)
		return f, nil
	}
	if samePicture(portrait, selfie) {
		f := idv.Undecided(idv.Reason{Code: problem.FaceNotComparable.Code})
		f.Note = "The selfie is the picture of the document."
		f.Inputs = slices.Concat(portrait.Inputs, selfie.Inputs)
		return f, nil
	}
	score, highest, err := m.compare(portrait, selfie)
	if err != nil {
		return idv.Finding{}, err
	}
	f, err := m.judge(score, ev.Workflow)
	if err != nil {
		return idv.Finding{}, err
	}
	m.capped(&f, highest)
	f.Inputs = slices.Concat(portrait.Inputs, selfie.Inputs)
	return f, nil
}

// capped refers a match that is too good: one frame that is as like the portrait as only a copy of it is. It looks at each frame by
// itself and at their highest similarity, which no average hides.
func (m FaceMatch) capped(f *idv.Finding, highest float64) {
	f.Measures["highest_similarity"] = highest
	ceiling := m.card.Calibration.Ceiling
	switch {
	case ceiling == nil:
		if f.Outcome == idv.Pass {
			f.Outcome, f.Reasons = idv.Inconclusive, []idv.Reason{{Code: problem.CheckNotRun.Code, Step: idv.StepSelfie}}
			f.Note = "The model's card has no ceiling, so that a copy of the portrait cannot be told from a selfie: bench faces --card measures it."
		}
		return
	case highest >= ceiling.Similarity && f.Outcome != idv.Fail:
		f.Outcome, f.Reasons = idv.Inconclusive, []idv.Reason{{Code: problem.FaceTooAlike.Code, Step: idv.StepSelfie}}
	}
	f.Measures["ceiling"] = ceiling.Similarity
	f.Measures["genuine_above_ceiling"] = float64(ceiling.Above) / float64(ceiling.Genuine)
}

// samePicture reports whether both faces were cut from one file: that a document is like itself shows nobody.
func samePicture(a, b idv.Artifact) bool {
	return slices.ContainsFunc(a.Inputs, func(d idv.Digest) bool { return slices.Contains(b.Inputs, d) })
}

// compare answers the similarity of two templates of the card's model and this version's recipe, and the highest of those of the portrait with the selfie and
// with every other frame of its run.
func (m FaceMatch) compare(portrait, selfie idv.Artifact) (score, highest float64, err error) {
	a, err := idv.ValueOf[idv.Template](portrait)
	if err != nil {
		return 0, 0, err
	}
	b, err := idv.ValueOf[idv.Template](selfie)
	if err != nil {
		return 0, 0, err
	}
	if string(a.Model.SHA256) != m.card.SHA256 || string(b.Model.SHA256) != m.card.SHA256 {
		return 0, 0, errors.New("compare faces: a template is of another model than the one in use")
	}
	if a.Recipe != face.Recipe || b.Recipe != face.Recipe {
		return 0, 0, errors.New("compare faces: a template was made in another way than this version makes it")
	}
	if len(a.Values) == 0 || len(a.Values) != len(b.Values) {
		return 0, 0, errors.New("compare faces: the templates differ in length")
	}
	score = face.Similarity(a.Values, b.Values)
	highest = score
	for _, frame := range b.Frames {
		if len(frame.Bytes) != len(a.Values) {
			return 0, 0, errors.New("compare faces: the templates differ in length")
		}
		highest = math.Max(highest, face.Similarity(a.Values, frame.Values()))
	}
	return score, highest, nil
}

// judge places a similarity on the scale.
func (m FaceMatch) judge(score float64, w idv.WorkflowVersion) (idv.Finding, error) {
	c := m.card.Calibration
	if c == nil {
		return idv.Finding{}, fmt.Errorf("compare faces: the card %s has no measured error rates", m.card.Name)
	}
	low, err := threshold(c, w.FaceReferFMR)
	if err != nil {
		return idv.Finding{}, err
	}
	high, err := threshold(c, w.FaceFMR)
	if err != nil {
		return idv.Finding{}, err
	}
	if high < low {
		return idv.Finding{}, fmt.Errorf("compare faces: the workflow refers at FMR %s and passes at %s, the wrong way round", w.FaceReferFMR, w.FaceFMR)
	}
	reason := idv.Reason{Step: idv.StepSelfie}
	var f idv.Finding
	switch {
	case score >= high:
		f = idv.Passed()
	case score >= low:
		reason.Code = problem.FaceUncertain.Code
		f = idv.Undecided(reason)
	default:
		reason.Code = problem.FaceMismatch.Code
		f = idv.Failed(reason)
	}
	fmr, fnmr := c.FMRAt(low), c.FNMRAt(low)
	f.Score, f.Threshold, f.ReferBelow = &score, &low, &high
	f.Rates = &idv.ErrorRates{FMR: &fmr, FNMR: &fnmr, DataSet: c.DataSet, OnPeople: true}
	f.Measures = map[string]float64{"fmr_at_score": c.FMRAt(score), "fmr_at_pass": c.FMRAt(high), "fnmr_at_pass": c.FNMRAt(high)}
	f.Models = []idv.ModelRef{refOf(m.card)}
	return f, nil
}

// threshold is the similarity at which the calibration measured the given false match rate, such as "1e-4".
func threshold(c *modelcard.Calibration, fmr string) (float64, error) {
	rate, err := strconv.ParseFloat(fmr, 64)
	if err != nil || !(rate > 0 && rate < 1) {
		return 0, fmt.Errorf("compare faces: %q is not a false match rate", fmr)
	}
	t, ok := c.ThresholdAt(rate)
	if !ok {
		return 0, fmt.Errorf("compare faces: the calibration does not reach FMR %s", fmr)
	}
	return t, nil
}
