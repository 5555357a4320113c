// Package accounttest is the store of the accounts in memory, for tests.
package accounttest

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Store keeps members, keys, invitations and challenges in memory, by the rules that the packages of the accounts state for
// their stores. Tests may read and change the fields between calls.
type Store struct {
	mu sync.Mutex

	Members     []account.User
	APIKeys     []account.Key
	Invited     []account.Invitation
	Actions     []string // audited, the oldest first
	KeyUses     int      // how often the use of a key was recorded
	SetupToken  string   // digest of the token
	SetupEnds   time.Time
	Challenges  map[string]Challenge
	Resets      map[string]Reset                       // links to reset a password, by digest
	Tries       map[string]map[string]account.Attempts // by account, then by known network; "" for all others
	FailedReads error                                  // returned by every read instead of an answer, unless nil
}

// Reset is a stored link to reset a password.
type Reset struct {
	User idv.UserID
	Ends time.Time
}

// Challenge is the stored state of a ceremony.
type Challenge struct {
	State   []byte
	Expires time.Time
}

func (s *Store) record(done []audit.Record) {
	for _, r := range done {
		s.Actions = append(s.Actions, r.Action)
	}
}

// find returns a copy of the first value that matches. Problems: not_found.
func find[T any](s *Store, in *[]T, matches func(T) bool) (T, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var none T
	if s.FailedReads != nil {
		return none, s.FailedReads
	}
	if i := slices.IndexFunc(*in, matches); i >= 0 {
		return (*in)[i], nil
	}
	return none, problem.New(problem.NotFound)
}

// CountUsers implements team.SetupStore and signin.SSOStore.
func (s *Store) CountUsers(context.Context) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.Members), s.FailedReads
}

// Users implements team.MemberReader and signin.PasskeyStore.
func (s *Store) Users(context.Context) ([]account.User, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.Members), s.FailedReads
}

// User implements team.MemberReader and signin.SSOStore.
func (s *Store) User(_ context.Context, id idv.UserID) (account.User, error) {
	return find(s, &s.Members, func(u account.User) bool { return u.ID == id })
}

// UserByEmail implements team.MemberReader and signin.PasswordStore.
func (s *Store) UserByEmail(_ context.Context, normal string) (account.User, error) {
	return find(s, &s.Members, func(u account.User) bool { return u.Normal == normal })
}

// UserBySubject implements signin.SSOStore.
func (s *Store) UserBySubject(_ context.Context, of account.Subject) (account.User, error) {
	return find(s, &s.Members, func(u account.User) bool { return of != account.Subject{} && u.Subject == of })
}

// ChangeUser implements team.MemberWriter and signin.UserStore.
func (s *Store) ChangeUser(
	_ context.Context, id idv.UserID, change func(*account.User) error, done ...audit.Record,
) (account.User, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.Members, func(u account.User) bool { return u.ID == id })
	if i < 0 {
		return account.User{}, problem.New(problem.NotFound)
	}
	u := s.Members[i]
	if err := change(&u); err != nil {
		return account.User{}, err
	}
	after := slices.Clone(s.Members)
	after[i] = u
	if !slices.ContainsFunc(after, activeOwner) {
		return account.User{}, problem.New(problem.AuthForbidden)
	}
	s.Members = after
	s.record(done)
	return u, nil
}

func activeOwner(u account.User) bool {
	return u.DisabledAt.IsZero() && slices.Contains(u.Roles, account.Owner)
}

// ChangeUserAndRevokeKeys implements team.MemberWriter.
func (s *Store) ChangeUserAndRevokeKeys(
	ctx context.Context, id idv.UserID, at time.Time, change func(*account.User) error, done ...audit.Record,
) (account.User, error) {
	u, err := s.ChangeUser(ctx, id, change, done...)
	for i, k := range s.APIKeys {
		if err == nil && k.CreatedBy == id && !k.Ended(at) {
			s.APIKeys[i].RevokedAt = at
		}
	}
	return u, err
}

// AddMember implements signin.SSOStore.
func (s *Store) AddMember(_ context.Context, u account.User, done ...audit.Record) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.add(u, done)
}

func (s *Store) add(u account.User, done []audit.Record) error {
	if slices.ContainsFunc(s.Members, func(m account.User) bool {
		return m.Normal == u.Normal || (u.Subject != account.Subject{} && m.Subject == u.Subject)
	}) {
		return problem.New(problem.AuthInvalid)
	}
	s.Members = append(s.Members, u)
	s.record(done)
	return nil
}

// RecordSignIn implements signin.SessionStore.
func (s *Store) RecordSignIn(_ context.Context, id idv.UserID, at time.Time, done ...audit.Record) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.Members {
		if s.Members[i].ID == id {
			s.Members[i].LastLoginAt = at
		}
	}
	s.record(done)
	return nil
}

// SetSetupToken implements team.SetupStore.
func (s *Store) SetSetupToken(_ context.Context, hash string, expires time.Time) error {
	s.SetupToken, s.SetupEnds = hash, expires
	return nil
}

// AddOwner implements team.SetupStore.
func (s *Store) AddOwner(_ context.Context, u account.User, hash string, now time.Time, done ...audit.Record) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if hash != s.SetupToken || !now.Before(s.SetupEnds) {
		return problem.New(problem.AuthInvalid)
	}
	if len(s.Members) > 0 {
		return problem.New(problem.AuthForbidden)
	}
	s.SetupToken = ""
	return s.add(u, done)
}

// AddInvitation implements team.InvitationStore.
func (s *Store) AddInvitation(_ context.Context, i account.Invitation, done ...audit.Record) error {
	s.Invited = append(s.Invited, i)
	s.record(done)
	return nil
}

// Invitations implements team.InvitationStore.
func (s *Store) Invitations(_ context.Context, now time.Time) ([]account.Invitation, error) {
	open := slices.DeleteFunc(slices.Clone(s.Invited), func(i account.Invitation) bool { return !now.Before(i.ExpiresAt) })
	slices.Reverse(open)
	return open, s.FailedReads
}

// InvitationByHash implements team.InvitationStore.
func (s *Store) InvitationByHash(_ context.Context, hash string, now time.Time) (account.Invitation, error) {
	return find(s, &s.Invited, func(i account.Invitation) bool { return i.Hash == hash && now.Before(i.ExpiresAt) })
}

// RevokeInvitation implements team.InvitationStore.
func (s *Store) RevokeInvitation(_ context.Context, id idv.InvitationID, done ...audit.Record) error {
	before := len(s.Invited)
	s.Invited = slices.DeleteFunc(s.Invited, func(i account.Invitation) bool { return i.ID == id })
	if len(s.Invited) == before {
		return problem.New(problem.NotFound)
	}
	s.record(done)
	return nil
}

// AcceptInvitation implements team.InvitationStore.
func (s *Store) AcceptInvitation(_ context.Context, hash string, u account.User, now time.Time, done ...audit.Record) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.Invited, func(i account.Invitation) bool { return i.Hash == hash && now.Before(i.ExpiresAt) })
	if i < 0 {
		return problem.New(problem.AuthInvalid)
	}
	if err := s.add(u, done); err != nil {
		return err
	}
	s.Invited = slices.Delete(s.Invited, i, i+1)
	return nil
}

// SaveCeremony implements signin.Ceremonies.
func (s *Store) SaveCeremony(_ context.Context, hash string, state []byte, expires time.Time) error {
	if s.Challenges == nil {
		s.Challenges = map[string]Challenge{}
	}
	s.Challenges[hash] = Challenge{State: state, Expires: expires}
	return nil
}

// ClaimCeremony implements signin.Ceremonies.
func (s *Store) ClaimCeremony(_ context.Context, hash string, now time.Time) ([]byte, error) {
	c, ok := s.Challenges[hash]
	delete(s.Challenges, hash)
	if !ok || !c.Expires.After(now) {
		return nil, problem.New(problem.NotFound)
	}
	return c.State, nil
}

// ChangeAttempts implements signin.AttemptStore.
func (s *Store) ChangeAttempts(_ context.Context, normal, network string, _ time.Time, change func(*account.Attempts) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, known := s.Tries[normal][network]; !known {
		network = ""
	}
	a := s.Tries[normal][network]
	if err := change(&a); err != nil {
		return err
	}
	s.setTries(normal, network, a)
	return nil
}

// SettleAttempts implements signin.AttemptStore.
func (s *Store) SettleAttempts(_ context.Context, normal, network string, _ time.Time) (account.Failures, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.setTries(normal, network, s.Tries[normal][network])
	var all account.Failures
	for of, a := range s.Tries[normal] {
		all = all.Plus(a.Failures)
		a.Failures = account.Failures{}
		s.Tries[normal][of] = a
	}
	return all, nil
}

func (s *Store) setTries(normal, network string, a account.Attempts) {
	if s.Tries == nil {
		s.Tries = map[string]map[string]account.Attempts{}
	}
	if s.Tries[normal] == nil {
		s.Tries[normal] = map[string]account.Attempts{}
	}
	s.Tries[normal][network] = a
}

// AddKey implements apikey.Writer.
func (s *Store) AddKey(_ context.Context, k account.Key) error {
	s.APIKeys = append(s.APIKeys, k)
	return nil
}

// KeyByHash implements apikey.Reader.
func (s *Store) KeyByHash(_ context.Context, hash string) (account.Key, error) {
	return find(s, &s.APIKeys, func(k account.Key) bool { return k.Hash == hash })
}

// APIKey implements apikey.Reader.
func (s *Store) APIKey(_ context.Context, id idv.KeyID) (account.Key, error) {
	return find(s, &s.APIKeys, func(k account.Key) bool { return k.ID == id })
}

// Keys implements apikey.Reader.
func (s *Store) Keys(_ context.Context, mode idv.Mode) ([]account.Key, error) {
	return slices.DeleteFunc(slices.Clone(s.APIKeys), func(k account.Key) bool { return k.Mode != mode }), s.FailedReads
}

// ReplaceKey implements apikey.Writer.
func (s *Store) ReplaceKey(_ context.Context, k account.Key, old idv.KeyID, ends time.Time) error {
	i := slices.IndexFunc(s.APIKeys, func(k account.Key) bool { return k.ID == old })
	if i < 0 {
		return problem.New(problem.NotFound)
	}
	s.APIKeys[i].ExpiresAt = ends
	s.APIKeys = append(s.APIKeys, k)
	return nil
}

// RevokeKey implements apikey.Writer.
func (s *Store) RevokeKey(_ context.Context, id idv.KeyID, at time.Time) error {
	for i := range s.APIKeys {
		if k := &s.APIKeys[i]; k.ID == id {
			if k.RevokedAt.IsZero() {
				k.RevokedAt = at
			}
			return nil
		}
	}
	return problem.New(problem.NotFound)
}

// RecordKeyUse implements apikey.Writer.
func (s *Store) RecordKeyUse(_ context.Context, id idv.KeyID, at time.Time) error {
	s.KeyUses++
	for i := range s.APIKeys {
		if s.APIKeys[i].ID == id {
			s.APIKeys[i].LastUsedAt = at
		}
	}
	return nil
}

// Code returns the problem code of an error, its text where it is no problem, and "" for nil.
func Code(err error) string {
	if p, ok := problem.As(err); ok {
		return p.Kind.Code
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// Want fails the test unless err has that problem code, "" for no error.
func Want(t testing.TB, what string, err error, code string) {
	t.Helper()
	if got := Code(err); got != code {
		t.Errorf("%s: got %q, want %q", what, got, code)
	}
}

// Clock is a clock that stands until a test moves it.
type Clock struct{ Time time.Time }

// NewClock returns a clock at noon of a day in 2026.
func NewClock() *Clock { return &Clock{Time: time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)} }

// Now returns the time of the clock.
func (c *Clock) Now() time.Time { return c.Time }

// Advance moves the clock.
func (c *Clock) Advance(d time.Duration) { c.Time = c.Time.Add(d) }
