package edge

import (
	"context"
	"fmt"
	"maps"
	"time"

	"github.com/alexedwards/scs/v2"

	"github.com/bonafide-id/bonafide/internal/audit"
)

// Logins keep console sessions by a digest of their token.
type Logins interface {
	// FindLogin answers a session that is not over.
	FindLogin(ctx context.Context, token string) (raw []byte, found bool, err error)
	// AddLogin keeps a new session.
	AddLogin(ctx context.Context, token string, raw []byte, ends time.Time) error
	// ChangeLogin replaces a session by what change makes of it as it is by then; its end is moved back, never forward. One
	// that was ended stays ended, and change is not asked.
	ChangeLogin(ctx context.Context, token string, ends time.Time, change func(now []byte) ([]byte, error)) error
	// EndLogin ends a session, and writes audit entries in the same transaction. Where it was ended before, ended is false and
	// nothing is written.
	EndLogin(ctx context.Context, token string, done ...audit.Record) (ended bool, err error)
}

// loginStore lets scs keep sessions where several calls of one browser run at the same time: each writes what it changed, and
// nothing that it merely read a while ago. A session that was ended meanwhile is not written at all.
type loginStore struct {
	logins Logins
	codec  scs.Codec
}

var _ scs.CtxStore = loginStore{}

// readLogin is the session that a call began with.
type readLogin struct {
	token string
	raw   []byte
	gone  bool // it was to be ended by this call, and had been already
}

type endingKey struct{}

// ending has what ends a session in ctx write an entry along with it.
func ending(ctx context.Context, rec audit.Record) context.Context {
	return context.WithValue(ctx, endingKey{}, rec)
}

// FindCtx implements scs.CtxStore.
func (s loginStore) FindCtx(ctx context.Context, token string) ([]byte, bool, error) {
	raw, found, err := s.logins.FindLogin(ctx, token)
	if err == nil && found {
		requestOf(ctx).login = readLogin{token: token, raw: raw}
	}
	return raw, found, err
}

// CommitCtx implements scs.CtxStore.
func (s loginStore) CommitCtx(ctx context.Context, token string, raw []byte, ends time.Time) error {
	read := requestOf(ctx).login
	if read.token != token {
		return s.logins.AddLogin(ctx, token, raw, ends)
	}
	return s.logins.ChangeLogin(ctx, token, ends, func(now []byte) ([]byte, error) { return s.merge(read.raw, raw, now) })
}

// DeleteCtx implements scs.CtxStore.
func (s loginStore) DeleteCtx(ctx context.Context, token string) error {
	var done []audit.Record
	if rec, ok := ctx.Value(endingKey{}).(audit.Record); ok {
		done = append(done, rec)
	}
	ended, err := s.logins.EndLogin(ctx, token, done...)
	if read := &requestOf(ctx).login; err == nil && !ended && read.token == token {
		read.gone = true
	}
	return err
}

// merge makes of a session as it is now what a call that read it and wrote mine has changed in it.
func (s loginStore) merge(read, mine, now []byte) ([]byte, error) {
	_, before, err := s.codec.Decode(read)
	if err != nil {
		return nil, fmt.Errorf("decode console session: %w", err)
	}
	_, after, err := s.codec.Decode(mine)
	if err != nil {
		return nil, fmt.Errorf("decode console session: %w", err)
	}
	deadline, values, err := s.codec.Decode(now)
	if err != nil {
		return nil, fmt.Errorf("decode console session: %w", err)
	}
	proved, _ := values[provedKey].(int64)
	for k, v := range after {
		if before[k] != v {
			values[k] = v
		}
	}
	maps.DeleteFunc(values, func(k string, _ any) bool {
		_, had := before[k]
		_, has := after[k]
		return had && !has
	})
	if newer, ok := values[provedKey].(int64); ok && newer < proved {
		values[provedKey] = proved // of two proofs at the same time the later counts
	}
	return s.codec.Encode(deadline, values)
}

// Find implements scs.Store.
func (s loginStore) Find(token string) ([]byte, bool, error) {
	return s.FindCtx(context.Background(), token)
}

// Commit implements scs.Store.
func (s loginStore) Commit(token string, raw []byte, ends time.Time) error {
	return s.CommitCtx(context.Background(), token, raw, ends)
}

// Delete implements scs.Store.
func (s loginStore) Delete(token string) error { return s.DeleteCtx(context.Background(), token) }
