package edge

import (
	"context"
	"net/http"

	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/trace"
)

// traced begins the span of a request, as of when it came in, once its credential and its rate were checked (err). A caller
// with an API key may name the parent span, and so decide whether the trace is recorded: it pays for that with its own calls. Browsers and
// strangers have no say. What was refused has no span, or a flood of it would fill the queue of those that wait to be sent;
// nor have live updates, which last as long as somebody watches, and probes.
func (e *Edge) traced(ctx context.Context, r *http.Request, row Route, err error) context.Context {
	if e.tracer == nil || row.Streams || probe(row.Path) || refused(err) {
		return ctx
	}
	q, theirs := requestOf(ctx), row.Who == Integrator && err == nil
	o := trace.Origin{Name: row.Pattern(), Server: true, At: q.start}
	if theirs {
		o.Parent = r.Header.Get("traceparent")
	}
	ctx, q.span = e.tracer.Begin(ctx, o, trace.Method.Is(row.Method), trace.Route.Is(row.Path))
	if theirs || !q.chosen { // what somebody else chose could say anything
		q.span.SetFacts(trace.Request.Is(q.id))
	}
	return ctx
}

// refused reports whether an error is an answer; an outage is none.
func refused(err error) bool {
	p, ok := problem.As(err)
	return ok && p.Kind.Status < http.StatusInternalServerError
}
