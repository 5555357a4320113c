package checker

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/forensic"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// DocumentEdits asks whether something on the page was changed: whether each part of it that states a fact was made as the rest of
// the page was. Its error rates are known of generated documents only, so that it refers and never declines.
type DocumentEdits struct{}

// Kind is document.edits.
func (DocumentEdits) Kind() idv.CheckKind { return idv.CheckDocumentEdits }

// Needs the pages.
func (DocumentEdits) Needs() []idv.ArtifactKind { return []idv.ArtifactKind{idv.ArtifactPage} }

// Check judges each side. Score, threshold and rates are those of the sign that fired, else of the first that was measured; the
// measures hold the strongest value of each sign. Where no sign could be measured the question does not arise, and nothing has
// passed.
func (DocumentEdits) Check(_ context.Context, ev idv.Evidence) (idv.Finding, error) {
	sides, err := pagesOf(ev)
	if err != nil {
		return idv.Finding{}, err
	}
	f := idv.Passed()
	f.Measures = map[string]float64{}
	for _, s := range sides {
		if s.page == nil {
			continue // document.readable's to refuse
		}
		f.Inputs = append(f.Inputs, s.artifact.Inputs...)
		if s.page.Signs == nil {
			return idv.Undecided(idv.Reason{Code: problem.CheckNotRun.Code, Step: stepOf(s.artifact.Side)}), nil
		}
		suspect := false
		for _, e := range s.page.Signs.Edits {
			noteEdit(&f, e, s.page.Signs.PixelsPerMM)
			if e.Suspect {
				suspect = true
				f.Places = append(f.Places, idv.FindingPlace{Side: s.artifact.Side, Box: &e.Box, What: e.Region, Value: &e.Value})
			}
		}
		if suspect {
			f.Outcome = idv.Fail
			f.Reasons = append(f.Reasons, idv.Reason{Code: problem.DocumentEdited.Code, Step: stepOf(s.artifact.Side)})
		}
	}
	if len(f.Measures) == 0 {
		none := idv.DoesNotApply("Nothing on the page could be compared with the rest of it.")
		none.Inputs = f.Inputs
		return none, nil
	}
	return f, nil
}

// noteEdit adds a comparison to the finding, and makes it the score where it is the first, or the first that is suspect.
func noteEdit(f *idv.Finding, e idv.Edit, perMM float64) {
	sign := forensic.Edits().Signs[e.Sign]
	if old, there := f.Measures[e.Sign]; !there || sign.Over == (e.Value > old) {
		f.Measures[e.Sign] = e.Value
	}
	if f.Score != nil && (!e.Suspect || f.Outcome == idv.Fail) {
		return
	}
	if e.Suspect {
		f.Outcome = idv.Fail
	}
	f.Score, f.Threshold = &e.Value, &sign.Threshold
	f.Rates, f.Note = ratesOf(sign, perMM)
	if f.Rates != nil {
		f.Rates.DataSet = forensic.Edits().DataSet
	}
}
