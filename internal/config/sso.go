package config

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"

	"github.com/bonafide-id/bonafide/internal/account/signin"
	"github.com/bonafide-id/bonafide/internal/sso"
)

// SSO says which OpenID provider lets members in, and as what.
type SSO struct {
	SSOIssuer           string   `name:"sso-issuer" help:"Single sign-on by OpenID Connect: the issuer, as the provider names itself." placeholder:"URL"`
	SSOClientID         string   `name:"sso-client-id" help:"The client id that the provider gave this deployment." placeholder:"ID"`
	SSOClientSecretFile string   `name:"sso-client-secret-file" help:"File with the client secret." placeholder:"FILE"`
	SSOName             string   `name:"sso-name" help:"What the button says. Default: the issuer's host." placeholder:"NAME"`
	SSORole             []string `name:"sso-role" help:"Role by claim, such as groups=kyc:reviewer, applied at sign-in." placeholder:"CLAIM=VALUE:ROLE"`
	SSODomain           []string `name:"sso-domain" help:"Only e-mail addresses of these domains. Default: any." placeholder:"DOMAIN"`
}

// ErrSSO is what is wrong with the settings of single sign-on.
var ErrSSO = errors.New("single sign-on")

// SSO answers single sign-on as it is set up, the zero value where it is not. The provider is not asked yet.
func (c *SSO) SSO(publicURL string) (signin.SSOConfig, error) {
	if c.SSOIssuer == "" {
		if c.SSOClientID != "" || c.SSOClientSecretFile != "" || len(c.SSORole) > 0 || len(c.SSODomain) > 0 {
			return signin.SSOConfig{}, fmt.Errorf("%w: --sso-issuer is missing", ErrSSO)
		}
		return signin.SSOConfig{}, nil
	}
	u, err := url.Parse(c.SSOIssuer)
	if err != nil || u.Host == "" || (u.Scheme != "https" && (u.Scheme != "http" || !loopback(u.Hostname()))) {
		return signin.SSOConfig{}, fmt.Errorf("%w: --sso-issuer must be an https address", ErrSSO)
	}
	if c.SSOClientID == "" || c.SSOClientSecretFile == "" || len(c.SSORole) == 0 {
		return signin.SSOConfig{}, fmt.Errorf("%w: --sso-client-id, --sso-client-secret-file and at least one --sso-role go with --sso-issuer", ErrSSO)
	}
	out := signin.SSOConfig{Name: c.SSOName, ClientID: c.SSOClientID, Domains: c.SSODomain}
	if out.Name == "" {
		out.Name = u.Host
	}
	for _, text := range c.SSORole {
		m, err := signin.ParseRoleClaim(text)
		if err != nil {
			return signin.SSOConfig{}, fmt.Errorf("%w: --sso-role: %w", ErrSSO, err)
		}
		out.Roles = append(out.Roles, m)
	}
	secret, err := os.ReadFile(c.SSOClientSecretFile)
	if err != nil {
		return signin.SSOConfig{}, fmt.Errorf("%w: read --sso-client-secret-file: %w", ErrSSO, err)
	}
	out.Provider = sso.New(sso.Options{
		Issuer: c.SSOIssuer, ClientID: c.SSOClientID, ClientSecret: strings.TrimSpace(string(secret)), Redirect: publicURL + "/login/sso",
	})
	return out, nil
}
