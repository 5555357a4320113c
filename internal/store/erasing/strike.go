package erasing

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/database"
	"github.com/bonafide-id/bonafide/internal/store/sessions"
	"github.com/bonafide-id/bonafide/internal/vault"
)

// purposesOf says which keysets go with a scope.
var purposesOf = map[session.Scope][]vault.Purpose{
	session.ScopeAll:      {vault.Pictures, vault.Facts},
	session.ScopePictures: {vault.Pictures},
}

// Strike implements session.Eraser. Digests are made while the keys are still there; then the keys go, then the rows.
func (t *Striker) Strike(ctx context.Context, id idv.SessionID, scope session.Scope, at time.Time) (session.Struck, error) {
	var out session.Struck
	var err error
	if out.Items, err = t.itemsOf(ctx, id, scope); err != nil {
		return out, err
	}
	blobs, err := t.blobsOf(ctx, id)
	if err != nil {
		return out, err
	}
	for _, p := range purposesOf[scope] {
		traces, err := t.destroy(ctx, id, p)
		if err != nil {
			return out, err
		}
		if traces != nil {
			out.Keysets = append(out.Keysets, string(p))
			out.Traces = append(out.Traces, traces...)
		}
	}
	faces, err := sessions.SealedFaces(ctx, t.Conn, "session_id = ?", string(id))
	if err != nil {
		return out, err
	}
	out.Traces = append(out.Traces, piecesOf(faces)...)
	if out.Removed, err = t.ApplyFates(ctx, id, scope); err != nil {
		return out, err
	}
	if len(blobs) > 0 {
		out.Removed = append(out.Removed, session.Removed{What: "blobs", Count: len(blobs)})
	}
	q := t.Conn.NewUpdate().Model((*sessions.SessionRow)(nil)).Set("version = version + 1").
		Set("pictures_erased_at = COALESCE(pictures_erased_at, ?)", at).Where("s.id = ?", string(id))
	if scope == session.ScopeAll {
		q = q.Set("erased_at = ?", at)
	}
	if _, err := q.Exec(ctx); err != nil {
		return out, fmt.Errorf("note an erasing: %w", err)
	}
	return out, nil
}

// order is that of deleting: what refers to other rows goes before them.
var order = []string{
	"artifacts", "claims", "captures", "attempts", "checks", "reports", "challenges", "chip_challenges", "chip_relays", "wallet_requests",
	"screening_hits", "screening_subjects", "handoffs", "tabs", "frame_marks", "blind_indexes", "seen_marks", "seen_links", "seen_decisions",
	blockTable, galleryTable, "idempotency_keys",
}

// ApplyFates carries out the table of fates.
func (t *Striker) ApplyFates(ctx context.Context, id idv.SessionID, scope session.Scope) ([]session.Removed, error) {
	var out []session.Removed
	note := func(table string, n int64) {
		if n > 0 {
			out = append(out, session.Removed{What: table, Count: int(n)})
		}
	}
	for _, f := range inOrder(Fates()) {
		n, err := t.apply(ctx, id, f, f.covers(scope))
		if err != nil {
			return nil, fmt.Errorf("erase %s: %w", f.Table, err)
		}
		note(f.Table, n)
	}
	if scope == session.ScopePictures {
		n, err := t.dropPersonalArtifacts(ctx, id)
		note("artifacts", n)
		return out, err
	}
	n, err := t.dropJobs(ctx, id)
	note("river_job", n)
	return out, err
}

// Tables that take more than one statement: of faces, whose removals are noted for those who have them in memory, and of the block list,
// whose entries about a face go with it.
const (
	galleryTable = "gallery_entries"
	blockTable   = "block_entries"
)

func (t *Striker) apply(ctx context.Context, id idv.SessionID, f Fate, s strike) (int64, error) {
	of := f.of
	if of == "" {
		of = "session_id = ?"
	}
	switch {
	case s != leave && f.Table == blockTable:
		n, err := sessions.DropFaceEntries(ctx, t.Conn, of, string(id))
		if err != nil || s == faces {
			return n, err
		}
		more, err := t.reduce(ctx, id, f, of)
		return n + more, err
	case s == remove && f.Table == galleryTable:
		n, err := sessions.DropFaces(ctx, t.Conn, t.DB.Now(), of, string(id))
		return int64(n), err
	case s == remove:
		return database.Affected(t.Conn.NewDelete().TableExpr("?", bun.Ident(f.Table)).Where(of, string(id)).Exec(ctx))
	case s == reduce:
		return t.reduce(ctx, id, f, of)
	default:
		return 0, nil
	}
}

// reduce takes their value from the columns of a fate.
func (t *Striker) reduce(ctx context.Context, id idv.SessionID, f Fate, of string) (int64, error) {
	u := t.Conn.NewUpdate().TableExpr("?", bun.Ident(f.Table)).Where(of, string(id))
	for _, column := range slices.Sorted(maps.Keys(f.Sets)) {
		u = u.Set("? = "+f.Sets[column], bun.Ident(column))
	}
	return database.Affected(u.Exec(ctx))
}

// dropPersonalArtifacts deletes templates and what goes with them, and lets go of the digests and pictures of the others.
func (t *Striker) dropPersonalArtifacts(ctx context.Context, id idv.SessionID) (int64, error) {
	var kinds []string
	err := t.Conn.NewSelect().Model((*sessions.ArtifactRow)(nil)).ColumnExpr("DISTINCT kind").Where("session_id = ?", string(id)).Scan(ctx, &kinds)
	if err != nil {
		return 0, fmt.Errorf("read kinds of artifacts: %w", err)
	}
	kinds = slices.DeleteFunc(kinds, func(k string) bool { return !session.GoesWithPictures(idv.ArtifactKind(k)) })
	_, err = t.Conn.NewUpdate().Model((*sessions.ArtifactRow)(nil)).Set("inputs = '[]'").Set("blob = ''").Set("blob_type = ''").
		Where("session_id = ?", string(id)).Exec(ctx)
	if err != nil || len(kinds) == 0 {
		return 0, err
	}
	return database.Affected(t.Conn.NewDelete().Model((*sessions.ArtifactRow)(nil)).Where("session_id = ? AND kind IN (?)", string(id), bun.List(kinds)).Exec(ctx))
}

// dropJobs deletes the jobs of a session; one that is running finds nothing to do.
func (t *Striker) dropJobs(ctx context.Context, id idv.SessionID) (int64, error) {
	n, err := database.Affected(t.Conn.NewDelete().TableExpr("river_job").Where("kind <> ? AND state <> 'running'", job.Erase{}.Kind()).
		Where("args ->> 'session' = ?", string(id)).Exec(ctx))
	if err != nil {
		return 0, fmt.Errorf("erase jobs: %w", err)
	}
	return n, nil
}

// itemsOf names the captures and reports of a session, each with a digest under the facts key. What lost its key before has
// none.
func (t *Striker) itemsOf(ctx context.Context, id idv.SessionID, scope session.Scope) ([]session.RemovedItem, error) {
	k, err := t.Keyset(ctx, id, vault.Facts)
	if problem.Has(err, problem.SessionErased) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	out := []session.RemovedItem{}
	add := func(name, kind, digest string) error {
		sum, err := k.Digest("erased", []byte(digest))
		out = append(out, session.RemovedItem{ID: name, Kind: kind, Digest: sum})
		return err
	}
	captures, err := database.RowsOf[sessions.CaptureRow](ctx, &t.Reader, id, "captures")
	if err != nil {
		return nil, err
	}
	for _, c := range captures {
		if err := add(c.ID, c.Kind, c.SHA256); err != nil {
			return nil, err
		}
	}
	if scope == session.ScopePictures {
		return out, nil
	}
	reports, err := database.RowsOf[sessions.ReportRow](ctx, &t.Reader, id, "reports")
	if err != nil {
		return nil, err
	}
	for _, r := range reports {
		if err := add(r.ID, "report", r.Digest); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// blobsOf names the blobs that rows of a session refer to.
func (t *Striker) blobsOf(ctx context.Context, id idv.SessionID) ([]string, error) {
	var all []string
	for _, table := range []any{(*sessions.CaptureRow)(nil), (*sessions.ArtifactRow)(nil), (*sessions.UploadPartRow)(nil)} {
		var names []string
		if err := t.Conn.NewSelect().Model(table).Column("blob").Where("session_id = ? AND blob <> ''", string(id)).Scan(ctx, &names); err != nil {
			return nil, fmt.Errorf("read names of blobs: %w", err)
		}
		all = append(all, names...)
	}
	return all, nil
}

// destroy destroys a keyset and answers the traces by which its wrapped bytes would be recognised; none if it was gone.
func (t *Striker) destroy(ctx context.Context, id idv.SessionID, p vault.Purpose) ([]string, error) {
	var row database.KeysetRow
	q := t.Conn.NewSelect().Model(&row).Where("owner = ? AND purpose = ?", string(id), string(p))
	if t.DB.Pool != nil {
		q = q.For("UPDATE") // the traces are those of what is destroyed, even while the master key is changed
	}
	err := q.Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) || (err == nil && len(row.Wrapped) == 0) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read keyset: %w", err)
	}
	t.ForgetKeyset(id, p)
	return tracesOf(row.Wrapped), destroyKeyset(ctx, t.Conn, t.DB.Now(), id, p)
}

// AddErasure implements session.Eraser.
func (t *Striker) AddErasure(ctx context.Context, e session.Erasure) error {
	return t.Insert(ctx, &ErasureRow{
		Session: string(e.Session), Scope: string(e.Scope), Statement: e.Statement, Traces: maskTraces(e.Traces), ErasedAt: e.ErasedAt,
	}, "erasing")
}

// DestroyKeyset erases, for ever, everything that the keyset covers.
func (s *Eraser) DestroyKeyset(ctx context.Context, id idv.SessionID, p vault.Purpose) error {
	return s.db.RunInTx(ctx, func(ctx context.Context, btx bun.Tx) error {
		return destroyKeyset(ctx, btx, s.db.Now(), id, p)
	})
}

func destroyKeyset(ctx context.Context, db bun.IDB, now time.Time, id idv.SessionID, p vault.Purpose) error {
	if p == vault.Pictures {
		if err := sessions.EraseMarks(ctx, db, id); err != nil {
			return err
		}
	}
	_, err := db.NewUpdate().Model((*database.KeysetRow)(nil)).Set("wrapped = NULL").Set("destroyed_at = ?", now).
		Where("owner = ? AND purpose = ? AND destroyed_at IS NULL", string(id), string(p)).Exec(ctx)
	if err != nil {
		return fmt.Errorf("destroy keyset: %w", err)
	}
	return nil
}
