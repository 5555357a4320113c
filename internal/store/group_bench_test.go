package store

import (
	"context"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/uptrace/bun"
)

// BenchmarkCommit shows what committing together is worth to many who write at the same time: run it with -cpu and compare.
func BenchmarkCommit(b *testing.B) {
	s, err := Open(b.Context(), "sqlite:"+filepath.Join(b.TempDir(), "group.db"), Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if _, err := s.write.ExecContext(b.Context(), "CREATE TABLE kept (n INTEGER PRIMARY KEY)"); err != nil {
		b.Fatal(err)
	}
	var next atomic.Int64
	for name, run := range map[string]func(context.Context, func(context.Context, bun.Tx) error) error{
		"together": s.inTx,
		"each by itself": func(ctx context.Context, f func(context.Context, bun.Tx) error) error {
			return s.write.RunInTx(ctx, nil, f)
		},
	} {
		b.Run(name, func(b *testing.B) {
			b.SetParallelism(32)
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if err := run(b.Context(), keep(int(next.Add(1)))); err != nil {
						b.Error(err)
					}
				}
			})
		})
	}
}
