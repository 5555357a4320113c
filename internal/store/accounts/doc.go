// Package accounts keeps who may use a deployment: members and invitations, logins, API keys, and the calls made with those.
package accounts

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/store/auditlog"
	"github.com/bonafide-id/bonafide/internal/store/database"
)

// Members keeps members, invitations and the setup token. It is safe for concurrent use.
type Members struct {
	base
	keys *APIKeys
}

// APIKeys keeps API keys. It is safe for concurrent use.
type APIKeys struct{ base }

// Logins keeps console sessions and the challenges of passkeys. It is safe for concurrent use.
type Logins struct{ base }

// CallLog keeps the calls that were made with API keys. It is safe for concurrent use.
type CallLog struct{ base }

// New returns the parts of a database that keep accounts.
func New(db *database.DB, log *auditlog.Log) (*Members, *APIKeys, *Logins, *CallLog) {
	b := base{db: db, log: log}
	keys := &APIKeys{b}
	return &Members{base: b, keys: keys}, keys, &Logins{b}, &CallLog{b}
}

type base struct {
	db  *database.DB
	log *auditlog.Log
}

// transact runs f in a transaction.
func (b base) transact(ctx context.Context, f func(ctx context.Context, t *auditlog.EntryWriter) error) error {
	return b.db.Transact(ctx, func(ctx context.Context, t *database.Tx) error { return f(ctx, &auditlog.EntryWriter{Tx: t}) })
}
