package account

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// memory is a Store in memory.
type memory struct {
	mu      sync.Mutex
	users   []User
	keys    []Key
	setup   string
	expires time.Time
	seen    int
	invited []Invitation
}

func (m *memory) CountUsers(context.Context) (int, error) { return len(m.users), nil }

func (m *memory) UserByEmail(_ context.Context, normal string) (User, error) {
	for _, u := range m.users {
		if u.Normal == normal {
			return u, nil
		}
	}
	return User{}, problem.New(problem.NotFound)
}

func (m *memory) User(_ context.Context, id idv.UserID) (User, error) {
	for _, u := range m.users {
		if u.ID == id {
			return u, nil
		}
	}
	return User{}, problem.New(problem.NotFound)
}

func (m *memory) UserBySubject(context.Context, Subject) (User, error) {
	return User{}, problem.New(problem.NotFound)
}

func (m *memory) AddMember(_ context.Context, u User, _ ...audit.Record) error {
	m.users = append(m.users, u)
	return nil
}

func (m *memory) KeepCeremony(context.Context, string, []byte, time.Time) error { return nil }

func (m *memory) TakeCeremony(context.Context, string, time.Time) ([]byte, error) {
	return nil, problem.New(problem.NotFound)
}

func (m *memory) AddOwner(_ context.Context, u User, hash string, now time.Time, _ ...audit.Record) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if hash != m.setup || !now.Before(m.expires) {
		return problem.New(problem.AuthInvalid)
	}
	m.setup = ""
	m.users = append(m.users, u)
	return nil
}

func (m *memory) SeenUser(context.Context, idv.UserID, time.Time, ...audit.Record) error { return nil }

func (m *memory) SetSetupToken(_ context.Context, hash string, expires time.Time) error {
	m.setup, m.expires = hash, expires
	return nil
}

func (m *memory) AddKey(_ context.Context, k Key) error { m.keys = append(m.keys, k); return nil }

func (m *memory) KeyByHash(_ context.Context, hash string) (Key, error) {
	for _, k := range m.keys {
		if k.Hash == hash {
			return k, nil
		}
	}
	return Key{}, problem.New(problem.NotFound)
}

func (m *memory) APIKey(_ context.Context, id idv.KeyID) (Key, error) {
	for _, k := range m.keys {
		if k.ID == id {
			return k, nil
		}
	}
	return Key{}, problem.New(problem.NotFound)
}

func (m *memory) Keys(_ context.Context, mode idv.Mode) ([]Key, error) {
	var out []Key
	for _, k := range m.keys {
		if k.Mode == mode {
			out = append(out, k)
		}
	}
	return out, nil
}

func (m *memory) ReplaceKey(_ context.Context, k Key, old idv.KeyID, ends time.Time) error {
	for i := range m.keys {
		if m.keys[i].ID == old {
			m.keys[i].ExpiresAt = ends
		}
	}
	m.keys = append(m.keys, k)
	return nil
}

func (m *memory) RevokeKey(_ context.Context, id idv.KeyID, at time.Time) error {
	for i := range m.keys {
		if m.keys[i].ID == id {
			m.keys[i].RevokedAt = at
			return nil
		}
	}
	return problem.New(problem.NotFound)
}

func (m *memory) SeenKey(_ context.Context, id idv.KeyID, at time.Time) error {
	m.seen++
	for i := range m.keys {
		if m.keys[i].ID == id {
			m.keys[i].LastUsedAt = at
		}
	}
	return nil
}

const goodPhrase = "correct horse battery"

func newTestService(t *testing.T) (*Service, *memory, *time.Time) {
	t.Helper()
	now := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	m := &memory{}
	return New(m, Options{Now: func() time.Time { return now }, HashMemory: 64}), m, &now
}

func code(err error) string {
	if p, ok := problem.As(err); ok {
		return p.Kind.Code
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

func TestTheFirstOwnerIsMadeOnceByTheToken(t *testing.T) {
	s, _, now := newTestService(t)
	ctx := t.Context()
	token, err := s.SetupToken(ctx)
	if err != nil {
		t.Fatal(err)
	}
	owner := NewOwner{Token: token, Name: " Ada ", Email: "Ada@Example.test", Password: goodPhrase}
	wrong := owner
	wrong.Token = strings.Repeat("x", 43)
	if got := code(second(s.Setup(ctx, wrong))); got != "auth.invalid" {
		t.Errorf("with a wrong token: got %q, want auth.invalid", got)
	}
	u, err := s.Setup(ctx, owner)
	if err != nil {
		t.Fatal(err)
	}
	want := User{ID: u.ID, Name: "Ada", Email: "Ada@Example.test", Normal: "ada@example.test", PasswordHash: u.PasswordHash, Roles: []Role{Owner}, CreatedAt: *now, LastLoginAt: *now}
	if diff := cmp.Diff(want, u); diff != "" {
		t.Errorf("owner (-want +got):\n%s", diff)
	}
	if got := code(second(s.Setup(ctx, owner))); got != "auth.forbidden" {
		t.Errorf("a second time: got %q, want auth.forbidden", got)
	}
}

func TestASetupTokenEnds(t *testing.T) {
	s, _, now := newTestService(t)
	token, err := s.SetupToken(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	*now = now.Add(setupLife)
	owner := NewOwner{Token: token, Name: "Ada", Email: "ada@example.test", Password: goodPhrase}
	if got := code(second(s.Setup(t.Context(), owner))); got != "auth.invalid" {
		t.Errorf("got %q, want auth.invalid", got)
	}
}

func TestAnOwnerNeedsANameAnAddressAndAGoodPassword(t *testing.T) {
	good := NewOwner{Token: "t", Name: "Ada", Email: "ada@example.test", Password: goodPhrase}
	tests := map[string]struct {
		change func(*NewOwner)
		field  string
	}{
		"no name":                           {func(o *NewOwner) { o.Name = "  " }, "/name"},
		"no address":                        {func(o *NewOwner) { o.Email = "ada" }, "/email"},
		"an address with a name around it":  {func(o *NewOwner) { o.Email = "Ada <ada@example.test>" }, "/email"},
		"a short password":                  {func(o *NewOwner) { o.Password = "short" }, "/password"},
		"a password that is the address":    {func(o *NewOwner) { o.Password = "ADA@example.test" }, "/password"},
		"a password of one character":       {func(o *NewOwner) { o.Password = strings.Repeat("a", 20) }, "/password"},
		"a password longer than any needed": {func(o *NewOwner) { o.Password = strings.Repeat("ab", 200) }, "/password"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			o := good
			tt.change(&o)
			p, ok := problem.As(checkOwner(o))
			if !ok || p.Kind.Code != "request.malformed" || p.Field != tt.field {
				t.Errorf("got %v, want request.malformed at %s", p, tt.field)
			}
		})
	}
}

func TestALoginSaysTheSameForEveryReason(t *testing.T) {
	s, m, _ := newTestService(t)
	ctx := t.Context()
	token, err := s.SetupToken(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Setup(ctx, NewOwner{Token: token, Name: "Ada", Email: "ada@example.test", Password: goodPhrase}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Login(ctx, " ADA@example.test ", goodPhrase, ""); err != nil {
		t.Fatalf("the right password: %v", err)
	}
	_, wrong := s.Login(ctx, "ada@example.test", "something else entirely", "")
	_, unknown := s.Login(ctx, "eve@example.test", goodPhrase, "")
	m.users[0].DisabledAt = time.Now()
	_, disabled := s.Login(ctx, "ada@example.test", goodPhrase, "")
	for name, err := range map[string]error{"wrong password": wrong, "unknown address": unknown, "disabled": disabled} {
		if err == nil || err.Error() != wrong.Error() || code(err) != "auth.invalid" {
			t.Errorf("%s: got %v, want %v", name, err, wrong)
		}
	}
}

func TestNobodyLogsInWithTheDecoy(t *testing.T) {
	s, _, _ := newTestService(t)
	if _, err := s.Login(t.Context(), "eve@example.test", "a decoy that nobody types", ""); code(err) != "auth.invalid" {
		t.Errorf("got %v, want auth.invalid", err)
	}
}

func TestAKeyIsShownOnceAndOnlyItsHashIsKept(t *testing.T) {
	s, m, now := newTestService(t)
	ctx := t.Context()
	k, secret, err := s.NewKey(ctx, "shop", idv.Test, SessionsRead)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(secret, "bf_test_") || len(secret) != keyLength {
		t.Errorf("key has the form %.8s… of %d characters", secret, len(secret))
	}
	if strings.Contains(m.keys[0].Hash+m.keys[0].Prefix+m.keys[0].Name, secret[12:]) {
		t.Error("the key itself was kept")
	}
	got, err := s.Key(ctx, secret)
	if err != nil || got.ID != k.ID || !got.May(SessionsRead) || got.May(EvidenceRead) {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := s.Key(ctx, secret); err != nil || m.seen != 1 {
		t.Errorf("its use was noted %d times within a minute (%v), want once", m.seen, err)
	}
	*now = now.Add(2 * time.Minute)
	if _, err := s.Key(ctx, secret); err != nil || m.seen != 2 {
		t.Errorf("its use was noted %d times after two minutes (%v), want twice", m.seen, err)
	}
}

func TestAKeyThatIsWrongExpiredOrRevokedIsInvalid(t *testing.T) {
	s, m, now := newTestService(t)
	ctx := t.Context()
	_, secret, err := s.NewKey(ctx, "shop", idv.Test)
	if err != nil {
		t.Fatal(err)
	}
	other := "bf_live_" + strings.TrimPrefix(secret, "bf_test_")
	for name, try := range map[string]string{"empty": "", "of the other mode": other, "cut": secret[:len(secret)-1], "another": "bf_test_" + strings.Repeat("A", 43)} {
		if got := code(second(s.Key(ctx, try))); got != "auth.invalid" {
			t.Errorf("%s: got %q, want auth.invalid", name, got)
		}
	}
	m.keys[0].ExpiresAt = *now
	if got := code(second(s.Key(ctx, secret))); got != "auth.invalid" {
		t.Errorf("expired: got %q, want auth.invalid", got)
	}
	m.keys[0].ExpiresAt, m.keys[0].RevokedAt = time.Time{}, *now
	if got := code(second(s.Key(ctx, secret))); got != "auth.invalid" {
		t.Errorf("revoked: got %q, want auth.invalid", got)
	}
}

func TestAKeyCarriesOnlyScopesOfTheTable(t *testing.T) {
	s, _, _ := newTestService(t)
	if _, _, err := s.NewKey(t.Context(), "x", idv.Test, "everything"); err == nil {
		t.Error("a made-up scope was taken")
	}
}

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

func second[T any](_ T, err error) error { return err }

func TestAnUnknownAddressCostsAsMuchAsAWrongPassword(t *testing.T) {
	s, m, _ := newTestService(t)
	ctx := t.Context()
	token, err := s.SetupToken(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Setup(ctx, NewOwner{Token: token, Name: "Ada", Email: "ada@example.test", Password: goodPhrase}); err != nil {
		t.Fatal(err)
	}
	compared, decoy := 0, s.hasher.decoy
	s.hasher.decoy = func() (string, error) { compared++; return decoy() }
	if _, err := s.Login(ctx, "eve@example.test", goodPhrase, ""); code(err) != "auth.invalid" || compared != 1 {
		t.Errorf("of an unknown address the decoy is compared %d times: %v", compared, err)
	}
	hash, err := decoy()
	if err != nil {
		t.Fatal(err)
	}
	work := func(hash string) string { return strings.Join(strings.Split(hash, "$")[:4], "$") } // algorithm, version, memory, rounds
	if work(hash) != work(m.users[0].PasswordHash) {
		t.Errorf("the decoy costs %s, a member's hash %s", work(hash), work(m.users[0].PasswordHash))
	}
}
