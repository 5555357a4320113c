package signin

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/sso"
)

// SSOConfig is single sign-on as the operator configured it. The zero value is none.
type SSOConfig struct {
	Provider Provider
	Name     string // of the button
	ClientID string
	Roles    []RoleClaim
	Domains  []string // accepted domains of e-mail addresses; empty for any
}

// RoleClaim gives a role to everybody whose claim has that value, or lists it.
type RoleClaim struct {
	Claim, Value string
	Role         account.Role
}

var errRoleClaim = errors.New("a mapping is CLAIM=VALUE:ROLE")

// ParseRoleClaim parses a mapping such as groups=reviewers:reviewer.
func ParseRoleClaim(text string) (RoleClaim, error) {
	i := strings.LastIndex(text, ":")
	claim, value, ok := strings.Cut(text[:max(i, 0)], "=")
	if i < 0 || !ok || claim == "" || value == "" {
		return RoleClaim{}, errRoleClaim
	}
	role := account.Role(text[i+1:])
	if !slices.Contains(account.Roles(), role) {
		return RoleClaim{}, fmt.Errorf("%q is no role", role)
	}
	return RoleClaim{Claim: claim, Value: value, Role: role}, nil
}

// rolesOf returns the roles that an identity has in this deployment, at least one. Problems: auth.sso_refused.
func (c SSOConfig) rolesOf(identity sso.Identity) ([]account.Role, error) {
	if identity.Email == "" || !identity.EmailVerified {
		return nil, sso.Refused("The identity provider has not verified your e-mail address. Have it verified there.", nil)
	}
	_, domain, _ := strings.Cut(account.NormalizeEmail(identity.Email), "@")
	accepted := func(d string) bool { return account.NormalizeEmail(d) == domain }
	if len(c.Domains) > 0 && !slices.ContainsFunc(c.Domains, accepted) {
		return nil, sso.Refused("Addresses of your domain do not open this deployment.", nil)
	}
	has := map[account.Role]bool{}
	for _, m := range c.Roles {
		if claimHas(identity.Claims[m.Claim], m.Value) {
			has[m.Role] = true
		}
	}
	var out []account.Role
	for _, r := range account.Roles() {
		if has[r] {
			out = append(out, r)
		}
	}
	if len(out) == 0 {
		return nil, sso.Refused("Nothing that the identity provider says about you gives you a role here. "+
			"Ask to be put into a group that has one.", nil)
	}
	return out, nil
}

// claimHas reports whether a claim has a value, or lists it.
func claimHas(claim any, value string) bool {
	switch c := claim.(type) {
	case string:
		return c == value
	case bool:
		return fmt.Sprint(c) == value
	case []any:
		return slices.ContainsFunc(c, func(one any) bool { return one == value })
	}
	return false
}
