package edge

import (
	"context"
	"fmt"
	"log/slog"
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
	mails    metric.Int64Counter
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
	if m.mails, err = m.meter.Int64Counter("bonafide_mails", metric.WithDescription("Attempts to send a mail, by what became of it")); err != nil {
		return nil, fmt.Errorf("make metrics: %w", err)
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

// Mail counts an attempt to send a mail: the state it is in afterwards, and what went wrong, if anything did.
func (m *Metrics) Mail(ctx context.Context, kind, state, fault string) {
	m.mails.Add(ctx, 1, metric.WithAttributes(attribute.String("kind", kind), attribute.String("state", state), attribute.String("fault", fault)))
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

// Vitals adds the state of the deployment to /metrics. Where the database does not answer, bonafide_database_up is 0 and the
// rest is left out.
func (m *Metrics) Vitals(from Vital) error {
	if from.Now == nil {
		from.Now = time.Now
	}
	if from.Log == nil {
		from.Log = slog.Default()
	}
	all, vitals := gauges(), &reading{Vital: from}
	var watched []metric.Observable
	watch := func(name, what string) (metric.Float64ObservableGauge, error) {
		g, err := m.meter.Float64ObservableGauge(name, metric.WithDescription(what))
		if err != nil {
			return nil, fmt.Errorf("make metrics: %w", err)
		}
		watched = append(watched, g)
		return g, nil
	}
	up, err := watch("bonafide_database_up", "Whether the database answers")
	if err != nil {
		return err
	}
	ready, err := watch("bonafide_models", "1 for the state that the models of this process are in")
	if err != nil {
		return err
	}
	free, err := watch("bonafide_free_bytes", "Free space where this machine keeps data")
	if err != nil {
		return err
	}
	made := make([]metric.Float64ObservableGauge, len(all))
	for i, g := range all {
		if made[i], err = watch(g.name, g.what); err != nil {
			return err
		}
	}
	_, err = m.meter.RegisterCallback(func(ctx context.Context, o metric.Observer) error {
		for _, state := range []string{"loading", "ready", "broken"} {
			o.ObserveFloat64(ready, truth(from.Models() == state), metric.WithAttributes(attribute.String("state", state)))
		}
		for what, bytes := range from.Free() {
			o.ObserveFloat64(free, float64(bytes), metric.WithAttributes(attribute.String("what", what)))
		}
		v, there := vitals.now(ctx)
		if o.ObserveFloat64(up, truth(there)); !there {
			return nil // the gauge says so, and the others are still told
		}
		for i, g := range all {
			g.read(func(value float64, labels ...attribute.KeyValue) {
				o.ObserveFloat64(made[i], value, metric.WithAttributes(labels...))
			}, v, from.Now())
		}
		return nil
	}, watched...)
	if err != nil {
		return fmt.Errorf("make metrics: %w", err)
	}
	return nil
}
