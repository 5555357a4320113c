package apikey

import (
	"errors"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/accounttest"
	"github.com/bonafide-id/bonafide/internal/idv"
)

var (
	owner     = account.User{ID: "usr_1", Roles: []account.Role{account.Owner}}
	developer = account.User{ID: "usr_2", Roles: []account.Role{account.Developer}}
	reviewer  = account.User{ID: "usr_3", Roles: []account.Role{account.Reviewer}}
)

func newTestService(t *testing.T) (*Service, *accounttest.Store, *accounttest.Clock) {
	t.Helper()
	st, clock := &accounttest.Store{}, accounttest.NewClock()
	return New(st, Options{Now: clock.Now}), st, clock
}

func TestAKeyIsShownOnceAndOnlyItsHashIsKept(t *testing.T) {
	s, st, clock := newTestService(t)
	ctx := t.Context()
	k, secret, err := s.Create(ctx, "shop", idv.Test, account.SessionsRead)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(secret, "bf_test_") || len(secret) != keyLength {
		t.Errorf("key has the form %.8s… of %d characters", secret, len(secret))
	}
	if strings.Contains(st.APIKeys[0].Hash+st.APIKeys[0].Prefix+st.APIKeys[0].Name, secret[12:]) {
		t.Error("the key itself was kept")
	}
	got, err := s.Authenticate(ctx, secret)
	if err != nil || got.ID != k.ID || !got.May(account.SessionsRead) || got.May(account.EvidenceRead) {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := s.Authenticate(ctx, secret); err != nil || st.KeyUses != 1 {
		t.Errorf("its use was recorded %d times within a minute (%v), want once", st.KeyUses, err)
	}
	clock.Advance(2 * time.Minute)
	if _, err := s.Authenticate(ctx, secret); err != nil || st.KeyUses != 2 {
		t.Errorf("its use was recorded %d times after two minutes (%v), want twice", st.KeyUses, err)
	}
}

func TestAKeyThatIsWrongExpiredOrRevokedIsInvalid(t *testing.T) {
	s, st, clock := newTestService(t)
	ctx := t.Context()
	_, secret, err := s.Create(ctx, "shop", idv.Test)
	if err != nil {
		t.Fatal(err)
	}
	other := "bf_live_" + strings.TrimPrefix(secret, "bf_test_")
	for name, try := range map[string]string{
		"empty": "", "of the other mode": other, "cut": secret[:len(secret)-1], "another": "bf_test_" + strings.Repeat("A", account.SecretLength),
	} {
		_, err := s.Authenticate(ctx, try)
		accounttest.Want(t, name, err, "auth.invalid")
	}
	st.APIKeys[0].ExpiresAt = clock.Now()
	_, err = s.Authenticate(ctx, secret)
	accounttest.Want(t, "expired", err, "auth.invalid")
	st.APIKeys[0].ExpiresAt, st.APIKeys[0].RevokedAt = time.Time{}, clock.Now()
	_, err = s.Authenticate(ctx, secret)
	accounttest.Want(t, "revoked", err, "auth.invalid")
	st.APIKeys[0].RevokedAt, st.APIKeys[0].Mode = time.Time{}, idv.Live
	_, err = s.Authenticate(ctx, secret)
	accounttest.Want(t, "whose prefix names the other mode", err, "auth.invalid")
}

func TestAKeyIsNotInvalidBecauseTheStoreIsDown(t *testing.T) {
	s, st, _ := newTestService(t)
	_, secret, err := s.Create(t.Context(), "shop", idv.Test)
	if err != nil {
		t.Fatal(err)
	}
	st.FailedReads = errors.New("down")
	_, err = s.Authenticate(t.Context(), secret)
	accounttest.Want(t, "authenticate", err, "down")
	_, err = s.WorkingByMember(t.Context())
	accounttest.Want(t, "list", err, "down")
}

func TestAKeyCarriesOnlyScopesOfTheTable(t *testing.T) {
	s, _, _ := newTestService(t)
	if _, _, err := s.Create(t.Context(), "x", idv.Test, "everything"); err == nil {
		t.Error("a made-up scope was accepted")
	}
	k, _, err := s.Create(t.Context(), "x", idv.Test)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(account.Scopes(), k.Scopes); diff != "" {
		t.Errorf("a key without named scopes (-want +got):\n%s", diff)
	}
}

func TestAMemberIssuesKeysThatDoNoMoreThanTheyMay(t *testing.T) {
	const read, write = account.SessionsRead, account.SessionsWrite
	carrying := func(scopes ...account.Permission) Request {
		return Request{Name: "shop", Mode: idv.Test, Scopes: scopes}
	}
	live := func(r Request) Request { r.Mode = idv.Live; return r }
	named := func(name string) Request {
		return Request{Name: name, Mode: idv.Test, Scopes: []account.Permission{read}}
	}
	ending := func(r Request, in time.Duration) Request {
		r.ExpiresAt = accounttest.NewClock().Now().Add(in)
		return r
	}
	for name, tt := range map[string]struct {
		by   account.User
		r    Request
		want string
	}{
		"an owner's":                               {owner, live(carrying(read)), ""},
		"a developer's in test mode":               {developer, carrying(read), ""},
		"a developer's that writes in live mode":   {developer, live(carrying(write)), ""},
		"a developer's that reads in live mode":    {developer, live(carrying(read)), "auth.forbidden"},
		"a reviewer's":                             {reviewer, carrying(read), "auth.forbidden"},
		"one without a name":                       {owner, named(" "), "request.malformed"},
		"one with a long name":                     {owner, named(strings.Repeat("n", MaxName+1)), "request.malformed"},
		"one without scopes":                       {owner, carrying(), "request.malformed"},
		"one with what keys cannot carry":          {owner, carrying(account.TeamManage), "request.malformed"},
		"one that expired":                         {owner, ending(carrying(read), 0), "request.malformed"},
		"one that expires, with scopes said twice": {owner, ending(carrying(write, read, write), time.Hour), ""},
	} {
		t.Run(name, func(t *testing.T) {
			s, st, _ := newTestService(t)
			k, secret, err := s.Issue(t.Context(), tt.by, tt.r)
			accounttest.Want(t, "issue", err, tt.want)
			if made := len(st.APIKeys) == 1; made != (tt.want == "") {
				t.Fatalf("a key was stored: %v", made)
			}
			if tt.want != "" {
				return
			}
			if k.CreatedBy != tt.by.ID || k.Mode != tt.r.Mode || !k.ExpiresAt.Equal(tt.r.ExpiresAt) {
				t.Errorf("key %+v", k)
			}
			if want := map[idv.Mode]string{idv.Test: testPrefix, idv.Live: livePrefix}[tt.r.Mode]; !strings.HasPrefix(secret, want) {
				t.Errorf("a key of %s mode starts with %.8s", tt.r.Mode, secret)
			}
			if len(k.Scopes) > 2 {
				t.Errorf("scopes %v, want each once", k.Scopes)
			}
		})
	}
}

func TestWithoutRandomnessThereIsNoKey(t *testing.T) {
	st := &accounttest.Store{}
	s := New(st, Options{Random: iotest.ErrReader(errors.New("dry"))})
	if _, _, err := s.Create(t.Context(), "shop", idv.Test); err == nil || len(st.APIKeys) != 0 {
		t.Errorf("%v, %d keys", err, len(st.APIKeys))
	}
}

func TestARotatedKeyWorksBesideItsReplacementForTheGrace(t *testing.T) {
	s, _, clock := newTestService(t)
	ctx := t.Context()
	old, oldSecret, err := s.Issue(ctx, owner, Request{Name: "shop", Mode: idv.Live, Scopes: []account.Permission{account.SessionsRead}})
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		by    account.User
		id    idv.KeyID
		grace time.Duration
		want  string
	}{
		"no such key":             {owner, "key_none", 0, "not_found"},
		"too long a grace":        {owner, old.ID, MaxGrace + 1, "request.malformed"},
		"a grace below nothing":   {owner, old.ID, -1, "request.malformed"},
		"more than the maker may": {developer, old.ID, 0, "auth.forbidden"},
	} {
		_, _, err := s.Rotate(ctx, tt.by, tt.id, tt.grace)
		accounttest.Want(t, name, err, tt.want)
	}
	k, secret, err := s.Rotate(ctx, owner, old.ID, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	if k.ID == old.ID || k.Name != old.Name || k.Mode != old.Mode || !cmp.Equal(k.Scopes, old.Scopes) || !k.ExpiresAt.IsZero() {
		t.Errorf("replacement %+v of %+v", k, old)
	}
	works := func(secret string) bool { _, err := s.Authenticate(ctx, secret); return err == nil }
	if !works(oldSecret) || !works(secret) {
		t.Error("within the grace one of the two does not work")
	}
	clock.Advance(time.Hour)
	if works(oldSecret) || !works(secret) {
		t.Error("after the grace the old key works, or the new one does not")
	}
	_, _, err = s.Rotate(ctx, owner, old.ID, 0)
	accounttest.Want(t, "a key that has ended", err, "request.malformed")
}

func TestARotatedKeyLivesAsLongAndTheOldOneNoLonger(t *testing.T) {
	s, st, clock := newTestService(t)
	ctx := t.Context()
	ends := clock.Now().Add(10 * time.Hour)
	old, _, err := s.Issue(ctx, owner, Request{Name: "shop", Mode: idv.Test, Scopes: []account.Permission{account.SessionsRead}, ExpiresAt: ends})
	if err != nil {
		t.Fatal(err)
	}
	clock.Advance(9 * time.Hour)
	k, _, err := s.Rotate(ctx, owner, old.ID, 5*time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	if want := clock.Now().Add(10 * time.Hour); !k.ExpiresAt.Equal(want) || !st.APIKeys[0].ExpiresAt.Equal(ends) {
		t.Errorf("the new key ends %v, want %v; the old one %v, want %v", k.ExpiresAt, want, st.APIKeys[0].ExpiresAt, ends)
	}
}

func TestARevokedKeyEndsAtOnceAndOnce(t *testing.T) {
	s, _, clock := newTestService(t)
	ctx := t.Context()
	k, secret, err := s.Issue(ctx, owner, Request{Name: "shop", Mode: idv.Test, Scopes: []account.Permission{account.SessionsRead}})
	if err != nil {
		t.Fatal(err)
	}
	first, err := s.Revoke(ctx, k.ID)
	if err != nil || !first.RevokedAt.Equal(clock.Now()) {
		t.Errorf("revoked at %v, %v", first.RevokedAt, err)
	}
	_, err = s.Authenticate(ctx, secret)
	accounttest.Want(t, "a revoked key", err, "auth.invalid")
	clock.Advance(time.Hour)
	if again, err := s.Revoke(ctx, k.ID); err != nil || !again.RevokedAt.Equal(first.RevokedAt) {
		t.Errorf("revoked again at %v, %v", again.RevokedAt, err)
	}
	_, err = s.Revoke(ctx, "key_none")
	accounttest.Want(t, "no such key", err, "not_found")
}

func TestWorkingKeysAreListedByWhoMadeThem(t *testing.T) {
	s, _, _ := newTestService(t)
	ctx := t.Context()
	r := Request{Name: "shop", Mode: idv.Test, Scopes: []account.Permission{account.SessionsWrite}}
	issue := func(by account.User, mode idv.Mode) account.Key {
		t.Helper()
		r.Mode = mode
		k, _, err := s.Issue(ctx, by, r)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	test, live, ended := issue(owner, idv.Test), issue(owner, idv.Live), issue(developer, idv.Test)
	if _, err := s.Revoke(ctx, ended.ID); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Create(ctx, "the program's", idv.Test); err != nil {
		t.Fatal(err)
	}
	got, err := s.WorkingByMember(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[idv.UserID][]account.Key{owner.ID: {live, test}}, got); diff != "" {
		t.Errorf("keys (-want +got):\n%s", diff)
	}
	if all, err := s.List(ctx, idv.Test); err != nil || len(all) != 3 {
		t.Errorf("%d keys of test mode, %v", len(all), err)
	}
	if k, err := s.Find(ctx, live.ID); err != nil || k.ID != live.ID {
		t.Errorf("found %+v, %v", k, err)
	}
}
