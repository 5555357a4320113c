package kills

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// caller calls a server that may be gone at any moment, and repeats a call as it was until the call has its answer.
type caller struct {
	base string
	key  string // of the integrator
	http *http.Client
}

// Pauses before a call is repeated.
const (
	goneTime = 20 * time.Millisecond  // nobody answers
	busyTime = 100 * time.Millisecond // the server says that it cannot answer now
)

// call is a call that can be repeated.
type call struct {
	method, path, bearer, media string
	header                      [2]string // one more
	body                        []byte
}

// answer is what the last try of a call was answered.
type answer struct {
	status int
	body   []byte
	tries  int
}

func (a answer) ok() bool { return a.status/100 == 2 }

// code returns the code of a problem.
func (a answer) code() string {
	var p struct {
		Code string `json:"code"`
	}
	_ = json.Unmarshal(a.body, &p) // an answer that is no problem has no code
	return p.Code
}

func (a answer) into(v any) error {
	if !a.ok() {
		return fmt.Errorf("the answer is %d %s", a.status, a.code())
	}
	if err := json.Unmarshal(a.body, v); err != nil {
		return fmt.Errorf("read an answer: %w", err)
	}
	return nil
}

// do repeats a call until it has an answer that will not change by itself.
func (c *caller) do(ctx context.Context, one call) (answer, error) {
	for tries := 1; ; tries++ {
		a, err := c.once(ctx, one)
		a.tries = tries
		pause := goneTime
		if err == nil {
			if !passes(a) {
				return a, nil
			}
			pause = busyTime
		}
		select {
		case <-ctx.Done():
			return a, fmt.Errorf("%s %s: %w, last answer %d %s", one.method, one.path, ctx.Err(), a.status, a.code())
		case <-time.After(pause):
		}
	}
}

// passes reports whether a repeat may be answered otherwise: the server is busy, or still has the first call.
func passes(a answer) bool {
	return a.status >= http.StatusInternalServerError || a.status == http.StatusTooManyRequests || a.code() == "request.idempotency_conflict"
}

func (c *caller) once(ctx context.Context, one call) (answer, error) {
	req, err := http.NewRequestWithContext(ctx, one.method, c.base+one.path, bytes.NewReader(one.body))
	if err != nil {
		return answer{}, fmt.Errorf("make a call: %w", err)
	}
	if one.bearer != "" {
		req.Header.Set("Authorization", "Bearer "+one.bearer)
	}
	if one.media != "" {
		req.Header.Set("Content-Type", one.media)
	}
	if one.header[0] != "" {
		req.Header.Set(one.header[0], one.header[1])
	}
	res, err := c.http.Do(req)
	if err != nil {
		return answer{}, fmt.Errorf("call: %w", err)
	}
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		return answer{}, fmt.Errorf("read an answer: %w", err)
	}
	return answer{status: res.StatusCode, body: raw}, nil
}

// get reads as the integrator.
func (c *caller) get(ctx context.Context, path string) (answer, error) {
	return c.do(ctx, call{method: http.MethodGet, path: path, bearer: c.key})
}

func posted(path, bearer string, sent any) (call, error) {
	raw, err := json.Marshal(sent)
	if err != nil {
		return call{}, fmt.Errorf("encode a call: %w", err)
	}
	return call{method: http.MethodPost, path: path, bearer: bearer, media: "application/json", body: raw}, nil
}

func (c *caller) post(ctx context.Context, path, bearer string, sent any, header ...string) (answer, error) {
	one, err := posted(path, bearer, sent)
	if err != nil {
		return answer{}, err
	}
	if len(header) == 2 {
		one.header = [2]string{header[0], header[1]}
	}
	return c.do(ctx, one)
}

// form is a step's form: text fields, and the picture unless it was sent in parts.
func form(step, bearer string, fields map[string]string, picture []byte) (call, error) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for name, v := range fields {
		if err := w.WriteField(name, v); err != nil {
			return call{}, fmt.Errorf("write a form: %w", err)
		}
	}
	if picture != nil {
		part, err := w.CreateFormFile("picture", "picture.jpg")
		if err != nil {
			return call{}, fmt.Errorf("write a form: %w", err)
		}
		_, _ = part.Write(picture) // a buffer
	}
	if err := w.Close(); err != nil {
		return call{}, fmt.Errorf("write a form: %w", err)
	}
	return call{method: http.MethodPut, path: "/v1/applicant/steps/" + step, bearer: bearer, media: w.FormDataContentType(), body: b.Bytes()}, nil
}

// upload sends a picture in parts and returns the upload's id. It asks how much is there wherever it does not know, as the page does.
func (c *caller) upload(ctx context.Context, bearer string, picture []byte) (string, error) {
	var up struct {
		ID       string `json:"id"`
		Received int    `json:"received"`
	}
	a, err := c.post(ctx, "/v1/applicant/uploads", bearer, struct{}{})
	if err != nil {
		return "", err
	}
	if err := a.into(&up); err != nil {
		return "", err
	}
	size := max(1, (len(picture)+1)/2) // two parts
	for up.Received < len(picture) {
		part := call{
			method: http.MethodPatch, path: "/v1/applicant/uploads/" + up.ID, bearer: bearer, media: "application/partial-upload",
			header: [2]string{"Upload-Offset", strconv.Itoa(up.Received)}, body: picture[up.Received:min(len(picture), up.Received+size)],
		}
		a, err := c.do(ctx, part)
		if err != nil {
			return "", err
		}
		if a.code() == "capture.upload_offset" { // the part arrived and its answer did not
			if a, err = c.do(ctx, call{method: http.MethodGet, path: "/v1/applicant/uploads/" + up.ID, bearer: bearer}); err != nil {
				return "", err
			}
		}
		if err := a.into(&up); err != nil {
			return "", err
		}
	}
	return up.ID, nil
}

// ended are the states of a session that is decided.
var ended = []string{"approved", "declined", "in_review"}

func isDecided(state string) bool { return slices.Contains(ended, state) }
