package httpapi

import (
	"context"
	"net/http"

	"github.com/bonafide-id/bonafide/internal/trace"
)

// traced begins the span of a request, as of when it came in. Whoever has an API key may say what it follows, and by that
// whether it is kept: they pay for it with their own calls. Browsers and strangers have no say. Live updates, which last as
// long as somebody watches, and probes have no span.
func (s *Server) traced(ctx context.Context, r *http.Request, row Route, admitted bool) context.Context {
	if s.tracer == nil || row.Streams || probe(row.Path) {
		return ctx
	}
	q, theirs := known(ctx), row.Who == Integrator && admitted
	o := trace.Origin{Name: row.Pattern(), Server: true, At: q.start}
	if theirs {
		o.Parent = r.Header.Get("traceparent")
	}
	ctx, q.span = s.tracer.Begin(ctx, o, trace.Method.Is(row.Method), trace.Route.Is(row.Path))
	if theirs || !q.chosen { // what somebody else chose could say anything
		q.span.Tell(trace.Request.Is(q.id))
	}
	return ctx
}

// endSpan ends the span of a request with what was answered.
func (q *request) endSpan(status int) {
	q.span.Tell(trace.Status.Is(status), trace.Problem.Is(q.problem))
	if status >= http.StatusInternalServerError {
		q.span.Fail("internal")
	}
	q.span.End(nil)
}
