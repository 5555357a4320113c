package httpapi_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/httpapi"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
)

// scenario is a request and what its answer must and must not hold.
type scenario struct {
	ask
	status int
	code   string
	field  string
	holds  []string
	lacks  []string
}

func (s scenario) run(t *testing.T, w *world) {
	t.Helper()
	a := w.do(s.ask)
	if a.status != s.status || a.code() != s.code {
		t.Fatalf("got %d %q, want %d %q\n%s", a.status, a.code(), s.status, s.code, a.body)
	}
	if s.field != "" && field(a.body, "field") != s.field {
		t.Errorf("field: got %q, want %q", field(a.body, "field"), s.field)
	}
	for _, h := range s.holds {
		if !strings.Contains(a.body, h) {
			t.Errorf("the answer lacks %q:\n%s", h, a.body)
		}
	}
	for _, l := range append(s.lacks, "goroutine", ".go:", "sqlite", "SELECT") {
		if strings.Contains(a.body, l) {
			t.Errorf("the answer holds %q:\n%s", l, a.body)
		}
	}
	if a.code() != "" && a.header.Get("Content-Type") != "application/problem+json" {
		t.Errorf("content type: got %q", a.header.Get("Content-Type"))
	}
	if a.header.Get("X-Request-Id") == "" || a.header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("headers are missing: %v", a.header)
	}
}

// secret stands for a value that must never come back in a problem.
const secret = "Zq9-Personal-Value"

func TestBadRequestsAreRefusedByPlaceAndNeverRepeated(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	post := func(body any) ask { return ask{method: "POST", path: "/v1/sessions", bearer: w.key, body: body} }
	many := map[string]string{}
	for i := range 51 {
		many[fmt.Sprint("k", i)] = "v"
	}
	tests := map[string]scenario{
		"a body that is not JSON":  {ask: post(`{"external_reference": "` + secret), status: 400, code: "request.malformed"},
		"two JSON values":          {ask: post(`{} {}`), status: 400, code: "request.malformed"},
		"a body that is a list":    {ask: post(`[]`), status: 400, code: "request.malformed"},
		"no body at all":           {ask: post(nil), status: 400, code: "request.malformed"},
		"a body that is not UTF-8": {ask: post("{\"external_reference\":\"\xff\xfe\"}"), status: 400, code: "request.malformed"},
		"a name that stands twice": {ask: post(`{"locale":"en","locale":"` + secret + `"}`), status: 400, code: "request.malformed", field: "/locale"},
		"nesting without end": {
			ask: post(`{"metadata":` + strings.Repeat(`{"a":`, 200) + `1` + strings.Repeat(`}`, 200) + `}`), status: 400, code: "request.malformed",
		},
		"an unknown field": {
			ask: post(map[string]any{"extrenal_reference": secret}), status: 400, code: "request.unknown_field", field: "/extrenal_reference",
		},
		"a field in other letters": {ask: post(map[string]any{"Locale": "en"}), status: 400, code: "request.unknown_field", field: "/Locale"},
		"an unknown fact": {
			ask: post(map[string]any{"claimed": map[string]any{"shoe_size": secret}}), status: 400, code: "request.unknown_field",
			field: "/claimed/shoe_size",
		},
		"an unknown query parameter": {
			ask: ask{method: "GET", path: "/v1/sessions?name=" + secret, bearer: w.key}, status: 400, code: "request.unknown_field", field: "name",
		},
		"a number where a text belongs": {
			ask: post(map[string]any{"external_reference": 4711}), status: 400, code: "request.malformed", field: "/external_reference",
			lacks: []string{"4711"},
		},
		"an object where a text belongs": {
			ask: post(map[string]any{"metadata": map[string]any{"a": map[string]any{"b": secret}}}), status: 400, code: "request.malformed",
		},
		"a control character": {
			ask: post(map[string]any{"external_reference": secret + "\x00"}), status: 400, code: "request.malformed", field: "/external_reference",
		},
		"a line break": {
			ask: post(map[string]any{"metadata": map[string]any{"a": secret + "\n"}}), status: 400, code: "request.malformed", field: "/metadata/a",
		},
		"text that turns direction": {
			ask: post(map[string]any{"external_reference": secret + "\u202e"}), status: 400, code: "request.malformed", field: "/external_reference",
		},
		"51 keys": {ask: post(map[string]any{"metadata": many}), status: 400, code: "request.malformed", field: "/metadata"},
		"a key of 41 characters": {
			ask: post(map[string]any{"metadata": map[string]any{strings.Repeat("k", 41): "v"}}), status: 400, code: "request.malformed",
			field: "/metadata/" + strings.Repeat("k", 40) + "…",
		},
		"a value of 501 characters": {
			ask: post(map[string]any{"metadata": map[string]any{"k": secret + strings.Repeat("v", 500)}}), status: 400, code: "request.malformed",
		},
		"a reference of 201 characters": {
			ask: post(map[string]any{"external_reference": secret + strings.Repeat("r", 200)}), status: 400, code: "request.malformed",
			field: "/external_reference",
		},
		"a language that is none": {ask: post(map[string]any{"locale": "<b>" + secret}), status: 400, code: "request.malformed", field: "/locale"},
		"a return address without TLS": {
			ask: post(map[string]any{"return_url": "http://example.test/" + secret}), status: 400, code: "request.malformed", field: "/return_url",
		},
		"a return address of a script": {
			ask: post(map[string]any{"return_url": "javascript:alert(1)//" + secret}), status: 400, code: "request.malformed", field: "/return_url",
		},
		"a return address with password": {
			ask: post(map[string]any{"return_url": "https://a:" + secret + "@example.test/"}), status: 400, code: "request.malformed",
			field: "/return_url",
		},
		"a workflow that is not there": {ask: post(map[string]any{"workflow": "nightly"}), status: 422, code: "workflow.not_published", field: "/workflow"},
		"the other mode":               {ask: post(map[string]any{"mode": "live"}), status: 400, code: "request.malformed", field: "/mode"},
		"a mode that is none":          {ask: post(map[string]any{"mode": secret}), status: 400, code: "request.malformed", field: "/mode"},
		"a page of 101 rows": {
			ask: ask{method: "GET", path: "/v1/sessions?limit=101", bearer: w.key}, status: 400, code: "request.malformed", field: "limit",
		},
		"a page of no number": {
			ask: ask{method: "GET", path: "/v1/sessions?limit=" + secret, bearer: w.key}, status: 400, code: "request.malformed", field: "limit",
		},
		"a state that is none": {ask: ask{method: "GET", path: "/v1/sessions?state=" + secret, bearer: w.key}, status: 400, code: "request.malformed"},
		"a date that is none": {
			ask: ask{method: "GET", path: "/v1/sessions?from=" + secret, bearer: w.key}, status: 400, code: "request.malformed", field: "from",
		},
		"a cursor that is none":    {ask: ask{method: "GET", path: "/v1/sessions?after=" + secret, bearer: w.key}, status: 400, code: "request.malformed"},
		"a path that is not there": {ask: ask{method: "GET", path: "/v1/" + secret, bearer: w.key}, status: 404, code: "not_found"},
		"a method that is not there": {
			ask: ask{method: "DELETE", path: "/v1/sessions", bearer: w.key}, status: 405, code: "request.method_not_allowed",
		},
		"a form where JSON belongs": {ask: post(form{"external_reference": secret}), status: 415, code: "request.unsupported_media"},
		"JSON of 300 KiB":           {ask: post(`{"external_reference":"` + strings.Repeat("r", 300<<10) + `"}`), status: 413, code: "request.too_large"},
		"a login with a long password": {
			ask:    ask{method: "POST", path: "/v1/console/login", body: map[string]any{"email": "a@example.test", "password": strings.Repeat(secret, 40)}},
			status: 400, code: "request.malformed", field: "/password",
		},
		"a link that is too short": {
			ask: ask{method: "POST", path: "/v1/applicant/peek", body: map[string]any{"link": "short"}}, status: 400, code: "request.malformed",
			field: "/link",
		},
		"a link of nobody": {
			ask: ask{method: "POST", path: "/v1/applicant/peek", body: map[string]any{"link": strings.Repeat("A", 43)}}, status: 404,
			code: "not_found",
		},
	}
	for name, s := range tests {
		s.lacks = append(s.lacks, secret)
		w.run(t, name, func(t *testing.T) { s.run(t, w) })
	}
	if strings.Contains(w.log.String(), secret) {
		t.Error("a refused value reached the log")
	}
}

// nasty are texts that are harmless as data and do harm where they are taken for anything else.
var nasty = []string{
	`'; DROP TABLE sessions; --`, `" OR ""="`, `<script>alert(1)</script>`, `<img src=x onerror=alert(1)>`, `{{7*7}}`, `${jndi:ldap://x}`,
	`%00%0d%0aSet-Cookie: a=b`, `../../etc/passwd`, `\u0000`,
}

func TestNastyTextsAreDataAndNothingElse(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i, text := range nasty {
		w.run(t, text, func(t *testing.T) {
			ref := fmt.Sprintf("%d %s", i, text)
			id, _ := w.create(w.key, map[string]any{
				"external_reference": ref, "metadata": map[string]any{"note": text, text[:min(40, len(text))]: "key"},
				"claimed": map[string]any{"family_name": text, "given_names": text, "document_number": text, "nationality": text, "address": text},
			})
			a := w.do(ask{method: "GET", path: "/v1/sessions/" + id, bearer: w.key}).want(t, 200, "")
			if field(a.body, "external_reference") != ref {
				t.Errorf("got %q, want %q", field(a.body, "external_reference"), ref)
			}
			list := w.do(ask{method: "GET", path: "/v1/sessions?q=" + escape(ref), bearer: w.key}).want(t, 200, "")
			if strings.Count(list.body, `"id":"ses_`) != 1 || !strings.Contains(list.body, id) {
				t.Errorf("searching for it found: %s", list.body)
			}
			for _, path := range []string{"/v1/sessions/" + escape(text), "/v1/sessions/" + id + "/evidence/" + escape(text)} {
				if got := w.do(ask{method: "GET", path: path, bearer: w.key}); got.status != 404 && got.status != 400 && got.status != 307 {
					t.Errorf("%s: got %d", path, got.status)
				}
			}
		})
	}
	a := w.do(ask{method: "GET", path: "/v1/sessions", bearer: w.key}).want(t, 200, "")
	if n := strings.Count(a.body, `"id":"ses_`); n != len(nasty) {
		t.Errorf("%d sessions are left of %d", n, len(nasty))
	}
	for _, text := range nasty {
		if strings.Contains(w.log.String(), text) {
			t.Errorf("%q reached the log", text)
		}
	}
}

func escape(s string) string {
	var b strings.Builder
	for i := range len(s) {
		fmt.Fprintf(&b, "%%%02X", s[i])
	}
	return b.String()
}

func TestTextsAreKeptInNFC(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id, _ := w.create(w.key, map[string]any{"external_reference": "Zoe\u0308"})
	a := w.do(ask{method: "GET", path: "/v1/sessions/" + id, bearer: w.key})
	if got := field(a.body, "external_reference"); got != "Zo\u00eb" {
		t.Errorf("got %q, want it composed", got)
	}
}

// endless is a body without end that counts what was read of it.
type endless struct{ read, most int64 }

func (e *endless) Read(p []byte) (int, error) {
	if e.read >= e.most {
		return 0, io.EOF
	}
	n := min(int64(len(p)), e.most-e.read)
	e.read += n
	return int(n), nil
}

// TestABodyOf40MBIsRefusedAndNeverBuffered counts what the process allocates, so no other test may run beside it.
func TestABodyOf40MBIsRefusedAndNeverBuffered(t *testing.T) {
	w := newWorld(t)
	_, token := w.begun()
	head := "--b\r\nContent-Disposition: form-data; name=\"picture\"; filename=\"p.jpg\"\r\n\r\n"
	tests := map[string]struct {
		method, path, bearer, media string
		most                        uint64 // bytes allocated by everything in this process
	}{
		"where JSON belongs":      {"POST", "/v1/sessions", w.key, "application/json", 4 << 20},
		"where nothing belongs":   {"GET", "/v1/sessions", w.key, "application/json", 4 << 20},
		"where a picture belongs": {"PUT", "/v1/applicant/steps/document_front", token, "multipart/form-data; boundary=b", 90 << 20},
	}
	for name, tt := range tests {
		for _, announced := range []bool{true, false} {
			w.run(t, fmt.Sprintf("%s, length announced: %v", name, announced), func(t *testing.T) {
				body := io.Reader(&endless{most: 40 << 20})
				if tt.method == "PUT" {
					body = io.MultiReader(strings.NewReader(head), body)
				}
				r, err := http.NewRequestWithContext(t.Context(), tt.method, w.url+tt.path, body)
				must(t, err)
				if announced {
					r.ContentLength = 40 << 20
				}
				r.Header.Set("Authorization", "Bearer "+tt.bearer)
				r.Header.Set("Content-Type", tt.media)
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				res, err := http.DefaultClient.Do(r)
				runtime.ReadMemStats(&after)
				if err != nil {
					t.Skipf("the server closed the connection before the answer could be read: %v", err)
				}
				defer func() { _ = res.Body.Close() }()
				raw, err := io.ReadAll(res.Body)
				must(t, err)
				if tt.method != "GET" || announced {
					(answer{status: res.StatusCode, header: res.Header, body: string(raw)}).want(t, 413, "request.too_large")
				}
				if grown := after.TotalAlloc - before.TotalAlloc; grown > tt.most {
					t.Errorf("%d MiB were allocated", grown>>20)
				}
			})
		}
	}
}

func TestAnythingUnexpectedBecomesInternalAndStaysInside(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	call := ask{method: "POST", path: "/v1/verify", bearer: w.key, body: form{"document": []byte("x")}}
	tests := map[string]func(){
		"an error": func() { w.verifier.answer = fails(errors.New("connect to " + secret)) },
		"a panic":  func() { w.verifier.answer = panics },
	}
	for name, set := range tests {
		w.run(t, name, func(t *testing.T) {
			set()
			before := strings.Count(w.log.String(), "level=ERROR")
			scenario{ask: call, status: 500, code: "internal", lacks: []string{secret}, holds: []string{"request_id"}}.run(t, w)
			if n := strings.Count(w.log.String(), "level=ERROR") - before; n != 1 {
				t.Errorf("it was logged %d times, want once", n)
			}
		})
	}
}

func TestTheRateOfAKeyIsLimited(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(o *httpapi.Options) { o.Rates.Key = edge.Rate{Calls: 3, Window: time.Minute} })
	w.clock.move(time.Until(time.Now().Truncate(time.Minute).Add(time.Minute + time.Second)))
	for left := 2; left >= 0; left-- {
		a := w.do(ask{method: "GET", path: "/v1/sessions", bearer: w.key}).want(t, 200, "")
		if got := a.header.Get("RateLimit-Remaining"); got != fmt.Sprint(left) || a.header.Get("RateLimit-Limit") != "3" {
			t.Errorf("remaining: got %q of %q, want %d of 3", got, a.header.Get("RateLimit-Limit"), left)
		}
	}
	a := w.do(ask{method: "GET", path: "/v1/sessions", bearer: w.key}).want(t, 429, "rate.limited")
	if a.header.Get("Retry-After") == "" || a.header.Get("RateLimit-Reset") == "" {
		t.Errorf("headers do not say when to come back: %v", a.header)
	}
	w.do(ask{method: "GET", path: "/v1/sessions", bearer: w.live}).want(t, 200, "")
	w.clock.move(2 * time.Minute)
	w.do(ask{method: "GET", path: "/v1/sessions", bearer: w.key}).want(t, 200, "")
}

func TestARepeatWithTheSameKeyIsAnsweredAsBefore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	create := func(bearer, key string, body any) answer {
		return w.do(ask{method: "POST", path: "/v1/sessions", bearer: bearer, body: body, header: map[string]string{"Idempotency-Key": key}})
	}
	body := map[string]any{"external_reference": "order 1"}
	first := create(w.key, "order-1", body).want(t, 201, "")
	again := create(w.key, "order-1", body).want(t, 201, "")
	if again.body != first.body || again.header.Get("Idempotent-Replayed") != "true" || again.header.Get("Content-Type") != "application/json" {
		t.Errorf("the repeat was answered otherwise:\n%s\n%s", first.body, again.body)
	}
	if create(w.key, "order-2", body).body == first.body || create(w.live, "order-1", body).body == first.body {
		t.Error("another key or another caller got the same session")
	}
	create(w.key, "order-1", map[string]any{"external_reference": "order 2"}).want(t, 409, "request.idempotency_conflict")
	create(w.key, strings.Repeat("k", 101), body).want(t, 400, "request.malformed")
	refused := create(w.key, "order-3", map[string]any{"locale": "?"}).want(t, 400, "request.malformed")
	if create(w.key, "order-3", map[string]any{"locale": "?"}).body != refused.body {
		t.Error("a refusal was not repeated as it was")
	}
	w.clock.move(edge.IdempotencyLife + time.Minute)
	if create(w.key, "order-1", body).want(t, 201, "").body == first.body {
		t.Error("an answer was kept for longer than it says")
	}
}

func TestManyRepeatsAtOnceMakeOneSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	answers := make(chan answer, 8)
	for range cap(answers) {
		go func() {
			r, _ := http.NewRequest("POST", w.url+"/v1/sessions", bytes.NewReader([]byte("{}")))
			r.Header.Set("Authorization", "Bearer "+w.key)
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Idempotency-Key", "same")
			res, err := http.DefaultClient.Do(r)
			if err != nil {
				answers <- answer{body: err.Error()}
				return
			}
			raw, _ := io.ReadAll(res.Body)
			_ = res.Body.Close()
			answers <- answer{status: res.StatusCode, body: string(raw)}
		}()
	}
	made := map[string]bool{}
	for range cap(answers) {
		switch a := <-answers; a.status {
		case 201:
			made[field(a.body, "id")] = true
		case 409: // the first one was still running
		default:
			t.Errorf("got %d %s", a.status, a.body)
		}
	}
	if len(made) != 1 {
		t.Errorf("%d sessions were made, want 1", len(made))
	}
}
