package store

import (
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/uptrace/bun"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/vault"
)

type auditRow struct {
	bun.BaseModel `bun:"table:audit_entries"`
	ID            string    `bun:"id"`
	Position      *int64    `bun:"position"`
	CreatedAt     time.Time `bun:"created_at"`
	Actor         string    `bun:"actor"`
	ActorID       string    `bun:"actor_id"`
	Address       string    `bun:"address"`
	Action        string    `bun:"action"`
	Session       string    `bun:"session_id"`
	Subject       string    `bun:"subject"`
	Before        string    `bun:"before_digest"`
	After         string    `bun:"after_digest"`
}

func (r auditRow) entry() audit.Entry {
	e := audit.Entry{
		Position: -1, ID: idv.AuditID(r.ID), At: r.CreatedAt.UTC(), Actor: audit.ActorKind(r.Actor), ActorID: r.ActorID,
		Address: r.Address, Action: r.Action, Session: idv.SessionID(r.Session), Subject: r.Subject, Before: r.Before, After: r.After,
	}
	if r.Position != nil {
		e.Position = *r.Position
	}
	return e
}

// Audit implements audit.Recorder.
func (t *tx) Audit(ctx context.Context, rec audit.Record) error {
	id, err := idv.NewID[idv.AuditID](t.s.now(), t.s.random)
	if err != nil {
		return err
	}
	actor := audit.ActorFrom(ctx)
	row := auditRow{
		ID: string(id), CreatedAt: t.s.now(), Actor: string(actor.Kind), ActorID: actor.ID, Address: audit.ShortenAddress(actor.Address),
		Action: rec.Action, Session: string(rec.Session), Subject: rec.Subject,
	}
	if row.Before, err = t.keyedDigest(ctx, rec.Session, rec.Before); err != nil {
		return err
	}
	if row.After, err = t.keyedDigest(ctx, rec.Session, rec.After); err != nil {
		return err
	}
	return t.insert(ctx, &row, "audit entry")
}

// RecordAudit writes an entry on its own, for what happens outside of sessions.
func (s *Store) RecordAudit(ctx context.Context, rec audit.Record) error {
	return s.inTx(ctx, func(ctx context.Context, btx bun.Tx) error { return s.auditIn(ctx, btx, rec) })
}

// auditIn writes entries in a transaction that is under way.
func (s *Store) auditIn(ctx context.Context, btx bun.Tx, recs ...audit.Record) error {
	t := &tx{reader: reader{s: s, db: btx, cache: map[string]*vault.Keyset{}}, sql: btx.Tx}
	for _, rec := range recs {
		if err := t.Audit(ctx, rec); err != nil {
			return err
		}
	}
	return nil
}

// keyedDigest digests a value under the session's key, so that it means nothing once that key is destroyed.
func (t *tx) keyedDigest(ctx context.Context, id idv.SessionID, v any) (string, error) {
	if v == nil || id == "" {
		return "", nil
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return "", fmt.Errorf("encode audit value: %w", err)
	}
	k, err := t.keyset(ctx, id, vault.Facts)
	if problem.Has(err, problem.SessionErased) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return k.Digest("audit", raw)
}

// sequenceBatch bounds one transaction of the sequencer: on SQLite everybody else who writes waits for it.
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
func (s *Store) Sequence(ctx context.Context) error {
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

func (s *Store) sequenceSome(ctx context.Context) (n int, err error) {
	key, err := s.auditKey(ctx)
	if err != nil {
		return 0, err
	}
	waiting, err := s.waitingEntries(ctx)
	if err != nil || waiting == 0 {
		return 0, err
	}
	err = s.inTx(ctx, func(ctx context.Context, btx bun.Tx) error {
		if err := lockAudit(ctx, btx); err != nil {
			return err
		}
		n, err = s.sequenceIn(ctx, btx, key)
		return err
	})
	return n, err
}

// lockAudit makes everybody else who adds to the log wait until the transaction ends.
func lockAudit(ctx context.Context, btx bun.Tx) error {
	_, err := btx.ExecContext(ctx, "UPDATE locks SET taken = taken + 1 WHERE name = 'audit'")
	return wrapped(err, "lock")
}

// sequenceIn gives positions under the lock, to sequenceBatch entries at most.
func (s *Store) sequenceIn(ctx context.Context, btx bun.Tx, key ed25519.PrivateKey) (int, error) {
	var rows []auditRow
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

func (s *Store) notAhead() []any {
	limit := s.now().Add(audit.MaxClockSkew)
	return []any{string(idv.FirstID[idv.AuditID](limit)), limit}
}

// waitingEntries counts those that can have their position now.
func (s *Store) waitingEntries(ctx context.Context) (int, error) {
	var all, now int
	err := s.read.NewSelect().Model((*auditRow)(nil)).ColumnExpr("COUNT(*)").ColumnExpr("COUNT(*) FILTER (WHERE "+notAhead+")", s.notAhead()...).
		Where("position IS NULL").Scan(ctx, &all, &now)
	if all > now {
		s.sayAhead(ctx, all-now)
	}
	return now, wrapped(err, "count new entries")
}

// aheadEvery is how often a log with entries that are dated ahead is complained of.
const aheadEvery = time.Hour

func (s *Store) sayAhead(ctx context.Context, n int) {
	now, last := s.now().UnixNano(), s.aheadSaid.Load()
	if now-last >= int64(aheadEvery) && s.aheadSaid.CompareAndSwap(last, now) {
		s.log.WarnContext(ctx, "entries of the audit log are dated later than now: a clock is wrong, or they were made up", "count", n)
	}
}

func (s *Store) appendEntries(ctx context.Context, btx bun.Tx, rows []auditRow, key ed25519.PrivateKey) error {
	var size int64
	if err := btx.NewSelect().Model((*checkpointRow)(nil)).ColumnExpr("COALESCE(MAX(size), 0)").Scan(ctx, &size); err != nil {
		return fmt.Errorf("read the log's size: %w", err)
	}
	entries := make([]audit.Entry, len(rows))
	places := make([]string, len(rows))
	args := make([]any, 0, 2*len(rows))
	for i, row := range rows {
		entries[i] = row.entry()
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
	c := audit.Sign(size+int64(len(entries)), root, s.now(), key)
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
func (s *Store) auditKey(ctx context.Context) (ed25519.PrivateKey, error) {
	k, err := s.deployment(ctx)
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
