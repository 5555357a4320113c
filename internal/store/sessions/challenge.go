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

type challengeRow struct {
	bun.BaseModel `bun:"table:challenges"`
	ID            string        `bun:"id"`
	Session       string        `bun:"session_id"`
	Step          string        `bun:"step"`
	Try           int           `bun:"try"`
	Spec          idv.Challenge `bun:"spec,type:json"`
	IssuedAt      time.Time     `bun:"issued_at"`
	ExpiresAt     time.Time     `bun:"expires_at"`
	UsedAt        time.Time     `bun:"used_at,nullzero"`
}

func (c challengeRow) challenge() session.ChallengeRow {
	return session.ChallengeRow{
		ID: idv.ChallengeID(c.ID), Session: idv.SessionID(c.Session), Step: idv.Step(c.Step), Try: c.Try, Spec: c.Spec,
		IssuedAt: c.IssuedAt.UTC(), ExpiresAt: c.ExpiresAt.UTC(), UsedAt: database.UTC(c.UsedAt),
	}
}

// AddChallenge implements session.Writer.
func (t *ApplicantWriter) AddChallenge(ctx context.Context, c session.ChallengeRow) error {
	return t.Insert(ctx, &challengeRow{
		ID: string(c.ID), Session: string(c.Session), Step: string(c.Step), Try: c.Try, Spec: c.Spec,
		IssuedAt: c.IssuedAt, ExpiresAt: c.ExpiresAt, UsedAt: c.UsedAt,
	}, "challenge")
}

// CloseChallenges implements session.Writer.
func (t *ApplicantWriter) CloseChallenges(ctx context.Context, id idv.SessionID, at time.Time) error {
	_, err := t.Conn.NewUpdate().Model((*challengeRow)(nil)).Set("used_at = ?", at).
		Where("session_id = ? AND used_at IS NULL", string(id)).Exec(ctx)
	if err != nil {
		return fmt.Errorf("close challenges: %w", err)
	}
	return nil
}

// Challenge implements session.ChallengeReader.
func (r *ApplicantReader) Challenge(ctx context.Context, id idv.ChallengeID) (session.ChallengeRow, error) {
	var row challengeRow
	if err := r.Conn.NewSelect().Model(&row).Where("id = ?", string(id)).Scan(ctx); err != nil {
		return session.ChallengeRow{}, database.Missing(err, "read challenge")
	}
	return row.challenge(), nil
}

// Challenges implements session.ChallengeReader.
func (r *ApplicantReader) Challenges(ctx context.Context, id idv.SessionID) ([]session.ChallengeRow, error) {
	var rows []challengeRow
	if err := r.Conn.NewSelect().Model(&rows).Where("session_id = ?", string(id)).OrderExpr("seq").Scan(ctx); err != nil {
		return nil, fmt.Errorf("read challenges: %w", err)
	}
	out := make([]session.ChallengeRow, 0, len(rows))
	for _, row := range rows {
		out = append(out, row.challenge())
	}
	return out, nil
}

// Sign implements session.ChallengeReader.
func (r *ApplicantReader) Sign(ctx context.Context, use string, b []byte) (string, error) {
	k, err := r.DB.Deployment(ctx)
	if err != nil {
		return "", err
	}
	return k.Digest("sign."+use, b)
}

type chipChallengeRow struct {
	bun.BaseModel `bun:"table:chip_challenges"`
	ID            string    `bun:"id"`
	Session       string    `bun:"session_id"`
	Challenge     []byte    `bun:"challenge"`
	IssuedAt      time.Time `bun:"issued_at"`
	ExpiresAt     time.Time `bun:"expires_at"`
	UsedAt        time.Time `bun:"used_at,nullzero"`
}

// AddChipChallenge implements session.Writer.
func (t *ApplicantWriter) AddChipChallenge(ctx context.Context, c session.ChipChallengeRow) error {
	return t.Insert(ctx, &chipChallengeRow{
		ID: string(c.ID), Session: string(c.Session), Challenge: c.Bytes, IssuedAt: c.IssuedAt, ExpiresAt: c.ExpiresAt, UsedAt: c.UsedAt,
	}, "challenge to a chip")
}

// CloseChipChallenges implements session.Writer.
func (t *ApplicantWriter) CloseChipChallenges(ctx context.Context, id idv.SessionID, at time.Time) error {
	_, err := t.Conn.NewUpdate().Model((*chipChallengeRow)(nil)).Set("used_at = ?", at).
		Where("session_id = ? AND used_at IS NULL", string(id)).Exec(ctx)
	if err != nil {
		return fmt.Errorf("close challenges to a chip: %w", err)
	}
	return nil
}

// ChipChallenge implements session.ChallengeReader.
func (r *ApplicantReader) ChipChallenge(ctx context.Context, id idv.ChallengeID) (session.ChipChallengeRow, error) {
	var row chipChallengeRow
	if err := r.Conn.NewSelect().Model(&row).Where("id = ?", string(id)).Scan(ctx); err != nil {
		return session.ChipChallengeRow{}, database.Missing(err, "read a challenge to a chip")
	}
	return session.ChipChallengeRow{
		ID: idv.ChallengeID(row.ID), Session: idv.SessionID(row.Session), Bytes: row.Challenge,
		IssuedAt: row.IssuedAt.UTC(), ExpiresAt: row.ExpiresAt.UTC(), UsedAt: database.UTC(row.UsedAt),
	}, nil
}

// CountChipChallenges implements session.ChallengeReader.
func (r *ApplicantReader) CountChipChallenges(ctx context.Context, id idv.SessionID) (int, error) {
	n, err := r.Conn.NewSelect().Model((*chipChallengeRow)(nil)).Where("session_id = ?", string(id)).Count(ctx)
	if err != nil {
		return 0, fmt.Errorf("count challenges to a chip: %w", err)
	}
	return int(n), nil
}
