package store

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"

	"github.com/uptrace/bun"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// trail is the log as a connection sees it.
type trail struct{ db bun.IDB }

// still answers with the log at one moment: while it is read, entries come to it and old ones leave it.
func (s *Store) still(ctx context.Context, f func(context.Context, audit.Source) error) error {
	return s.read.RunInTx(ctx, s.oneMoment(), func(ctx context.Context, db bun.Tx) error { return f(ctx, trail{db}) })
}

// VerifyAudit recomputes the whole log. See audit.Verify.
func (s *Store) VerifyAudit(ctx context.Context) (out audit.Verified, err error) {
	key, err := s.AuditKey(ctx)
	if err != nil {
		return out, err
	}
	err = s.still(ctx, func(ctx context.Context, src audit.Source) (err error) {
		out, err = audit.Verify(ctx, src, key, s.now())
		return err
	})
	return out, err
}

// AuditEntries implements audit.Source.
func (l trail) AuditEntries(ctx context.Context, from int64, limit int) ([]audit.Entry, error) {
	var rows []auditRow
	err := l.db.NewSelect().Model(&rows).Where("position >= ?", from).OrderExpr("position").Limit(int64(limit)).Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("read audit entries: %w", err)
	}
	return entriesOf(rows), nil
}

// AuditTrims implements audit.Source. Those that are old leave the log like every other entry.
func (l trail) AuditTrims(ctx context.Context) ([]audit.Entry, error) {
	var rows []auditRow
	err := l.db.NewSelect().Model(&rows).Where("action = ? AND position IS NOT NULL", audit.Trimmed).OrderExpr("position").Scan(ctx)
	return entriesOf(rows), wrapped(err, "read what was removed from the log")
}

// AuditCheckpoints implements audit.Source.
func (l trail) AuditCheckpoints(ctx context.Context) ([]audit.Checkpoint, error) {
	var rows []checkpointRow
	if err := l.db.NewSelect().Model(&rows).OrderExpr("size").Scan(ctx); err != nil {
		return nil, fmt.Errorf("read checkpoints: %w", err)
	}
	out := make([]audit.Checkpoint, len(rows))
	for i, r := range rows {
		out[i] = r.checkpoint()
	}
	return out, nil
}

func (r checkpointRow) checkpoint() audit.Checkpoint {
	out := audit.Checkpoint{Size: r.Size, At: r.CreatedAt.UTC(), Signature: r.Signature}
	copy(out.Root[:], r.Root)
	return out
}

// AuditKey is the public key of the log.
func (s *Store) AuditKey(ctx context.Context) (ed25519.PublicKey, error) {
	key, err := s.auditKey(ctx)
	if err != nil {
		return nil, err
	}
	pub, ok := key.Public().(ed25519.PublicKey)
	if !ok {
		return nil, errors.New("the checkpoint key has another type")
	}
	return pub, nil
}

// InspectAudit reads the whole log and tells what is wrong with it. See audit.Inspect.
func (s *Store) InspectAudit(ctx context.Context, kept ...audit.Checkpoint) (out audit.Inspection, err error) {
	key, err := s.AuditKey(ctx)
	if err != nil {
		return out, err
	}
	err = s.still(ctx, func(ctx context.Context, src audit.Source) (err error) {
		out, err = audit.Inspect(ctx, src, key, s.now(), kept...)
		return err
	})
	return out, err
}

// AuditHashes implements audit.Source.
func (l trail) AuditHashes(ctx context.Context, from, to int64) (map[int64]tlog.Hash, error) {
	var rows []hashRow
	if err := l.db.NewSelect().Model(&rows).Where("idx >= ? AND idx < ?", from, to).Scan(ctx); err != nil {
		return nil, fmt.Errorf("read hashes: %w", err)
	}
	out := map[int64]tlog.Hash{}
	for _, r := range rows {
		if len(r.Hash) == tlog.HashSize {
			out[r.Index] = tlog.Hash(r.Hash)
		}
	}
	return out, nil
}

func (s *Store) hashes(ctx context.Context) tlog.HashReader {
	return tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) { return readHashes(ctx, s.read, indexes) })
}

// AuditPage lists entries, newest first. Whatever was committed before has its position.
func (s *Store) AuditPage(ctx context.Context, f audit.Filter) ([]audit.Entry, error) {
	if err := s.Sequence(ctx); err != nil {
		return nil, err
	}
	var rows []auditRow
	q := s.read.NewSelect().Model(&rows).OrderExpr("id DESC").Limit(int64(f.Limit))
	for column, value := range map[string]string{"actor": string(f.Actor), "actor_id": f.ActorID, "action": f.Action} {
		if value != "" {
			q = q.Where("? = ?", bun.Ident(column), value)
		}
	}
	if _, ok := idv.ParseID[idv.SessionID](f.About); ok {
		q = q.Where("session_id = ?", f.About)
	} else if f.About != "" {
		q = q.Where("subject = ?", f.About)
	}
	if !f.From.IsZero() {
		q = q.Where("id >= ?", string(idv.FirstID[idv.AuditID](f.From)))
	}
	if !f.To.IsZero() {
		q = q.Where("id < ?", string(idv.FirstID[idv.AuditID](f.To)))
	}
	if f.After != "" {
		q = q.Where("id < ?", string(f.After))
	}
	if err := q.Scan(ctx); err != nil {
		return nil, fmt.Errorf("list audit entries: %w", err)
	}
	return entriesOf(rows), nil
}

func entriesOf(rows []auditRow) []audit.Entry {
	out := make([]audit.Entry, len(rows))
	for i, r := range rows {
		out[i] = r.entry()
	}
	return out
}

// AuditActions lists every action that the log knows, by name. It jumps from one to the next in the index.
func (s *Store) AuditActions(ctx context.Context) ([]string, error) {
	var out []string
	err := s.read.NewRaw(auditActions).Scan(ctx, &out)
	if err != nil {
		return nil, fmt.Errorf("list actions: %w", err)
	}
	return out, nil
}

const auditActions = `WITH RECURSIVE known (action) AS (
	SELECT MIN(action) FROM audit_entries
	UNION ALL SELECT (SELECT MIN(e.action) FROM audit_entries e WHERE e.action > known.action) FROM known WHERE known.action IS NOT NULL
) SELECT action FROM known WHERE action IS NOT NULL`

// AuditProof proves an entry under the newest checkpoint. Problems: not_found.
func (s *Store) AuditProof(ctx context.Context, id idv.AuditID) (audit.Proof, error) {
	if err := s.Sequence(ctx); err != nil {
		return audit.Proof{}, err
	}
	var row auditRow
	if err := s.read.NewSelect().Model(&row).Where("id = ? AND position IS NOT NULL", string(id)).Scan(ctx); err != nil {
		return audit.Proof{}, missing(err, "read an audit entry")
	}
	p, err := s.prove(ctx, s.read, row.entry())
	if err != nil {
		return audit.Proof{}, err
	}
	return *p, nil
}

// AuditProofs proves every entry of a session under one checkpoint, by position.
func (s *Store) AuditProofs(ctx context.Context, id idv.SessionID) ([]audit.Proof, error) {
	if err := s.Sequence(ctx); err != nil {
		return nil, err
	}
	newest, key, err := s.AuditCheckpoint(ctx)
	if err != nil {
		return nil, err
	}
	var rows []auditRow
	err = s.read.NewSelect().Model(&rows).Where("session_id = ? AND position < ?", string(id), newest.Size).OrderExpr("position").Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("read a session's audit entries: %w", err)
	}
	out := make([]audit.Proof, len(rows))
	for i, row := range rows {
		if out[i], err = audit.Prove(row.entry(), newest, s.hashes(ctx), key); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// AuditCheckpoint is the newest checkpoint, over everything that was committed before, and the key that signed it. Problems:
// not_found while the log is empty.
func (s *Store) AuditCheckpoint(ctx context.Context) (audit.Checkpoint, ed25519.PublicKey, error) {
	if err := s.Sequence(ctx); err != nil {
		return audit.Checkpoint{}, nil, err
	}
	key, err := s.AuditKey(ctx)
	if err != nil {
		return audit.Checkpoint{}, nil, err
	}
	var row checkpointRow
	if err := s.read.NewSelect().Model(&row).OrderExpr("size DESC").Limit(1).Scan(ctx); err != nil {
		return audit.Checkpoint{}, nil, missing(err, "read the newest checkpoint")
	}
	return row.checkpoint(), key, nil
}

// AuditGrowth proves that the log only grew from a checkpoint of that size to the newest. Problems: request.malformed where it
// never signed one of that size.
func (s *Store) AuditGrowth(ctx context.Context, from int64) (audit.Growth, error) {
	newest, key, err := s.AuditCheckpoint(ctx)
	if err != nil {
		return audit.Growth{}, err
	}
	var row checkpointRow
	err = missing(s.read.NewSelect().Model(&row).Where("size = ?", from).Scan(ctx), "read a checkpoint")
	if problem.Has(err, problem.NotFound) {
		return audit.Growth{}, problem.New(problem.RequestMalformed).At("from").Saying("This log never signed a checkpoint of that size.")
	}
	if err != nil {
		return audit.Growth{}, err
	}
	return audit.ProveGrowth(row.checkpoint(), newest, s.hashes(ctx), key)
}
