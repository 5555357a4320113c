package edge

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"time"

	"github.com/alexedwards/scs/v2"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/signin"
	"github.com/bonafide-id/bonafide/internal/account/team"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// The name of the console's cookie where browsers reach the server by https, and where they do not. Browsers take a cookie with the
// prefix over https alone, and only from the host itself: neither a page of a sibling domain nor one without https can plant it
// (RFC 6265bis §4.1.3.2).
const (
	CookieName      = "__Host-" + PlainCookieName
	PlainCookieName = "bonafide_console"
)

// A console session ends after ConsoleIdle without a call, and after ConsoleTotal at the latest.
const (
	ConsoleIdle  = 30 * time.Minute
	ConsoleTotal = 12 * time.Hour
)

// What a console session knows: who, since when, when they last showed who they are (Unix microseconds), and a secret that
// challenges are bound to; and how many passwords and codes were wrong before the sign-in, since when.
const (
	userKey    = "user"
	sinceKey   = "since"
	provedKey  = "proved"
	browserKey = "browser"

	failedPasswordsKey = "failed_passwords"
	failedCodesKey     = "failed_codes"
	failedSinceKey     = "failed_since"
)

// ConsoleSessions are the sessions of people who are signed in to the console, by their cookie.
type ConsoleSessions struct {
	web     *scs.SessionManager
	members *team.Members
	now     func() time.Time
}

func newConsoleSessions(o Options) *ConsoleSessions {
	return &ConsoleSessions{web: newSessionManager(o.Logins, o.secure()), members: o.Members, now: o.Now}
}

func newSessionManager(logins Logins, secure bool) *scs.SessionManager {
	m := scs.New()
	if logins != nil {
		m.Store = newTouched(loginStore{logins: logins, codec: m.Codec})
	}
	m.HashTokenInStore = true
	m.IdleTimeout, m.Lifetime = ConsoleIdle, ConsoleTotal
	name := PlainCookieName
	if secure {
		name = CookieName
	}
	m.Cookie = scs.SessionCookie{Name: name, Path: "/", HttpOnly: true, Secure: secure, SameSite: http.SameSiteStrictMode, Persist: true}
	return m
}

// Member returns the person who is signed in. Problems: auth.missing.
func (c *ConsoleSessions) Member(ctx context.Context) (account.User, error) {
	id := c.web.GetString(ctx, userKey)
	if id == "" {
		return account.User{}, problem.New(problem.AuthMissing)
	}
	u, err := c.members.FindActive(ctx, idv.UserID(id))
	if err == nil && !u.SessionsFrom.IsZero() && c.web.GetInt64(ctx, sinceKey) < u.SessionsFrom.UnixMicro() {
		return account.User{}, problem.New(problem.AuthMissing)
	}
	return u, err
}

// load makes the console session of a request's cookie available to next, and saves what next changed in it.
func (c *ConsoleSessions) load(next http.Handler, fail func(http.ResponseWriter, *http.Request, error)) http.Handler {
	c.web.ErrorFunc = fail
	return c.web.LoadAndSave(next)
}

// token returns the token of the console session of ctx.
func (c *ConsoleSessions) token(ctx context.Context) string { return c.web.Token(ctx) }

// Failures returns what failed before the person who is signed in came in.
func (c *ConsoleSessions) Failures(ctx context.Context) account.Failures {
	f := account.Failures{Passwords: int(c.web.GetInt64(ctx, failedPasswordsKey)), Codes: int(c.web.GetInt64(ctx, failedCodesKey))}
	if f.Any() {
		f.Since = time.UnixMicro(c.web.GetInt64(ctx, failedSinceKey)).UTC()
	}
	return f
}

// setFailures keeps what failed before a sign-in for as long as the session lasts.
func (c *ConsoleSessions) setFailures(ctx context.Context, f account.Failures) {
	for key, v := range map[string]int64{
		failedPasswordsKey: int64(f.Passwords), failedCodesKey: int64(f.Codes), failedSinceKey: f.Since.UnixMicro(),
	} {
		if !f.Any() {
			c.web.Remove(ctx, key)
			continue
		}
		c.web.Put(ctx, key, v)
	}
}

// MarkProved records when the person who is signed in last proved who they are.
func (c *ConsoleSessions) MarkProved(ctx context.Context, at time.Time) {
	c.web.Put(ctx, provedKey, at.UnixMicro())
}

// SignOut ends the console session of ctx, and writes rec to the audit log in the same transaction.
func (c *ConsoleSessions) SignOut(ctx context.Context, rec audit.Record) error {
	if err := c.web.Destroy(ending(ctx, rec)); err != nil {
		return fmt.Errorf("sign out: %w", err)
	}
	return nil
}

// Browser returns a secret that belongs to this browser's cookie, whether somebody is signed in or not.
func (c *ConsoleSessions) Browser(ctx context.Context) string {
	if b := c.web.GetString(ctx, browserKey); b != "" {
		return b
	}
	b := rand.Text()
	c.web.Put(ctx, browserKey, b)
	return b
}

// checkFresh refuses with auth.step_up a route that needs a fresh proof where the last proof is older than signin.ProofLife.
func (c *ConsoleSessions) checkFresh(ctx context.Context, row Route) error {
	if !row.Fresh || c.now().Sub(time.UnixMicro(c.web.GetInt64(ctx, provedKey))) < signin.ProofLife {
		return nil
	}
	return problem.New(problem.AuthStepUp)
}

// SignIn starts a console session, under a new token, for a person who has just proved who they are. The proof must be in the audit
// log by then.
func (c *ConsoleSessions) SignIn(ctx context.Context, u account.User) error {
	return c.SignInProvedAt(ctx, u, c.now())
}

// SignInProvedAt is SignIn for a person who proved who they are at another time; zero for an unknown time.
func (c *ConsoleSessions) SignInProvedAt(ctx context.Context, u account.User, at time.Time) error {
	c.web.Put(ctx, provedKey, max(at.UnixMicro(), 0))
	if err := c.web.RenewToken(ctx); err != nil {
		return fmt.Errorf("sign in: %w", err)
	}
	c.setFailures(ctx, u.Failures)
	return c.enter(ctx, u)
}

// Renew continues the console session under a new token. The time of the last proof stays. Problems: auth.missing, where the person
// signed out meanwhile.
func (c *ConsoleSessions) Renew(ctx context.Context, u account.User) error {
	if err := c.renewToken(ctx); err != nil {
		return err
	}
	return c.enter(ctx, u)
}

// enter sets who is signed in.
func (c *ConsoleSessions) enter(ctx context.Context, u account.User) error {
	c.web.Put(ctx, userKey, string(u.ID))
	c.web.Put(ctx, sinceKey, c.now().UnixMicro())
	c.Browser(ctx) // from the first call on: two calls at the same time would each make one of their own
	return nil
}

// renewToken changes the token of the session. Problems: auth.missing, where the session was ended while this call ran.
func (c *ConsoleSessions) renewToken(ctx context.Context) error {
	if err := c.web.RenewToken(ctx); err != nil {
		return fmt.Errorf("sign in: %w", err)
	}
	if !requestOf(ctx).login.gone {
		return nil
	}
	if err := c.web.Destroy(ctx); err != nil {
		return fmt.Errorf("sign out: %w", err)
	}
	return problem.New(problem.AuthMissing)
}
