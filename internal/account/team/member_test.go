package team

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/accounttest"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

var (
	owner    = account.User{ID: "usr_1", Name: "Olga", Normal: "olga@example.org", PasswordHash: "h", Roles: []account.Role{account.Owner}}
	admin    = account.User{ID: "usr_2", Name: "adam", Normal: "adam@example.org", PasswordHash: "h", Roles: []account.Role{account.Admin}}
	reviewer = account.User{ID: "usr_3", Name: "Rita", Normal: "taken@example.org", PasswordHash: "h", Roles: []account.Role{account.Reviewer}}
)

func newTestMembers(o Options) (*Members, *accounttest.Store, *accounttest.Clock) {
	st, clock := &accounttest.Store{Members: []account.User{owner, admin, reviewer}}, accounttest.NewClock()
	o.Now = clock.Now
	return NewMembers(st, o), st, clock
}

func TestNobodyGivesWhatTheyMayNotGive(t *testing.T) {
	setRoles := func(by account.User, of idv.UserID, roles ...account.Role) func(*Members) error {
		return func(s *Members) error { _, err := s.SetRoles(t.Context(), by, of, roles); return err }
	}
	disable := func(by account.User, of idv.UserID) func(*Members) error {
		return func(s *Members) error { _, err := s.Disable(t.Context(), by, of); return err }
	}
	disableKeys := func(by account.User, of idv.UserID) func(*Members) error {
		return func(s *Members) error { _, err := s.DisableAndRevokeKeys(t.Context(), by, of); return err }
	}
	for name, c := range map[string]struct {
		do   func(*Members) error
		want problem.Kind
	}{
		"an admin makes a reviewer a senior reviewer":  {setRoles(admin, reviewer.ID, account.SeniorReviewer), problem.Kind{}},
		"an owner makes an owner":                      {setRoles(owner, reviewer.ID, account.Owner), problem.Kind{}},
		"an admin makes an owner":                      {setRoles(admin, reviewer.ID, account.Owner), problem.AuthForbidden},
		"an admin changes an owner":                    {setRoles(admin, owner.ID, account.Auditor), problem.AuthForbidden},
		"an admin raises themselves":                   {setRoles(admin, admin.ID, account.Admin, account.SeniorReviewer), problem.AuthForbidden},
		"a role that does not exist":                   {setRoles(owner, reviewer.ID, "root"), problem.RequestMalformed},
		"a role twice":                                 {setRoles(owner, reviewer.ID, account.Reviewer, account.Reviewer), problem.RequestMalformed},
		"no role":                                      {setRoles(owner, reviewer.ID), problem.RequestMalformed},
		"somebody who is not there":                    {setRoles(owner, "usr_9", account.Reviewer), problem.NotFound},
		"an admin disables a reviewer":                 {disable(admin, reviewer.ID), problem.Kind{}},
		"an admin disables an owner":                   {disable(admin, owner.ID), problem.AuthForbidden},
		"an owner disables themselves":                 {disable(owner, owner.ID), problem.AuthForbidden},
		"an admin keeps a reviewer and their keys out": {disableKeys(admin, reviewer.ID), problem.Kind{}},
		"an admin keeps an owner's keys out":           {disableKeys(admin, owner.ID), problem.AuthForbidden},
		"an owner keeps themselves out":                {disableKeys(owner, owner.ID), problem.AuthForbidden},
		"a reviewer keeps an admin's keys out":         {disableKeys(reviewer, admin.ID), problem.AuthForbidden},
	} {
		t.Run(name, func(t *testing.T) {
			s, _, _ := newTestMembers(Options{})
			wantKind(t, c.do(s), c.want)
		})
	}
	invite := func(by account.User, email string, roles ...account.Role) func(*Invitations) error {
		return func(s *Invitations) error { _, _, err := s.Create(t.Context(), by, email, roles); return err }
	}
	for name, c := range map[string]struct {
		do   func(*Invitations) error
		want problem.Kind
	}{
		"an admin invites a reviewer":           {invite(admin, "new@example.org", account.Reviewer), problem.Kind{}},
		"an admin invites an owner":             {invite(admin, "new@example.org", account.Owner), problem.AuthForbidden},
		"an address with a name":                {invite(owner, "New <new@example.org>", account.Reviewer), problem.RequestMalformed},
		"a member's address, written otherwise": {invite(owner, " TAKEN@example.org", account.Reviewer), problem.RequestMalformed},
	} {
		t.Run(name, func(t *testing.T) {
			s, _, _ := newTestInvitations()
			wantKind(t, c.do(s), c.want)
		})
	}
}

// wantKind fails the test unless err is a problem of that kind; the zero kind stands for no error.
func wantKind(t *testing.T, err error, want problem.Kind) {
	t.Helper()
	if ok := want.Code == ""; ok != (err == nil) || (!ok && !problem.Has(err, want)) {
		t.Errorf("got %v, want %q", err, want.Code)
	}
}

func TestADisabledMemberIsOutUntilEnabled(t *testing.T) {
	s, st, clock := newTestMembers(Options{})
	ctx := t.Context()
	if _, err := s.FindActive(ctx, reviewer.ID); err != nil {
		t.Error(err)
	}
	first := clock.Now()
	u, err := s.Disable(ctx, admin, reviewer.ID)
	if err != nil || !u.DisabledAt.Equal(first) || !u.SessionsFrom.Equal(first) {
		t.Errorf("disabled: %+v, %v", u, err)
	}
	_, err = s.FindActive(ctx, reviewer.ID)
	accounttest.Want(t, "a disabled member", err, "auth.invalid")
	_, err = s.FindActive(ctx, "usr_9")
	accounttest.Want(t, "nobody", err, "auth.invalid")
	clock.Advance(time.Hour)
	if u, err = s.Disable(ctx, admin, reviewer.ID); err != nil || !u.DisabledAt.Equal(first) {
		t.Errorf("disabled again: %+v, %v", u, err)
	}
	if u, err = s.Enable(ctx, admin, reviewer.ID); err != nil || !u.DisabledAt.IsZero() || !u.SessionsFrom.Equal(first) {
		t.Errorf("enabled: %+v, %v", u, err)
	}
	if diff := cmp.Diff([]string{"member.disabled", "member.disabled", "member.enabled"}, st.Actions); diff != "" {
		t.Errorf("audited (-want +got):\n%s", diff)
	}
}

func TestKeysAreRevokedWithTheMemberWhoMadeThem(t *testing.T) {
	s, st, clock := newTestMembers(Options{})
	st.APIKeys = []account.Key{{ID: "key_1", CreatedBy: reviewer.ID}, {ID: "key_2", CreatedBy: owner.ID}}
	u, err := s.DisableAndRevokeKeys(t.Context(), admin, reviewer.ID)
	if err != nil || u.DisabledAt.IsZero() {
		t.Errorf("%+v, %v", u, err)
	}
	if now := clock.Now(); !st.APIKeys[0].Ended(now) || st.APIKeys[1].Ended(now) {
		t.Errorf("keys: %+v", st.APIKeys)
	}
}

func TestTheLastOwnerStays(t *testing.T) {
	s, _, _ := newTestMembers(Options{})
	second := account.User{ID: "usr_8", Roles: []account.Role{account.Owner}}
	_, err := s.SetRoles(t.Context(), second, owner.ID, []account.Role{account.Auditor})
	accounttest.Want(t, "other roles", err, "auth.forbidden")
	_, err = s.Disable(t.Context(), second, owner.ID)
	accounttest.Want(t, "disabled", err, "auth.forbidden")
}

func TestALostFactorIsResetWhereAnotherWayInStays(t *testing.T) {
	passkey := account.Factor{Secret: "S", Recovery: []string{"a"}, Passkeys: []account.Passkey{{ID: "pky_1"}}}
	linked := account.Subject{Issuer: "https://idp.example.org", ID: "1"}
	for name, tt := range map[string]struct {
		sso     bool
		hash    string
		subject account.Subject
		want    string
	}{
		"with a password":                                  {false, "h", account.Subject{}, ""},
		"by single sign-on":                                {true, "", linked, ""},
		"by single sign-on that the deployment lost":       {false, "", linked, "auth.forbidden"},
		"without a password where there is single sign-on": {true, "", account.Subject{}, "auth.forbidden"},
	} {
		t.Run(name, func(t *testing.T) {
			s, st, clock := newTestMembers(Options{SingleSignOn: tt.sso})
			member := &st.Members[2]
			member.Factor, member.PasswordHash, member.Subject = passkey, tt.hash, tt.subject
			u, err := s.ResetFactor(t.Context(), admin, reviewer.ID)
			accounttest.Want(t, "by an admin", err, tt.want)
			if tt.want == "" && (u.Factor.On() || len(u.Factor.Recovery) != 0 || !u.SessionsFrom.Equal(clock.Now())) {
				t.Errorf("member %+v", u)
			}
			st.Members[2].Factor = passkey
			_, err = s.ResetFactorAsOperator(t.Context(), " TAKEN@example.org")
			accounttest.Want(t, "by the operator", err, tt.want)
			if kept := st.Members[2].Factor.On(); kept != (tt.want != "") {
				t.Errorf("the factor is kept: %v", kept)
			}
		})
	}
	s, _, _ := newTestMembers(Options{})
	_, err := s.ResetFactorAsOperator(t.Context(), "nobody@example.org")
	accounttest.Want(t, "of nobody", err, "not_found")
}

func TestPermittedMembersAreListedByName(t *testing.T) {
	s, st, clock := newTestMembers(Options{})
	names := func(p account.Permission, mode idv.Mode) []string {
		t.Helper()
		users, err := s.ListPermitted(t.Context(), p, mode)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, u := range users {
			out = append(out, u.Name)
		}
		return out
	}
	if got := names(account.CasesRead, idv.Live); !slices.Equal(got, []string{"adam", "Olga", "Rita"}) {
		t.Errorf("who may see cases: %v", got)
	}
	if got := names(account.CasesDecide, idv.Live); !slices.Equal(got, []string{"Olga", "Rita"}) {
		t.Errorf("who may decide: %v", got)
	}
	st.Members[2].DisabledAt = clock.Now()
	if got := names(account.CasesDecide, idv.Live); !slices.Equal(got, []string{"Olga"}) {
		t.Errorf("who may decide after one was disabled: %v", got)
	}
	if all, err := s.List(t.Context()); err != nil || len(all) != 3 {
		t.Errorf("%d members, %v", len(all), err)
	}
	st.FailedReads = errors.New("down")
	_, err := s.ListPermitted(t.Context(), account.CasesRead, idv.Live)
	accounttest.Want(t, "the store", err, "down")
}

func TestNamesLeaveOutWhoIsGone(t *testing.T) {
	s, st, _ := newTestMembers(Options{})
	got, err := s.Names(t.Context(), owner.ID, "usr_gone", "", owner.ID, admin.ID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[idv.UserID]string{owner.ID: "Olga", admin.ID: "adam"}, got); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	st.FailedReads = errors.New("down")
	_, err = s.Names(t.Context(), owner.ID)
	accounttest.Want(t, "the store", err, "down")
}
