package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/bonafide-id/bonafide/internal/config"
)

// startLog makes the program's log and lets everything that libraries log go there, so that the stream has one form. It goes to
// standard error; standard output is for people.
func startLog(c config.Log, w io.Writer) (*slog.Logger, error) {
	log, err := newLog(c, w)
	if err != nil {
		return nil, err
	}
	slog.SetDefault(log)
	return log, nil
}

// newLog makes a log. Durations are numbers of milliseconds, under a name that says so: took is written as took_ms.
func newLog(c config.Log, w io.Writer) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.LogLevel)); err != nil {
		return nil, fmt.Errorf("--log-level: %w", err)
	}
	o := &slog.HandlerOptions{Level: level, ReplaceAttr: withUnit}
	if c.AsJSON() {
		return slog.New(slog.NewJSONHandler(w, o)), nil
	}
	return slog.New(slog.NewTextHandler(w, o)), nil
}

// withUnit names the unit of a duration.
func withUnit(_ []string, a slog.Attr) slog.Attr {
	if a.Value.Kind() != slog.KindDuration {
		return a
	}
	return slog.Float64(a.Key+"_ms", float64(a.Value.Duration().Microseconds())/float64(time.Millisecond/time.Microsecond))
}

// calm lets only warnings and errors through: the job queue tells every few seconds that all is well.
type calm struct{ slog.Handler }

// Enabled implements slog.Handler.
func (c calm) Enabled(ctx context.Context, l slog.Level) bool {
	return l >= slog.LevelWarn && c.Handler.Enabled(ctx, l)
}

// WithAttrs implements slog.Handler.
func (c calm) WithAttrs(a []slog.Attr) slog.Handler { return calm{c.Handler.WithAttrs(a)} }

// WithGroup implements slog.Handler.
func (c calm) WithGroup(name string) slog.Handler { return calm{c.Handler.WithGroup(name)} }
