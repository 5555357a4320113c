package httpapi

import (
	"context"
	"net/http"
	"time"

	"github.com/felixge/httpsnoop"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/trace"
)

// request is what is known about one request; it is filled in on the way in and logged on the way out.
type request struct {
	id      string
	pattern string // of the route, never the path
	address string // network address of the client
	actor   string // kind and id of the credential
	problem string // code that was answered
	http    *http.Request
	start   time.Time
	answer  httpsnoop.Metrics // status (0 until it is set), bytes and time of what is answered
	chosen  bool              // the id is what the caller sent
	span    trace.Span        // of the whole; none where it is not traced
	aborted bool              // the connection is ended within the answer

	key       account.Key   // integrator
	user      account.User  // console
	applicant idv.SessionID // applicant
	watches   bool          // the applicant's browser handed the session on
	secret    string        // the bearer token, for the idempotency store's encryption
	masks     bool          // the route masks its answer for whoever may only see it so
	masked    bool          // which has to be done for this one
	login     readLogin     // the console session that came with it
}

type requestKey struct{}

func withRequest(ctx context.Context, r *request) context.Context {
	return context.WithValue(ctx, requestKey{}, r)
}

// known is the request that ctx belongs to; an empty one outside of a request.
func known(ctx context.Context) *request {
	if r, ok := ctx.Value(requestKey{}).(*request); ok {
		return r
	}
	return &request{}
}

func requestID(ctx context.Context) string          { return known(ctx).id }
func addressOf(ctx context.Context) string          { return known(ctx).address }
func modeOf(ctx context.Context) idv.Mode           { return known(ctx).key.Mode }
func applicantOf(ctx context.Context) idv.SessionID { return known(ctx).applicant }
func userOf(ctx context.Context) account.User       { return known(ctx).user }
func requestOf(ctx context.Context) *http.Request   { return known(ctx).http }

// may reports whether the person who is signed in may do something in a mode.
func may(ctx context.Context, p account.Permission, mode idv.Mode) bool {
	q := known(ctx)
	if account.May(q.user.Roles, p, mode) {
		return true
	}
	if !q.masks || !account.MayMasked(q.user.Roles, p) {
		return false
	}
	q.masked = true // from here on the whole answer is
	return true
}

// mayInMode refuses what the person who is signed in may not do in a mode.
func mayInMode(ctx context.Context, p account.Permission, mode idv.Mode) error {
	if !may(ctx, p, mode) {
		return problem.New(problem.AuthForbidden)
	}
	return nil
}
