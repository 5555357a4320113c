package optical

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/mrz"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// MRZVerified asks whether the machine-readable zone was read beyond doubt: its check digits pass, no field says what none
// can, two readers read the same, all of its lines are in view, no other document in view may be the one that is meant, and nothing printed on the page disagrees. Anything less is never guessed.
type MRZVerified struct{ reader *Reader }

// Kind is document.mrz.
func (MRZVerified) Kind() idv.CheckKind { return idv.CheckMRZVerified }

// Needs the zone, and the barcode of documents that have none.
func (MRZVerified) Needs() []idv.ArtifactKind {
	return []idv.ArtifactKind{idv.ArtifactMRZ, idv.ArtifactPage, idv.ArtifactBarcode}
}

// Check takes the zone of whichever side has one. The score is the first reader's mean confidence.
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
	f.Score, f.Inputs = &z.Confidence, inputs(a)
	f.Models = m.models()
	return f, nil
}

// judgeZone names the gravest of what is against a zone. What remains where nothing is wrong with the zone itself is that
// another document may be the one that is meant.
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
	case !saysWhatZonesCan(z): // no check digit covers the issuer: such a code is of no state, or was misread
		return idv.Undecided(reason(problem.DocumentMRZInvalid))
	default:
		return idv.Undecided(reason(problem.CaptureSeveralDocuments))
	}
}

// saysWhatZonesCan reports whether no field of a zone has a fault.
func saysWhatZonesCan(z idv.MRZ) bool {
	d, err := mrz.Parse(z.Lines)
	return err == nil && d.Valid()
}

// missing: driving licences have no zone. Every other document does, on the back where it has two sides. What the pages
// say they are counts: choosing "driving licence" is no way past the zone of another document.
func (MRZVerified) missing(ev idv.Evidence, a idv.Artifact) idv.Finding {
	kind := idv.UnknownKind
	step := idv.StepDocumentFront
	if sides, err := pages(ev); err == nil {
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
	f.Inputs = inputs(a)
	return f
}

func (m MRZVerified) models() []idv.ModelRef {
	if m.reader == nil {
		return nil
	}
	return []idv.ModelRef{refOf(m.reader.Card(MRZReadModel)), refOf(m.reader.Card(TextLineModel))}
}
