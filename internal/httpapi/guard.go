package httpapi

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/signin"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
)

// What a console session knows: who, since when, when they last showed who they are (Unix microseconds), and a secret that
// challenges are bound to.
const (
	userKey    = "user"
	sinceKey   = "since"
	provedKey  = "proved"
	browserKey = "browser"
)

// guard stands before a route's handler: size, credential, rate, permission, fresh proof, body, replay, in this order. It
// is the one place where an answer is checked against the permission table.
func (s *Server) guard(row Route, handler http.Handler) http.Handler {
	inner := s.replay(row, handler)
	if row.Sends == JSON {
		inner = s.jsonBody(inner)
	}
	checked := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := known(r.Context())
		ctx, err := s.admit(r, row, q)
		if err == nil {
			err = s.limit(ctx, w, row, row.Who, q)
		} else if limited := s.limit(ctx, w, row, Anyone, q); limited != nil {
			err = limited // whoever tries credentials is a stranger, and slowed down as one
		}
		ctx = s.traced(ctx, r, row, err)
		r = r.WithContext(ctx)
		if err == nil {
			err = permit(row, q)
		}
		if err == nil {
			err = s.fresh(ctx, row)
		}
		if err != nil {
			s.fail(w, r, err)
			return
		}
		q.http = r
		inner.ServeHTTP(w, r)
	})
	outer := s.bounded(row, checked)
	if strings.HasPrefix(row.Path, "/v1/console/") {
		s.web.ErrorFunc = s.fail
		outer = s.web.LoadAndSave(outer)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		known(r.Context()).pattern = row.Path
		outer.ServeHTTP(w, r)
	})
}

// bodyTime is how long a client may take to send its body.
const bodyTime = 2 * time.Minute

// bounded refuses a body that is larger than the row allows: at once where it says so itself, else as soon as
// it turns out. Nothing of it is kept.
func (s *Server) bounded(row Route, next http.Handler) http.Handler {
	most := row.Sends.MaxBytes()
	limited := http.MaxBytesHandler(next, most)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength > most {
			w.Header().Set("Connection", "close")
			s.fail(w, r, problem.New(problem.RequestTooLarge))
			return
		}
		if row.Sends != Nothing || r.ContentLength != 0 { // a body that nobody asked for is waited for, too, before the connection goes on
			// Where the connection takes no deadline (a recorder in tests), the client's own patience ends it.
			_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyTime))
		}
		limited.ServeHTTP(w, r)
	})
}

// admit checks the credential that the row asks for and says who acts.
func (s *Server) admit(r *http.Request, row Route, q *request) (context.Context, error) {
	ctx := r.Context()
	actor := audit.Actor{Kind: audit.System, Address: q.address}
	var err error
	switch row.Who {
	case Integrator:
		actor.Kind = audit.APIKey
		if q.secret, err = bearer(r); err == nil {
			q.key, err = s.accounts.Keys.Authenticate(ctx, q.secret)
		}
		actor.ID = string(q.key.ID)
	case Applicant:
		actor.Kind = audit.Applicant
		if q.secret, err = bearer(r); err == nil {
			err = s.admitBrowser(ctx, row, q)
			ctx = applicant.WithBrowser(ctx, q.secret)
		}
		actor.ID = string(q.applicant)
	case Console:
		actor.Kind = audit.User
		q.user, err = s.member(ctx)
		actor.ID, q.secret = string(q.user.ID), s.web.Token(ctx)
	case Anyone: // the use case names who acts, where it matters
	}
	if err != nil {
		return ctx, err
	}
	if actor.ID != "" {
		q.actor = string(actor.Kind) + ":" + actor.ID
	}
	return audit.WithActor(ctx, actor), nil
}

// admitBrowser lets in the browser that has a session, and where the row says so the one that handed it on.
func (s *Server) admitBrowser(ctx context.Context, row Route, q *request) error {
	b, err := s.sessions.Handoffs.Browser(ctx, q.secret)
	if err == nil && b.Watches && !row.Watch {
		err = problem.New(problem.SessionBoundElsewhere)
	}
	if err == nil {
		q.applicant, q.watches = b.Session, b.Watches
	}
	return err
}

// bearer is the token of an Authorization header.
func bearer(r *http.Request) (string, error) {
	h := r.Header.Get("Authorization")
	if h == "" {
		return "", problem.New(problem.AuthMissing)
	}
	scheme, token, ok := strings.Cut(h, " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") || token == "" || len(token) > 200 {
		return "", problem.New(problem.AuthInvalid)
	}
	return token, nil
}

// member is the person who is signed in.
func (s *Server) member(ctx context.Context) (account.User, error) {
	id := s.web.GetString(ctx, userKey)
	if id == "" {
		return account.User{}, problem.New(problem.AuthMissing)
	}
	u, err := s.accounts.Members.FindActive(ctx, idv.UserID(id))
	if err == nil && !u.SessionsFrom.IsZero() && s.web.GetInt64(ctx, sinceKey) < u.SessionsFrom.UnixMicro() {
		return account.User{}, problem.New(problem.AuthMissing)
	}
	return u, err
}

// browser is a secret that this browser's cookie stands for, whether somebody is signed in or not.
func (s *Server) browser(ctx context.Context) string {
	if b := s.web.GetString(ctx, browserKey); b != "" {
		return b
	}
	b := rand.Text()
	s.web.Put(ctx, browserKey, b)
	return b
}

// fresh refuses what needs a fresh proof where the last one is too old: a browser that somebody left open does not do it.
func (s *Server) fresh(ctx context.Context, row Route) error {
	if !row.Fresh || s.now().Sub(time.UnixMicro(s.web.GetInt64(ctx, provedKey))) < signin.ProofLife {
		return nil
	}
	return problem.New(problem.AuthStepUp)
}

// signIn starts a console session for a person who has just shown who they are, under a new token. That they did is on record
// by now.
func (s *Server) signIn(ctx context.Context, u account.User) error {
	return s.signInProved(ctx, u, s.now())
}

// signInProved is signIn for somebody who showed who they are at another time, or (zero) nobody knows when.
func (s *Server) signInProved(ctx context.Context, u account.User, at time.Time) error {
	s.web.Put(ctx, provedKey, max(at.UnixMicro(), 0))
	if err := s.web.RenewToken(ctx); err != nil {
		return fmt.Errorf("sign in: %w", err)
	}
	return s.enter(ctx, u)
}

// stay begins the console session anew, under a new token. How long ago the person showed who they are stays as it was.
// Where they signed out meanwhile the problem is auth.missing.
func (s *Server) stay(ctx context.Context, u account.User) error {
	if err := s.renewed(ctx); err != nil {
		return err
	}
	return s.enter(ctx, u)
}

// enter notes who is signed in under a token that nobody else has.
func (s *Server) enter(ctx context.Context, u account.User) error {
	s.web.Put(ctx, userKey, string(u.ID))
	s.web.Put(ctx, sinceKey, s.now().UnixMicro())
	s.browser(ctx) // from the first call on: two calls at the same time would each make one of their own
	return nil
}

// permit checks the credential against the permission table. Calls that can reach both modes check again with
// the mode of what they reach.
func permit(row Route, q *request) error {
	if row.May == "" {
		return nil
	}
	switch row.Who {
	case Integrator:
		if !q.key.May(row.May) {
			return problem.New(problem.AuthForbidden)
		}
	case Console:
		q.masks = row.Masks
		if account.May(q.user.Roles, row.May, idv.Test) || account.May(q.user.Roles, row.May, idv.Live) {
			return nil
		}
		if !row.Masks || !account.MayMasked(q.user.Roles, row.May) {
			return problem.New(problem.AuthForbidden)
		}
		q.masked = true
	case Anyone, Applicant:
	}
	return nil
}
