// Package trace says how long the parts of one piece of work took, across processes: a request, the jobs that it causes,
// what the engine does in them, and the webhooks that come of it (OpenTelemetry, W3C Trace Context).
//
// Only a Tracer begins traces; where there is none, nothing is recorded and nothing is paid. Everything below a beginning
// is found through the context: Start makes a span of what is under way there, or none. It is the only package that knows
// OpenTelemetry's traces. What a span may tell is a table (key.go); a value that could be free text is left out.
package trace

import (
	"context"
	"errors"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	otel "go.opentelemetry.io/otel/trace"

	"github.com/bonafide-id/bonafide/internal/problem"
)

// scope names the maker of all spans.
const scope = "github.com/bonafide-id/bonafide"

// Tracer begins traces. The nil Tracer begins none.
type Tracer struct {
	provider *sdk.TracerProvider
	out      *outlet
}

// Origin is where a span begins that has nothing above it in this process.
type Origin struct {
	Name   string
	Server bool      // it answers a call from outside
	Parent string    // the traceparent that it follows, if that is to be believed; what is none counts as empty
	At     time.Time // now if zero
}

// Span is one part of a trace. The zero Span is none: everything may be done with it, and nothing comes of it.
type Span struct{ span otel.Span }

// Begin begins a span that follows what its origin says, or a trace. End ends it.
func (t *Tracer) Begin(ctx context.Context, o Origin, facts ...Fact) (context.Context, Span) {
	if t == nil {
		return ctx, Span{}
	}
	if o.Parent == "" {
		ctx = otel.ContextWithSpanContext(ctx, otel.SpanContext{})
	} else {
		ctx = following(ctx, o.Parent)
	}
	options := []otel.SpanStartOption{otel.WithAttributes(valuesOf(facts)...), otel.WithSpanKind(otel.SpanKindConsumer)}
	if o.Server {
		options[1] = otel.WithSpanKind(otel.SpanKindServer)
	}
	if !o.At.IsZero() {
		options = append(options, otel.WithTimestamp(o.At))
	}
	ctx, span := t.provider.Tracer(scope).Start(ctx, o.Name, options...)
	return ctx, Span{span}
}

// Start makes a span below the one that is under way. End ends it.
func Start(ctx context.Context, name string, facts ...Fact) (context.Context, Span) {
	above := otel.SpanFromContext(ctx)
	if !above.IsRecording() {
		return ctx, Span{}
	}
	ctx, span := above.TracerProvider().Tracer(scope).Start(ctx, name, otel.WithAttributes(valuesOf(facts)...))
	return ctx, Span{span}
}

// Part does something as a part of what is under way.
func Part(ctx context.Context, name string, do func(context.Context) error) (err error) {
	ctx, span := Start(ctx, name)
	defer span.Close(&err)
	return do(ctx)
}

// Send makes a span for a call to somebody outside. It follows the traceparent of what caused it where there is one, and is
// then linked to the span that is under way. Where there is neither, there is none.
func (t *Tracer) Send(ctx context.Context, name, cause string, facts ...Fact) (context.Context, Span) {
	under := otel.SpanContextFromContext(ctx)
	if t == nil || cause == "" && !under.IsValid() {
		return ctx, Span{}
	}
	options := []otel.SpanStartOption{otel.WithAttributes(valuesOf(facts)...), otel.WithSpanKind(otel.SpanKindClient)}
	if cause != "" {
		ctx = following(ctx, cause)
		if under.IsValid() {
			options = append(options, otel.WithLinks(otel.Link{SpanContext: under}))
		}
	}
	ctx, span := t.provider.Tracer(scope).Start(ctx, name, options...)
	return ctx, Span{span}
}

// Under reports whether a span that is kept is under way.
func Under(ctx context.Context) bool { return otel.SpanFromContext(ctx).IsRecording() }

// In is a context in which the span is under way.
func (s Span) In(ctx context.Context) context.Context {
	if s.span == nil {
		return ctx
	}
	return otel.ContextWithSpan(ctx, s.span)
}

// Tell adds facts.
func (s Span) Tell(facts ...Fact) {
	if s.span != nil {
		s.span.SetAttributes(valuesOf(facts)...)
	}
}

// Fail marks the span as one that failed, for a reason in a word.
func (s Span) Fail(reason string) {
	if s.span != nil {
		s.span.SetStatus(codes.Error, "")
		s.Tell(Failure.Is(reason))
	}
}

// End ends the span. Of an error it keeps what kind it is, never its words: a problem is an answer and named by its code,
// anything else is a failure.
func (s Span) End(err error) {
	if s.span == nil {
		return
	}
	if p, ok := problem.As(err); ok {
		s.Tell(Problem.Is(p.Kind.Code))
	} else if err != nil {
		s.Fail(kindOf(err))
	}
	s.span.End()
}

// Close ends the span with the error that is there by then. It is deferred itself, not called in a function that is: then it
// sees a panic that is under way, and marks the span as one that failed. The panic goes on.
func (s Span) Close(err *error) {
	if s.span == nil {
		return
	}
	if v := recover(); v != nil {
		s.Fail("panic")
		s.span.End() // here and not deferred: the library would tell what was panicked with
		panic(v)
	}
	s.End(*err)
}

func kindOf(err error) string {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	case errors.Is(err, context.Canceled):
		return "cancelled"
	default:
		return "internal"
	}
}

// parentHeader of W3C Trace Context.
const parentHeader = "traceparent"

// Parent is the traceparent by which others follow what is under way; empty where nothing is.
func Parent(ctx context.Context) string {
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carrier)
	return carrier[parentHeader]
}

// following is a context that a traceparent leads to.
func following(ctx context.Context, parent string) context.Context {
	ctx = otel.ContextWithSpanContext(ctx, otel.SpanContext{}) // what cannot be read is none
	return propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier{parentHeader: parent})
}

func valuesOf(facts []Fact) []attribute.KeyValue {
	out := make([]attribute.KeyValue, 0, len(facts))
	for _, f := range facts {
		if f.value.Valid() {
			out = append(out, f.value)
		}
	}
	return out
}
