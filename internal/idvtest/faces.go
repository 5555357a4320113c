package idvtest

import "github.com/bonafide-id/bonafide/internal/idv"

// Faces compares faces of scenes: two are one person's when they have one name.
type Faces struct{}

// Model returns no model.
func (Faces) Model() idv.ModelRef { return idv.ModelRef{} }

// Compare compares the selfies of two sessions, else what both have of a face.
func (Faces) Compare(ev idv.Evidence, o idv.SeenSession) (idv.FacesCompared, error) {
	kinds := []idv.ArtifactKind{idv.ArtifactSelfieTemplate, idv.ArtifactPortraitTemplate}
	for _, mine := range kinds {
		for _, theirs := range kinds {
			a, ok := faceIn(ev.Artifacts, mine)
			b, ok2 := faceIn(o.Faces, theirs)
			switch {
			case !ok || !ok2:
			case a == b:
				return idv.FaceSame, nil
			default:
				return idv.FaceOther, nil
			}
		}
	}
	return idv.FaceNotComparable, nil
}

func faceIn(in []idv.Artifact, kind idv.ArtifactKind) (string, bool) {
	for _, a := range in {
		if a.Kind == kind && a.Present && len(a.Data) > 0 {
			s, err := idv.ValueOf[Scene](a)
			return s.Face, err == nil
		}
	}
	return "", false
}
