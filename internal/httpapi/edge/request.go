package edge

import (
	"context"
	"net/http"
	"time"

	"github.com/felixge/httpsnoop"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/trace"
)

// request is what is known about one request; it is filled in on the way in and logged on the way out.
type request struct {
	id      string
	base    string       // scheme, host and port of the server
	version wire.Version // of the API, that was asked for; empty for the current one
	pattern string       // of the route, never the path
	address string       // network address of the client
	actor   string       // kind and id of the credential
	problem string       // code that was answered
	http    *http.Request
	start   time.Time
	answer  httpsnoop.Metrics // status (0 until it is set), bytes and time of what is answered
	chosen  bool              // the id is what the caller sent
	span    trace.Span        // of the whole; none where it is not traced
	body    *pacedBody        // nil where none is sent
	aborted bool              // the connection is ended within the answer
	refused bool              // it did not get a turn

	key       account.Key   // integrator
	user      account.User  // console
	applicant idv.SessionID // applicant
	watches   bool          // the applicant's browser handed the session on
	secret    string        // the bearer token, for the idempotency store's encryption
	masks     bool          // the route masks its answer for whoever may only see it so
	masked    bool          // which has to be done for this one
	login     readLogin     // the console session that came with it
}

// AskedBy is what an answer needs to know of the request.
func AskedBy(ctx context.Context) wire.Asked { return requestOf(ctx).asked() }

func (q *request) asked() wire.Asked {
	return wire.Asked{RequestID: q.id, Base: q.base, Version: q.version}
}

type requestKey struct{}

func withRequest(ctx context.Context, r *request) context.Context {
	return context.WithValue(ctx, requestKey{}, r)
}

// requestOf returns the request that ctx belongs to; an empty one outside of a request.
func requestOf(ctx context.Context) *request {
	if r, ok := ctx.Value(requestKey{}).(*request); ok {
		return r
	}
	return &request{}
}

// RequestID returns the id of the request, for the log.
func RequestID(ctx context.Context) string { return requestOf(ctx).id }

// ClientAddress returns the network address of the client.
func ClientAddress(ctx context.Context) string { return requestOf(ctx).address }

// APIKey returns the key of an integrator's call; zero in other calls.
func APIKey(ctx context.Context) account.Key { return requestOf(ctx).key }

// KeyMode returns the mode of the key of an integrator's call.
func KeyMode(ctx context.Context) idv.Mode { return requestOf(ctx).key.Mode }

// ApplicantSession returns the session that the browser of an applicant's call is bound to.
func ApplicantSession(ctx context.Context) idv.SessionID { return requestOf(ctx).applicant }

// Watches reports whether the browser of an applicant's call handed the session over and may only watch it.
func Watches(ctx context.Context) bool { return requestOf(ctx).watches }

// Member returns the person who is signed in.
func Member(ctx context.Context) account.User { return requestOf(ctx).user }

// Masked reports whether personal data has to be masked in the answer.
func Masked(ctx context.Context) bool { return requestOf(ctx).masked }

// Credential returns the bearer token, or the token of the console session.
func Credential(ctx context.Context) string { return requestOf(ctx).secret }

// HTTPRequest returns the request, for handlers that read its body themselves.
func HTTPRequest(ctx context.Context) *http.Request { return requestOf(ctx).http }

// SetRoute names the route of a request that no row of the table matched, for the log and the metrics.
func SetRoute(ctx context.Context, pattern string) { requestOf(ctx).pattern = pattern }

// May reports whether the person who is signed in may do something in a mode. Where their role has the permission only masked and the
// route allows that, the whole answer is masked from then on.
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

// CheckMay refuses with auth.forbidden what the person who is signed in may not do in a mode.
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
