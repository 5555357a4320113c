package idvtest

import (
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	spans "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// Collector takes traces by OTLP over HTTP and keeps what it got.
type Collector struct {
	URL string

	mu    sync.Mutex
	raw   []byte
	spans []Span
	bad   []error
}

// Span is one that a Collector got.
type Span struct {
	Trace, ID, Parent string // hexadecimal; no parent is empty
	Name, Instance    string // Instance tells processes apart
	Facts             map[string]string
	Links             []string // traces that it is linked to
	Failed            bool
	Words             []string // free text: what a status says, names of events
	Start, End        time.Time
}

// NewCollector listens until the test ends.
func NewCollector(t testing.TB) *Collector {
	t.Helper()
	c := &Collector{}
	server := httptest.NewServer(http.HandlerFunc(c.receive))
	c.URL = server.URL
	t.Cleanup(func() {
		server.Close()
		for _, err := range c.bad {
			t.Error(err)
		}
	})
	return c
}

func (c *Collector) receive(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(r.Body)
	var sent collector.ExportTraceServiceRequest
	if err == nil {
		err = proto.Unmarshal(raw, &sent)
	}
	if r.Method != http.MethodPost || r.URL.Path != "/v1/traces" {
		err = fmt.Errorf("a collector was asked for %s %s", r.Method, r.URL.Path)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil {
		c.bad = append(c.bad, err)
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	c.raw = append(c.raw, raw...)
	for _, from := range sent.ResourceSpans {
		about := factsOf(from.GetResource().GetAttributes())
		for _, scope := range from.ScopeSpans {
			for _, s := range scope.Spans {
				c.spans = append(c.spans, spanOf(s, about["service.instance.id"]))
			}
		}
	}
}

func spanOf(s *spans.Span, instance string) Span {
	out := Span{
		Trace: hex.EncodeToString(s.TraceId), ID: hex.EncodeToString(s.SpanId), Parent: hex.EncodeToString(s.ParentSpanId),
		Name: s.Name, Instance: instance, Facts: factsOf(s.Attributes), Failed: s.GetStatus().GetCode() == spans.Status_STATUS_CODE_ERROR,
		Start: time.Unix(0, int64(s.StartTimeUnixNano)), End: time.Unix(0, int64(s.EndTimeUnixNano)), //nolint:gosec // times of now
	}
	for _, l := range s.Links {
		out.Links = append(out.Links, hex.EncodeToString(l.TraceId))
	}
	if words := s.GetStatus().GetMessage() + s.TraceState; words != "" {
		out.Words = append(out.Words, words)
	}
	for _, e := range s.Events {
		out.Words = append(out.Words, e.Name)
	}
	return out
}

func factsOf(list []*common.KeyValue) map[string]string {
	out := map[string]string{}
	for _, a := range list {
		switch v := a.GetValue().GetValue().(type) {
		case *common.AnyValue_StringValue:
			out[a.Key] = v.StringValue
		case *common.AnyValue_IntValue:
			out[a.Key] = strconv.FormatInt(v.IntValue, 10)
		default:
			out[a.Key] = fmt.Sprint(a.GetValue())
		}
	}
	return out
}

// Spans are those that came so far.
func (c *Collector) Spans() []Span {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.spans)
}

// Raw is everything that came so far, as it came.
func (c *Collector) Raw() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.raw)
}

// Await waits until what came is enough, and answers it.
func (c *Collector) Await(t testing.TB, within time.Duration, enough func([]Span) bool) []Span {
	t.Helper()
	for end := time.Now().Add(within); ; time.Sleep(20 * time.Millisecond) {
		got := c.Spans()
		if enough(got) {
			return got
		}
		if time.Now().After(end) {
			for _, s := range got {
				t.Logf("%s %s below %q: %s %v", s.Trace, s.ID, s.Parent, s.Name, s.Facts)
			}
			t.Fatalf("after %s the collector has %d spans and not what it should", within, len(got))
		}
	}
}
