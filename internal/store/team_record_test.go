package store

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/apikey"
	"github.com/bonafide-id/bonafide/internal/account/password"
	"github.com/bonafide-id/bonafide/internal/account/signin"
	"github.com/bonafide-id/bonafide/internal/account/team"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/store/auditlog"
)

// recordOrNothing does everything to a team while the audit log cannot be written: all of it fails and leaves nothing.
func recordOrNothing(t *testing.T, d *deployment) {
	ctx := t.Context()
	owner, invited, now := newTeam(t, d)
	s := accountsOf(d)
	other, err := s.invitations.Accept(ctx, team.Acceptance{Token: invitation(t, s, owner, "bea@example.org"), Name: "Bea", Password: "correct horse battery"})
	if err != nil {
		t.Fatal(err)
	}
	token := invitation(t, s, owner, "cyd@example.org")
	state := func() any {
		users, err := d.store.Users(ctx)
		if err != nil {
			t.Fatal(err)
		}
		open, err := d.store.Invitations(ctx, now)
		if err != nil {
			t.Fatal(err)
		}
		return []any{users, open}
	}
	before := state()
	rename := func(from, to string) {
		t.Helper()
		if _, err := d.store.Write.ExecContext(ctx, "ALTER TABLE "+from+" RENAME TO "+to); err != nil {
			t.Fatal(err)
		}
	}
	rename("audit_entries", "away")
	for name, do := range map[string]func(context.Context) error{
		"an invitation": func(ctx context.Context) error {
			_, _, err := s.invitations.Create(ctx, owner, "dan@example.org", []account.Role{account.Reviewer})
			return err
		},
		"taking an invitation back": func(ctx context.Context) error { return s.invitations.Revoke(ctx, invited.ID) },
		"taking an invitation up": func(ctx context.Context) error {
			_, err := s.invitations.Accept(ctx, team.Acceptance{Token: token, Name: "Cyd", Password: "correct horse battery"})
			return err
		},
		"other roles": func(ctx context.Context) error {
			_, err := s.members.SetRoles(ctx, owner, other.ID, []account.Role{account.Admin})
			return err
		},
		"keeping out": func(ctx context.Context) error {
			_, err := s.members.Disable(ctx, owner, other.ID)
			return err
		},
		"keeping out with their keys": func(ctx context.Context) error {
			_, err := s.members.DisableAndRevokeKeys(ctx, owner, other.ID)
			return err
		},
		"a factor reset": func(ctx context.Context) error {
			_, err := s.members.ResetFactor(ctx, owner, other.ID)
			return err
		},
		"a factor reset by the operator": func(ctx context.Context) error {
			_, err := s.members.ResetFactorAsOperator(ctx, other.Email)
			return err
		},
		"another password": func(ctx context.Context) error {
			_, err := s.signin.Passwords.Change(ctx, other, "correct horse battery", "another horse battery")
			return err
		},
		"signing out elsewhere": func(ctx context.Context) error {
			_, err := s.signin.Sessions.EndAll(ctx, other.ID)
			return err
		},
		"signing in": func(ctx context.Context) error {
			_, err := s.signin.Passwords.SignIn(ctx, other.Email, "correct horse battery", "")
			return err
		},
	} {
		if err := do(ctx); err == nil {
			t.Errorf("%s goes through without an audit entry", name)
		}
	}
	rename("away", "audit_entries")
	if diff := cmp.Diff(before, state()); diff != "" {
		t.Errorf("what is not on record happened (-before +after):\n%s", diff)
	}
	if _, err := s.members.Disable(ctx, owner, other.ID); err != nil {
		t.Error(err)
	}
	if n, err := d.store.Read.NewSelect().Model((*auditlog.AuditRow)(nil)).Where("action = ? AND subject = ?", "member.disabled",
		string(other.ID)).Count(ctx); err != nil ||
		n != 1 {
		t.Errorf("entries of keeping out: %d, %v", n, err)
	}
}

// accountServices are the services that write members and keys.
type accountServices struct {
	signin      signin.Methods
	invitations *team.Invitations
	members     *team.Members
	keys        *apikey.Service
}

func accountsOf(d *deployment) accountServices {
	hasher := password.NewHasher(password.Options{Memory: 8})
	o := team.Options{Now: d.clock.now}
	return accountServices{
		signin:      signin.New(d.store, hasher, signin.Options{Now: d.clock.now}),
		invitations: team.NewInvitations(d.store, hasher, o),
		members:     team.NewMembers(d.store, o),
		keys:        apikey.New(d.store, apikey.Options{Now: d.clock.now}),
	}
}

// invitation invites somebody and returns the token.
func invitation(t *testing.T, s accountServices, by account.User, email string) string {
	t.Helper()
	_, token, err := s.invitations.Create(t.Context(), by, email, []account.Role{account.Reviewer})
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func recordKeysKeptOut(t *testing.T, d *deployment) {
	ctx := t.Context()
	owner, _, _ := newTeam(t, d)
	s := accountsOf(d)
	bea, err := s.invitations.Accept(ctx, team.Acceptance{Token: invitation(t, s, owner, "bea@example.org"), Name: "Bea", Password: "correct horse battery"})
	must(t, err)
	bea, err = s.members.SetRoles(ctx, owner, bea.ID, []account.Role{account.Admin})
	must(t, err)
	secrets := map[string]string{}
	for name, o := range map[string]struct {
		by   account.User
		mode idv.Mode
	}{"live": {bea, idv.Live}, "test": {bea, idv.Test}, "of somebody else": {owner, idv.Live}} {
		_, secrets[name], err = s.keys.Issue(ctx, o.by, apikey.Request{Name: name, Mode: o.mode, Scopes: []account.Permission{account.SessionsWrite}})
		must(t, err)
	}
	ended, _, err := s.keys.Issue(ctx, bea, apikey.Request{Name: "ended", Mode: idv.Test, Scopes: []account.Permission{account.SessionsWrite}})
	must(t, err)
	ended, err = s.keys.Revoke(ctx, ended.ID)
	must(t, err)
	works := func(name string) bool { _, err := s.keys.Authenticate(ctx, secrets[name]); return err == nil }
	want := func(when string, live, test, others bool, listed int) {
		t.Helper()
		if works("live") != live || works("test") != test || works("of somebody else") != others {
			t.Errorf("%s: live %v, test %v, somebody else's %v", when, works("live"), works("test"), works("of somebody else"))
		}
		if keys, err := s.keys.WorkingByMember(ctx); err != nil || len(keys[bea.ID]) != listed {
			t.Errorf("%s: keys %+v, %v", when, keys, err)
		}
	}
	want("at first", true, true, true, 2)
	_, err = s.members.Disable(ctx, owner, bea.ID)
	must(t, err)
	want("kept out, keys left", true, true, true, 2)
	d.clock.advance(time.Minute)
	u, err := s.members.DisableAndRevokeKeys(ctx, owner, bea.ID)
	must(t, err)
	if u.DisabledAt.IsZero() {
		t.Error("let in by keeping out")
	}
	want("keys ended", false, false, true, 0)
	if again, err := s.keys.Find(ctx, ended.ID); err != nil || !again.RevokedAt.Equal(ended.RevokedAt) {
		t.Errorf("a key that had ended was ended again: %+v, %v", again, err)
	}
	if n, err := d.store.Read.NewSelect().Model((*auditlog.AuditRow)(nil)).Where("action = 'key.revoked'").Count(ctx); err != nil || n != 3 {
		t.Errorf("%d keys revoked on record, %v", n, err)
	}
	_, err = s.members.Enable(ctx, owner, bea.ID)
	must(t, err)
	want("let in again", false, false, true, 0)
}
