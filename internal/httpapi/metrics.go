package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"go.opentelemetry.io/otel/attribute"
	exporter "go.opentelemetry.io/otel/exporters/prometheus"
	"go.opentelemetry.io/otel/metric"
	sdk "go.opentelemetry.io/otel/sdk/metric"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Metrics counts what the server and its jobs do, for the admin listener. No label can hold personal data:
// routes are patterns, everything else is a word of the vocabulary.
type Metrics struct {
	registry *prometheus.Registry
	requests metric.Float64Histogram
	checks   metric.Float64Histogram
	jobs     metric.Float64Histogram
	meter    metric.Meter
}

// NewMetrics makes the metrics of a process. Each server or worker has one.
func NewMetrics() (*Metrics, error) {
	reg := prometheus.NewRegistry()
	reg.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	exp, err := exporter.New(exporter.WithRegisterer(reg), exporter.WithoutScopeInfo())
	if err != nil {
		return nil, fmt.Errorf("make metrics: %w", err)
	}
	m := &Metrics{registry: reg, meter: sdk.NewMeterProvider(sdk.WithReader(exp)).Meter("bonafide")}
	for _, h := range []struct {
		into       *metric.Float64Histogram
		name, what string
		bounds     []float64
	}{
		{&m.requests, "bonafide_http_request", "Time to answer a request", []float64{.005, .02, .05, .1, .3, 1, 3, 10}},
		{&m.checks, "bonafide_check", "Time to settle a check", []float64{.001, .01, .1, .3, 1, 3, 10, 60}},
		{&m.jobs, "bonafide_job", "Time to work a job", []float64{.01, .1, .3, 1, 3, 10, 60}},
	} {
		*h.into, err = m.meter.Float64Histogram(h.name, metric.WithDescription(h.what), metric.WithUnit("s"), metric.WithExplicitBucketBoundaries(h.bounds...))
		if err != nil {
			return nil, fmt.Errorf("make metrics: %w", err)
		}
	}
	return m, nil
}

// Handler answers /metrics.
func (m *Metrics) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{}))
	return mux
}

func (m *Metrics) request(ctx context.Context, route, verb string, status int, took time.Duration) {
	m.requests.Record(ctx, took.Seconds(), metric.WithAttributes(
		attribute.String("route", route), attribute.String("method", method(verb)), attribute.Int("status", status)))
}

// Check counts a check that was asked: its outcome, or "error" where it could not be asked.
func (m *Metrics) Check(ctx context.Context, kind idv.CheckKind, outcome string, took time.Duration) {
	m.checks.Record(ctx, took.Seconds(), metric.WithAttributes(attribute.String("check", string(kind)), attribute.String("outcome", outcome)))
}

// Job counts a job that was worked: "done" or "failed".
func (m *Metrics) Job(ctx context.Context, kind, result string, took time.Duration) {
	m.jobs.Record(ctx, took.Seconds(), metric.WithAttributes(attribute.String("job", kind), attribute.String("result", result)))
}

// Sessions counts the sessions by mode and state whenever somebody looks. Decisions show as the final states.
func (m *Metrics) Sessions(count func(context.Context, idv.Mode) (map[idv.SessionState]int, error)) error {
	_, err := m.meter.Int64ObservableGauge("bonafide_sessions", metric.WithDescription("Sessions by mode and state"),
		metric.WithInt64Callback(func(ctx context.Context, o metric.Int64Observer) error {
			for _, mode := range []idv.Mode{idv.Live, idv.Test} {
				counts, err := count(ctx, mode)
				if err != nil {
					return err
				}
				for _, state := range idv.SessionStates() {
					o.Observe(int64(counts[state]), metric.WithAttributes(attribute.String("mode", string(mode)), attribute.String("state", string(state))))
				}
			}
			return nil
		}))
	if err != nil {
		return fmt.Errorf("make metrics: %w", err)
	}
	return nil
}
