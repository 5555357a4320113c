package workflows

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/store/database"
	"github.com/bonafide-id/bonafide/internal/workflow"
)

// WorkflowVersions implements session.RetentionStore.
func (r *WorkflowReader) WorkflowVersions(ctx context.Context) ([]idv.WorkflowVersion, error) {
	var rows []versionRow
	err := r.Conn.NewSelect().Model(&rows).ColumnExpr("v.*, w.mode").Join("JOIN workflows AS w ON w.id = v.workflow_id").
		OrderExpr("v.id").Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("list workflow versions: %w", err)
	}
	out := make([]idv.WorkflowVersion, 0, len(rows))
	for _, row := range rows {
		out = append(out, row.version())
	}
	return out, nil
}

type workflowRow struct {
	bun.BaseModel `bun:"table:workflows"`
	ID            string    `bun:"id"`
	Mode          string    `bun:"mode"`
	Name          string    `bun:"name"`
	CreatedAt     time.Time `bun:"created_at"`
	SignalsSeen   int       `bun:"signals_seen"`
}

type versionRow struct {
	bun.BaseModel `bun:"table:workflow_versions,alias:v"`
	ID            string              `bun:"id"`
	Workflow      string              `bun:"workflow_id"`
	Number        int                 `bun:"number"`
	State         string              `bun:"state"`
	Spec          idv.WorkflowVersion `bun:"spec,type:json"`
	CreatedAt     time.Time           `bun:"created_at"`
	Mode          string              `bun:"mode,scanonly"` // of its workflow
	SignalsSeen   int                 `bun:"signals_seen,scanonly"`
}

func (v versionRow) version() idv.WorkflowVersion {
	w := v.Spec
	w.ID, w.Workflow = idv.WorkflowVersionID(v.ID), idv.WorkflowID(v.Workflow)
	w.Number, w.State, w.Mode = v.Number, idv.WorkflowState(v.State), idv.Mode(v.Mode)
	return w
}

// Workflow implements session.RecordReader.
func (r *WorkflowReader) Workflow(ctx context.Context, id idv.WorkflowVersionID) (idv.WorkflowVersion, error) {
	var row versionRow
	err := r.Conn.NewSelect().Model(&row).ColumnExpr("v.*, w.mode").Join("JOIN workflows AS w ON w.id = v.workflow_id").
		Where("v.id = ?", string(id)).Scan(ctx)
	if err != nil {
		return idv.WorkflowVersion{}, database.Missing(err, "read workflow")
	}
	return row.version(), nil
}

// WorkflowNamed implements session.RecordReader.
func (r *WorkflowReader) WorkflowNamed(ctx context.Context, mode idv.Mode, name string) (idv.WorkflowVersion, error) {
	var row versionRow
	err := r.Conn.NewSelect().Model(&row).ColumnExpr("v.*, w.mode").Join("JOIN workflows AS w ON w.id = v.workflow_id").
		Where("w.mode = ? AND w.name = ? AND v.state = ?", string(mode), name, string(idv.Published)).
		OrderExpr("v.number DESC").Limit(1).Scan(ctx)
	if err != nil {
		return idv.WorkflowVersion{}, database.Missing(err, "read workflow")
	}
	return row.version(), nil
}

// Workflows implements session.RecordReader.
func (r *WorkflowReader) Workflows(ctx context.Context, mode idv.Mode) ([]idv.WorkflowVersion, error) {
	var rows []versionRow
	err := r.Conn.NewSelect().Model(&rows).ColumnExpr("v.*, w.mode").Join("JOIN workflows AS w ON w.id = v.workflow_id").
		Where("w.mode = ? AND v.state = ?", string(mode), string(idv.Published)).
		Where("NOT EXISTS (SELECT 1 FROM workflow_versions n WHERE n.workflow_id = v.workflow_id AND n.state = v.state AND n.number > v.number)").
		OrderExpr("w.name").Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("list workflows: %w", err)
	}
	out := make([]idv.WorkflowVersion, 0, len(rows))
	for _, row := range rows {
		out = append(out, row.version())
	}
	return out, nil
}

// SeedWorkflow gives a deployment a workflow, once: one of that name and mode stays as it is.
func (s *Catalogue) SeedWorkflow(ctx context.Context, spec idv.WorkflowVersion) error {
	defer s.published.clear()
	mode := spec.Mode
	wid, err := idv.NewID[idv.WorkflowID](s.db.Now(), s.db.Random)
	if err != nil {
		return err
	}
	vid, err := idv.NewID[idv.WorkflowVersionID](s.db.Now(), s.db.Random)
	if err != nil {
		return err
	}
	return s.db.RunInTx(ctx, func(ctx context.Context, btx bun.Tx) error {
		w := workflowRow{ID: string(wid), Mode: string(mode), Name: spec.Name, CreatedAt: s.db.Now(), SignalsSeen: idv.SignalsGeneration}
		res, err := btx.NewInsert().Model(&w).On("CONFLICT (mode, name) DO NOTHING").Exec(ctx)
		if err != nil {
			return fmt.Errorf("seed workflow: %w", err)
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return err
		}
		v := versionRow{ID: string(vid), Workflow: w.ID, Number: spec.Number, State: string(spec.State), Spec: spec, CreatedAt: s.db.Now()}
		if _, err := btx.NewInsert().Model(&v).Exec(ctx); err != nil {
			return fmt.Errorf("seed workflow: %w", err)
		}
		m := marksRow{Version: v.ID, ChangedAt: v.CreatedAt, PublishedAt: v.CreatedAt}
		if _, err := btx.NewInsert().Model(&m).Exec(ctx); err != nil {
			return fmt.Errorf("seed workflow: %w", err)
		}
		return nil
	})
}

// marked is a version with its marks. Of one that the binary before this one made there are none.
func (v versionRow) marked(m marksRow) workflow.Version {
	out := workflow.Version{
		WorkflowVersion: v.version(), Revision: m.Revision, CreatedAt: v.CreatedAt.UTC(), CreatedBy: m.CreatedBy, ChangedAt: database.UTC(m.ChangedAt),
		ChangedBy:   m.ChangedBy,
		PublishedAt: database.UTC(m.PublishedAt), PublishedBy: m.PublishedBy, RetiredAt: database.UTC(m.RetiredAt), RetiredBy: m.RetiredBy,
	}
	if m.Version == "" {
		out.ChangedAt, out.PublishedAt = out.CreatedAt, out.CreatedAt
	}
	return out
}
