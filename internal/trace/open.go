package trace

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
)

// The variables of the environment that turn traces on. The library reads the other OTEL_… variables itself.
const (
	endpointVariable = "OTEL_EXPORTER_OTLP_ENDPOINT"
	tracesVariable   = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
)

// ErrSetting means that the environment asks for something that traces cannot do.
var ErrSetting = errors.New("traces")

// closeTimeout bounds how long Close takes to send the last spans.
const closeTimeout = 3 * time.Second

// Options of a Tracer.
type Options struct {
	Environment func(string) string // such as os.Getenv
	Version     string              // of the program
	Instance    string              // random; tells processes apart
	Log         *slog.Logger        // gets a record when spans cannot be sent, and when they can again
}

// Open returns a Tracer for the collector that the environment names, nil if it names none. It does not connect yet.
func Open(ctx context.Context, o Options) (*Tracer, error) {
	address, err := collector(o.Environment)
	if err != nil || address == "" {
		return nil, err
	}
	to, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(address))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSetting, err)
	}
	// No attributes of the host or the command line, which may contain passwords.
	about, err := resource.New(ctx,
		resource.WithTelemetrySDK(),
		resource.WithAttributes(
			attribute.String("service.name", "bonafide"), attribute.String("service.version", o.Version), attribute.String("service.instance.id", o.Instance),
		),
		resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("%w: OTEL_RESOURCE_ATTRIBUTES: %w", ErrSetting, err)
	}
	out := &outlet{to: to, log: o.Log}
	return &Tracer{provider: sdk.NewTracerProvider(sdk.WithResource(about), sdk.WithBatcher(out)), out: out}, nil
}

// Close sends the remaining spans, within closeTimeout. A failure is logged.
func (t *Tracer) Close() {
	if t == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	if err := t.provider.Shutdown(ctx); err != nil {
		t.out.failed(ctx, err)
	}
}

// collector returns the address that spans are sent to, empty if the environment asks for none. An exporter or protocol that
// is not supported is ErrSetting.
func collector(environment func(string) string) (string, error) {
	get := func(name string) string { return strings.ToLower(strings.TrimSpace(environment(name))) }
	exporter := get("OTEL_TRACES_EXPORTER")
	if exporter == "none" || get("OTEL_SDK_DISABLED") == "true" {
		return "", nil
	}
	address, err := addressIn(environment)
	if err != nil || address == "" {
		return "", err
	}
	if exporter != "" && exporter != "otlp" {
		return "", fmt.Errorf("%w: OTEL_TRACES_EXPORTER: otlp and none are known", ErrSetting)
	}
	for _, variable := range []string{"OTEL_EXPORTER_OTLP_PROTOCOL", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"} {
		if p := get(variable); p != "" && p != "http/protobuf" {
			return "", fmt.Errorf("%w: %s: only http/protobuf is spoken (port 4318 of most collectors)", ErrSetting, variable)
		}
	}
	return address, sampler(get)
}

// addressIn returns the endpoint of traces as it is given, or the general endpoint with the path that OpenTelemetry adds.
func addressIn(environment func(string) string) (string, error) {
	name, path := tracesVariable, ""
	if environment(name) == "" {
		name, path = endpointVariable, "v1/traces"
	}
	said := strings.TrimSpace(environment(name))
	if said == "" {
		return "", nil
	}
	u, err := url.Parse(said)
	switch {
	case err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https"):
		return "", fmt.Errorf("%w: %s is no address like http://collector:4318", ErrSetting, name)
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return "", fmt.Errorf("%w: %s takes scheme, host, port and path only; a token goes into OTEL_EXPORTER_OTLP_HEADERS", ErrSetting, name)
	case path != "":
		u = u.JoinPath(path)
	}
	return u.String(), nil
}

// samplers are the names that the library accepts.
var samplers = []string{
	"", "always_on", "always_off", "traceidratio", "parentbased_always_on", "parentbased_always_off", "parentbased_traceidratio",
}

// sampler returns ErrSetting for a sampler that the library would silently replace by one that records everything.
func sampler(get func(string) string) error {
	if !slices.Contains(samplers, get("OTEL_TRACES_SAMPLER")) {
		return fmt.Errorf("%w: OTEL_TRACES_SAMPLER is none of %s", ErrSetting, strings.Join(samplers[1:], ", "))
	}
	if share := get("OTEL_TRACES_SAMPLER_ARG"); share != "" && strings.HasSuffix(get("OTEL_TRACES_SAMPLER"), "traceidratio") {
		if f, err := strconv.ParseFloat(share, 64); err != nil || !(f >= 0 && f <= 1) {
			return fmt.Errorf("%w: OTEL_TRACES_SAMPLER_ARG is a share from 0 to 1", ErrSetting)
		}
	}
	return nil
}

// Probe sends an empty message to the collector that the environment names. It returns whether it names one, and an error if
// that cannot be reached or refuses the message.
func Probe(ctx context.Context, environment func(string) string) (configured bool, err error) {
	address, err := collector(environment)
	if err != nil || address == "" {
		return false, err
	}
	c := otlptracehttp.NewClient(otlptracehttp.WithEndpointURL(address), otlptracehttp.WithRetry(otlptracehttp.RetryConfig{Enabled: false}))
	if err := c.Start(ctx); err != nil {
		return true, err
	}
	return true, errors.Join(c.UploadTraces(ctx, nil), c.Stop(ctx))
}

// outlet exports spans. It logs once when that begins to fail and once when it works again. Spans that cannot be sent are
// dropped; the number of those that wait is bounded, and callers never wait.
type outlet struct {
	to     *otlptrace.Exporter
	log    *slog.Logger
	broken atomic.Bool
}

// ExportSpans implements sdk.SpanExporter.
func (o *outlet) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	err := o.to.ExportSpans(ctx, spans)
	switch {
	case err != nil:
		o.failed(ctx, err)
	case o.broken.CompareAndSwap(true, false):
		o.log.InfoContext(ctx, "traces arrive again")
	}
	return nil // the library would log each failure
}

// Shutdown implements sdk.SpanExporter.
func (o *outlet) Shutdown(ctx context.Context) error { return o.to.Shutdown(ctx) }

func (o *outlet) failed(ctx context.Context, err error) {
	if o.broken.CompareAndSwap(false, true) {
		o.log.WarnContext(ctx, "traces do not arrive and are dropped; bonafide doctor tries the collector", "error", truncate(err.Error()))
	}
}

// maxCause is how many bytes of the cause of a failure are logged.
const maxCause = 300

func truncate(s string) string { return s[:min(len(s), maxCause)] }
