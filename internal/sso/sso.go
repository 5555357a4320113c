// Package sso asks an OpenID provider who somebody is: authorization code flow with PKCE (OpenID Connect Core 1.0 §3.1,
// RFC 7636). It trusts nothing that came through the browser but the code, and knows nothing of members or roles.
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

// How long the provider may take for one answer, and how long it counts as being there after one.
const (
	patience = 10 * time.Second
	trust    = 30 * time.Second
	whileOut = 10 * time.Minute // while somebody is with it
)

// Options of a Provider. Name, Client and Now may be zero.
type Options struct {
	Issuer       string // as the provider states it itself
	ClientID     string
	ClientSecret string
	Redirect     string       // where the provider sends people back to
	Client       *http.Client // nil for one that waits ten seconds
	Now          func() time.Time
}

// Provider is the deployment's OpenID provider. It is looked up when first needed, so that a server starts without it.
type Provider struct {
	o     Options
	mu    sync.Mutex
	known *oidc.Provider
	seen  time.Time // when it answered last
}

// New makes a Provider. It asks nothing yet.
func New(o Options) *Provider {
	if o.Client == nil {
		o.Client = &http.Client{Timeout: patience}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Provider{o: o}
}

// Question is what is kept while somebody is with the provider.
type Question struct {
	State    string `json:"state"`    // comes back through the browser
	Nonce    string `json:"nonce"`    // comes back inside the ID token
	Verifier string `json:"verifier"` // shows that who redeems the code is who asked for it (RFC 7636)
	Again    bool   `json:"again"`    // whether the person has to sign in there once more
}

// Identity is what the provider says about a person.
type Identity struct {
	Issuer, Subject string
	Email           string
	EmailVerified   bool
	Name            string
	SignedInAt      time.Time // when they last signed in there; zero where it does not say
	Claims          map[string]any
}

// Issuer is whom this provider is.
func (p *Provider) Issuer() string { return p.o.Issuer }

// URL is where the browser goes to be asked. Problems: auth.sso_unavailable.
func (p *Provider) URL(ctx context.Context, q Question) (string, error) {
	known, err := p.provider(ctx, trust)
	if err != nil {
		return "", err
	}
	more := []oauth2.AuthCodeOption{oidc.Nonce(q.Nonce), oauth2.S256ChallengeOption(q.Verifier)}
	if q.Again {
		more = append(more, oauth2.SetAuthURLParam("prompt", "login"), oauth2.SetAuthURLParam("max_age", "0"))
	}
	return p.config(known).AuthCodeURL(q.State, more...), nil
}

// Identity redeems a code. Problems: auth.sso_unavailable, auth.sso_refused.
func (p *Provider) Identity(ctx context.Context, q Question, code string) (Identity, error) {
	known, err := p.provider(ctx, whileOut)
	if err != nil {
		return Identity{}, err
	}
	ctx = oidc.ClientContext(ctx, p.o.Client)
	token, err := p.config(known).Exchange(ctx, code, oauth2.VerifierOption(q.Verifier))
	if err != nil {
		if _, told := errors.AsType[*oauth2.RetrieveError](err); told {
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

// identity puts the claims of the ID token and of the userinfo endpoint together; where both state one, the signed one counts.
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
	case string: // as some providers write it
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

// provider looks the provider up, unless it answered no longer ago than that: nobody is sent to one that is down.
func (p *Provider) provider(ctx context.Context, ago time.Duration) (*oidc.Provider, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.known != nil && p.o.Now().Sub(p.seen) < ago {
		return p.known, nil
	}
	known, err := oidc.NewProvider(oidc.ClientContext(ctx, p.o.Client), p.o.Issuer)
	if err != nil {
		return nil, unavailable(err)
	}
	p.known, p.seen = known, p.o.Now()
	return known, nil
}

// Refused is problem auth.sso_refused with a sentence for the person, and a cause for whoever debugs.
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
