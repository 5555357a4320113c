package events

import (
	"context"
	"fmt"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/store/database"
	"github.com/bonafide-id/bonafide/internal/webhook"
)

// feedBatch bounds one transaction that gives positions: on SQLite every other writer waits for it.
const feedBatch = 256

// PlaceEvents gives every event that was committed its position in the feed. Rows are numbered when they are written
// and seen when they are committed, which on PostgreSQL is another order: a reader that went by the first would miss
// what commits late. Positions are given to what can be seen, one giver at a time, so that nothing ever appears before
// an event that was read. Events of one session keep their order.
func (s *Stream) PlaceEvents(ctx context.Context) error {
	for {
		waiting, err := s.db.Read.NewSelect().Model((*EventRow)(nil)).Where("e.position IS NULL").Exists(ctx)
		if err != nil || !waiting {
			return err
		}
		if err := s.db.RunInTx(ctx, placeBatch); err != nil {
			return fmt.Errorf("give events their positions: %w", err)
		}
	}
}

// placeBatch gives positions to the next feedBatch events.
func placeBatch(ctx context.Context, btx bun.Tx) error {
	if _, err := btx.ExecContext(ctx, "UPDATE locks SET taken = taken + 1 WHERE name = 'events'"); err != nil {
		return fmt.Errorf("lock: %w", err)
	}
	var last int64
	if err := btx.NewSelect().Model((*EventRow)(nil)).ColumnExpr("COALESCE(MAX(e.position), 0)").Scan(ctx, &last); err != nil {
		return fmt.Errorf("read the last position: %w", err)
	}
	_, err := btx.ExecContext(ctx, `UPDATE events SET position = ? + n.place,
		mode = COALESCE((SELECT s.mode FROM sessions s WHERE s.id = events.session_id), events.mode)
		FROM (SELECT seq, ROW_NUMBER() OVER (ORDER BY seq) AS place FROM events WHERE position IS NULL ORDER BY seq LIMIT ?) AS n
		WHERE events.seq = n.seq`, last, feedBatch)
	return err
}

// Feed implements webhook.Store.
func (s *Stream) Feed(ctx context.Context, f webhook.FeedFilter) ([]webhook.Event, error) {
	if err := s.PlaceEvents(ctx); err != nil {
		return nil, err
	}
	var rows []EventRow
	q := s.db.Read.NewSelect().
		Model(&rows).
		Where("e.mode = ? AND e.position IS NOT NULL AND e.type IN (?)", string(f.Mode), bun.List(f.Types)).
		Limit(int64(f.Limit))
	if f.Session != "" {
		q = q.Where("e.session_id = ?", string(f.Session))
	}
	order, beyond := "e.position", "e.position > ?"
	if f.Newest {
		order, beyond = "e.position DESC", "e.position < ?"
	}
	if f.After != "" {
		var from EventRow
		err := s.db.Read.NewSelect().Model(&from).Where("e.id = ? AND e.mode = ?", string(f.After), string(f.Mode)).Scan(ctx)
		if err = database.Missing(err, "read the cursor"); problem.Has(err, problem.NotFound) || (err == nil && from.Position == nil) {
			return nil, problem.New(problem.RequestMalformed).At("after").Saying("There is no such event.")
		}
		if err != nil {
			return nil, err
		}
		q = q.Where(beyond, *from.Position)
	}
	if err := q.OrderExpr(order).Scan(ctx); err != nil {
		return nil, fmt.Errorf("read the feed: %w", err)
	}
	out := make([]webhook.Event, len(rows))
	for i, row := range rows {
		out[i] = row.Public()
	}
	return out, nil
}
