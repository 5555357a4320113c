package httpapi_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
)

// ways in which a page is closed to other pages, or open to some.
type ways struct{ Ancestors, Frame, Opener, Told string }

func waysOf(a answer) ways {
	_, rest, _ := strings.Cut(a.header.Get("Content-Security-Policy"), "frame-ancestors ")
	ancestors, _, _ := strings.Cut(rest, ";")
	_, rest, _ = strings.Cut(a.body, `name="bonafide-embed" content="`)
	told, _, _ := strings.Cut(rest, `"`)
	return ways{ancestors, a.header.Get("X-Frame-Options"), a.header.Get("Cross-Origin-Opener-Policy"), told}
}

func TestOnlyPagesThatTheWorkflowNamesMayShowTheApplicantsPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := editor{w, w.signIn()}
	file, draft := e.draft(t, "embedded", func(s *wire.WorkflowSpec) {
		s.EmbedOrigins = []string{" https://Shop.example/ ", "http://localhost:3000"}
	})
	if d := cmp.Diff([]string{"https://shop.example", "http://localhost:3000"}, draft.Spec.EmbedOrigins); d != "" {
		t.Errorf("as browsers spell them (-want +got):\n%s", d)
	}
	read[wire.WorkflowVersion](t, e.publish(file.ID, draft.Revision), 200)
	id, link := w.create(w.key, map[string]any{"workflow": "embedded"})
	other, otherLink := w.create(w.key, nil)

	closed := ways{"'none'", "DENY", "same-origin", ""}
	open := ways{"https://shop.example http://localhost:3000", "", "unsafe-none", "https://shop.example http://localhost:3000"}
	for _, c := range []struct {
		name, path string
		want       ways
	}{
		{"the link of a session of that workflow", "/v/" + link, open},
		{"the flow of that session, after loading it again", "/verify/" + id, open},
		{"a session of another workflow", "/v/" + otherLink, closed},
		{"its flow", "/verify/" + other, closed},
		{"a link that there is not", "/v/" + strings.Repeat("a", len(link)), closed},
		{"what is no id", "/verify/ses_1", closed},
		{"the console", "/console", closed},
		{"the documentation", "/docs", ways{"'none'", "DENY", "same-origin", ""}},
	} {
		w.run(t, c.name, func(t *testing.T) {
			a := w.do(ask{method: "GET", path: c.path}).want(t, 200, "")
			if d := cmp.Diff(c.want, waysOf(a)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			if strings.Contains(a.header.Get("Content-Security-Policy"), "*") || a.header.Get("Access-Control-Allow-Origin") != "" {
				t.Errorf("headers: %v", a.header)
			}
		})
	}

	for _, mask := range []string{"..%2F..%2F", "%2e%2e%2f%2e%2e%2f", "%2E%2E/..%2F", "x%2F..%2F..%2F..%2F", ".%2F../..%2F"} {
		for _, victim := range []string{"/verify/" + other, "/v/" + otherLink} {
			for _, own := range []string{"v/" + link, "verify/" + id} {
				refusedToBeShown(t, w, victim+"/"+mask+own)
			}
		}
	}
	for _, path := range []string{
		"/v/" + link + "/more", "/v/" + link + "%2F", "/v/" + link + "/", "/verify/" + strings.Replace(id, "_", "%5F", 1), "/%76/" + link,
	} {
		refusedToBeShown(t, w, path)
	}

	token := w.open(link)
	handed := field(w.do(ask{method: "POST", path: "/v1/applicant/handoff", bearer: token, body: map[string]any{}}).want(t, 200, "").body, "url")
	a := w.do(ask{method: "GET", path: handed[strings.Index(handed, "/v/"):]}).want(t, 200, "")
	if d := cmp.Diff(closed, waysOf(a)); d != "" {
		t.Errorf("a hand-off's link is opened by a camera, not by a page (-want +got):\n%s", d)
	}
}

// refusedToBeShown asks for an address that a page could read otherwise than the server does.
func refusedToBeShown(t *testing.T, w *world, path string) {
	t.Helper()
	a := w.do(ask{method: "GET", path: path})
	if got := waysOf(a); a.status == 200 || got.Ancestors != "'none'" || got.Told != "" {
		t.Errorf("%s: %d, %+v", path, a.status, got)
	}
}

func TestADraftWithAStarAsOriginIsNotPublished(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := editor{w, w.signIn()}
	file, draft := e.draft(t, "starred", func(s *wire.WorkflowSpec) { s.EmbedOrigins = []string{"https://*.shop.example"} })
	if len(draft.Issues) != 1 || draft.Issues[0].Field != "/embed_origins/0" {
		t.Errorf("issues: %+v", draft.Issues)
	}
	e.publish(file.ID, draft.Revision).want(t, 422, "workflow.invalid")
}

func TestAFrameOfAPageThatMayNotEmbedSaysWhatToChange(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := editor{w, w.signIn()}
	file, draft := e.draft(t, "embedded", func(s *wire.WorkflowSpec) { s.EmbedOrigins = []string{"https://shop.example"} })
	read[wire.WorkflowVersion](t, e.publish(file.ID, draft.Revision), 200)
	_, link := w.create(w.key, map[string]any{"workflow": "embedded"})
	_, closed := w.create(w.key, nil)
	for _, c := range []struct {
		name, link, dest, site, referer string
		says                            string // the origin that it names; empty for the page itself
	}{
		{"a page that is named", link, "iframe", "cross-site", "https://shop.example/checkout", ""},
		{"a page that is not", link, "iframe", "cross-site", "https://other.example/", "https://other.example"},
		{"a page that writes markup into its name", link, "iframe", "cross-site", "https://<b>.example/", "https://&lt;b&gt;.example"},
		{"a page that does not say who it is, where some are named", link, "iframe", "cross-site", "", ""},
		{"a page that does not say who it is, where none is named", closed, "iframe", "cross-site", "", "your page"},
		{"a neighbour, where none is named", closed, "iframe", "same-site", "https://other.example/", "https://other.example"},
		{"a tab", closed, "document", "cross-site", "https://other.example/", ""},
		{"a browser that says nothing", closed, "", "", "https://other.example/", ""},
	} {
		w.run(t, c.name, func(t *testing.T) {
			header := map[string]string{"Sec-Fetch-Dest": c.dest, "Sec-Fetch-Site": c.site, "Referer": c.referer}
			a := w.do(ask{method: "GET", path: "/v/" + c.link, header: header})
			if c.says == "" {
				a.want(t, 200, "")
				if strings.Contains(a.body, "embed_origins") || waysOf(a).Ancestors == "*" {
					t.Errorf("the page itself is not there: %s", a.body)
				}
				return
			}
			if a.status != 403 || !strings.Contains(a.body, c.says) || !strings.Contains(a.body, "embed_origins") || waysOf(a).Ancestors != "*" {
				t.Errorf("%d, %v: %s", a.status, a.header, a.body)
			}
			for _, secret := range []string{c.link, "<b>", "bonafide-embed", "script-src 'self'", "Harbour"} {
				if strings.Contains(a.body+a.header.Get("Content-Security-Policy"), secret) {
					t.Errorf("it holds %s: %s", secret, a.body)
				}
			}
		})
	}
}
