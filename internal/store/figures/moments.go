package figures

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/insight"
	"github.com/bonafide-id/bonafide/internal/session"
)

// timedEvents are the events that begin and end the stages of a session.
var timedEvents = []string{
	string(session.EventOpened), string(session.EventConsented), string(session.EventChosen), string(session.EventCaptured),
	string(session.EventSubmitted), string(session.EventReferred), string(session.EventApproved), string(session.EventDeclined),
	string(session.EventReopened),
}

// Moments implements insight.Store. Events hold nothing personal and outlive an erasing, so erased sessions are timed, too.
func (s *Statistics) Moments(ctx context.Context, n insight.Narrowed, most int) ([]insight.Moment, error) {
	newest := s.db.Read.NewSelect().TableExpr("sessions AS s").ColumnExpr("s.id").
		Where("s.mode = ? AND s.created_at >= ? AND s.created_at < ? AND s.submitted_at IS NOT NULL", string(n.Mode), n.From, n.To).
		OrderExpr("s.created_at DESC").Limit(int64(most))
	if n.Versions != nil {
		newest = newest.Where("s.workflow_version_id IN (?)", bun.List(n.Versions))
	}
	if n.Countries != nil {
		newest = newest.Where("s.country IN (?)", bun.List(n.Countries))
	}
	var rows []struct {
		Session string         `bun:"session_id"`
		Type    string         `bun:"type"`
		Actor   string         `bun:"actor"`
		Payload map[string]any `bun:"payload,type:json"`
		At      time.Time      `bun:"created_at"`
	}
	err := s.db.Read.NewSelect().TableExpr("events AS e").ColumnExpr("e.session_id, e.type, e.actor, e.payload, e.created_at").
		Where("e.session_id IN (SELECT id FROM (?) AS newest)", newest).Where("e.type IN (?)", bun.List(timedEvents)).
		OrderExpr("e.session_id, e.seq").Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("read how long steps took: %w", err)
	}
	out := make([]insight.Moment, 0, len(rows))
	for _, r := range rows {
		step, _ := r.Payload["step"].(string)
		out = append(out, insight.Moment{
			Session: idv.SessionID(r.Session), Type: r.Type, Step: idv.Step(step), Person: r.Actor == string(audit.User), At: r.At,
		})
	}
	return out, nil
}
