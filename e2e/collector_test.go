package e2e

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/e2e/served"
	"github.com/bonafide-id/bonafide/internal/idvtest"
)

// TestACollectorThatDoesNotAnswerCostsNobodyAnything: whole verifications as fast as ever, and an end in order.
func TestACollectorThatDoesNotAnswerCostsNobodyAnything(t *testing.T) {
	hanging := make(chan struct{})
	reached := make(chan struct{}, 1000)
	silent := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		reached <- struct{}{}
		<-hanging
	}))
	t.Cleanup(func() { close(hanging); silent.Close() })
	for name, endpoint := range map[string]string{
		"it takes the call and never answers": silent.URL,
		"nobody is there":                     fmt.Sprintf("http://127.0.0.1:%d", served.FreePort(t)),
	} {
		t.Run(name, func(t *testing.T) {
			s := served.NewPlace(t).WithEnvironment(
				"OTEL_EXPORTER_OTLP_ENDPOINT="+endpoint, "OTEL_BSP_SCHEDULE_DELAY=20",
				"OTEL_BSP_MAX_QUEUE_SIZE=16", // full at once: what comes after is dropped
				"OTEL_BSP_MAX_EXPORT_BATCH_SIZE=8",
			).Serve(t)
			api := client{url: s.URL, bearer: s.Key}
			var took []time.Duration
			for range 40 {
				begun := time.Now()
				api.createSession(t)
				took = append(took, time.Since(begun))
			}
			if slowest := slices.MaxFunc(took, cmp.Compare[time.Duration]); slowest > 3*time.Second {
				t.Errorf("a session took %s to make", slowest)
			}
			if endpoint == silent.URL {
				<-reached // it was tried
			}
			begun := time.Now()
			s.Stop(syscall.SIGTERM)
			if took := time.Since(begun); took > 9*time.Second {
				t.Errorf("it took %s to end", took)
			}
			if n := strings.Count(s.Printed(), "traces do not arrive"); n != 1 {
				t.Errorf("the log says %d times that traces do not arrive:\n%s", n, s.Printed())
			}
			if !strings.Contains(s.Printed(), "msg=stopped") {
				t.Errorf("it did not end in order:\n%s", s.Printed())
			}
		})
	}
}

func TestTheDoctorSaysWhetherTracesArrive(t *testing.T) {
	t.Parallel()
	collector := idvtest.NewCollector(t)
	refuses := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(refuses.Close)
	for name, c := range map[string]struct {
		environment []string
		health      string
		says        string
	}{
		"not asked for":                 {nil, "ok", "off"},
		"a collector that takes them":   {[]string{"OTEL_EXPORTER_OTLP_ENDPOINT=" + collector.URL}, "ok", "takes them"},
		"nobody there":                  {[]string{fmt.Sprintf("OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:%d", served.FreePort(t))}, "warning", "refused"},
		"something else that is there":  {[]string{"OTEL_EXPORTER_OTLP_ENDPOINT=" + refuses.URL}, "warning", "404"},
		"a protocol that is not spoken": {[]string{"OTEL_EXPORTER_OTLP_ENDPOINT=" + collector.URL, "OTEL_EXPORTER_OTLP_PROTOCOL=grpc"}, "wrong", "http/protobuf"},
		"a sampler that there is not":   {[]string{"OTEL_EXPORTER_OTLP_ENDPOINT=" + collector.URL, "OTEL_TRACES_SAMPLER=some"}, "wrong", "OTEL_TRACES_SAMPLER"},
	} {
		t.Run(name, func(t *testing.T) {
			out, _ := runIn(t, c.environment, "doctor", "--dev", "--json", "--data-dir", t.TempDir())
			var all []struct{ What, Health, Found string }
			must(t, json.Unmarshal([]byte(out), &all))
			i := slices.IndexFunc(all, func(s struct{ What, Health, Found string }) bool { return s.What == "traces" })
			if i < 0 || all[i].Health != c.health || !strings.Contains(all[i].Found, c.says) {
				t.Errorf("want %s and %q: %s", c.health, c.says, out)
			}
		})
	}
}
