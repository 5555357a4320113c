package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/bonafide-id/bonafide/internal/config"
)

// migrateCommand brings the database up to this version. It may run while the old binary still serves.
type migrateCommand struct {
	config.Storage
	config.Log
}

// Run implements the command.
func (c *migrateCommand) Run(ctx context.Context, s streams) error {
	log, err := newLog(c.Log, s.Err)
	if err != nil {
		return err
	}
	st, blobs, err := openStore(ctx, &c.Storage, log)
	if err != nil {
		return err
	}
	err = st.Migrate(ctx)
	if err == nil {
		_, err = fmt.Fprintln(s.Out, "The database is up to date.")
	}
	return errors.Join(err, st.Close(), blobs.Close())
}
