package httpapi_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bonafide-id/bonafide/internal/brand"
	"github.com/bonafide-id/bonafide/internal/httpapi"
)

func TestTheApplicantsPageTellsTheBrandAndTheConsolesDoesNot(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(o *httpapi.Options) {
		o.Look = brand.Look{Colour: "#c2185b", Logo: []byte("pixels"), Support: `https://bank.example/?a="><b>`}
		o.Site = fstest.MapFS{
			"applicant/index.html": {Data: []byte("<!doctype html><head><title>applicant</title></head>")},
			"console/index.html":   {Data: []byte("<!doctype html><head><title>console</title></head>")},
		}
	})
	page := w.do(ask{method: http.MethodGet, path: "/v/abc"}).want(t, 200, "")
	logo := regexp.MustCompile(`/brand/logo-[0-9a-f]{16}\.png`).FindString(page.body)
	if logo == "" || !strings.Contains(page.body, "#c2185b") || !strings.Contains(page.body, "&#34;name&#34;:") || strings.Contains(page.body, "<b>") {
		t.Fatalf("page: %s", page.body)
	}
	a := w.do(ask{method: http.MethodGet, path: logo}).want(t, 200, "")
	if a.body != "pixels" || a.header.Get("Content-Type") != "image/png" || a.header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("logo: %q %v", a.body, a.header)
	}
	if got := w.do(ask{method: http.MethodGet, path: "/brand/logo-0000000000000000.png"}); got.status != http.StatusNotFound {
		t.Errorf("another logo: %d", got.status)
	}
	if console := w.do(ask{method: http.MethodGet, path: "/console"}).want(t, 200, ""); strings.Contains(console.body, "bonafide-brand") {
		t.Errorf("console: %s", console.body)
	}
}
