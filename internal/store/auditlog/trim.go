package auditlog

import (
	"context"
	"crypto/ed25519"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/store/database"
)

const (
	// trimEvery is how often entries leave the log at most: each time one says so.
	trimEvery = 24 * time.Hour
	// trimBatch bounds one transaction: on SQLite every other writer waits for it.
	trimBatch = 2000
)

// OfNoHeld selects audit entries e that belong to no session under a legal hold.
const OfNoHeld = "NOT EXISTS (SELECT 1 FROM sessions AS s WHERE s.id = e.session_id AND s.held_at IS NOT NULL)"

// TrimAudit implements session.AuditTrimmer. That entries are removed stands in the log, under a checkpoint, before the first one
// is: a run that ends in between leaves nothing that looks like tampering, and the next one goes on.
func (s *Log) TrimAudit(ctx context.Context, before time.Time) (int, error) {
	said, err := s.recordTrim(ctx, before)
	if err != nil || said == 0 {
		return 0, err
	}
	total := 0
	for {
		n, err := s.trimSome(ctx, said, before)
		if total += n; err != nil || n < trimBatch {
			return total, err
		}
	}
}

// recordTrim returns the position below which entries are removed, as the log has it on record; 0 for none.
func (s *Log) recordTrim(ctx context.Context, before time.Time) (said int64, err error) {
	if err := s.Sequence(ctx); err != nil { // so that little is left to do under the lock
		return 0, err
	}
	key, err := s.auditKey(ctx)
	if err != nil {
		return 0, err
	}
	err = s.db.RunInTx(ctx, func(ctx context.Context, btx bun.Tx) error {
		if err := lockAudit(ctx, btx); err != nil {
			return err
		}
		said, err = s.recordTrimIn(ctx, btx, before, key)
		return err
	})
	return said, err
}

// recordTrimIn is recordTrim under the lock, so that only one of several nodes records it.
func (s *Log) recordTrimIn(ctx context.Context, btx bun.Tx, before time.Time, key ed25519.PrivateKey) (int64, error) {
	all, err := Trail{btx}.AuditTrims(ctx)
	if err != nil {
		return 0, err
	}
	newest, said, there := audit.TrimmedBy(all, s.db.Now())
	if there && s.db.Now().Sub(newest.At) < trimEvery {
		return said, nil
	}
	witness, err := TrimWitness(ctx, btx, before)
	if err != nil || witness <= said {
		return said, err
	}
	if err := s.AuditIn(ctx, btx, audit.Record{Action: audit.Trimmed, Subject: audit.TrimSubject(witness)}); err != nil {
		return 0, err
	}
	for n := sequenceBatch; n == sequenceBatch; {
		if n, err = s.sequenceIn(ctx, btx, key); err != nil {
			return 0, err
		}
	}
	return witness, nil
}

// TrimWitness finds the last of the entries that begin the log and were all made before a time; 0 where there is nothing before
// it. Ids sort by time.
func TrimWitness(ctx context.Context, db bun.IDB, before time.Time) (int64, error) {
	var younger int64
	err := db.NewSelect().Model((*AuditRow)(nil)).Column("position").Where("id >= ? AND position IS NOT NULL", string(idv.FirstID[idv.AuditID](before))).
		OrderExpr("position").Limit(1).Scan(ctx, &younger)
	if errors.Is(err, sql.ErrNoRows) { // everything is older: what is written now is not
		err = db.NewSelect().Model((*AuditRow)(nil)).ColumnExpr("COALESCE(MAX(position) + 1, 0)").Scan(ctx, &younger)
	}
	return max(younger-1, 0), database.Wrapped(err, "look for entries that were kept long enough")
}

// trimSome removes some of the entries below a position that were made before a time, but for those of sessions that are held.
// The log may say more than is to go now: since it did, the setting can have been lengthened.
func (s *Log) trimSome(ctx context.Context, below int64, before time.Time) (n int, err error) {
	err = s.db.RunInTx(ctx, func(ctx context.Context, btx bun.Tx) error {
		old := btx.NewSelect().TableExpr("audit_entries AS e").ColumnExpr("e.id").
			Where("e.position < ? AND e.id < ?", below, string(idv.FirstID[idv.AuditID](before))).Where(OfNoHeld).
			OrderExpr("e.position").Limit(trimBatch)
		res, err := btx.NewDelete().Model((*AuditRow)(nil)).Where("id IN (?)", old).Exec(ctx)
		if err != nil {
			return fmt.Errorf("remove entries of the audit log: %w", err)
		}
		gone, err := res.RowsAffected()
		n = int(gone)
		return database.Wrapped(err, "count what was removed")
	})
	return n, err
}
