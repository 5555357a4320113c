package erasing

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// ErasureRow is one erasing of a session, and what is left to do for it.
type ErasureRow struct {
	bun.BaseModel `bun:"table:erasures"`
	Session       string    `bun:"session_id"`
	Scope         string    `bun:"scope"`
	Statement     string    `bun:"statement"`
	Traces        string    `bun:"traces"`
	ErasedAt      time.Time `bun:"erased_at"`
	FinishedAt    time.Time `bun:"finished_at,nullzero"`
}

// Unfinished implements session.Cleaner.
func (s *Eraser) Unfinished(ctx context.Context, before time.Time, limit int) ([]idv.SessionID, error) {
	var ids []string
	err := s.db.Read.NewSelect().Model((*ErasureRow)(nil)).Column("session_id").Where("finished_at IS NULL AND erased_at < ?", before).
		OrderExpr("erased_at").Limit(int64(limit)).Scan(ctx, &ids)
	if err != nil {
		return nil, fmt.Errorf("list unfinished erasings: %w", err)
	}
	out := make([]idv.SessionID, 0, len(ids))
	for _, id := range ids {
		if !slices.Contains(out, idv.SessionID(id)) {
			out = append(out, idv.SessionID(id))
		}
	}
	return out, nil
}

// Clean implements session.Cleaner. What is done is noted at the end, so that a call that is interrupted can be repeated.
func (s *Eraser) Clean(ctx context.Context, ids []idv.SessionID) error {
	var rows []ErasureRow
	if len(ids) == 0 {
		return nil
	}
	err := s.db.Write.NewSelect().Model(&rows).Where("session_id IN (?) AND finished_at IS NULL", bun.List(ids)).Scan(ctx)
	if err != nil {
		return fmt.Errorf("read unfinished erasings: %w", err)
	}
	if len(rows) == 0 {
		return nil
	}
	var traces []string
	for _, row := range rows {
		if err := s.deleteBlobs(ctx, idv.SessionID(row.Session)); err != nil {
			return err
		}
		traces = append(traces, unmaskTraces(row.Traces)...)
	}
	if s.forget != nil {
		if err := s.forget(ctx); err != nil {
			return fmt.Errorf("overwrite what is in memory: %w", err)
		}
	}
	if err := s.scrub(ctx, traces); err != nil {
		return fmt.Errorf("clear the database's files: %w", err)
	}
	for _, row := range rows {
		_, err := s.db.Write.NewUpdate().Model((*ErasureRow)(nil)).Set("finished_at = ?", s.db.Now()).Set("traces = ''").
			Where("session_id = ? AND scope = ?", row.Session, row.Scope).Exec(ctx)
		if err != nil {
			return fmt.Errorf("note a finished erasing: %w", err)
		}
	}
	return s.log.Sequence(ctx) // so that the receipt has its proof
}

// deleteBlobs deletes every blob of a session, also those that no row names.
func (s *Eraser) deleteBlobs(ctx context.Context, id idv.SessionID) error {
	if s.db.Blobs == nil {
		return nil
	}
	var names []string
	err := s.db.Blobs.ListPrefix(ctx, string(id)+"/", func(name string) error { names = append(names, name); return nil })
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := s.db.Blobs.Delete(ctx, name); err != nil {
			return err
		}
	}
	return nil
}
