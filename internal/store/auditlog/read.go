package auditlog

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
	"github.com/bonafide-id/bonafide/internal/store/database"
)

// Trail is the log as a connection sees it. It implements audit.Source.
type Trail struct{ db bun.IDB }

// NewTrail returns the log as db sees it.
func NewTrail(db bun.IDB) Trail { return Trail{db} }

// Still answers with the log at one moment: while it is read, entries come to it and old ones leave it.
func (s *Log) Still(ctx context.Context, f func(context.Context, audit.Source) error) error {
	return s.db.Read.RunInTx(ctx, s.db.SnapshotOptions(), func(ctx context.Context, db bun.Tx) error { return f(ctx, Trail{db}) })
}

// VerifyAudit recomputes the whole log. See audit.Verify.
func (s *Log) VerifyAudit(ctx context.Context) (out audit.Verified, err error) {
	key, err := s.AuditKey(ctx)
	if err != nil {
		return out, err
	}
	err = s.Still(ctx, func(ctx context.Context, src audit.Source) (err error) {
		out, err = audit.Verify(ctx, src, key, s.db.Now())
		return err
	})
	return out, err
}

// AuditEntries implements audit.Source.
func (l Trail) AuditEntries(ctx context.Context, from int64, limit int) ([]audit.Entry, error) {
	var rows []AuditRow
	err := l.db.NewSelect().Model(&rows).Where("position >= ?", from).OrderExpr("position").Limit(int64(limit)).Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("read audit entries: %w", err)
	}
	return entriesOf(rows), nil
}

// AuditTrims implements audit.Source. Those that are old leave the log like every other entry.
func (l Trail) AuditTrims(ctx context.Context) ([]audit.Entry, error) {
	var rows []AuditRow
	err := l.db.NewSelect().Model(&rows).Where("action = ? AND position IS NOT NULL", audit.Trimmed).OrderExpr("position").Scan(ctx)
	return entriesOf(rows), database.Wrapped(err, "read what was removed from the log")
}

// AuditCheckpoints implements audit.Source.
func (l Trail) AuditCheckpoints(ctx context.Context) ([]audit.Checkpoint, error) {
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

// AuditKey is the public key of the log.
func (s *Log) AuditKey(ctx context.Context) (ed25519.PublicKey, error) {
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
func (s *Log) InspectAudit(ctx context.Context, kept ...audit.Checkpoint) (out audit.Inspection, err error) {
	key, err := s.AuditKey(ctx)
	if err != nil {
		return out, err
	}
	err = s.Still(ctx, func(ctx context.Context, src audit.Source) (err error) {
		out, err = audit.Inspect(ctx, src, key, s.db.Now(), kept...)
		return err
	})
	return out, err
}

// AuditHashes implements audit.Source.
func (l Trail) AuditHashes(ctx context.Context, from, to int64) (map[int64]tlog.Hash, error) {
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

func (s *Log) hashes(ctx context.Context) tlog.HashReader {
	return tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) { return readHashes(ctx, s.db.Read, indexes) })
}

// AuditPage lists entries, newest first. Whatever was committed before has its position.
func (s *Log) AuditPage(ctx context.Context, f audit.Filter) ([]audit.Entry, error) {
	if err := s.Sequence(ctx); err != nil {
		return nil, err
	}
	var rows []AuditRow
	q := s.db.Read.NewSelect().Model(&rows).OrderExpr("id DESC").Limit(int64(f.Limit))
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

func entriesOf(rows []AuditRow) []audit.Entry {
	out := make([]audit.Entry, len(rows))
	for i, r := range rows {
		out[i] = r.Entry()
	}
	return out
}

// AuditActions lists every action that the log knows, by name. It jumps from one to the next in the index.
func (s *Log) AuditActions(ctx context.Context) ([]string, error) {
	var out []string
	err := s.db.Read.NewRaw(auditActions).Scan(ctx, &out)
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
func (s *Log) AuditProof(ctx context.Context, id idv.AuditID) (audit.Proof, error) {
	if err := s.Sequence(ctx); err != nil {
		return audit.Proof{}, err
	}
	var row AuditRow
	if err := s.db.Read.NewSelect().Model(&row).Where("id = ? AND position IS NOT NULL", string(id)).Scan(ctx); err != nil {
		return audit.Proof{}, database.Missing(err, "read an audit entry")
	}
	p, err := s.Prove(ctx, s.db.Read, row.Entry())
	if err != nil {
		return audit.Proof{}, err
	}
	return *p, nil
}

// AuditProofs proves every entry of a session under one checkpoint, by position.
func (s *Log) AuditProofs(ctx context.Context, id idv.SessionID) ([]audit.Proof, error) {
	if err := s.Sequence(ctx); err != nil {
		return nil, err
	}
	newest, key, err := s.AuditCheckpoint(ctx)
	if err != nil {
		return nil, err
	}
	var rows []AuditRow
	err = s.db.Read.NewSelect().Model(&rows).Where("session_id = ? AND position < ?", string(id), newest.Size).OrderExpr("position").Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("read a session's audit entries: %w", err)
	}
	out := make([]audit.Proof, len(rows))
	for i, row := range rows {
		if out[i], err = audit.Prove(row.Entry(), newest, s.hashes(ctx), key); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// AuditCheckpoint is the newest checkpoint, over everything that was committed before, and the key that signed it. Problems:
// not_found while the log is empty.
func (s *Log) AuditCheckpoint(ctx context.Context) (audit.Checkpoint, ed25519.PublicKey, error) {
	if err := s.Sequence(ctx); err != nil {
		return audit.Checkpoint{}, nil, err
	}
	key, err := s.AuditKey(ctx)
	if err != nil {
		return audit.Checkpoint{}, nil, err
	}
	var row checkpointRow
	if err := s.db.Read.NewSelect().Model(&row).OrderExpr("size DESC").Limit(1).Scan(ctx); err != nil {
		return audit.Checkpoint{}, nil, database.Missing(err, "read the newest checkpoint")
	}
	return row.checkpoint(), key, nil
}

// AuditGrowth proves that the log only grew from a checkpoint of that size to the newest. Problems: request.malformed where it
// never signed one of that size.
func (s *Log) AuditGrowth(ctx context.Context, from int64) (audit.Growth, error) {
	newest, key, err := s.AuditCheckpoint(ctx)
	if err != nil {
		return audit.Growth{}, err
	}
	var row checkpointRow
	err = database.Missing(s.db.Read.NewSelect().Model(&row).Where("size = ?", from).Scan(ctx), "read a checkpoint")
	if problem.Has(err, problem.NotFound) {
		return audit.Growth{}, problem.New(problem.RequestMalformed).At("from").Saying("This log never signed a checkpoint of that size.")
	}
	if err != nil {
		return audit.Growth{}, err
	}
	return audit.ProveGrowth(row.checkpoint(), newest, s.hashes(ctx), key)
}

// Prove makes the proof of a sequenced entry under the newest checkpoint.
func (s *Log) Prove(ctx context.Context, db bun.IDB, e audit.Entry) (*audit.Proof, error) {
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
