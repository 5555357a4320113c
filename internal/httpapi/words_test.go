package httpapi_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bonafide-id/bonafide/internal/brand"
	"github.com/bonafide-id/bonafide/internal/httpapi"
)

func TestThePageNamesTheWordsThatItsBrowserWillAskFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(o *httpapi.Options) {
		o.Look = brand.Look{Languages: []string{"de", "pt", "en"}}
		o.Site = fstest.MapFS{
			"applicant/index.html": {Data: []byte("<html><head></head></html>")},
			"console/index.html":   {Data: []byte("<html><head></head></html>")},
			"assets/applicant/manifest.json": {Data: []byte(`{
				"src/i18n/applicant/en.json": {"file": "assets/applicant/en-1.js"}, "src/i18n/applicant/de.json": {"file": "assets/applicant/de-2.js"},
				"src/i18n/applicant/pt.json": {"file": "assets/applicant/pt-3.js"}, "src/i18n/applicant/fr.json": {"file": "assets/applicant/fr-4.js"},
				"src/applicant/flow/Flow.tsx": {"file": "assets/applicant/Flow-5.js"}}`)},
		}
	})
	for _, c := range []struct{ name, wanted, file string }{
		{"the language that is wanted most", "de-AT,de;q=0.9,en;q=0.8", "de-2.js"},
		{"whatever the order in which they are written", "en;q=0.5, pt-BR;q=0.9", "pt-3.js"},
		{"a language that is not offered is passed over", "fr,pt;q=0.5", "pt-3.js"},
		{"a language that there is not is passed over", "sv,nb;q=0.5", "en-1.js"},
		{"nothing said is English", "", "en-1.js"},
		{"what is no language names nothing", `"><script>alert(1)</script>`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			page := w.do(ask{method: http.MethodGet, path: "/v/abc", header: map[string]string{"Accept-Language": c.wanted}}).want(t, 200, "")
			if strings.Contains(page.body, "<script>") {
				t.Errorf("what was asked for stands in the page: %s", page.body)
			}
			if got := strings.Count(page.body, "modulepreload"); got > 1 || (c.file == "") != (got == 0) {
				t.Fatalf("%d files are named: %s", got, page.body)
			}
			if c.file != "" && !strings.Contains(page.body, `href="/assets/applicant/`+c.file+`"`) {
				t.Errorf("got %s, want %s", page.body, c.file)
			}
			if got := page.header.Get("Vary"); !strings.Contains(got, "Accept-Language") {
				t.Errorf("Vary: %q", got)
			}
		})
	}
}
