package store

import (
	"context"
	"errors"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Migrate brings the schema up to date, also River's, and makes what a deployment starts with: its keyset and the default
// workflows. It may run while an older binary still serves, and any number of times. A database that is half restored is
// backup.ErrHalfRestored.
func (s *Store) Migrate(ctx context.Context) error {
	if err := s.Finished(ctx); err != nil {
		return err
	}
	return s.migrate(ctx)
}

func (s *Store) migrate(ctx context.Context) error {
	if s.Master == nil {
		return errors.New("migrate: a master key is needed")
	}
	unlock, err := s.schema.Lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if err := s.schema.Up(ctx); err != nil {
		return err
	}
	if err := s.MakeDeployment(ctx); err != nil {
		return err
	}
	for _, mode := range []idv.Mode{idv.Live, idv.Test} {
		for _, w := range idv.BuiltInWorkflows(mode) {
			if err := s.SeedWorkflow(ctx, w); err != nil {
				return err
			}
		}
	}
	return nil
}
