package checker

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/forensic"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// DocumentOriginal asks whether the pictures show the document itself: no screen's grid, no print's dots, and colour. Colour is
// asked of a side with a portrait only: many backs are printed in black alone, and nothing tells them from their copies. Its
// error rates are known of generated photographs only, so that it refers and never declines (docs/decisions/0007).
//
// It is undecided only where document.readable fails for the same reason, so that no picture that can be read is referred
// for being coarse: what a coarse picture cannot show is in the rates of its resolution, which the finding carries.
type DocumentOriginal struct{}

// Kind is document.original.
func (DocumentOriginal) Kind() idv.CheckKind { return idv.CheckDocumentOriginal }

// Needs the pages.
func (DocumentOriginal) Needs() []idv.ArtifactKind { return []idv.ArtifactKind{idv.ArtifactPage} }

// axisNear is the most degrees by which the grid of a screen may be turned against the page that it shows. Of a print's inks,
// cyan and magenta are turned by 15° and 75°, and black by 45°.
const axisNear = 8.0

// unfit are the faults of a picture that hide the signs.
var unfit = []string{problem.CaptureTooSmall.Code, problem.CaptureBlurred.Code, problem.CaptureDark.Code, problem.CaptureNoDocument.Code}

// Check judges each side. Score and threshold are those of the grid, on the side where it is strongest; the measures hold the
// rest.
func (DocumentOriginal) Check(_ context.Context, ev idv.Evidence) (idv.Finding, error) {
	sides, err := pagesOf(ev)
	if err != nil {
		return idv.Finding{}, err
	}
	f := idv.Passed()
	f.Measures = map[string]float64{}
	var frauds, gaps []idv.Reason
	for _, s := range sides {
		f.Inputs = append(f.Inputs, s.artifact.Inputs...)
		fraud, gap := copied(s)
		frauds, gaps = append(frauds, fraud...), append(gaps, gap...)
		if len(fraud) > 0 {
			box := s.page.Bounds()
			f.Places = append(f.Places, idv.FindingPlace{Side: s.artifact.Side, Box: &box, What: idv.PageRegion})
		}
		if s.page != nil && s.page.Signs != nil {
			noteSigns(&f, s)
		}
	}
	switch {
	case len(sides) == 0:
		return idv.Undecided(idv.Reason{Code: problem.CaptureNoDocument.Code, Step: idv.StepDocumentFront}), nil
	case len(frauds) > 0:
		f.Outcome, f.Reasons = idv.Fail, frauds
	case len(gaps) > 0:
		f.Outcome, f.Reasons = idv.Inconclusive, gaps
	}
	return f, nil
}

// copied returns the signs of a copy on one side, or why none could be looked for.
func copied(s sidePage) (frauds, gaps []idv.Reason) {
	step := stepOf(s.artifact.Side)
	gap := func(code string) []idv.Reason { return []idv.Reason{{Code: code, Step: step}} }
	if s.page == nil {
		return nil, gap(s.artifact.Absent)
	}
	signs := s.page.Signs
	if signs == nil {
		return nil, gap(problem.CheckNotRun.Code)
	}
	rates := forensic.Rates().Signs
	if rates[forensic.GridSign].Fires(signs.Grid) {
		k := problem.DocumentPaperCopy
		if math.Abs(signs.GridAngle) <= axisNear {
			k = problem.DocumentScreenCopy
		}
		frauds = append(frauds, idv.Reason{Code: k.Code, Step: step})
	}
	if rates[forensic.ColourSign].Fires(signs.Colour) && signs.Pictured && !signs.Monochrome && signs.Colour > 0 &&
		!slices.ContainsFunc(frauds, func(r idv.Reason) bool { return r.Code == problem.DocumentPaperCopy.Code }) {
		frauds = append(frauds, idv.Reason{Code: problem.DocumentPaperCopy.Code, Step: step})
	}
	if len(frauds) > 0 {
		return frauds, nil
	}
	for _, code := range unfit {
		if slices.Contains(s.page.Quality.Reasons, code) {
			return nil, gap(code)
		}
	}
	switch {
	case signs.Monochrome:
		return nil, gap(problem.CaptureNoColour.Code)
	case signs.Pictured && signs.Colour <= 0:
		return nil, gap(problem.CaptureDark.Code) // too dark to tell colour from none
	case signs.Places < forensic.LeastPlaces:
		return nil, gap(problem.CaptureGlare.Code) // what is not too small is burnt out
	}
	return nil, nil
}

// noteSigns adds a side's measures to the finding, and the score and rates of the side with the strongest grid.
func noteSigns(f *idv.Finding, s sidePage) {
	signs := s.page.Signs
	prefix := string(s.artifact.Side)
	if prefix != "" {
		prefix += "_"
	}
	f.Measures[prefix+"grid"], f.Measures[prefix+"grid_period"] = signs.Grid, signs.GridPeriod
	f.Measures[prefix+"colour"], f.Measures[prefix+"pixels_per_mm"] = signs.Colour, signs.PixelsPerMM
	if f.Score != nil && *f.Score >= signs.Grid {
		return
	}
	sign := forensic.Rates().Signs[forensic.GridSign]
	score, threshold := signs.Grid, sign.Threshold
	f.Score, f.Threshold = &score, &threshold
	f.Rates, f.Note = ratesOf(sign, signs.PixelsPerMM)
}

// ratesOf returns the rates of a sign at a resolution, as a finding states them: measured on generated data, which their note
// says. The part of attacks that is missed is that of the attack that is missed most.
func ratesOf(sign forensic.Sign, perMM float64) (*idv.ErrorRates, string) {
	at, ok := sign.At(perMM)
	if !ok {
		return nil, ""
	}
	alarms := at.FalseAlarmRate()
	rates := &idv.ErrorRates{
		BPCER: &alarms, DataSet: forensic.Rates().DataSet,
		Note: fmt.Sprintf("Synthetic: %d genuine photographs and their copies, generated, from %.0f pixels a millimetre.", at.Genuine, at.From),
	}
	if missed, which := at.MissRate(); which != "" {
		rates.APCER = &missed
		rates.Note += " Missed most: " + which + "."
	}
	return rates, "Finding no sign proves nothing: the error rates say what is missed at this resolution."
}
