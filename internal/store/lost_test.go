package store

import (
	"testing"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/store/auditlog"
)

func recordLostFactor(t *testing.T, d *deployment) {
	ctx := t.Context()
	owner, _, _ := newTeam(t, d)
	if _, err := d.store.ChangeUser(ctx, owner.ID, func(u *account.User) error {
		u.Factor = account.Factor{Secret: "JBSWY3DPEHPK3PXP", Recovery: []string{"a"}, Passkeys: []account.Passkey{{ID: "pky_1", Credential: []byte{1}}}}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	s := accountsOf(d).members
	if _, err := s.ResetFactorAsOperator(ctx, "nobody@example.org"); !problem.Has(err, problem.NotFound) {
		t.Errorf("nobody: %v", err)
	}
	got, err := s.ResetFactorAsOperator(ctx, "ADA@example.org ")
	if err != nil || got.Factor.On() || len(got.Factor.Recovery) != 0 || got.SessionsFrom.IsZero() {
		t.Errorf("member: %+v, %v", got, err)
	}
	if n, err := d.store.Read.NewSelect().Model((*auditlog.AuditRow)(nil)).Where("action = ? AND subject = ?", "member.factor_reset_by_operator",
		string(owner.ID)).Count(ctx); err != nil ||
		n != 1 {
		t.Errorf("audit entries: %d, %v", n, err)
	}
	if _, err := d.store.ChangeUser(ctx, owner.ID, func(u *account.User) error { u.PasswordHash = ""; return nil }); err != nil {
		t.Fatal(err)
	}
	if _, err := d.store.ChangeUser(ctx, owner.ID, func(u *account.User) error {
		u.Factor.Passkeys = []account.Passkey{{ID: "pky_1", Credential: []byte{1}}}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ResetFactorAsOperator(ctx, owner.Email); !problem.Has(err, problem.AuthForbidden) {
		t.Errorf("by the operator, a member without a password: %v", err)
	}
	if _, err := s.ResetFactor(ctx, account.User{ID: "usr_2", Roles: []account.Role{account.Owner}}, owner.ID); !problem.Has(err, problem.AuthForbidden) {
		t.Errorf("by an owner, a member without a password: %v", err)
	}
	if got, err := d.store.User(ctx, owner.ID); err != nil || len(got.Factor.Passkeys) != 1 {
		t.Errorf("their passkey is gone: %+v, %v", got.Factor, err)
	}
}
