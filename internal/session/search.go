package session

import (
	"context"
	"strings"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// SessionsSearched is the audited action of looking for a person.
const SessionsSearched = "sessions.searched"

// Search finds sessions by personal data: a name, a document number, a reference or a pair of the metadata, each by its exact
// value. An audit entry with the fields that were searched, not with their values, is committed before anything is returned.
// Problems: request.malformed.
func (s *Service) Search(ctx context.Context, f Filter) ([]View, string, error) {
	by, err := f.Wanted.check()
	if err != nil {
		return nil, "", err
	}
	err = s.store.InTx(ctx, func(ctx context.Context, tx Tx) error {
		return tx.Audit(ctx, audit.Record{Action: SessionsSearched, Subject: strings.Join(by, ",")})
	})
	if err != nil {
		return nil, "", err
	}
	return s.List(ctx, f)
}

// Facets reads what the sessions of a mode can be filtered by.
func (s *Service) Facets(ctx context.Context, mode idv.Mode) (Facets, error) {
	return s.store.Facets(ctx, mode)
}
