package optical

import (
	"context"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/viz"
)

// specimenWords are printed across specimens. Words that are also family names are left out.
var specimenWords = []string{
	"SPECIMEN", "SPECIMENS", "ESPECIMEN", "VZOR", "VZOREC", "WZOR", "MUESTRA", "FACSIMILE", "PAVYZDYS", "NAIDIS", "PARAUGS", "UZORAK", "ORNEK", "MINTA",
}

// specimenIssuers issue nothing: Utopia stands for a state in the examples of ICAO 9303.
var specimenIssuers = []string{"UTO", "UTP"}

// DocumentSpecimen asks whether the document is a real one: no specimen says so on its face, names its holder so, or is
// issued by a state that is not one. A workflow for tests may accept specimens.
type DocumentSpecimen struct{}

// Kind is document.specimen.
func (DocumentSpecimen) Kind() idv.CheckKind { return idv.CheckDocumentSpecimen }

// Needs the pages and their zones.
func (DocumentSpecimen) Needs() []idv.ArtifactKind {
	return []idv.ArtifactKind{idv.ArtifactPage, idv.ArtifactMRZ}
}

// Check looks for the word and for issuers that do not exist.
func (DocumentSpecimen) Check(_ context.Context, ev idv.Evidence) (idv.Finding, error) {
	sides, err := pages(ev)
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

// namesSpecimen: some states name the holder of their specimens so.
func namesSpecimen(ev idv.Evidence) bool {
	for _, name := range []idv.ClaimName{idv.FamilyName, idv.GivenNames} {
		for _, c := range ev.ClaimsOf(name) {
			if c.Source != idv.FromClaimed && saysSpecimen(c.Value) {
				return true
			}
		}
	}
	return false
}

// saysSpecimen reports whether a text has one of the words, by itself or run together with itself.
func saysSpecimen(text string) bool {
	for _, word := range strings.FieldsFunc(viz.Fold(text), func(r rune) bool { return r < 'A' || r > 'Z' }) {
		if slices.Contains(specimenWords, word) || strings.Contains(word, "SPECIMEN") {
			return true
		}
	}
	return false
}
