package httpapi_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/brand"
	"github.com/bonafide-id/bonafide/internal/httpapi"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
)

func logo(t *testing.T) []byte {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, 8, 4))
	m.SetNRGBA(1, 1, color.NRGBA{R: 200, A: 255})
	var out bytes.Buffer
	if err := png.Encode(&out, m); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// branded is a world whose deployment has a look, too.
func branded(t *testing.T) *world {
	return newWorld(t, func(o *httpapi.Options) {
		o.Look = brand.Look{Colour: "#0000aa", Support: "https://deployment.example/help"}
		o.Site = fstest.MapFS{
			"applicant/index.html": {Data: []byte("<html><head></head></html>")}, "console/index.html": {Data: []byte("<html><head></head></html>")},
		}
	})
}

func TestTheApplicantsPagesWearTheBrandOfTheVersion(t *testing.T) {
	t.Parallel()
	w := branded(t)
	e := editor{w, w.signIn()}
	kept := read[wire.KeptLogo](t, w.do(ask{
		method: "POST", path: "/v1/console/workflows/logos", cookie: e.cookie, body: form{"logo": append(logo(t), "<script>"...)},
	}), 201)
	file, draft := e.draft(t, "branded", func(s *wire.WorkflowSpec) {
		s.Brand = wire.WorkflowBrand{
			Name: `Example "><b> Bank`, Colour: "#C2185B", Logo: kept.Digest, Privacy: "https://bank.example/p", Languages: []string{"de", "en"},
			Hello: []wire.WorkflowBrandText{{Language: "en", Text: `"><script>alert(1)</script>`}},
		}
	})
	e.publish(file.ID, draft.Revision).want(t, 200, "")
	made := w.do(ask{method: "POST", path: "/v1/sessions", bearer: w.key, body: map[string]any{"workflow": "branded"}}).want(t, 201, "")
	link := field(made.body, "url")[strings.Index(field(made.body, "url"), "/v/"):]
	token := w.open(strings.TrimPrefix(link, "/v/"))
	w.do(ask{
		method: "POST", path: "/v1/applicant/consent", bearer: token,
		body: map[string]any{"decision": "given", "text_version": "biometric-2026-11-3", "locale": "en"},
	}).want(t, 200, "")
	handoff := w.handOver(token)
	w.open(handoff) // it works once, and the page that says so has a brand, too
	for _, path := range []string{link, "/v/" + handoff, "/verify/" + field(made.body, "id")} {
		page := w.do(ask{method: http.MethodGet, path: path}).want(t, 200, "")
		for _, want := range []string{"#c2185b", kept.Path, "https://bank.example/p", "https://deployment.example/help", "de en"} {
			if !strings.Contains(page.body, want) {
				t.Errorf("%s does not tell %s: %s", path, want, page.body)
			}
		}
		for _, not := range []string{"<script>alert", "<b>", "#0000aa"} {
			if strings.Contains(page.body, not) {
				t.Errorf("%s holds %s: %s", path, not, page.body)
			}
		}
		if page.header.Get("Cache-Control") != "no-store" || !strings.Contains(page.header.Get("Content-Security-Policy"), "default-src 'none'; script-src 'self';") {
			t.Errorf("%s: %v", path, page.header)
		}
	}
	w.do(ask{method: "POST", path: "/v1/applicant/peek", body: map[string]any{"link": strings.TrimPrefix(link, "/v/")}}).want(t, 200, "")
	if page := w.do(ask{method: http.MethodGet, path: "/v/nobody-has-this-link"}).want(t, 200, ""); !strings.Contains(page.body, "#0000aa") ||
		strings.Contains(page.body, "#c2185b") {
		t.Errorf("a link that nobody has: %s", page.body)
	}
	picture := w.do(ask{method: http.MethodGet, path: kept.Path}).want(t, 200, "")
	if picture.header.Get("Content-Type") != "image/png" || strings.Contains(picture.body, "script") ||
		!strings.Contains(picture.header.Get("Cache-Control"), "immutable") {
		t.Errorf("the logo: %v", picture.header)
	}
	w.do(ask{method: http.MethodGet, path: "/brand/" + strings.Repeat("a", 64) + ".png"}).want(t, 404, "not_found")
}

func TestALogoIsTakenFromEditorsAndOnlyIfItIsOne(t *testing.T) {
	t.Parallel()
	w := branded(t)
	e := editor{w, w.signIn()}
	send := func(raw []byte) answer {
		return w.do(ask{method: "POST", path: "/v1/console/workflows/logos", cookie: e.cookie, body: form{"logo": raw}})
	}
	send([]byte(`<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>`)).want(t, 400, "request.malformed")
	send(make([]byte, brand.MaxLogoBytes+1)).want(t, 413, "request.too_large")
	first, again := read[wire.KeptLogo](t, send(logo(t)), 201), read[wire.KeptLogo](t, send(logo(t)), 201)
	if first != again {
		t.Errorf("the same logo twice: %v, %v", first, again)
	}
	file, draft := e.draft(t, "strange", nil)
	draft.Spec.Brand.Logo = strings.Repeat("b", 64)
	e.save(file.ID, draft.Revision, draft.Spec).want(t, 400, "request.malformed")
	w.roles.instead = []account.Role{account.Auditor}
	send(logo(t)).want(t, 403, "auth.forbidden")
}
