package biometric

import (
	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/modelcard"
)

// EarlierFaces compares the face of a session with that of another one that showed the same document, one to one, as far as its template
// is still kept.
type EarlierFaces struct{ card modelcard.Card }

// NewEarlierFaces returns the EarlierFaces of an engine.
func NewEarlierFaces(faces *face.Engine) EarlierFaces {
	return EarlierFaces{card: faces.Card(face.TemplateModel)}
}

// Model returns the model by which faces are compared.
func (d EarlierFaces) Model() idv.ModelRef { return refOf(d.card) }

// Compare compares the face of the session with that of another one: the selfies where both have one, else what both have. Below the
// threshold of the workflow's lower rate they are two people's, and from that of its higher rate on one person's.
func (d EarlierFaces) Compare(ev idv.Evidence, o idv.SeenSession) (idv.FacesCompared, error) {
	if d.card.Calibration == nil {
		return idv.FaceNotComparable, nil
	}
	low, ok := thresholdOf(d.card.Calibration, ev.Workflow.FaceReferFMR)
	high, ok2 := thresholdOf(d.card.Calibration, ev.Workflow.FaceFMR)
	if !ok || !ok2 {
		return idv.FaceNotComparable, nil
	}
	kinds := []idv.ArtifactKind{idv.ArtifactSelfieTemplate, idv.ArtifactPortraitTemplate}
	for _, mine := range kinds {
		a, ok, err := d.template(ev.Artifacts, mine)
		if err != nil {
			return "", err
		}
		for _, theirs := range kinds {
			b, ok2, err := d.template(o.Faces, theirs)
			if err != nil {
				return "", err
			}
			if !ok || !ok2 || len(a) != len(b) {
				continue
			}
			switch score := face.Similarity(a, b); {
			case score >= high:
				return idv.FaceSame, nil
			case score < low:
				return idv.FaceOther, nil
			}
			return idv.FaceUnclear, nil
		}
	}
	return idv.FaceNotComparable, nil
}

// Selfie implements session.FaceSource: the template of the selfie, or of the straightest frame of a run, for which the curve of one picture
// was measured.
func (d EarlierFaces) Selfie(in []idv.Artifact) (values []float32, model string, ok bool, err error) {
	values, ok, err = d.template(in, idv.ArtifactSelfieTemplate)
	return values, d.Templates(), ok, err
}

// Templates names what makes templates: those of two names do not compare.
func (d EarlierFaces) Templates() string { return d.card.SHA256 + "/" + face.Recipe }

// Calibration returns how often the model confuses people; nil where that was not measured.
func (d EarlierFaces) Calibration() *modelcard.Calibration { return d.card.Calibration }

// template returns the template of a kind that was made by the model and recipe in use; false where there is none.
func (d EarlierFaces) template(in []idv.Artifact, kind idv.ArtifactKind) ([]float32, bool, error) {
	for _, a := range in {
		if a.Kind != kind || !a.Present || len(a.Data) == 0 || a.Side == idv.Back {
			continue
		}
		t, err := idv.ValueOf[idv.Template](a)
		if err != nil {
			return nil, false, err
		}
		if string(t.Model.SHA256) == d.card.SHA256 && t.Recipe == face.Recipe && len(t.Values) > 0 {
			return t.Values, true, nil
		}
	}
	return nil, false, nil
}

// thresholdOf is the similarity at which a false match rate such as "1e-4" was measured for one picture.
func thresholdOf(c *modelcard.Calibration, fmr string) (float64, bool) {
	t, err := threshold(c, c, fmr)
	return t, err == nil
}
