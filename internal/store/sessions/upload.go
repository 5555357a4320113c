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

// UploadPartRow is a part of an upload; its bytes are a blob.
type UploadPartRow struct {
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
func (t *ApplicantWriter) AddUpload(ctx context.Context, u session.UploadRow) error {
	return t.Insert(ctx, &uploadRow{
		ID: string(u.ID), Session: string(u.Session), Received: u.Received, Parts: u.Parts, Attempt: u.Attempt,
		MadeAt: u.MadeAt, ExpiresAt: u.ExpiresAt,
	}, "upload")
}

// SaveUpload implements session.UploadWriter.
func (t *ApplicantWriter) SaveUpload(ctx context.Context, u session.UploadRow) error {
	row := uploadRow{Received: u.Received, Parts: u.Parts, Attempt: u.Attempt}
	_, err := t.Conn.NewUpdate().Model(&row).Column("received", "parts", "attempt").Where("id = ?", string(u.ID)).Exec(ctx)
	if err != nil {
		return fmt.Errorf("write upload: %w", err)
	}
	return nil
}

// AddUploadPart implements session.UploadWriter.
func (t *ApplicantWriter) AddUploadPart(ctx context.Context, p session.UploadPart) error {
	return t.Insert(ctx, &UploadPartRow{
		Upload: string(p.Upload), Session: string(p.Session), Number: p.Number, Bytes: p.Bytes, Blob: p.Blob,
	}, "part of an upload")
}

// RemoveUploadParts implements session.UploadWriter.
func (t *ApplicantWriter) RemoveUploadParts(ctx context.Context, id idv.UploadID) error {
	_, err := t.Conn.NewDelete().Model((*UploadPartRow)(nil)).Where("upload_id = ?", string(id)).Exec(ctx)
	if err != nil {
		return fmt.Errorf("remove parts of an upload: %w", err)
	}
	return nil
}

// RemoveUpload implements session.UploadWriter.
func (t *ApplicantWriter) RemoveUpload(ctx context.Context, id idv.UploadID) error {
	_, err := t.Conn.NewDelete().Model((*uploadRow)(nil)).Where("id = ?", string(id)).Exec(ctx)
	if err != nil {
		return fmt.Errorf("remove upload: %w", err)
	}
	return nil
}

// Upload implements session.UploadReader.
func (r *ApplicantReader) Upload(ctx context.Context, id idv.UploadID) (session.UploadRow, error) {
	var row uploadRow
	if err := r.Conn.NewSelect().Model(&row).Where("id = ?", string(id)).Scan(ctx); err != nil {
		return session.UploadRow{}, database.Missing(err, "read upload")
	}
	return row.upload(), nil
}

// Uploads implements session.UploadReader.
func (r *ApplicantReader) Uploads(ctx context.Context, id idv.SessionID) ([]session.UploadRow, error) {
	return r.uploads(ctx, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("session_id = ?", string(id)).OrderExpr("seq")
	})
}

// OverdueUploads implements session.UploadReader.
func (r *ApplicantReader) OverdueUploads(ctx context.Context, now time.Time, limit int) ([]session.UploadRow, error) {
	return r.uploads(ctx, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("expires_at <= ?", now).OrderExpr("expires_at").Limit(int64(limit))
	})
}

func (r *ApplicantReader) uploads(ctx context.Context, narrow func(*bun.SelectQuery) *bun.SelectQuery) ([]session.UploadRow, error) {
	var rows []uploadRow
	if err := narrow(r.Conn.NewSelect().Model(&rows)).Scan(ctx); err != nil {
		return nil, fmt.Errorf("read uploads: %w", err)
	}
	out := make([]session.UploadRow, 0, len(rows))
	for _, row := range rows {
		out = append(out, row.upload())
	}
	return out, nil
}

// UploadParts implements session.UploadReader.
func (r *ApplicantReader) UploadParts(ctx context.Context, id idv.UploadID) ([]session.UploadPart, error) {
	var rows []UploadPartRow
	if err := r.Conn.NewSelect().Model(&rows).Where("upload_id = ?", string(id)).OrderExpr("number").Scan(ctx); err != nil {
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
