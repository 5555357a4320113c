package main

import (
	"github.com/bonafide-id/bonafide/internal/account/apikey"
	"github.com/bonafide-id/bonafide/internal/account/password"
	"github.com/bonafide-id/bonafide/internal/account/signin"
	"github.com/bonafide-id/bonafide/internal/account/team"
	"github.com/bonafide-id/bonafide/internal/httpapi"
	"github.com/bonafide-id/bonafide/internal/store"
)

// newAccounts returns the services that manage members and API keys.
func newAccounts(st *store.Store, o signin.Options) httpapi.Accounts {
	hasher := password.NewHasher(password.Options{})
	members := team.Options{SingleSignOn: o.SSO.Provider != nil}
	return httpapi.Accounts{
		SignIn:      signin.New(st, hasher, o),
		Setup:       team.NewSetup(st, hasher, members),
		Invitations: team.NewInvitations(st, hasher, members),
		Members:     team.NewMembers(st, members),
		Keys:        apikey.New(st, apikey.Options{}),
	}
}
