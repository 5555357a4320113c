package sessions

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/gallery"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/database"
	"github.com/bonafide-id/bonafide/internal/vault"
)

// GalleryWriter keeps faces of those who agreed to it.
type GalleryWriter struct{ *database.Tx }

// GalleryRow is a face in a gallery.
type GalleryRow struct {
	bun.BaseModel `bun:"table:gallery_entries,alias:e"`
	Seq           int64     `bun:"seq,autoincrement"`
	Gallery       string    `bun:"gallery"` // mode and name
	Session       string    `bun:"session_id"`
	Model         string    `bun:"model"`
	Code          string    `bun:"code"` // sealed twice, in base64, so that pieces of it can be looked for
	KeptUntil     time.Time `bun:"kept_until"`
	CreatedAt     time.Time `bun:"created_at"`
}

// galleryColumn names the sealed column; the gallery's own seal names the session, too.
const galleryColumn = "gallery_entries.code"

// GalleryOf names the gallery of a workflow's settings: modes never mix.
func GalleryOf(mode idv.Mode, set idv.GallerySettings) string {
	return string(mode) + ":" + set.OrDefault().Name
}

// galleryOwner owns the keyset of a gallery.
func galleryOwner(gallery string) string { return "gallery:" + gallery }

// GalleryKeyset returns the keyset of a gallery; database.ErrNoKeyset if nobody is in it.
func GalleryKeyset(ctx context.Context, r *database.Reader, gallery string) (*vault.Keyset, error) {
	return r.OwnKeyset(ctx, galleryOwner(gallery))
}

// GalleryRotation derives the rotation of a gallery from its keyset.
func GalleryRotation(k *vault.Keyset) (*gallery.Rotation, error) {
	text, err := k.Digest("gallery.rotation", nil)
	if err != nil {
		return nil, err
	}
	secret, err := hex.DecodeString(text)
	if err != nil {
		return nil, fmt.Errorf("derive the rotation of a gallery: %w", err)
	}
	defer clear(secret)
	return gallery.NewRotation(secret)
}

// EnrolFace implements session.GalleryWriter. The same face again changes nothing.
func (t *GalleryWriter) EnrolFace(ctx context.Context, rec session.Record, set idv.GallerySettings, face session.FaceTemplate) error {
	set = set.OrDefault()
	name := GalleryOf(rec.Mode, set)
	own, err := t.MakeOwnKeyset(ctx, galleryOwner(name))
	if err != nil {
		return err
	}
	turn, err := GalleryRotation(own)
	if err != nil {
		return err
	}
	code, err := turn.Code(face.Values)
	if err != nil {
		return err
	}
	defer clear(code[:])
	pictures, err := t.Keyset(ctx, rec.ID, vault.Pictures)
	if err != nil {
		return err
	}
	var there []GalleryRow
	if err := t.Conn.NewSelect().Model(&there).Where("e.session_id = ?", string(rec.ID)).Scan(ctx); err != nil {
		return fmt.Errorf("look for the face of a session: %w", err)
	}
	for _, row := range there {
		is, err := OpenFace(own, pictures, row.Session, row.Code)
		same := err == nil && is == code && row.Gallery == name && row.Model == face.Model
		clear(is[:])
		if same {
			return nil
		}
	}
	if _, err := t.DropFace(ctx, rec.ID); err != nil {
		return err
	}
	sealed, err := sealFace(own, pictures, string(rec.ID), &code)
	if err != nil {
		return err
	}
	now := t.DB.Now()
	return t.Insert(ctx, &GalleryRow{
		Gallery: name, Session: string(rec.ID), Model: face.Model, Code: sealed, KeptUntil: now.AddDate(0, set.Months, 0), CreatedAt: now,
	}, "face of a gallery")
}

// sealFace seals a code under the keyset of its gallery and, around that, the session's.
func sealFace(own, pictures *vault.Keyset, id string, code *gallery.Code) (string, error) {
	plain := code.Bytes()
	defer clear(plain)
	inner, err := own.Seal(database.Place(galleryColumn, id), plain)
	if err != nil {
		return "", err
	}
	sealed, err := pictures.Seal(galleryColumn, inner)
	return base64.StdEncoding.EncodeToString(sealed), err
}

// OpenFace opens what is kept of a face. The caller overwrites it after use.
func OpenFace(own, pictures *vault.Keyset, id, kept string) (gallery.Code, error) {
	sealed, err := base64.StdEncoding.DecodeString(kept)
	if err != nil {
		return gallery.Code{}, fmt.Errorf("read a face of a gallery: %w", err)
	}
	inner, err := pictures.Unseal(galleryColumn, sealed)
	if err != nil {
		return gallery.Code{}, err
	}
	plain, err := own.Unseal(database.Place(galleryColumn, id), inner)
	if err != nil {
		return gallery.Code{}, err
	}
	defer clear(plain)
	return gallery.CodeOf(plain)
}

// DropFace implements session.GalleryWriter.
func (t *GalleryWriter) DropFace(ctx context.Context, id idv.SessionID) (int, error) {
	return DropFaces(ctx, t.Conn, t.DB.Now(), "session_id = ?", string(id))
}

// DropFaces deletes faces with the entries of the block list about them, notes which, and returns how many faces.
// The lock keeps numbers in the order of commits, so that a server
// that has read up to one number has read all before it.
func DropFaces(ctx context.Context, conn bun.IDB, now time.Time, where string, args ...any) (int, error) {
	if _, err := conn.ExecContext(ctx, "UPDATE locks SET taken = taken + 1 WHERE name = 'gallery'"); err != nil {
		return 0, fmt.Errorf("lock the galleries: %w", err)
	}
	// Entries of the block list about them go first: they are found by the rows.
	if _, err := DropFaceEntries(ctx, conn, "from_session IN (SELECT session_id FROM gallery_entries WHERE "+where+")", args...); err != nil {
		return 0, err
	}
	_, err := conn.NewRaw("INSERT INTO gallery_removals (gallery, entry, removed_at) SELECT gallery, seq, ? FROM gallery_entries WHERE "+where,
		append([]any{now}, args...)...).Exec(ctx)
	if err != nil {
		return 0, fmt.Errorf("note which faces go: %w", err)
	}
	n, err := database.Affected(conn.NewDelete().Model((*GalleryRow)(nil)).Where(where, args...).Exec(ctx))
	if err != nil {
		return 0, fmt.Errorf("delete faces of a gallery: %w", err)
	}
	return int(n), nil
}

// removalsKept is how long it is noted which faces were removed: servers look every half minute.
const removalsKept = 24 * time.Hour

// OldFaces is what DropFaces takes for faces whose time is over.
const OldFaces = "kept_until <= ?"

// SealedFaces reads faces as they are kept.
func SealedFaces(ctx context.Context, conn bun.IDB, where string, args ...any) ([]string, error) {
	var out []string
	if err := conn.NewSelect().Model((*GalleryRow)(nil)).Column("code").Where(where, args...).Scan(ctx, &out); err != nil {
		return nil, fmt.Errorf("read faces of a gallery: %w", err)
	}
	return out, nil
}

// ForgetRemovals forgets which faces were removed a while ago.
func ForgetRemovals(ctx context.Context, db *database.DB) error {
	if _, err := db.Write.NewRaw("DELETE FROM gallery_removals WHERE removed_at < ?", db.Now().Add(-removalsKept)).Exec(ctx); err != nil {
		return fmt.Errorf("forget which faces went: %w", err)
	}
	return nil
}
