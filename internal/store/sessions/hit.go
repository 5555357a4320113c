package sessions

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/database"
)

// HitReader reads hits of screening.
type HitReader struct{ *database.Reader }

// HitWriter writes hits of screening, and who is screened again.
type HitWriter struct{ *database.Tx }

// hitRow is a hit. Whom it is about is sealed.
type hitRow struct {
	bun.BaseModel `bun:"table:screening_hits,alias:h"`
	ID            string    `bun:"id"`
	Session       string    `bun:"session_id"`
	Mode          string    `bun:"mode"`
	List          string    `bun:"list"`
	Entry         string    `bun:"entry"`
	Topic         string    `bun:"topic"`
	Band          string    `bun:"band"`
	State         string    `bun:"state"`
	Cause         string    `bun:"caused_by"`
	Found         []byte    `bun:"found"`
	Was           []byte    `bun:"was"`
	OpenedAt      time.Time `bun:"opened_at"`
	DecidedBy     string    `bun:"decided_by"`
	DecidedAt     time.Time `bun:"decided_at,nullzero"`
	Reason        string    `bun:"reason"`
	Note          []byte    `bun:"note"`
	Until         time.Time `bun:"valid_until,nullzero"`
	SecondBy      string    `bun:"second_by"`
	SecondAt      time.Time `bun:"second_at,nullzero"`
	Said          []byte    `bun:"said"`
	Version       int64     `bun:"version"`
}

func place(column, row string) string { return database.Place("screening_hits."+column, row) }

func (t *HitWriter) rowOf(ctx context.Context, h session.Hit) (*hitRow, error) {
	row := &hitRow{
		ID: string(h.ID), Session: string(h.Session), Mode: string(h.Mode), List: h.Found.List, Entry: h.Found.Entry,
		Topic: string(h.Found.Topic), Band: string(h.Found.Band), State: string(h.State), Cause: string(h.Cause), OpenedAt: h.OpenedAt,
		DecidedBy: h.DecidedBy, DecidedAt: h.DecidedAt, Reason: h.Reason, Until: h.Until, SecondBy: h.SecondBy, SecondAt: h.SecondAt,
		Version: h.Version,
	}
	var err error
	if row.Found, err = t.SealJSON(ctx, h.Session, place("found", row.ID), h.Found); err != nil {
		return nil, err
	}
	if h.Was != nil {
		if row.Was, err = t.SealJSON(ctx, h.Session, place("was", row.ID), h.Was); err != nil {
			return nil, err
		}
	}
	if h.Note != "" {
		if row.Note, err = t.SealJSON(ctx, h.Session, place("note", row.ID), h.Note); err != nil {
			return nil, err
		}
	}
	if len(h.Said) > 0 {
		row.Said, err = t.SealJSON(ctx, h.Session, place("said", row.ID), h.Said)
	}
	return row, err
}

// AddHit implements session.HitWriter.
func (t *HitWriter) AddHit(ctx context.Context, h session.Hit) error {
	row, err := t.rowOf(ctx, h)
	if err != nil {
		return err
	}
	return t.Insert(ctx, row, "hit")
}

// SaveHit implements session.HitWriter.
func (t *HitWriter) SaveHit(ctx context.Context, h session.Hit) error {
	row, err := t.rowOf(ctx, h)
	if err != nil {
		return err
	}
	row.Version++
	n, err := database.Affected(t.Conn.NewUpdate().Model(row).ExcludeColumn("id", "session_id", "mode").
		Where("h.id = ? AND h.version = ?", row.ID, h.Version).Exec(ctx))
	if err != nil {
		return fmt.Errorf("save a hit: %w", err)
	}
	if n == 0 {
		return problem.New(problem.ScreeningConflict)
	}
	return nil
}

func (r *HitReader) hit(ctx context.Context, row hitRow) (session.Hit, error) {
	h := session.Hit{
		ID: idv.HitID(row.ID), Session: idv.SessionID(row.Session), Mode: idv.Mode(row.Mode), State: session.HitState(row.State),
		Cause: session.HitCause(row.Cause), OpenedAt: row.OpenedAt.UTC(), DecidedBy: row.DecidedBy, DecidedAt: database.UTC(row.DecidedAt),
		Reason: row.Reason, Until: database.UTC(row.Until), SecondBy: row.SecondBy, SecondAt: database.UTC(row.SecondAt), Version: row.Version,
	}
	if err := r.UnsealJSON(ctx, h.Session, place("found", row.ID), row.Found, &h.Found); err != nil {
		return h, err
	}
	if len(row.Was) > 0 {
		h.Was = &idv.ScreeningHit{}
		if err := r.UnsealJSON(ctx, h.Session, place("was", row.ID), row.Was, h.Was); err != nil {
			return h, err
		}
	}
	if len(row.Note) > 0 {
		if err := r.UnsealJSON(ctx, h.Session, place("note", row.ID), row.Note, &h.Note); err != nil {
			return h, err
		}
	}
	if len(row.Said) > 0 {
		if err := r.UnsealJSON(ctx, h.Session, place("said", row.ID), row.Said, &h.Said); err != nil {
			return h, err
		}
	}
	h.Said = session.AllSaid(h.Said,
		session.Opinion{By: h.DecidedBy, At: h.DecidedAt, Decision: saidOfHit(h), Reason: h.Reason, Note: h.Note},
		session.Opinion{By: h.SecondBy, At: h.SecondAt, Decision: string(session.HitIsPerson)})
	return h, nil
}

// saidOfHit is what the reviewer said whom a hit names: of one that came back, that it is not the person.
func saidOfHit(h session.Hit) string {
	switch h.State {
	case session.HitAwaits:
		return string(session.HitIsPerson)
	case session.HitOpen:
		return string(session.HitNotPerson)
	default:
		return string(h.State)
	}
}

func (r *HitReader) hits(ctx context.Context, rows []hitRow) ([]session.Hit, error) {
	ids := make([]string, 0, len(rows))
	for _, row := range rows {
		ids = append(ids, row.Session)
	}
	with, err := r.WithKeysets(ctx, database.Distinct(ids))
	if err != nil {
		return nil, err
	}
	in := &HitReader{with}
	out := make([]session.Hit, 0, len(rows))
	for _, row := range rows {
		h, err := in.hit(ctx, row)
		if problem.Has(err, problem.SessionErased) {
			continue // since the rows were read
		}
		if err != nil {
			return nil, err
		}
		out = append(out, h)
	}
	return out, nil
}

// Hits implements session.HitReader.
func (r *HitReader) Hits(ctx context.Context, id idv.SessionID) ([]session.Hit, error) {
	var rows []hitRow
	if err := r.Conn.NewSelect().Model(&rows).Where("h.session_id = ?", string(id)).OrderExpr("h.seq").Scan(ctx); err != nil {
		return nil, fmt.Errorf("list hits: %w", err)
	}
	if len(rows) == 0 {
		return nil, nil
	}
	return r.hits(ctx, rows)
}

// Hit implements session.HitReader.
func (r *HitReader) Hit(ctx context.Context, id idv.HitID) (session.Hit, error) {
	var row hitRow
	if err := r.Conn.NewSelect().Model(&row).Where("h.id = ?", string(id)).Scan(ctx); err != nil {
		return session.Hit{}, database.Missing(err, "read a hit")
	}
	return r.hit(ctx, row)
}

// HitsOf implements session.HitReader.
func (r *HitReader) HitsOf(ctx context.Context, f session.HitFilter) ([]session.Hit, error) {
	var rows []hitRow
	q := r.Conn.NewSelect().Model(&rows).OrderExpr("h.seq")
	if f.Mode != "" {
		q = q.Where("h.mode = ?", string(f.Mode))
	}
	if len(f.States) > 0 {
		states := make([]string, len(f.States))
		for i, s := range f.States {
			states[i] = string(s)
		}
		q = q.Where("h.state IN (?)", bun.List(states))
	}
	if f.Topic != "" {
		q = q.Where("h.topic = ?", string(f.Topic))
	}
	if f.After != "" {
		q = q.Where("h.seq > COALESCE((SELECT seq FROM screening_hits WHERE id = ?), 0)", string(f.After))
	}
	if f.Limit > 0 {
		q = q.Limit(int64(f.Limit))
	}
	if err := q.Scan(ctx); err != nil {
		return nil, fmt.Errorf("list hits: %w", err)
	}
	return r.hits(ctx, rows)
}

// CountHits implements session.HitReader.
func (r *HitReader) CountHits(ctx context.Context, mode idv.Mode) (map[session.HitState]int, error) {
	var rows []struct {
		State string `bun:"state"`
		Count int    `bun:"count"`
	}
	err := r.Conn.NewSelect().TableExpr("screening_hits").ColumnExpr("state, COUNT(*) AS count").Where("mode = ?", string(mode)).
		GroupExpr("state").Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("count hits: %w", err)
	}
	out := map[session.HitState]int{}
	for _, row := range rows {
		out[session.HitState(row.State)] = row.Count
	}
	return out, nil
}

// SubjectRow is a person who is screened again, sealed.
type SubjectRow struct {
	bun.BaseModel `bun:"table:screening_subjects,alias:s"`
	Session       string    `bun:"session_id,pk"`
	Mode          string    `bun:"mode"`
	Person        []byte    `bun:"person"`
	Settings      string    `bun:"settings"`
	Since         time.Time `bun:"since"`
	ScreenedAt    time.Time `bun:"screened_at"`
	EndedAt       time.Time `bun:"ended_at,nullzero"`
	EndedBy       string    `bun:"ended_by"`
}

// SubjectPlace is the column that a subject's person is sealed for.
func SubjectPlace(id string) string { return database.Place("screening_subjects.person", id) }

// PutSubject implements session.HitWriter.
func (t *HitWriter) PutSubject(ctx context.Context, s session.Subject) error {
	sealed, err := t.SealJSON(ctx, s.Session, SubjectPlace(string(s.Session)), json.RawMessage(s.Person))
	if err != nil {
		return err
	}
	settings, err := json.Marshal(s.Settings)
	if err != nil {
		return fmt.Errorf("encode settings of screening: %w", err)
	}
	row := &SubjectRow{
		Session: string(s.Session), Mode: string(s.Mode), Person: sealed, Settings: string(settings), Since: s.Since, ScreenedAt: s.ScreenedAt,
		EndedAt: s.EndedAt, EndedBy: s.EndedBy,
	}
	q := t.Conn.NewInsert().Model(row).On("CONFLICT (session_id) DO UPDATE")
	for _, column := range []string{"person", "settings", "screened_at", "ended_at", "ended_by"} {
		q = q.Set("? = EXCLUDED.?", bun.Ident(column), bun.Ident(column))
	}
	return t.Put(ctx, q, "who is screened again")
}
