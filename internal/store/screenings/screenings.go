// Package screenings keeps who is screened again as watchlists change, and the runs over them.
package screenings

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
	"github.com/bonafide-id/bonafide/internal/screening/monitor"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/auditlog"
	"github.com/bonafide-id/bonafide/internal/store/database"
	"github.com/bonafide-id/bonafide/internal/store/queue"
)

// Screenings are the people who are screened again. It is safe for concurrent use.
type Screenings struct {
	db    *database.DB
	queue *queue.Queue
}

// New returns the Screenings of a database.
func New(db *database.DB, q *queue.Queue) *Screenings { return &Screenings{db: db, queue: q} }

// subjectRow is a person who is screened again, sealed.
type subjectRow struct {
	bun.BaseModel `bun:"table:screening_subjects,alias:s"`
	Session       string    `bun:"session_id"`
	Mode          string    `bun:"mode"`
	Person        []byte    `bun:"person"`
	Settings      string    `bun:"settings"`
	Since         time.Time `bun:"since"`
	ScreenedAt    time.Time `bun:"screened_at"`
}

// monitored is who is under monitoring.
const monitored = "s.ended_at IS NULL AND EXISTS (SELECT 1 FROM sessions r WHERE r.id = s.session_id AND r.outcome = 'approved' " +
	"AND r.state IN ('approved', 'declined') AND r.erased_at IS NULL)"

// ScreeningSubjects implements monitor.Store.
func (s *Screenings) ScreeningSubjects(ctx context.Context, after idv.SessionID, limit int) ([]session.Subject, error) {
	var rows []subjectRow
	err := s.db.Read.NewSelect().Model(&rows).Where(monitored).Where("s.session_id > ?", string(after)).OrderExpr("s.session_id").
		Limit(int64(limit)).Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("list who is screened again: %w", err)
	}
	ids := make([]string, 0, len(rows))
	for _, row := range rows {
		ids = append(ids, row.Session)
	}
	r, err := s.db.Reader().WithKeysets(ctx, ids)
	if err != nil {
		return nil, err
	}
	out := make([]session.Subject, 0, len(rows))
	for _, row := range rows {
		o := session.Subject{
			Session: idv.SessionID(row.Session), Mode: idv.Mode(row.Mode), Since: row.Since.UTC(), ScreenedAt: row.ScreenedAt.UTC(),
		}
		var person json.RawMessage
		err := r.UnsealJSON(ctx, o.Session, database.Place("screening_subjects.person", row.Session), row.Person, &person)
		if problem.Has(err, problem.SessionErased) {
			continue // since the rows were read
		}
		if err != nil {
			return nil, err
		}
		o.Person = person
		if err := json.Unmarshal([]byte(row.Settings), &o.Settings); err != nil {
			return nil, fmt.Errorf("read settings of screening: %w", err)
		}
		out = append(out, o)
	}
	return out, nil
}

// CountScreeningSubjects implements monitor.Store.
func (s *Screenings) CountScreeningSubjects(ctx context.Context, before time.Time) (int, error) {
	q := s.db.Read.NewSelect().Model((*subjectRow)(nil)).Where(monitored)
	if !before.IsZero() {
		q = q.Where("s.screened_at < ?", before)
	}
	n, err := q.Count(ctx)
	if err != nil {
		return 0, fmt.Errorf("count who is screened again: %w", err)
	}
	return int(n), nil
}

// unscreened is who was approved and never looked at by a run.
const unscreened = "r.outcome = 'approved' AND r.state IN ('approved', 'declined') AND r.erased_at IS NULL AND r.persona = '' " +
	"AND NOT EXISTS (SELECT 1 FROM screening_subjects s WHERE s.session_id = r.id)"

// ListUnscreened implements monitor.Store.
func (s *Screenings) ListUnscreened(ctx context.Context, after idv.SessionID, limit int) ([]idv.SessionID, error) {
	var ids []string
	err := s.db.Read.NewSelect().TableExpr("sessions AS r").ColumnExpr("r.id").Where(unscreened).Where("r.id > ?", string(after)).
		OrderExpr("r.id").Limit(int64(limit)).Scan(ctx, &ids)
	if err != nil {
		return nil, fmt.Errorf("list who was never screened: %w", err)
	}
	out := make([]idv.SessionID, 0, len(ids))
	for _, id := range ids {
		out = append(out, idv.SessionID(id))
	}
	return out, nil
}

// CountUnscreened implements monitor.Store.
func (s *Screenings) CountUnscreened(ctx context.Context) (int, error) {
	n, err := s.db.Read.NewSelect().TableExpr("sessions AS r").Where(unscreened).Count(ctx)
	if err != nil {
		return 0, fmt.Errorf("count who was never screened: %w", err)
	}
	return int(n), nil
}

// EndMonitoring implements monitor.Store.
func (s *Screenings) EndMonitoring(ctx context.Context, id idv.SessionID, by string, at time.Time) (ended bool, err error) {
	return ended, s.db.Transact(ctx, func(ctx context.Context, t *database.Tx) error {
		n, err := database.Affected(t.Conn.NewUpdate().Model((*subjectRow)(nil)).Set("ended_at = ?", at).Set("ended_by = ?", by).
			Where("s.session_id = ? AND s.ended_at IS NULL", string(id)).Exec(ctx))
		if err != nil {
			return fmt.Errorf("end a monitoring: %w", err)
		}
		if ended = n > 0; !ended {
			return nil
		}
		w := auditlog.EntryWriter{Tx: t}
		return w.Audit(ctx, audit.Record{Action: "screening.monitoring_ended", Session: id})
	})
}

// NoteScreened implements monitor.Store.
func (s *Screenings) NoteScreened(ctx context.Context, ids []idv.SessionID, at time.Time) error {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = string(id)
	}
	_, err := s.db.Write.NewUpdate().Model((*subjectRow)(nil)).Set("screened_at = ?", at).Where("s.session_id IN (?)", bun.List(texts)).Exec(ctx)
	if err != nil {
		return fmt.Errorf("note who was screened: %w", err)
	}
	return nil
}

type runRow struct {
	bun.BaseModel `bun:"table:screening_runs,alias:n"`
	ID            string    `bun:"id"`
	Kind          string    `bun:"kind"`
	List          string    `bun:"list"`
	Version       string    `bun:"version_id"`
	Before        string    `bun:"before_id"`
	State         string    `bun:"state"`
	Cursor        string    `bun:"cursor_at"`
	People        int       `bun:"people"`
	Done          int       `bun:"done"`
	Hits          int       `bun:"hits"`
	Failed        int       `bun:"failed"`
	StartedBy     string    `bun:"started_by"`
	StartedAt     time.Time `bun:"started_at"`
	EndedAt       time.Time `bun:"ended_at,nullzero"`
}

func rowOf(r monitor.Run) *runRow {
	return &runRow{
		ID: string(r.ID), Kind: string(r.Kind), List: string(r.List), Version: string(r.Version), Before: string(r.Before), State: string(r.State),
		Cursor: string(r.Cursor), People: r.People, Done: r.Done, Hits: r.Hits, Failed: r.Failed, StartedBy: r.StartedBy, StartedAt: r.StartedAt,
		EndedAt: r.EndedAt,
	}
}

func (r runRow) run() monitor.Run {
	return monitor.Run{
		ID: idv.ScreeningRunID(r.ID), Kind: monitor.Kind(r.Kind), List: idv.WatchlistID(r.List), Version: idv.WatchlistVersionID(r.Version),
		Before: idv.WatchlistVersionID(r.Before), State: monitor.State(r.State), Cursor: idv.SessionID(r.Cursor), People: r.People,
		Done: r.Done, Hits: r.Hits, Failed: r.Failed, StartedBy: r.StartedBy, StartedAt: r.StartedAt.UTC(), EndedAt: database.UTC(r.EndedAt),
	}
}

// ScreeningRuns implements monitor.Store.
func (s *Screenings) ScreeningRuns(ctx context.Context, limit int) ([]monitor.Run, error) {
	var rows []runRow
	if err := s.db.Read.NewSelect().Model(&rows).OrderExpr("n.seq DESC").Limit(int64(limit)).Scan(ctx); err != nil {
		return nil, fmt.Errorf("list runs of screening: %w", err)
	}
	out := make([]monitor.Run, 0, len(rows))
	for _, row := range rows {
		out = append(out, row.run())
	}
	return out, nil
}

// ScreeningRun implements monitor.Store.
func (s *Screenings) ScreeningRun(ctx context.Context, id idv.ScreeningRunID) (monitor.Run, error) {
	var row runRow
	if err := s.db.Read.NewSelect().Model(&row).Where("n.id = ?", string(id)).Scan(ctx); err != nil {
		return monitor.Run{}, database.Missing(err, "read a run of screening")
	}
	return row.run(), nil
}

// AddScreeningRun implements monitor.Store.
func (s *Screenings) AddScreeningRun(ctx context.Context, r monitor.Run, by audit.Record) (added bool, err error) {
	return added, s.db.Transact(ctx, func(ctx context.Context, t *database.Tx) error {
		if _, err := t.Conn.ExecContext(ctx, "UPDATE locks SET taken = taken + 1 WHERE name = 'screening_runs'"); err != nil {
			return fmt.Errorf("lock the runs of screening: %w", err)
		}
		n, err := t.Conn.NewSelect().Model((*runRow)(nil)).Where("n.kind = ? AND n.state = 'running' AND n.kind <> 'list_changed'", string(r.Kind)).Count(ctx)
		if err != nil {
			return fmt.Errorf("look for a run of screening: %w", err)
		}
		if added = n == 0; !added {
			return nil
		}
		if err := t.Insert(ctx, rowOf(r), "run of screening"); err != nil {
			return err
		}
		w := auditlog.EntryWriter{Tx: t}
		if err := w.Audit(ctx, by); err != nil {
			return err
		}
		j := s.queue.In(t)
		return j.Enqueue(ctx, r.Job())
	})
}

// SaveScreeningRun implements monitor.Store.
func (s *Screenings) SaveScreeningRun(ctx context.Context, r monitor.Run) error {
	_, err := s.db.Write.NewUpdate().Model(rowOf(r)).ExcludeColumn("id", "kind", "started_by", "started_at").Where("n.id = ?", string(r.ID)).Exec(ctx)
	if err != nil {
		return fmt.Errorf("save a run of screening: %w", err)
	}
	return nil
}

// EnqueueFetch implements monitor.Store.
func (s *Screenings) EnqueueFetch(ctx context.Context, id idv.WatchlistID) error {
	return s.db.Transact(ctx, func(ctx context.Context, t *database.Tx) error {
		j := s.queue.In(t)
		return j.Enqueue(ctx, job.FetchList{List: id})
	})
}
