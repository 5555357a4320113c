package main

import (
	"context"
	"fmt"

	"github.com/bonafide-id/bonafide/internal/config"
	"github.com/bonafide-id/bonafide/internal/store"
)

// migrateCommand brings the database up to this version. It may run while the old binary still serves.
type migrateCommand struct {
	config.Storage
	config.Log
}

// Run implements the command.
func (c *migrateCommand) Run(ctx context.Context, s streams) error {
	return use(ctx, &c.Storage, c.Log, s, func(st *store.Store) error {
		if err := st.Migrate(ctx); err != nil {
			return err
		}
		_, err := fmt.Fprintln(s.Out, "The database is up to date.")
		return err
	})
}
