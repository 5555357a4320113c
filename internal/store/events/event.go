package events

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/database"
	"github.com/bonafide-id/bonafide/internal/webhook"
)

// EventRow is an event of a session, or of a mode where Session is empty.
type EventRow struct {
	bun.BaseModel `bun:"table:events,alias:e"`
	ID            string         `bun:"id"`
	Session       string         `bun:"session_id"`
	Type          string         `bun:"type"`
	Actor         string         `bun:"actor"`
	Payload       map[string]any `bun:"payload,type:json"`
	CreatedAt     time.Time      `bun:"created_at"`
	Mode          string         `bun:"mode"`     // of its session, once it has a position
	Position      *int64         `bun:"position"` // in the feed, given after the commit
}

// EventReader reads the events of sessions.
type EventReader struct{ *database.Reader }

// Events implements session.RecordReader.
func (r *EventReader) Events(ctx context.Context, id idv.SessionID, after idv.EventID) ([]session.Event, error) {
	var rows []EventRow
	q := r.Conn.NewSelect().Model(&rows).Where("e.session_id = ?", string(id)).OrderExpr("e.seq")
	if after != "" {
		q = q.Where("e.seq > (SELECT seq FROM events WHERE id = ? AND session_id = ?)", string(after), string(id))
	}
	if err := q.Scan(ctx); err != nil {
		return nil, fmt.Errorf("read events: %w", err)
	}
	out := make([]session.Event, 0, len(rows))
	for _, row := range rows {
		out = append(out, session.Event{
			ID: idv.EventID(row.ID), Session: id, Type: session.EventType(row.Type), At: row.CreatedAt.UTC(),
			Actor: row.Actor, Payload: row.Payload,
		})
	}
	return out, nil
}

// Public returns the event as integrators get it.
func (r EventRow) Public() webhook.Event {
	return webhook.Event{
		ID: idv.EventID(r.ID), Session: idv.SessionID(r.Session), Mode: idv.Mode(r.Mode), Type: r.Type, At: r.CreatedAt.UTC(), Payload: r.Payload,
	}
}
