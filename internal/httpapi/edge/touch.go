package edge

import (
	"bytes"
	"context"
	"maps"
	"sync"
	"time"

	"github.com/alexedwards/scs/v2"
)

// A console session that is only looked at says so to the database at most once in touchEvery: every page of every reader
// would be a write otherwise. It may then end that much sooner than ConsoleIdle.
const (
	touchEvery  = time.Minute
	mostTouched = 10_000
)

// touched is a store of console sessions that leaves out writes that would only move the end a little.
type touched struct {
	scs.CtxStore
	codec scs.Codec
	mu    sync.Mutex
	kept  map[string]keptLogin // by the token's hash: what the database holds, as far as this process knows
}

type keptLogin struct {
	raw    []byte
	expiry time.Time // zero where it is not known
}

func newTouched(store scs.CtxStore) *touched {
	return &touched{CtxStore: store, codec: scs.GobCodec{}, kept: map[string]keptLogin{}}
}

// FindCtx implements scs.CtxStore.
func (t *touched) FindCtx(ctx context.Context, token string) ([]byte, bool, error) {
	raw, found, err := t.CtxStore.FindCtx(ctx, token)
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case err != nil || !found:
		delete(t.kept, token)
	case !bytes.Equal(t.kept[token].raw, raw): // somebody else wrote it
		t.keep(token, keptLogin{raw: raw})
	}
	return raw, found, err
}

// CommitCtx implements scs.CtxStore.
func (t *touched) CommitCtx(ctx context.Context, token string, raw []byte, expiry time.Time) error {
	t.mu.Lock()
	k := t.kept[token]
	t.mu.Unlock()
	if moved := expiry.Sub(k.expiry); !k.expiry.IsZero() && moved >= 0 && moved < touchEvery && t.same(k.raw, raw) {
		return nil
	}
	err := t.CtxStore.CommitCtx(ctx, token, raw, expiry)
	t.mu.Lock()
	defer t.mu.Unlock()
	if err != nil {
		delete(t.kept, token)
		return err
	}
	t.keep(token, keptLogin{raw: raw, expiry: expiry})
	return nil
}

// DeleteCtx implements scs.CtxStore.
func (t *touched) DeleteCtx(ctx context.Context, token string) error {
	t.mu.Lock()
	delete(t.kept, token)
	t.mu.Unlock()
	return t.CtxStore.DeleteCtx(ctx, token)
}

func (t *touched) keep(token string, k keptLogin) {
	if len(t.kept) >= mostTouched {
		clear(t.kept)
	}
	t.kept[token] = k
}

// same reports whether two sessions hold the same: their encoding differs from one time to the next.
func (t *touched) same(a, b []byte) bool {
	endA, valuesA, errA := t.codec.Decode(a)
	endB, valuesB, errB := t.codec.Decode(b)
	return errA == nil && errB == nil && endA.Equal(endB) && maps.Equal(valuesA, valuesB)
}
