package biometric

import (
	"context"
	"fmt"
	"image"
	"time"

	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/modelcard"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/trace"
)

const (
	producer    = "biometric"
	version     = "1"
	cropQuality = 92
	cropGrowth  = 1.6 // of the face box, for the picture that a reviewer sees
)

// Options tunes the package. The zero value works.
type Options struct {
	Limits imaging.Limits   // of the pictures that are opened
	Clock  func() time.Time // for timings; nil is time.Now
}

func (o Options) now() time.Time {
	if o.Clock == nil {
		return time.Now()
	}
	return o.Clock()
}

// Extractor settles what a selfie yields.
type Extractor struct {
	faces   *face.Engine
	options Options
}

// NewExtractor returns an extractor that looks with the given engine.
func NewExtractor(faces *face.Engine, o Options) *Extractor {
	return &Extractor{faces: faces, options: o}
}

// Reads pictures of faces.
func (*Extractor) Reads() []idv.CaptureKind { return []idv.CaptureKind{idv.FaceImage} }

// Yields the face and its template.
func (*Extractor) Yields() []idv.ArtifactKind {
	return []idv.ArtifactKind{idv.ArtifactSelfie, idv.ArtifactSelfieTemplate}
}

// Extract opens the picture and looks at its one face. Both artifacts are absent for capture.no_face and
// capture.several_faces; the template is absent for the first reason why the face is not fit to compare
// (capture.face_too_small, capture.dark, capture.blurred, capture.face_turned). A picture that cannot be opened is the
// *problem.Error of imaging.Decode; any other error means that the selfie could not be looked at.
func (x *Extractor) Extract(ctx context.Context, c idv.Capture) (idv.Extraction, error) {
	out := idv.Extraction{Timings: map[string]time.Duration{}}
	at := x.options.now()
	lap := func(stage string) {
		now := x.options.now()
		out.Timings[stage], at = now.Sub(at), now
	}
	var p *imaging.RGB
	err := trace.Part(ctx, "decode", func(context.Context) (err error) {
		p, _, err = imaging.Decode(c.Bytes, x.options.Limits)
		return err
	})
	if err != nil {
		return idv.Extraction{}, err
	}
	lap("decode")
	var turn int
	var found []face.Face
	err = trace.Part(ctx, "find face", func(ctx context.Context) (err error) {
		turn, found, err = x.faces.DetectAnyTurn(ctx, p)
		return err
	})
	if err != nil {
		return idv.Extraction{}, fmt.Errorf("find the face: %w", err)
	}
	lap("find")
	if code := countProblem(found); code != "" {
		out.Artifacts = x.signed(idv.AbsentArtifact(idv.ArtifactSelfie, c, code), idv.AbsentArtifact(idv.ArtifactSelfieTemplate, c, code))
		return out, nil
	}
	if turn != 0 {
		p = p.Turn(turn)
	}
	f, _ := face.Largest(found)
	err = trace.Part(ctx, "describe face", func(ctx context.Context) (err error) {
		out.Artifacts, err = x.describe(ctx, c, p, f, turn, nil)
		return err
	})
	lap("describe")
	return out, err
}

// countProblem answers the reason why a picture has not one face, or nothing.
func countProblem(found []face.Face) string {
	switch people(found) {
	case 0:
		return problem.CaptureNoFace.Code
	case 1:
		return ""
	default:
		return problem.CaptureSeveralFaces.Code
	}
}

// describe settles face and template of a picture. frame is its index, where it is one of a run.
func (x *Extractor) describe(ctx context.Context, c idv.Capture, p *imaging.RGB, f face.Face, turn int, frame *int) ([]idv.Artifact, error) {
	d, err := x.faces.Describe(ctx, p, f)
	if err != nil {
		return nil, fmt.Errorf("describe the face: %w", err)
	}
	// The signal decides nothing, so that its absence does not stop anything; the check that reports it is then broken.
	var liveness *float64
	if l, err := x.faces.Liveness(ctx, p, f); err == nil {
		liveness = &l
	} else if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	seen := selfieFace(f, turn, d, liveness)
	seen.Frame = frame
	selfie, err := idv.PresentArtifact(idv.ArtifactSelfie, c, seen)
	if err != nil {
		return nil, err
	}
	if selfie.Blob, err = imaging.EncodeJPEG(p.Crop(region(f)), cropQuality); err != nil {
		return nil, fmt.Errorf("keep the face: %w", err)
	}
	selfie.BlobType = "image/jpeg"
	if len(seen.Reasons) > 0 {
		return x.signed(selfie, idv.AbsentArtifact(idv.ArtifactSelfieTemplate, c, seen.Reasons[0])), nil
	}
	template, err := idv.PresentArtifact(idv.ArtifactSelfieTemplate, c, idv.Template{
		Model: refOf(x.faces.Card(face.TemplateModel)), Recipe: face.Recipe, Values: d.Template, Frame: frame,
	})
	if err != nil {
		return nil, err
	}
	return x.signed(selfie, template), nil
}

// region is the part of the picture that is kept of a face.
func region(f face.Face) image.Rectangle {
	w, h := f.Pixel.W*(cropGrowth-1)/2, f.Pixel.H*(cropGrowth-1)/2
	return image.Rect(int(f.Pixel.X-w), int(f.Pixel.Y-h), int(f.Pixel.X+f.Pixel.W+w), int(f.Pixel.Y+f.Pixel.H+h))
}

// signed names what made the artifacts.
func (x *Extractor) signed(as ...idv.Artifact) []idv.Artifact {
	for i := range as {
		as[i].Producer, as[i].Version = producer, version
		if as[i].Kind == idv.ArtifactSelfieTemplate {
			as[i].Producer += " " + face.TemplateModel + " " + x.faces.Card(face.TemplateModel).Version
		}
	}
	return as
}

func refOf(c modelcard.Card) idv.ModelRef {
	return idv.ModelRef{Name: c.Name, Version: c.Version, SHA256: idv.Digest(c.SHA256)}
}
