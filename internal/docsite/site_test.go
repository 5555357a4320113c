package docsite

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// whole is the site as the program serves it.
func whole(t *testing.T) *Site {
	t.Helper()
	raw, err := os.ReadFile("../../web/src/api/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(os.DirFS("../../docs"), raw)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *Site) html(t *testing.T, path string) string {
	t.Helper()
	f, ok := s.Find(path)
	if !ok {
		t.Fatalf("%s is missing; there are %v", path, s.Paths())
	}
	return string(f.Bytes)
}

var (
	hrefs  = regexp.MustCompile(`href="([^"]+)"`)
	anchor = regexp.MustCompile(` id="([^"]+)"`)
)

func TestEveryLinkLeadsSomewhere(t *testing.T) {
	s := whole(t)
	elsewhere := []string{
		"/openapi.json", "/openapi-3.0.json", "/openapi-integrator.json", "/console",
		"https://age-encryption.org", "https://developers.google.com/tink", "https://opentelemetry.io", "https://systemd.io/CREDENTIALS/",
		"https://www.w3.org/TR/trace-context/",
	}
	for _, path := range s.Paths() {
		if !strings.HasPrefix(s.files[path].Type, "text/html") {
			continue
		}
		for _, m := range hrefs.FindAllStringSubmatch(s.html(t, path), -1) {
			to, part, _ := strings.Cut(m[1], "#")
			if to == "" {
				to = path
			}
			if slices.Contains(elsewhere, to) {
				continue
			}
			f, ok := s.Find(to)
			if !ok {
				t.Errorf("%s links to %s, which is not there", path, m[1])
				continue
			}
			if part != "" && !strings.Contains(string(f.Bytes), ` id="`+part+`"`) {
				t.Errorf("%s links to %s, which is no part of that page", path, m[1])
			}
		}
	}
}

func TestEveryGuideIsServed(t *testing.T) {
	s := whole(t)
	for _, folder := range []string{"integrate", "operate"} {
		files, err := filepath.Glob(filepath.Join("..", "..", "docs", folder, "*.md"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d pages, %v", folder, len(files), err)
		}
		for _, file := range files {
			name := strings.TrimSuffix(filepath.Base(file), ".md")
			if !slices.ContainsFunc(sources, func(src source) bool { return src.file == folder+"/"+name+".md" }) {
				t.Errorf("%s is not served", file)
				continue
			}
			if folder == "operate" {
				s.html(t, "/docs/operate/"+name)
			}
		}
	}
}

func TestAnchorsAreUniqueAndPagesHoldNothingInline(t *testing.T) {
	s := whole(t)
	inline := regexp.MustCompile(`(?i)<script(?:\s+[a-z]+="[^"]*")*\s*>[^<]|<style|\sstyle=|\son[a-z]+=|javascript:|https?://[^"]*\.(?:js|css|woff2)"`)
	for _, path := range s.Paths() {
		if !strings.HasPrefix(s.files[path].Type, "text/html") {
			continue
		}
		body := s.html(t, path)
		if found := inline.FindString(body); found != "" {
			t.Errorf("%s holds %q", path, found)
		}
		seen := map[string]bool{}
		for _, m := range anchor.FindAllStringSubmatch(body, -1) {
			if seen[m[1]] {
				t.Errorf("%s has %s twice", path, m[1])
			}
			seen[m[1]] = true
		}
		if strings.Count(body, "<h1>") != 1 {
			t.Errorf("%s has %d titles", path, strings.Count(body, "<h1>"))
		}
	}
}

func TestACodeOfTheCatalogueIsItsOwnAnchor(t *testing.T) {
	body := whole(t).html(t, "/docs/errors")
	for _, code := range []string{"capture.blurred", "rate.limited", "not_found"} {
		if !strings.Contains(body, ` id="`+code+`"`) {
			t.Errorf("%s has no anchor", code)
		}
	}
}

func TestEveryCallHasItsPlaceAndItsCurl(t *testing.T) {
	s := whole(t)
	raw, err := os.ReadFile("../../web/src/api/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var d description
	if err := json.Unmarshal(raw, &d); err != nil {
		t.Fatal(err)
	}
	for path, ops := range d.Paths {
		for _, op := range ops {
			body := s.html(t, "/docs/api/"+groupOf(path, op))
			if !strings.Contains(body, `<h2 id="`+op.ID+`">`) || !strings.Contains(body, pathExamples.Replace(path)) {
				t.Errorf("%s (%s) is not described, or not as curl", op.ID, path)
			}
		}
	}
	body := s.html(t, "/docs/api/sessions")
	for _, want := range []string{"Authorization: Bearer $BONAFIDE_KEY", "curl -X POST", "Idempotency-Key", "link_expires_at"} {
		if !strings.Contains(body, want) {
			t.Errorf("the page of sessions lacks %q", want)
		}
	}
}

func TestTheSearchFindsCodesAndCalls(t *testing.T) {
	f, ok := whole(t).Find("/docs/search.json")
	if !ok {
		t.Fatal("no index")
	}
	var index []entry
	if err := json.Unmarshal(f.Bytes, &index); err != nil {
		t.Fatal(err)
	}
	for _, url := range []string{"/docs/errors#face.mismatch", "/docs/api/sessions#createSession", "/docs/guides/quick-start#create-a-session"} {
		if !slices.ContainsFunc(index, func(e entry) bool { return e.URL == url && e.Title != "" }) {
			t.Errorf("%s cannot be found", url)
		}
	}
}

func TestWhatStandsInADescriptionIsOnlyText(t *testing.T) {
	evil := `<script>alert(1)</script><img src=x onerror=alert(1)>`
	api, err := json.Marshal(map[string]any{"paths": map[string]any{"/v1/x/{id}": map[string]any{"post": map[string]any{
		"operationId": "x", "summary": evil, "description": evil + " [a](javascript:alert(1))", "security": []any{map[string]any{"apiKey": []any{}}},
		"parameters": []any{map[string]any{"name": evil, "in": "path", "description": evil, "schema": map[string]any{"type": "string"}}},
		"requestBody": map[string]any{"content": map[string]any{"application/json": map[string]any{"schema": map[string]any{
			"type": "object", "required": []any{"a"}, "properties": map[string]any{"a": map[string]any{"type": "string", "example": evil}},
		}}}},
	}}}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(fstest.MapFS{"reference/errors.md": {Data: []byte("# A\n\n" + evil + "\n\n## `" + evil + "`\n\n```sh\n" + evil + "\n```\n")}}, api)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/docs/api/x", "/docs/errors", "/docs"} {
		if body := s.html(t, path); strings.Contains(body, "<script>alert") || strings.Contains(body, "<img") || strings.Contains(body, `href="javascript:`) {
			t.Errorf("%s: what was text has become part of the page", path)
		}
	}
}

func TestARecursiveSchemaEnds(t *testing.T) {
	api := `{"paths":{"/v1/x":{"get":{"operationId":"x","summary":"x","responses":
		{"200":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/A"}}}}}}}},
		"components":{"schemas":{"A":{"type":"object","properties":{"a":{"$ref":"#/components/schemas/A"},
			"b":{"type":"array","items":{"$ref":"#/components/schemas/A"}},"c":{"$ref":"#/components/schemas/C"}}},
		"C":{"$ref":"#/components/schemas/C"}}}}`
	if _, err := New(nil, []byte(api)); err != nil {
		t.Fatal(err)
	}
}

func FuzzDescription(f *testing.F) {
	raw, err := os.ReadFile("../../web/src/api/openapi.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(raw[:2000])
	f.Add([]byte(`{"paths":{"/v1/x":{"get":{"parameters":[{"schema":null}]}}}}`))
	f.Fuzz(func(_ *testing.T, raw []byte) {
		_, _ = New(nil, raw) // must not panic or hang, whatever it reads
	})
}
