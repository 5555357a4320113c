package account

import (
	"slices"
	"testing"

	"github.com/bonafide-id/bonafide/internal/idv"
)

func TestThePermissionTableIsWhatItSays(t *testing.T) {
	tests := []struct {
		role Role
		p    Permission
		live bool
		test bool
	}{
		{Owner, EvidenceRead, true, true},
		{Developer, SessionsRead, false, true},
		{Developer, SessionsWrite, true, true},
		{Developer, EvidenceRead, false, true},
		{PrivacyOfficer, EvidenceRead, false, false},
		{Auditor, SessionsRead, false, false},
		{Reviewer, VerifyDirectly, false, false},
		{Developer, VerifyDirectly, false, true},
		{Developer, KeysWrite, true, true},
		{Auditor, KeysRead, true, true},
		{Auditor, KeysWrite, false, false},
		{Reviewer, WebhooksRead, false, false},
		{"stranger", SessionsRead, false, false},
	}
	for _, tt := range tests {
		t.Run(string(tt.role)+" "+string(tt.p), func(t *testing.T) {
			if got := May([]Role{tt.role}, tt.p, idv.Live); got != tt.live {
				t.Errorf("live: got %v, want %v", got, tt.live)
			}
			if got := May([]Role{tt.role}, tt.p, idv.Test); got != tt.test {
				t.Errorf("test: got %v, want %v", got, tt.test)
			}
		})
	}
}

func TestPermissionsAreListedMaskedOnesApart(t *testing.T) {
	auditor := []Role{Auditor}
	if all := Permissions(auditor); !slices.Contains(all, SessionsRead) || !slices.Contains(all, AuditRead) || slices.Contains(all, KeysWrite) {
		t.Errorf("an auditor may %v", all)
	}
	if masked := MaskedPermissions(auditor); !slices.Contains(masked, SessionsRead) || slices.Contains(masked, AuditRead) {
		t.Errorf("an auditor sees masked: %v", masked)
	}
	if masked := MaskedPermissions([]Role{Auditor, Reviewer}); slices.Contains(masked, SessionsRead) {
		t.Errorf("a reviewer who is also an auditor sees masked: %v", masked)
	}
	if none := Permissions(nil); none == nil || len(none) != 0 {
		t.Errorf("nobody may %#v, want an empty list", none)
	}
}

func TestKeysCarryOnlyWhatTheTableSaysTheyCan(t *testing.T) {
	scopes := Scopes()
	for _, r := range Rules() {
		if slices.Contains(scopes, r.Permission) != r.Key {
			t.Errorf("%s: a scope %v, want %v", r.Permission, !r.Key, r.Key)
		}
	}
}

func TestTheTableGivesEveryPermissionOnceAndOnlyToRoles(t *testing.T) {
	seen := map[Permission]bool{}
	for _, r := range Rules() {
		if seen[r.Permission] {
			t.Errorf("%s has two rows", r.Permission)
		}
		seen[r.Permission] = true
		if r.Roles[Owner] != Granted {
			t.Errorf("an owner may not %s", r.Permission)
		}
		for role := range r.Roles {
			if !slices.Contains(Roles(), role) {
				t.Errorf("%s is given to %q, which is no role", r.Permission, role)
			}
		}
	}
}
