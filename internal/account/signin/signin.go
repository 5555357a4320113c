// Package signin proves that somebody is a member: by password and second factor, by a passkey, or by the account that
// they have at an identity provider. It also proves the same again before what a borrowed browser must not do.
//
// An unknown address, a wrong password and a disabled member get the same answer after the same time.
package signin

import (
	"context"
	"crypto/rand"
	"io"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// ProofLife is how long signing in, or proving the same again, allows what a borrowed browser must not do.
const ProofLife = 10 * time.Minute

// action is the audited action of signing in, whatever the method.
const action = "user.signed_in"

// Store is what the methods read and write. Reads return problem not_found where there is nothing.
type Store interface {
	PasswordStore
	PasskeyStore
	SSOStore
	SessionStore
	Ceremonies
	AttemptStore
	ResetStore
}

// UserStore changes one member at a time. An error of the callback undoes the change.
type UserStore interface {
	ChangeUser(ctx context.Context, id idv.UserID, change func(*account.User) error, done ...audit.Record) (account.User, error)
}

// Hasher makes and compares password hashes (password.Hasher). An empty hash matches no password and takes as long.
type Hasher interface {
	Hash(ctx context.Context, password string) (string, error)
	Matches(ctx context.Context, password, hash string) (bool, error)
}

// Options of the Methods. The zero value works.
type Options struct {
	Now       func() time.Time // defaults to time.Now
	Random    io.Reader        // defaults to crypto/rand
	PublicURL string           // where browsers reach this server; passkeys belong to its host. Empty for no passkeys
	Brand     string           // the deployment's name in the browser's own dialogs; defaults to Bonafide
	SSO       SSOConfig        // the zero value is no single sign-on
}

// Methods are the ways to sign in to one deployment. They are safe for concurrent use.
type Methods struct {
	Passwords      *Passwords
	Authenticators *Authenticators
	Passkeys       *Passkeys
	SSO            *SSO
	Sessions       *Sessions
	Resets         *Resets
}

// New returns the Methods.
func New(store Store, h Hasher, o Options) Methods {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	s := source{now: o.Now, random: o.Random}
	tries := &attempts{store: store, source: s}
	sessions := &Sessions{store: store, attempts: tries, source: s}
	authenticators := &Authenticators{store: store, hasher: h, attempts: tries, source: s}
	c := ceremonies{store: store, now: o.Now}
	passkeys := &Passkeys{
		store: store, ceremonies: c, sessions: sessions, party: newRelyingParty(o.PublicURL, o.Brand), singleSignOn: o.SSO.Provider != nil, source: s,
	}
	return Methods{
		Passwords: &Passwords{
			store: store, hasher: h, authenticators: authenticators, passkeys: passkeys, sessions: sessions, attempts: tries, source: s,
		},
		Authenticators: authenticators,
		Passkeys:       passkeys,
		SSO:            &SSO{store: store, attempts: tries, ceremonies: c, config: o.SSO, source: s},
		Sessions:       sessions,
		Resets:         &Resets{store: store, hasher: h, source: s},
	}
}

// source is where a method takes time and randomness from.
type source struct {
	now    func() time.Time
	random io.Reader
}

// moment returns the time to store.
func (s source) moment() time.Time { return account.Moment(s.now()) }

// SessionStore is what Sessions writes.
type SessionStore interface {
	UserStore
	// RecordSignIn stores when a member signed in last.
	RecordSignIn(ctx context.Context, id idv.UserID, at time.Time, done ...audit.Record) error
}

// Sessions says from when on the console sessions of a member count.
type Sessions struct {
	store    SessionStore
	attempts *attempts
	source
}

// EndAll ends every console session of a member that began before now, and returns the member.
func (s *Sessions) EndAll(ctx context.Context, id idv.UserID) (account.User, error) {
	return s.store.ChangeUser(ctx, id, func(u *account.User) error {
		u.SessionsFrom = s.moment()
		return nil
	}, account.AuditRecord(id, "user.signed_out_elsewhere"))
}

// record records that a member has just signed in, and returns them with the failures since they last did.
func (s *Sessions) record(ctx context.Context, u account.User) (account.User, error) {
	u, err := s.attempts.settle(ctx, u)
	if err != nil {
		return account.User{}, err
	}
	return u, s.store.RecordSignIn(account.WithActor(ctx, u.ID), u.ID, s.now().UTC(), signedIn(u)...)
}

// signedIn returns what the audit log says of a sign-in.
func signedIn(u account.User) []audit.Record {
	done := []audit.Record{account.AuditRecord(u.ID, action)}
	if u.Failures.Any() {
		done = append(done, account.AuditRecord(u.ID, "user.failures_reported"))
	}
	return done
}
