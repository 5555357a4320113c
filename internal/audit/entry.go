// Package audit is the record of who did what, kept as a Merkle log: once an entry has its position, nobody
// can change, remove or insert one without the recomputed root telling.
//
// An entry commits unsequenced in the transaction of the thing it records, so that the log serialises nobody.
// One sequencer gives positions afterwards and signs a checkpoint over the new root (RFC 6962 tree, as in
// golang.org/x/mod/sumdb/tlog). Entries hold ids and keyed digests, no personal data: a digest is keyed by
// the session's own key and means nothing once that key is destroyed.
package audit

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Record is what a use case says about a thing it did. Who did it, when and from where is added by context.
type Record struct {
	Action  string        // verb of the catalogue: session.created, evidence.viewed, …
	Session idv.SessionID // whose key digests Before and After; empty where no session is concerned
	Subject string        // id of the thing, if it is not the session itself
	Before  any           // JSON-encoded and digested under the session's key; nil for none
	After   any
}

// Recorder writes an entry in the caller's transaction.
type Recorder interface {
	Audit(ctx context.Context, r Record) error
}
