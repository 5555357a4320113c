package signin

import (
	"context"
	"net/url"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/sso"
)

// maxClockSkew is how far the provider's clock may be ahead.
const maxClockSkew = time.Minute

// homePage is where people go after signing in, unless they were on their way to another page of the console.
const homePage = "/console/sessions"

// Provider asks an identity provider who somebody is (sso.Provider).
type Provider interface {
	Issuer() string
	URL(ctx context.Context, q sso.AuthRequest) (string, error)
	Identity(ctx context.Context, q sso.AuthRequest, code string) (sso.Identity, error)
}

// SSOPurpose is what single sign-on is begun for.
type SSOPurpose string

// The purposes. All but signing in need a member who is signed in.
const (
	SSOSignIn SSOPurpose = "sign_in"
	SSOLink   SSOPurpose = "link"  // to let single sign-on open the member's account
	SSOProve  SSOPurpose = "prove" // to prove again who the member is
)

// SSOStore is what SSO reads and writes.
type SSOStore interface {
	UserStore
	CountUsers(ctx context.Context) (int, error)
	User(ctx context.Context, id idv.UserID) (account.User, error)
	UserBySubject(ctx context.Context, of account.Subject) (account.User, error)
	// AddMember adds a member. Problems: auth.invalid when a member has the address or the subject.
	AddMember(ctx context.Context, u account.User, done ...audit.Record) error
}

// SSO signs members in through the deployment's identity provider.
type SSO struct {
	store      SSOStore
	attempts   *attempts
	ceremonies ceremonies
	config     SSOConfig
	source
}

// ssoCeremony is the stored state while somebody is at the provider.
type ssoCeremony struct {
	Question sso.AuthRequest `json:"question"`
	Purpose  SSOPurpose      `json:"reason"`
	User     idv.UserID      `json:"user,omitempty"` // who was signed in; empty for signing in
	Next     string          `json:"next"`
}

// SSOCallback is what the provider sent back through the browser (OpenID Connect Core §3.1.2.5, RFC 9207).
type SSOCallback struct {
	State, Code, Issuer, Error string
}

// SSOResult is who came back from the provider.
type SSOResult struct {
	User     account.User
	Purpose  SSOPurpose
	Next     string    // page of the console to go to
	ProvedAt time.Time // when they last signed in at the provider, never later than now; zero where it does not say
}

// Config returns the configuration of single sign-on. It has no Provider where there is none.
func (s *SSO) Config() SSOConfig { return s.config }

// Begin returns the address of the provider to send the browser to. user is the member who is signed in; it is ignored for
// SSOSignIn. Problems: auth.sso_unavailable, auth.sso_refused (the deployment has no single sign-on).
func (s *SSO) Begin(ctx context.Context, browser string, p SSOPurpose, user idv.UserID, next string) (string, error) {
	if s.config.Provider == nil {
		return "", ssoUnsupported()
	}
	state, err := account.NewSecret(s.random)
	if err != nil {
		return "", err
	}
	nonce, err := account.NewSecret(s.random)
	if err != nil {
		return "", err
	}
	q := sso.AuthRequest{State: state, Nonce: nonce, Verifier: oauth2.GenerateVerifier(), Reauthenticate: p != SSOSignIn}
	to, err := s.config.Provider.URL(ctx, q)
	if err != nil {
		return "", err
	}
	return to, s.ceremonies.save(ctx, forSSO, browser, state, ssoCeremony{Question: q, Purpose: p, User: user, Next: SafeNext(next)})
}

// Finish returns who came back from the provider, once. user is the member who is signed in, if any. Problems:
// auth.sso_refused, auth.sso_unavailable.
func (s *SSO) Finish(ctx context.Context, browser string, user idv.UserID, back SSOCallback) (SSOResult, error) {
	if s.config.Provider == nil {
		return SSOResult{}, ssoUnsupported()
	}
	var begun ssoCeremony
	if err := s.ceremonies.claim(ctx, forSSO, browser, back.State, &begun); err != nil {
		if problem.Has(err, problem.NotFound) {
			return SSOResult{}, sso.Refused("This browser did not ask for it, or it took too long. Sign in again.", nil)
		}
		return SSOResult{}, err
	}
	if back.Issuer != "" && back.Issuer != s.config.Provider.Issuer() { // RFC 9207
		return SSOResult{}, sso.Refused("The answer came from another identity provider.", nil)
	}
	if back.Error != "" || back.Code == "" {
		return SSOResult{}, sso.Refused("The identity provider did not sign you in.", nil)
	}
	if begun.User != user && begun.Purpose != SSOSignIn {
		return SSOResult{}, sso.Refused("Somebody else is signed in here by now.", nil)
	}
	identity, err := s.config.Provider.Identity(ctx, begun.Question, back.Code)
	if err != nil {
		return SSOResult{}, err
	}
	out := SSOResult{Purpose: begun.Purpose, Next: begun.Next, ProvedAt: s.provedAt(identity)}
	if begun.Question.Reauthenticate && s.now().Sub(out.ProvedAt) > CeremonyLife {
		return SSOResult{}, sso.Refused("The identity provider did not ask you to sign in again.", nil)
	}
	out.User, err = s.accept(ctx, begun, identity)
	return out, err
}

// provedAt returns when somebody signed in at the provider, never later than now; zero where it does not say, or where it
// names a time further ahead than maxClockSkew.
func (s *SSO) provedAt(identity sso.Identity) time.Time {
	now := s.now()
	switch at := identity.SignedInAt; {
	case at.After(now.Add(maxClockSkew)):
		return time.Time{}
	case at.After(now):
		return now
	default:
		return at
	}
}

// accept returns the member whom an identity belongs to, and does what single sign-on was begun for.
func (s *SSO) accept(ctx context.Context, begun ssoCeremony, identity sso.Identity) (account.User, error) {
	subject := account.Subject{Issuer: identity.Issuer, ID: identity.Subject}
	switch begun.Purpose {
	case SSOLink:
		return s.link(ctx, begun.User, subject)
	case SSOProve:
		u, err := s.store.User(ctx, begun.User)
		if err == nil && (u.Subject != subject || !u.DisabledAt.IsZero()) {
			err = sso.Refused("That was somebody else.", nil)
		}
		return u, err
	default:
		return s.signIn(ctx, subject, identity)
	}
}

// link lets single sign-on open the account of the member who is signed in.
func (s *SSO) link(ctx context.Context, user idv.UserID, subject account.Subject) (account.User, error) {
	other, err := s.store.UserBySubject(ctx, subject)
	if err == nil && other.ID != user {
		return account.User{}, sso.Refused("Another member signs in with that account.", nil)
	}
	if err != nil && !problem.Has(err, problem.NotFound) {
		return account.User{}, err
	}
	return s.store.ChangeUser(ctx, user, func(u *account.User) error {
		if !u.DisabledAt.IsZero() {
			return problem.New(problem.AuthInvalid)
		}
		u.Subject = subject
		return nil
	}, account.AuditRecord(user, "user.sso_linked"))
}

// Unlink ends single sign-on for a member, if they can still sign in without it. Problems: auth.forbidden.
func (s *SSO) Unlink(ctx context.Context, user idv.UserID) (account.User, error) {
	return s.store.ChangeUser(ctx, user, func(u *account.User) error {
		u.Subject = account.Subject{}
		if !u.CanSignIn(false) {
			return problem.New(problem.AuthForbidden).Saying("This is your last way in. Add a passkey first.")
		}
		return nil
	}, account.AuditRecord(user, "user.sso_unlinked"))
}

// SafeNext returns next if it is the path of a console page, and the console's first page otherwise, so that signing in
// never leads to another site.
func SafeNext(next string) string {
	u, err := url.Parse(next)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || len(next) > 500 || strings.ContainsAny(next, "\\\t\r\n") {
		return homePage
	}
	if u.Path != "/console" && !strings.HasPrefix(u.Path, "/console/") || strings.Contains(u.Path, "..") || strings.Contains(u.Path, "//") {
		return homePage
	}
	return next
}

func ssoUnsupported() error { return sso.Refused("There is no single sign-on here.", nil) }
