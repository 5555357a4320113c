package httpapi_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// personal are texts that are in the session that an auditor looks at: what the integrator stated, what was read, and what
// somebody wrote about it.
func (w *world) personal(id string) []string {
	w.t.Helper()
	out := []string{"Eriksson", "Quillfeather", "customer-4711", "harbour-side", "example.org/quill"}
	report, _, err := w.sessions.Report(w.t.Context(), idv.Test, idv.SessionID(id))
	must(w.t, err)
	for _, c := range report.Claims {
		if c.Name != idv.Issuer && len(c.Value) > 3 { // codes and letters stand in any answer
			out = append(out, c.Value)
		}
	}
	if report.Document.MRZ != nil {
		out = append(out, report.Document.MRZ.Lines...)
	}
	return out
}

func TestNoAnswerToAnAuditorHoldsWhatIsPersonal(t *testing.T) {
	w := newWorld(t, func(o *httpapi.Options) {
		o.Rates.Member = httpapi.Rate{Calls: 10000, Window: httpapi.MemberRate.Window}
	})
	w.work()
	id, held, _ := w.referredWith(w.key, map[string]any{
		"external_reference": "customer-4711", "return_url": "https://example.org/quill", "metadata": map[string]string{"branch": "harbour-side"},
		"claimed": map[string]string{"family_name": "Eriksson", "given_names": "Anna Maria"},
	})
	cookie := w.signIn()
	w.do(ask{method: "POST", path: "/v1/console/cases/" + held + "/claim", cookie: cookie}).want(t, 200, "")
	w.do(ask{method: "POST", path: "/v1/console/cases/" + held + "/note", cookie: cookie, body: map[string]any{"note": "Telephoned Quillfeather"}}).want(t, 200, "")
	file := w.do(ask{method: "GET", path: "/v1/console/sessions/" + id, cookie: cookie}).want(t, 200, "").body
	known := w.personal(id)
	for _, text := range known[:3] {
		if !strings.Contains(file, text) {
			t.Fatalf("the owner does not see %q: this test would see nothing", text)
		}
	}
	if len(known) < 9 {
		t.Fatalf("only %q is known of the session", known)
	}
	capture, artifact := pathOf(t, file, "/evidence/"), pathOf(t, file, "/artifacts/")

	w.roles.instead = []account.Role{account.Auditor}
	defer func() { w.roles.instead = nil }()
	ids := map[string]string{"{id}": id, "{case}": held, "{member}": w.somebody(cookie), "{entry}": w.entry(), "{capture}": capture, "{artifact}": artifact}
	masked := 0
	for _, r := range w.api.Routes() {
		if r.Who != httpapi.Console || r.May == "" {
			continue
		}
		a := w.do(w.consoleAsk(r, ids, idv.Test, cookie))
		for _, text := range append(known, "\xff\xd8\xff", "\x89PNG") {
			if strings.Contains(a.body, text) {
				t.Errorf("%s tells an auditor %q", r.Pattern(), text)
			}
		}
		if r.Masks {
			masked++
			if a.status >= http.StatusBadRequest && r.ID != "consoleGetReceipt" {
				t.Errorf("%s: got %d %s", r.Pattern(), a.status, a.code())
			}
		}
	}
	if masked < 9 {
		t.Errorf("%d calls mask, want at least 9", masked)
	}
	shown := w.do(ask{method: "GET", path: "/v1/console/sessions/" + id, cookie: cookie}).want(t, 200, "").body
	for _, want := range []string{`"family_name":"E•••"`, `"external_reference":"••••11"`, `"branch":"••••"`, `"outcome":"referred"`, `"checks":[{`} {
		if !strings.Contains(shown, want) {
			t.Errorf("an auditor does not see %s in %s", want, shown)
		}
	}
	for path, code := range map[string]string{
		"/v1/console/sessions?mode=test&q=customer-4711": "auth.forbidden", // a masked reference is not to be guessed
		"/v1/console/sessions/" + id + "/file":           "auth.forbidden",
		"/v1/console/sessions.csv?mode=test":             "auth.forbidden",
	} {
		if a := w.do(ask{method: "GET", path: path, cookie: cookie}); a.code() != code {
			t.Errorf("%s: got %d %s, want %s", path, a.status, a.code(), code)
		}
	}
	w.do(ask{method: "GET", path: "/v1/console/sessions?mode=test&q=" + id, cookie: cookie}).want(t, 200, "")
	var me struct{ May, Masked []string }
	must(t, json.Unmarshal([]byte(w.do(ask{method: "GET", path: "/v1/console/me", cookie: cookie}).body), &me))
	if !slices.Contains(me.May, "sessions.read") || !slices.Contains(me.Masked, "sessions.read") || slices.Contains(me.May, "sessions.search") {
		t.Errorf("an auditor is told that they may %v, masked %v", me.May, me.Masked)
	}
}

func TestWhoeverMayMoreInOneModeIsMaskedInTheOther(t *testing.T) {
	w := newWorld(t)
	cookie := w.signIn()
	body := map[string]any{"claimed": map[string]string{"family_name": "Quillfeather"}}
	test, _ := w.create(w.key, body)
	live, _ := w.create(w.live, body)
	w.roles.instead = []account.Role{account.Developer, account.Auditor}
	defer func() { w.roles.instead = nil }()
	for _, path := range []string{"/v1/console/sessions/" + test, "/v1/console/sessions?mode=test"} {
		if a := w.do(ask{method: "GET", path: path, cookie: cookie}).want(t, 200, ""); !strings.Contains(a.body, "Quillfeather") {
			t.Errorf("%s is masked", path)
		}
	}
	for _, path := range []string{"/v1/console/sessions/" + live, "/v1/console/sessions?mode=live"} {
		if a := w.do(ask{method: "GET", path: path, cookie: cookie}).want(t, 200, ""); strings.Contains(a.body, "Quillfeather") || !strings.Contains(a.body, "Q•••") {
			t.Errorf("%s is not masked: %s", path, a.body)
		}
	}
	w.do(ask{method: "GET", path: "/v1/console/sessions/" + live + "/file", cookie: cookie}).want(t, 404, "not_found")
	w.do(ask{method: "GET", path: "/v1/console/sessions.csv?mode=live", cookie: cookie}).want(t, 403, "auth.forbidden")
}

// pathOf is the id that stands in an answer after a word, up to the quote.
func pathOf(t *testing.T, body, word string) string {
	t.Helper()
	_, rest, ok := strings.Cut(body, word)
	id, _, end := strings.Cut(rest, `"`)
	if !ok || !end {
		t.Fatalf("no %s in %s", word, body)
	}
	return id
}
