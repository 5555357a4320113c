package sessions

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/database"
)

// AttemptRow is an answer that an applicant sent, by the name of its attempt.
type AttemptRow struct {
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
func (t *ApplicantWriter) AddAttempt(ctx context.Context, a session.Attempt) error {
	return t.Insert(ctx, &AttemptRow{
		Session: string(a.Session), ID: a.ID, Step: string(a.Step), SHA256: string(a.SHA256),
		Problem: a.Problem, Counts: a.Counts, CreatedAt: a.At,
	}, "attempt")
}

// Attempt implements session.RecordReader.
func (r *ApplicantReader) Attempt(ctx context.Context, id idv.SessionID, attempt string) (session.Attempt, error) {
	var row AttemptRow
	if err := r.Conn.NewSelect().Model(&row).Where("session_id = ? AND id = ?", string(id), attempt).Scan(ctx); err != nil {
		return session.Attempt{}, database.Missing(err, "read attempt")
	}
	return session.Attempt{
		Session: id, ID: row.ID, Step: idv.Step(row.Step), SHA256: idv.Digest(row.SHA256),
		Problem: row.Problem, Counts: row.Counts, At: row.CreatedAt.UTC(),
	}, nil
}

// CountAttempts implements session.RecordReader.
func (r *ApplicantReader) CountAttempts(ctx context.Context, id idv.SessionID) (int, error) {
	n, err := r.Conn.NewSelect().Model((*AttemptRow)(nil)).Where("session_id = ?", string(id)).Count(ctx)
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
func (t *ApplicantWriter) AddConsent(ctx context.Context, c session.ConsentRow) error {
	return t.Insert(ctx, &consentRow{
		ID: string(c.ID), Session: string(c.Session), Given: c.Given, About: string(c.About), TextVersion: c.TextVersion,
		Locale: c.Locale, Address: c.Address, CreatedAt: c.At,
	}, "consent")
}

// Consents implements session.RecordReader.
func (r *ApplicantReader) Consents(ctx context.Context, id idv.SessionID) ([]session.ConsentRow, error) {
	var rows []consentRow
	if err := r.Conn.NewSelect().Model(&rows).Where("session_id = ?", string(id)).OrderExpr("created_at, id").Scan(ctx); err != nil {
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
