package httpapi_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// answer is what the server said.
type answer struct {
	status int
	header http.Header
	body   string
}

func (a answer) code() string { return field(a.body, "code") }

func field(body, name string) string {
	var m map[string]any
	if json.Unmarshal([]byte(body), &m) != nil {
		return ""
	}
	s, _ := m[name].(string)
	return s
}

// ask is a request.
type ask struct {
	method, path string
	bearer       string
	cookie       string
	header       map[string]string
	body         any // string: as it is; []byte; map: as JSON; form
}

// do asks the server, and remembers which problem codes were answered.
func (w *world) do(a ask) answer {
	w.t.Helper()
	body, contentType := encode(w.t, a.body)
	r, err := http.NewRequestWithContext(w.t.Context(), a.method, w.url+a.path, body)
	must(w.t, err)
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	if a.bearer != "" {
		r.Header.Set("Authorization", "Bearer "+a.bearer)
	}
	if a.cookie != "" {
		r.Header.Set("Cookie", a.cookie)
	}
	for k, v := range a.header {
		r.Header.Set(k, v)
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(r)
	must(w.t, err)
	defer func() { _ = res.Body.Close() }()
	if res.Header.Get("Content-Type") == "text/event-stream" { // has no end; see the tests of live updates
		return answer{status: res.StatusCode, header: res.Header}
	}
	raw, err := io.ReadAll(res.Body)
	must(w.t, err)
	out := answer{status: res.StatusCode, header: res.Header, body: string(raw)}
	if res.Header.Get("Content-Type") == "application/problem+json" {
		raised(out.code())
	}
	return out
}

// form is a multipart body: values of type []byte are files, and of [][]byte several of them.
type form map[string]any

func encode(t *testing.T, body any) (io.Reader, string) {
	t.Helper()
	switch b := body.(type) {
	case nil:
		return nil, ""
	case string:
		return strings.NewReader(b), "application/json"
	case []byte:
		return bytes.NewReader(b), "application/octet-stream"
	case form:
		var buf bytes.Buffer
		m := multipart.NewWriter(&buf)
		for name, v := range b {
			switch v := v.(type) {
			case []byte:
				writeFile(t, m, name, v)
			case [][]byte:
				for _, raw := range v {
					writeFile(t, m, name, raw)
				}
			default:
				must(t, m.WriteField(name, fmt.Sprint(v)))
			}
		}
		must(t, m.Close())
		return &buf, m.FormDataContentType()
	default:
		raw, err := json.Marshal(b)
		must(t, err)
		return bytes.NewReader(raw), "application/json"
	}
}

func writeFile(t *testing.T, m *multipart.Writer, name string, raw []byte) {
	t.Helper()
	part, err := m.CreateFormFile(name, "picture.jpg")
	must(t, err)
	_, err = part.Write(raw)
	must(t, err)
}

// want fails the test unless the answer has that status and, for problems, that code.
func (a answer) want(t *testing.T, status int, code string) answer {
	t.Helper()
	if a.status != status || a.code() != code {
		t.Fatalf("got %d %q, want %d %q\n%s", a.status, a.code(), status, code, a.body)
	}
	return a
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

var seen struct {
	sync.Mutex
	codes map[string]bool
}

// raised remembers a code that some test saw.
func raised(code string) {
	seen.Lock()
	defer seen.Unlock()
	if seen.codes == nil {
		seen.codes = map[string]bool{}
	}
	seen.codes[code] = true
}
