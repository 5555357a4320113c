package checker

import (
	"context"
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/reading/lexicon"
)

// specimenIssuers are the codes of Utopia, which stands for a state in the examples of ICAO 9303.
var specimenIssuers = []string{"UTO", "UTP"}

// DocumentSpecimen asks whether the document is a real one. A specimen says so in print, in its holder's name, or by an issuer
// that is no state. A workflow for tests may accept specimens.
type DocumentSpecimen struct{ heedsSigned }

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
	for _, s := range sides {
		f.Inputs = append(f.Inputs, s.artifact.Inputs...)
	}
	specimen, by := saysSpecimen(ev, sides)
	switch {
	case specimen && ev.Workflow.AcceptSpecimens:
		f.Note = "It is a specimen, which this workflow accepts."
	case specimen:
		f.Outcome = idv.Fail
		f.Reasons = []idv.Reason{{Code: problem.DocumentSpecimen.Code, Step: idv.StepDocumentFront, Confirmed: by}}
	}
	return f, nil
}

// saysSpecimen reports whether the document says that it is a specimen, and what confirms that: print says so on its face, the
// holder is named so, as some states name theirs, or the issuer is no state. Two places that say so confirm each other.
func saysSpecimen(ev idv.Evidence, sides []sidePage) (specimen bool, by idv.Confirmation) {
	type place struct {
		source idv.ClaimSource
		side   idv.Side
	}
	places := map[place]bool{}
	for _, s := range sides {
		if s.page != nil && (s.page.Specimen || slices.Contains(specimenIssuers, s.page.Issuer)) {
			places[place{idv.FromPrinted, s.artifact.Side}] = true
		}
	}
	for _, s := range documentOnly(statements(ev)) {
		name := s.Name == idv.FamilyName || s.Name == idv.GivenNames
		if name && lexicon.SaysSpecimen(s.Value) || s.Name == idv.Issuer && slices.Contains(specimenIssuers, s.Value) {
			places[place{s.Source, s.Side}] = true
			by = stronger(by, s.confirmed(ev))
		}
	}
	if by == "" && len(places) > 1 {
		by = idv.ByTwoSources
	}
	return len(places) > 0, by
}
