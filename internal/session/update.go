package session

import (
	"context"
	"maps"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// EventUpdated says that the integrator changed reference or metadata.
const EventUpdated EventType = "session.updated"

// Change is what an integrator changes about a session, in any state. Nil fields stay as they are.
type Change struct {
	ExternalReference *string            // empty for none
	Metadata          map[string]*string // keys to set; nil values remove theirs
}

// Update changes reference and metadata. What becomes of the session, and until when it is kept, stays as it is. Problems: not_found,
// session.erased, request.malformed.
func (s *Service) Update(ctx context.Context, mode idv.Mode, id idv.SessionID, c Change) (View, error) {
	if c.ExternalReference == nil && len(c.Metadata) == 0 {
		return View{}, Malformed("", "say at least one thing to change: external_reference or metadata")
	}
	return s.life.Change(ctx, mode, id, func(ctx context.Context, tx Tx, rec *Record, _ idv.WorkflowVersion) error {
		if err := rec.CheckNotErased(ScopeAll); err != nil {
			return err
		}
		before := rec.Session
		if err := c.apply(rec); err != nil {
			return err
		}
		if before.ExternalReference == rec.ExternalReference && maps.Equal(before.Metadata, rec.Metadata) {
			return nil
		}
		if err := tx.SaveSession(ctx, *rec); err != nil { // not Save: this is no step, and the session's time runs on
			return err
		}
		rec.Version++
		if err := tx.IndexStated(ctx, *rec); err != nil {
			return err
		}
		if err := tx.Audit(ctx, audit.Record{Action: string(EventUpdated), Session: rec.ID, Before: before, After: rec.Session}); err != nil {
			return err
		}
		return s.life.Notify(ctx, tx, rec.ID, EventUpdated, nil)
	})
}

// apply changes a record within the limits of a new session.
func (c Change) apply(rec *Record) error {
	n := Spec{Metadata: maps.Clone(rec.Metadata)}
	if n.Metadata == nil {
		n.Metadata = map[string]string{}
	}
	for k, v := range c.Metadata {
		key, err := CleanText(k, metadataField(k), MaxMetadataKey)
		if err != nil {
			return err
		}
		delete(n.Metadata, key)
		if v != nil {
			n.Metadata[key] = *v
		}
	}
	if err := n.checkMetadata(); err != nil {
		return err
	}
	rec.Metadata = n.Metadata
	if c.ExternalReference == nil {
		return nil
	}
	var err error
	rec.ExternalReference, err = CleanText(*c.ExternalReference, "/external_reference", MaxReference)
	return err
}
