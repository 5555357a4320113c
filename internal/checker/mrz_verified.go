package checker

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/mrz"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// MRZVerified asks whether the machine-readable zone was read beyond doubt: its check digits pass, every field holds a possible
// value, both readers read the same, its lines are wholly in view, no other document in view may be the one that is meant, and
// nothing printed on the page disagrees. Anything less is never guessed.
type MRZVerified struct{ models []idv.ModelRef }

// Kind is document.mrz.
func (MRZVerified) Kind() idv.CheckKind { return idv.CheckMRZVerified }

// Needs the zone, and the barcode of documents that have none.
func (MRZVerified) Needs() []idv.ArtifactKind {
	return []idv.ArtifactKind{idv.ArtifactMRZ, idv.ArtifactPage, idv.ArtifactBarcode}
}

// Check judges the zone of the side that has one. The score is the first reader's mean confidence.
func (m MRZVerified) Check(_ context.Context, ev idv.Evidence) (idv.Finding, error) {
	a, ok := ev.Best(idv.ArtifactMRZ)
	if !ok || !a.Present {
		return m.missing(ev, a), nil
	}
	z, err := idv.ValueOf[idv.MRZ](a)
	if err != nil {
		return idv.Finding{}, err
	}
	f := judgeZone(z, stepOf(a.Side))
	f.Score, f.Inputs = &z.Confidence, inputsOf(a)
	f.Models = m.models
	return f, nil
}

// judgeZone returns the gravest objection to a zone. Where nothing is wrong with the zone itself, another document in view may
// be the one that is meant.
func judgeZone(z idv.MRZ, step idv.Step) idv.Finding {
	reason := func(k problem.Kind) idv.Reason { return idv.Reason{Code: k.Code, Step: step} }
	switch {
	case z.Verified:
		return idv.Passed()
	case !z.CheckDigitsOK:
		return idv.Failed(reason(problem.DocumentMRZInvalid))
	case !z.ReadersAgree:
		return idv.Undecided(reason(problem.DocumentReadersDisagree))
	case z.CutOff:
		return idv.Undecided(reason(problem.CaptureCutOff))
	case z.PrintedZone == idv.PrintedDisagrees:
		r := reason(problem.DocumentFactsDisagree)
		r.Sources = []idv.ClaimSource{idv.FromMRZ, idv.FromPrinted}
		return idv.Undecided(r)
	case !fieldsPossible(z): // no check digit covers the issuer: its code belongs to no state, or was misread
		return idv.Undecided(reason(problem.DocumentMRZInvalid))
	default:
		return idv.Undecided(reason(problem.CaptureSeveralDocuments))
	}
}

// fieldsPossible reports whether every field of a zone holds a possible value.
func fieldsPossible(z idv.MRZ) bool {
	d, err := mrz.Parse(z.Lines)
	return err == nil && d.Valid()
}

// missing judges a document without a zone. Driving licences have none; every other document has one, on the back where it has
// two sides. The kind that the pages show counts: choosing "driving licence" does not waive the zone of another document.
func (MRZVerified) missing(ev idv.Evidence, a idv.Artifact) idv.Finding {
	kind := idv.UnknownKind
	step := idv.StepDocumentFront
	if sides, err := pagesOf(ev); err == nil {
		for _, s := range sides {
			if s.page != nil && kind == idv.UnknownKind && s.page.Kind != "" {
				kind = s.page.Kind
			}
			if s.artifact.Side == idv.Back {
				step = idv.StepDocumentBack
			}
		}
	}
	chosen := ev.Chosen == "" || ev.Chosen == idv.DrivingLicence
	switch {
	case chosen && kind == idv.DrivingLicence:
		return idv.DoesNotApply("A driving licence has no machine-readable zone.")
	case ev.Chosen == idv.DrivingLicence && kind == idv.UnknownKind:
		return idv.Undecided(idv.Reason{Code: problem.DocumentUnsupported.Code, Step: step})
	}
	f := idv.Failed(idv.Reason{Code: problem.DocumentMRZMissing.Code, Step: step})
	f.Inputs = inputsOf(a)
	return f
}
