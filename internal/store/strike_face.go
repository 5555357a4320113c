package store

import (
	"context"
	"fmt"
	"slices"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
)

// StrikeFace implements session.EvidenceWriter. The pictures key stays, because the document's picture needs it: blobs are gone
// once they are deleted.
func (t *tx) StrikeFace(ctx context.Context, id idv.SessionID) ([]string, error) {
	captures, artifacts, blobs, err := t.faces(ctx, id)
	if err != nil {
		return nil, err
	}
	var checks []string
	for _, k := range idv.CheckKinds() {
		if k.AboutFace() {
			checks = append(checks, string(k))
		}
	}
	for _, gone := range []struct { // what refers to captures goes before them
		model  any
		column string
		values []string
	}{
		{(*checkRow)(nil), "kind", checks}, {(*artifactRow)(nil), "id", artifacts}, {(*claimRow)(nil), "capture_id", captures},
		{(*markRow)(nil), "capture_id", captures}, {(*captureRow)(nil), "id", captures},
	} {
		if len(gone.values) == 0 {
			continue
		}
		q := t.db.NewDelete().Model(gone.model).Where("session_id = ?", string(id)).Where("? IN (?)", bun.Ident(gone.column), bun.List(gone.values))
		if _, err := q.Exec(ctx); err != nil {
			return nil, fmt.Errorf("remove what is there of a face: %w", err)
		}
	}
	_, err = t.db.NewUpdate().Model((*attemptRow)(nil)).Set("sha256 = ''").Where("session_id = ? AND step = ?", string(id), string(idv.StepSelfie)).Exec(ctx)
	if err != nil {
		return nil, fmt.Errorf("remove digests of a face: %w", err)
	}
	return blobs, nil
}

// faces lists a session's captures of a face, what was found in them, templates of any face, and the blobs of all that.
func (t *tx) faces(ctx context.Context, id idv.SessionID) (captures, artifacts, blobs []string, err error) {
	rows, err := rowsOf[captureRow](ctx, &t.reader, id, "captures")
	if err != nil {
		return nil, nil, nil, err
	}
	for _, c := range rows {
		if c.Step == string(idv.StepSelfie) {
			captures, blobs = append(captures, c.ID), append(blobs, c.Blob)
		}
	}
	found, err := rowsOf[artifactRow](ctx, &t.reader, id, "artifacts")
	if err != nil {
		return nil, nil, nil, err
	}
	for _, a := range found {
		if !slices.Contains(captures, a.Capture) && !session.IsTemplate(idv.ArtifactKind(a.Kind)) {
			continue
		}
		artifacts = append(artifacts, a.ID)
		if a.Blob != "" {
			blobs = append(blobs, a.Blob)
		}
	}
	return captures, artifacts, blobs, nil
}
