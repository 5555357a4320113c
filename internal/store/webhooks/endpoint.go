package webhooks

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/store/database"
	"github.com/bonafide-id/bonafide/internal/store/events"
	"github.com/bonafide-id/bonafide/internal/webhook"
)

// EndpointRow is a webhook endpoint.
type EndpointRow struct {
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
	Held    time.Time        `json:"held,omitzero"`
	Content webhook.Content  `json:"content,omitempty"` // absent from endpoints that are older than contents, which get ids
}

func sealTarget(ctx context.Context, db *database.DB, e webhook.Endpoint) ([]byte, error) {
	k, err := db.Deployment(ctx)
	if err != nil {
		return nil, err
	}
	raw, err := json.Marshal(target{URL: e.URL, Secrets: e.Secrets, Stopped: e.StoppedAt, Resting: e.PausedUntil, Held: e.HeldAt, Content: e.Content})
	if err != nil {
		return nil, fmt.Errorf("encode endpoint: %w", err)
	}
	return k.Seal(database.Place("webhook_endpoints.sealed", string(e.ID)), raw)
}

func endpointOf(ctx context.Context, db *database.DB, row EndpointRow) (webhook.Endpoint, error) {
	k, err := db.Deployment(ctx)
	if err != nil {
		return webhook.Endpoint{}, err
	}
	raw, err := k.Unseal(database.Place("webhook_endpoints.sealed", row.ID), row.Sealed)
	if err != nil {
		return webhook.Endpoint{}, err
	}
	var t target
	if err := json.Unmarshal(raw, &t); err != nil {
		return webhook.Endpoint{}, fmt.Errorf("decode endpoint: %w", err)
	}
	return webhook.Endpoint{
		ID: idv.EndpointID(row.ID), Mode: idv.Mode(row.Mode), URL: t.URL, Events: row.Events, Secrets: t.Secrets,
		CreatedAt: row.CreatedAt.UTC(), FailingSince: database.UTC(row.FailingSince), StoppedAt: database.UTC(t.Stopped),
		PausedUntil: database.UTC(t.Resting), HeldAt: database.UTC(t.Held), Content: cmp.Or(t.Content, webhook.ContentIDs), Version: row.Version,
	}, nil
}

// AddEndpoint implements webhook.Store.
func (s *Endpoints) AddEndpoint(ctx context.Context, e webhook.Endpoint, most int) error {
	sealed, err := sealTarget(ctx, s.db, e)
	if err != nil {
		return err
	}
	return s.transact(ctx, func(ctx context.Context, t *EventWriter) error {
		// One at a time is added, or two at once would both be the last that there is room for.
		if _, err := t.Conn.ExecContext(ctx, "UPDATE locks SET taken = taken + 1 WHERE name = 'events'"); err != nil {
			return fmt.Errorf("lock: %w", err)
		}
		n, err := t.Conn.NewSelect().Model((*EndpointRow)(nil)).Where("mode = ?", string(e.Mode)).Count(ctx)
		if err != nil {
			return fmt.Errorf("count endpoints: %w", err)
		}
		if int(n) >= most {
			return webhook.TooManyEndpoints()
		}
		row := EndpointRow{ID: string(e.ID), Mode: string(e.Mode), Events: e.Events, Sealed: sealed, CreatedAt: e.CreatedAt}
		if err := t.Insert(ctx, &row, "endpoint"); err != nil {
			return err
		}
		return t.Audit(ctx, audit.Record{Action: "webhook.created", Subject: row.ID})
	})
}

// WebhookEndpoint implements webhook.Store.
func (s *Endpoints) WebhookEndpoint(ctx context.Context, id idv.EndpointID) (webhook.Endpoint, error) {
	var row EndpointRow
	if err := s.db.Read.NewSelect().Model(&row).Where("w.id = ?", string(id)).Scan(ctx); err != nil {
		return webhook.Endpoint{}, database.Missing(err, "read endpoint")
	}
	return endpointOf(ctx, s.db, row)
}

// WebhookEndpoints implements webhook.Store.
func (s *Endpoints) WebhookEndpoints(ctx context.Context, mode idv.Mode) ([]webhook.Endpoint, error) {
	var rows []EndpointRow
	if err := s.db.Read.NewSelect().Model(&rows).Where("w.mode = ?", string(mode)).OrderExpr("w.id").Scan(ctx); err != nil {
		return nil, fmt.Errorf("list endpoints: %w", err)
	}
	out := make([]webhook.Endpoint, 0, len(rows))
	for _, row := range rows {
		e, err := endpointOf(ctx, s.db, row)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

// RemoveEndpoint implements webhook.Store. Deliveries and tries go with it.
func (s *Endpoints) RemoveEndpoint(ctx context.Context, id idv.EndpointID) error {
	return s.transact(ctx, func(ctx context.Context, t *EventWriter) error {
		res, err := t.Conn.NewDelete().Model((*EndpointRow)(nil)).Where("id = ?", string(id)).Exec(ctx)
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
func (s *Endpoints) SaveSecrets(ctx context.Context, e webhook.Endpoint) error {
	return s.transact(ctx, func(ctx context.Context, t *EventWriter) error { return t.saveTarget(ctx, e, "webhook.rotated") })
}

// StartEndpoint implements webhook.Store.
func (s *Endpoints) StartEndpoint(ctx context.Context, e webhook.Endpoint) error {
	e.StoppedAt = time.Time{}
	return s.transact(ctx, func(ctx context.Context, t *EventWriter) error {
		if err := t.saveTarget(ctx, e, "webhook.started"); err != nil {
			return err
		}
		_, err := t.Conn.NewUpdate().Model((*EndpointRow)(nil)).Set("failing_since = NULL").Where("id = ?", string(e.ID)).Exec(ctx)
		if err != nil {
			return fmt.Errorf("start endpoint: %w", err)
		}
		return nil
	})
}

// ChangeEndpoint implements webhook.Store.
func (s *Endpoints) ChangeEndpoint(ctx context.Context, e webhook.Endpoint, resumed bool) error {
	return s.transact(ctx, func(ctx context.Context, t *EventWriter) error {
		if resumed { // while the endpoint still has the version that was read
			if err := t.endPause(ctx, e.ID); err != nil {
				return err
			}
		}
		if err := t.saveTarget(ctx, e, "webhook.changed"); err != nil {
			return err
		}
		_, err := t.Conn.NewUpdate().Model(&EndpointRow{Events: e.Events}).Column("events").Where("id = ?", string(e.ID)).Exec(ctx)
		if err != nil {
			return fmt.Errorf("change endpoint: %w", err)
		}
		if !resumed {
			return nil
		}
		return t.enqueueDelivery(ctx, e.ID, time.Time{})
	})
}

// saveTarget replaces what is sealed of an endpoint that was read with e.Version.
func (t *EventWriter) saveTarget(ctx context.Context, e webhook.Endpoint, act string) error {
	if err := t.replaceTarget(ctx, e); err != nil {
		return err
	}
	return t.Audit(ctx, audit.Record{Action: act, Subject: string(e.ID)})
}

// replaceTarget is saveTarget for what is no person's act.
func (t *EventWriter) replaceTarget(ctx context.Context, e webhook.Endpoint) error {
	sealed, err := sealTarget(ctx, t.DB, e)
	if err != nil {
		return err
	}
	res, err := t.Conn.NewUpdate().Model((*EndpointRow)(nil)).Set("sealed = ?", sealed).Set("version = version + 1").
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
func (t *EventWriter) lockedEndpoint(ctx context.Context, id idv.EndpointID) (webhook.Endpoint, error) {
	var row EndpointRow
	q := t.Conn.NewSelect().Model(&row).Where("w.id = ?", string(id))
	if t.DB.Engine() == "postgres" {
		q = q.For("NO KEY UPDATE") // a secret that is being made is there first, or sees that it came too late
	}
	if err := q.Scan(ctx); err != nil {
		return webhook.Endpoint{}, database.Missing(err, "read endpoint")
	}
	return endpointOf(ctx, t.DB, row)
}

// stop stops an endpoint and gives up what waits for it. One that is stopped, or was removed, stays as it is.
func (t *EventWriter) stop(ctx context.Context, id idv.EndpointID) error {
	e, err := t.lockedEndpoint(ctx, id)
	if problem.Has(err, problem.NotFound) {
		return nil
	}
	if err != nil || !e.StoppedAt.IsZero() {
		return err
	}
	e.StoppedAt = t.DB.Now()
	if err := t.saveTarget(ctx, e, "webhook.stopped"); err != nil {
		return err
	}
	return t.GiveUp(ctx, id)
}

// AddTest implements webhook.Store.
func (s *Endpoints) AddTest(ctx context.Context, e webhook.Endpoint, event webhook.Event) (webhook.Delivery, error) {
	var out webhook.Delivery
	err := s.transact(ctx, func(ctx context.Context, t *EventWriter) error {
		row := events.EventRow{
			ID: string(event.ID), Type: event.Type, Actor: string(audit.ActorFrom(ctx).Kind), Payload: event.Payload,
			Mode: string(event.Mode), CreatedAt: event.At,
		}
		if err := t.Insert(ctx, &row, "event"); err != nil {
			return err
		}
		if err := t.endPause(ctx, e.ID); err != nil {
			return err
		}
		d, err := t.addDelivery(ctx, EndpointRow{ID: string(e.ID), FailingSince: e.FailingSince}, row)
		if err != nil {
			return err
		}
		out = d.delivery()
		return t.Audit(ctx, audit.Record{Action: "webhook.tested", Subject: string(e.ID)})
	})
	return out, err
}
