package store

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// Lock implements session.Writer.
func (t *tx) Lock(ctx context.Context, id idv.SessionID) (session.Record, error) {
	r, err := t.sessionBy(ctx, "id", string(id), true)
	if err == nil {
		t.knows(id, r.Mode)
	}
	return r, err
}

// AddSession implements session.Writer.
func (t *tx) AddSession(ctx context.Context, r session.Record) error {
	if err := t.addKeysets(ctx, r.ID); err != nil {
		return err
	}
	row, err := t.seal(ctx, r)
	if err != nil {
		return err
	}
	q := t.db.NewInsert().Model(&row).
		Value("workflow_id", "(SELECT v.workflow_id FROM workflow_versions AS v WHERE v.id = ?)", row.Workflow)
	if err := t.put(ctx, q, "session"); err != nil {
		return err
	}
	t.knows(r.ID, r.Mode)
	return t.indexSession(ctx, r)
}

// indexSession makes a session be found by what the integrator said of it.
func (t *tx) indexSession(ctx context.Context, r session.Record) error {
	rows, err := t.personRows(ctx, r.ID, idv.ClaimedFacts(r.Claimed))
	if err != nil {
		return err
	}
	said := map[string][]string{}
	if r.ExternalReference != "" {
		said[blindReference] = []string{r.ExternalReference}
	}
	for key, value := range r.Metadata {
		said[blindMetadata] = append(said[blindMetadata], metadataForm(key, value))
	}
	for kind, values := range said {
		more, err := t.blindRows(ctx, r.ID, kind, values...)
		if err != nil {
			return err
		}
		rows = append(rows, more...)
	}
	return t.index(ctx, rows)
}

// SaveSession implements session.Writer.
func (t *tx) SaveSession(ctx context.Context, r session.Record) error {
	read := r.Version
	r.Version++
	row, err := t.seal(ctx, r)
	if err != nil {
		return err
	}
	res, err := t.db.NewUpdate().Model(&row).ExcludeColumn("country").Where("s.id = ? AND s.version = ?", row.ID, read).Exec(ctx)
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

type attemptRow struct {
	bun.BaseModel `bun:"table:attempts"`
	Session       string    `bun:"session_id"`
	ID            string    `bun:"id"`
	Step          string    `bun:"step"`
	SHA256        string    `bun:"sha256"`
	Problem       string    `bun:"problem"`
	Counts        bool      `bun:"counts"`
	CreatedAt     time.Time `bun:"created_at"`
}

// AddAttempt implements session.Writer.
func (t *tx) AddAttempt(ctx context.Context, a session.Attempt) error {
	return t.insert(ctx, &attemptRow{
		Session: string(a.Session), ID: a.ID, Step: string(a.Step), SHA256: string(a.SHA256),
		Problem: a.Problem, Counts: a.Counts, CreatedAt: a.At,
	}, "attempt")
}

// Attempt implements session.RecordReader.
func (r *reader) Attempt(ctx context.Context, id idv.SessionID, attempt string) (session.Attempt, error) {
	var row attemptRow
	if err := r.db.NewSelect().Model(&row).Where("session_id = ? AND id = ?", string(id), attempt).Scan(ctx); err != nil {
		return session.Attempt{}, missing(err, "read attempt")
	}
	return session.Attempt{
		Session: id, ID: row.ID, Step: idv.Step(row.Step), SHA256: idv.Digest(row.SHA256),
		Problem: row.Problem, Counts: row.Counts, At: row.CreatedAt.UTC(),
	}, nil
}

// CountAttempts implements session.RecordReader.
func (r *reader) CountAttempts(ctx context.Context, id idv.SessionID) (int, error) {
	n, err := r.db.NewSelect().Model((*attemptRow)(nil)).Where("session_id = ?", string(id)).Count(ctx)
	if err != nil {
		return 0, fmt.Errorf("count attempts: %w", err)
	}
	return int(n), nil
}

type consentRow struct {
	bun.BaseModel `bun:"table:consents"`
	ID            string    `bun:"id"`
	Session       string    `bun:"session_id"`
	Given         bool      `bun:"given"`
	About         string    `bun:"about"`
	TextVersion   string    `bun:"text_version"`
	Locale        string    `bun:"locale"`
	Address       string    `bun:"address"`
	CreatedAt     time.Time `bun:"created_at"`
}

// AddConsent implements session.Writer.
func (t *tx) AddConsent(ctx context.Context, c session.ConsentRow) error {
	return t.insert(ctx, &consentRow{
		ID: string(c.ID), Session: string(c.Session), Given: c.Given, About: string(c.About), TextVersion: c.TextVersion,
		Locale: c.Locale, Address: c.Address, CreatedAt: c.At,
	}, "consent")
}

// Consents implements session.RecordReader.
func (r *reader) Consents(ctx context.Context, id idv.SessionID) ([]session.ConsentRow, error) {
	var rows []consentRow
	if err := r.db.NewSelect().Model(&rows).Where("session_id = ?", string(id)).OrderExpr("created_at, id").Scan(ctx); err != nil {
		return nil, fmt.Errorf("read consents: %w", err)
	}
	out := make([]session.ConsentRow, 0, len(rows))
	for _, row := range rows {
		out = append(out, session.ConsentRow{
			ID: idv.ConsentID(row.ID), Session: id, At: row.CreatedAt.UTC(),
			Consent: session.Consent{Given: row.Given, About: session.ConsentSubject(row.About), TextVersion: row.TextVersion, Locale: row.Locale, Address: row.Address},
		})
	}
	return out, nil
}
