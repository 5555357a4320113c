package workflows

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/store/database"
	"github.com/bonafide-id/bonafide/internal/store/events"
	"github.com/bonafide-id/bonafide/internal/workflow"
)

// marksRow is who did what to a version, and when.
type marksRow struct {
	bun.BaseModel `bun:"table:version_marks,alias:m"`
	Version       string    `bun:"version_id"`
	Revision      int64     `bun:"revision"`
	CreatedBy     string    `bun:"created_by"`
	ChangedAt     time.Time `bun:"changed_at"`
	ChangedBy     string    `bun:"changed_by"`
	PublishedAt   time.Time `bun:"published_at,nullzero"`
	PublishedBy   string    `bun:"published_by"`
	RetiredAt     time.Time `bun:"retired_at,nullzero"`
	RetiredBy     string    `bun:"retired_by"`
}

func marksOf(v workflow.Version) marksRow {
	return marksRow{
		Version: string(v.ID), Revision: v.Revision, CreatedBy: v.CreatedBy, ChangedAt: v.ChangedAt, ChangedBy: v.ChangedBy,
		PublishedAt: v.PublishedAt, PublishedBy: v.PublishedBy, RetiredAt: v.RetiredAt, RetiredBy: v.RetiredBy,
	}
}

// ChangeWorkflows implements workflow.Store.
func (s *Catalogue) ChangeWorkflows(ctx context.Context, f func(ctx context.Context, tx workflow.Tx) error) error {
	defer s.published.clear()
	return s.db.Transact(ctx, func(ctx context.Context, dtx *database.Tx) error {
		t := In(dtx, s.queue)
		if _, err := t.Conn.ExecContext(ctx, "UPDATE locks SET taken = taken + 1 WHERE name = 'workflows'"); err != nil {
			return fmt.Errorf("lock workflows: %w", err)
		}
		return f(ctx, t)
	})
}

// WorkflowsOf implements workflow.Store.
func (r *WorkflowReader) WorkflowsOf(ctx context.Context, mode idv.Mode) ([]workflow.Workflow, error) {
	return r.workflows(ctx, "w.mode = ?", string(mode))
}

// WorkflowOf implements workflow.Store.
func (r *WorkflowReader) WorkflowOf(ctx context.Context, id idv.WorkflowID) (workflow.Workflow, error) {
	found, err := r.workflows(ctx, "w.id = ?", string(id))
	if err != nil {
		return workflow.Workflow{}, err
	}
	if len(found) == 0 {
		return workflow.Workflow{}, problem.New(problem.NotFound)
	}
	return found[0], nil
}

func (r *WorkflowReader) workflows(ctx context.Context, where string, arg any) ([]workflow.Workflow, error) {
	var rows []versionRow
	err := r.Conn.NewSelect().Model(&rows).ColumnExpr("v.*, w.mode, w.signals_seen").Join("JOIN workflows AS w ON w.id = v.workflow_id").
		Where(where, arg).OrderExpr("w.name, w.id, v.number DESC").Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("list workflows: %w", err)
	}
	var marks []marksRow
	err = r.Conn.NewSelect().Model(&marks).Join("JOIN workflow_versions AS v ON v.id = m.version_id").Join("JOIN workflows AS w ON w.id = v.workflow_id").
		Where(where, arg).Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("list workflows: %w", err)
	}
	by := map[string]marksRow{}
	for _, m := range marks {
		by[m.Version] = m
	}
	var out []workflow.Workflow
	for _, row := range rows {
		v := row.marked(by[row.ID])
		if len(out) == 0 || out[len(out)-1].ID != v.Workflow {
			out = append(out, workflow.Workflow{ID: v.Workflow, Mode: v.Mode, Name: v.Name, SignalsSeen: row.SignalsSeen})
		}
		last := &out[len(out)-1]
		last.Versions = append(last.Versions, v)
	}
	return out, nil
}

// AddWorkflow implements workflow.Tx.
func (t *WorkflowWriter) AddWorkflow(ctx context.Context, w workflow.Workflow, at time.Time) error {
	return t.Insert(ctx, &workflowRow{ID: string(w.ID), Mode: string(w.Mode), Name: w.Name, CreatedAt: at, SignalsSeen: w.SignalsSeen}, "workflow")
}

// SaveSignalsSeen implements workflow.Tx.
func (t *WorkflowWriter) SaveSignalsSeen(ctx context.Context, id idv.WorkflowID, generation int) error {
	_, err := t.Conn.NewUpdate().Model((*workflowRow)(nil)).Set("signals_seen = ?", generation).Where("id = ?", string(id)).Exec(ctx)
	if err != nil {
		return fmt.Errorf("save which signals a workflow was offered: %w", err)
	}
	return nil
}

// RemoveWorkflow implements workflow.Tx.
func (t *WorkflowWriter) RemoveWorkflow(ctx context.Context, id idv.WorkflowID) error {
	if _, err := t.Conn.NewDelete().Model((*workflowRow)(nil)).Where("id = ?", string(id)).Exec(ctx); err != nil {
		return fmt.Errorf("remove workflow: %w", err)
	}
	return nil
}

// AddVersion implements workflow.Tx.
func (t *WorkflowWriter) AddVersion(ctx context.Context, v workflow.Version) error {
	row := versionRow{ID: string(v.ID), Workflow: string(v.Workflow), Number: v.Number, State: string(v.State), Spec: v.WorkflowVersion, CreatedAt: v.CreatedAt}
	if err := t.Insert(ctx, &row, "workflow version"); err != nil {
		return err
	}
	marks := marksOf(v)
	return t.Insert(ctx, &marks, "workflow version")
}

// SaveVersion implements workflow.Tx. What a version says changes only while it is a draft.
func (t *WorkflowWriter) SaveVersion(ctx context.Context, v workflow.Version) error {
	row := versionRow{Spec: v.WorkflowVersion}
	_, err := t.Conn.NewUpdate().Model(&row).Column("spec").Where("v.id = ? AND v.state = ?", string(v.ID), string(idv.Draft)).Exec(ctx)
	if err != nil {
		return fmt.Errorf("save workflow version: %w", err)
	}
	_, err = t.Conn.NewUpdate().Model((*versionRow)(nil)).Set("state = ?", string(v.State)).Where("v.id = ?", string(v.ID)).Exec(ctx)
	if err != nil {
		return fmt.Errorf("save workflow version: %w", err)
	}
	marks := marksOf(v)
	if _, err := t.Conn.NewDelete().Model((*marksRow)(nil)).Where("m.version_id = ?", marks.Version).Exec(ctx); err != nil {
		return fmt.Errorf("save workflow version: %w", err)
	}
	return t.Insert(ctx, &marks, "workflow version")
}

// RemoveVersion implements workflow.Tx.
func (t *WorkflowWriter) RemoveVersion(ctx context.Context, id idv.WorkflowVersionID) error {
	for _, q := range []*bun.DeleteQuery{
		t.Conn.NewDelete().Model((*marksRow)(nil)).Where("m.version_id = ?", string(id)),
		t.Conn.NewDelete().Model((*versionRow)(nil)).Where("v.id = ? AND v.state = ?", string(id), string(idv.Draft)),
	} {
		if _, err := q.Exec(ctx); err != nil {
			return fmt.Errorf("remove workflow version: %w", err)
		}
	}
	return nil
}

// NotifyPublished implements workflow.Tx. The event belongs to no session, but to a mode.
func (t *WorkflowWriter) NotifyPublished(ctx context.Context, id idv.EventID, v workflow.Version, at time.Time) error {
	row := events.EventRow{
		ID: string(id), Type: "workflow.published", Actor: string(audit.ActorFrom(ctx).Kind), CreatedAt: at, Mode: string(v.Mode),
		Payload: map[string]any{"workflow": v.Workflow, "version": v.ID, "name": v.Name},
	}
	if err := t.Insert(ctx, &row, "event"); err != nil {
		return err
	}
	return t.FanOut(ctx, row)
}
