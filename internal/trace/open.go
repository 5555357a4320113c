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

// Variables of the environment that turn traces on or would be misread; the rest of OTEL_… is read by the library.
const (
	endpointVariable = "OTEL_EXPORTER_OTLP_ENDPOINT"
	tracesVariable   = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
)

// ErrSetting is what is wrong with the settings of traces.
var ErrSetting = errors.New("traces")

// endTime bounds how long the last spans may take to be sent: whoever stops a server does not wait for a collector.
const endTime = 3 * time.Second

// Options of a Tracer.
type Options struct {
	Environment func(string) string // os.Getenv
	Version     string              // of the program
	Instance    string              // tells processes apart; random
	Log         *slog.Logger        // is told when spans cannot be sent, and when they can again
}

// Open makes a Tracer as the environment says: none where it names no collector. The collector is not asked yet.
func Open(ctx context.Context, o Options) (*Tracer, error) {
	address, err := collector(o.Environment)
	if err != nil || address == "" {
		return nil, err
	}
	to, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(address))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSetting, err)
	}
	// Nothing of the machine or of the command line: the latter may hold passwords.
	about, err := resource.New(ctx,
		resource.WithTelemetrySDK(),
		resource.WithAttributes(attribute.String("service.name", "bonafide"), attribute.String("service.version", o.Version), attribute.String("service.instance.id", o.Instance)),
		resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("%w: OTEL_RESOURCE_ATTRIBUTES: %w", ErrSetting, err)
	}
	out := &outlet{to: to, log: o.Log}
	return &Tracer{provider: sdk.NewTracerProvider(sdk.WithResource(about), sdk.WithBatcher(out)), out: out}, nil
}

// Close sends what is left, within endTime. That it could not be sent is told to the log.
func (t *Tracer) Close() {
	if t == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), endTime)
	defer cancel()
	if err := t.provider.Shutdown(ctx); err != nil {
		t.out.failed(ctx, err)
	}
}

// collector is the address that spans are sent to; empty where the environment asks for none. What it asks for and is not
// there is ErrSetting.
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

// addressIn reads the address: that of traces as it is, else that of everything, to which OpenTelemetry adds a path.
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

// samplers are those that the library knows.
var samplers = []string{
	"", "always_on", "always_off", "traceidratio", "parentbased_always_on", "parentbased_always_off", "parentbased_traceidratio",
}

// sampler refuses what the library would pass over in silence, and then keep everything.
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

// Reach sends an empty message to the collector that the environment names. asked: it names one. An error says that it cannot
// be reached or refuses, or is ErrSetting.
func Reach(ctx context.Context, environment func(string) string) (asked bool, err error) {
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

// outlet sends spans, and tells the log once when that begins to fail and once when it works again. Spans that cannot be
// sent are dropped; those that wait are bounded in number, and nobody waits for them.
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
	return nil // the library would tell a log of its own, each time
}

// Shutdown implements sdk.SpanExporter.
func (o *outlet) Shutdown(ctx context.Context) error { return o.to.Shutdown(ctx) }

func (o *outlet) failed(ctx context.Context, err error) {
	if o.broken.CompareAndSwap(false, true) {
		o.log.WarnContext(ctx, "traces do not arrive and are dropped; bonafide doctor tries the collector", "error", cut(err.Error()))
	}
}

// mostWords of what a collector answered are enough for the log, in bytes.
const mostWords = 300

func cut(s string) string { return s[:min(len(s), mostWords)] }
