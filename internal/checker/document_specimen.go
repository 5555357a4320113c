package checker

import (
	"context"
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/viz"
)

// specimenIssuers are the codes of Utopia, which stands for a state in the examples of ICAO 9303.
var specimenIssuers = []string{"UTO", "UTP"}

// DocumentSpecimen asks whether the document is a real one. A specimen says so in print, in its holder's name, or by an issuer
// that is no state. A workflow for tests may accept specimens.
type DocumentSpecimen struct{}

// Kind is document.specimen.
func (DocumentSpecimen) Kind() idv.CheckKind { return idv.CheckDocumentSpecimen }

// Needs the pages and their zones.
func (DocumentSpecimen) Needs() []idv.ArtifactKind {
	return []idv.ArtifactKind{idv.ArtifactPage, idv.ArtifactMRZ}
}

// Check looks for the word in print and in names, and for the issuers of specimens.
func (DocumentSpecimen) Check(_ context.Context, ev idv.Evidence) (idv.Finding, error) {
	sides, err := pagesOf(ev)
	if err != nil {
		return idv.Finding{}, err
	}
	f := idv.Passed()
	specimen := namesSpecimen(ev)
	for _, s := range sides {
		f.Inputs = append(f.Inputs, s.artifact.Inputs...)
		if s.page != nil && (s.page.Specimen || slices.Contains(specimenIssuers, s.page.Issuer)) {
			specimen = true
		}
	}
	switch {
	case specimen && ev.Workflow.AcceptSpecimens:
		f.Note = "It is a specimen, which this workflow accepts."
	case specimen:
		f.Outcome = idv.Fail
		f.Reasons = []idv.Reason{{Code: problem.DocumentSpecimen.Code, Step: idv.StepDocumentFront}}
	}
	return f, nil
}

// namesSpecimen reports whether the holder is named specimen, as some states name theirs.
func namesSpecimen(ev idv.Evidence) bool {
	for _, name := range []idv.ClaimName{idv.FamilyName, idv.GivenNames} {
		for _, c := range ev.ClaimsOf(name) {
			if c.Source != idv.FromClaimed && viz.SaysSpecimen(c.Value) {
				return true
			}
		}
	}
	return false
}
