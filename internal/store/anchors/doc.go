// Package anchors keeps whom a deployment trusts: updates of trust, as they were uploaded.
package anchors

import (
	"context"
	"fmt"

	"github.com/bonafide-id/bonafide/internal/store/auditlog"
	"github.com/bonafide-id/bonafide/internal/store/database"
	"github.com/bonafide-id/bonafide/internal/trust/register"
)

// Anchors is whom a deployment trusts. It is safe for concurrent use.
type Anchors struct {
	db *database.DB
	Reader
}

// New returns the Anchors of a database.
func New(db *database.DB) *Anchors { return &Anchors{db: db, Reader: Reader{db.Reader()}} }

// Reader reads updates.
type Reader struct{ *database.Reader }

// Writer reads and writes updates in a transaction.
type Writer struct {
	auditlog.EntryWriter
	Reader
}

var (
	_ register.Store = (*Anchors)(nil)
	_ register.Tx    = (*Writer)(nil)
)

// ChangeTrust implements register.Store.
func (s *Anchors) ChangeTrust(ctx context.Context, f func(ctx context.Context, tx register.Tx) error) error {
	return s.db.Transact(ctx, func(ctx context.Context, t *database.Tx) error {
		if _, err := t.Conn.ExecContext(ctx, "UPDATE locks SET taken = taken + 1 WHERE name = 'trust'"); err != nil {
			return fmt.Errorf("lock trust: %w", err)
		}
		return f(ctx, &Writer{EntryWriter: auditlog.EntryWriter{Tx: t}, Reader: Reader{&t.Reader}})
	})
}

// TrustRevision implements register.Store.
func (s *Anchors) TrustRevision(ctx context.Context) (int64, error) {
	var n int64
	if err := s.db.Read.NewSelect().TableExpr("locks").ColumnExpr("taken").Where("name = 'trust'").Scan(ctx, &n); err != nil {
		return 0, fmt.Errorf("read the revision of trust: %w", err)
	}
	return n, nil
}
