package groupcommit_test

import (
	"context"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/store/database"
)

// BenchmarkCommit shows what committing together is worth to many who write at the same time: run it with -cpu and compare.
func BenchmarkCommit(b *testing.B) {
	s, err := database.Open(b.Context(), "sqlite:"+filepath.Join(b.TempDir(), "group.db"), database.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if _, err := s.Write.ExecContext(b.Context(), "CREATE TABLE kept (n INTEGER PRIMARY KEY)"); err != nil {
		b.Fatal(err)
	}
	var next atomic.Int64
	for name, run := range map[string]func(context.Context, func(context.Context, bun.Tx) error) error{
		"together": s.RunInTx,
		"each by itself": func(ctx context.Context, f func(context.Context, bun.Tx) error) error {
			return s.Write.RunInTx(ctx, nil, f)
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
