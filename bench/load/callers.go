package load

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/persona"
)

// callers make calls of several kinds on sessions that are prepared beforehand. Personas settle them: what their verdicts take is not
// what is measured.
type callers struct {
	*client
	picture []byte
	media   string
	form    []byte
	n       atomic.Int64

	mu        sync.Mutex
	ready     []*caller // wait for their document
	uploading []*caller
	made      []string  // that were answered as created
	sent      []*caller // whose document was accepted
	parts     []*caller // that sent parts
	seen      string
}

// caller is a session in a browser.
type caller struct {
	id, token, upload string
	received          int
}

// partBytes is how large a part of an upload is here.
const partBytes = 16 << 10

// prepare brings sessions to where their document is due, until n wait for it and a tenth as many have begun an upload.
func (w *callers) prepare(ctx context.Context, n int) error {
	if w.form == nil {
		if err := w.draw(); err != nil {
			return err
		}
	}
	for {
		w.mu.Lock()
		sends, uploads := n-len(w.ready), n/10-len(w.uploading)
		w.mu.Unlock()
		if sends <= 0 && uploads <= 0 {
			return nil
		}
		c, err := w.opened(ctx)
		if err != nil {
			return err
		}
		w.mu.Lock()
		w.seen = c.id
		if uploads > 0 {
			w.uploading = append(w.uploading, c)
		} else {
			w.ready = append(w.ready, c)
		}
		w.mu.Unlock()
	}
}

func (w *callers) draw() error {
	p, _ := persona.Named("approved")
	var err error
	if w.picture, err = p.Picture(idv.StepDocumentFront, 1); err != nil {
		return err
	}
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	if err := form.WriteField("attempt", "attempt-1"); err != nil {
		return fmt.Errorf("write a form: %w", err)
	}
	part, err := form.CreateFormFile("picture", "picture.jpg")
	if err != nil {
		return fmt.Errorf("write a form: %w", err)
	}
	_, _ = part.Write(w.picture) // a buffer
	if err := form.Close(); err != nil {
		return fmt.Errorf("write a form: %w", err)
	}
	w.form, w.media = b.Bytes(), form.FormDataContentType()
	return nil
}

// opened makes a session, opens it, consents and chooses; what is refused is repeated.
func (w *callers) opened(ctx context.Context) (*caller, error) {
	var made struct{ ID, URL string }
	err := w.insist(ctx, &made, func() ([]byte, error) {
		b, _, err := w.call(ctx, w.integrator(), http.MethodPost, "/v1/sessions", w.asked("prepared"))
		return b, err
	})
	if err != nil {
		return nil, err
	}
	_, link, _ := strings.Cut(made.URL, "/v/")
	var opened struct{ Token string }
	err = w.insist(ctx, &opened, func() ([]byte, error) {
		b, _, err := w.call(ctx, who{}, http.MethodPost, "/v1/applicant/open", map[string]string{"link": link})
		return b, err
	})
	if err != nil {
		return nil, err
	}
	c := &caller{id: made.ID, token: opened.Token}
	for _, step := range []struct {
		method, path string
		sent         any
	}{
		{http.MethodPost, "/v1/applicant/consent", map[string]string{"decision": "given", "text_version": "biometric-2026-11-3", "locale": "en"}},
		{http.MethodPut, "/v1/applicant/steps/choose", map[string]string{"document_kind": "passport"}},
		{http.MethodPost, "/v1/applicant/uploads", struct{}{}},
	} {
		var got struct{ ID string }
		err := w.insist(ctx, &got, func() ([]byte, error) {
			b, _, err := w.call(ctx, c.who(), step.method, step.path, step.sent)
			return b, err
		})
		if err != nil {
			return nil, err
		}
		c.upload = got.ID
	}
	return c, nil
}

// insist repeats a call that is refused because the server is busy.
func (w *callers) insist(ctx context.Context, into any, call func() ([]byte, error)) error {
	for {
		raw, err := call()
		if wrong(err) == refused(http.StatusServiceUnavailable).Error() {
			if err := pause(ctx, 20*time.Millisecond); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return fmt.Errorf("prepare a session: %w", err)
		}
		if err := json.Unmarshal(raw, into); err != nil {
			return fmt.Errorf("prepare a session: %w", err)
		}
		return nil
	}
}

func (c *caller) who() who { return who{"Authorization", "Bearer " + c.token} }

func (w *callers) asked(ref string) map[string]any {
	return map[string]any{
		"external_reference": ref, "workflow": "no_liveness", "claimed": map[string]string{"document_number": "persona:approved"},
	}
}

// one makes a call of a kind and answers what went wrong in a word, or nothing.
func (w *callers) one(ctx context.Context, kind string) string {
	switch kind {
	case "create":
		return w.makeOne(ctx)
	case "upload":
		return w.uploadOne(ctx)
	case "submit":
		return w.submitOne(ctx)
	}
	w.mu.Lock()
	seen := w.seen
	w.mu.Unlock()
	_, _, err := w.call(ctx, w.integrator(), http.MethodGet, "/v1/sessions/"+seen, nil)
	return wrong(err)
}

func (w *callers) makeOne(ctx context.Context) string {
	ref := "overload-" + strconv.FormatInt(w.n.Add(1), 10)
	raw, _, err := w.call(ctx, w.integrator(), http.MethodPost, "/v1/sessions", w.asked(ref), "Idempotency-Key", ref)
	if err != nil {
		return wrong(err)
	}
	var made struct{ ID string }
	if err := json.Unmarshal(raw, &made); err != nil {
		return "answer"
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.made = append(w.made, made.ID)
	return ""
}

// uploadOne sends the next part of an upload.
func (w *callers) uploadOne(ctx context.Context) string {
	c := w.take(&w.uploading)
	if c == nil {
		return "nothing prepared"
	}
	err := w.send(ctx, http.MethodPatch, "/v1/applicant/uploads/"+c.upload, c, "application/partial-upload", w.picture[:partBytes],
		"Upload-Offset", strconv.Itoa(c.received))
	w.mu.Lock()
	defer w.mu.Unlock()
	if err == nil {
		if c.received == 0 {
			w.parts = append(w.parts, c)
		}
		c.received += partBytes
	}
	if wrong := wrong(err); wrong != "" && wrong != refused(http.StatusServiceUnavailable).Error() {
		return wrong // what became of the part is not known
	}
	if c.received < 100*partBytes {
		w.uploading = append(w.uploading, c)
	}
	return wrong(err)
}

// submitOne sends a document. One that is refused because the server is busy is sent again later.
func (w *callers) submitOne(ctx context.Context) string {
	c := w.take(&w.ready)
	if c == nil {
		return "nothing prepared"
	}
	err := w.send(ctx, http.MethodPut, "/v1/applicant/steps/document_front", c, w.media, w.form)
	w.mu.Lock()
	defer w.mu.Unlock()
	switch wrong(err) {
	case "":
		w.sent = append(w.sent, c)
	case refused(http.StatusServiceUnavailable).Error():
		w.ready = append(w.ready, c)
	}
	return wrong(err)
}

// take takes the oldest of a list.
func (w *callers) take(from *[]*caller) *caller {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(*from) == 0 {
		return nil
	}
	c := (*from)[0]
	*from = (*from)[1:]
	return c
}

// send sends bytes as a browser.
func (w *callers) send(ctx context.Context, method, path string, c *caller, media string, body []byte, header ...string) error {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, w.base+path, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("make a call: %w", err)
	}
	as := c.who()
	req.Header.Set(as.name, as.value)
	req.Header.Set("Content-Type", media)
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := w.http.Do(req)
	if err != nil {
		return fmt.Errorf("call: %w", err)
	}
	defer func() { _ = res.Body.Close() }()
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		return fmt.Errorf("read an answer: %w", err)
	}
	if res.StatusCode/100 != 2 {
		return refused(res.StatusCode)
	}
	return nil
}

// lost counts what the server accepted and does not have: sessions, parts of uploads, documents.
func (w *callers) lost(ctx context.Context) (n int, err error) {
	for _, id := range w.made {
		var got struct{ ID string }
		if err := w.look(ctx, w.integrator(), "/v1/sessions/"+id, &got); err != nil {
			return n, err
		}
		if got.ID != id {
			n++
		}
	}
	for _, c := range w.sent {
		var task struct{ Step string }
		if err := w.look(ctx, c.who(), "/v1/applicant/task", &task); err != nil {
			return n, err
		}
		if task.Step != string(idv.StepSelfie) {
			n++
		}
	}
	for _, c := range w.parts {
		var got struct{ Received int }
		if err := w.look(ctx, c.who(), "/v1/applicant/uploads/"+c.upload, &got); err != nil {
			return n, err
		}
		if got.Received < c.received { // more, where an answer did not come in time
			n++
		}
	}
	return n, nil
}

// look reads until the server is not busy. What is not there leaves into as it was.
func (w *callers) look(ctx context.Context, as who, path string, into any) error {
	return w.insist(ctx, into, func() ([]byte, error) {
		b, _, err := w.call(ctx, as, http.MethodGet, path, nil)
		if wrong(err) == refused(http.StatusNotFound).Error() {
			return []byte("{}"), nil
		}
		return b, err
	})
}
