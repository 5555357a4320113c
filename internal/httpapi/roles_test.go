package httpapi_test

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/apikey"
	"github.com/bonafide-id/bonafide/internal/account/password"
	"github.com/bonafide-id/bonafide/internal/account/signin"
	"github.com/bonafide-id/bonafide/internal/account/team"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/httpapi"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// accountStore is everything that the accounts read and write.
type accountStore interface {
	signin.Store
	team.SetupStore
	team.InvitationStore
	team.MemberStore
	apikey.Store
}

// newAccounts returns accounts of a server at http://localhost.
func newAccounts(st accountStore, now func() time.Time, sso signin.SSOConfig) httpapi.Accounts {
	hasher := password.NewHasher(password.Options{Memory: 64})
	members := team.Options{Now: now, SingleSignOn: sso.Provider != nil}
	return httpapi.Accounts{
		SignIn:      signin.New(st, hasher, signin.Options{Now: now, PublicURL: "http://localhost", SSO: sso}),
		Setup:       team.NewSetup(st, hasher, members),
		Invitations: team.NewInvitations(st, hasher, members),
		Members:     team.NewMembers(st, members),
		Keys:        apikey.New(st, apikey.Options{Now: now}),
	}
}

// roles is the store with the owner in another role.
type roles struct {
	accountStore
	instead []account.Role
	records *records
}

func (r *roles) ChangeUser(ctx context.Context, id idv.UserID, change func(*account.User) error, done ...audit.Record) (account.User, error) {
	u, err := r.accountStore.ChangeUser(ctx, id, change, done...)
	if err == nil {
		r.records.add(done...)
	}
	return u, err
}

func (r *roles) recorded(err error, done []audit.Record) error {
	if err == nil {
		r.records.add(done...)
	}
	return err
}

func (r *roles) AddOwner(ctx context.Context, u account.User, hash string, now time.Time, done ...audit.Record) error {
	return r.recorded(r.accountStore.AddOwner(ctx, u, hash, now, done...), done)
}

func (r *roles) AddMember(ctx context.Context, u account.User, done ...audit.Record) error {
	return r.recorded(r.accountStore.AddMember(ctx, u, done...), done)
}

func (r *roles) RecordSignIn(ctx context.Context, id idv.UserID, at time.Time, done ...audit.Record) error {
	return r.recorded(r.accountStore.RecordSignIn(ctx, id, at, done...), done)
}

func (r *roles) AddInvitation(ctx context.Context, i account.Invitation, done ...audit.Record) error {
	return r.recorded(r.accountStore.AddInvitation(ctx, i, done...), done)
}

func (r *roles) RevokeInvitation(ctx context.Context, id idv.InvitationID, done ...audit.Record) error {
	return r.recorded(r.accountStore.RevokeInvitation(ctx, id, done...), done)
}

func (r *roles) AcceptInvitation(ctx context.Context, hash string, u account.User, now time.Time, done ...audit.Record) error {
	return r.recorded(r.accountStore.AcceptInvitation(ctx, hash, u, now, done...), done)
}

// records are the actions that went to the audit log.
type records struct {
	mu      sync.Mutex
	actions []string
}

func (r *records) add(done ...audit.Record) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, d := range done {
		r.actions = append(r.actions, d.Action)
	}
}

func (r *records) has(action string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Contains(r.actions, action)
}

func (r *records) through(next func(context.Context, audit.Record) error) func(context.Context, audit.Record) error {
	return func(ctx context.Context, rec audit.Record) error {
		r.add(rec)
		return next(ctx, rec)
	}
}

func (r *roles) User(ctx context.Context, id idv.UserID) (account.User, error) {
	u, err := r.accountStore.User(ctx, id)
	if r.instead != nil {
		u.Roles = r.instead
	}
	return u, err
}
