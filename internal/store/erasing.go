package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/uptrace/bun"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/vault"
)

type erasureRow struct {
	bun.BaseModel `bun:"table:erasures"`
	Session       string    `bun:"session_id"`
	Scope         string    `bun:"scope"`
	Statement     string    `bun:"statement"`
	Traces        string    `bun:"traces"`
	ErasedAt      time.Time `bun:"erased_at"`
	FinishedAt    time.Time `bun:"finished_at,nullzero"`
}

// purposesOf says which keysets go with a scope.
var purposesOf = map[session.Scope][]vault.Purpose{
	session.ScopeAll:      {vault.Pictures, vault.Facts},
	session.ScopePictures: {vault.Pictures},
}

// Strike implements session.Eraser. Digests are made while the keys are still there; then the keys go, then the rows.
func (t *tx) Strike(ctx context.Context, id idv.SessionID, scope session.Scope, at time.Time) (session.Struck, error) {
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
	if out.Removed, err = t.applyFates(ctx, id, scope); err != nil {
		return out, err
	}
	if len(blobs) > 0 {
		out.Removed = append(out.Removed, session.Removed{What: "blobs", Count: len(blobs)})
	}
	q := t.db.NewUpdate().Model((*sessionRow)(nil)).Set("version = version + 1").
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
	"artifacts", "claims", "captures", "attempts", "checks", "reports", "challenges", "handoffs", "frame_marks", "blind_indexes", "idempotency_keys",
}

// applyFates carries out the table of fates.
func (t *tx) applyFates(ctx context.Context, id idv.SessionID, scope session.Scope) ([]session.Removed, error) {
	fates := Fates()
	place := func(f Fate) int { // what has no place in the order refers to nothing
		if i := slices.Index(order, f.Table); i >= 0 {
			return i
		}
		return len(order)
	}
	slices.SortStableFunc(fates, func(a, b Fate) int { return place(a) - place(b) })
	var out []session.Removed
	note := func(table string, n int64) {
		if n > 0 {
			out = append(out, session.Removed{What: table, Count: int(n)})
		}
	}
	for _, f := range fates {
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

func (t *tx) apply(ctx context.Context, id idv.SessionID, f Fate, s strike) (int64, error) {
	of := f.of
	if of == "" {
		of = "session_id = ?"
	}
	switch s {
	case remove:
		return affected(t.db.NewDelete().TableExpr("?", bun.Ident(f.Table)).Where(of, string(id)).Exec(ctx))
	case reduce:
		u := t.db.NewUpdate().TableExpr("?", bun.Ident(f.Table)).Where(of, string(id))
		for _, column := range slices.Sorted(maps.Keys(f.Sets)) {
			u = u.Set("? = "+f.Sets[column], bun.Ident(column))
		}
		return affected(u.Exec(ctx))
	default:
		return 0, nil
	}
}

func affected(res sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// dropPersonalArtifacts deletes templates and what goes with them, and lets go of the digests and pictures of the others.
func (t *tx) dropPersonalArtifacts(ctx context.Context, id idv.SessionID) (int64, error) {
	var kinds []string
	err := t.db.NewSelect().Model((*artifactRow)(nil)).ColumnExpr("DISTINCT kind").Where("session_id = ?", string(id)).Scan(ctx, &kinds)
	if err != nil {
		return 0, fmt.Errorf("read kinds of artifacts: %w", err)
	}
	kinds = slices.DeleteFunc(kinds, func(k string) bool { return !session.GoesWithPictures(idv.ArtifactKind(k)) })
	_, err = t.db.NewUpdate().Model((*artifactRow)(nil)).Set("inputs = '[]'").Set("blob = ''").Set("blob_type = ''").
		Where("session_id = ?", string(id)).Exec(ctx)
	if err != nil || len(kinds) == 0 {
		return 0, err
	}
	return affected(t.db.NewDelete().Model((*artifactRow)(nil)).Where("session_id = ? AND kind IN (?)", string(id), bun.List(kinds)).Exec(ctx))
}

// dropJobs deletes the jobs of a session; one that is running finds nothing to do.
func (t *tx) dropJobs(ctx context.Context, id idv.SessionID) (int64, error) {
	n, err := affected(t.db.NewDelete().TableExpr("river_job").Where("kind <> ? AND state <> 'running'", job.Erase{}.Kind()).
		Where("args ->> 'session' = ?", string(id)).Exec(ctx))
	if err != nil {
		return 0, fmt.Errorf("erase jobs: %w", err)
	}
	return n, nil
}

// itemsOf names the captures and reports of a session, each with a digest under the facts key. What lost its key before has
// none.
func (t *tx) itemsOf(ctx context.Context, id idv.SessionID, scope session.Scope) ([]session.RemovedItem, error) {
	k, err := t.keyset(ctx, id, vault.Facts)
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
	captures, err := rowsOf[captureRow](ctx, &t.reader, id, "captures")
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
	reports, err := rowsOf[reportRow](ctx, &t.reader, id, "reports")
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
func (t *tx) blobsOf(ctx context.Context, id idv.SessionID) ([]string, error) {
	var all []string
	for _, table := range []any{(*captureRow)(nil), (*artifactRow)(nil), (*uploadPartRow)(nil)} {
		var names []string
		if err := t.db.NewSelect().Model(table).Column("blob").Where("session_id = ? AND blob <> ''", string(id)).Scan(ctx, &names); err != nil {
			return nil, fmt.Errorf("read names of blobs: %w", err)
		}
		all = append(all, names...)
	}
	return all, nil
}

// destroy destroys a keyset and answers the traces by which its wrapped bytes would be recognised; none if it was gone.
func (t *tx) destroy(ctx context.Context, id idv.SessionID, p vault.Purpose) ([]string, error) {
	var row keysetRow
	err := t.db.NewSelect().Model(&row).Where("owner = ? AND purpose = ?", string(id), string(p)).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) || (err == nil && len(row.Wrapped) == 0) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read keyset: %w", err)
	}
	delete(t.cache, string(id)+"|"+string(p))
	return tracesOf(row.Wrapped), t.s.destroyKeyset(ctx, t.db, id, p)
}

// AddErasure implements session.Eraser.
func (t *tx) AddErasure(ctx context.Context, e session.Erasure) error {
	return t.insert(ctx, &erasureRow{
		Session: string(e.Session), Scope: string(e.Scope), Statement: e.Statement, Traces: maskTraces(e.Traces), ErasedAt: e.ErasedAt,
	}, "erasing")
}

// Erasures implements session.ErasureReader.
func (r *reader) Erasures(ctx context.Context, id idv.SessionID) ([]session.Erasure, error) {
	var rows []erasureRow
	err := r.db.NewSelect().Model(&rows).Where("session_id = ?", string(id)).OrderExpr("erased_at, scope DESC").Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("read erasings: %w", err)
	}
	out := make([]session.Erasure, 0, len(rows))
	for _, row := range rows {
		out = append(out, session.Erasure{
			Session: id, Scope: session.Scope(row.Scope), Statement: row.Statement, ErasedAt: row.ErasedAt.UTC(), FinishedAt: utc(row.FinishedAt),
		})
	}
	return out, nil
}

// Unfinished implements session.Cleaner.
func (s *Store) Unfinished(ctx context.Context, before time.Time, limit int) ([]idv.SessionID, error) {
	var ids []string
	err := s.read.NewSelect().Model((*erasureRow)(nil)).Column("session_id").Where("finished_at IS NULL AND erased_at < ?", before).
		OrderExpr("erased_at").Limit(int64(limit)).Scan(ctx, &ids)
	if err != nil {
		return nil, fmt.Errorf("list unfinished erasings: %w", err)
	}
	out := make([]idv.SessionID, 0, len(ids))
	for _, id := range ids {
		if !slices.Contains(out, idv.SessionID(id)) {
			out = append(out, idv.SessionID(id))
		}
	}
	return out, nil
}

// Clean implements session.Cleaner. What is done is noted at the end, so that whoever is interrupted does it again.
func (s *Store) Clean(ctx context.Context, ids []idv.SessionID) error {
	var rows []erasureRow
	if len(ids) == 0 {
		return nil
	}
	err := s.write.NewSelect().Model(&rows).Where("session_id IN (?) AND finished_at IS NULL", bun.List(ids)).Scan(ctx)
	if err != nil {
		return fmt.Errorf("read unfinished erasings: %w", err)
	}
	if len(rows) == 0 {
		return nil
	}
	var traces []string
	for _, row := range rows {
		if err := s.deleteBlobs(ctx, idv.SessionID(row.Session)); err != nil {
			return err
		}
		traces = append(traces, unmaskTraces(row.Traces)...)
	}
	if err := s.scrub(ctx, traces); err != nil {
		return fmt.Errorf("clear the database's files: %w", err)
	}
	for _, row := range rows {
		_, err := s.write.NewUpdate().Model((*erasureRow)(nil)).Set("finished_at = ?", s.now()).Set("traces = ''").
			Where("session_id = ? AND scope = ?", row.Session, row.Scope).Exec(ctx)
		if err != nil {
			return fmt.Errorf("note a finished erasing: %w", err)
		}
	}
	return s.Sequence(ctx) // so that the receipt has its proof
}

// deleteBlobs deletes every blob of a session, also those that no row names.
func (s *Store) deleteBlobs(ctx context.Context, id idv.SessionID) error {
	if s.blobs == nil {
		return nil
	}
	var names []string
	err := s.blobs.ListPrefix(ctx, string(id)+"/", func(name string) error { names = append(names, name); return nil })
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := s.blobs.Delete(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// EntryOf implements session.ErasureReader.
func (r *reader) EntryOf(ctx context.Context, id idv.SessionID, action string) (audit.Entry, *audit.Proof, error) {
	var row auditRow
	err := r.db.NewSelect().Model(&row).Where("session_id = ? AND action = ?", string(id), action).OrderExpr("id DESC").Limit(1).Scan(ctx)
	if err != nil {
		return audit.Entry{}, nil, missing(err, "read an audit entry")
	}
	e := row.entry()
	if e.Position < 0 {
		return e, nil, nil
	}
	p, err := r.s.prove(ctx, r.db, e)
	return e, p, err
}

// prove makes the proof of a sequenced entry under the newest checkpoint.
func (s *Store) prove(ctx context.Context, db bun.IDB, e audit.Entry) (*audit.Proof, error) {
	var newest checkpointRow
	if err := db.NewSelect().Model(&newest).OrderExpr("size DESC").Limit(1).Scan(ctx); err != nil {
		return nil, fmt.Errorf("read the newest checkpoint: %w", err)
	}
	key, err := s.AuditKey(ctx)
	if err != nil {
		return nil, err
	}
	stored := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) { return readHashes(ctx, db, indexes) })
	p, err := audit.Prove(e, newest.checkpoint(), stored, key)
	return &p, err
}
