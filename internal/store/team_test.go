package store

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// newTeam makes an owner and an invitation of a second member.
func newTeam(t *testing.T, d *deployment) (owner account.User, invited account.Invitation, now time.Time) {
	t.Helper()
	ctx := t.Context()
	now = d.clock.now().UTC().Truncate(time.Microsecond)
	owner = account.User{
		ID:           "usr_1",
		Name:         "Ada",
		Email:        "ada@example.org",
		Normal:       "ada@example.org",
		PasswordHash: "hash",
		Roles:        []account.Role{account.Owner},
		CreatedAt:    now,
	}
	if err := d.store.SetSetupToken(ctx, "token", now.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if err := d.store.AddOwner(ctx, owner, "token", now); err != nil {
		t.Fatal(err)
	}
	invited = account.Invitation{
		ID: "inv_1", Email: "Grace@Example.org", Roles: []account.Role{account.Reviewer}, InvitedBy: owner.ID, Hash: "invited",
		CreatedAt: now, ExpiresAt: now.Add(time.Hour),
	}
	if err := d.store.AddInvitation(ctx, invited); err != nil {
		t.Fatal(err)
	}
	return owner, invited, now
}

func recordInvitations(t *testing.T, d *deployment) {
	ctx := t.Context()
	_, invited, now := newTeam(t, d)
	open, err := d.store.Invitations(ctx, now)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]account.Invitation{invited}, open); diff != "" {
		t.Fatalf("invitations (-want +got):\n%s", diff)
	}
	if open, err := d.store.Invitations(ctx, now.Add(time.Hour)); err != nil || len(open) != 0 {
		t.Errorf("an expired invitation is open: %v, %v", open, err)
	}
	for name, c := range map[string]struct {
		hash string
		now  time.Time
	}{"of no invitation": {"none", now}, "of an expired one": {"invited", now.Add(time.Hour)}} {
		if _, err := d.store.InvitationByHash(ctx, c.hash, c.now); !problem.Has(err, problem.NotFound) {
			t.Errorf("token %s: %v", name, err)
		}
		if err := d.store.AcceptInvitation(ctx, c.hash, account.User{ID: "usr_9", Normal: "x"}, c.now); !problem.Has(err, problem.AuthInvalid) {
			t.Errorf("token %s was taken: %v", name, err)
		}
	}
	taken := 0
	for _, err := range together(6, func(i int) error {
		u := account.User{ID: idv.UserID("usr_2" + string(rune('a'+i))), Normal: string(rune('a'+i)) + "@example.org", PasswordHash: "h", Roles: invited.Roles,
			CreatedAt: now}
		return d.store.AcceptInvitation(ctx, "invited", u, now)
	}) {
		if err == nil {
			taken++
		} else if !problem.Has(err, problem.AuthInvalid) {
			t.Errorf("one of six at once: %v", err)
		}
	}
	users, err := d.store.Users(ctx)
	if taken != 1 || len(users) != 2 || err != nil {
		t.Fatalf("%d of six took it, %d members, %v", taken, len(users), err)
	}
	again := invited
	again.ID, again.Hash = "inv_2", "again"
	if err := d.store.AddInvitation(ctx, again); err != nil {
		t.Fatal(err)
	}
	if err := d.store.AcceptInvitation(ctx, "again", account.User{ID: "usr_3", Normal: users[1].Normal, CreatedAt: now}, now); !problem.Has(
		err,
		problem.AuthInvalid,
	) {
		t.Errorf("a second member with one address: %v", err)
	}
	if err := d.store.RevokeInvitation(ctx, "inv_2"); err != nil {
		t.Errorf("an invitation that could not be taken is gone: %v", err)
	}
	if err := d.store.RevokeInvitation(ctx, "inv_2"); !problem.Has(err, problem.NotFound) {
		t.Errorf("revoked twice: %v", err)
	}
}

func recordTeam(t *testing.T, d *deployment) {
	ctx := t.Context()
	owner, _, now := newTeam(t, d)
	second := account.User{
		ID:           "usr_2",
		Name:         "Grace",
		Email:        "g@example.org",
		Normal:       "g@example.org",
		PasswordHash: "h",
		Roles:        []account.Role{account.Owner},
		CreatedAt:    now.Add(time.Second),
	}
	if err := d.store.AcceptInvitation(ctx, "invited", second, now); err != nil {
		t.Fatal(err)
	}
	want := second
	want.Factor = account.Factor{Secret: "JBSWY3DPEHPK3PXP", LastStep: 7, Recovery: []string{"a", "b"}}
	want.SessionsFrom, want.DisabledAt = now.Add(time.Minute), now.Add(time.Minute)
	if _, err := d.store.ChangeUser(ctx, second.ID, func(u *account.User) error {
		u.Factor, u.SessionsFrom, u.DisabledAt = want.Factor, want.SessionsFrom, want.DisabledAt
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	got, err := d.store.Users(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]account.User{owner, want}, got); diff != "" {
		t.Errorf("team (-want +got):\n%s", diff)
	}
	demote := func(u *account.User) error { u.Roles = []account.Role{account.Auditor}; return nil }
	if _, err := d.store.ChangeUser(ctx, owner.ID, demote); !problem.Has(err, problem.AuthForbidden) {
		t.Errorf("the last owner who may sign in was demoted: %v", err)
	}
	if _, err := d.store.ChangeUser(ctx, second.ID, func(u *account.User) error { u.DisabledAt = time.Time{}; return nil }); err != nil {
		t.Fatal(err)
	}
	done := 0
	for _, err := range together(2, func(i int) error {
		_, err := d.store.ChangeUser(ctx, []idv.UserID{owner.ID, second.ID}[i], demote)
		return err
	}) {
		if err == nil {
			done++
		} else if !problem.Has(err, problem.AuthForbidden) {
			t.Error(err)
		}
	}
	if done != 1 {
		t.Errorf("of two owners demoted at once, %d were", done)
	}
	if _, err := d.store.ChangeUser(ctx, "usr_none", demote); !problem.Has(err, problem.NotFound) {
		t.Errorf("nobody was changed: %v", err)
	}
}
