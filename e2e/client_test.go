// Package e2e drives the real binary from outside: processes are started and killed, pictures are sent over
// HTTP, verdicts are read from the API. It needs bin/bonafide (make build) or BONAFIDE_BIN.
package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// client speaks to a server as an integrator (with an API key) or as an applicant (with a session's token).
type client struct {
	url, bearer string
}

// answer is a response with its body read.
type answer struct {
	status int
	body   []byte
}

func (a answer) decode(t *testing.T, into any) {
	t.Helper()
	if err := json.Unmarshal(a.body, into); err != nil {
		t.Fatalf("decode %s: %v", a.body, err)
	}
}

func (c client) do(t *testing.T, method, path, media string, body io.Reader) answer {
	t.Helper()
	a, err := c.try(method, path, media, body)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	return a
}

func (c client) try(method, path, media string, body io.Reader) (answer, error) {
	q, err := http.NewRequest(method, c.url+path, body) //nolint:noctx // the client has a time limit
	if err != nil {
		return answer{}, err
	}
	if media != "" {
		q.Header.Set("Content-Type", media)
	}
	if c.bearer != "" {
		q.Header.Set("Authorization", "Bearer "+c.bearer)
	}
	r, err := (&http.Client{Timeout: time.Minute}).Do(q)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = r.Body.Close() }()
	raw, err := io.ReadAll(r.Body)
	return answer{r.StatusCode, raw}, err
}

func (c client) get(t *testing.T, path string) answer {
	t.Helper()
	return c.do(t, http.MethodGet, path, "", nil)
}

func (c client) post(t *testing.T, path string, body any) answer {
	t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	return c.do(t, http.MethodPost, path, "application/json", bytes.NewReader(raw))
}

// session as the API shows it.
type session struct {
	ID      string `json:"id"`
	State   string `json:"state"`
	Outcome string `json:"outcome"`
	URL     string `json:"url"`
}

// task as the applicant's browser gets it.
type task struct {
	State    string `json:"state"`
	Step     string `json:"step"`
	Checking string `json:"checking"`
	Problem  *struct {
		Code   string `json:"code"`
		Remedy string `json:"remedy"`
		Asks   bool   `json:"asks"`
	} `json:"problem"`
}

func (c client) createSession(t *testing.T) session {
	t.Helper()
	var s session
	a := c.post(t, "/v1/sessions", map[string]any{"external_reference": "e2e", "workflow": "no_liveness"})
	if a.status != http.StatusCreated {
		t.Fatalf("create a session: %d %s", a.status, a.body)
	}
	a.decode(t, &s)
	return s
}

func (c client) session(t *testing.T, id string) session {
	t.Helper()
	var s session
	c.get(t, "/v1/sessions/"+id).decode(t, &s)
	return s
}

// applicant is a browser that has opened a session.
type applicant struct {
	client
	task task
}

// open opens a session link, consents and chooses a passport.
func open(t *testing.T, link string) *applicant {
	t.Helper()
	url, secret, ok := strings.Cut(link, "/v/")
	if !ok {
		t.Fatalf("%q is no session link", link)
	}
	var opened struct {
		Token string `json:"token"`
		Task  task   `json:"task"`
	}
	a := client{url: url}.post(t, "/v1/applicant/open", map[string]string{"link": secret})
	if a.status != http.StatusOK {
		t.Fatalf("open: %d %s", a.status, a.body)
	}
	a.decode(t, &opened)
	p := &applicant{client: client{url: url, bearer: opened.Token}, task: opened.Task}
	p.decodeTask(t, p.post(t, "/v1/applicant/consent", map[string]string{"decision": "given", "text_version": "biometric-2026-11-3", "locale": "en"}))
	raw := strings.NewReader(`{"document_kind":"passport"}`)
	p.decodeTask(t, p.do(t, http.MethodPut, "/v1/applicant/steps/choose", "application/json", raw))
	return p
}

func (p *applicant) decodeTask(t *testing.T, a answer) {
	t.Helper()
	if a.status != http.StatusOK {
		t.Fatalf("%d %s", a.status, a.body)
	}
	a.decode(t, &p.task)
}

// send sends a picture as the given try of a step.
func (p *applicant) send(t *testing.T, step, attempt string, picture []byte) answer {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	must(t, form.WriteField("attempt", attempt))
	part, err := form.CreateFormFile("picture", "picture.jpg")
	must(t, err)
	_, err = part.Write(picture)
	must(t, err)
	must(t, form.Close())
	return p.do(t, http.MethodPut, "/v1/applicant/steps/"+step, form.FormDataContentType(), &body)
}

// finish sends document and selfie. A document that is refused before the selfie was sent is sent again: somebody who has no other.
func (p *applicant) finish(t *testing.T, document, selfie []byte) {
	t.Helper()
	p.decodeTask(t, p.send(t, "document_front", "attempt-1", document))
	a := p.send(t, "selfie", "attempt-2", selfie)
	for try := 3; a.status == http.StatusConflict && p.task.State == "step"; try += 2 {
		p.decodeTask(t, p.do(t, http.MethodPut, "/v1/applicant/steps/choose", "application/json", strings.NewReader(`{"document_kind":"passport"}`)))
		p.decodeTask(t, p.send(t, "document_front", fmt.Sprintf("attempt-%d", try), document))
		if a = p.send(t, "selfie", fmt.Sprintf("attempt-%d", try+1), selfie); a.status == http.StatusConflict {
			p.decodeTask(t, p.get(t, "/v1/applicant/task"))
		}
	}
	if p.task.State == "declined" || p.task.State == "wait" {
		return // decided without the selfie
	}
	p.decodeTask(t, a)
	if p.task.State != "wait" {
		t.Fatalf("after the last step: %+v", p.task)
	}
}

// verdicts waits until none of the sessions is processing and answers their states. It asks once a second, as an
// integrator within its rate would.
func (c client) verdicts(t *testing.T, ids []string, within time.Duration) map[string]string {
	t.Helper()
	out := map[string]string{}
	for end := time.Now().Add(within); time.Now().Before(end); time.Sleep(time.Second) {
		var page struct {
			Items []session `json:"items"`
		}
		c.get(t, "/v1/sessions?limit=100").decode(t, &page)
		for _, s := range page.Items {
			if slices.Contains(ids, s.ID) && s.State != "processing" {
				out[s.ID] = s.State
			}
		}
		if len(out) == len(ids) {
			return out
		}
	}
	t.Fatalf("after %s only %d of %d have a verdict: %v", within, len(out), len(ids), out)
	return nil
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// awaitEvent reads server-sent events until a task has the given state.
func (p *applicant) awaitEvent(t *testing.T, state string, within time.Duration) bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url+"/v1/applicant/events", nil)
	must(t, err)
	q.Header.Set("Authorization", "Bearer "+p.bearer)
	r, err := http.DefaultClient.Do(q)
	must(t, err)
	defer func() { _ = r.Body.Close() }()
	lines := bufio.NewScanner(r.Body)
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		var got task
		if ok && json.Unmarshal([]byte(data), &got) == nil && got.State == state {
			return true
		}
	}
	return false
}
