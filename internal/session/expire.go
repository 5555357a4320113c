package session

import (
	"context"
	"errors"
	"fmt"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Expire ends the sessions that have run out of time.
func (s *Service) Expire(ctx context.Context) error {
	var errs error
	for {
		ids, err := s.store.Overdue(ctx, s.life.Now(), BatchSize)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if err := s.expire(ctx, id); err != nil {
				errs = errors.Join(errs, fmt.Errorf("expire %s: %w", id, err))
			}
		}
		if len(ids) < BatchSize || errs != nil {
			return errs
		}
	}
}

func (s *Service) expire(ctx context.Context, id idv.SessionID) error {
	_, err := s.life.Change(ctx, "", id, func(ctx context.Context, tx Tx, rec *Record, _ idv.WorkflowVersion) error {
		if !Overdue(*rec, s.life.Now()) {
			return nil
		}
		return s.life.Move(ctx, tx, rec, idv.TimedOut, nil)
	})
	return err
}
