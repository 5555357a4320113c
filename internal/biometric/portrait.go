package biometric

import (
	"context"
	"fmt"

	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Portraits describes the portraits of chips, which the document's issuer took and signed.
type Portraits struct {
	faces   *face.Engine
	options Options
}

// NewPortraits returns Portraits that look with the given engine.
func NewPortraits(faces *face.Engine, o Options) *Portraits {
	return &Portraits{faces: faces, options: o}
}

// Describe returns the portrait, with the picture to show, and its template. Both are absent for document.portrait_missing where the
// picture cannot be opened or has no face. Of who declined biometrics the picture is not cut out and no template is made. An error means
// that it could not be looked at.
func (p *Portraits) Describe(ctx context.Context, c idv.Capture, picture []byte) ([]idv.Artifact, error) {
	img, _, err := imaging.Decode(picture, p.options.Limits)
	if _, ok := problem.As(err); ok {
		return NoPortrait(c), nil
	}
	if err != nil {
		return nil, err
	}
	turn, found, err := p.faces.DetectAnyTurn(ctx, img)
	if err != nil {
		return nil, fmt.Errorf("find the face of a portrait: %w", err)
	}
	f, ok := face.Largest(found)
	if !ok {
		return NoPortrait(c), nil
	}
	img = img.Turn(turn)
	portrait, err := idv.PresentArtifact(idv.ArtifactPortrait, c, faceOf(f, turn))
	if err != nil {
		return nil, err
	}
	if c.Faceless {
		return []idv.Artifact{portrait, idv.AbsentArtifact(idv.ArtifactPortraitTemplate, c, problem.BiometricsDeclined.Code)}, nil
	}
	if portrait.Blob, err = imaging.EncodeJPEG(img, cropQuality); err != nil {
		return nil, fmt.Errorf("keep a portrait: %w", err)
	}
	portrait.BlobType = "image/jpeg"
	values, err := p.faces.TemplateOf(ctx, img, f)
	if err != nil {
		return nil, fmt.Errorf("describe a portrait: %w", err)
	}
	card := p.faces.Card(face.TemplateModel)
	template, err := idv.PresentArtifact(idv.ArtifactPortraitTemplate, c, idv.Template{Model: refOf(card), Recipe: face.Recipe, Values: values})
	portrait.Producer, portrait.Version = producer, version
	template.Producer, template.Version = producer+" "+face.TemplateModel+" "+card.Version, version
	return []idv.Artifact{portrait, template}, err
}

// NoPortrait settles a portrait and its template as absent.
func NoPortrait(c idv.Capture) []idv.Artifact {
	return []idv.Artifact{
		idv.AbsentArtifact(idv.ArtifactPortrait, c, problem.DocumentPortraitMissing.Code),
		idv.AbsentArtifact(idv.ArtifactPortraitTemplate, c, problem.DocumentPortraitMissing.Code),
	}
}
