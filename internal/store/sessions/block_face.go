package sessions

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/database"
)

// An entry of the block list about a face holds nothing of it. It names a session, and is compared by what the gallery keeps of that.

// addFace adds an entry about the face of its session. The caller holds the lock of the block list.
func (t *SeenWriter) addFace(ctx context.Context, e session.BlockEntry) error {
	there, err := t.Conn.NewSelect().Model((*BlockRow)(nil)).Where("b.kind = ? AND b.from_session = ?", string(idv.BlockFace), string(e.Session)).
		Where(inForce, t.DB.Now()).Exists(ctx)
	if err != nil {
		return fmt.Errorf("look for an entry of the block list: %w", err)
	}
	if there {
		return problem.New(problem.BlocklistExists)
	}
	return t.Insert(ctx, blockRowOf(e), "entry of the block list")
}

// KeptFace implements session.FaceReader.
func (r *SeenReader) KeptFace(ctx context.Context, id idv.SessionID) (session.KeptFace, bool, error) {
	var rows []GalleryRow
	err := r.Conn.NewSelect().Model(&rows).Column("gallery", "kept_until").Where("e.session_id = ?", string(id)).Scan(ctx)
	if err != nil {
		return session.KeptFace{}, false, fmt.Errorf("look for the face of a session: %w", err)
	}
	if len(rows) == 0 {
		return session.KeptFace{}, false, nil
	}
	_, name, _ := strings.Cut(rows[0].Gallery, ":")
	return session.KeptFace{Gallery: name, Until: database.UTC(rows[0].KeptUntil)}, true, nil
}

// FaceEntries implements session.FaceReader.
func (r *SeenReader) FaceEntries(ctx context.Context, id idv.SessionID) ([]session.BlockEntry, error) {
	var rows []BlockRow
	err := r.Conn.NewSelect().Model(&rows).Where("b.kind = ? AND b.from_session = ?", string(idv.BlockFace), string(id)).OrderExpr("b.seq").Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("read entries of the block list about a face: %w", err)
	}
	var out []session.BlockEntry
	for _, row := range rows {
		out = append(out, row.entry())
	}
	return out, nil
}

// ListedFaces implements session.FaceReader.
func (r *SeenReader) ListedFaces(ctx context.Context, rec session.Record, set idv.GallerySettings, now time.Time) ([]idv.ListedFace, error) {
	var rows []BlockRow
	err := r.Conn.NewSelect().Model(&rows).Column("b.id", "b.from_session").
		Where("b.mode = ? AND b.kind = ? AND b.from_session <> ?", string(rec.Mode), string(idv.BlockFace), string(rec.ID)).
		Where("EXISTS (SELECT 1 FROM gallery_entries AS e WHERE e.session_id = b.from_session AND e.gallery = ?)", GalleryOf(rec.Mode, set)).
		Where(inForce, now).OrderExpr("b.seq").Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("read which faces are on the block list: %w", err)
	}
	var out []idv.ListedFace
	for _, row := range rows {
		out = append(out, idv.ListedFace{Entry: idv.BlockEntryID(row.ID), Session: idv.SessionID(row.Session)})
	}
	return out, nil
}

// DropFaceEntries deletes the entries of the block list about faces of sessions, and returns how many.
func DropFaceEntries(ctx context.Context, conn bun.IDB, where string, args ...any) (int64, error) {
	n, err := database.Affected(conn.NewDelete().Model((*BlockRow)(nil)).Where("kind = ?", string(idv.BlockFace)).Where(where, args...).Exec(ctx))
	if err != nil {
		return 0, fmt.Errorf("delete entries of the block list about faces: %w", err)
	}
	return n, nil
}

// dropFaceless deletes entries about faces that no gallery keeps any more: a server of a former version removed the face, or the database was
// restored, and backups hold no faces.
func dropFaceless(ctx context.Context, db *database.DB) error {
	_, err := DropFaceEntries(ctx, db.Write, "from_session NOT IN (SELECT session_id FROM gallery_entries)")
	return err
}
