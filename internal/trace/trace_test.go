package trace_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/trace"
)

// open makes a Tracer as an environment says, and its log.
func open(t *testing.T, env map[string]string) (*trace.Tracer, *bytes.Buffer) {
	t.Helper()
	var said bytes.Buffer
	tr, err := trace.Open(t.Context(), trace.Options{
		Environment: func(name string) string { return env[name] }, Version: "v", Instance: "here", Log: slog.New(slog.NewTextHandler(&said, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tr.Close)
	return tr, &said
}

func TestWithoutATracerNothingIsTraced(t *testing.T) {
	var none *trace.Tracer
	ctx, root := none.Begin(t.Context(), trace.Origin{Name: "root", Parent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"})
	ctx, part := trace.Start(ctx, "part", trace.Job.Is("check"))
	ctx, sent := none.Send(ctx, "sent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
	for _, s := range []trace.Span{root, part, sent} {
		s.SetFacts(trace.Status.Is(200))
		s.Fail("x")
		s.End(errors.New("x"))
	}
	if ctx != t.Context() || trace.Recording(ctx) || trace.Parent(ctx) != "" {
		t.Error("something is under way")
	}
	none.Close()
}

func BenchmarkOff(b *testing.B) {
	ctx := b.Context()
	for b.Loop() {
		_, s := trace.Start(ctx, "part", trace.Job.Is("check"))
		s.End(nil)
	}
}

func TestAPartTellsWhatKindOfEndItCameToAndNeverItsWords(t *testing.T) {
	c := idvtest.NewCollector(t)
	tr, _ := open(t, map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": c.URL})
	ctx, root := tr.Begin(t.Context(), trace.Origin{Name: "root", At: time.Now().Add(-time.Minute)})
	for name, err := range map[string]error{
		"well": nil, "bug": errors.New("Anna Eriksson has no row"), "late": fmt.Errorf("Anna: %w", context.DeadlineExceeded),
		"stopped": context.Canceled, "answer": fmt.Errorf("Anna: %w", problem.New(problem.CaptureBlurred)),
	} {
		if got := trace.Part(ctx, name, func(context.Context) error { return err }); !errors.Is(got, err) {
			t.Errorf("%s: %v", name, got)
		}
	}
	root.End(nil)
	tr.Close()
	want := map[string]string{"root": "", "well": "", "bug": "internal", "late": "timeout", "stopped": "cancelled", "answer": problem.CaptureBlurred.Code}
	for _, s := range c.Spans() {
		kind := s.Facts[trace.Failure.Name] + s.Facts[trace.Problem.Name]
		if w, ok := want[s.Name]; !ok || kind != w || s.Failed != (w != "" && s.Name != "answer") || len(s.Words) > 0 {
			t.Errorf("%s: %q, failed %v, says %q; want %q", s.Name, kind, s.Failed, s.Words, w)
		}
		if s.Name == "root" && s.End.Sub(s.Start) < time.Minute {
			t.Error("it did not begin when it was said to have")
		}
		delete(want, s.Name)
	}
	if len(want) > 0 || bytes.Contains(c.Raw(), []byte("Anna")) {
		t.Errorf("missing %v, or words of an error were sent", want)
	}
}

func blowUp(context.Context) error { panic("Anna Eriksson") }

func TestAPartThatPanicsFailedAndThePanicGoesOn(t *testing.T) {
	c := idvtest.NewCollector(t)
	tr, _ := open(t, map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": c.URL})
	func() {
		defer func() {
			if v := recover(); v != "Anna Eriksson" || !strings.Contains(string(debug.Stack()), "blowUp") {
				t.Errorf("got %v from\n%s", v, debug.Stack())
			}
		}()
		var err error
		ctx, root := tr.Begin(t.Context(), trace.Origin{Name: "root"})
		defer root.Close(&err)
		_ = trace.Part(ctx, "part", blowUp)
		t.Error("it went on")
	}()
	func() { // what is not traced
		defer func() {
			if recover() == nil {
				t.Error("the panic is gone")
			}
		}()
		_ = trace.Part(t.Context(), "part", blowUp)
	}()
	tr.Close()
	got := c.Spans()
	if len(got) != 2 || bytes.Contains(c.Raw(), []byte("Anna")) {
		t.Errorf("%d of 2 spans, or what was panicked with was sent: %+v", len(got), got)
	}
	for _, s := range got {
		if !s.Failed || s.Facts[trace.Failure.Name] != "panic" || len(s.Words) > 0 {
			t.Errorf("%s: failed %v, %v, says %q", s.Name, s.Failed, s.Facts, s.Words)
		}
	}
}

func TestAValueThatIsNoWordIsNotTold(t *testing.T) {
	c := idvtest.NewCollector(t)
	tr, _ := open(t, map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": c.URL + "/v1/traces"})
	bad := []string{"Anna Eriksson", "anna@example.test", "P<UTOERIKSSON", "a,b", "'x'", "ä", "a\n", strings.Repeat("x", 200), ""}
	for _, v := range append(bad, "check", "/v1/sessions/{id}", "whk_06h0", "document.mrz") {
		_, s := tr.Begin(t.Context(), trace.Origin{Name: "root"}, trace.Job.Is(v))
		s.SetFacts(trace.Route.Is(v))
		s.End(nil)
	}
	tr.Close()
	told := 0
	for _, s := range c.Spans() {
		for _, v := range s.Facts {
			told++
			if slices.Contains(bad, v) {
				t.Errorf("told %q", v)
			}
		}
	}
	if told != 8 {
		t.Errorf("%d of 8 words were told", told)
	}
}

func TestAParentIsFollowedAndNonsenseIsNone(t *testing.T) {
	c := idvtest.NewCollector(t)
	tr, _ := open(t, map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": c.URL})
	const theirs = "4bf92f3577b34da6a3ce929d0e0e4736"
	for parent, follows := range map[string]bool{
		"00-" + theirs + "-00f067aa0ba902b7-01": true, "": false, "x": false, "00-" + theirs + "-0000000000000000-01": false, "00-" + theirs: false,
		"00-" + strings.ToUpper(theirs) + "-00f067aa0ba902b7-01": false, "ff-" + theirs + "-00f067aa0ba902b7-01": false,
	} {
		around, outer := tr.Begin(t.Context(), trace.Origin{Name: "around"}) // what is under way does not count
		ctx, s := tr.Begin(around, trace.Origin{Name: "root", Parent: parent})
		if got := trace.Parent(ctx); strings.Contains(got, theirs) != follows || !regexp.MustCompile(`^00-[0-9a-f]{32}-[0-9a-f]{16}-01$`).MatchString(got) {
			t.Errorf("below %q: %s", parent, got)
		}
		if trace.Parent(ctx)[:35] == trace.Parent(around)[:35] {
			t.Errorf("below %q: it is in the trace around it", parent)
		}
		s.End(nil)
		outer.End(nil)
	}
	ctx, s := tr.Begin(t.Context(), trace.Origin{Name: "root", Parent: "00-" + theirs + "-00f067aa0ba902b7-00"})
	if trace.Recording(ctx) || !strings.HasSuffix(trace.Parent(ctx), "-00") {
		t.Errorf("what is not kept is passed on as %s", trace.Parent(ctx))
	}
	s.End(nil)
}

func TestTheLogNamesTheTrace(t *testing.T) {
	c := idvtest.NewCollector(t)
	tr, _ := open(t, map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": c.URL})
	var said bytes.Buffer
	log := slog.New(trace.Logs(slog.NewTextHandler(&said, nil))).With("node", 1)
	log.InfoContext(t.Context(), "outside")
	ctx, s := tr.Begin(t.Context(), trace.Origin{Name: "root"})
	log.InfoContext(ctx, "inside")
	log.InfoContext(s.In(t.Context()), "told")
	s.End(nil)
	unkept, s := tr.Begin(t.Context(), trace.Origin{Name: "root", Parent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00"})
	log.InfoContext(unkept, "in what nobody keeps")
	s.End(nil)
	lines := strings.Split(strings.TrimSpace(said.String()), "\n")
	id := strings.Split(trace.Parent(ctx), "-")
	want := "trace_id=" + id[1] + " span_id=" + id[2]
	if len(lines) != 4 || strings.Contains(lines[0]+lines[3], "trace_id") || !strings.Contains(lines[1], want) || !strings.Contains(lines[2], want) {
		t.Errorf("want %s in the second and third only:\n%s", want, said.String())
	}
}

func TestWhatTheEnvironmentAsksFor(t *testing.T) {
	const general, traces = "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
	tests := map[string]struct {
		env map[string]string
		on  bool
		err string
	}{
		"nothing":                         {nil, false, ""},
		"a collector":                     {map[string]string{general: "http://127.0.0.1:1"}, true, ""},
		"a collector of traces alone":     {map[string]string{traces: "https://127.0.0.1:1/in"}, true, ""},
		"a sampler without a collector":   {map[string]string{"OTEL_TRACES_SAMPLER": "always_on"}, false, ""},
		"a collector, but no traces":      {map[string]string{general: "http://127.0.0.1:1", "OTEL_TRACES_EXPORTER": "none"}, false, ""},
		"a collector, but nothing at all": {map[string]string{general: "http://127.0.0.1:1", "OTEL_SDK_DISABLED": "TRUE"}, false, ""},
		"another exporter":                {map[string]string{general: "http://127.0.0.1:1", "OTEL_TRACES_EXPORTER": "zipkin"}, false, "OTEL_TRACES_EXPORTER"},
		"an address without a scheme":     {map[string]string{general: "collector:4318"}, false, general},
		"an address with a password":      {map[string]string{traces: "https://a:s3cret@collector"}, false, traces},
		"gRPC": {
			map[string]string{general: "http://127.0.0.1:1", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, false, "OTEL_EXPORTER_OTLP_PROTOCOL",
		},
		"gRPC for traces":             {map[string]string{general: "http://127.0.0.1:1", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL": "grpc"}, false, "TRACES_PROTOCOL"},
		"a sampler that there is not": {map[string]string{general: "http://127.0.0.1:1", "OTEL_TRACES_SAMPLER": "most"}, false, "OTEL_TRACES_SAMPLER"},
		"a share": {
			map[string]string{general: "http://127.0.0.1:1", "OTEL_TRACES_SAMPLER": "parentbased_traceidratio", "OTEL_TRACES_SAMPLER_ARG": "0.1"}, true, "",
		},
		"a share of more than all": {
			map[string]string{general: "http://127.0.0.1:1", "OTEL_TRACES_SAMPLER": "traceidratio", "OTEL_TRACES_SAMPLER_ARG": "10"}, false, "SAMPLER_ARG",
		},
		"a share that is no number": {
			map[string]string{general: "http://127.0.0.1:1", "OTEL_TRACES_SAMPLER": "traceidratio", "OTEL_TRACES_SAMPLER_ARG": "NaN"}, false, "SAMPLER_ARG",
		},
		"an argument that nobody reads": {
			map[string]string{general: "http://127.0.0.1:1", "OTEL_TRACES_SAMPLER": "always_on", "OTEL_TRACES_SAMPLER_ARG": "x"}, true, "",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			tr, err := trace.Open(t.Context(), trace.Options{Environment: func(name string) string { return tt.env[name] }, Log: slog.New(slog.DiscardHandler)})
			if (tr != nil) != tt.on || (err != nil) != (tt.err != "") {
				t.Fatalf("on %v, %v; want on %v, %q", tr != nil, err, tt.on, tt.err)
			}
			tr.Close()
			if err != nil && (!errors.Is(err, trace.ErrSetting) || !strings.Contains(err.Error(), tt.err) || strings.Contains(err.Error(), "s3cret")) {
				t.Errorf("got %v, want one that names %s", err, tt.err)
			}
		})
	}
}

func TestThatTracesDoNotArriveIsSaidOnceAndThatTheyDoAgain(t *testing.T) {
	var asked atomic.Int32
	refused := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		n := asked.Add(1)
		if n <= 5 {
			http.Error(w, strings.Repeat("no ", 1000), http.StatusForbidden)
		}
		if n == 5 {
			close(refused)
		}
	}))
	defer server.Close()
	t.Setenv("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "1") // each span is sent at once
	tr, said := open(t, map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": server.URL})
	send := func(n int) {
		for range n {
			_, s := tr.Begin(t.Context(), trace.Origin{Name: "root"})
			s.End(nil)
		}
	}
	send(5)
	<-refused
	send(5)
	tr.Close()
	n, again := strings.Count(said.String(), "traces do not arrive"), strings.Count(said.String(), "traces arrive again")
	if n != 1 || again != 1 || said.Len() > 1500 {
		t.Errorf("said %d and %d times:\n%s", n, again, said)
	}
}

func TestThePageOfTracesTellsTheTable(t *testing.T) {
	page, err := os.ReadFile("../../docs/operate/traces.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range trace.Keys() {
		if row := "| `" + k.Name + "` | " + k.What + " |"; !strings.Contains(string(page), row) {
			t.Errorf("the page lacks %s", row)
		}
	}
	known := map[string]bool{}
	for _, k := range trace.Keys() {
		known[k.Name] = true
	}
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z_.]+)` \\|").FindAllStringSubmatch(string(page), -1) {
		if !known[row[1]] {
			t.Errorf("the page tells of %s, which no span tells", row[1])
		}
	}
}
