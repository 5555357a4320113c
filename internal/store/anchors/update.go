package anchors

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/store/database"
	"github.com/bonafide-id/bonafide/internal/trust"
	"github.com/bonafide-id/bonafide/internal/trust/register"
)

type updateRow struct {
	bun.BaseModel `bun:"table:trust_updates,alias:u"`
	Seq           int64     `bun:"seq,scanonly"`
	ID            string    `bun:"id"`
	Mode          string    `bun:"mode"`
	Kind          string    `bun:"kind"`
	State         string    `bun:"state"`
	Purpose       string    `bun:"purpose"`
	Scope         string    `bun:"scope"`
	Slot          string    `bun:"slot"`
	Subject       string    `bun:"subject"`
	Source        string    `bun:"source"`
	Digest        string    `bun:"digest"`
	Count         int       `bun:"count"`
	Dated         time.Time `bun:"dated_at,nullzero"`
	Replaces      string    `bun:"replaces"`
	ProposedBy    string    `bun:"proposed_by"`
	ProposedAt    time.Time `bun:"proposed_at"`
	SettledBy     string    `bun:"settled_by"`
	SettledAt     time.Time `bun:"settled_at,nullzero"`
	UndoBy        string    `bun:"undo_by"`
	UndoAt        time.Time `bun:"undo_at,nullzero"`
	UndoneBy      string    `bun:"undone_by"`
	UndoneAt      time.Time `bun:"undone_at,nullzero"`
	Raw           []byte    `bun:"raw"`
}

func rowOf(u register.Update) updateRow {
	return updateRow{
		ID: string(u.ID), Mode: string(u.Mode), Kind: string(u.Kind), State: string(u.State), Purpose: string(u.Purpose), Scope: u.Scope,
		Slot: u.Slot, Subject: u.Subject, Source: u.Source, Digest: string(u.Digest), Count: u.Count, Dated: u.Dated, Replaces: string(u.Replaces),
		ProposedBy: u.ProposedBy, ProposedAt: u.ProposedAt, SettledBy: u.SettledBy, SettledAt: u.SettledAt, UndoBy: u.UndoBy, UndoAt: u.UndoAt,
		UndoneBy: u.UndoneBy, UndoneAt: u.UndoneAt, Raw: u.Raw,
	}
}

func (r updateRow) update() register.Update {
	return register.Update{
		ID: idv.TrustUpdateID(r.ID), Mode: idv.Mode(r.Mode), Kind: register.Kind(r.Kind), State: register.State(r.State),
		Purpose: trust.Purpose(r.Purpose), Scope: r.Scope, Slot: r.Slot, Subject: r.Subject, Source: r.Source, Digest: idv.Digest(r.Digest),
		Count: r.Count, Dated: utc(r.Dated), Replaces: idv.TrustUpdateID(r.Replaces), ProposedBy: r.ProposedBy, ProposedAt: utc(r.ProposedAt),
		SettledBy: r.SettledBy, SettledAt: utc(r.SettledAt), UndoBy: r.UndoBy, UndoAt: utc(r.UndoAt), UndoneBy: r.UndoneBy,
		UndoneAt: utc(r.UndoneAt), Raw: r.Raw,
	}
}

func utc(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.UTC()
}

// TrustUpdates implements register.Reader.
func (r *Reader) TrustUpdates(ctx context.Context, f register.Filter) ([]register.Update, error) {
	q := r.Conn.NewSelect().Model((*updateRow)(nil)).ExcludeColumn("raw").OrderExpr("u.seq DESC")
	if len(f.Modes) > 0 {
		q = q.Where("u.mode IN (?)", bun.List(texts(f.Modes)))
	}
	if f.State != "" {
		q = q.Where("u.state = ?", string(f.State))
	}
	if f.Limit > 0 {
		q = q.Limit(int64(f.Limit))
	}
	return scan(ctx, q)
}

// TrustInForce implements register.Reader.
func (r *Reader) TrustInForce(ctx context.Context, modes []idv.Mode) ([]register.Update, error) {
	return scan(ctx, r.Conn.NewSelect().Model((*updateRow)(nil)).Where("u.mode IN (?)", bun.List(texts(modes))).
		Where("u.state = ?", string(register.InForce)).OrderExpr("u.seq"))
}

func scan(ctx context.Context, q *bun.SelectQuery) ([]register.Update, error) {
	var rows []updateRow
	if err := q.Scan(ctx, &rows); err != nil {
		return nil, fmt.Errorf("list trust updates: %w", err)
	}
	out := make([]register.Update, 0, len(rows))
	for _, row := range rows {
		out = append(out, row.update())
	}
	return out, nil
}

func texts(modes []idv.Mode) []string {
	out := make([]string, len(modes))
	for i, m := range modes {
		out[i] = string(m)
	}
	return out
}

// TrustUpdate implements register.Reader.
func (r *Reader) TrustUpdate(ctx context.Context, id idv.TrustUpdateID) (register.Update, error) {
	return r.one(ctx, r.Conn.NewSelect().Where("u.id = ?", string(id)))
}

// TrustInSlot implements register.Reader.
func (r *Reader) TrustInSlot(ctx context.Context, mode idv.Mode, slot string) (register.Update, error) {
	return r.one(ctx, r.Conn.NewSelect().Where("u.mode = ? AND u.slot = ? AND u.state = ?", string(mode), slot, string(register.InForce)))
}

func (r *Reader) one(ctx context.Context, q *bun.SelectQuery) (register.Update, error) {
	var row updateRow
	if err := q.Model(&row).Scan(ctx); err != nil {
		return register.Update{}, database.Missing(err, "read trust update")
	}
	return row.update(), nil
}

// AddTrustUpdate implements register.Tx.
func (t *Writer) AddTrustUpdate(ctx context.Context, u register.Update) error {
	row := rowOf(u)
	return t.Insert(ctx, &row, "trust update")
}

// SaveTrustUpdate implements register.Tx.
func (t *Writer) SaveTrustUpdate(ctx context.Context, u register.Update) error {
	row := rowOf(u)
	_, err := t.EntryWriter.Conn.NewUpdate().Model(&row).
		Column("state", "settled_by", "settled_at", "undo_by", "undo_at", "undone_by", "undone_at").Where("u.id = ?", row.ID).Exec(ctx)
	if err != nil {
		return fmt.Errorf("save trust update: %w", err)
	}
	return nil
}
