package sessions

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/database"
)

type assignmentRow struct {
	bun.BaseModel `bun:"table:case_assignment,alias:a"`
	Mode          string `bun:"mode"`
	Enabled       bool   `bun:"enabled"`
	Most          int    `bun:"most"`
	Last          string `bun:"last_assignee"`
}

func (r assignmentRow) value() session.Assignment {
	return session.Assignment{Mode: idv.Mode(r.Mode), Enabled: r.Enabled, Most: r.Most, Last: idv.UserID(r.Last)}
}

type absenceRow struct {
	bun.BaseModel `bun:"table:absences,alias:b"`
	User          string    `bun:"user_id"`
	Since         time.Time `bun:"since"`
}

// Assignment implements session.AssignmentReader.
func (r *CaseReader) Assignment(ctx context.Context, mode idv.Mode) (session.Assignment, error) {
	row := assignmentRow{Mode: string(mode)}
	err := r.Conn.NewSelect().Model(&row).Where("a.mode = ?", string(mode)).Scan(ctx)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return session.Assignment{}, fmt.Errorf("read how cases are given out: %w", err)
	}
	row.Mode = string(mode)
	return row.value(), nil
}

// Absences implements session.AssignmentReader.
func (r *CaseReader) Absences(ctx context.Context) (map[idv.UserID]time.Time, error) {
	var rows []absenceRow
	if err := r.Conn.NewSelect().Model(&rows).Scan(ctx); err != nil {
		return nil, fmt.Errorf("list absences: %w", err)
	}
	out := make(map[idv.UserID]time.Time, len(rows))
	for _, row := range rows {
		out[idv.UserID(row.User)] = row.Since.UTC()
	}
	return out, nil
}

// HeldCases implements session.AssignmentReader.
func (r *CaseReader) HeldCases(ctx context.Context, mode idv.Mode, now time.Time) (map[idv.UserID]int, error) {
	var rows []struct {
		Assignee string `bun:"assignee"`
		N        int    `bun:"n"`
	}
	err := r.Conn.NewSelect().Model((*caseRow)(nil)).ColumnExpr("c.assignee, COUNT(*) AS n").
		Where("c.closed_at IS NULL AND c.mode = ? AND c.state = ? AND c.claimed_until > ?", string(mode), string(idv.CaseClaimed), now).
		GroupExpr("c.assignee").Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("count held cases: %w", err)
	}
	out := make(map[idv.UserID]int, len(rows))
	for _, row := range rows {
		out[idv.UserID(row.Assignee)] = row.N
	}
	return out, nil
}

// LockAssignment implements session.AssignmentWriter. On SQLite one transaction writes at a time; on PostgreSQL the row is locked.
func (t *CaseWriter) LockAssignment(ctx context.Context, mode idv.Mode) (session.Assignment, error) {
	row := assignmentRow{Mode: string(mode)}
	if err := t.InsertOnce(ctx, &row, "mode", "how cases are given out"); err != nil {
		return session.Assignment{}, err
	}
	q := t.Conn.NewSelect().Model(&row).Where("a.mode = ?", string(mode))
	if t.DB.Pool != nil {
		q = q.For("UPDATE")
	}
	if err := q.Scan(ctx); err != nil {
		return session.Assignment{}, fmt.Errorf("read how cases are given out: %w", err)
	}
	return row.value(), nil
}

// SaveAssignment implements session.AssignmentWriter.
func (t *CaseWriter) SaveAssignment(ctx context.Context, a session.Assignment) error {
	row := assignmentRow{Mode: string(a.Mode), Enabled: a.Enabled, Most: a.Most, Last: string(a.Last)}
	if _, err := t.Conn.NewUpdate().Model(&row).Where("mode = ?", row.Mode).Exec(ctx); err != nil {
		return fmt.Errorf("write how cases are given out: %w", err)
	}
	return nil
}

// SetAway implements session.AssignmentWriter.
func (t *CaseWriter) SetAway(ctx context.Context, who idv.UserID, since time.Time) error {
	if !since.IsZero() {
		return t.InsertOnce(ctx, &absenceRow{User: string(who), Since: since}, "user_id", "absence")
	}
	_, err := t.Conn.NewDelete().Model((*absenceRow)(nil)).Where("user_id = ?", string(who)).Exec(ctx)
	return database.Wrapped(err, "end an absence")
}
