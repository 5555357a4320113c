package account

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

func (m *memory) Users(context.Context) ([]User, error) { return slices.Clone(m.users), nil }

func (m *memory) ChangeUserAndKeys(ctx context.Context, id idv.UserID, at time.Time, change func(*User) error, done ...audit.Record) (User, error) {
	u, err := m.ChangeUser(ctx, id, change, done...)
	for i, k := range m.keys {
		if err == nil && k.CreatedBy == id && !k.Ended(at) {
			m.keys[i].RevokedAt = at
		}
	}
	return u, err
}

func (m *memory) ChangeUser(_ context.Context, id idv.UserID, change func(*User) error, _ ...audit.Record) (User, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, u := range m.users {
		if u.ID == id {
			if err := change(&u); err != nil {
				return User{}, err
			}
			m.users[i] = u
			return u, nil
		}
	}
	return User{}, problem.New(problem.NotFound)
}

func (m *memory) AddInvitation(_ context.Context, i Invitation, _ ...audit.Record) error {
	m.invited = append(m.invited, i)
	return nil
}

func (m *memory) Invitations(context.Context, time.Time) ([]Invitation, error) { return m.invited, nil }

func (m *memory) InvitationByHash(_ context.Context, hash string, now time.Time) (Invitation, error) {
	for _, i := range m.invited {
		if i.Hash == hash && now.Before(i.ExpiresAt) {
			return i, nil
		}
	}
	return Invitation{}, problem.New(problem.NotFound)
}

func (m *memory) RevokeInvitation(context.Context, idv.InvitationID, ...audit.Record) error {
	return nil
}

func (m *memory) TakeInvitation(_ context.Context, _ string, u User, _ time.Time, _ ...audit.Record) error {
	m.users = append(m.users, u)
	return nil
}

func TestNobodyGivesWhatTheyMayNotGive(t *testing.T) {
	owner, admin := User{ID: "usr_1", Roles: []Role{Owner}}, User{ID: "usr_2", Roles: []Role{Admin}}
	other := User{ID: "usr_3", Roles: []Role{Reviewer}, Normal: "taken@example.org"}
	setRoles := func(by User, of idv.UserID, roles ...Role) func(*Service) error {
		return func(s *Service) error { _, err := s.SetRoles(t.Context(), by, of, roles); return err }
	}
	disable := func(by User, of idv.UserID) func(*Service) error {
		return func(s *Service) error { _, err := s.SetDisabled(t.Context(), by, of, true); return err }
	}
	keepOut := func(by User, of idv.UserID) func(*Service) error {
		return func(s *Service) error { _, err := s.KeepOut(t.Context(), by, of); return err }
	}
	invite := func(by User, email string, roles ...Role) func(*Service) error {
		return func(s *Service) error { _, _, err := s.Invite(t.Context(), by, email, roles); return err }
	}
	for name, c := range map[string]struct {
		do   func(*Service) error
		want problem.Kind
	}{
		"an admin makes a reviewer a senior reviewer":  {setRoles(admin, other.ID, SeniorReviewer), problem.Kind{}},
		"an owner makes an owner":                      {setRoles(owner, other.ID, Owner), problem.Kind{}},
		"an admin makes an owner":                      {setRoles(admin, other.ID, Owner), problem.AuthForbidden},
		"an admin changes an owner":                    {setRoles(admin, owner.ID, Auditor), problem.AuthForbidden},
		"an admin raises themselves":                   {setRoles(admin, admin.ID, Admin, SeniorReviewer), problem.AuthForbidden},
		"a role that does not exist":                   {setRoles(owner, other.ID, "root"), problem.RequestMalformed},
		"a role twice":                                 {setRoles(owner, other.ID, Reviewer, Reviewer), problem.RequestMalformed},
		"no role":                                      {setRoles(owner, other.ID), problem.RequestMalformed},
		"somebody who is not there":                    {setRoles(owner, "usr_9", Reviewer), problem.NotFound},
		"an admin disables a reviewer":                 {disable(admin, other.ID), problem.Kind{}},
		"an admin disables an owner":                   {disable(admin, owner.ID), problem.AuthForbidden},
		"an owner disables themselves":                 {disable(owner, owner.ID), problem.AuthForbidden},
		"an admin keeps a reviewer and their keys out": {keepOut(admin, other.ID), problem.Kind{}},
		"an admin keeps an owner's keys out":           {keepOut(admin, owner.ID), problem.AuthForbidden},
		"an owner keeps themselves out":                {keepOut(owner, owner.ID), problem.AuthForbidden},
		"a reviewer keeps an admin's keys out":         {keepOut(other, admin.ID), problem.AuthForbidden},
		"an admin invites a reviewer":                  {invite(admin, "new@example.org", Reviewer), problem.Kind{}},
		"an admin invites an owner":                    {invite(admin, "new@example.org", Owner), problem.AuthForbidden},
		"an address with a name":                       {invite(owner, "New <new@example.org>", Reviewer), problem.RequestMalformed},
		"a member's address, written otherwise":        {invite(owner, " TAKEN@example.org", Reviewer), problem.RequestMalformed},
	} {
		t.Run(name, func(t *testing.T) {
			s, m, _ := newTestService(t)
			m.users = []User{owner, admin, other}
			err := c.do(s)
			if ok := c.want.Code == ""; ok != (err == nil) || (!ok && !problem.Has(err, c.want)) {
				t.Errorf("got %v, want %q", err, c.want.Code)
			}
		})
	}
}

func TestACodeOfTheSecondFactorWorksOnce(t *testing.T) {
	s, m, now := newTestService(t)
	ctx := t.Context()
	hash, err := s.hasher.hash(ctx, goodPhrase)
	if err != nil {
		t.Fatal(err)
	}
	u := User{ID: "usr_1", Email: "ada@example.org", Normal: "ada@example.org", PasswordHash: hash, Roles: []Role{Owner}}
	m.users = []User{u}
	login := func(code string) error {
		_, err := s.Login(ctx, u.Email, goodPhrase, code)
		return err
	}
	if _, err := s.BeginFactor(ctx, u, "something else", "Bonafide"); !problem.Has(err, problem.AuthInvalid) {
		t.Errorf("begun without the password: %v", err)
	}
	f, err := s.BeginFactor(ctx, u, goodPhrase, "A: B")
	if err != nil {
		t.Fatal(err)
	}
	if err := login(""); err != nil {
		t.Errorf("a factor that was only drawn is asked for: %v", err)
	}
	code := func() string {
		c, err := totp.GenerateCode(f.Secret, *now)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	if _, err := s.ConfirmFactor(ctx, u.ID, "000000"); !problem.Has(err, problem.AuthSecondFactor) {
		t.Errorf("confirmed with a wrong code: %v", err)
	}
	recovery, err := s.ConfirmFactor(ctx, u.ID, code())
	if err != nil || len(recovery) != RecoveryCodes {
		t.Fatalf("%d recovery codes, %v", len(recovery), err)
	}
	*now = now.Add(2 * factorPeriod)
	first := code()
	for _, c := range []struct {
		what, code string
		ok         bool
	}{
		{"no code", "", false},
		{"a wrong code", "12345", false},
		{"the present code", first[:3] + " " + first[3:], true},
		{"the same code again", first, false},
		{"a recovery code", recovery[3], true},
		{"the same recovery code again", recovery[3], false},
		{"another, without its hyphens", plainCode(recovery[4]), true},
	} {
		if err := login(c.code); (err == nil) != c.ok || (err != nil && !problem.Has(err, problem.AuthSecondFactor)) {
			t.Errorf("%s: %v", c.what, err)
		}
	}
	*now = now.Add(factorPeriod)
	late := code()
	*now = now.Add(3 * factorPeriod)
	if err := login(late); !problem.Has(err, problem.AuthSecondFactor) {
		t.Errorf("a code of two minutes ago: %v", err)
	}
	for _, c := range []struct {
		what, password, code string
		ok                   bool
	}{
		{"without the password", "something else", recovery[0], false},
		{"without a code, by a page that was opened before", goodPhrase, "", false},
		{"with both", goodPhrase, recovery[0], true},
	} {
		if err := s.RemoveFactor(ctx, u, c.password, c.code); (err == nil) != c.ok {
			t.Errorf("removed %s: %v", c.what, err)
		}
	}
	if err := login(""); err != nil {
		t.Errorf("a factor that was removed is asked for: %v", err)
	}
}
