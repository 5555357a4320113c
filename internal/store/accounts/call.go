package accounts

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/idv"
)

type callRow struct {
	bun.BaseModel `bun:"table:request_log,alias:c"`
	Seq           int64     `bun:"seq,pk,autoincrement"`
	RequestID     string    `bun:"request_id"`
	Mode          string    `bun:"mode"`
	Key           string    `bun:"key_id"`
	Method        string    `bun:"method"`
	Route         string    `bun:"route"`
	Status        int       `bun:"status"`
	Problem       string    `bun:"problem"`
	TookUS        int64     `bun:"took_us"`
	CreatedAt     time.Time `bun:"created_at"`
}

// AddCalls keeps calls that were made with API keys, all in one statement.
func (s *CallLog) AddCalls(ctx context.Context, calls []account.Call) error {
	if len(calls) == 0 {
		return nil
	}
	rows := make([]callRow, len(calls))
	for i, c := range calls {
		rows[i] = callRow{
			RequestID: c.RequestID, Mode: string(c.Mode), Key: string(c.Key), Method: c.Method, Route: c.Route, Status: c.Status,
			Problem: c.Problem, TookUS: c.Took.Microseconds(), CreatedAt: c.At.UTC(),
		}
	}
	if _, err := s.db.Write.NewInsert().Model(&rows).ExcludeColumn("seq").Returning("NULL").Exec(ctx); err != nil {
		return fmt.Errorf("keep calls: %w", err)
	}
	return nil
}

// Calls lists calls that were made with API keys, newest first.
func (s *CallLog) Calls(ctx context.Context, f account.CallFilter) ([]account.Call, error) {
	var rows []callRow
	q := s.db.Read.NewSelect().Model(&rows).Where("c.mode = ?", string(f.Mode))
	if f.Key != "" {
		q = q.Where("c.key_id = ?", string(f.Key))
	}
	if f.Problem != "" {
		q = q.Where("c.problem = ?", f.Problem)
	}
	if f.Failed {
		q = q.Where("c.status >= 400")
	}
	if f.RequestID != "" {
		q = q.Where("c.request_id = ?", f.RequestID)
	}
	if f.Before > 0 {
		q = q.Where("c.seq < ?", f.Before)
	}
	if err := q.OrderExpr("c.seq DESC").Limit(int64(f.Limit)).Scan(ctx); err != nil {
		return nil, fmt.Errorf("list calls: %w", err)
	}
	out := make([]account.Call, len(rows))
	for i, r := range rows {
		out[i] = account.Call{
			Seq: r.Seq, RequestID: r.RequestID, Mode: idv.Mode(r.Mode), Key: idv.KeyID(r.Key), Method: r.Method, Route: r.Route, Status: r.Status,
			Problem: r.Problem, Took: time.Duration(r.TookUS) * time.Microsecond, At: r.CreatedAt.UTC(),
		}
	}
	return out, nil
}

// ForgetCalls removes calls that were kept long enough.
func (s *CallLog) ForgetCalls(ctx context.Context) error {
	_, err := s.db.Write.NewDelete().Model((*callRow)(nil)).Where("created_at < ?", s.db.Now().Add(-account.CallLogLife).UTC()).Exec(ctx)
	if err != nil {
		return fmt.Errorf("forget calls: %w", err)
	}
	return nil
}
