package session

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Original is one picture as it was sent.
type Original struct {
	Name  string
	Bytes []byte
}

// Originals reads a picture, or each frame of a run, and names it after a base.
func (l *Lifecycle) Originals(ctx context.Context, row CaptureRow, base string) ([]Original, error) {
	raw, err := l.pictures.Get(ctx, row.Session, row.Blob)
	if err != nil {
		return nil, err
	}
	if row.Kind != idv.Frames {
		return []Original{{base + extension(raw), raw}}, nil
	}
	run, err := idv.OpenFrames(raw)
	if err != nil {
		return nil, err
	}
	var out []Original
	for i, f := range run.Frames {
		out = append(out, Original{fmt.Sprintf("%s/frame_%02d.jpg", base, i+1), f.JPEG})
	}
	return out, nil
}

// extension names the type of a picture by its content.
func extension(raw []byte) string {
	switch http.DetectContentType(raw) {
	case "image/jpeg":
		return ".jpg"
	case "image/png":
		return ".png"
	case "image/webp":
		return ".webp"
	default:
		return ".bin"
	}
}

// DeleteBlobs deletes what no row names any more, the others too where one stays. What a crash leaves behind here is found as
// an orphan.
func (l *Lifecycle) DeleteBlobs(ctx context.Context, names []string) error {
	ctx = context.WithoutCancel(ctx)
	var failed []error
	for _, name := range names {
		if err := l.pictures.Delete(ctx, name); err != nil {
			failed = append(failed, fmt.Errorf("delete a blob: %w", err))
		}
	}
	return errors.Join(failed...)
}

// TryDeleteBlobs deletes what no row names, where the caller's answer does not depend on it.
func (l *Lifecycle) TryDeleteBlobs(ctx context.Context, id idv.SessionID, names []string) {
	if err := l.DeleteBlobs(ctx, names); err != nil {
		l.log.ErrorContext(ctx, "pictures are not deleted yet", "session", id, "error", err)
	}
}
