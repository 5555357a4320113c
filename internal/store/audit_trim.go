package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
)

const (
	// trimEvery is how often entries leave the log at most: each time one says so.
	trimEvery = 24 * time.Hour
	// trimBatch bounds one transaction: on SQLite everybody else who writes waits for it.
	trimBatch = 2000
)

// ofNoHeld selects audit entries e that belong to no session under a legal hold.
const ofNoHeld = "NOT EXISTS (SELECT 1 FROM sessions AS s WHERE s.id = e.session_id AND s.held_at IS NOT NULL)"

// TrimAudit implements session.AuditTrimmer. That entries are removed stands in the log, under a checkpoint, before the first one
// is: a run that ends in between leaves nothing that looks like tampering, and the next one goes on.
func (s *Store) TrimAudit(ctx context.Context, before time.Time) (int, error) {
	said, err := s.sayTrim(ctx, before)
	if err != nil || said == 0 {
		return 0, err
	}
	total := 0
	for {
		n, err := s.trimSome(ctx, said)
		if total += n; err != nil || n < trimBatch {
			return total, err
		}
	}
}

// sayTrim answers the position below which entries are removed, as the log says it; 0 for none.
func (s *Store) sayTrim(ctx context.Context, before time.Time) (int64, error) {
	newest, there, err := s.AuditTrim(ctx)
	if err != nil {
		return 0, err
	}
	said, _ := newest.TrimmedBelow()
	if there && s.now().Sub(newest.At) < trimEvery {
		return said, nil
	}
	witness, err := s.trimWitness(ctx, before)
	if err != nil || witness <= said {
		return said, err
	}
	if err := s.RecordAudit(ctx, audit.Record{Action: audit.Trimmed, Subject: audit.TrimSubject(witness)}); err != nil {
		return 0, err
	}
	return witness, s.Sequence(ctx)
}

// trimWitness finds the last of the entries that begin the log and were all made before a time; 0 where there is nothing before
// it. Ids sort by time.
func (s *Store) trimWitness(ctx context.Context, before time.Time) (int64, error) {
	var younger int64
	err := s.read.NewSelect().Model((*auditRow)(nil)).Column("position").Where("id >= ? AND position IS NOT NULL", string(idv.FirstID[idv.AuditID](before))).
		OrderExpr("position").Limit(1).Scan(ctx, &younger)
	if errors.Is(err, sql.ErrNoRows) { // everything is older: what is written now is not
		err = s.read.NewSelect().Model((*auditRow)(nil)).ColumnExpr("COALESCE(MAX(position) + 1, 0)").Scan(ctx, &younger)
	}
	return max(younger-1, 0), wrapped(err, "look for entries that were kept long enough")
}

// trimSome removes some of the entries below a position, but for those of sessions that are held.
func (s *Store) trimSome(ctx context.Context, below int64) (n int, err error) {
	err = s.inTx(ctx, func(ctx context.Context, btx bun.Tx) error {
		old := btx.NewSelect().TableExpr("audit_entries AS e").ColumnExpr("e.id").Where("e.position < ?", below).Where(ofNoHeld).
			OrderExpr("e.position").Limit(trimBatch)
		res, err := btx.NewDelete().Model((*auditRow)(nil)).Where("id IN (?)", old).Exec(ctx)
		if err != nil {
			return fmt.Errorf("remove entries of the audit log: %w", err)
		}
		gone, err := res.RowsAffected()
		n = int(gone)
		return wrapped(err, "count what was removed")
	})
	return n, err
}

// AuditTrim implements audit.Source.
func (s *Store) AuditTrim(ctx context.Context) (audit.Entry, bool, error) {
	var row auditRow
	err := s.read.NewSelect().Model(&row).Where("action = ? AND position IS NOT NULL", audit.Trimmed).OrderExpr("id DESC").Limit(1).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return audit.Entry{}, false, nil
	}
	return row.entry(), err == nil, wrapped(err, "read what was removed from the log")
}
