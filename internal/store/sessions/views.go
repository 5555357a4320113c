package sessions

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/database"
)

type viewRow struct {
	bun.BaseModel `bun:"table:saved_views,alias:v"`
	ID            string             `bun:"id"`
	Owner         string             `bun:"user_id"`
	Mode          string             `bun:"mode"`
	Name          string             `bun:"name"`
	Filter        session.ViewFilter `bun:"filter,type:json"`
	CreatedAt     time.Time          `bun:"created_at"`
}

func (r viewRow) value() session.SavedView {
	return session.SavedView{
		ID: idv.ViewID(r.ID), Owner: idv.UserID(r.Owner), Mode: idv.Mode(r.Mode), Name: r.Name, Filter: r.Filter, CreatedAt: r.CreatedAt.UTC(),
	}
}

// Views implements session.ViewReader.
func (r *CaseReader) Views(ctx context.Context, owner idv.UserID, mode idv.Mode) ([]session.SavedView, error) {
	var rows []viewRow
	err := r.Conn.NewSelect().Model(&rows).Where("v.user_id = ? AND v.mode = ?", string(owner), string(mode)).OrderExpr("v.name").Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("list views: %w", err)
	}
	out := make([]session.SavedView, 0, len(rows))
	for _, row := range rows {
		out = append(out, row.value())
	}
	return out, nil
}

// View implements session.ViewReader.
func (r *CaseReader) View(ctx context.Context, id idv.ViewID) (session.SavedView, error) {
	var row viewRow
	if err := r.Conn.NewSelect().Model(&row).Where("v.id = ?", string(id)).Scan(ctx); err != nil {
		return session.SavedView{}, database.Missing(err, "read view")
	}
	return row.value(), nil
}

// AddView implements session.ViewWriter.
func (t *CaseWriter) AddView(ctx context.Context, v session.SavedView) error {
	return t.Insert(ctx, &viewRow{
		ID: string(v.ID), Owner: string(v.Owner), Mode: string(v.Mode), Name: v.Name, Filter: v.Filter, CreatedAt: v.CreatedAt,
	}, "view")
}

// DeleteView implements session.ViewWriter.
func (t *CaseWriter) DeleteView(ctx context.Context, id idv.ViewID) error {
	n, err := database.Affected(t.Conn.NewDelete().Model((*viewRow)(nil)).Where("id = ?", string(id)).Exec(ctx))
	if err == nil && n == 0 {
		return problem.New(problem.NotFound)
	}
	return err
}
