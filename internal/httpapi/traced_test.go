package httpapi_test

import (
	"log/slog"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/httpapi"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/trace"
)

// TestARefusedCallHasNoSpan: a trace that is asked for costs the key that asks its rate; who has no key makes none. That the
// server cannot look is no refusal.
func TestARefusedCallHasNoSpan(t *testing.T) {
	t.Parallel()
	c := idvtest.NewCollector(t)
	env := map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": c.URL}
	tr, err := trace.Open(t.Context(), trace.Options{Environment: func(name string) string { return env[name] }, Log: slog.New(slog.DiscardHandler)})
	must(t, err)
	t.Cleanup(tr.Close)
	w := newWorld(t, func(o *httpapi.Options) {
		o.Tracer, o.Now = tr, stopped(noon)
		o.Rates = edge.Rates{Key: edge.Rate{Calls: 2, Window: time.Hour}}
	})
	codes := map[int]int{}
	call := func(times int, bearer string) {
		t.Helper()
		for range times {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.url+"/v1/workflows", nil)
			must(t, err)
			r.Header.Set("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
			r.Header.Set("Authorization", "Bearer "+bearer)
			got, err := http.DefaultClient.Do(r)
			must(t, err)
			must(t, got.Body.Close())
			codes[got.StatusCode]++
		}
	}
	call(5, w.key)
	call(4, "bf_test_no_such_key")
	must(t, w.store.Close())
	call(1, w.live)
	tr.Close()
	if diff := cmp.Diff(map[int]int{200: 2, 429: 3, 401: 4, 500: 1}, codes); diff != "" {
		t.Fatalf("answers (-want +got):\n%s", diff)
	}
	told := map[string]int{}
	for _, s := range c.Spans() {
		told[s.Parent+" "+s.Facts[trace.Status.Name]]++
	}
	if diff := cmp.Diff(map[string]int{"00f067aa0ba902b7 200": 2, " 500": 1}, told); diff != "" {
		t.Errorf("spans by parent and status (-want +got):\n%s", diff)
	}
}
