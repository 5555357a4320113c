package webhooks

import (
	"context"
	"fmt"
	"strings"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/events"
	"github.com/bonafide-id/bonafide/internal/trace"
	"github.com/bonafide-id/bonafide/internal/webhook"
)

// AddEvent implements session.Writer. Events of one session are written under its lock, so that their order
// is the order in which they commit, and a cursor misses none. What webhooks are told becomes deliveries here.
func (t *EventWriter) AddEvent(ctx context.Context, e session.Event) error {
	if e.Payload == nil {
		e.Payload = map[string]any{}
	}
	t.News = append(t.News, e.Session)
	if strings.HasPrefix(string(e.Type), "case.") {
		t.News = append(t.News, session.QueueTopic)
	}
	row := events.EventRow{ID: string(e.ID), Session: string(e.Session), Type: string(e.Type), Actor: e.Actor, Payload: e.Payload, CreatedAt: e.At}
	if err := t.Insert(ctx, &row, "event"); err != nil {
		return err
	}
	return t.FanOut(ctx, row)
}

// FanOut writes a delivery and a job for every endpoint that wants an event, in the event's own transaction.
func (t *EventWriter) FanOut(ctx context.Context, event events.EventRow) error {
	if !webhook.Published(event.Type) {
		return nil
	}
	var rows []EndpointRow
	q := t.Conn.NewSelect().Model(&rows).OrderExpr("w.id")
	if mode, known := t.Mode(idv.SessionID(event.Session)); known {
		q = q.Where("w.mode = ?", string(mode))
	} else {
		q = q.Where("w.mode = COALESCE((SELECT s.mode FROM sessions s WHERE s.id = ?), ?)", event.Session, event.Mode)
	}
	if t.DB.Engine() == "postgres" {
		q = q.For("KEY SHARE") // an endpoint that is removed at the same time goes afterwards, and its deliveries with it
	}
	if err := q.Scan(ctx); err != nil {
		return fmt.Errorf("find endpoints: %w", err)
	}
	for _, row := range rows {
		if !(webhook.Endpoint{Events: row.Events}).Wants(event.Type) {
			continue
		}
		e, err := endpointOf(ctx, t.DB, row)
		if err != nil { // no reason to fail what happened: the job that delivers says so again, and looks at the stop itself
			t.DB.Logger.ErrorContext(ctx, "a webhook endpoint cannot be unsealed", "endpoint", row.ID, "error", err)
		}
		if !e.StoppedAt.IsZero() {
			continue // it said that it is gone: the feed has what it misses
		}
		if _, err := t.addDelivery(ctx, row, event); err != nil {
			return err
		}
	}
	return nil
}

func (t *EventWriter) addDelivery(ctx context.Context, to EndpointRow, event events.EventRow) (DeliveryRow, error) {
	id, err := idv.NewID[idv.DeliveryID](t.DB.Now(), t.DB.Random)
	if err != nil {
		return DeliveryRow{}, err
	}
	row := DeliveryRow{
		ID: string(id), Endpoint: to.ID, Event: event.ID, Type: event.Type, Session: event.Session,
		State: string(webhook.Pending), NextAt: t.DB.Now(), CreatedAt: t.DB.Now(), Parent: trace.Parent(ctx),
	}
	if err := t.Insert(ctx, &row, "delivery"); err != nil {
		return row, err
	}
	return row, t.Enqueue(ctx, job.Deliver{Endpoint: idv.EndpointID(to.ID), Failing: !to.FailingSince.IsZero()})
}
