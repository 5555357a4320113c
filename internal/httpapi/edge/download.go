package edge

import (
	"context"
	"io"
	"log/slog"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
)

// Download is a file that is sent while it is written.
type Download struct {
	Name  string // of the file
	Type  string // its media type
	Write func(context.Context, io.Writer) error
	Done  func() // is called in the end; nil: nothing is to be done
}

// Stream answers the file. An error of Write is logged with the given attributes and breaks the connection, so that nobody takes
// a part of the file for the whole.
func (d Download) Stream(log *slog.Logger, attrs ...any) *wire.Stream {
	return &wire.Stream{Body: func(hc huma.Context) {
		if d.Done != nil {
			defer d.Done()
		}
		ctx := hc.Context()
		_, w := humago.Unwrap(hc)
		w.Header().Set("Content-Type", d.Type)
		w.Header().Set("Content-Disposition", `attachment; filename="`+d.Name+`"`)
		w.Header().Set("Cache-Control", "private, no-store")
		if err := d.Write(ctx, w); err != nil {
			level := slog.LevelError
			if ctx.Err() != nil { // the client went away
				level = slog.LevelInfo
			}
			log.Log(ctx, level, "a download was cut off", append([]any{"request_id", RequestID(ctx), "error", err}, attrs...)...)
			panic(http.ErrAbortHandler)
		}
	}}
}
