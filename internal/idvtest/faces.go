package idvtest

import (
	"crypto/sha256"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/bonafide-id/bonafide/internal/idv"
)

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

// TemplateModel names what makes the templates of scenes.
const TemplateModel = "scenes/1"

// Selfie returns the template of the selfie's face: one name, one template. "anna~0.55" is as alike to "anna" as the number says.
func (Faces) Selfie(in []idv.Artifact) (values []float32, model string, ok bool, err error) {
	name, ok := faceIn(in, idv.ArtifactSelfieTemplate)
	if !ok {
		return nil, TemplateModel, false, nil
	}
	return TemplateOf(name), TemplateModel, true, nil
}

// TemplateOf returns the template of a face.
func TemplateOf(name string) []float32 {
	of, similar, near := strings.Cut(name, "~")
	base := direction(of)
	alike, err := strconv.ParseFloat(similar, 64)
	if !near || err != nil {
		return base
	}
	other, dot := direction(name), 0.
	for i := range base {
		dot += float64(base[i]) * float64(other[i])
	}
	for i := range other {
		other[i] -= float32(dot) * base[i]
	}
	unit(other)
	for i := range other {
		other[i] = float32(alike)*base[i] + float32(math.Sqrt(1-alike*alike))*other[i]
	}
	return unit(other)
}

// templateLength is the length of templates, as the model's.
const templateLength = 512

func direction(name string) []float32 {
	r := rand.New(rand.NewChaCha8(sha256.Sum256([]byte(name)))) //nolint:gosec // the same name gives the same face
	out := make([]float32, templateLength)
	for i := range out {
		out[i] = float32(r.NormFloat64())
	}
	return unit(out)
}

func unit(v []float32) []float32 {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / math.Sqrt(sum))
	}
	return v
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
