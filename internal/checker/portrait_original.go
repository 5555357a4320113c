package checker

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/forensic"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/modelcard"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// PortraitOriginal asks whether the portrait is the one that the document was issued with: a second, smaller portrait on
// the page shows the same person, and its grain is the page's. Neither was measured on real documents, so that it refers
// and never declines.
type PortraitOriginal struct{ template modelcard.Card }

// Kind is document.portrait.
func (PortraitOriginal) Kind() idv.CheckKind { return idv.CheckPortraitOriginal }

// Needs the pages.
func (PortraitOriginal) Needs() []idv.ArtifactKind { return []idv.ArtifactKind{idv.ArtifactPage} }

// ghostFMR is the false match rate from whose threshold two portraits of one page count as one person's. Below it they are
// as unlike as strangers are.
const ghostFMR = 1e-2

// Check looks at the front. Score, threshold and rates are those of the sign that fired, else of the grain if that was
// compared. A page without a portrait is document.readable's to refuse, and a picture too coarse for grain of a page without
// a second portrait shows nothing to compare: either way the question does not arise, and nothing has passed.
func (c PortraitOriginal) Check(_ context.Context, ev idv.Evidence) (idv.Finding, error) {
	sides, err := pagesOf(ev)
	if err != nil {
		return idv.Finding{}, err
	}
	for _, s := range sides {
		if s.artifact.Side == idv.Back || s.page == nil {
			continue
		}
		notRun := idv.Undecided(idv.Reason{Code: problem.CheckNotRun.Code, Step: stepOf(s.artifact.Side)})
		signs := s.page.Signs
		if signs == nil {
			return notRun, nil
		}
		if signs.Ghost == nil && signs.Grain == nil {
			continue
		}
		unlike, known := c.ghostThreshold()
		if signs.Ghost != nil && !known {
			return notRun, nil // likeness without error rates says nothing
		}
		f := idv.Passed()
		f.Inputs, f.Measures = s.artifact.Inputs, map[string]float64{}
		grain := noteGrain(&f, signs)
		ghost := c.noteGhost(&f, signs, unlike, grain == signDiffers)
		switch {
		case grain == signDiffers || ghost == signDiffers:
			f.Outcome = idv.Fail
			f.Reasons = []idv.Reason{{Code: problem.DocumentPortraitAltered.Code, Step: stepOf(s.artifact.Side)}}
			f.Places = portraitPlaces(s, ghost == signDiffers)
		case grain == signAbsent && ghost == signAbsent:
			none := idv.DoesNotApply("The picture is too coarse to compare the portrait's grain with its page's, and no second portrait was found.")
			none.Inputs, none.Measures = f.Inputs, f.Measures
			return none, nil
		}
		return f, nil
	}
	return idv.DoesNotApply("There is no portrait to compare with its page."), nil
}

// portraitPlaces are the portrait, and its second image where the two differ.
func portraitPlaces(s sidePage, ghost bool) []idv.FindingPlace {
	var out []idv.FindingPlace
	for i, f := range s.page.FacesBySize() {
		switch {
		case i == 0:
			out = append(out, idv.FindingPlace{Side: s.artifact.Side, Box: &f.Box, What: idv.PortraitRegion})
		case i == 1 && ghost:
			out = append(out, idv.FindingPlace{Side: s.artifact.Side, Box: &f.Box, What: idv.GhostRegion})
		}
	}
	return out
}

// grainLeast is the resolution in pixels a millimetre from which grain tells anything. A picture made smaller has lost it, and
// compression smooths what is flat: of genuine pages below, portraits came out far smoother than their page.
const grainLeast = 18.0

// comparison is the answer of one sign.
type comparison int

const (
	signAbsent comparison = iota
	signAgrees
	signDiffers
)

// noteGrain compares the portrait's grain with the page's, and adds the sign to the finding.
func noteGrain(f *idv.Finding, signs *idv.Signs) comparison {
	if signs.Grain == nil {
		return signAbsent
	}
	f.Measures["grain"] = *signs.Grain
	if signs.PixelsPerMM < grainLeast {
		return signAbsent
	}
	sign := forensic.Rates().Signs[forensic.GrainSign]
	f.Rates, f.Note = ratesOf(sign, signs.PixelsPerMM)
	f.Score, f.Threshold = signs.Grain, &sign.Threshold
	if sign.Fires(*signs.Grain) {
		return signDiffers
	}
	return signAgrees
}

// ghostThreshold returns the likeness below which two portraits of one page are not one person's; false where the model's card
// states none.
func (c PortraitOriginal) ghostThreshold() (float64, bool) {
	if c.template.Calibration == nil {
		return 0, false
	}
	return c.template.Calibration.ThresholdAt(ghostFMR)
}

// noteGhost asks whether the second portrait shows the same person. Where the grain fired, the score of the finding remains
// that of the grain.
func (c PortraitOriginal) noteGhost(f *idv.Finding, signs *idv.Signs, threshold float64, fired bool) comparison {
	if signs.Ghost == nil {
		return signAbsent
	}
	f.Measures["ghost"], f.Measures["ghost_width"] = *signs.Ghost, float64(signs.GhostWidth)
	answer := signAgrees
	if *signs.Ghost < threshold {
		answer = signDiffers
	}
	if f.Score == nil || answer == signDiffers && !fired {
		curve := c.template.Calibration
		missed, alarms := curve.FMRAt(threshold), curve.FNMRAt(threshold)
		f.Score, f.Threshold = signs.Ghost, &threshold
		f.Models = []idv.ModelRef{refOf(c.template)}
		f.Note = "Likeness of the second portrait on the page."
		f.Rates = &idv.ErrorRates{
			APCER: &missed, BPCER: &alarms, DataSet: curve.DataSet,
			Note: "Of ordinary pictures of faces. Second portraits are smaller and paler: the rate of false alarms on them is not known.",
		}
	}
	return answer
}
