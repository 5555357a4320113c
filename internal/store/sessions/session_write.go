package sessions

import (
	"context"
	"fmt"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// Lock implements session.Writer.
func (t *RecordWriter) Lock(ctx context.Context, id idv.SessionID) (session.Record, error) {
	r, err := t.read.sessionBy(ctx, "id", string(id), true)
	if err == nil {
		t.SetMode(id, r.Mode)
	}
	return r, err
}

// AddSession implements session.Writer.
func (t *RecordWriter) AddSession(ctx context.Context, r session.Record) error {
	if err := t.AddKeysets(ctx, r.ID); err != nil {
		return err
	}
	row, err := t.seal(ctx, r)
	if err != nil {
		return err
	}
	q := t.Conn.NewInsert().Model(&row).
		Value("workflow_id", "(SELECT v.workflow_id FROM workflow_versions AS v WHERE v.id = ?)", row.Workflow)
	if err := t.Put(ctx, q, "session"); err != nil {
		return err
	}
	t.SetMode(r.ID, r.Mode)
	return t.indexSession(ctx, r)
}

// indexSession makes a session be found by what the integrator said of it.
func (t *RecordWriter) indexSession(ctx context.Context, r session.Record) error {
	rows, err := t.blind.personRows(ctx, r.ID, idv.ClaimedFacts(r.Claimed))
	if err != nil {
		return err
	}
	stated, err := t.statedRows(ctx, r)
	if err != nil {
		return err
	}
	return t.blind.index(ctx, append(rows, stated...))
}

// IndexStated implements session.Writer.
func (t *RecordWriter) IndexStated(ctx context.Context, r session.Record) error {
	_, err := t.Conn.NewDelete().Model((*blindRow)(nil)).
		Where("session_id = ? AND kind IN (?)", string(r.ID), bun.List([]string{BlindReference, blindMetadata})).Exec(ctx)
	if err != nil {
		return fmt.Errorf("forget what a session was found by: %w", err)
	}
	rows, err := t.statedRows(ctx, r)
	if err != nil {
		return err
	}
	return t.blind.index(ctx, rows)
}

// statedRows make a session be found by its reference and metadata.
func (t *RecordWriter) statedRows(ctx context.Context, r session.Record) ([]blindRow, error) {
	var rows []blindRow
	said := map[string][]string{}
	if r.ExternalReference != "" {
		said[BlindReference] = []string{r.ExternalReference}
	}
	for key, value := range r.Metadata {
		said[blindMetadata] = append(said[blindMetadata], metadataForm(key, value))
	}
	for kind, values := range said {
		more, err := t.blind.blindRows(ctx, r.ID, kind, values...)
		if err != nil {
			return nil, err
		}
		rows = append(rows, more...)
	}
	return rows, nil
}

// SaveSession implements session.Writer.
func (t *RecordWriter) SaveSession(ctx context.Context, r session.Record) error {
	read := r.Version
	r.Version++
	row, err := t.seal(ctx, r)
	if err != nil {
		return err
	}
	res, err := t.Conn.NewUpdate().Model(&row).ExcludeColumn("country").Where("s.id = ? AND s.version = ?", row.ID, read).Exec(ctx)
	if err != nil {
		return fmt.Errorf("write session: %w", err)
	}
	n, err := res.RowsAffected()
	if err != nil {
		return fmt.Errorf("write session: %w", err)
	}
	if n != 1 {
		return problem.New(problem.SessionConflict)
	}
	return nil
}
