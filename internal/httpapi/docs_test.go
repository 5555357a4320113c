package httpapi_test

import (
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/httpapi"
)

func withDocs(o *httpapi.Options) { o.Docs = os.DirFS("../../docs") }

func TestTheDocumentationIsServedUnderAStrictPolicy(t *testing.T) {
	w := newWorld(t, withDocs)
	for path, media := range map[string]string{
		"/docs": "text/html", "/docs/": "text/html", "/docs/errors": "text/html", "/docs/limits": "text/html",
		"/docs/operate/install": "text/html", "/docs/configuration": "text/html",
		"/docs/guides/quick-start": "text/html",
		"/docs/api/sessions":       "text/html", "/docs/docs.css": "text/css", "/docs/docs.js": "text/javascript", "/docs/search.json": "application/json",
	} {
		a := w.do(ask{method: "GET", path: path}).want(t, 200, "")
		csp := a.header.Get("Content-Security-Policy")
		if !strings.HasPrefix(a.header.Get("Content-Type"), media) || !strings.Contains(csp, "default-src 'none'") ||
			strings.Contains(csp, "unsafe") || strings.Contains(csp, "http") {
			t.Errorf("%s: %s under %q", path, a.header.Get("Content-Type"), csp)
		}
	}
	for _, path := range []string{"/docs/nothing", "/docs/../console/index.html", "/docs/%2e%2e/page.html", "/docs/integrate/quick-start.md"} {
		if a := w.do(ask{method: "GET", path: path}); a.status == http.StatusOK && strings.Contains(a.body, "docs.css") {
			t.Errorf("%s is answered", path)
		}
	}
	w.do(ask{method: "POST", path: "/docs"}).want(t, 404, "not_found")
}

func TestAProblemNamesThePlaceThatExplainsIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t, withDocs)
	page := w.do(ask{method: "GET", path: "/docs/errors"}).want(t, 200, "").body
	a := w.do(ask{method: "GET", path: "/v1/sessions"}).want(t, 401, "auth.missing")
	if got := field(a.body, "type"); got != "http://localhost/docs/errors#auth.missing" || !strings.Contains(page, `id="auth.missing"`) {
		t.Errorf("type %q, explained there: %v", got, strings.Contains(page, `id="auth.missing"`))
	}
}

func TestTheOlderDescriptionSaysNothingThatOnlyTheNewerKnows(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := w.do(ask{method: "GET", path: "/openapi-3.0.json"}).want(t, 200, "")
	var tree map[string]any
	if err := json.Unmarshal([]byte(a.body), &tree); err != nil {
		t.Fatal(err)
	}
	if tree["openapi"] != "3.0.3" {
		t.Errorf("version %v", tree["openapi"])
	}
	walk(tree, func(m map[string]any) {
		if _, listed := m["examples"].([]any); listed || m["type"] == "null" { // a property may be called so
			t.Errorf("3.0 does not know %v", m)
		}
		if list, ok := m["type"].([]any); ok {
			t.Errorf("3.0 has no list of types: %v", list)
		}
		if m["$ref"] != nil && len(m) > 1 {
			t.Errorf("3.0 ignores what stands beside a reference: %v", m)
		}
	})
	newer := readOpenAPI(t, w)
	if len(newer.Paths) != len(tree["paths"].(map[string]any)) {
		t.Errorf("%d paths, want %d", len(tree["paths"].(map[string]any)), len(newer.Paths))
	}
}

func walk(v any, visit func(map[string]any)) {
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			walk(one, visit)
		}
	case map[string]any:
		visit(v)
		for _, one := range v {
			walk(one, visit)
		}
	}
}
