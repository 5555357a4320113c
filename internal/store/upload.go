package store

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
)

type uploadRow struct {
	bun.BaseModel `bun:"table:uploads"`
	ID            string    `bun:"id"`
	Session       string    `bun:"session_id"`
	Received      int64     `bun:"received"`
	Parts         int       `bun:"parts"`
	Attempt       string    `bun:"attempt"`
	MadeAt        time.Time `bun:"made_at"`
	ExpiresAt     time.Time `bun:"expires_at"`
}

type uploadPartRow struct {
	bun.BaseModel `bun:"table:upload_parts"`
	Upload        string `bun:"upload_id"`
	Session       string `bun:"session_id"`
	Number        int    `bun:"number"`
	Bytes         int64  `bun:"bytes"`
	Blob          string `bun:"blob"`
}

func (u uploadRow) upload() session.UploadRow {
	return session.UploadRow{
		ID: idv.UploadID(u.ID), Session: idv.SessionID(u.Session), Received: u.Received, Parts: u.Parts, Attempt: u.Attempt,
		MadeAt: u.MadeAt.UTC(), ExpiresAt: u.ExpiresAt.UTC(),
	}
}

// AddUpload implements session.UploadWriter.
func (t *tx) AddUpload(ctx context.Context, u session.UploadRow) error {
	return t.insert(ctx, &uploadRow{
		ID: string(u.ID), Session: string(u.Session), Received: u.Received, Parts: u.Parts, Attempt: u.Attempt,
		MadeAt: u.MadeAt, ExpiresAt: u.ExpiresAt,
	}, "upload")
}

// SaveUpload implements session.UploadWriter.
func (t *tx) SaveUpload(ctx context.Context, u session.UploadRow) error {
	row := uploadRow{Received: u.Received, Parts: u.Parts, Attempt: u.Attempt}
	_, err := t.db.NewUpdate().Model(&row).Column("received", "parts", "attempt").Where("id = ?", string(u.ID)).Exec(ctx)
	if err != nil {
		return fmt.Errorf("write upload: %w", err)
	}
	return nil
}

// AddUploadPart implements session.UploadWriter.
func (t *tx) AddUploadPart(ctx context.Context, p session.UploadPart) error {
	return t.insert(ctx, &uploadPartRow{
		Upload: string(p.Upload), Session: string(p.Session), Number: p.Number, Bytes: p.Bytes, Blob: p.Blob,
	}, "part of an upload")
}

// RemoveUploadParts implements session.UploadWriter.
func (t *tx) RemoveUploadParts(ctx context.Context, id idv.UploadID) error {
	_, err := t.db.NewDelete().Model((*uploadPartRow)(nil)).Where("upload_id = ?", string(id)).Exec(ctx)
	if err != nil {
		return fmt.Errorf("remove parts of an upload: %w", err)
	}
	return nil
}

// RemoveUpload implements session.UploadWriter.
func (t *tx) RemoveUpload(ctx context.Context, id idv.UploadID) error {
	_, err := t.db.NewDelete().Model((*uploadRow)(nil)).Where("id = ?", string(id)).Exec(ctx)
	if err != nil {
		return fmt.Errorf("remove upload: %w", err)
	}
	return nil
}

// Upload implements session.UploadReader.
func (r *reader) Upload(ctx context.Context, id idv.UploadID) (session.UploadRow, error) {
	var row uploadRow
	if err := r.db.NewSelect().Model(&row).Where("id = ?", string(id)).Scan(ctx); err != nil {
		return session.UploadRow{}, missing(err, "read upload")
	}
	return row.upload(), nil
}

// Uploads implements session.UploadReader.
func (r *reader) Uploads(ctx context.Context, id idv.SessionID) ([]session.UploadRow, error) {
	return r.uploads(ctx, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("session_id = ?", string(id)).OrderExpr("seq")
	})
}

// OverdueUploads implements session.UploadReader.
func (r *reader) OverdueUploads(ctx context.Context, now time.Time, limit int) ([]session.UploadRow, error) {
	return r.uploads(ctx, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("expires_at <= ?", now).OrderExpr("expires_at").Limit(int64(limit))
	})
}

func (r *reader) uploads(ctx context.Context, narrow func(*bun.SelectQuery) *bun.SelectQuery) ([]session.UploadRow, error) {
	var rows []uploadRow
	if err := narrow(r.db.NewSelect().Model(&rows)).Scan(ctx); err != nil {
		return nil, fmt.Errorf("read uploads: %w", err)
	}
	out := make([]session.UploadRow, 0, len(rows))
	for _, row := range rows {
		out = append(out, row.upload())
	}
	return out, nil
}

// UploadParts implements session.UploadReader.
func (r *reader) UploadParts(ctx context.Context, id idv.UploadID) ([]session.UploadPart, error) {
	var rows []uploadPartRow
	if err := r.db.NewSelect().Model(&rows).Where("upload_id = ?", string(id)).OrderExpr("number").Scan(ctx); err != nil {
		return nil, fmt.Errorf("read parts of an upload: %w", err)
	}
	out := make([]session.UploadPart, 0, len(rows))
	for _, row := range rows {
		out = append(out, session.UploadPart{
			Upload: id, Session: idv.SessionID(row.Session), Number: row.Number, Bytes: row.Bytes, Blob: row.Blob,
		})
	}
	return out, nil
}
