package wire

import (
	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/signin"
)

// SSOBegin asks for single sign-on.
type SSOBegin struct {
	Next string `json:"next,omitempty" maxLength:"500" doc:"Page of the console to come back to; anything else is ignored"`
}

// SSOGo is where the browser goes.
type SSOGo struct {
	URL string `json:"url" doc:"Of the identity provider"`
}

// SSOReturn is what the provider sent back in the address (OpenID Connect Core §3.1.2.5, RFC 9207).
type SSOReturn struct {
	State  string `json:"state" maxLength:"200"`
	Code   string `json:"authorization,omitempty" maxLength:"4096" doc:"The parameter code"`
	Issuer string `json:"iss,omitempty" maxLength:"500"`
	Error  string `json:"error,omitempty" maxLength:"200"`
}

// SSOEntered is who came back.
type SSOEntered struct {
	Me   Me     `json:"me"`
	Next string `json:"next" doc:"Page of the console"`
}

// Security is how people sign in here.
type Security struct {
	Origin       string    `json:"origin" doc:"Scheme, host and port of --public-url"`
	Passkeys     bool      `json:"passkeys" doc:"Whether passkeys can be used there"`
	SSO          *SSOState `json:"sso" doc:"Null where there is none"`
	IdleMinutes  int       `json:"idle_minutes" doc:"A console session ends after so long without a call"`
	TotalHours   int       `json:"total_hours" doc:"A console session ends after so long at the latest"`
	ProofMinutes int       `json:"proof_minutes" doc:"How long signing in, or proving who one is, counts for dangerous acts"`
}

// SSOState is single sign-on as the operator set it up.
type SSOState struct {
	Name     string     `json:"name"`
	Issuer   string     `json:"issuer"`
	ClientID string     `json:"client_id"`
	Domains  []string   `json:"domains" nullable:"false" doc:"Of e-mail addresses; empty for any"`
	Roles    []SSOClaim `json:"roles" nullable:"false"`
}

// SSOClaim gives a role to people who have that value in that claim.
type SSOClaim struct {
	Claim string       `json:"claim"`
	Value string       `json:"value"`
	Role  account.Role `json:"role"`
}

// SSOStateOf returns single sign-on as the operator set it up, or nil where there is none.
func SSOStateOf(o signin.SSOConfig) *SSOState {
	if o.Provider == nil {
		return nil
	}
	out := &SSOState{Name: o.Name, Issuer: o.Provider.Issuer(), ClientID: o.ClientID, Domains: append([]string{}, o.Domains...), Roles: []SSOClaim{}}
	for _, r := range o.Roles {
		out.Roles = append(out.Roles, SSOClaim(r))
	}
	return out
}
