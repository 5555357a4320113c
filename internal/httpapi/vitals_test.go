package httpapi_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/httpapi"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/insight"
)

// scrape answers the lines of /metrics that are ours.
func scrape(t *testing.T, m *edge.Metrics) []string {
	t.Helper()
	rec := newRecorder()
	m.Handler().ServeHTTP(rec, mustRequest(t, "/metrics"))
	return slices.DeleteFunc(strings.Split(rec.body.String(), "\n"), func(line string) bool { return !strings.HasPrefix(line, "bonafide_") })
}

func vital(read func(context.Context) (insight.Vitals, error)) edge.Vital {
	return edge.Vital{
		Read: read, Models: func() string { return "ready" },
		Free: func() map[string]uint64 { return map[string]uint64{"disk of the pictures": 1 << 30} }, Now: time.Now,
		Log: slog.New(slog.DiscardHandler),
	}
}

// everyMetric is /metrics after everything that it tells has happened.
func everyMetric(t *testing.T) []string {
	t.Helper()
	m, err := edge.NewMetrics()
	must(t, err)
	w := newWorld(t, func(o *httpapi.Options) { o.Metrics = m })
	must(t, errors.Join(m.Sessions(w.sessions.Sessions.CountStates), m.Vitals(vital(func(ctx context.Context) (insight.Vitals, error) {
		v, err := w.store.Vitals(ctx)
		v.Jobs = append(v.Jobs, insight.Jobs{Kind: "deliver", Waiting: 2, Oldest: time.Now().Add(-time.Minute)})
		return v, err
	}))))
	w.create(w.key, nil)
	m.Check(t.Context(), idv.CheckKind("document.expired"), "pass", time.Second)
	m.Job(t.Context(), "check", "done", time.Second)
	m.Mail(t.Context(), "invitation", "sent", "")
	return scrape(t, m)
}

var metricName = regexp.MustCompile(`bonafide_[a-z_]+`)

// metricNamed is the name of a metric without what a histogram adds.
func metricNamed(s string) string {
	s = metricName.FindString(s)
	for _, end := range []string{"_bucket", "_count", "_sum"} {
		s = strings.TrimSuffix(s, end)
	}
	return s
}

func TestThePageOfMetricsNamesThoseThatThereAre(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/operate/metrics.md")
	must(t, err)
	there, told := map[string]bool{}, map[string]bool{}
	for _, line := range everyMetric(t) {
		there[metricNamed(line)] = true
	}
	for _, name := range metricName.FindAllString(string(page), -1) {
		told[metricNamed(name)] = true
	}
	for name := range told {
		if !there[name] {
			t.Errorf("the page names %s, which /metrics does not answer", name)
		}
	}
	for name := range there {
		if !told[name] {
			t.Errorf("the page does not name %s", name)
		}
	}
}

func TestTheAlarmOfSignInsSeesEveryWayToSignIn(t *testing.T) {
	page, err := os.ReadFile("../../docs/operate/metrics.md")
	must(t, err)
	_, alarm, _ := strings.Cut(string(page), "BonafideSignInsFail")
	routes := regexp.MustCompile(`route=~"([^"]+)"`).FindStringSubmatch(alarm)
	if routes == nil {
		t.Fatal("the alarm names no routes")
	}
	for _, route := range []string{"/v1/console/login", "/v1/console/login/passkey"} {
		if !regexp.MustCompile("^(?:" + routes[1] + ")$").MatchString(route) {
			t.Errorf("it does not see %s", route)
		}
	}
}

// bounded are the labels that there may be: none can hold what somebody sent.
var bounded = regexp.MustCompile(`^(mode|state|job|target|what|route|method|status|check|outcome|result|le|kind|fault)$`) // kind and fault are of mails

func TestLabelsOfMetricsAreFewAndOfTheVocabulary(t *testing.T) {
	t.Parallel()
	lines := everyMetric(t)
	for _, line := range lines {
		_, rest, has := strings.Cut(line, "{")
		if !has {
			continue
		}
		for _, label := range regexp.MustCompile(`([a-z_]+)="`).FindAllStringSubmatch(rest, -1) {
			if !bounded.MatchString(label[1]) {
				t.Errorf("a label of another name: %s", line)
			}
		}
		if strings.Contains(line, "ses_") || strings.Contains(line, "127.0.0.1") || strings.Contains(line, "@") {
			t.Errorf("a label names somebody: %s", line)
		}
	}
	if len(lines) > 400 {
		t.Errorf("%d lines after three calls", len(lines))
	}
}

func TestThatTheDatabaseIsAwayIsSaidOnceAndThatItIsThereAgain(t *testing.T) {
	m, err := edge.NewMetrics()
	must(t, err)
	var said bytes.Buffer
	usual := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&said, nil))) // where nobody named a log
	t.Cleanup(func() { slog.SetDefault(usual) })
	away := errors.New("away")
	from := vital(func(context.Context) (insight.Vitals, error) { return insight.Vitals{}, away })
	from.Log, from.Now = nil, nil
	must(t, m.Vitals(from))
	lost := func() int { return strings.Count(said.String(), "cannot be read") }
	again := func() int { return strings.Count(said.String(), "can be read again") }
	for range 3 {
		scrape(t, m)
	}
	if lost() != 1 || again() != 0 {
		t.Errorf("while it is away:\n%s", said.String())
	}
	away = nil
	for range 2 {
		if got := scrape(t, m); !slices.Contains(got, "bonafide_database_up 1") || again() != 1 {
			t.Errorf("%v\n%s", got, said.String())
		}
	}
	away = errors.New("away again")
	scrape(t, m)
	if lost() != 2 || again() != 1 {
		t.Errorf("lost and there again, twice:\n%s", said.String())
	}
}

func TestMetricsAnswerWhenTheDatabaseDoesNot(t *testing.T) {
	m, err := edge.NewMetrics()
	must(t, err)
	away := errors.New("away")
	must(t, errors.Join(m.Vitals(vital(func(context.Context) (insight.Vitals, error) { return insight.Vitals{}, away })),
		m.Sessions(func(context.Context, idv.Mode) (map[idv.SessionState]int, error) { return nil, away })))
	got := scrape(t, m)
	if !slices.Contains(got, "bonafide_database_up 0") || !slices.Contains(got, `bonafide_models{state="ready"} 1`) {
		t.Errorf("/metrics answers %v", got)
	}
	for _, line := range got {
		if strings.HasPrefix(line, "bonafide_jobs") {
			t.Errorf("invented: %s", line)
		}
	}
}
