package sessions

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/database"
	"github.com/bonafide-id/bonafide/internal/vault"
)

// Pictures keeps blobs of sessions, sealed under the pictures key of each. It implements session.Pictures.
type Pictures struct{ db *database.DB }

// NewPictures returns the Pictures of a database and its vault.
func NewPictures(db *database.DB) Pictures { return Pictures{db: db} }

var _ session.Pictures = Pictures{}

// Put implements session.Pictures.
func (b Pictures) Put(ctx context.Context, id idv.SessionID, name string, raw []byte) error {
	k, err := b.db.Reader().Keyset(ctx, id, vault.Pictures)
	if err != nil {
		return err
	}
	return b.db.Blobs.Put(ctx, k, name, raw)
}

// Get implements session.Pictures.
func (b Pictures) Get(ctx context.Context, id idv.SessionID, name string) ([]byte, error) {
	k, err := b.db.Reader().Keyset(ctx, id, vault.Pictures)
	if err != nil {
		return nil, err
	}
	return b.db.Blobs.Get(ctx, k, name)
}

// Delete implements session.Pictures.
func (b Pictures) Delete(ctx context.Context, name string) error { return b.db.Blobs.Delete(ctx, name) }
