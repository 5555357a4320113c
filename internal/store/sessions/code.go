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

type codeRow struct {
	bun.BaseModel `bun:"table:resume_codes"`
	Session       string    `bun:"session_id"`
	Digest        string    `bun:"digest"`
	Tries         int       `bun:"tries"`
	Made          int       `bun:"made"`
	FirstMadeAt   time.Time `bun:"first_made_at"`
	MadeAt        time.Time `bun:"made_at"`
	ExpiresAt     time.Time `bun:"expires_at"`
}

// ResumeCode implements session.TabReader.
func (r *ApplicantReader) ResumeCode(ctx context.Context, id idv.SessionID) (session.CodeRow, error) {
	var row codeRow
	if err := r.Conn.NewSelect().Model(&row).Where("session_id = ?", string(id)).Scan(ctx); err != nil {
		return session.CodeRow{}, database.Missing(err, "read a code")
	}
	return session.CodeRow{
		Session: idv.SessionID(row.Session), Digest: row.Digest, Tries: row.Tries, Made: row.Made,
		FirstMadeAt: row.FirstMadeAt.UTC(), MadeAt: row.MadeAt.UTC(), ExpiresAt: row.ExpiresAt.UTC(),
	}, nil
}

// SaveResumeCode implements session.Writer.
func (t *ApplicantWriter) SaveResumeCode(ctx context.Context, c session.CodeRow) error {
	row := codeRow{
		Session: string(c.Session), Digest: c.Digest, Tries: c.Tries, Made: c.Made, FirstMadeAt: c.FirstMadeAt, MadeAt: c.MadeAt, ExpiresAt: c.ExpiresAt,
	}
	_, err := t.Conn.NewInsert().Model(&row).On("CONFLICT (session_id) DO UPDATE").Set("digest = EXCLUDED.digest").Set("tries = EXCLUDED.tries").
		Set("made = EXCLUDED.made").Set("first_made_at = EXCLUDED.first_made_at").Set("made_at = EXCLUDED.made_at").
		Set("expires_at = EXCLUDED.expires_at").Exec(ctx)
	if err != nil {
		return fmt.Errorf("write a code: %w", err)
	}
	return nil
}
