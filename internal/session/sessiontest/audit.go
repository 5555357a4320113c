package sessiontest

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// trimEvery is how often entries leave the log at most.
const trimEvery = 24 * time.Hour

// signingKey returns the key that signs checkpoints.
func signingKey() ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))
}

// errNoHash is that of a hash that is missing in the log.
var errNoHash = errors.New("a hash of the audit log is missing")

// ReadHashes implements tlog.HashReader.
func (t *tables) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	out := make([]tlog.Hash, len(indexes))
	for i, x := range indexes {
		if x >= int64(len(t.hashes)) {
			return nil, errNoHash
		}
		out[i] = t.hashes[x]
	}
	return out, nil
}

// prove proves a sequenced entry under the newest checkpoint.
func (t *tables) prove(e audit.Entry) (audit.Proof, error) {
	key, _ := signingKey().Public().(ed25519.PublicKey)
	return audit.Prove(e, t.checkpoint, t, key)
}

// auditReader reads the audit log.
type auditReader struct{ view }

func (r auditReader) EntryOf(_ context.Context, id idv.SessionID, action string) (audit.Entry, *audit.Proof, error) {
	t := r.at()
	for _, a := range slices.Backward(t.audited) {
		if a.Session != id || a.Action != action {
			continue
		}
		if a.Position < 0 {
			return a.Entry, nil, nil
		}
		p, err := t.prove(a.Entry)
		return a.Entry, &p, err
	}
	return audit.Entry{}, nil, problem.New(problem.NotFound)
}

// Audit implements audit.Recorder.
func (w recordWriter) Audit(ctx context.Context, rec audit.Record) error {
	now := w.store.now()
	id, err := idv.NewID[idv.AuditID](now, rand.Reader)
	if err != nil {
		return err
	}
	actor := audit.ActorFrom(ctx)
	a := Audited{Before: rec.Before, After: rec.After, Entry: audit.Entry{
		Position: -1, ID: id, At: now, Actor: actor.Kind, ActorID: actor.ID, Address: audit.ShortenAddress(actor.Address),
		Action: rec.Action, Session: rec.Session, Subject: rec.Subject,
	}}
	if a.Entry.Before, err = w.next.digest(rec.Session, rec.Before); err != nil {
		return err
	}
	if a.Entry.After, err = w.next.digest(rec.Session, rec.After); err != nil {
		return err
	}
	w.next.audited = append(w.next.audited, a)
	return nil
}

// digest digests a value under a session's key; empty for no value, and once the key is destroyed.
func (t *tables) digest(id idv.SessionID, v any) (string, error) {
	if v == nil || id == "" {
		return "", nil
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return "", fmt.Errorf("encode audit value: %w", err)
	}
	if err := t.open(id, session.ScopeAll); err != nil {
		if problem.Has(err, problem.SessionErased) {
			return "", nil
		}
		return "", err
	}
	return keyed("audit "+string(id), raw), nil
}

// Sequence gives every new entry its position in the log, and signs a checkpoint.
func (s *Store) Sequence(ctx context.Context) error {
	return s.change(ctx, func(_ context.Context, t *tx) error { return t.next.sequence(s.now()) })
}

func (t *tables) sequence(now time.Time) error {
	var fresh []audit.Entry
	size := t.checkpoint.Size
	for i, a := range t.audited {
		if a.Position < 0 {
			t.audited[i].Position = size + int64(len(fresh))
			fresh = append(fresh, t.audited[i].Entry)
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	hashes, root, err := audit.Append(size, fresh, t)
	if err != nil {
		return err
	}
	t.hashes = append(slices.Clip(t.hashes), hashes...)
	t.checkpoint = audit.Sign(size+int64(len(fresh)), root, now, signingKey())
	return nil
}

// AuditProofs implements session.Store.
func (s *Store) AuditProofs(ctx context.Context, id idv.SessionID) ([]audit.Proof, error) {
	if err := s.Sequence(ctx); err != nil {
		return nil, err
	}
	t := s.at()
	if t.checkpoint.Size == 0 {
		return nil, problem.New(problem.NotFound)
	}
	out := []audit.Proof{}
	for _, a := range t.audited {
		if a.Session != id {
			continue
		}
		p, err := t.prove(a.Entry)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// TrimAudit implements session.AuditTrimmer.
func (s *Store) TrimAudit(ctx context.Context, before time.Time) (n int, err error) {
	err = s.change(ctx, func(ctx context.Context, t *tx) error {
		if err := t.next.sequence(s.now()); err != nil {
			return err
		}
		below, err := t.sayTrim(ctx, before)
		if err != nil {
			return err
		}
		t.next.audited, n = without(t.next.audited, func(a Audited) bool {
			return a.Position < below && a.At.Before(before) && !t.next.held(a.Session)
		})
		return nil
	})
	return n, err
}

// sayTrim returns the position below which entries leave the log, after the log says so.
func (t *tx) sayTrim(ctx context.Context, before time.Time) (int64, error) {
	var trims []audit.Entry
	for _, a := range t.next.audited {
		if a.Action == audit.Trimmed {
			trims = append(trims, a.Entry)
		}
	}
	now := t.store.now()
	newest, said, there := audit.TrimmedBy(trims, now)
	if there && now.Sub(newest.At) < trimEvery {
		return said, nil
	}
	witness := t.next.witness(before)
	if witness <= said {
		return said, nil
	}
	if err := t.Audit(ctx, audit.Record{Action: audit.Trimmed, Subject: audit.TrimSubject(witness)}); err != nil {
		return 0, err
	}
	return witness, t.next.sequence(now)
}
