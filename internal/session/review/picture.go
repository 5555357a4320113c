package review

import (
	"context"
	"fmt"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// EvidenceViewed is the audited action of looking at a picture.
const EvidenceViewed = "evidence.viewed"

// renderQuality is the JPEG quality of pictures made for showing.
const renderQuality = 90

// WholeCapture asks for a capture as a whole: the picture, or a strip of a run's frames.
const WholeCapture = -1

// Evidence reads a capture for showing: upright, without metadata. Of a run of frames it is the frame of that index, from 0,
// or all of them in one picture. Each view is audited. Problems: not_found, session.erased, evidence.damaged.
func (s *Pictures) Evidence(ctx context.Context, mode idv.Mode, id idv.SessionID, c idv.CaptureID, frame int) (Picture, error) {
	return s.shown(ctx, mode, id, c, func(k idv.CaptureKind, raw []byte) (Picture, error) { return renderCapture(k, raw, frame) })
}

// Film reads some frames of a run for showing, side by side in the order of their indexes, six a row and 200 pixels wide. The view is
// audited as one. Problems: as for Evidence; not_found also for what is no run, for more than MostFilmFrames and for an index beyond its
// frames.
func (s *Pictures) Film(ctx context.Context, mode idv.Mode, id idv.SessionID, c idv.CaptureID, frames []int) (Picture, error) {
	return s.shown(ctx, mode, id, c, func(k idv.CaptureKind, raw []byte) (Picture, error) { return renderFilm(k, raw, frames) })
}

// shown reads a capture and renders it, after the look is audited.
func (s *Pictures) shown(
	ctx context.Context, mode idv.Mode, id idv.SessionID, c idv.CaptureID, render func(idv.CaptureKind, []byte) (Picture, error),
) (Picture, error) {
	if err := s.life.CheckAvailable(ctx, mode, id, session.ScopePictures); err != nil {
		return Picture{}, err
	}
	captures, err := s.store.Captures(ctx, id)
	if err != nil {
		return Picture{}, err
	}
	for _, row := range captures {
		if row.ID != c || !row.Kind.HasPicture() {
			continue
		}
		done, err := s.life.PictureSlot(ctx)
		if err != nil {
			return Picture{}, err
		}
		defer done()
		raw, err := s.view(ctx, id, string(c), row.Blob)
		if err != nil {
			return Picture{}, err
		}
		return render(row.Kind, raw)
	}
	return Picture{}, problem.New(problem.NotFound)
}

// ArtifactPicture reads the picture of an artifact for showing. Each view is audited. Problems: not_found,
// session.erased, evidence.damaged.
func (s *Pictures) ArtifactPicture(ctx context.Context, mode idv.Mode, id idv.SessionID, a idv.ArtifactID) (Picture, error) {
	if err := s.life.CheckAvailable(ctx, mode, id, session.ScopePictures); err != nil {
		return Picture{}, err
	}
	artifacts, err := s.store.Artifacts(ctx, id)
	if err != nil {
		return Picture{}, err
	}
	for _, row := range artifacts {
		if row.ID != a || row.BlobType == "" {
			continue
		}
		raw, err := s.view(ctx, id, string(a), session.ArtifactBlob(id, a))
		return Picture{Bytes: raw, MediaType: row.BlobType}, err
	}
	return Picture{}, problem.New(problem.NotFound)
}

// view audits the look before it shows anything.
func (s *Pictures) view(ctx context.Context, id idv.SessionID, subject, blob string) ([]byte, error) {
	err := s.store.InTx(ctx, func(ctx context.Context, tx session.Tx) error {
		return tx.Audit(ctx, audit.Record{Action: EvidenceViewed, Session: id, Subject: subject})
	})
	if err != nil {
		return nil, err
	}
	raw, err := s.pictures.Get(ctx, id, blob)
	return raw, session.StoredEvidence(id, subject, err)
}

func render(raw []byte, limits imaging.Limits) (Picture, error) {
	p, _, err := imaging.Decode(raw, limits)
	if err != nil {
		return Picture{}, err
	}
	out, err := imaging.EncodeJPEG(p, renderQuality)
	if err != nil {
		return Picture{}, fmt.Errorf("encode a picture for showing: %w", err)
	}
	return Picture{Bytes: out, MediaType: "image/jpeg"}, nil
}

// Picture is a picture made for showing: upright, without metadata.
type Picture struct {
	Bytes     []byte
	MediaType string
}
