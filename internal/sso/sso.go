// Package sso is an OpenID Connect client: authorization code flow with PKCE (OpenID Connect Core 1.0 §3.1, RFC 7636). Of
// what comes through the browser it uses only the code. It knows nothing of members or roles.
package sso

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/bonafide-id/bonafide/internal/problem"
)

// How long the provider may take for one response, and how long its discovery document is used before it is fetched again.
const (
	clientTimeout             = 10 * time.Second
	discoveryLife             = 30 * time.Second
	discoveryLifeDuringSignIn = 10 * time.Minute // for people who are signing in there already
)

// Options of a Provider. Client and Now may be zero.
type Options struct {
	Issuer       string // as the provider names itself
	ClientID     string
	ClientSecret string
	Redirect     string           // where the provider sends people back to
	Client       *http.Client     // defaults to one with a timeout of ten seconds
	Now          func() time.Time // defaults to time.Now
}

// Provider is the deployment's OpenID provider. Its discovery document is fetched when first needed, so that a server
// starts while the provider is down. It is safe for concurrent use.
type Provider struct {
	o     Options
	mu    sync.Mutex
	found *oidc.Provider
	at    time.Time // when it was found
}

// New returns a Provider. It sends no request yet.
func New(o Options) *Provider {
	if o.Client == nil {
		o.Client = &http.Client{Timeout: clientTimeout}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Provider{o: o}
}

// AuthRequest is the state of one authorization request, stored until the browser comes back.
type AuthRequest struct {
	State          string `json:"state"`    // comes back through the browser
	Nonce          string `json:"nonce"`    // comes back inside the ID token
	Verifier       string `json:"verifier"` // proves that the code is redeemed by the client that asked for it (RFC 7636)
	Reauthenticate bool   `json:"again"`    // whether the person must sign in again, even with a session at the provider
}

// Identity is the provider's statement about a person.
type Identity struct {
	Issuer, Subject string
	Email           string
	EmailVerified   bool
	Name            string
	SignedInAt      time.Time // when they last signed in there; zero where it does not say
	Claims          map[string]any
}

// Issuer returns the issuer identifier.
func (p *Provider) Issuer() string { return p.o.Issuer }

// URL returns the address of the provider to send the browser to. Problems: auth.sso_unavailable.
func (p *Provider) URL(ctx context.Context, q AuthRequest) (string, error) {
	known, err := p.provider(ctx, discoveryLife)
	if err != nil {
		return "", err
	}
	more := []oauth2.AuthCodeOption{oidc.Nonce(q.Nonce), oauth2.S256ChallengeOption(q.Verifier)}
	if q.Reauthenticate {
		more = append(more, oauth2.SetAuthURLParam("prompt", "login"), oauth2.SetAuthURLParam("max_age", "0"))
	}
	return p.config(known).AuthCodeURL(q.State, more...), nil
}

// Identity redeems a code and returns who signed in. Problems: auth.sso_unavailable, auth.sso_refused.
func (p *Provider) Identity(ctx context.Context, q AuthRequest, code string) (Identity, error) {
	known, err := p.provider(ctx, discoveryLifeDuringSignIn)
	if err != nil {
		return Identity{}, err
	}
	ctx = oidc.ClientContext(ctx, p.o.Client)
	token, err := p.config(known).Exchange(ctx, code, oauth2.VerifierOption(q.Verifier))
	if err != nil {
		if _, refused := errors.AsType[*oauth2.RetrieveError](err); refused {
			return Identity{}, Refused("The identity provider did not take the answer of this browser.", err)
		}
		return Identity{}, unavailable(err)
	}
	raw, _ := token.Extra("id_token").(string)
	id, err := known.Verifier(&oidc.Config{ClientID: p.o.ClientID, Now: p.o.Now}).Verify(ctx, raw)
	if err != nil {
		return Identity{}, Refused("What the identity provider signed does not hold.", err)
	}
	if subtle.ConstantTimeCompare([]byte(id.Nonce), []byte(q.Nonce)) != 1 {
		return Identity{}, Refused("What the identity provider signed was not meant for this browser.", nil)
	}
	return p.identity(ctx, known, id, token)
}

// identity merges the claims of the ID token and of the userinfo endpoint. Those of the signed ID token take precedence.
func (p *Provider) identity(ctx context.Context, known *oidc.Provider, id *oidc.IDToken, token *oauth2.Token) (Identity, error) {
	claims := map[string]any{}
	if known.UserInfoEndpoint() != "" {
		info, err := known.UserInfo(ctx, oauth2.StaticTokenSource(token))
		if err != nil {
			return Identity{}, unavailable(err)
		}
		if info.Subject != id.Subject { // OpenID Connect Core §5.3.2
			return Identity{}, Refused("The identity provider speaks of two persons.", nil)
		}
		if err := info.Claims(&claims); err != nil {
			return Identity{}, unavailable(err)
		}
	}
	signed := map[string]any{}
	if err := id.Claims(&signed); err != nil {
		return Identity{}, unavailable(err)
	}
	maps.Copy(claims, signed)
	out := Identity{Issuer: id.Issuer, Subject: id.Subject, Claims: claims}
	out.Email, _ = claims["email"].(string)
	out.Name, _ = claims["name"].(string)
	switch v := claims["email_verified"].(type) {
	case bool:
		out.EmailVerified = v
	case string: // some providers send a string
		out.EmailVerified = v == "true"
	}
	if at, ok := claims["auth_time"].(float64); ok {
		out.SignedInAt = time.Unix(int64(at), 0).UTC()
	}
	return out, nil
}

func (p *Provider) config(known *oidc.Provider) *oauth2.Config {
	return &oauth2.Config{
		ClientID: p.o.ClientID, ClientSecret: p.o.ClientSecret, Endpoint: known.Endpoint(), RedirectURL: p.o.Redirect,
		Scopes: []string{oidc.ScopeOpenID, "email", "profile"},
	}
}

// provider returns the provider's discovery document, at most maxAge old, so that nobody is sent to a provider that is
// down. Problems: auth.sso_unavailable.
func (p *Provider) provider(ctx context.Context, maxAge time.Duration) (*oidc.Provider, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.found != nil && p.o.Now().Sub(p.at) < maxAge {
		return p.found, nil
	}
	known, err := oidc.NewProvider(oidc.ClientContext(ctx, p.o.Client), p.o.Issuer)
	if err != nil {
		return nil, unavailable(err)
	}
	p.found, p.at = known, p.o.Now()
	return known, nil
}

// Refused returns problem auth.sso_refused with a sentence for the person, joined with the cause, if any, for the log.
func Refused(words string, cause error) error {
	err := error(problem.New(problem.AuthSSORefused).Saying("%s", words))
	if cause != nil {
		err = errors.Join(err, fmt.Errorf("single sign-on: %w", cause))
	}
	return err
}

func unavailable(cause error) error {
	return errors.Join(problem.New(problem.AuthSSOUnavailable), fmt.Errorf("ask the identity provider: %w", cause))
}
