package erasing

import (
	"context"
	"fmt"
	"slices"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/database"
	"github.com/bonafide-id/bonafide/internal/store/sessions"
)

// StrikeFace implements session.EvidenceWriter. The pictures key stays, because the document's picture needs it: blobs are gone
// once they are deleted.
func (t *Striker) StrikeFace(ctx context.Context, id idv.SessionID) ([]string, error) {
	if _, err := sessions.DropFaces(ctx, t.Conn, t.DB.Now(), "session_id = ?", string(id)); err != nil {
		return nil, err
	}
	found, err := t.faces(ctx, id)
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
		{(*sessions.CheckRow)(nil), "kind", checks}, {(*sessions.ArtifactRow)(nil), "id", found.artifacts}, {(*sessions.ClaimRow)(nil), "capture_id", found.captures},
		{(*sessions.MarkRow)(nil), "capture_id", found.captures}, {(*sessions.CaptureRow)(nil), "id", found.captures},
	} {
		if len(gone.values) == 0 {
			continue
		}
		q := t.Conn.NewDelete().Model(gone.model).Where("session_id = ?", string(id)).Where("? IN (?)", bun.Ident(gone.column), bun.List(gone.values))
		if _, err := q.Exec(ctx); err != nil {
			return nil, fmt.Errorf("remove what is there of a face: %w", err)
		}
	}
	if len(found.cropped) > 0 {
		q := t.Conn.NewUpdate().
			Model((*sessions.ArtifactRow)(nil)).
			Set("blob = ''").
			Set("blob_type = ''").
			Where("session_id = ?", string(id)).
			Where("id IN (?)", bun.List(found.cropped))
		if _, err := q.Exec(ctx); err != nil {
			return nil, fmt.Errorf("remove crops of a face: %w", err)
		}
	}
	_, err = t.Conn.NewUpdate().
		Model((*sessions.AttemptRow)(nil)).
		Set("sha256 = ''").
		Where("session_id = ? AND step = ?", string(id), string(idv.StepSelfie)).
		Exec(ctx)
	if err != nil {
		return nil, fmt.Errorf("remove digests of a face: %w", err)
	}
	return found.blobs, nil
}

// struckFaces are ids of what is there of a face, and the blobs of all that.
type struckFaces struct {
	captures, artifacts []string
	cropped             []string // portraits on documents: that one is there and where stays, the picture cut out of it does not
	blobs               []string
}

// faces finds a session's captures of a face, what was found in them, templates of any face and crops of the document's.
func (t *Striker) faces(ctx context.Context, id idv.SessionID) (out struckFaces, err error) {
	rows, err := database.RowsOf[sessions.CaptureRow](ctx, &t.Reader, id, "captures")
	if err != nil {
		return out, err
	}
	for _, c := range rows {
		if c.Step == string(idv.StepSelfie) {
			out.captures, out.blobs = append(out.captures, c.ID), append(out.blobs, c.Blob)
		}
	}
	found, err := database.RowsOf[sessions.ArtifactRow](ctx, &t.Reader, id, "artifacts")
	if err != nil {
		return out, err
	}
	for _, a := range found {
		switch kind := idv.ArtifactKind(a.Kind); {
		case slices.Contains(out.captures, a.Capture) || session.IsTemplate(kind):
			out.artifacts = append(out.artifacts, a.ID)
		case kind == idv.ArtifactPortrait:
			out.cropped = append(out.cropped, a.ID)
		default:
			continue
		}
		if a.Blob != "" {
			out.blobs = append(out.blobs, a.Blob)
		}
	}
	return out, nil
}
