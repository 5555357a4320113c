package edge

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/problem"
)

func TestWhatAClientBreaksOffIsNoErrorInTheLog(t *testing.T) {
	t.Parallel()
	gone, leave := context.WithCancel(t.Context())
	leave()
	for _, c := range []struct {
		name  string
		ctx   context.Context
		level string
		code  string
	}{
		{"while the client is there", t.Context(), "level=ERROR", problem.Internal.Code},
		{"once the client has gone", gone, "level=INFO", problem.Unavailable.Code},
	} {
		var said bytes.Buffer
		p := &Problems{log: slog.New(slog.NewTextHandler(&said, nil))}
		row := p.rowOf(c.ctx, errors.New("interrupted (9)"))
		if row.Kind.Code != c.code || !strings.Contains(said.String(), c.level) {
			t.Errorf("%s: %s, and the log says %q, want %s and %s", c.name, row.Kind.Code, said.String(), c.code, c.level)
		}
	}
}
