package auditlog

import (
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/uptrace/bun"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/store/database"
)

// sequenceBatch bounds one transaction of the sequencer: on SQLite every other writer waits for it.
const sequenceBatch = 64

type checkpointRow struct {
	bun.BaseModel `bun:"table:audit_checkpoints"`
	Size          int64     `bun:"size"`
	Root          []byte    `bun:"root"`
	Signature     []byte    `bun:"signature"`
	CreatedAt     time.Time `bun:"created_at"`
}

type hashRow struct {
	bun.BaseModel `bun:"table:audit_hashes"`
	Index         int64  `bun:"idx"`
	Hash          []byte `bun:"hash"`
}

// Sequence gives every new audit entry its position in the log and signs a checkpoint. One at a time does it,
// whatever the number of nodes.
func (s *Log) Sequence(ctx context.Context) error {
	for {
		n, err := s.sequenceSome(ctx)
		if err != nil {
			return fmt.Errorf("sequence the audit log: %w", err)
		}
		if n < sequenceBatch {
			return nil
		}
	}
}

func (s *Log) sequenceSome(ctx context.Context) (n int, err error) {
	key, err := s.auditKey(ctx)
	if err != nil {
		return 0, err
	}
	waiting, err := s.waitingEntries(ctx)
	if err != nil || waiting == 0 {
		return 0, err
	}
	err = s.db.RunInTx(ctx, func(ctx context.Context, btx bun.Tx) error {
		if err := lockAudit(ctx, btx); err != nil {
			return err
		}
		n, err = s.sequenceIn(ctx, btx, key)
		return err
	})
	return n, err
}

// lockAudit makes every other writer of the log wait until the transaction ends.
func lockAudit(ctx context.Context, btx bun.Tx) error {
	_, err := btx.ExecContext(ctx, "UPDATE locks SET taken = taken + 1 WHERE name = 'audit'")
	return database.Wrapped(err, "lock")
}

// sequenceIn gives positions under the lock, to sequenceBatch entries at most.
func (s *Log) sequenceIn(ctx context.Context, btx bun.Tx, key ed25519.PrivateKey) (int, error) {
	var rows []AuditRow
	q := btx.NewSelect().Model(&rows).Where("position IS NULL").Where(notAhead, s.notAhead()...)
	if err := q.OrderExpr("id").Limit(sequenceBatch).Scan(ctx); err != nil {
		return 0, fmt.Errorf("read new entries: %w", err)
	}
	if len(rows) == 0 {
		return 0, nil
	}
	return len(rows), s.appendEntries(ctx, btx, rows, key)
}

// notAhead selects entries that are not dated ahead of this machine's clock: others wait for their position until their time
// comes. Once such an entry stood in the log, nothing after it could be told to be old.
const notAhead = "id < ? AND created_at <= ?"

func (s *Log) notAhead() []any {
	limit := s.db.Now().Add(audit.MaxClockSkew)
	return []any{string(idv.FirstID[idv.AuditID](limit)), limit}
}

// waitingEntries counts those that can have their position now.
func (s *Log) waitingEntries(ctx context.Context) (int, error) {
	var all, now int
	err := s.db.Read.NewSelect().Model((*AuditRow)(nil)).ColumnExpr("COUNT(*)").ColumnExpr("COUNT(*) FILTER (WHERE "+notAhead+")", s.notAhead()...).
		Where("position IS NULL").Scan(ctx, &all, &now)
	if all > now {
		s.warnAhead(ctx, all-now)
	}
	return now, database.Wrapped(err, "count new entries")
}

// aheadEvery is how often a log with entries that are dated ahead is complained of.
const aheadEvery = time.Hour

func (s *Log) warnAhead(ctx context.Context, n int) {
	now, last := s.db.Now().UnixNano(), s.aheadWarned.Load()
	if now-last >= int64(aheadEvery) && s.aheadWarned.CompareAndSwap(last, now) {
		s.db.Logger.WarnContext(ctx, "entries of the audit log are dated later than now: a clock is wrong, or they were made up", "count", n)
	}
}

func (s *Log) appendEntries(ctx context.Context, btx bun.Tx, rows []AuditRow, key ed25519.PrivateKey) error {
	var size int64
	if err := btx.NewSelect().Model((*checkpointRow)(nil)).ColumnExpr("COALESCE(MAX(size), 0)").Scan(ctx, &size); err != nil {
		return fmt.Errorf("read the log's size: %w", err)
	}
	entries := make([]audit.Entry, len(rows))
	places := make([]string, len(rows))
	args := make([]any, 0, 2*len(rows))
	for i, row := range rows {
		entries[i] = row.Entry()
		places[i] = "(?, ?)"
		args = append(args, row.ID, size+int64(i))
	}
	// One statement for all: while the sequencer holds SQLite's one writer, nobody else writes.
	if _, err := btx.ExecContext(ctx, "UPDATE audit_entries SET position = v.column2 FROM (VALUES "+strings.Join(places, ", ")+
		") AS v WHERE audit_entries.id = v.column1", args...); err != nil {
		return fmt.Errorf("give positions: %w", err)
	}
	stored := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) { return readHashes(ctx, btx, indexes) })
	hashes, root, err := audit.Append(size, entries, stored)
	if err != nil {
		return err
	}
	base := tlog.StoredHashCount(size)
	fresh := make([]hashRow, len(hashes))
	for i, h := range hashes {
		fresh[i] = hashRow{Index: base + int64(i), Hash: h[:]}
	}
	if _, err := btx.NewInsert().Model(&fresh).Exec(ctx); err != nil {
		return fmt.Errorf("keep hashes: %w", err)
	}
	c := audit.Sign(size+int64(len(entries)), root, s.db.Now(), key)
	row := checkpointRow{Size: c.Size, Root: c.Root[:], Signature: c.Signature, CreatedAt: c.At}
	if _, err := btx.NewInsert().Model(&row).Exec(ctx); err != nil {
		return fmt.Errorf("keep checkpoint: %w", err)
	}
	return nil
}

func readHashes(ctx context.Context, db bun.IDB, indexes []int64) ([]tlog.Hash, error) {
	var rows []hashRow
	if err := db.NewSelect().Model(&rows).Where("idx IN (?)", bun.List(indexes)).Scan(ctx); err != nil {
		return nil, fmt.Errorf("read hashes: %w", err)
	}
	at := map[int64][]byte{}
	for _, r := range rows {
		at[r.Index] = r.Hash
	}
	out := make([]tlog.Hash, len(indexes))
	for i, x := range indexes {
		if copy(out[i][:], at[x]) != tlog.HashSize {
			return nil, fmt.Errorf("hash %d of the log is missing", x)
		}
	}
	return out, nil
}

// auditKey signs checkpoints. It follows from the deployment's keyset, so that who can write the database but
// lacks the master key cannot forge one.
func (s *Log) auditKey(ctx context.Context) (ed25519.PrivateKey, error) {
	k, err := s.db.Deployment(ctx)
	if err != nil {
		return nil, err
	}
	text, err := k.Digest("audit.checkpoint", nil)
	if err != nil {
		return nil, err
	}
	seed, err := hex.DecodeString(text)
	if err != nil || len(seed) != ed25519.SeedSize {
		return nil, errors.New("the checkpoint key has another size")
	}
	return ed25519.NewKeyFromSeed(seed), nil
}

func (r checkpointRow) checkpoint() audit.Checkpoint {
	out := audit.Checkpoint{Size: r.Size, At: r.CreatedAt.UTC(), Signature: r.Signature}
	copy(out.Root[:], r.Root)
	return out
}
