package account

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/sso"
)

// Provider asks who somebody is (sso.Provider).
type Provider interface {
	Issuer() string
	URL(ctx context.Context, q sso.Question) (string, error)
	Identity(ctx context.Context, q sso.Question, code string) (sso.Identity, error)
}

// SSO is single sign-on as the operator set it up. The zero value is none.
type SSO struct {
	Provider Provider
	Name     string // of the button
	ClientID string
	Roles    []RoleClaim
	Domains  []string // of e-mail addresses; empty for any
}

// RoleClaim gives a role to whoever has that value in that claim, or in its list.
type RoleClaim struct {
	Claim, Value string
	Role         Role
}

// Reason is what single sign-on is asked for.
type Reason string

// The reasons.
const (
	SSOSignIn Reason = "sign_in"
	SSOLink   Reason = "link"  // the member who is signed in wants it to open their account, too
	SSOProve  Reason = "prove" // the member who is signed in shows once more who they are
)

const toSSO purpose = "single sign-on"

// clockSkew is how far the provider's clock may be ahead.
const clockSkew = time.Minute

// home is where people go after signing in, unless they were on their way to another page of the console.
const home = "/console/sessions"

// started is what is kept while somebody is with the provider.
type started struct {
	Question sso.Question `json:"question"`
	Reason   Reason       `json:"reason"`
	User     idv.UserID   `json:"user,omitempty"`
	Next     string       `json:"next"`
}

// Entered is who came back from the provider.
type Entered struct {
	User     User
	Reason   Reason
	Next     string    // page of the console
	ProvedAt time.Time // when they last signed in at the provider, never later than now; zero where it does not say
}

// SSO answers how single sign-on is set up. There is none where it has no provider.
func (s *Service) SSO() SSO { return s.sso }

// BeginSSO answers where the browser goes. user is who is signed in, where the reason is not signing in. Problems:
// auth.sso_unavailable, auth.sso_refused (there is no single sign-on here).
func (s *Service) BeginSSO(ctx context.Context, browser string, why Reason, user idv.UserID, next string) (string, error) {
	if s.sso.Provider == nil {
		return "", sso.Refused("There is no single sign-on here.", nil)
	}
	state, err := s.secret()
	if err != nil {
		return "", err
	}
	nonce, err := s.secret()
	if err != nil {
		return "", err
	}
	q := sso.Question{State: state, Nonce: nonce, Verifier: oauth2.GenerateVerifier(), Again: why != SSOSignIn}
	to, err := s.sso.Provider.URL(ctx, q)
	if err != nil {
		return "", err
	}
	return to, s.ask(ctx, toSSO, browser, state, started{Question: q, Reason: why, User: user, Next: SafeNext(next)})
}

// Return is what the provider sent back through the browser.
type Return struct {
	State, Code, Issuer, Error string
}

// FinishSSO answers who came back. user is who is signed in, if anybody. Problems: auth.sso_refused, auth.sso_unavailable.
func (s *Service) FinishSSO(ctx context.Context, browser string, user idv.UserID, back Return) (Entered, error) {
	if s.sso.Provider == nil {
		return Entered{}, sso.Refused("There is no single sign-on here.", nil)
	}
	var asked started
	if err := s.answered(ctx, toSSO, browser, back.State, &asked); err != nil {
		if problem.Has(err, problem.NotFound) {
			return Entered{}, sso.Refused("This browser did not ask for it, or it took too long. Sign in again.", nil)
		}
		return Entered{}, err
	}
	if back.Issuer != "" && back.Issuer != s.sso.Provider.Issuer() { // RFC 9207
		return Entered{}, sso.Refused("The answer came from another identity provider.", nil)
	}
	if back.Error != "" || back.Code == "" {
		return Entered{}, sso.Refused("The identity provider did not sign you in.", nil)
	}
	if asked.User != user && asked.Reason != SSOSignIn {
		return Entered{}, sso.Refused("Somebody else is signed in here by now.", nil)
	}
	who, err := s.sso.Provider.Identity(ctx, asked.Question, back.Code)
	if err != nil {
		return Entered{}, err
	}
	out := Entered{Reason: asked.Reason, Next: asked.Next}
	if now := s.now(); !who.SignedInAt.After(now.Add(clockSkew)) {
		out.ProvedAt = who.SignedInAt
		if out.ProvedAt.After(now) {
			out.ProvedAt = now
		}
	}
	if asked.Question.Again && s.now().Sub(out.ProvedAt) > CeremonyLife {
		return Entered{}, sso.Refused("The identity provider did not ask you anew.", nil)
	}
	out.User, err = s.enter(ctx, asked, who)
	return out, err
}

func (s *Service) enter(ctx context.Context, asked started, who sso.Identity) (User, error) {
	subject := Subject{Issuer: who.Issuer, ID: who.Subject}
	switch asked.Reason {
	case SSOLink:
		return s.link(ctx, asked.User, subject)
	case SSOProve:
		u, err := s.store.User(ctx, asked.User)
		if err == nil && (u.Subject != subject || !u.DisabledAt.IsZero()) {
			err = sso.Refused("That was somebody else.", nil)
		}
		return u, err
	default:
		return s.enterBySubject(ctx, subject, who)
	}
}

// enterBySubject signs in whom the provider vouches for. What counts is its name for the person, never their address: an
// address can pass to somebody else.
func (s *Service) enterBySubject(ctx context.Context, subject Subject, who sso.Identity) (User, error) {
	roles, err := s.mapped(who)
	if err != nil {
		return User{}, err
	}
	u, err := s.store.UserBySubject(ctx, subject)
	if problem.Has(err, problem.NotFound) {
		return s.addBySubject(ctx, subject, who, roles)
	}
	if err != nil {
		return User{}, err
	}
	if !u.DisabledAt.IsZero() {
		return User{}, sso.Refused("You are kept out of this deployment. Ask an owner.", nil)
	}
	done := []audit.Record{about(u.ID, signedIn)}
	if !slices.Equal(u.Roles, roles) {
		done = append(done, about(u.ID, "member.roles_by_sso"))
	}
	u, err = s.store.ChangeUser(acting(ctx, u.ID), u.ID, func(u *User) error {
		if !u.DisabledAt.IsZero() {
			return sso.Refused("You are kept out of this deployment. Ask an owner.", nil)
		}
		u.Roles, u.LastLoginAt = roles, s.moment()
		return nil
	}, done...)
	if problem.Has(err, problem.AuthForbidden) {
		return User{}, sso.Refused("Your roles there would leave this deployment without an owner. Sign in another way and map an owner first.", nil)
	}
	return u, err
}

// mapped is which roles somebody has here.
func (s *Service) mapped(who sso.Identity) ([]Role, error) {
	if who.Email == "" || !who.EmailVerified {
		return nil, sso.Refused("The identity provider has not verified your e-mail address. Have it verified there.", nil)
	}
	_, domain, _ := strings.Cut(Normal(who.Email), "@")
	if len(s.sso.Domains) > 0 && !slices.ContainsFunc(s.sso.Domains, func(d string) bool { return Normal(d) == domain }) {
		return nil, sso.Refused("Addresses of your domain do not open this deployment.", nil)
	}
	has := map[Role]bool{}
	for _, m := range s.sso.Roles {
		if states(who.Claims[m.Claim], m.Value) {
			has[m.Role] = true
		}
	}
	var out []Role
	for _, r := range Roles() {
		if has[r] {
			out = append(out, r)
		}
	}
	if len(out) == 0 {
		return nil, sso.Refused("Nothing that the identity provider says about you gives you a role here. Ask to be put into a group that has one.", nil)
	}
	return out, nil
}

// states reports whether a claim has a value, or lists it.
func states(claim any, value string) bool {
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

// addBySubject makes a member of somebody who was never here. An address that is a member's is no proof of being them.
func (s *Service) addBySubject(ctx context.Context, subject Subject, who sso.Identity, roles []Role) (User, error) {
	needed, err := s.SetupNeeded(ctx)
	if err != nil {
		return User{}, err
	}
	if needed {
		return User{}, sso.Refused("This deployment is not set up yet: its first owner needs the setup link.", nil)
	}
	if err := checkEmail(strings.TrimSpace(who.Email)); err != nil {
		return User{}, sso.Refused("What the identity provider gives as your address is none.", nil)
	}
	name := strings.TrimSpace(who.Name)
	if name == "" {
		name, _, _ = strings.Cut(who.Email, "@")
	}
	id, err := idv.NewID[idv.UserID](s.now(), s.random)
	if err != nil {
		return User{}, err
	}
	now := s.moment()
	u := User{
		ID: id, Name: shortened(name, 100), Email: strings.TrimSpace(who.Email), Normal: Normal(who.Email), Roles: roles, CreatedAt: now,
		LastLoginAt: now, Subject: subject,
	}
	err = s.store.AddMember(acting(ctx, id), u, about(id, "member.joined_by_sso"), about(id, signedIn))
	if problem.Has(err, problem.AuthInvalid) {
		return User{}, sso.Refused("A member has your address already. If it is you: sign in as you did until now, and link single sign-on on your account page.", nil)
	}
	return u, err
}

// link lets single sign-on open the account of who is signed in.
func (s *Service) link(ctx context.Context, user idv.UserID, subject Subject) (User, error) {
	other, err := s.store.UserBySubject(ctx, subject)
	if err == nil && other.ID != user {
		return User{}, sso.Refused("Another member signs in with that account.", nil)
	}
	if err != nil && !problem.Has(err, problem.NotFound) {
		return User{}, err
	}
	return s.store.ChangeUser(ctx, user, func(u *User) error {
		if !u.DisabledAt.IsZero() {
			return problem.New(problem.AuthInvalid)
		}
		u.Subject = subject
		return nil
	}, audit.Record{Action: "user.sso_linked", Subject: string(user)})
}

// Unlink takes single sign-on from a member, if another way in stays. Problems: auth.forbidden.
func (s *Service) Unlink(ctx context.Context, user idv.UserID) (User, error) {
	return s.store.ChangeUser(ctx, user, func(u *User) error {
		u.Subject = Subject{}
		if u.PasswordHash == "" && len(u.Factor.Passkeys) == 0 {
			return problem.New(problem.AuthForbidden).Saying("This is your last way in. Add a passkey first.")
		}
		return nil
	}, audit.Record{Action: "user.sso_unlinked", Subject: string(user)})
}

// SafeNext is a page of the console, whatever was asked for: nobody is sent anywhere else after signing in.
func SafeNext(next string) string {
	u, err := url.Parse(next)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || len(next) > 500 || strings.ContainsAny(next, "\\\t\r\n") {
		return home
	}
	if u.Path != "/console" && !strings.HasPrefix(u.Path, "/console/") || strings.Contains(u.Path, "..") || strings.Contains(u.Path, "//") {
		return home
	}
	return next
}

func shortened(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most])
	}
	return text
}

var errNoRole = errors.New("a mapping is CLAIM=VALUE:ROLE")

// ReadRoleClaim reads a mapping such as groups=reviewers:reviewer.
func ReadRoleClaim(text string) (RoleClaim, error) {
	i := strings.LastIndex(text, ":")
	claim, value, ok := strings.Cut(text[:max(i, 0)], "=")
	if i < 0 || !ok || claim == "" || value == "" {
		return RoleClaim{}, errNoRole
	}
	role := Role(text[i+1:])
	if !slices.Contains(Roles(), role) {
		return RoleClaim{}, fmt.Errorf("%q is no role", role)
	}
	return RoleClaim{Claim: claim, Value: value, Role: role}, nil
}
