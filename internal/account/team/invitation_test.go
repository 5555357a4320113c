package team

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/accounttest"
	"github.com/bonafide-id/bonafide/internal/idv"
)

func newTestInvitations() (*Invitations, *accounttest.Store, *accounttest.Clock) {
	st, clock := &accounttest.Store{Members: []account.User{owner, admin, reviewer}}, accounttest.NewClock()
	return NewInvitations(st, hasher, Options{Now: clock.Now}), st, clock
}

func TestAnInvitedPersonJoinsOnceWithTheRolesThatWereChosen(t *testing.T) {
	s, st, clock := newTestInvitations()
	ctx := t.Context()
	i, token, err := s.Create(ctx, admin, " Grace@Example.org ", []account.Role{account.Auditor, account.Reviewer})
	if err != nil {
		t.Fatal(err)
	}
	want := account.Invitation{
		ID: i.ID, Email: "Grace@Example.org", Roles: []account.Role{account.Reviewer, account.Auditor}, InvitedBy: admin.ID, Hash: i.Hash,
		CreatedAt: clock.Now(), ExpiresAt: clock.Now().Add(InvitationLife),
	}
	if diff := cmp.Diff(want, i); diff != "" {
		t.Errorf("invitation (-want +got):\n%s", diff)
	}
	if strings.Contains(i.Hash, token) {
		t.Error("the token itself was stored")
	}
	if found, err := s.Find(ctx, token); err != nil || found.ID != i.ID {
		t.Errorf("found %+v, %v", found, err)
	}
	_, err = s.Accept(ctx, Acceptance{Token: token, Name: " ", Password: goodPhrase})
	accounttest.Want(t, "without a name", err, "request.malformed")
	_, err = s.Accept(ctx, Acceptance{Token: token, Name: "Grace", Password: "grace@EXAMPLE.org"})
	accounttest.Want(t, "with the address as password", err, "request.malformed")
	u, err := s.Accept(ctx, Acceptance{Token: token, Name: " Grace ", Password: goodPhrase})
	if err != nil || u.Name != "Grace" || u.Normal != "grace@example.org" || !slices.Equal(u.Roles, want.Roles) {
		t.Errorf("member %+v, %v", u, err)
	}
	if same, err := hasher.Matches(ctx, goodPhrase, u.PasswordHash); err != nil || !same {
		t.Errorf("their password: %v, %v", same, err)
	}
	_, err = s.Accept(ctx, Acceptance{Token: token, Name: "Eve", Password: goodPhrase})
	accounttest.Want(t, "a second time", err, "auth.invalid")
	if diff := cmp.Diff([]string{"member.invited", "member.joined"}, st.Actions); diff != "" {
		t.Errorf("audited (-want +got):\n%s", diff)
	}
}

func TestAnInvitationEndsAndCanBeRevoked(t *testing.T) {
	s, st, clock := newTestInvitations()
	ctx := t.Context()
	revoked, gone, err := s.Create(ctx, owner, "a@example.org", []account.Role{account.Reviewer})
	if err != nil {
		t.Fatal(err)
	}
	late, expired, err := s.Create(ctx, owner, "b@example.org", []account.Role{account.Reviewer})
	if err != nil {
		t.Fatal(err)
	}
	if open, err := s.Open(ctx); err != nil || len(open) != 2 || open[0].ID != late.ID {
		t.Errorf("open: %+v, %v", open, err)
	}
	if err := s.Revoke(ctx, revoked.ID); err != nil {
		t.Error(err)
	}
	accounttest.Want(t, "revoked again", s.Revoke(ctx, revoked.ID), "not_found")
	clock.Advance(InvitationLife)
	for name, token := range map[string]string{"revoked": gone, "expired": expired, "made up": "token"} {
		_, err := s.Find(ctx, token)
		accounttest.Want(t, name, err, "auth.invalid")
	}
	if open, err := s.Open(ctx); err != nil || len(open) != 0 {
		t.Errorf("open: %+v, %v", open, err)
	}
	if !slices.Contains(st.Actions, "invitation.revoked") {
		t.Errorf("audited: %v", st.Actions)
	}
}

func TestAnInvitationDoesNotReplaceAMember(t *testing.T) {
	s, st, _ := newTestInvitations()
	ctx := t.Context()
	_, token, err := s.Create(ctx, owner, "new@example.org", []account.Role{account.Reviewer})
	if err != nil {
		t.Fatal(err)
	}
	st.Members = append(st.Members, account.User{ID: "usr_9", Normal: "new@example.org"})
	_, err = s.Accept(ctx, Acceptance{Token: token, Name: "New", Password: goodPhrase})
	accounttest.Want(t, "an address that became a member's", err, "auth.invalid")
	st.FailedReads = errors.New("down")
	_, _, err = s.Create(ctx, owner, "other@example.org", []account.Role{account.Reviewer})
	accounttest.Want(t, "an address that could not be looked up", err, "down")
	_, err = s.Find(ctx, token)
	accounttest.Want(t, "a token that could not be looked up", err, "down")
}

func TestTwoMembersOfOneNameHaveTwoIDs(t *testing.T) {
	s, _, _ := newTestInvitations()
	ids := map[idv.UserID]bool{}
	for _, address := range []string{"a@example.org", "b@example.org"} {
		_, token, err := s.Create(t.Context(), owner, address, []account.Role{account.Reviewer})
		if err != nil {
			t.Fatal(err)
		}
		u, err := s.Accept(t.Context(), Acceptance{Token: token, Name: "Sam", Password: goodPhrase})
		if err != nil || ids[u.ID] {
			t.Errorf("%+v, %v", u, err)
		}
		ids[u.ID] = true
	}
}
