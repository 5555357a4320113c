package edge

import (
	"bytes"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/trace"
)

// tracedCalls is a server that sends its traces to a collector, and its log.
func tracedCalls(t *testing.T, o Options) (*Edge, *trace.Tracer, *idvtest.Collector, *bytes.Buffer) {
	t.Helper()
	c := idvtest.NewCollector(t)
	env := map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": c.URL}
	var err error
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Tracer, err = trace.Open(t.Context(), trace.Options{Environment: func(name string) string { return env[name] }, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(o.Tracer.Close)
	var said bytes.Buffer
	o.Log = slog.New(trace.Logs(slog.NewTextHandler(&said, nil)))
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	return s, o.Tracer, c, &said
}

// TestAnAnswerThatBreaksOffIsLoggedAndTraced: net/http catches what ends a connection, outside of everything that is ours.
func TestAnAnswerThatBreaksOffIsLoggedAndTraced(t *testing.T) {
	for name, end := range map[string]any{"by a panic": "Anna Eriksson", "on purpose": http.ErrAbortHandler} {
		t.Run(name, func(t *testing.T) {
			s, tr, c, said := tracedCalls(t, Options{})
			h := s.Outer(s.guard(Route{Method: http.MethodGet, Path: "/v1/half", Who: Anyone}, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				_, _ = w.Write([]byte("half of it"))
				panic(end)
			})))
			func() {
				defer func() {
					if err, _ := recover().(error); !errors.Is(err, http.ErrAbortHandler) {
						t.Errorf("the connection is not ended: %v", err)
					}
				}()
				h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/v1/half", nil))
			}()
			tr.Close()
			got := c.Spans()
			if len(got) != 1 || !got[0].Failed || got[0].Facts[trace.Failure.Name] != "aborted" || got[0].Facts[trace.Status.Name] != "200" || len(got[0].Words) > 0 {
				t.Errorf("spans %+v", got)
			}
			if !strings.Contains(said.String(), "route=/v1/half status=200 bytes=10") || !strings.Contains(said.String(), "aborted=true") ||
				strings.Contains(said.String(), "Anna") {
				t.Errorf("the log says\n%s", said)
			}
		})
	}
}

func TestAnAnswerThatIsWholeIsNotSaidToBreakOff(t *testing.T) {
	s, tr, c, said := tracedCalls(t, Options{})
	h := s.Outer(s.guard(Route{Method: http.MethodGet, Path: "/v1/x", Who: Anyone}, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.RawQuery != "" {
			panic("before anything was answered")
		}
	})))
	for _, path := range []string{"/v1/x", "/v1/x?panic"} {
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
	}
	tr.Close()
	got := c.Spans()
	if len(got) != 2 || got[0].Failed || !got[1].Failed || got[1].Facts[trace.Status.Name] != "500" {
		t.Errorf("spans %+v", got)
	}
	if strings.Contains(said.String(), "aborted") || strings.Count(said.String(), "msg=request") != 2 {
		t.Errorf("the log says\n%s", said)
	}
}

func TestWhatIsOverItsRateHasNoSpan(t *testing.T) {
	s, tr, c, _ := tracedCalls(t, Options{
		Rates: Rates{Address: Rate{Calls: 2, Window: time.Hour}}, Now: func() time.Time { return time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC) },
	})
	h := s.Outer(s.guard(Route{Method: http.MethodGet, Path: "/v1/x", Who: Anyone}, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})))
	codes := map[int]int{}
	for range 5 {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/v1/x", nil))
		codes[w.Code]++
	}
	tr.Close()
	if got := c.Spans(); len(got) != 2 || codes[http.StatusTooManyRequests] != 3 {
		t.Errorf("%d spans of %v", len(got), codes)
	}
}
