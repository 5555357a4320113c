// Package attacks plays attacks on the liveness challenge against the real binary, as a script that knows the API would:
// pictures and frames are posted, nothing of ours runs in between. Every one has to be refused, and the applicant must not
// be told why. It needs bin/bonafide (make build) or BONAFIDE_BIN.
package attacks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/e2e/served"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// server is a running bonafide.
type server struct{ *served.Process }

// serve starts a development server on a new directory, until the test ends.
func serve(t *testing.T) *server {
	t.Helper()
	return &server{served.NewPlace(t).Serve(t)}
}

// answer is what the server said.
type answer struct {
	status int
	body   []byte
}

func (a answer) code() string {
	var p struct {
		Code string `json:"code"`
	}
	_ = json.Unmarshal(a.body, &p)
	return p.Code
}

func (s *server) do(t *testing.T, method, path, bearer, media string, body []byte) answer {
	t.Helper()
	q, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, bytes.NewReader(body))
	must(t, err)
	q.Header.Set("Authorization", "Bearer "+bearer)
	if media != "" {
		q.Header.Set("Content-Type", media)
	}
	r, err := (&http.Client{Timeout: 2 * time.Minute}).Do(q)
	must(t, err)
	defer func() { _ = r.Body.Close() }()
	raw, err := io.ReadAll(r.Body)
	must(t, err)
	return answer{r.StatusCode, raw}
}

func (s *server) send(t *testing.T, method, path, bearer string, body any) answer {
	t.Helper()
	raw, err := json.Marshal(body)
	must(t, err)
	return s.do(t, method, path, bearer, "application/json", raw)
}

// task is what the applicant is told.
type task struct {
	State     string
	Step      string
	Takes     string
	Challenge *struct {
		Token string `json:"token"`
		idv.Challenge
	}
	Problem *struct{ Code string }
}

// script is a session in the hands of a script.
type script struct {
	*server
	id, token string
	task      task
	begun     time.Time // when the challenge was there at the latest
	tries     int
}

// begin makes a session that asks for liveness, and takes it to the selfie.
func (s *server) begin(t *testing.T, document []byte) *script {
	t.Helper()
	var made struct{ ID, URL string }
	a := s.send(t, http.MethodPost, "/v1/sessions", s.Key, map[string]any{"workflow": idv.WorkflowLiveness})
	decode(t, a, http.StatusCreated, &made)
	var opened struct{ Token string }
	_, link, _ := strings.Cut(made.URL, "/v/")
	decode(t, s.send(t, http.MethodPost, "/v1/applicant/open", "", map[string]string{"link": link}), http.StatusOK, &opened)
	p := &script{server: s, id: made.ID, token: opened.Token}
	consent := map[string]string{"decision": "given", "text_version": "biometric-2026-11-3", "locale": "en"}
	p.take(t, s.send(t, http.MethodPost, "/v1/applicant/consent", p.token, consent))
	p.take(t, s.send(t, http.MethodPut, "/v1/applicant/steps/choose", p.token, map[string]string{"document_kind": "passport"}))
	p.take(t, p.put(t, "document_front", nil, [][]byte{document}))
	if p.task.Takes != "frames" || p.task.Challenge == nil {
		t.Fatalf("after the passport: %+v", p.task)
	}
	return p
}

// wait lets pass the time that a run says it took: a script that does not is found out by that alone.
func (p *script) wait(run map[string]any) {
	times, _ := run["times_ms"].([]int)
	last := 0
	for _, at := range times {
		last = max(last, at)
	}
	time.Sleep(time.Until(p.begun.Add(time.Duration(last+500) * time.Millisecond)))
}

func (p *script) take(t *testing.T, a answer) {
	t.Helper()
	p.task, p.begun = task{}, time.Now()
	decode(t, a, http.StatusOK, &p.task)
}

func (p *script) now(t *testing.T) task {
	t.Helper()
	p.take(t, p.do(t, http.MethodGet, "/v1/applicant/task", p.token, "", nil))
	return p.task
}

// put sends a picture, or frames with what is said of them.
func (p *script) put(t *testing.T, step string, run map[string]any, files [][]byte) answer {
	t.Helper()
	p.tries++
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	must(t, form.WriteField("attempt", fmt.Sprintf("attempt-%02d", p.tries)))
	name := "picture"
	if run != nil {
		name = "frame"
		raw, err := json.Marshal(run)
		must(t, err)
		must(t, form.WriteField("run", string(raw)))
	}
	for _, f := range files {
		part, err := form.CreateFormFile(name, name+".jpg")
		must(t, err)
		_, err = part.Write(f)
		must(t, err)
	}
	must(t, form.Close())
	return p.do(t, http.MethodPut, "/v1/applicant/steps/"+step, p.token, form.FormDataContentType(), body.Bytes())
}

// verdict waits until the server has looked, and answers the session's state and every code that was decided for. It asks as
// the applicant, because each session may call twice a second, and all sessions of an API key together five times.
func (p *script) verdict(t *testing.T) (state string, codes []string) {
	t.Helper()
	for end := time.Now().Add(4 * time.Minute); time.Now().Before(end); time.Sleep(time.Second) {
		if p.now(t).State == "wait" {
			continue
		}
		var seen struct{ State string }
		decode(t, p.do(t, http.MethodGet, "/v1/sessions/"+p.id, p.Key, "", nil), http.StatusOK, &seen)
		if seen.State != "processing" {
			return seen.State, p.reasons(t)
		}
	}
	t.Fatal("there is no verdict")
	return "", nil
}

// reasons are those of the report where the session was decided, else why the selfie is asked for again.
func (p *script) reasons(t *testing.T) []string {
	t.Helper()
	var found struct {
		Report idv.Report
	}
	a := p.do(t, http.MethodGet, "/v1/sessions/"+p.id+"/report", p.Key, "", nil)
	if a.status != http.StatusOK {
		if problem := p.now(t).Problem; problem != nil {
			return []string{problem.Code}
		}
		return nil
	}
	decode(t, a, http.StatusOK, &found)
	var out []string
	for _, c := range found.Report.Checks {
		if c.Lifecycle == idv.CheckBroken {
			out = append(out, string(c.Kind)+" was not run")
		}
		if c.Finding == nil || c.Finding.Outcome == idv.Pass || !c.Required {
			continue
		}
		for _, r := range c.Finding.Reasons {
			out = append(out, r.Code)
		}
	}
	return out
}

func decode(t *testing.T, a answer, status int, into any) {
	t.Helper()
	if a.status != status {
		t.Fatalf("got %d, want %d: %s", a.status, status, a.body)
	}
	must(t, json.Unmarshal(a.body, into))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
