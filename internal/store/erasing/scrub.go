package erasing

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"
)

// A trace is a piece of a wrapped keyset, long enough to be met by no chance and short enough to be of no use: it is looked
// for in the files of the database after the key was destroyed. While it waits for that it is kept masked, or the search
// would find it in its own row.
const traceSize = 24 // characters of base64

// tracesOf takes a piece from the middle of each part of a wrapped keyset.
func tracesOf(wrapped []byte) []string {
	var parts map[string]string
	if err := json.Unmarshal(wrapped, &parts); err != nil {
		return []string{}
	}
	return piecesOf(slices.Collect(maps.Values(parts)))
}

// piecesOf takes a piece from the middle of each text.
func piecesOf(texts []string) []string {
	out := []string{}
	for _, p := range texts {
		if middle := (len(p) - traceSize) / 2; middle > 0 {
			out = append(out, p[middle:middle+traceSize])
		}
	}
	slices.Sort(out)
	return out
}

func maskTraces(traces []string) string {
	raw := []byte(strings.Join(traces, " "))
	for i := range raw {
		raw[i] = ^raw[i]
	}
	return base64.StdEncoding.EncodeToString(raw)
}

func unmaskTraces(masked string) []string {
	raw, err := base64.StdEncoding.DecodeString(masked)
	if err != nil {
		return nil
	}
	for i := range raw {
		raw[i] = ^raw[i]
	}
	return strings.Fields(string(raw))
}

// scrub clears what deleting leaves in the files of the database.
func (s *Eraser) scrub(ctx context.Context, traces []string) error {
	if s.db.File == "" {
		return s.vacuumPostgres(ctx)
	}
	if err := s.cutLog(ctx); err != nil {
		return err
	}
	left, err := s.searchFiles(ctx, traces)
	if err != nil || !left {
		return err
	}
	// secure_delete overwrites what is deleted, but not the copies that are left in a page when its rows move to another.
	s.db.Logger.InfoContext(ctx, "rewriting the database: a freed page still holds a destroyed key")
	if _, err := s.db.Write.ExecContext(ctx, "VACUUM"); err != nil {
		return fmt.Errorf("vacuum: %w", err)
	}
	if err := s.cutLog(ctx); err != nil {
		return err
	}
	if left, err = s.searchFiles(ctx, traces); err != nil || !left {
		return err
	}
	return errors.New("a destroyed key is still in the files of the database")
}

// Cutting the log waits for those who read from it.
const (
	cutTries = 20
	cutPause = 100 * time.Millisecond
)

// cutLog writes the write-ahead log back into the database and cuts it to nothing.
func (s *Eraser) cutLog(ctx context.Context) error {
	for range cutTries {
		var busy, pages, moved int
		if err := s.db.Write.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &pages, &moved); err != nil {
			return fmt.Errorf("write the log back: %w", err)
		}
		if busy == 0 {
			return nil
		}
		select {
		case <-time.After(cutPause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return errors.New("the write-ahead log is in use")
}

// searchFiles reports whether a file of the database contains any of the traces.
func (s *Eraser) searchFiles(ctx context.Context, traces []string) (bool, error) {
	if len(traces) == 0 {
		return false, nil
	}
	for _, path := range []string{s.db.File, s.db.File + "-wal", s.db.File + "-journal"} {
		found, err := searchFile(ctx, path, traces)
		if err != nil || found {
			return found, err
		}
	}
	return false, nil
}

const searchChunk = 4 << 20

func searchFile(ctx context.Context, path string, traces []string) (bool, error) {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("search a file of the database: %w", err)
	}
	defer func() { _ = f.Close() }()
	buf := make([]byte, 0, searchChunk+traceSize)
	for {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		n, err := io.ReadFull(f, buf[len(buf):len(buf)+searchChunk])
		buf = buf[:len(buf)+n]
		for _, t := range traces {
			if bytes.Contains(buf, []byte(t)) {
				return true, nil
			}
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return false, nil
		}
		if err != nil {
			return false, fmt.Errorf("search a file of the database: %w", err)
		}
		keep := min(len(buf), traceSize)
		buf = append(buf[:0], buf[len(buf)-keep:]...)
	}
}

// vacuumPostgres makes the space of dead rows free to be overwritten, in every table that erasing touches.
func (s *Eraser) vacuumPostgres(ctx context.Context) error {
	var tables []string
	for _, f := range Fates() {
		if f.Table != "" && (f.all != leave || f.Table == "keysets" || f.Table == "artifacts") {
			tables = append(tables, f.Table)
		}
	}
	if _, err := s.db.Pool.Exec(ctx, "VACUUM "+strings.Join(tables, ", ")); err != nil {
		return fmt.Errorf("vacuum: %w", err)
	}
	return nil
}
