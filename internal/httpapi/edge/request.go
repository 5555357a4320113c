package edge

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

// requestOf is the request that ctx belongs to; an empty one outside of a request.
func requestOf(ctx context.Context) *request {
	if r, ok := ctx.Value(requestKey{}).(*request); ok {
		return r
	}
	return &request{}
}

func RequestID(ctx context.Context) string               { return requestOf(ctx).id }
func ClientAddress(ctx context.Context) string           { return requestOf(ctx).address }
func KeyMode(ctx context.Context) idv.Mode               { return requestOf(ctx).key.Mode }
func ApplicantSession(ctx context.Context) idv.SessionID { return requestOf(ctx).applicant }
func APIKey(ctx context.Context) account.Key             { return requestOf(ctx).key }
func Credential(ctx context.Context) string              { return requestOf(ctx).secret }
func Watches(ctx context.Context) bool                   { return requestOf(ctx).watches }
func Masked(ctx context.Context) bool                    { return requestOf(ctx).masked }

// SetRoute names the route of a request that no row of the table matched, for the log and the metrics.
func SetRoute(ctx context.Context, pattern string) { requestOf(ctx).pattern = pattern }

func Member(ctx context.Context) account.User       { return requestOf(ctx).user }
func HTTPRequest(ctx context.Context) *http.Request { return requestOf(ctx).http }

// May reports whether the person who is signed in may do something in a mode.
func May(ctx context.Context, p account.Permission, mode idv.Mode) bool {
	q := requestOf(ctx)
	if account.May(q.user.Roles, p, mode) {
		return true
	}
	if !q.masks || !account.MayMasked(q.user.Roles, p) {
		return false
	}
	q.masked = true // from here on the whole answer is
	return true
}

// CheckMay refuses what the person who is signed in may not do in a mode.
func CheckMay(ctx context.Context, p account.Permission, mode idv.Mode) error {
	if !May(ctx, p, mode) {
		return problem.New(problem.AuthForbidden)
	}
	return nil
}

// endSpan ends the span of a request with what was answered.
func (q *request) endSpan(status int) {
	q.span.SetFacts(trace.Status.Is(status), trace.Problem.Is(q.problem))
	switch {
	case q.aborted:
		q.span.Fail("aborted")
	case status >= http.StatusInternalServerError:
		q.span.Fail("internal")
	}
	q.span.End(nil)
}
