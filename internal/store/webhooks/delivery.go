package webhooks

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/store/database"
	"github.com/bonafide-id/bonafide/internal/store/events"
	"github.com/bonafide-id/bonafide/internal/trace"
	"github.com/bonafide-id/bonafide/internal/webhook"
)

// DeliveryRow is an event that is sent to an endpoint.
type DeliveryRow struct {
	bun.BaseModel `bun:"table:webhook_deliveries,alias:d"`
	ID            string    `bun:"id"`
	Endpoint      string    `bun:"endpoint_id"`
	Event         string    `bun:"event_id"`
	Type          string    `bun:"event_type"`
	Session       string    `bun:"session_id"`
	State         string    `bun:"state"`
	Attempt       int       `bun:"attempt"`
	NextAt        time.Time `bun:"next_at,nullzero"`
	CreatedAt     time.Time `bun:"created_at"`
	EndedAt       time.Time `bun:"ended_at,nullzero"`
	Parent        string    `bun:"trace_parent,nullzero"` // of what caused it, where that was traced, until it has ended
}

func (r DeliveryRow) delivery() webhook.Delivery {
	return webhook.Delivery{
		ID: idv.DeliveryID(r.ID), Endpoint: idv.EndpointID(r.Endpoint), Event: idv.EventID(r.Event), Type: r.Type,
		Session: idv.SessionID(r.Session), State: webhook.State(r.State), AttemptCount: r.Attempt, NextAt: database.UTC(r.NextAt),
		CreatedAt: r.CreatedAt.UTC(), EndedAt: database.UTC(r.EndedAt),
	}
}

type tryRow struct {
	bun.BaseModel `bun:"table:webhook_tries"`
	Seq           int64     `bun:"seq,autoincrement,nullzero"`
	Delivery      string    `bun:"delivery_id"`
	At            time.Time `bun:"tried_at"`
	Status        int       `bun:"status"`
	Took          int64     `bun:"took_ns"`
	Fault         string    `bun:"fault"`
	Excerpt       []byte    `bun:"excerpt"`
}

const excerptColumn = "webhook_tries.excerpt"

// Deliveries implements webhook.Store. The newest come first.
func (s *Outbox) Deliveries(ctx context.Context, f webhook.DeliveryFilter) ([]webhook.Delivery, error) {
	var rows []DeliveryRow
	q := s.db.Read.NewSelect().Model(&rows).Where("d.endpoint_id = ?", string(f.Endpoint)).OrderExpr("d.id DESC").Limit(int64(f.Limit))
	if f.State != "" {
		q = q.Where("d.state = ?", string(f.State))
	}
	if f.After != "" {
		q = q.Where("d.id < ?", string(f.After))
	}
	if err := q.Scan(ctx); err != nil {
		return nil, fmt.Errorf("list deliveries: %w", err)
	}
	out := make([]webhook.Delivery, len(rows))
	for i, row := range rows {
		out[i] = row.delivery()
	}
	return out, s.loadTries(ctx, out)
}

// loadTries adds their newest tries to deliveries.
func (s *Outbox) loadTries(ctx context.Context, to []webhook.Delivery) error {
	if len(to) == 0 {
		return nil
	}
	k, err := s.db.Deployment(ctx)
	if err != nil {
		return err
	}
	ids := make([]string, len(to))
	for i, d := range to {
		ids[i] = string(d.ID)
	}
	var rows []tryRow
	err = s.db.Read.NewSelect().Model(&rows).Where("delivery_id IN (?)", bun.List(ids)).OrderExpr("seq").Scan(ctx)
	if err != nil {
		return fmt.Errorf("read tries: %w", err)
	}
	for _, row := range rows {
		text, err := k.Unseal(database.Place(excerptColumn, row.Delivery), row.Excerpt)
		if err != nil {
			return err
		}
		d := &to[slices.Index(ids, row.Delivery)]
		d.Attempts = append(d.Attempts, webhook.Attempt{
			At: row.At.UTC(), Status: row.Status, Took: time.Duration(row.Took), Fault: webhook.Fault(row.Fault), Excerpt: string(text),
		})
	}
	for i := range to {
		to[i].Attempts = to[i].Attempts[max(0, len(to[i].Attempts)-webhook.LogAttempts):]
	}
	return nil
}

// Resend implements webhook.Store.
func (s *Outbox) Resend(ctx context.Context, e idv.EndpointID, id idv.DeliveryID) (webhook.Delivery, error) {
	var out webhook.Delivery
	err := s.transact(ctx, func(ctx context.Context, t *EventWriter) error {
		res, err := t.Conn.NewUpdate().Model((*DeliveryRow)(nil)).Set("state = ?", string(webhook.Pending)).Set("attempt = 0").
			Set("next_at = ?", s.db.Now()).
			Set("ended_at = NULL").Set("trace_parent = NULLIF(?, '')", trace.Parent(ctx)).Where("id = ? AND endpoint_id = ?", string(id), string(e)).Exec(ctx)
		if err != nil {
			return fmt.Errorf("resend: %w", err)
		}
		if n, err := res.RowsAffected(); err != nil || n != 1 {
			return problem.New(problem.NotFound)
		}
		if err := t.endPause(ctx, e); err != nil {
			return err
		}
		if err := t.enqueueDelivery(ctx, e, time.Time{}); err != nil {
			return err
		}
		var row DeliveryRow
		if err := t.Conn.NewSelect().Model(&row).Where("d.id = ?", string(id)).Scan(ctx); err != nil {
			return database.Missing(err, "read delivery")
		}
		out = row.delivery()
		return t.Audit(ctx, audit.Record{Action: "webhook.resent", Subject: string(id)})
	})
	if err != nil {
		return webhook.Delivery{}, err
	}
	list := []webhook.Delivery{out}
	err = s.loadTries(ctx, list)
	return list[0], err
}

// enqueueDelivery enqueues a job for an endpoint: among those that answer, or those that fail.
func (t *EventWriter) enqueueDelivery(ctx context.Context, id idv.EndpointID, at time.Time) error {
	var row EndpointRow
	err := t.Conn.NewSelect().Model(&row).Column("id", "failing_since").Where("w.id = ?", string(id)).Scan(ctx)
	if err != nil {
		return database.Missing(err, "read endpoint")
	}
	return t.Enqueue(ctx, job.Deliver{Endpoint: id, Failing: !row.FailingSince.IsZero(), At: at})
}

// EnqueueDelivery implements webhook.Outbox.
func (s *Outbox) EnqueueDelivery(ctx context.Context, id idv.EndpointID) error {
	return s.transact(ctx, func(ctx context.Context, t *EventWriter) error { return t.enqueueDelivery(ctx, id, time.Time{}) })
}

// Lease implements webhook.Outbox.
func (s *Outbox) Lease(ctx context.Context, id idv.EndpointID, until time.Time) (bool, error) {
	res, err := s.db.Write.NewUpdate().Model((*EndpointRow)(nil)).Set("busy_until = ?", until).
		Where("id = ? AND (busy_until IS NULL OR busy_until < ?)", string(id), s.db.Now()).Exec(ctx)
	if err != nil {
		return false, fmt.Errorf("take an endpoint's queue: %w", err)
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// Release implements webhook.Outbox. Giving the queue back and looking for more are one transaction that begins by
// writing the endpoint's row: a worker that found the queue taken did so before, and what it came for is seen here.
func (s *Outbox) Release(ctx context.Context, id idv.EndpointID, until, rest time.Time, worked bool) error {
	return s.transact(ctx, func(ctx context.Context, t *EventWriter) error {
		if !rest.After(s.db.Now()) {
			rest = time.Time{}
		}
		res, err := t.Conn.NewUpdate().Model((*EndpointRow)(nil)).Set("busy_until = ?", bun.NullTime{Time: rest}).
			Where("id = ? AND busy_until = ?", string(id), until).Exec(ctx)
		if err != nil {
			return fmt.Errorf("give an endpoint's queue back: %w", err)
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return err // removed, or taken over by somebody else
		}
		if err := t.pause(ctx, id, rest); err != nil {
			return err
		}
		var next []DeliveryRow
		err = t.Conn.NewSelect().Model(&next).Where("d.endpoint_id = ? AND d.state = ?", string(id), string(webhook.Pending)).
			OrderExpr("d.next_at").Limit(1).Scan(ctx)
		if err != nil {
			return fmt.Errorf("look for more to deliver: %w", err)
		}
		// A worker that found nothing due leaves the next try to the job of the try before it.
		if len(next) == 0 || (!worked && next[0].NextAt.After(s.db.Now())) {
			return nil
		}
		at := next[0].NextAt
		if rest.After(at) {
			at = rest
		}
		return t.enqueueDelivery(ctx, id, at)
	})
}

// ReleaseLeases releases the queues of endpoints that a worker held when it died. It must be called only while nobody delivers.
// Pauses that targets asked for stay.
func (s *Outbox) ReleaseLeases(ctx context.Context) error {
	return s.transact(ctx, func(ctx context.Context, t *EventWriter) error {
		var rows []EndpointRow
		if err := t.Conn.NewSelect().Model(&rows).Where("w.busy_until IS NOT NULL").Scan(ctx); err != nil {
			return fmt.Errorf("find queues that are taken: %w", err)
		}
		for _, row := range rows {
			e, err := endpointOf(ctx, t.DB, row)
			if err != nil { // its job says so again
				t.DB.Logger.ErrorContext(ctx, "a webhook endpoint cannot be unsealed", "endpoint", row.ID, "error", err)
				continue
			}
			if e.PausedUntil.Equal(row.BusyUntil.UTC()) {
				continue
			}
			_, err = t.Conn.NewUpdate().Model((*EndpointRow)(nil)).Set("busy_until = NULL").Where("id = ?", row.ID).Exec(ctx)
			if err != nil {
				return fmt.Errorf("release a queue: %w", err)
			}
			if err := t.enqueueDelivery(ctx, e.ID, time.Time{}); err != nil {
				return err
			}
		}
		return nil
	})
}

// pause notes that nobody is to work an endpoint's queue until then. Zero notes nothing.
func (t *EventWriter) pause(ctx context.Context, id idv.EndpointID, until time.Time) error {
	if until.IsZero() {
		return nil
	}
	e, err := t.lockedEndpoint(ctx, id)
	if err != nil {
		return err
	}
	e.PausedUntil = until
	return t.replaceTarget(ctx, e)
}

// endPause ends the pause that an endpoint asked for: a person asks for something to be sent to it now. A queue that is
// being worked stays taken.
func (t *EventWriter) endPause(ctx context.Context, id idv.EndpointID) error {
	e, err := t.lockedEndpoint(ctx, id)
	if err != nil || e.PausedUntil.IsZero() {
		return err
	}
	_, err = t.Conn.NewUpdate().Model((*EndpointRow)(nil)).Set("busy_until = NULL").
		Where("id = ? AND busy_until = ?", string(id), e.PausedUntil).Exec(ctx)
	if err != nil {
		return fmt.Errorf("end an endpoint's pause: %w", err)
	}
	return nil
}

// GiveUp implements webhook.Outbox.
func (s *Outbox) GiveUp(ctx context.Context, id idv.EndpointID) error {
	return s.transact(ctx, func(ctx context.Context, t *EventWriter) error {
		e, err := t.lockedEndpoint(ctx, id)
		if problem.Has(err, problem.NotFound) {
			return nil
		}
		if err != nil || e.StoppedAt.IsZero() {
			return err
		}
		return t.GiveUp(ctx, id)
	})
}

// GiveUp gives up every delivery that waits for an endpoint.
func (t *EventWriter) GiveUp(ctx context.Context, id idv.EndpointID) error {
	_, err := t.Conn.NewUpdate().Model((*DeliveryRow)(nil)).Set("state = ?", string(webhook.GivenUp)).Set("next_at = NULL").
		Set("ended_at = ?", t.DB.Now()).Set("trace_parent = NULL").Where("endpoint_id = ? AND state = ?", string(id), string(webhook.Pending)).Exec(ctx)
	if err != nil {
		return fmt.Errorf("give up what waits for an endpoint: %w", err)
	}
	return nil
}

// Due implements webhook.Outbox.
func (s *Outbox) Due(ctx context.Context, id idv.EndpointID, limit int) ([]webhook.Due, error) {
	var rows []DeliveryRow
	err := s.db.Read.NewSelect().Model(&rows).Where("d.endpoint_id = ? AND d.state = ? AND d.next_at <= ?", string(id), string(webhook.Pending), s.db.Now()).
		OrderExpr("d.next_at, d.id").Limit(int64(limit)).Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("list what is due: %w", err)
	}
	out := make([]webhook.Due, 0, len(rows))
	for _, row := range rows {
		var e events.EventRow
		err := database.Missing(s.db.Read.NewSelect().Model(&e).Where("e.id = ?", row.Event).Scan(ctx), "read the event of a delivery")
		if problem.Has(err, problem.NotFound) { // its content is erased; that it happened is still delivered
			e = events.EventRow{ID: row.Event, Session: row.Session, Type: row.Type, CreatedAt: row.CreatedAt}
		} else if err != nil {
			return nil, err
		}
		out = append(out, webhook.Due{ID: idv.DeliveryID(row.ID), Attempts: row.Attempt, Event: e.Public(), Parent: row.Parent})
	}
	return out, nil
}

// ListStalled implements webhook.Outbox.
func (s *Outbox) ListStalled(ctx context.Context, limit int) ([]idv.EndpointID, error) {
	var ids []string
	err := s.db.Read.NewSelect().Model((*EndpointRow)(nil)).Column("id").
		Where("w.busy_until IS NULL OR w.busy_until < ?", s.db.Now()).
		Where("EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.endpoint_id = w.id AND d.state = ? AND d.next_at <= ?)", string(webhook.Pending), s.db.Now()).
		OrderExpr("w.id").Limit(int64(limit)).Scan(ctx, &ids)
	if err != nil {
		return nil, fmt.Errorf("look for neglected endpoints: %w", err)
	}
	out := make([]idv.EndpointID, len(ids))
	for i, id := range ids {
		out[i] = idv.EndpointID(id)
	}
	return out, nil
}

// SaveResults implements webhook.Outbox.
func (s *Outbox) SaveResults(ctx context.Context, id idv.EndpointID, results []webhook.Result, gone bool) error {
	return s.transact(ctx, func(ctx context.Context, t *EventWriter) error {
		arrived := false
		for _, r := range results {
			if err := t.recordAttempt(ctx, r); err != nil {
				return err
			}
			arrived = arrived || r.State == webhook.Delivered
		}
		q := t.Conn.NewUpdate().Model((*EndpointRow)(nil)).Where("id = ?", string(id))
		if arrived {
			q = q.Set("failing_since = NULL").Where("failing_since IS NOT NULL")
		} else {
			q = q.Set("failing_since = ?", s.db.Now()).Where("failing_since IS NULL")
		}
		if _, err := q.Exec(ctx); err != nil {
			return fmt.Errorf("note how an endpoint is: %w", err)
		}
		if gone {
			return t.stop(ctx, id)
		}
		return nil
	})
}

func (t *EventWriter) recordAttempt(ctx context.Context, r webhook.Result) error {
	q := t.Conn.NewUpdate().Model((*DeliveryRow)(nil)).Set("state = ?", string(r.State)).Set("attempt = ?", r.Before+1).
		Where("id = ? AND state = ? AND attempt = ?", string(r.Delivery), string(webhook.Pending), r.Before)
	if r.State == webhook.Pending {
		q = q.Set("next_at = ?", r.NextAt)
	} else {
		q = q.Set("next_at = NULL").Set("ended_at = ?", t.DB.Now()).Set("trace_parent = NULL")
	}
	res, err := q.Exec(ctx)
	if err != nil {
		return fmt.Errorf("note a try: %w", err)
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err // removed, or sent again by somebody, meanwhile
	}
	k, err := t.DB.Deployment(ctx)
	if err != nil {
		return err
	}
	sealed, err := k.Seal(database.Place(excerptColumn, string(r.Delivery)), []byte(r.Attempt.Excerpt))
	if err != nil {
		return err
	}
	row := tryRow{
		Delivery: string(r.Delivery), At: r.Attempt.At, Status: r.Attempt.Status, Took: int64(r.Attempt.Took), Fault: string(r.Attempt.Fault), Excerpt: sealed,
	}
	if err := t.Insert(ctx, &row, "try"); err != nil {
		return err
	}
	if r.State != webhook.GivenUp {
		return nil
	}
	return t.Audit(ctx, audit.Record{Action: "webhook.given_up", Subject: string(r.Delivery)})
}

// DropDeliveries removes deliveries whose time in the log is over, and those that waited as long at a paused endpoint.
func (s *Outbox) DropDeliveries(ctx context.Context) error {
	for _, column := range []string{"ended_at", "next_at"} { // one of them is set, and never both
		_, err := s.db.Write.NewDelete().Model((*DeliveryRow)(nil)).Where("? <= ?", bun.Ident(column), s.db.Now().Add(-webhook.LogLife)).Exec(ctx)
		if err != nil {
			return fmt.Errorf("drop old deliveries: %w", err)
		}
	}
	return nil
}
