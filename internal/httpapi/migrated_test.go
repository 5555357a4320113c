package httpapi_test

import (
	"context"
	"errors"

	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/store"
	"github.com/bonafide-id/bonafide/internal/vault"
)

// migrated is an empty database after Migrate, under the master key of the test kit.
var migrated = idvtest.NewTemplate(func(database, key string) error {
	ctx := context.Background()
	master, err := vault.OpenMaster(key)
	if err != nil {
		return err
	}
	s, err := store.Open(ctx, database, store.Options{Master: master})
	if err != nil {
		return err
	}
	return errors.Join(s.Migrate(ctx), s.Close())
})
