package config

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/signin"
)

func TestSingleSignOnIsSetUpWhollyOrNotAtAll(t *testing.T) {
	file := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(file, []byte("s3cret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	good := SSO{SSOIssuer: "https://idp.example.org", SSOClientID: "bonafide", SSOClientSecretFile: file, SSORole: []string{"urn:x:groups=a:b:reviewer"}}
	tests := map[string]struct {
		change func(*SSO)
		bad    bool
	}{
		"as it should be":                   {func(*SSO) {}, false},
		"a provider on this machine":        {func(c *SSO) { c.SSOIssuer = "http://127.0.0.1:9" }, false},
		"a provider without https":          {func(c *SSO) { c.SSOIssuer = "http://idp.example.org" }, true},
		"a provider that is no address":     {func(c *SSO) { c.SSOIssuer = "idp" }, true},
		"without a client id":               {func(c *SSO) { c.SSOClientID = "" }, true},
		"without a secret":                  {func(c *SSO) { c.SSOClientSecretFile = "" }, true},
		"with a secret that is not there":   {func(c *SSO) { c.SSOClientSecretFile += "x" }, true},
		"without roles":                     {func(c *SSO) { c.SSORole = nil }, true},
		"with a role that there is not":     {func(c *SSO) { c.SSORole = []string{"groups=a:king"} }, true},
		"with a mapping of half a form":     {func(c *SSO) { c.SSORole = []string{"reviewer"} }, true},
		"with everything but the provider":  {func(c *SSO) { c.SSOIssuer = "" }, true},
		"with a mapping of an empty value":  {func(c *SSO) { c.SSORole = []string{"groups=:reviewer"} }, true},
		"with a mapping of an empty claim":  {func(c *SSO) { c.SSORole = []string{"=a:reviewer"} }, true},
		"not at all":                        {func(c *SSO) { *c = SSO{} }, false},
		"with a name and a domain besides":  {func(c *SSO) { c.SSOName, c.SSODomain = "Bank", []string{"example.org"} }, false},
		"with a secret but nothing besides": {func(c *SSO) { *c = SSO{SSOClientSecretFile: file} }, true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c := good
			tt.change(&c)
			if _, err := c.SSO("https://id.example.org"); errors.Is(err, ErrSSO) != tt.bad {
				t.Errorf("got %v, want a refusal: %v", err, tt.bad)
			}
		})
	}
	got, err := good.SSO("https://id.example.org")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]signin.RoleClaim{{Claim: "urn:x:groups", Value: "a:b", Role: account.Reviewer}}, got.Roles); diff != "" {
		t.Errorf("roles (-want +got):\n%s", diff)
	}
	if got.Name != "idp.example.org" {
		t.Errorf("name: %s", got.Name)
	}
}
