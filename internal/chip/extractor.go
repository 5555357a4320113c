package chip

import (
	"context"
	"fmt"
	"time"

	"github.com/bonafide-id/bonafide/internal/emrtd"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/lds"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/trace"
)

// Extractor settles what the files of a chip yield.
type Extractor struct {
	trust     Trust
	portraits Portraits
	decoder   Decoder
}

// NewExtractor returns an Extractor.
func NewExtractor(t Trust, p Portraits, d Decoder) *Extractor {
	return &Extractor{trust: t, portraits: p, decoder: d}
}

// Reads the files of chips.
func (*Extractor) Reads() []idv.CaptureKind { return []idv.CaptureKind{idv.ChipFiles} }

// Yields what was found, and the portrait with its template.
func (*Extractor) Yields() []idv.ArtifactKind {
	return []idv.ArtifactKind{idv.ArtifactChip, idv.ArtifactPortrait, idv.ArtifactPortraitTemplate}
}

// Extract verifies the files for the moment at which they arrived. An error means that they could not be looked at: what cannot be
// trusted is no error.
func (x *Extractor) Extract(ctx context.Context, c idv.Capture) (idv.Extraction, error) {
	start := time.Now()
	read, err := idv.OpenChip(c.Bytes)
	if err != nil {
		return idv.Extraction{}, err
	}
	store, err := x.trust.Load(ctx, c.Mode)
	if err != nil {
		return idv.Extraction{}, fmt.Errorf("load whom to trust: %w", err)
	}
	var report *emrtd.Report
	err = trace.Part(ctx, "verify chip", func(context.Context) (err error) {
		report, err = verify(read, store)
		return err
	})
	if err != nil {
		return idv.Extraction{}, err
	}
	out := idv.Extraction{Timings: map[string]time.Duration{"verify": time.Since(start)}}
	found, err := idv.PresentArtifact(idv.ArtifactChip, c, Describe(read, report))
	if err != nil {
		return idv.Extraction{}, err
	}
	found.Producer, found.Version = producer, version
	portrait, err := x.portrait(ctx, c, report)
	if err != nil {
		return idv.Extraction{}, err
	}
	out.Artifacts = append([]idv.Artifact{found}, portrait...)
	if report.Authentic {
		out.Claims = claims(report, read.ReceivedAt)
		for i := range out.Claims {
			out.Claims[i].Side, out.Claims[i].Capture = c.Side, c.ID
		}
	}
	return out, nil
}

// portrait describes the first picture of authentic data. One that cannot be decoded is absent: the page's portrait is compared then.
func (x *Extractor) portrait(ctx context.Context, c idv.Capture, r *emrtd.Report) ([]idv.Artifact, error) {
	if !r.Authentic || len(r.Portraits) == 0 {
		return absent(c), nil
	}
	p := r.Portraits[0]
	raw := p.Bytes
	if p.Format == lds.JPEG2000 {
		var err error
		if raw, err = x.decoder.JPEG2000(ctx, raw, p.Width, p.Height); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return absent(c), nil
		}
	}
	return x.portraits.Describe(ctx, c, raw)
}

func absent(c idv.Capture) []idv.Artifact {
	var out []idv.Artifact
	for _, k := range []idv.ArtifactKind{idv.ArtifactPortrait, idv.ArtifactPortraitTemplate} {
		a := idv.AbsentArtifact(k, c, problem.DocumentPortraitMissing.Code)
		a.Producer, a.Version = producer, version
		out = append(out, a)
	}
	return out
}
