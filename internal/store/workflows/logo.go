package workflows

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/store/database"
)

type logoRow struct {
	bun.BaseModel `bun:"table:logos,alias:l"`
	Digest        string    `bun:"digest"`
	PNG           []byte    `bun:"png"`
	CreatedAt     time.Time `bun:"created_at"`
}

// Logo implements workflow.Store.
func (r *WorkflowReader) Logo(ctx context.Context, digest string) ([]byte, error) {
	var row logoRow
	if err := r.Conn.NewSelect().Model(&row).Where("l.digest = ?", digest).Scan(ctx); err != nil {
		return nil, database.Missing(err, "read logo")
	}
	return row.PNG, nil
}

// HasLogo implements workflow.Tx.
func (t *WorkflowWriter) HasLogo(ctx context.Context, digest string) (bool, int, error) {
	kept, err := t.Conn.NewSelect().Model((*logoRow)(nil)).Where("l.digest = ?", digest).Count(ctx)
	if err != nil {
		return false, 0, fmt.Errorf("look for logo: %w", err)
	}
	all, err := t.Conn.NewSelect().Model((*logoRow)(nil)).Count(ctx)
	if err != nil {
		return false, 0, fmt.Errorf("count logos: %w", err)
	}
	return kept > 0, int(all), nil
}

// AddLogo implements workflow.Tx.
func (t *WorkflowWriter) AddLogo(ctx context.Context, digest string, png []byte, at time.Time) error {
	return t.Insert(ctx, &logoRow{Digest: digest, PNG: png, CreatedAt: at}, "logo")
}
