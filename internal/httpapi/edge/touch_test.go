package edge

import (
	"context"
	"testing"
	"time"

	"github.com/alexedwards/scs/v2"
)

// shelf is a store of console sessions that counts writes.
type shelf struct {
	scs.CtxStore
	raw    []byte
	writes int
}

func (s *shelf) FindCtx(context.Context, string) ([]byte, bool, error) {
	return s.raw, s.raw != nil, nil
}
func (s *shelf) DeleteCtx(context.Context, string) error { s.raw = nil; return nil }
func (s *shelf) CommitCtx(_ context.Context, _ string, raw []byte, _ time.Time) error {
	s.raw = raw
	s.writes++
	return nil
}

func TestLookingAtPagesIsWrittenOnceAMinute(t *testing.T) {
	start := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	raw := func(user string) []byte {
		b, err := scs.GobCodec{}.Encode(start.Add(ConsoleTotal), map[string]any{userKey: user, sinceKey: int64(7)})
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	under := &shelf{}
	store := newTouched(under)
	page := func(at time.Duration, user string) {
		t.Helper()
		if _, _, err := store.FindCtx(t.Context(), "token"); err != nil {
			t.Fatal(err)
		}
		if err := store.CommitCtx(t.Context(), "token", raw(user), start.Add(at+ConsoleIdle)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		what string
		do   func()
		want int
	}{
		{"a new session is written", func() { page(0, "ada") }, 1},
		{"pages right after are not", func() { page(time.Second, "ada"); page(59*time.Second, "ada") }, 1},
		{"a minute later one is", func() { page(time.Minute, "ada") }, 2},
		{"what changed is written at once", func() { page(time.Minute+time.Second, "bob") }, 3},
		{"what another server wrote is not relied on", func() { under.raw = raw("eve"); page(time.Minute+2*time.Second, "eve") }, 4},
		{"one that was ended is written anew", func() { _ = store.DeleteCtx(t.Context(), "token"); page(time.Minute+3*time.Second, "eve") }, 5},
	} {
		if c.do(); under.writes != c.want {
			t.Errorf("%s: %d writes, want %d", c.what, under.writes, c.want)
		}
	}
}
