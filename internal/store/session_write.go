package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/uptrace/bun"
	"golang.org/x/text/unicode/norm"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// Lock implements session.Writer.
func (t *tx) Lock(ctx context.Context, id idv.SessionID) (session.Record, error) {
	return t.sessionBy(ctx, "id", string(id), true)
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
	if err := t.insert(ctx, &row, "session"); err != nil {
		return err
	}
	if r.ExternalReference == "" {
		return nil
	}
	return t.index(ctx, r.ID, blindReference, r.ExternalReference)
}

// SaveSession implements session.Writer.
func (t *tx) SaveSession(ctx context.Context, r session.Record) error {
	read := r.Version
	r.Version++
	row, err := t.seal(ctx, r)
	if err != nil {
		return err
	}
	res, err := t.db.NewUpdate().Model(&row).Where("s.id = ? AND s.version = ?", row.ID, read).Exec(ctx)
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
	TextVersion   string    `bun:"text_version"`
	Locale        string    `bun:"locale"`
	Address       string    `bun:"address"`
	CreatedAt     time.Time `bun:"created_at"`
}

// AddConsent implements session.Writer.
func (t *tx) AddConsent(ctx context.Context, c session.ConsentRow) error {
	return t.insert(ctx, &consentRow{
		ID: string(c.ID), Session: string(c.Session), Given: c.Given, TextVersion: c.TextVersion,
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
			Consent: session.Consent{Given: row.Given, TextVersion: row.TextVersion, Locale: row.Locale, Address: row.Address},
		})
	}
	return out, nil
}

// The kinds of blind index: what can be found by its exact value without being kept in the clear.
const (
	blindReference = "external_reference"
	blindNumber    = "document_number"
	blindName      = "full_name"
)

type blindRow struct {
	bun.BaseModel `bun:"table:blind_indexes"`
	Session       string `bun:"session_id"`
	Kind          string `bun:"kind"`
	Digest        string `bun:"digest"`
}

// blind computes the index of a value under the deployment's key: case, spacing and Unicode form do not matter.
func (r *reader) blind(ctx context.Context, kind, value string) (string, error) {
	k, err := r.s.deployment(ctx)
	if err != nil {
		return "", err
	}
	normal := strings.ToUpper(strings.Join(strings.Fields(norm.NFKC.String(value)), " "))
	return k.Digest("blind."+kind, []byte(normal))
}

func (t *tx) index(ctx context.Context, id idv.SessionID, kind, value string) error {
	digest, err := t.blind(ctx, kind, value)
	if err != nil {
		return err
	}
	return t.insertOnce(ctx, &blindRow{Session: string(id), Kind: kind, Digest: digest}, "session_id, kind, digest", "index")
}
