package httpapi_test

import (
	"archive/zip"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/casefile"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// caseFileOf asks for a case file and answers its parts and what it proves.
func (w *world) caseFileOf(cookie, id, query string) (map[string]string, audit.Held) {
	w.t.Helper()
	a := w.do(ask{method: "GET", path: "/v1/console/sessions/" + id + "/file" + query, cookie: cookie}).want(w.t, 200, "")
	if a.header.Get("Content-Type") != "application/zip" || a.header.Get("Cache-Control") != "private, no-store" {
		w.t.Errorf("headers %v", a.header)
	}
	held, err := casefile.Verify(strings.NewReader(a.body), int64(len(a.body)))
	must(w.t, err)
	z, err := zip.NewReader(strings.NewReader(a.body), int64(len(a.body)))
	must(w.t, err)
	files := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		must(w.t, err)
		raw, err := io.ReadAll(r)
		must(w.t, err)
		files[f.Name] = string(raw)
	}
	return files, held
}

func TestACaseFileHoldsWithoutTheServer(t *testing.T) {
	w := newWorld(t)
	w.work()
	id, _, _ := w.referred(w.key)
	cookie := w.signIn()

	w.run(t, "without pictures", func(t *testing.T) {
		files, held := w.caseFileOf(cookie, id, "")
		for name := range files {
			if !slices.Contains([]string{"case.html", "case.json", "manifest.json", "proof.json"}, name) {
				t.Errorf("it has %s", name)
			}
		}
		for _, want := range []string{`"ERIKSSON"`, `"made_by": "Ada (usr_`, `"text_version": "1"`, `"by": "policy"`} {
			if !strings.Contains(files["case.json"], want) {
				t.Errorf("case.json lacks %s", want)
			}
		}
		for _, lacks := range []string{"template\"", "link_hash", "token", "127.0.0.1"} {
			if strings.Contains(files["case.json"]+files["case.html"], lacks) {
				t.Errorf("it holds %s", lacks)
			}
		}
		if !strings.Contains(strings.Join(held.Says, "\n"), "session.created "+id) {
			t.Errorf("it proves only %q", held.Says)
		}
	})
	w.run(t, "with pictures, each of which is audited", func(t *testing.T) {
		viewed := len(w.auditPage(cookie, "?action=evidence.viewed").Items)
		files, _ := w.caseFileOf(cookie, id, "?pictures=true")
		if !strings.HasPrefix(files["pictures/02_selfie.jpg"], "\xff\xd8") {
			t.Errorf("the selfie is not there: %d parts", len(files))
		}
		if got := len(w.auditPage(cookie, "?action=evidence.viewed").Items) - viewed; got != 2 {
			t.Errorf("%d pictures are on record, want 2", got)
		}
		if got := w.auditPage(cookie, "?action=session.filed&about="+id).Items; len(got) != 2 || got[0].Name != "Ada" {
			t.Errorf("files on record: %+v", got)
		}
	})
	w.run(t, "to those who may", func(t *testing.T) {
		defer func() { w.roles.instead = nil }()
		path := "/v1/console/sessions/" + id + "/file"
		w.roles.instead = []account.Role{account.PrivacyOfficer}
		w.do(ask{method: "GET", path: path, cookie: cookie}).want(t, 200, "")
		w.do(ask{method: "GET", path: path + "?pictures=true", cookie: cookie}).want(t, 403, "auth.forbidden")
	})
	w.run(t, "of an erased session with nothing personal", func(t *testing.T) {
		_, err := w.sessions.Erase(t.Context(), idv.Test, idv.SessionID(id))
		must(t, err)
		w.do(ask{method: "GET", path: "/v1/console/sessions/" + id + "/file?pictures=true", cookie: cookie}).want(t, 410, "session.erased")
		files, _ := w.caseFileOf(cookie, id, "")
		all := strings.Join([]string{files["case.html"], files["case.json"]}, "\n")
		if strings.Contains(all, "ERIKSSON") || !strings.Contains(all, `"statement"`) || !strings.Contains(all, `"erasings"`) {
			t.Errorf("it holds:\n%s", files["case.json"])
		}
	})
}
