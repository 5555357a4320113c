package optical

import (
	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// Checkers are the questions about one document that its pictures answer.
func Checkers(r *Reader) []idv.Checker {
	return []idv.Checker{
		DocumentReadable{}, DocumentAccepted{}, MRZVerified{reader: r}, DatesPlausible{}, DocumentExpiry{}, DocumentSpecimen{},
		DocumentOriginal{}, PortraitOriginal{template: r.faces.Card(face.TemplateModel)},
	}
}

// stepOf is the step that shows a side.
func stepOf(s idv.Side) idv.Step {
	if s == idv.Back {
		return idv.StepDocumentBack
	}
	return idv.StepDocumentFront
}

// pages are the settled pages, front first, with what they say; an absent one has a nil Page.
type sidePage struct {
	artifact idv.Artifact
	page     *idv.Page
}

func pages(ev idv.Evidence) ([]sidePage, error) {
	var out []sidePage
	for _, side := range []idv.Side{idv.Front, idv.NoSide, idv.Back} {
		a, ok := ev.Artifact(idv.ArtifactPage, side)
		if !ok {
			continue
		}
		s := sidePage{artifact: a}
		if a.Present {
			p, err := idv.ValueOf[idv.Page](a)
			if err != nil {
				return nil, err
			}
			s.page = &p
		}
		out = append(out, s)
	}
	return out, nil
}

// inputs are the digests of what a finding rests on.
func inputs(as ...idv.Artifact) []idv.Digest {
	var out []idv.Digest
	for _, a := range as {
		out = append(out, a.Inputs...)
	}
	return out
}

// stated is a date that one of the document's machine-readable sources states, the machine-readable zone before the
// barcode, and both before print; the integrator's own claims are not the document's.
func stated(ev idv.Evidence, name idv.ClaimName) (idv.Claim, bool) {
	for _, source := range []idv.ClaimSource{idv.FromMRZ, idv.FromBarcode, idv.FromPrinted} {
		for _, c := range ev.ClaimsOf(name) {
			if c.Source == source && c.Value != "" {
				return c, true
			}
		}
	}
	return idv.Claim{}, false
}
