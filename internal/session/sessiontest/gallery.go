package sessiontest

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/session"
)

// faceRow is a face in a gallery.
type faceRow struct {
	session idv.SessionID
	gallery string
	face    session.FaceTemplate
}

// EnrolFace implements session.GalleryWriter.
func (w seenWriter) EnrolFace(ctx context.Context, rec session.Record, set idv.GallerySettings, face session.FaceTemplate) error {
	if _, err := w.DropFace(ctx, rec.ID); err != nil {
		return err
	}
	w.next.faces = append(w.next.faces, faceRow{rec.ID, string(rec.Mode) + ":" + set.OrDefault().Name, face})
	return nil
}

// DropFace implements session.GalleryWriter.
func (w seenWriter) DropFace(_ context.Context, id idv.SessionID) (n int, err error) {
	w.next.faces, n = without(w.next.faces, func(f faceRow) bool { return f.session == id })
	return n, nil
}

// FaceTraces implements session.Cleaner: there are no files.
func (s *Store) FaceTraces(context.Context, idv.SessionID) ([]string, error) { return nil, nil }

// FinishFaces implements session.Cleaner: faces are in no other memory.
func (s *Store) FinishFaces(ctx context.Context, _ []string) error { return ctx.Err() }

// CopyWithFace adds a session like another one. Nobody opened it, and it has a face of its own in the gallery of the default name.
func CopyWithFace(ctx context.Context, tx session.Tx, of, id idv.SessionID) error {
	rec, err := tx.Session(ctx, of)
	if err != nil {
		return err
	}
	rec.ID, rec.LinkHash, rec.TokenHash = id, string(id), ""
	if err := tx.AddSession(ctx, rec); err != nil {
		return err
	}
	return tx.EnrolFace(ctx, rec, idv.GallerySettings{}, session.FaceTemplate{
		Model: idvtest.TemplateModel, Values: idvtest.TemplateOf(string(id)),
	})
}
