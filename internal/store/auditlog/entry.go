package auditlog

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/store/database"
	"github.com/bonafide-id/bonafide/internal/vault"
)

// AuditRow is an entry of the audit log; Position is nil until the sequencer gave it one.
type AuditRow struct {
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

// Entry returns the row as an entry of the log; its Position is -1 until it has one.
func (r AuditRow) Entry() audit.Entry {
	e := audit.Entry{
		Position: -1, ID: idv.AuditID(r.ID), At: r.CreatedAt.UTC(), Actor: audit.ActorKind(r.Actor), ActorID: r.ActorID,
		Address: r.Address, Action: r.Action, Session: idv.SessionID(r.Session), Subject: r.Subject, Before: r.Before, After: r.After,
	}
	if r.Position != nil {
		e.Position = *r.Position
	}
	return e
}

// EntryWriter writes entries in a transaction.
type EntryWriter struct{ *database.Tx }

// Audit implements audit.Recorder.
func (t *EntryWriter) Audit(ctx context.Context, rec audit.Record) error {
	id, err := idv.NewID[idv.AuditID](t.DB.Now(), t.DB.Random)
	if err != nil {
		return err
	}
	actor := audit.ActorFrom(ctx)
	row := AuditRow{
		ID: string(id), CreatedAt: t.DB.Now(), Actor: string(actor.Kind), ActorID: actor.ID, Address: audit.ShortenAddress(actor.Address),
		Action: rec.Action, Session: string(rec.Session), Subject: rec.Subject,
	}
	if row.Before, err = t.keyedDigest(ctx, rec.Session, rec.Before); err != nil {
		return err
	}
	if row.After, err = t.keyedDigest(ctx, rec.Session, rec.After); err != nil {
		return err
	}
	return t.Insert(ctx, &row, "audit entry")
}

// RecordAudit writes an entry on its own, for what happens outside of sessions.
func (s *Log) RecordAudit(ctx context.Context, rec audit.Record) error {
	return s.db.RunInTx(ctx, func(ctx context.Context, btx bun.Tx) error { return s.AuditIn(ctx, btx, rec) })
}

// AuditIn writes entries in a transaction that is under way.
func (s *Log) AuditIn(ctx context.Context, btx bun.Tx, recs ...audit.Record) error {
	t := EntryWriter{s.db.In(btx)}
	for _, rec := range recs {
		if err := t.Audit(ctx, rec); err != nil {
			return err
		}
	}
	return nil
}

// keyedDigest digests a value under the session's key, so that it means nothing once that key is destroyed.
func (t *EntryWriter) keyedDigest(ctx context.Context, id idv.SessionID, v any) (string, error) {
	if v == nil || id == "" {
		return "", nil
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return "", fmt.Errorf("encode audit value: %w", err)
	}
	k, err := t.Keyset(ctx, id, vault.Facts)
	if problem.Has(err, problem.SessionErased) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return k.Digest("audit", raw)
}
