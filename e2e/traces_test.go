package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/e2e/served"
	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/trace"
)

// traced is a collector and the place of a server that sends its traces there. args are further flags of serve.
func traced(t *testing.T, args ...string) (*idvtest.Collector, served.Place) {
	t.Helper()
	c := idvtest.NewCollector(t)
	return c, served.NewPlace(t, args...).WithEnvironment("OTEL_EXPORTER_OTLP_ENDPOINT="+c.URL, "OTEL_BSP_SCHEDULE_DELAY=100")
}

// tree finds spans by what they are below.
type tree []idvtest.Span

func (s tree) named(name, trace string) []idvtest.Span {
	return slices.DeleteFunc(slices.Clone(s), func(one idvtest.Span) bool { return one.Name != name || trace != "" && one.Trace != trace })
}

// path is the names from the root to a span; "…" where one of them did not come.
func (s tree) path(of idvtest.Span) []string {
	out := []string{of.Name}
	for of.Parent != "" {
		i := slices.IndexFunc(s, func(one idvtest.Span) bool { return one.ID == of.Parent })
		if i < 0 {
			return append([]string{"…"}, out...)
		}
		of = s[i]
		out = append([]string{of.Name}, out...)
	}
	return out
}

// has reports whether a trace holds a span of these names from the root, others in between allowed.
func (s tree) has(trace string, names ...string) bool {
	for _, one := range s.named(names[len(names)-1], trace) {
		rest := names
		for _, name := range s.path(one) {
			if len(rest) > 0 && name == rest[0] {
				rest = rest[1:]
			}
		}
		if len(rest) == 0 {
			return true
		}
	}
	return false
}

const submit = "PUT /v1/applicant/steps/{step}"

// traceOf is the trace of the step that sent a kind of capture.
func traceOf(s tree, kind string) string {
	for _, one := range s.named("extract", "") {
		if one.Facts[trace.Capture.Name] == kind {
			return one.Trace
		}
	}
	return ""
}

// receivedHeaders are the headers of webhooks as they arrived.
func receivedHeaders(t *testing.T, api client) <-chan http.Header {
	t.Helper()
	arrived := make(chan http.Header, 50)
	target := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // what is missing is not the verdict
		r.Header.Set("X-Body", string(body))
		arrived <- r.Header
	}))
	t.Cleanup(target.Close)
	if a := api.post(t, "/v1/webhook-endpoints", map[string]string{"url": target.URL}); a.status != http.StatusCreated {
		t.Fatalf("endpoint: %d %s", a.status, a.body)
	}
	return arrived
}

func verdictOf(t *testing.T, arrived <-chan http.Header) http.Header {
	t.Helper()
	for end := time.After(time.Minute); ; {
		select {
		case h := <-arrived:
			if strings.Contains(h.Get("X-Body"), "session.approved") {
				return h
			}
		case <-end:
			t.Fatal("no webhook told the verdict")
		}
	}
}

// ways from a request to what comes of it.
var (
	everyWay = [][]string{
		{submit, "glance"}, {submit, "blob put"}, {submit, "transaction", "sql INSERT"},
		{submit, "transaction", "job extract", "blob get"},
		{submit, "job extract", "extract", "decode"},
		{submit, "job extract", "transaction", "job check"},
	}
	documentWays = [][]string{
		{submit, "extract", "read locate"}, {submit, "extract", "read mrz"}, {submit, "extract", "read barcode"},
		{submit, "extract", "read printed"}, {submit, "extract", "read quality"}, {submit, "extract", "portrait"},
	}
	selfieWays  = [][]string{{submit, "extract", "find face"}, {submit, "extract", "describe face"}}
	verdictWays = [][]string{ // of the step whose evidence was looked at last
		{submit, "job extract", "job check", "check"},
		{submit, "job check", "transaction", "job deliver"}, {submit, "job check", "transaction", "webhook"},
	}
)

// lacks are the ways that a trace has not.
func (s tree) lacks(id string, ways ...[][]string) []string {
	var out []string
	for _, names := range slices.Concat(ways...) {
		if id == "" || !s.has(id, names...) {
			out = append(out, strings.Join(names, " → "))
		}
	}
	return out
}

func TestOneTraceLeadsFromTheRequestToTheWebhook(t *testing.T) {
	t.Parallel()
	collector, place := traced(t)
	s := place.Serve(t)
	oneTrace(t, collector, s, func() { s.Stop(syscall.SIGTERM) })
	for _, line := range strings.Split(s.Printed(), "\n") {
		if strings.Contains(line, "route="+`/v1/applicant/steps/{step}`) && !regexp.MustCompile(`trace_id=[0-9a-f]{32} span_id=[0-9a-f]{16}`).MatchString(line) {
			t.Errorf("the log does not say to which trace this belongs: %s", line)
		}
	}
}

func TestOneTraceLeadsThroughSeveralProcessesOnPostgreSQL(t *testing.T) {
	t.Parallel()
	database := idvtest.Postgres(t).Database(t)
	collector, p := traced(t, "--database", database, "--no-work")
	s := p.Serve(t)
	worker := p.Beside(t, "worker", "--dev", "--data-dir", p.Dir, "--database", database)
	all := oneTrace(t, collector, s, func() { s.Stop(syscall.SIGTERM); worker.Stop(syscall.SIGTERM) })
	processes := map[string]string{}
	for _, one := range all {
		if one.Trace == traceOf(all, "face_image") {
			processes[one.Name] = one.Instance
		}
	}
	if processes[submit] == processes["job extract"] {
		t.Errorf("the job ran in the process that took the request: %v", processes)
	}
}

// oneTrace runs a whole verification with the real engine and looks at what came to the collector.
func oneTrace(t *testing.T, collector *idvtest.Collector, s *served.Process, stop func()) tree {
	t.Helper()
	api := client{url: s.URL, bearer: s.Key}
	arrived := receivedHeaders(t, api)
	pictures := picturesOf(t, "alder", "alder", 1, fixtures.Options{})
	created := api.createSession(t)
	a := open(t, created.URL)
	a.finish(t, pictures.document, pictures.selfie)
	if !a.awaitEvent(t, "approved", time.Minute) {
		t.Error("no live update told the verdict")
	}
	header := verdictOf(t, arrived)
	report := api.get(t, "/v1/sessions/"+created.ID+"/report").body
	stop()
	_, verdict, _ := strings.Cut(header.Get("traceparent"), "-")
	verdict, _, _ = strings.Cut(verdict, "-")
	all := tree(collector.Await(t, 30*time.Second, func(got []idvtest.Span) bool { return len(tree(got).named("webhook", verdict)) > 0 }))
	document, selfie := traceOf(all, "document_image"), traceOf(all, "face_image")
	wrong := slices.Concat(all.lacks(document, everyWay, documentWays), all.lacks(selfie, everyWay, selfieWays), all.lacks(verdict, verdictWays))
	for _, way := range wrong {
		t.Errorf("there is no %s", way)
	}
	if verdict != document && verdict != selfie {
		t.Errorf("the webhook of the verdict follows %q, neither %s nor %s", verdict, document, selfie)
	}
	assertNested(t, all)
	assertOnce(t, all)
	assertDiscreet(t, all, collector.Raw(), created, a, s, report, pictures)
	return all
}

// assertNested: nothing refers to what was not sent, and no part begins before what it is part of.
func assertNested(t *testing.T, all tree) {
	t.Helper()
	for _, one := range all {
		if one.Parent == "" {
			continue
		}
		i := slices.IndexFunc(all, func(o idvtest.Span) bool { return o.ID == one.Parent })
		if i < 0 {
			t.Errorf("%s is below something that never came", one.Name)
		} else if above := all[i]; above.Trace != one.Trace || one.Start.Before(above.Start) {
			t.Errorf("%s is below %s and begins before it, or is of another trace", one.Name, above.Name)
		}
	}
}

// assertOnce: a statement is told once, not by each of the layers that it goes through: none is within another of the same
// word that was told without its table.
func assertOnce(t *testing.T, all tree) {
	t.Helper()
	for _, outer := range all {
		for _, one := range all {
			within := one.ID != outer.ID && one.Parent == outer.Parent && one.Name == outer.Name && one.Start.After(outer.Start) && one.End.Before(outer.End)
			if within && strings.HasPrefix(one.Name, "sql ") && one.Facts[trace.Table.Name] == "" {
				t.Errorf("%s of %v is told twice", one.Name, outer.Facts)
			}
		}
	}
	t.Logf("%d spans", len(all))
}

// assertDiscreet: spans tell what the table says and nothing else, and nothing personal, no address and no secret is
// anywhere in what was sent.
func assertDiscreet(t *testing.T, all tree, raw []byte, created session, a *applicant, s *served.Process, report []byte, p pair) {
	t.Helper()
	known := map[string]bool{}
	for _, k := range trace.Keys() {
		known[k.Name] = true
	}
	for _, one := range all {
		if strings.HasSuffix(one.Name, "/events") || strings.HasSuffix(one.Name, "/readyz") {
			t.Errorf("%s has a span", one.Name)
		}
		for key := range one.Facts {
			if !known[key] {
				t.Errorf("%s tells %s, which is not in the table", one.Name, key)
			}
		}
		if len(one.Words) > 0 {
			t.Errorf("%s holds free text: %q", one.Name, one.Words)
		}
	}
	d, err := fixtures.NewDocument(fixtures.Passport, 1, fixtures.Options{Face: "alder"})
	must(t, err)
	secret := words(t, d, p)
	for what, w := range personal(t, report) {
		secret[what] = w
	}
	_, link, _ := strings.Cut(created.URL, "/v/")
	for what, w := range map[string]string{
		"session": created.ID, "link": link, "token": a.bearer, "API key": s.Key, "reference": `"e2e"`, "address": "127.0.0.1", "host": "localhost",
		"path of a picture": "document_front", "kind of id": "ses_", "capture": "cap_",
	} {
		secret[what] = []byte(w)
	}
	if len(secret) < 25 {
		t.Fatalf("only %d words to look for", len(secret))
	}
	for what, w := range secret {
		if bytes.Contains(bytes.ToLower(raw), bytes.ToLower(w)) {
			t.Errorf("the %s is in what was sent: %q", what, w)
		}
	}
}

// personal are the facts of a report: every claim's value that is long enough to be found for what it is.
func personal(t *testing.T, report []byte) map[string][]byte {
	t.Helper()
	var got struct {
		Report struct {
			Claims []struct{ Name, Value string } `json:"claims"`
		} `json:"report"`
	}
	must(t, json.Unmarshal(report, &got))
	out := map[string][]byte{}
	for i, c := range got.Report.Claims {
		if len(c.Value) >= 5 && !slices.Contains([]string{"passport"}, c.Value) {
			out[fmt.Sprintf("%s of the report (%d)", c.Name, i)] = []byte(c.Value)
		}
	}
	if len(out) < 5 {
		t.Fatalf("the report has %d facts: %.400s", len(out), report)
	}
	return out
}

func TestOnlyAnAPIKeySaysWhatARequestFollows(t *testing.T) {
	t.Parallel()
	collector, p := traced(t)
	s := p.WithEnvironment("OTEL_TRACES_SAMPLER=parentbased_always_off").Serve(t) // so that only a parent makes a trace kept
	const kept, theirs = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "4bf92f3577b34da6a3ce929d0e0e4736"
	call := func(method, path, bearer string, body string) {
		t.Helper()
		q, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, strings.NewReader(body))
		must(t, err)
		q.Header.Set("traceparent", kept)
		q.Header.Set("tracestate", "vendor=Anna-Eriksson")
		q.Header.Set("baggage", "name=Anna-Eriksson")
		q.Header.Set("X-Request-Id", "Anna_Eriksson")
		q.Header.Set("Content-Type", "application/json")
		if bearer != "" {
			q.Header.Set("Authorization", "Bearer "+bearer)
		}
		r, err := http.DefaultClient.Do(q)
		must(t, err)
		must(t, r.Body.Close())
	}
	a := open(t, s.Link)
	call(http.MethodGet, "/v1/applicant/task", a.bearer, "")
	call(http.MethodGet, "/v1/sessions", "bf_test_no_such_key", "")
	call(http.MethodGet, "/v1/sessions", "", "")
	call(http.MethodPost, "/v1/console/login", "", `{"email":"a@example.test","password":"x"}`)
	call(http.MethodGet, "/healthz", "", "")
	if a := (client{url: s.URL, bearer: s.Key}).get(t, "/v1/sessions"); a.status != http.StatusOK {
		t.Fatal(a.status)
	}
	call(http.MethodPost, "/v1/sessions", s.Key, `{}`)
	s.Stop(syscall.SIGTERM)
	got := collector.Spans()
	roots := slices.DeleteFunc(slices.Clone(got), func(one idvtest.Span) bool { return one.Parent != "00f067aa0ba902b7" })
	if len(roots) != 1 || roots[0].Name != "POST /v1/sessions" || roots[0].Facts[trace.Status.Name] != "201" {
		t.Errorf("what followed a traceparent: %+v", roots)
	}
	for _, one := range got {
		if one.Trace != theirs {
			t.Errorf("%s was kept in %s: somebody without a key had it kept", one.Name, one.Trace)
		}
	}
	for _, word := range []string{"vendor", "baggage"} {
		if bytes.Contains(collector.Raw(), []byte(word)) {
			t.Errorf("%s went on to the collector", word)
		}
	}
}
