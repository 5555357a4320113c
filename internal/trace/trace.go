// Package trace records how long the parts of one piece of work take, across processes: a request, the jobs that it causes,
// what the engine does in them, and the webhooks that follow (OpenTelemetry, W3C Trace Context).
//
// Only a Tracer begins traces; without one nothing is recorded and nothing is spent. Start makes a span below the one in the
// context, or none. This is the only package that imports OpenTelemetry's traces. What a span may record is a table (key.go);
// a value that could be free text is left out.
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

// scope is the instrumentation scope of all spans.
const scope = "github.com/bonafide-id/bonafide"

// Tracer begins traces. The nil Tracer begins none.
type Tracer struct {
	provider *sdk.TracerProvider
	out      *outlet
}

// Origin describes a span that has no parent in this process.
type Origin struct {
	Name   string
	Server bool      // it handles a request from outside
	Parent string    // traceparent of a trusted caller; empty, or malformed, for none
	At     time.Time // of the start; defaults to now
}

// Span is one part of a trace. The zero Span records nothing; its methods may be called.
type Span struct{ span otel.Span }

// Begin begins a span that follows the parent of its origin, or a new trace. It must be ended with End or Close.
func (t *Tracer) Begin(ctx context.Context, o Origin, facts ...Fact) (context.Context, Span) {
	if t == nil {
		return ctx, Span{}
	}
	if o.Parent == "" {
		ctx = otel.ContextWithSpanContext(ctx, otel.SpanContext{})
	} else {
		ctx = withParent(ctx, o.Parent)
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

// Start begins a span below the one in the context. It must be ended with End or Close.
func Start(ctx context.Context, name string, facts ...Fact) (context.Context, Span) {
	above := otel.SpanFromContext(ctx)
	if !above.IsRecording() {
		return ctx, Span{}
	}
	ctx, span := above.TracerProvider().Tracer(scope).Start(ctx, name, otel.WithAttributes(valuesOf(facts)...))
	return ctx, Span{span}
}

// Part calls do within a span of that name.
func Part(ctx context.Context, name string, do func(context.Context) error) (err error) {
	ctx, span := Start(ctx, name)
	defer span.Close(&err)
	return do(ctx)
}

// Send begins a span for a request to another system. If cause is a traceparent, the span follows it and is linked to the
// one in the context. Without a cause and without a span in the context it returns the zero Span.
func (t *Tracer) Send(ctx context.Context, name, cause string, facts ...Fact) (context.Context, Span) {
	under := otel.SpanContextFromContext(ctx)
	if t == nil || cause == "" && !under.IsValid() {
		return ctx, Span{}
	}
	options := []otel.SpanStartOption{otel.WithAttributes(valuesOf(facts)...), otel.WithSpanKind(otel.SpanKindClient)}
	if cause != "" {
		ctx = withParent(ctx, cause)
		if under.IsValid() {
			options = append(options, otel.WithLinks(otel.Link{SpanContext: under}))
		}
	}
	ctx, span := t.provider.Tracer(scope).Start(ctx, name, options...)
	return ctx, Span{span}
}

// Recording reports whether the context has a span that is recorded.
func Recording(ctx context.Context) bool { return otel.SpanFromContext(ctx).IsRecording() }

// In returns a context with the span.
func (s Span) In(ctx context.Context) context.Context {
	if s.span == nil {
		return ctx
	}
	return otel.ContextWithSpan(ctx, s.span)
}

// SetFacts adds facts to the span.
func (s Span) SetFacts(facts ...Fact) {
	if s.span != nil {
		s.span.SetAttributes(valuesOf(facts)...)
	}
}

// Fail marks the span as failed. The reason is one word.
func (s Span) Fail(reason string) {
	if s.span != nil {
		s.span.SetStatus(codes.Error, "")
		s.SetFacts(Failure.Is(reason))
	}
}

// End ends the span. Of a problem it records the code; any other error is a failure, of which it records the kind. It never
// records the text of an error.
func (s Span) End(err error) {
	if s.span == nil {
		return
	}
	if p, ok := problem.As(err); ok {
		s.SetFacts(Problem.Is(p.Kind.Code))
	} else if err != nil {
		s.Fail(kindOf(err))
	}
	s.span.End()
}

// Close ends the span with *err. It must be deferred directly, not called by a deferred function, so that it can recover a
// panic, mark the span as failed and panic again.
func (s Span) Close(err *error) {
	if s.span == nil {
		return
	}
	if v := recover(); v != nil {
		s.Fail("panic")
		s.span.End() // not deferred: the library would record the value of the panic
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

// Parent returns the traceparent of the span in the context; empty without one.
func Parent(ctx context.Context) string {
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carrier)
	return carrier[parentHeader]
}

// withParent returns a context that continues a traceparent.
func withParent(ctx context.Context, parent string) context.Context {
	ctx = otel.ContextWithSpanContext(ctx, otel.SpanContext{}) // a malformed parent is none
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
