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

// Heeds what is signed, whose portrait is the best there is.
func (FaceMatch) Heeds() []idv.ArtifactKind {
	return []idv.ArtifactKind{idv.ArtifactChip, idv.ArtifactWallet}
}

// Needs both templates.
func (FaceMatch) Needs() []idv.ArtifactKind {
	return []idv.ArtifactKind{idv.ArtifactPortraitTemplate, idv.ArtifactSelfieTemplate}
}

// Check compares the templates on the calibrated scale of the model's card. Below the threshold of the workflow's lower
// rate (FaceReferFMR) it fails for face.mismatch, between that and the threshold of FaceFMR it is undecided for
// face.uncertain, from there on it passes, unless one picture reaches the ceiling of the card: then it is undecided for
// face.too_alike. Where a template is absent, and where both are of one picture, it is undecided
// for face.not_comparable. The portrait is that of an authentic chip or a good credential, else that of the front: a face on the back
// proves nothing. A model without calibration, or templates of another model, are an error.
func (m FaceMatch) Check(_ context.Context, ev idv.Evidence) (idv.Finding, error) {
	portrait, ok, signed, err := portraitOf(ev)
	if err != nil {
		return idv.Finding{}, err
	}
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
	got, err := m.compare(portrait, selfie)
	if err != nil {
		return idv.Finding{}, err
	}
	f, err := m.judge(got, ev.Workflow)
	if err != nil {
		return idv.Finding{}, err
	}
	m.capped(&f, got)
	f.Inputs = slices.Concat(portrait.Inputs, selfie.Inputs)
	f.Portrait = signed
	return f, nil
}

// portraitOf returns the template of the best portrait: one that an issuer took and signed, in an authentic chip or a good credential, else
// that of the front. signed is the source of the former, empty for the latter.
func portraitOf(ev idv.Evidence) (portrait idv.Artifact, ok bool, signed idv.ClaimSource, err error) {
	chip, _, err := ev.Chip()
	if err != nil {
		return idv.Artifact{}, false, "", err
	}
	wallet, _, err := ev.Wallet()
	if err != nil {
		return idv.Artifact{}, false, "", err
	}
	if t, ok := ev.Artifact(idv.ArtifactPortraitTemplate, idv.NoSide); ok && t.Present {
		switch kind := ev.KindOf(t); {
		case kind == idv.ChipFiles && chip.Authentic:
			return t, true, idv.FromChip, nil
		case kind == idv.WalletData && wallet.Valid && wallet.HolderBound:
			return t, true, idv.FromWallet, nil
		}
	}
	portrait, ok = ev.Artifact(idv.ArtifactPortraitTemplate, idv.Front)
	return portrait, ok, "", nil
}

// capped refers a match that is too good: one frame that is as like the portrait as only a copy of it is. It looks at each frame by
// itself and at their highest similarity, which no average hides.
func (m FaceMatch) capped(f *idv.Finding, got comparison) {
	f.Measures["highest_similarity"] = got.highest
	ceiling := m.card.Calibration.Ceiling
	switch {
	case ceiling == nil:
		if f.Outcome == idv.Pass {
			f.Outcome, f.Reasons = idv.Inconclusive, []idv.Reason{{Code: problem.CheckNotRun.Code, Step: idv.StepSelfie}}
			f.Note = "The model's card has no ceiling, so a copy of the portrait cannot be distinguished from a selfie: bench faces --card measures it."
		}
		return
	case got.highest >= ceiling.Similarity && f.Outcome != idv.Fail:
		f.Outcome, f.Reasons = idv.Inconclusive, []idv.Reason{{Code: problem.FaceTooAlike.Code, Step: idv.StepSelfie}}
	}
	for _, p := range got.frames {
		if *p.Value >= ceiling.Similarity {
			f.Places = append(f.Places, p)
		}
	}
	f.Measures["ceiling"] = ceiling.Similarity
	f.Measures["genuine_above_ceiling"] = float64(ceiling.Above) / float64(ceiling.Genuine)
}

// samePicture reports whether both faces were cut from one file: that a document is like itself shows nobody.
func samePicture(a, b idv.Artifact) bool {
	return slices.ContainsFunc(a.Inputs, func(d idv.Digest) bool { return slices.Contains(b.Inputs, d) })
}

// comparison is how like the portrait the applicant's face is.
type comparison struct {
	score    float64            // similarity of the portrait and the mean of the pictures
	pictures int                // of the applicant in the mean
	single   float64            // similarity of the portrait and the selfie, or the straightest frame of a run
	highest  float64            // of the similarities of the portrait and each picture by itself
	frames   []idv.FindingPlace // the frames of a run, each with its similarity
}

// compare compares two templates of the card's model and this version's recipe. Of a run, as many frames at rest count as the card has
// a measured curve for.
func (m FaceMatch) compare(portrait, selfie idv.Artifact) (out comparison, err error) {
	a, err := idv.ValueOf[idv.Template](portrait)
	if err != nil {
		return out, err
	}
	b, err := idv.ValueOf[idv.Template](selfie)
	if err != nil {
		return out, err
	}
	if string(a.Model.SHA256) != m.card.SHA256 || string(b.Model.SHA256) != m.card.SHA256 {
		return out, errors.New("compare faces: a template is of another model than the one in use")
	}
	if a.Recipe != face.Recipe || b.Recipe != face.Recipe {
		return out, errors.New("compare faces: a template was made in another way than this version makes it")
	}
	if len(a.Values) == 0 || len(a.Values) != len(b.Values) {
		return out, errors.New("compare faces: the templates differ in length")
	}
	out.single = face.Similarity(a.Values, b.Values)
	out.highest = out.single
	if b.Frame != nil {
		out.frames = append(out.frames, idv.FrameAt(*b.Frame, "similarity", out.single))
	}
	var atRest [][]float32
	for _, frame := range b.Frames {
		if len(frame.Bytes) != len(a.Values) {
			return out, errors.New("compare faces: the templates differ in length")
		}
		values := frame.Values()
		alike := face.Similarity(a.Values, values)
		out.highest = math.Max(out.highest, alike)
		out.frames = append(out.frames, idv.FrameAt(frame.Frame, "similarity", alike))
		if frame.AtRest {
			atRest = append(atRest, values)
		}
	}
	if m.card.Calibration == nil {
		return out, fmt.Errorf("compare faces: the card %s has no measured error rates", m.card.Name)
	}
	_, out.pictures = m.card.Calibration.Of(1 + len(atRest))
	out.score = face.Similarity(a.Values, face.Mean(append(evenlyOf(atRest, out.pictures-1), b.Values)))
	return out, nil
}

// evenlyOf returns n of the templates, evenly over the run.
func evenlyOf(templates [][]float32, n int) (out [][]float32) {
	for k := range n {
		out = append(out, templates[(2*k+1)*len(templates)/(2*n)])
	}
	return out
}

// judge places a similarity on the scale. The mean of several frames has a curve of its own, measured on pictures of different
// occasions; frames of one run are more alike, so the stricter of that curve and of the curve for one picture counts.
func (m FaceMatch) judge(got comparison, w idv.WorkflowVersion) (idv.Finding, error) {
	one := m.card.Calibration
	several, _ := one.Of(got.pictures)
	low, err := threshold(one, several, w.FaceReferFMR)
	if err != nil {
		return idv.Finding{}, err
	}
	high, err := threshold(one, several, w.FaceFMR)
	if err != nil {
		return idv.Finding{}, err
	}
	if high < low {
		return idv.Finding{}, fmt.Errorf("compare faces: the workflow refers at FMR %s and passes at %s, the wrong way round", w.FaceReferFMR, w.FaceFMR)
	}
	reason := idv.Reason{Step: idv.StepSelfie}
	var f idv.Finding
	switch {
	case got.score >= high:
		f = idv.Passed()
	case got.score >= low:
		reason.Code = problem.FaceUncertain.Code
		f = idv.Undecided(reason)
	default:
		reason.Code = problem.FaceMismatch.Code
		f = idv.Failed(reason)
	}
	fmrAt := func(score float64) float64 { return math.Max(one.FMRAt(score), several.FMRAt(score)) }
	fmr, fnmr := fmrAt(low), one.FNMRAt(low)
	f.Score, f.Threshold, f.ReferBelow = &got.score, &low, &high
	f.Rates = &idv.ErrorRates{FMR: &fmr, FNMR: &fnmr, DataSet: one.DataSet, OnPeople: true}
	f.Measures = map[string]float64{
		"fmr_at_score": fmrAt(got.score), "fmr_at_pass": fmrAt(high), "fnmr_at_pass": one.FNMRAt(high),
		"pictures": float64(got.pictures), "similarity_of_one": got.single,
	}
	f.Models = []idv.ModelRef{refOf(m.card)}
	return f, nil
}

// threshold is the higher of the similarities at which both calibrations measured the given false match rate, such as "1e-4".
func threshold(one, several *modelcard.Calibration, fmr string) (float64, error) {
	rate, err := strconv.ParseFloat(fmr, 64)
	if err != nil || !(rate > 0 && rate < 1) {
		return 0, fmt.Errorf("compare faces: %q is not a false match rate", fmr)
	}
	t, ok := one.ThresholdAt(rate)
	if !ok {
		return 0, fmt.Errorf("compare faces: the calibration does not reach FMR %s", fmr)
	}
	mean, ok := several.ThresholdAt(rate)
	if !ok {
		return 0, fmt.Errorf("compare faces: the calibration for several pictures does not reach FMR %s", fmr)
	}
	return math.Max(t, mean), nil
}
