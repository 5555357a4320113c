package checker

import (
	"context"
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/mrz"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// DocumentReadable asks whether each picture shows one page, sharp, lit and complete, the front its portrait, and print in a script
// that is read. A better picture removes each of its reasons but the last, which name the step.
type DocumentReadable struct{}

// Kind is document.readable.
func (DocumentReadable) Kind() idv.CheckKind { return idv.CheckDocumentReadable }

// Needs the pages and what is on them.
func (DocumentReadable) Needs() []idv.ArtifactKind {
	return []idv.ArtifactKind{idv.ArtifactPage, idv.ArtifactMRZ, idv.ArtifactPortrait}
}

// Check judges each side. The score is the lowest resolution in line pairs a millimetre, the threshold idv.LeastLinePairs.
func (DocumentReadable) Check(_ context.Context, ev idv.Evidence) (idv.Finding, error) {
	sides, err := pagesOf(ev)
	if err != nil {
		return idv.Finding{}, err
	}
	var reasons []idv.Reason
	f := idv.Passed()
	f.Measures = map[string]float64{}
	for _, s := range sides {
		step := stepOf(s.artifact.Side)
		f.Inputs = append(f.Inputs, s.artifact.Inputs...)
		if s.page == nil {
			reasons = append(reasons, idv.Reason{Code: s.artifact.Absent, Step: step})
			continue
		}
		for _, code := range s.page.Quality.Reasons {
			reasons = append(reasons, idv.Reason{Code: code, Step: step})
		}
		addMeasures(&f, s.artifact.Side, s.page.Quality)
	}
	if len(sides) == 0 {
		return idv.Undecided(idv.Reason{Code: problem.CaptureNoDocument.Code, Step: idv.StepDocumentFront}), nil
	}
	if r, missing := portraitMissing(ev); missing && frontShown(sides) {
		reasons = append(reasons, r)
	}
	if sameSideTwice(ev) {
		reasons = append(reasons, idv.Reason{Code: problem.CaptureSameSideTwice.Code, Step: idv.StepDocumentBack})
	}
	switch unread := inOtherScript(ev, sides); {
	case len(reasons) > 0:
		f.Outcome, f.Reasons = idv.Fail, append(reasons, unread...)
	case len(unread) > 0:
		f.Outcome, f.Reasons = idv.Inconclusive, unread
	}
	return f, nil
}

// inOtherScript returns a reason for each side whose print is in a script that is not read, where neither a machine-readable zone
// nor a barcode nor print states whose document it is.
func inOtherScript(ev idv.Evidence, sides []sidePage) []idv.Reason {
	if _, stated := statedBy(ev, idv.FamilyName); stated {
		return nil
	}
	var out []idv.Reason
	for _, s := range sides {
		if s.page != nil && s.page.OtherScript {
			out = append(out, idv.Reason{Code: problem.DocumentUnsupportedScript.Code, Step: stepOf(s.artifact.Side)})
		}
	}
	return out
}

// portraitMissing returns the reason to take the front again where it shows no portrait. A face on the back is none.
func portraitMissing(ev idv.Evidence) (idv.Reason, bool) {
	a, ok := ev.Artifact(idv.ArtifactPortrait, idv.Front)
	if ok && a.Present {
		return idv.Reason{}, false
	}
	if backShown(ev) {
		return idv.Reason{Code: problem.CaptureWrongSide.Code, Step: idv.StepDocumentFront}, true
	}
	return idv.Reason{Code: problem.DocumentPortraitMissing.Code, Step: idv.StepDocumentFront}, true
}

// frontShown reports whether the picture of the front shows a document at all: where it shows none, its missing portrait is no news.
func frontShown(sides []sidePage) bool {
	return !slices.ContainsFunc(sides, func(s sidePage) bool { return s.artifact.Side != idv.Back && s.page == nil })
}

// backShown reports whether the picture of the front shows what is on the backs of cards: the zone of three lines, or a barcode.
func backShown(ev idv.Evidence) bool {
	code, ok := ev.Artifact(idv.ArtifactBarcode, idv.Front)
	if ok && code.Present {
		return true
	}
	a, ok := ev.Artifact(idv.ArtifactMRZ, idv.Front)
	if !ok || !a.Present {
		return false
	}
	z, err := idv.ValueOf[idv.MRZ](a)
	return err == nil && z.Format == string(mrz.TD1)
}

// sameSideTwice reports whether both pictures show the same machine-readable zone and a portrait.
func sameSideTwice(ev idv.Evidence) bool {
	for _, k := range []idv.ArtifactKind{idv.ArtifactMRZ, idv.ArtifactPortrait} {
		for _, side := range []idv.Side{idv.Front, idv.Back} {
			if a, ok := ev.Artifact(k, side); !ok || !a.Present {
				return false
			}
		}
	}
	front, _ := ev.Artifact(idv.ArtifactMRZ, idv.Front)
	back, _ := ev.Artifact(idv.ArtifactMRZ, idv.Back)
	a, err := idv.ValueOf[idv.MRZ](front)
	b, err2 := idv.ValueOf[idv.MRZ](back)
	return err == nil && err2 == nil && slices.Equal(a.Lines, b.Lines)
}

// addMeasures adds a side's measures to a finding. The score is the lowest resolution of all sides, where it could be measured.
func addMeasures(f *idv.Finding, side idv.Side, q idv.Quality) {
	prefix := string(side)
	if prefix != "" {
		prefix += "_"
	}
	f.Measures[prefix+"sharpness"] = q.Sharpness
	f.Measures[prefix+"line_pairs"] = q.LinePairs
	f.Measures[prefix+"glare_area"], f.Measures[prefix+"glare_text"] = q.GlareArea, q.GlareText
	f.Measures[prefix+"skew"], f.Measures[prefix+"tilt"] = q.Skew, q.Tilt
	f.Measures[prefix+"brightness"], f.Measures[prefix+"darkness"] = q.Brightness, q.Darkness
	f.Measures[prefix+"short_side"] = float64(q.ShortSide)
	score, floor := q.LinePairs, idv.LeastLinePairs
	if score > 0 && (f.Score == nil || score < *f.Score) {
		f.Score, f.Threshold = &score, &floor
	}
}
