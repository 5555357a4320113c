package sessions

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/database"
)

type relayRow struct {
	bun.BaseModel `bun:"table:chip_relays"`
	Session       string    `bun:"session_id"`
	Relay         string    `bun:"relay"`
	State         string    `bun:"state"`
	File          string    `bun:"file"`
	Read          int       `bun:"bytes_read"`
	Of            int       `bun:"bytes_of"`
	Until         time.Time `bun:"until"`
}

func relayRowOf(r session.RelayRow) *relayRow {
	return &relayRow{Session: string(r.Session), Relay: r.Relay, State: r.State, File: r.File, Read: r.Read, Of: r.Of, Until: r.Until}
}

// OpenRelay implements session.RelayWriter.
func (t *ApplicantWriter) OpenRelay(ctx context.Context, r session.RelayRow) error {
	q := t.Conn.NewInsert().Model(relayRowOf(r)).On("CONFLICT (session_id) DO UPDATE")
	for _, column := range []string{"relay", "state", "file", "bytes_read", "bytes_of", "until"} {
		q = q.Set("? = EXCLUDED.?", bun.Ident(column), bun.Ident(column))
	}
	return t.Put(ctx, q, "a relay")
}

// SaveRelay implements session.RelayWriter.
func (t *ApplicantWriter) SaveRelay(ctx context.Context, r session.RelayRow) error {
	_, err := t.Conn.NewUpdate().Model(relayRowOf(r)).Column("state", "file", "bytes_read", "bytes_of", "until").
		Where("session_id = ? AND relay = ?", string(r.Session), r.Relay).Exec(ctx)
	if err != nil {
		return fmt.Errorf("write how far a relay is: %w", err)
	}
	return nil
}

// CloseRelay implements session.RelayWriter.
func (t *ApplicantWriter) CloseRelay(ctx context.Context, id idv.SessionID, relay string) error {
	_, err := t.Conn.NewDelete().Model((*relayRow)(nil)).Where("session_id = ? AND relay = ?", string(id), relay).Exec(ctx)
	if err != nil {
		return fmt.Errorf("close a relay: %w", err)
	}
	return nil
}

// Relay implements session.ChallengeReader.
func (r *ApplicantReader) Relay(ctx context.Context, id idv.SessionID) (session.RelayRow, error) {
	var row relayRow
	if err := r.Conn.NewSelect().Model(&row).Where("session_id = ?", string(id)).Scan(ctx); err != nil {
		return session.RelayRow{}, database.Missing(err, "read how far a relay is")
	}
	return session.RelayRow{
		Session: idv.SessionID(row.Session), Relay: row.Relay, State: row.State, File: row.File, Read: row.Read, Of: row.Of, Until: row.Until.UTC(),
	}, nil
}
