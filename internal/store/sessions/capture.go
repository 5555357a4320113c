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

// CaptureRow is a picture or a recording; its bytes are a blob.
type CaptureRow struct {
	bun.BaseModel `bun:"table:captures"`
	ID            string    `bun:"id"`
	Session       string    `bun:"session_id"`
	Step          string    `bun:"step"`
	Side          string    `bun:"side"`
	Kind          string    `bun:"kind"`
	Attempt       string    `bun:"attempt"`
	SHA256        string    `bun:"sha256"`
	Size          int64     `bun:"size"`
	MediaType     string    `bun:"media_type"`
	Source        string    `bun:"source"`
	Blob          string    `bun:"blob"`
	Superseded    bool      `bun:"superseded"`
	Extracted     bool      `bun:"extracted"`
	Checked       bool      `bun:"checked"`
	CreatedAt     time.Time `bun:"created_at"`
}

// AddCapture implements session.EvidenceWriter.
func (t *EvidenceWriter) AddCapture(ctx context.Context, c session.CaptureRow) error {
	return t.Insert(ctx, &CaptureRow{
		ID: string(c.ID), Session: string(c.Session), Step: string(c.Step), Side: string(c.Side), Kind: string(c.Kind),
		Attempt: c.Attempt, SHA256: string(c.SHA256), Size: c.Size, MediaType: c.MediaType, Source: string(c.Source), Blob: c.Blob,
		Superseded: c.Superseded, Extracted: c.Extracted, Checked: c.Checked, CreatedAt: c.CreatedAt,
	}, "capture")
}

// Captures implements session.EvidenceReader.
func (r *EvidenceReader) Captures(ctx context.Context, id idv.SessionID) ([]session.CaptureRow, error) {
	rows, err := database.RowsOf[CaptureRow](ctx, r.Reader, id, "captures")
	if err != nil {
		return nil, err
	}
	out := make([]session.CaptureRow, 0, len(rows))
	for _, c := range rows {
		out = append(out, session.CaptureRow{
			Capture: idv.Capture{
				ID: idv.CaptureID(c.ID), Session: id, Step: idv.Step(c.Step), Side: idv.Side(c.Side),
				Kind: idv.CaptureKind(c.Kind), Attempt: c.Attempt, SHA256: idv.Digest(c.SHA256), Size: c.Size,
				MediaType: c.MediaType, Source: idv.Source(c.Source), CreatedAt: c.CreatedAt.UTC(),
			},
			Blob: c.Blob, Superseded: c.Superseded, Extracted: c.Extracted, Checked: c.Checked,
		})
	}
	return out, nil
}

// SupersedeCaptures implements session.EvidenceWriter.
func (t *EvidenceWriter) SupersedeCaptures(ctx context.Context, id idv.SessionID, step idv.Step) error {
	_, err := t.Conn.NewUpdate().Model((*CaptureRow)(nil)).Set("superseded = ?", true).
		Where("session_id = ? AND step = ? AND superseded = ?", string(id), string(step), false).Exec(ctx)
	if err != nil {
		return fmt.Errorf("supersede captures: %w", err)
	}
	return nil
}

// SetChecked implements session.EvidenceWriter.
func (t *EvidenceWriter) SetChecked(ctx context.Context, id idv.CaptureID) error {
	_, err := t.Conn.NewUpdate().Model((*CaptureRow)(nil)).Set("checked = ?", true).Where("id = ?", string(id)).Exec(ctx)
	if err != nil {
		return fmt.Errorf("note that a capture was checked: %w", err)
	}
	return nil
}
