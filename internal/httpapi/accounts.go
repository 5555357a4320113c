package httpapi

import (
	"github.com/bonafide-id/bonafide/internal/account/apikey"
	"github.com/bonafide-id/bonafide/internal/account/signin"
	"github.com/bonafide-id/bonafide/internal/account/team"
)

// Accounts are the services that manage members and API keys.
type Accounts struct {
	SignIn      signin.Methods
	Setup       *team.Setup
	Invitations *team.Invitations
	Members     *team.Members
	Keys        *apikey.Service
}
