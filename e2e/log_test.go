package e2e

import (
	"bytes"
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/e2e/served"
	"github.com/bonafide-id/bonafide/fixtures"
)

func TestALogInJSONHoldsNothingElse(t *testing.T) {
	t.Parallel()
	match := picturesOf(t, "alder", "alder", 1, fixtures.Options{})
	p := served.NewPlace(t, "--log-format", "json")
	server := p.Serve(t)
	api := client{url: server.URL, bearer: server.Key}
	s := api.createSession(t)
	open(t, s.URL).finish(t, match.document, match.selfie)
	api.verdicts(t, []string{s.ID}, 2*time.Minute)
	for _, files := range []map[string][]byte{{"document": match.document}, {"document": match.document, "selfie": match.selfie}} {
		if status := api.postFiles(t, "/v1/verify", files); status != http.StatusOK {
			t.Errorf("verify answered %d", status)
		}
	}
	api.postFiles(t, "/v1/nowhere", nil)
	server.Stop(syscall.SIGTERM)
	second := served.Start(t, "serve", "--log-format", "json", "--database", "sqlite:"+p.Dir+"/bonafide.db", "--listen", "127.0.0.1:0")
	second.Wait()

	requests := 0
	for line := range strings.Lines(server.Printed() + second.Printed()) {
		var l struct {
			Level, Msg string
			Took       any
			TookMS     float64 `json:"took_ms"`
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Errorf("%v: %q", err, line)
			continue
		}
		if l.Took != nil || (l.Msg == "request" && l.TookMS == 0) {
			t.Errorf("a duration without its unit: %s", line)
		}
		if l.Msg == "request" {
			requests++
		}
		if l.Level != "INFO" && l.Msg != "bonafide ended" {
			t.Errorf("nothing went wrong, and the log says %s", line)
		}
	}
	if requests < 8 {
		t.Errorf("%d calls are in the log, want at least 8", requests)
	}
	if !strings.Contains(second.Printed(), `"msg":"bonafide ended"`) {
		t.Errorf("why a server did not start is not in its log: %s", second.Printed())
	}
}

// postFiles posts a form of files and returns the status.
func (c client) postFiles(t *testing.T, path string, files map[string][]byte) int {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for name, raw := range files {
		part, err := form.CreateFormFile(name, name+".jpg")
		must(t, err)
		_, err = part.Write(raw)
		must(t, err)
	}
	must(t, form.Close())
	q, err := http.NewRequestWithContext(t.Context(), http.MethodPost, c.url+path, &body)
	must(t, err)
	q.Header.Set("Authorization", "Bearer "+c.bearer)
	q.Header.Set("Content-Type", form.FormDataContentType())
	a, err := http.DefaultClient.Do(q)
	must(t, err)
	defer func() { _ = a.Body.Close() }()
	_, err = io.Copy(io.Discard, a.Body)
	must(t, err)
	return a.StatusCode
}
