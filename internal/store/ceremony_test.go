package store

import (
	"bytes"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/store/accounts"
	"github.com/bonafide-id/bonafide/internal/store/auditlog"
)

func recordCeremonies(t *testing.T, d *deployment) {
	ctx := t.Context()
	now := d.clock.now().UTC().Truncate(time.Microsecond)
	keep := func(hash string, expires time.Time) {
		t.Helper()
		if err := d.store.SaveCeremony(ctx, hash, []byte("what was asked"), expires); err != nil {
			t.Fatal(err)
		}
	}
	keep("late", now)
	if _, err := d.store.ClaimCeremony(ctx, "late", now); !problem.Has(err, problem.NotFound) {
		t.Errorf("an expired challenge was answered: %v", err)
	}
	keep("asked", now.Add(time.Minute))
	if n, err := d.store.Read.NewSelect().Model((*accounts.CeremonyRow)(nil)).Where("asked = ?", []byte("what was asked")).Count(ctx); err != nil || n != 0 {
		t.Errorf("what was asked stands there in clear: %d rows, %v", n, err)
	}
	var taken atomic.Int32
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			got, err := d.store.ClaimCeremony(ctx, "asked", now)
			if err == nil && bytes.Equal(got, []byte("what was asked")) {
				taken.Add(1)
			} else if !problem.Has(err, problem.NotFound) {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
	all.Wait()
	if taken.Load() != 1 {
		t.Errorf("a challenge was answered %d times", taken.Load())
	}
}

func recordSubjects(t *testing.T, d *deployment) {
	ctx := t.Context()
	owner, _, now := newTeam(t, d)
	subject := account.Subject{Issuer: "https://idp.example.org", ID: "248289761001"}
	if _, err := d.store.UserBySubject(ctx, subject); !problem.Has(err, problem.NotFound) {
		t.Errorf("nobody has this subject: %v", err)
	}
	if _, err := d.store.UserBySubject(ctx, account.Subject{}); !problem.Has(err, problem.NotFound) {
		t.Errorf("members without a subject are found by none: %v", err)
	}
	want := owner
	want.Subject = subject
	want.Factor.Passkeys = []account.Passkey{
		{ID: "pky_1", Name: "Laptop", Credential: []byte{1}, PublicKey: []byte{2}, SignCount: 3, Synced: true, CreatedAt: now},
	}
	if _, err := d.store.ChangeUser(ctx, owner.ID, func(u *account.User) error {
		u.Subject, u.Factor = want.Subject, want.Factor
		return nil
	}, audit.Record{Action: "user.passkey_added", Subject: "pky_1"}); err != nil {
		t.Fatal(err)
	}
	got, err := d.store.UserBySubject(ctx, subject)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("member (-want +got):\n%s", diff)
	}
	if n, err := d.store.Read.NewSelect().Model((*auditlog.AuditRow)(nil)).Where("action = ? AND subject = ?", "user.passkey_added",
		"pky_1").Count(ctx); err != nil ||
		n != 1 {
		t.Errorf("audit entries: %d, %v", n, err)
	}
}

// beforeDoor undoes the migration that made challenges and members whom a provider vouches for.
var beforeDoor = []string{"DROP TABLE ceremonies", "DROP INDEX users_by_subject", "ALTER TABLE users DROP COLUMN subject_digest"}
