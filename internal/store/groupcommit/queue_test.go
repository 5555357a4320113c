package groupcommit_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/store/database"
	"github.com/bonafide-id/bonafide/internal/store/groupcommit"
)

// grouping is a SQLite store with a table to write to.
func grouping(t *testing.T) *database.DB {
	t.Helper()
	s, err := database.Open(t.Context(), "sqlite:"+filepath.Join(t.TempDir(), "group.db"), database.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if _, err := s.Write.ExecContext(t.Context(), "CREATE TABLE kept (n INTEGER PRIMARY KEY)"); err != nil {
		t.Fatal(err)
	}
	return s
}

func keep(n int) func(context.Context, bun.Tx) error {
	return func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.ExecContext(ctx, "INSERT INTO kept VALUES (?)", n)
		return err
	}
}

func kept(t *testing.T, s *database.DB) (n int) {
	t.Helper()
	if err := s.Read.NewRaw("SELECT COUNT(*) FROM kept").Scan(context.Background(), &n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestTransactionsThatCommitTogetherAreKeptOrUndoneOneByOne(t *testing.T) {
	s := grouping(t)
	own := errors.New("of my own")
	const all = 200
	errs := make([]error, all)
	var done sync.WaitGroup
	for i := range all {
		done.Go(func() {
			errs[i] = s.RunInTx(t.Context(), func(ctx context.Context, tx bun.Tx) error {
				if err := keep(i)(ctx, tx); err != nil {
					return err
				}
				if i%4 == 0 {
					return own
				}
				return nil
			})
			if errs[i] == nil { // who is told so finds it on the disk, also from another connection
				var there bool
				if err := s.Read.NewRaw("SELECT COUNT(*) > 0 FROM kept WHERE n = ?", i).Scan(t.Context(), &there); err != nil || !there {
					errs[i] = fmt.Errorf("not there after the commit: %w", err)
				}
			}
		})
	}
	done.Wait()
	for i, err := range errs {
		if want := i%4 == 0; errors.Is(err, own) != want || (err != nil) != want {
			t.Errorf("transaction %d: %v", i, err)
		}
	}
	if got := kept(t, s); got != all*3/4 {
		t.Errorf("%d rows are there, want %d", got, all*3/4)
	}
}

func TestATransactionThatPanicsOrIsGivenUpTakesNobodyWithIt(t *testing.T) {
	s := grouping(t)
	var done sync.WaitGroup
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for i := range 30 {
		done.Go(func() {
			defer func() {
				if v := recover(); (v != nil) != (i%3 == 0) {
					t.Errorf("transaction %d: panic %v", i, v)
				}
			}()
			ctx := t.Context()
			if i%3 == 1 {
				ctx = gone
			}
			err := s.RunInTx(ctx, func(ctx context.Context, tx bun.Tx) error {
				if err := keep(i)(ctx, tx); err != nil {
					return err
				}
				if i%3 == 0 {
					panic("at the disco")
				}
				return nil
			})
			if errors.Is(err, context.Canceled) != (i%3 == 1) {
				t.Errorf("transaction %d: %v", i, err)
			}
		})
	}
	done.Wait()
	if got := kept(t, s); got != 10 {
		t.Errorf("%d rows are there, want 10", got)
	}
}

func TestWhatUndoesTheWholeTransactionIsTold(t *testing.T) {
	s := grouping(t)
	began, hold := make(chan struct{}), make(chan struct{})
	var first, others sync.WaitGroup
	first.Go(func() { // holds the connection until all others wait
		_ = s.RunInTx(t.Context(), func(context.Context, bun.Tx) error { close(began); <-hold; return nil })
	})
	<-began
	const all = 10
	errs := make([]error, all)
	for i := range all {
		others.Go(func() {
			errs[i] = s.RunInTx(t.Context(), func(ctx context.Context, tx bun.Tx) error {
				if i == 5 {
					_, err := tx.ExecContext(ctx, "ROLLBACK") // as SQLite does by itself when the disk is full
					return err
				}
				return keep(i)(ctx, tx)
			})
		})
	}
	for waiting := 0; waiting < all; {
		waiting = s.Waiting()
		runtime.Gosched()
	}
	close(hold)
	first.Wait()
	others.Wait()
	told := 0
	for i, err := range errs {
		switch {
		case err == nil:
			told++
		case !errors.Is(err, groupcommit.ErrUndone):
			t.Errorf("transaction %d: %v", i, err)
		}
	}
	if got := kept(t, s); got != told || errs[5] == nil {
		t.Errorf("%d were told that it is kept, and %d rows are there; the one that undid all was told %v", told, got, errs[5])
	}
	if err := s.RunInTx(t.Context(), keep(1000)); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

func TestWhoGivesUpWaitingForTheWriterDoesNotWait(t *testing.T) {
	s := grouping(t)
	began, hold := make(chan struct{}), make(chan struct{})
	var first sync.WaitGroup
	first.Go(func() {
		_ = s.RunInTx(t.Context(), func(context.Context, bun.Tx) error { close(began); <-hold; return nil })
	})
	<-began
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- s.RunInTx(ctx, keep(1)) }()
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want that the context ended", err)
	}
	close(hold)
	first.Wait()
	if err := s.RunInTx(t.Context(), keep(2)); err != nil {
		t.Errorf("afterwards: %v", err)
	}
	if got := kept(t, s); got != 1 {
		t.Errorf("%d rows are there, want that of the second alone", got)
	}
}
