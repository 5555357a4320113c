package store

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/store/auditlog"
	"github.com/bonafide-id/bonafide/internal/vault"
)

func recordAccounts(t *testing.T, d *deployment) {
	t.Run("members", func(t *testing.T) { members(t, d) })
	t.Run("keys", func(t *testing.T) { apiKeys(t, d) })
	t.Run("console sessions", func(t *testing.T) { logins(t, d) })
	t.Run("console sessions that several calls write at once", func(t *testing.T) { loginsAtOnce(t, d) })
	t.Run("idempotency", func(t *testing.T) { replays(t, d) })
}

func members(t *testing.T, d *deployment) {
	ctx := t.Context()
	now := d.clock.now().UTC().Truncate(time.Microsecond)
	u := account.User{
		ID: "usr_1", Name: "Ada", Email: "Ada@Example.org", Normal: "ada@example.org", PasswordHash: "hash",
		Roles: []account.Role{account.Owner}, CreatedAt: now, LastLoginAt: now,
	}
	if err := d.store.AddOwner(ctx, u, "token", now); !problem.Has(err, problem.AuthInvalid) {
		t.Fatalf("without a token: %v", err)
	}
	for _, hash := range []string{"old", "token"} {
		if err := d.store.SetSetupToken(ctx, hash, now.Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.store.AddOwner(ctx, u, "old", now); !problem.Has(err, problem.AuthInvalid) {
		t.Fatalf("with a replaced token: %v", err)
	}
	if err := d.store.AddOwner(ctx, u, "token", now.Add(time.Hour)); !problem.Has(err, problem.AuthInvalid) {
		t.Fatalf("with an expired token: %v", err)
	}
	made := 0
	for _, err := range together(4, func(i int) error {
		u := u
		u.ID, u.Normal = idv.UserID("usr_"+string(rune('1'+i))), string(rune('a'+i))+"@example.org"
		return d.store.AddOwner(ctx, u, "token", now)
	}) {
		if err == nil {
			made++
		}
	}
	n, err := d.store.CountUsers(ctx)
	if made != 1 || n != 1 || err != nil {
		t.Fatalf("%d of four owners at once were made, %d are there, %v", made, n, err)
	}
	if err := d.store.SetSetupToken(ctx, "token", now.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if err := d.store.AddOwner(ctx, u, "token", now); !problem.Has(err, problem.AuthForbidden) {
		t.Fatalf("a second owner: %v", err)
	}
	var got account.User
	for _, c := range []string{"a", "b", "c", "d"} {
		if got, err = d.store.UserByEmail(ctx, c+"@example.org"); err == nil {
			break
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	u.ID, u.Normal = got.ID, got.Normal
	if diff := cmp.Diff(u, got); diff != "" {
		t.Fatalf("member (-want +got):\n%s", diff)
	}
	if err := d.store.RecordSignIn(ctx, u.ID, now.Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if got, err := d.store.User(ctx, u.ID); err != nil || !got.LastLoginAt.Equal(now.Add(time.Minute)) {
		t.Fatalf("%v, %v", got.LastLoginAt, err)
	}
	if _, err := d.store.User(ctx, "usr_none"); !problem.Has(err, problem.NotFound) {
		t.Fatal(err)
	}
}

func apiKeys(t *testing.T, d *deployment) {
	ctx := t.Context()
	now := d.clock.now().UTC().Truncate(time.Microsecond)
	k := account.Key{
		ID: "key_1", Name: "shop", Mode: idv.Test, Scopes: []account.Permission{account.SessionsRead}, Prefix: "bf_test_abcd",
		Hash: "h", CreatedAt: now, ExpiresAt: now.Add(time.Hour),
	}
	if err := d.store.AddKey(ctx, k); err != nil {
		t.Fatal(err)
	}
	if err := d.store.RecordKeyUse(ctx, k.ID, now); err != nil {
		t.Fatal(err)
	}
	k.LastUsedAt = now
	got, err := d.store.KeyByHash(ctx, "h")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(k, got); diff != "" {
		t.Fatalf("key (-want +got):\n%s", diff)
	}
	if _, err := d.store.KeyByHash(ctx, "none"); !problem.Has(err, problem.NotFound) {
		t.Fatal(err)
	}
	next := account.Key{ID: "key_2", Name: "shop", Mode: idv.Test, Scopes: k.Scopes, Hash: "h2", CreatedAt: now, CreatedBy: "usr_1"}
	if err := d.store.ReplaceKey(ctx, next, "key_none", now); !problem.Has(err, problem.NotFound) {
		t.Fatalf("a key of nobody was replaced: %v", err)
	}
	if err := d.store.ReplaceKey(ctx, next, k.ID, now); err != nil {
		t.Fatal(err)
	}
	k.ExpiresAt = now
	d.clock.advance(time.Second)
	list, err := d.store.Keys(ctx, idv.Test)
	if diff := cmp.Diff([]account.Key{next, k}, list); err != nil || diff != "" {
		t.Fatalf("keys (%v), those that work first (-want +got):\n%s", err, diff)
	}
	for range 2 {
		if err := d.store.RevokeKey(ctx, next.ID, now.Add(time.Second)); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := d.store.APIKey(ctx, next.ID); err != nil || !got.RevokedAt.Equal(now.Add(time.Second)) {
		t.Fatalf("%v, %v", got.RevokedAt, err)
	}
	if err := d.store.RevokeKey(ctx, "key_none", now); !problem.Has(err, problem.NotFound) {
		t.Fatal(err)
	}
	if live, err := d.store.Keys(ctx, idv.Live); err != nil || len(live) != 0 {
		t.Fatalf("keys of the other mode: %v, %v", live, err)
	}
	for action, subject := range map[string]string{"key.created": "key_1", "key.rotated": "key_1", "key.revoked": "key_2"} {
		sawAudit(t, d, action, subject)
	}
}

func logins(t *testing.T, d *deployment) {
	ctx, s := t.Context(), d.store
	ends := d.clock.now().Add(time.Hour)
	if err := s.AddLogin(ctx, "token", []byte("one"), ends); err != nil {
		t.Fatal(err)
	}
	add := func(what string) func([]byte) ([]byte, error) {
		return func(now []byte) ([]byte, error) { return append(now, what...), nil }
	}
	if err := s.ChangeLogin(ctx, "token", ends.Add(-time.Minute), add(", two")); err != nil {
		t.Fatal(err)
	}
	d.clock.advance(59*time.Minute + 30*time.Second) // its end was not moved forward
	if got, ok, err := s.FindLogin(ctx, "token"); err != nil || !ok || string(got) != "one, two" {
		t.Fatalf("FindLogin = %q, %v, %v", got, ok, err)
	}
	if err := s.ChangeLogin(ctx, "token", ends, func([]byte) ([]byte, error) { return nil, errOutage }); !errors.Is(err, errOutage) {
		t.Errorf("a change that fails: %v", err)
	}
	if err := s.AddLogin(ctx, "late", []byte("x"), d.clock.now().Add(-time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := s.FindLogin(ctx, "late"); ok || err != nil {
		t.Fatalf("an expired session: %v, %v", ok, err)
	}
	if err := d.store.dropExpired(ctx); err != nil {
		t.Fatal(err)
	}
	if ended, err := s.EndLogin(ctx, "token", audit.Record{Action: "user.signed_out", Subject: "one"}); !ended || err != nil {
		t.Fatalf("EndLogin = %v, %v", ended, err)
	}
	sawAudit(t, d, "user.signed_out", "one")
	if ended, err := s.EndLogin(ctx, "token", audit.Record{Action: "user.signed_out", Subject: "two"}); ended || err != nil {
		t.Fatalf("ended twice: %v, %v", ended, err)
	}
	if err := s.ChangeLogin(ctx, "token", ends, add(", three")); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := s.FindLogin(ctx, "token"); ok || err != nil {
		t.Fatalf("a late write brought an ended session back: %v, %v", ok, err)
	}
	entries, err := auditlog.NewTrail(s.Read).AuditEntries(ctx, 0, 10000)
	if err != nil || slices.ContainsFunc(entries, func(e audit.Entry) bool { return e.Subject == "two" }) {
		t.Errorf("what did not happen is on record (%v)", err)
	}
}

// loginsAtOnce has calls of one browser write the same session while another ends it.
func loginsAtOnce(t *testing.T, d *deployment) {
	ctx, s := t.Context(), d.store
	ends := d.clock.now().Add(time.Hour)
	if err := s.AddLogin(ctx, "token", []byte("-"), ends); err != nil {
		t.Fatal(err)
	}
	const n = 8
	for i, err := range together(n, func(i int) error {
		return s.ChangeLogin(ctx, "token", ends, func(now []byte) ([]byte, error) { return append(now, byte(i)), nil })
	}) {
		if err != nil {
			t.Errorf("call %d: %v", i, err)
		}
	}
	if raw, ok, err := s.FindLogin(ctx, "token"); err != nil || !ok || len(raw) != 1+n {
		t.Errorf("%d of %d changes were kept (%v, %v)", len(raw)-1, n, ok, err)
	}
	for i, err := range together(n, func(i int) error {
		if i == n/2 {
			_, err := s.EndLogin(ctx, "token")
			return err
		}
		return s.ChangeLogin(ctx, "token", ends, func(now []byte) ([]byte, error) { return now, nil })
	}) {
		if err != nil {
			t.Errorf("call %d: %v", i, err)
		}
	}
	if _, ok, err := s.FindLogin(ctx, "token"); ok || err != nil {
		t.Errorf("a session that was ended is there: %v, %v", ok, err)
	}
}

func replays(t *testing.T, d *deployment) {
	ctx := t.Context()
	r := d.store.Replays()
	now := d.clock.now()
	claim := func(key, request string, now time.Time) (string, []byte, bool) {
		t.Helper()
		req, sealed, fresh, err := r.Claim(ctx, key, request, now, now.Add(-time.Minute), now.Add(time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		return req, sealed, fresh
	}
	fresh := 0
	for _, err := range together(8, func(int) error {
		_, _, f, err := r.Claim(ctx, "raced", "a", now, now.Add(-time.Minute), now.Add(time.Hour))
		if f {
			return errOutage
		}
		return err
	}) {
		if errors.Is(err, errOutage) {
			fresh++
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if fresh != 1 {
		t.Fatalf("%d of eight claims at once were fresh", fresh)
	}
	if _, _, fresh := claim("k", "a", now); !fresh {
		t.Fatal("a free key was not fresh")
	}
	if req, sealed, fresh := claim("k", "b", now); fresh || req != "a" || sealed != nil {
		t.Fatalf("a running call: %q, %q, %v", req, sealed, fresh)
	}
	if err := r.Release(ctx, "k"); err != nil {
		t.Fatal(err)
	}
	if _, _, fresh := claim("k", "b", now); !fresh {
		t.Fatal("a released key was not fresh")
	}
	if _, _, fresh := claim("k", "c", now.Add(2*time.Minute)); !fresh {
		t.Fatal("the claim of a call that died was not taken over")
	}
	if err := r.Keep(ctx, "k", "", []byte("answer")); err != nil {
		t.Fatal(err)
	}
	if err := r.Release(ctx, "k"); err != nil {
		t.Fatal(err)
	}
	if req, sealed, fresh := claim("k", "c", now.Add(30*time.Minute)); fresh || req != "c" || string(sealed) != "answer" {
		t.Fatalf("a kept answer: %q, %q, %v", req, sealed, fresh)
	}
	if _, _, fresh := claim("k", "c", now.Add(2*time.Hour)); !fresh {
		t.Fatal("an expired answer was kept")
	}
}

func recordMigrate(t *testing.T, d *deployment) {
	ctx := t.Context()
	d = d.beside(t)
	must(t, d.store.Migrate(ctx))
	for _, err := range together(3, func(int) error { return d.store.Migrate(ctx) }) {
		if err != nil {
			t.Fatal(err)
		}
	}
	if ok, err := d.store.Current(ctx); !ok || err != nil {
		t.Fatalf("Current = %v, %v", ok, err)
	}
	for _, mode := range []idv.Mode{idv.Live, idv.Test} {
		w, err := d.store.WorkflowNamed(ctx, mode, "default")
		if err != nil || w.State != idv.Published || w.AcceptSpecimens != (mode == idv.Test) {
			t.Fatalf("workflow %+v, %v", w, err)
		}
	}
	if err := d.store.Ready(ctx); err != nil {
		t.Fatal(err)
	}
	key := filepath.Join(t.TempDir(), "other.key")
	if _, err := vault.CreateMaster(key); err != nil {
		t.Fatal(err)
	}
	other, err := vault.OpenMaster("file:" + key)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(ctx, d.url, Options{Master: other, Log: quiet()}); !errors.Is(err, vault.ErrWrongMaster) {
		t.Fatalf("another master key: %v", err)
	}
}
