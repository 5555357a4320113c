package sessiontest

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/session"
)

// faceRow is a face in a gallery.
type faceRow struct {
	session idv.SessionID
	gallery string
	face    session.FaceTemplate
	until   time.Time
}

// EnrolFace implements session.GalleryWriter.
func (w seenWriter) EnrolFace(ctx context.Context, rec session.Record, set idv.GallerySettings, face session.FaceTemplate) error {
	set = set.OrDefault()
	name := string(rec.Mode) + ":" + set.Name
	if slices.ContainsFunc(w.next.faces, func(f faceRow) bool {
		return f.session == rec.ID && f.gallery == name && f.face.Model == face.Model && slices.Equal(f.face.Values, face.Values)
	}) {
		return nil
	}
	if _, err := w.DropFace(ctx, rec.ID); err != nil {
		return err
	}
	w.next.faces = append(w.next.faces, faceRow{rec.ID, name, face, w.store.now().AddDate(0, set.Months, 0)})
	return nil
}

// DropFace implements session.GalleryWriter.
func (w seenWriter) DropFace(_ context.Context, id idv.SessionID) (n int, err error) {
	w.next.faces, n = without(w.next.faces, func(f faceRow) bool { return f.session == id })
	if n > 0 {
		w.next.dropFaceEntries(id)
	}
	return n, nil
}

// dropFaceEntries removes the entries of the block list about the face of a session, and returns how many.
func (t *tables) dropFaceEntries(id idv.SessionID) (n int) {
	t.blocks, n = without(t.blocks, func(b blockRow) bool { return b.entry.Kind == idv.BlockFace && b.entry.Session == id })
	return n
}

// KeptFace implements session.FaceReader.
func (r seenReader) KeptFace(_ context.Context, id idv.SessionID) (session.KeptFace, bool, error) {
	for _, f := range r.at().faces {
		if f.session == id {
			_, name, _ := strings.Cut(f.gallery, ":")
			return session.KeptFace{Gallery: name, Until: f.until}, true, nil
		}
	}
	return session.KeptFace{}, false, nil
}

// FaceEntries implements session.FaceReader.
func (r seenReader) FaceEntries(_ context.Context, id idv.SessionID) ([]session.BlockEntry, error) {
	var out []session.BlockEntry
	for _, b := range r.at().blocks {
		if b.entry.Kind == idv.BlockFace && b.entry.Session == id {
			out = append(out, b.entry)
		}
	}
	return out, nil
}

// ListedFaces implements session.FaceReader.
func (r seenReader) ListedFaces(_ context.Context, rec session.Record, set idv.GallerySettings, now time.Time) ([]idv.ListedFace, error) {
	var out []idv.ListedFace
	name := string(rec.Mode) + ":" + set.OrDefault().Name
	for _, b := range r.at().blocks {
		e := b.entry
		kept := slices.ContainsFunc(r.at().faces, func(f faceRow) bool { return f.session == e.Session && f.gallery == name })
		if e.Kind == idv.BlockFace && e.Session != rec.ID && kept && e.State(now) == session.BlockActive {
			out = append(out, idv.ListedFace{Entry: e.ID, Session: e.Session})
		}
	}
	return out, nil
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
