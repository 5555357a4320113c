package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/trace"
	"github.com/bonafide-id/bonafide/internal/webhook"
)

var _ webhook.Store = (*Store)(nil)

type endpointRow struct {
	bun.BaseModel `bun:"table:webhook_endpoints,alias:w"`
	ID            string    `bun:"id"`
	Mode          string    `bun:"mode"`
	Events        []string  `bun:"events,type:json"`
	Sealed        []byte    `bun:"sealed"`
	Version       int64     `bun:"version"`
	FailingSince  time.Time `bun:"failing_since,nullzero"`
	BusyUntil     time.Time `bun:"busy_until,nullzero"`
	CreatedAt     time.Time `bun:"created_at"`
}

// target is the part of an endpoint that is sealed under the deployment's key. Addresses often hold a token.
type target struct {
	URL     string           `json:"url"`
	Secrets []webhook.Secret `json:"secrets"`
	Stopped time.Time        `json:"stopped,omitzero"`
	Resting time.Time        `json:"resting,omitzero"`
}

// alone runs f in a transaction of what belongs to no session.
func (s *Store) alone(ctx context.Context, f func(ctx context.Context, t *tx) error) error {
	return s.withTx(ctx, f)
}

func (s *Store) sealTarget(ctx context.Context, e webhook.Endpoint) ([]byte, error) {
	k, err := s.deployment(ctx)
	if err != nil {
		return nil, err
	}
	raw, err := json.Marshal(target{URL: e.URL, Secrets: e.Secrets, Stopped: e.StoppedAt, Resting: e.PausedUntil})
	if err != nil {
		return nil, fmt.Errorf("encode endpoint: %w", err)
	}
	return k.Seal(place("webhook_endpoints.sealed", string(e.ID)), raw)
}

func (s *Store) endpointOf(ctx context.Context, row endpointRow) (webhook.Endpoint, error) {
	k, err := s.deployment(ctx)
	if err != nil {
		return webhook.Endpoint{}, err
	}
	raw, err := k.Unseal(place("webhook_endpoints.sealed", row.ID), row.Sealed)
	if err != nil {
		return webhook.Endpoint{}, err
	}
	var t target
	if err := json.Unmarshal(raw, &t); err != nil {
		return webhook.Endpoint{}, fmt.Errorf("decode endpoint: %w", err)
	}
	return webhook.Endpoint{
		ID: idv.EndpointID(row.ID), Mode: idv.Mode(row.Mode), URL: t.URL, Events: row.Events, Secrets: t.Secrets,
		CreatedAt: row.CreatedAt.UTC(), FailingSince: utc(row.FailingSince), StoppedAt: utc(t.Stopped),
		PausedUntil: utc(t.Resting), Version: row.Version,
	}, nil
}

// AddEndpoint implements webhook.Store.
func (s *Store) AddEndpoint(ctx context.Context, e webhook.Endpoint, most int) error {
	sealed, err := s.sealTarget(ctx, e)
	if err != nil {
		return err
	}
	return s.alone(ctx, func(ctx context.Context, t *tx) error {
		// One at a time is added, or two at once would both be the last that there is room for.
		if _, err := t.db.ExecContext(ctx, "UPDATE locks SET taken = taken + 1 WHERE name = 'events'"); err != nil {
			return fmt.Errorf("lock: %w", err)
		}
		n, err := t.db.NewSelect().Model((*endpointRow)(nil)).Where("mode = ?", string(e.Mode)).Count(ctx)
		if err != nil {
			return fmt.Errorf("count endpoints: %w", err)
		}
		if int(n) >= most {
			return webhook.TooManyEndpoints()
		}
		row := endpointRow{ID: string(e.ID), Mode: string(e.Mode), Events: e.Events, Sealed: sealed, CreatedAt: e.CreatedAt}
		if err := t.insert(ctx, &row, "endpoint"); err != nil {
			return err
		}
		return t.Audit(ctx, audit.Record{Action: "webhook.created", Subject: row.ID})
	})
}

// WebhookEndpoint implements webhook.Store.
func (s *Store) WebhookEndpoint(ctx context.Context, id idv.EndpointID) (webhook.Endpoint, error) {
	var row endpointRow
	if err := s.read.NewSelect().Model(&row).Where("w.id = ?", string(id)).Scan(ctx); err != nil {
		return webhook.Endpoint{}, missing(err, "read endpoint")
	}
	return s.endpointOf(ctx, row)
}

// WebhookEndpoints implements webhook.Store.
func (s *Store) WebhookEndpoints(ctx context.Context, mode idv.Mode) ([]webhook.Endpoint, error) {
	var rows []endpointRow
	if err := s.read.NewSelect().Model(&rows).Where("w.mode = ?", string(mode)).OrderExpr("w.id").Scan(ctx); err != nil {
		return nil, fmt.Errorf("list endpoints: %w", err)
	}
	out := make([]webhook.Endpoint, 0, len(rows))
	for _, row := range rows {
		e, err := s.endpointOf(ctx, row)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

// RemoveEndpoint implements webhook.Store. Deliveries and tries go with it.
func (s *Store) RemoveEndpoint(ctx context.Context, id idv.EndpointID) error {
	return s.alone(ctx, func(ctx context.Context, t *tx) error {
		res, err := t.db.NewDelete().Model((*endpointRow)(nil)).Where("id = ?", string(id)).Exec(ctx)
		if err != nil {
			return fmt.Errorf("remove endpoint: %w", err)
		}
		if n, err := res.RowsAffected(); err != nil || n != 1 {
			return problem.New(problem.NotFound)
		}
		return t.Audit(ctx, audit.Record{Action: "webhook.removed", Subject: string(id)})
	})
}

// SaveSecrets implements webhook.Store.
func (s *Store) SaveSecrets(ctx context.Context, e webhook.Endpoint) error {
	return s.alone(ctx, func(ctx context.Context, t *tx) error { return t.saveTarget(ctx, e, "webhook.rotated") })
}

// StartEndpoint implements webhook.Store.
func (s *Store) StartEndpoint(ctx context.Context, e webhook.Endpoint) error {
	e.StoppedAt = time.Time{}
	return s.alone(ctx, func(ctx context.Context, t *tx) error {
		if err := t.saveTarget(ctx, e, "webhook.started"); err != nil {
			return err
		}
		_, err := t.db.NewUpdate().Model((*endpointRow)(nil)).Set("failing_since = NULL").Where("id = ?", string(e.ID)).Exec(ctx)
		if err != nil {
			return fmt.Errorf("start endpoint: %w", err)
		}
		return nil
	})
}

// saveTarget replaces what is sealed of an endpoint that was read with e.Version.
func (t *tx) saveTarget(ctx context.Context, e webhook.Endpoint, act string) error {
	if err := t.replaceTarget(ctx, e); err != nil {
		return err
	}
	return t.Audit(ctx, audit.Record{Action: act, Subject: string(e.ID)})
}

// replaceTarget is saveTarget for what is no person's act.
func (t *tx) replaceTarget(ctx context.Context, e webhook.Endpoint) error {
	sealed, err := t.s.sealTarget(ctx, e)
	if err != nil {
		return err
	}
	res, err := t.db.NewUpdate().Model((*endpointRow)(nil)).Set("sealed = ?", sealed).Set("version = version + 1").
		Where("id = ? AND version = ?", string(e.ID), e.Version).Exec(ctx)
	if err != nil {
		return fmt.Errorf("write endpoint: %w", err)
	}
	if n, err := res.RowsAffected(); err != nil || n != 1 {
		return problem.New(problem.Unavailable).Saying("Somebody else changed the endpoint at the same time.")
	}
	return nil
}

// lockedEndpoint reads an endpoint that nobody else changes until the transaction ends.
func (t *tx) lockedEndpoint(ctx context.Context, id idv.EndpointID) (webhook.Endpoint, error) {
	var row endpointRow
	q := t.db.NewSelect().Model(&row).Where("w.id = ?", string(id))
	if t.s.Engine() == "postgres" {
		q = q.For("NO KEY UPDATE") // a secret that is being made is there first, or sees that it came too late
	}
	if err := q.Scan(ctx); err != nil {
		return webhook.Endpoint{}, missing(err, "read endpoint")
	}
	return t.s.endpointOf(ctx, row)
}

// stop stops an endpoint and gives up what waits for it. One that is stopped, or was removed, stays as it is.
func (t *tx) stop(ctx context.Context, id idv.EndpointID) error {
	e, err := t.lockedEndpoint(ctx, id)
	if problem.Has(err, problem.NotFound) {
		return nil
	}
	if err != nil || !e.StoppedAt.IsZero() {
		return err
	}
	e.StoppedAt = t.s.now()
	if err := t.saveTarget(ctx, e, "webhook.stopped"); err != nil {
		return err
	}
	return t.giveUp(ctx, id)
}

// fanOut writes a delivery and a job for every endpoint that wants an event, in the event's own transaction.
func (t *tx) fanOut(ctx context.Context, event eventRow) error {
	if !webhook.Published(event.Type) {
		return nil
	}
	var rows []endpointRow
	q := t.db.NewSelect().Model(&rows).OrderExpr("w.id")
	if mode, known := t.modes[idv.SessionID(event.Session)]; known {
		q = q.Where("w.mode = ?", string(mode))
	} else {
		q = q.Where("w.mode = COALESCE((SELECT s.mode FROM sessions s WHERE s.id = ?), ?)", event.Session, event.Mode)
	}
	if t.s.Engine() == "postgres" {
		q = q.For("KEY SHARE") // an endpoint that is removed at the same time goes afterwards, and its deliveries with it
	}
	if err := q.Scan(ctx); err != nil {
		return fmt.Errorf("find endpoints: %w", err)
	}
	for _, row := range rows {
		if !(webhook.Endpoint{Events: row.Events}).Wants(event.Type) {
			continue
		}
		e, err := t.s.endpointOf(ctx, row)
		if err != nil { // no reason to fail what happened: the job that delivers says so again, and looks at the stop itself
			t.s.log.ErrorContext(ctx, "a webhook endpoint cannot be unsealed", "endpoint", row.ID, "error", err)
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

func (t *tx) addDelivery(ctx context.Context, to endpointRow, event eventRow) (deliveryRow, error) {
	id, err := idv.NewID[idv.DeliveryID](t.s.now(), t.s.random)
	if err != nil {
		return deliveryRow{}, err
	}
	row := deliveryRow{
		ID: string(id), Endpoint: to.ID, Event: event.ID, Type: event.Type, Session: event.Session,
		State: string(webhook.Pending), NextAt: t.s.now(), CreatedAt: t.s.now(), Parent: trace.Parent(ctx),
	}
	if err := t.insert(ctx, &row, "delivery"); err != nil {
		return row, err
	}
	return row, t.Enqueue(ctx, job.Deliver{Endpoint: idv.EndpointID(to.ID), Failing: !to.FailingSince.IsZero()})
}

// AddTest implements webhook.Store.
func (s *Store) AddTest(ctx context.Context, e webhook.Endpoint, event webhook.Event) (webhook.Delivery, error) {
	var out webhook.Delivery
	err := s.alone(ctx, func(ctx context.Context, t *tx) error {
		row := eventRow{
			ID: string(event.ID), Type: event.Type, Actor: string(audit.ActorFrom(ctx).Kind), Payload: event.Payload,
			Mode: string(event.Mode), CreatedAt: event.At,
		}
		if err := t.insert(ctx, &row, "event"); err != nil {
			return err
		}
		if err := t.disturb(ctx, e.ID); err != nil {
			return err
		}
		d, err := t.addDelivery(ctx, endpointRow{ID: string(e.ID), FailingSince: e.FailingSince}, row)
		if err != nil {
			return err
		}
		out = d.delivery()
		return t.Audit(ctx, audit.Record{Action: "webhook.tested", Subject: string(e.ID)})
	})
	return out, err
}
