package edge

import (
	"context"
	"net/http"
	"strings"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
)

// guard wraps a route's handler in the checks of size, turn, credential, rate, permission, fresh proof, body and repeat, in this order. It is
// the one place where a call is checked against the permission table.
func (e *Edge) guard(row Route, handler http.Handler) http.Handler {
	inner := e.replays.replay(row, handler)
	if row.Sends == JSON {
		inner = e.jsonBody(inner)
	}
	checked := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := requestOf(r.Context())
		ctx, err := e.admit(r, row, q)
		if err == nil {
			err = e.limits.spend(ctx, w, row, row.Who, q)
		} else if limited := e.limits.spend(ctx, w, row, Anyone, q); limited != nil {
			err = limited // whoever tries credentials is a stranger, and slowed down as one
		}
		ctx = e.traced(ctx, r, row, err)
		r = r.WithContext(ctx)
		if err == nil {
			err = permit(row, q)
		}
		if err == nil {
			err = e.Consoles.checkFresh(ctx, row)
		}
		if err != nil {
			e.Problems.Write(w, r, err)
			return
		}
		q.http = r
		inner.ServeHTTP(w, r)
	})
	outer := e.bounded(row, e.inTurn(row, checked))
	if strings.HasPrefix(row.Path, "/v1/console/") {
		outer = e.Consoles.load(outer, e.Problems.Write)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requestOf(r.Context()).pattern = row.Path
		outer.ServeHTTP(w, r)
	})
}

// bounded refuses a body that is larger than the route allows: at once if the request says so, otherwise as soon as it turns out. It
// ends a body that arrives too slowly.
func (e *Edge) bounded(row Route, next http.Handler) http.Handler {
	most := row.Sends.MaxBytes()
	limited := http.MaxBytesHandler(next, most)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 { // a body that nobody asked for is waited for, too, before the connection goes on
			body := newPacedBody(w, r.Body, e.bodyGrace)
			requestOf(r.Context()).body, r.Body = body, body
			defer body.drain(r)
		}
		if r.ContentLength > most {
			w.Header().Set("Connection", "close")
			e.Problems.Write(w, r, problem.New(problem.RequestTooLarge))
			return
		}
		limited.ServeHTTP(w, r)
	})
}

// admit checks the credential that the route asks for and returns a context with the actor.
func (e *Edge) admit(r *http.Request, row Route, q *request) (context.Context, error) {
	ctx := r.Context()
	actor := audit.Actor{Kind: audit.System, Address: q.address}
	var err error
	switch row.Who {
	case Integrator:
		actor.Kind = audit.APIKey
		if q.secret, err = bearer(r); err == nil {
			q.key, err = e.keys.Authenticate(ctx, q.secret)
		}
		actor.ID = string(q.key.ID)
	case Applicant:
		actor.Kind = audit.Applicant
		if q.secret, err = bearer(r); err == nil {
			err = e.admitBrowser(ctx, row, q)
			ctx = applicant.WithBrowser(ctx, q.secret)
		}
		actor.ID = string(q.applicant)
	case Console:
		actor.Kind = audit.User
		q.user, err = e.Consoles.Member(ctx)
		actor.ID, q.secret = string(q.user.ID), e.Consoles.token(ctx)
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

// admitBrowser admits the browser that has the session, and, if the route says so, the one that handed it over.
func (e *Edge) admitBrowser(ctx context.Context, row Route, q *request) error {
	b, err := e.handoffs.Browser(ctx, q.secret)
	if err == nil && b.Watches && !row.Watch {
		err = problem.New(problem.SessionBoundElsewhere)
	}
	if err == nil {
		q.applicant, q.watches = b.Session, b.Watches
	}
	return err
}

// bearer returns the token of an Authorization header. Problems: auth.missing, auth.invalid.
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

// permit checks the credential against the permission table. Calls that can reach both modes check again with the mode of what they
// reach.
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
