package optical

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/modelcard"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/optical/zone"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/trace"
)

// portraitQuality is the JPEG quality of the portraits that are kept.
const portraitQuality = 92

// producer and version are stated by the artifacts of this package.
const (
	producer = "optical"
	version  = "4"
)

// Extractor extracts the artifacts and claims of a picture of a document.
type Extractor struct {
	reader *Reader
	limits imaging.Limits
}

// NewExtractor returns an extractor that opens pictures within the limits.
func NewExtractor(r *Reader, limits imaging.Limits) *Extractor {
	return &Extractor{reader: r, limits: limits}
}

// Reads pictures of documents.
func (*Extractor) Reads() []idv.CaptureKind { return []idv.CaptureKind{idv.DocumentImage} }

// Yields the page, its machine-readable zone, barcode and portrait, and the portrait's template.
func (*Extractor) Yields() []idv.ArtifactKind {
	return []idv.ArtifactKind{
		idv.ArtifactPage, idv.ArtifactMRZ, idv.ArtifactBarcode, idv.ArtifactPortrait, idv.ArtifactPortraitTemplate,
	}
}

// Extract opens and reads the picture. It returns the *problem.Error of imaging.Open for a picture that cannot be opened; any other
// error means that the question could not be asked.
func (x *Extractor) Extract(ctx context.Context, c idv.Capture) (idv.Extraction, error) {
	start := x.reader.options.Clock()
	var img *imaging.Photo
	err := trace.Part(ctx, "decode", func(context.Context) (err error) {
		img, _, err = imaging.Open(c.Bytes, x.limits)
		return err
	})
	if err != nil {
		return idv.Extraction{}, err
	}
	decoded := x.reader.options.Clock()
	page, err := x.reader.Read(ctx, img)
	if err != nil {
		return idv.Extraction{}, err
	}
	page.Quality.Reasons = forSource(c, page)
	out := idv.Extraction{Claims: page.Claims, Timings: page.Timings}
	out.Timings["decode"] = decoded.Sub(start)
	for i := range out.Claims {
		out.Claims[i].Side, out.Claims[i].Capture = c.Side, c.ID
	}
	before := x.reader.options.Clock()
	err = trace.Part(ctx, "portrait", func(ctx context.Context) (err error) {
		out.Artifacts, err = x.artifacts(ctx, c, page)
		return err
	})
	out.Timings["portrait"] = x.reader.options.Clock().Sub(before)
	return out, err
}

// artifacts returns one artifact of every kind, present or absent.
func (x *Extractor) artifacts(ctx context.Context, c idv.Capture, p Page) ([]idv.Artifact, error) {
	var out []idv.Artifact
	add := func(k idv.ArtifactKind, there bool, data any, otherwise problem.Kind) error {
		if !there {
			out = append(out, idv.AbsentArtifact(k, c, otherwise.Code))
			return nil
		}
		a, err := idv.PresentArtifact(k, c, data)
		out = append(out, a)
		return err
	}
	missing := problem.CaptureNoDocument
	if slices.Contains(p.Quality.Reasons, problem.CaptureFaceInstead.Code) {
		missing = problem.CaptureFaceInstead
	}
	if err := add(idv.ArtifactPage, !slices.Contains(p.Quality.Reasons, missing.Code), p.Page, missing); err != nil {
		return nil, err
	}
	var zone idv.MRZ
	if p.MRZ != nil {
		zone = p.MRZ.MRZ
	}
	if err := add(idv.ArtifactMRZ, p.MRZ != nil, zone, problem.DocumentMRZMissing); err != nil {
		return nil, err
	}
	if err := add(idv.ArtifactBarcode, p.Barcode != nil, p.Barcode, problem.DocumentBarcodeUnreadable); err != nil {
		return nil, err
	}
	portrait, err := x.portrait(ctx, c, p)
	if err != nil {
		return nil, err
	}
	out = append(out, portrait...)
	for i := range out {
		out[i].Producer, out[i].Version = x.producers(out[i].Kind), version
	}
	return out, nil
}

// portrait returns the portrait and its template, present or absent.
func (x *Extractor) portrait(ctx context.Context, c idv.Capture, p Page) ([]idv.Artifact, error) {
	if p.Portrait == nil {
		return []idv.Artifact{
			idv.AbsentArtifact(idv.ArtifactPortrait, c, problem.DocumentPortraitMissing.Code),
			idv.AbsentArtifact(idv.ArtifactPortraitTemplate, c, problem.DocumentPortraitMissing.Code),
		}, nil
	}
	f := p.Portrait.Face
	a, err := idv.PresentArtifact(idv.ArtifactPortrait, c, idv.Face{
		Box:   idv.Box{X: f.Box.X, Y: f.Box.Y, Width: f.Box.W, Height: f.Box.H},
		Score: f.Score, Width: int(math.Round(f.Pixel.W)),
	})
	if err != nil {
		return nil, err
	}
	if c.Faceless { // that there is a portrait, and where, belongs to the document
		return []idv.Artifact{a, idv.AbsentArtifact(idv.ArtifactPortraitTemplate, c, problem.BiometricsDeclined.Code)}, nil
	}
	if a.Blob, err = imaging.EncodeJPEG(p.Portrait.Crop, portraitQuality); err != nil {
		return nil, fmt.Errorf("keep the portrait: %w", err)
	}
	a.BlobType = "image/jpeg"
	values, err := p.Portrait.Template(ctx, x.reader.faces, p.Upright)
	if err != nil {
		return nil, err
	}
	t, err := idv.PresentArtifact(idv.ArtifactPortraitTemplate, c, idv.Template{
		Model: refOf(x.reader.faces.Card(face.TemplateModel)), Recipe: face.Recipe, Values: values,
	})
	return []idv.Artifact{a, t}, err
}

// producers returns the names and versions of what made an artifact.
func (x *Extractor) producers(k idv.ArtifactKind) string {
	switch k {
	case idv.ArtifactMRZ:
		first, second := x.reader.Card(zone.MRZReadModel).Version, x.reader.Card(ocr.TextLineModel).Version
		return producer + " " + zone.MRZReadModel + " " + first + ", " + ocr.TextLineModel + " " + second
	case idv.ArtifactPortraitTemplate:
		return producer + " " + face.TemplateModel + " " + x.reader.faces.Card(face.TemplateModel).Version
	default:
		return producer
	}
}

// refOf returns the reference to a model.
func refOf(c modelcard.Card) idv.ModelRef {
	return idv.ModelRef{Name: c.Name, Version: c.Version, SHA256: idv.Digest(c.SHA256)}
}
