package httpapi_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/webhook"
)

// personalOf are texts that are in the session that an auditor looks at: what the integrator stated, what was read, and what
// somebody wrote about it.
func personalOf(w *world, id string) []string {
	w.t.Helper()
	out := []string{"Eriksson", "Quillfeather", "customer-4711", "harbour-side", "desk-of-quill", "example.org/quill"}
	report, _, err := w.sessions.Sessions.Report(w.t.Context(), idv.Test, idv.SessionID(id))
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
	t.Parallel()
	w := newWorld(t, func(o *httpapi.Options) {
		o.Rates.Member = edge.Rate{Calls: 10000, Window: edge.MemberRate.Window}
	})
	endpoint := answeredOf(w, idv.Test) // before anything is sent
	w.work()
	id, held, _ := w.referredWith(w.key, map[string]any{
		"external_reference": "customer-4711", "return_url": "https://example.org/quill",
		"metadata": map[string]string{"desk-of-quill": "harbour-side", "tier": "gold"},
		"claimed":  map[string]string{"family_name": "Eriksson", "given_names": "Anna Maria"},
	})
	cookie := w.signIn()
	w.do(ask{method: "POST", path: "/v1/console/cases/" + held + "/claim", cookie: cookie}).want(t, 200, "")
	w.do(ask{
		method: "POST", path: "/v1/console/cases/" + held + "/note", cookie: cookie, body: map[string]any{"note": "Telephoned Quillfeather"},
	}).want(t, 200, "")
	file := w.do(ask{method: "GET", path: "/v1/console/sessions/" + id, cookie: cookie}).want(t, 200, "").body
	known := personalOf(w, id)
	for _, text := range known[:5] {
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
		if r.Who != edge.Console || r.May == "" {
			continue
		}
		if strings.HasPrefix(r.Path, "/v1/console/webhook-endpoints/") {
			ids["{id}"] = endpoint
		} else {
			ids["{id}"] = id
		}
		a := w.do(consoleAsk(w, r, ids, idv.Test, cookie))
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
	for _, want := range []string{
		`"family_name":"E•••"`, `"external_reference":"••••11"`, `"metadata":{"••••1":"••••","••••2":"••••"}`,
		`"outcome":"referred"`, `"checks":[{`,
	} {
		if !strings.Contains(shown, want) {
			t.Errorf("an auditor does not see %s in %s", want, shown)
		}
	}
	for path, code := range map[string]string{
		"/v1/console/sessions?mode=test&q=customer-4711": "auth.forbidden", // a masked reference is not to be guessed
		"/v1/console/sessions/" + id + "/file":           "auth.forbidden",
		"/v1/console/exports/sessions?mode=test":         "auth.forbidden",
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

// answeredOf is an endpoint with a delivery, whose receiver answered with somebody's name.
func answeredOf(w *world, mode idv.Mode) string {
	w.t.Helper()
	to := map[idv.Mode]string{idv.Test: "http://127.0.0.1:9/in", idv.Live: "https://93.184.215.14/in"}
	e, err := w.hooks.Create(w.t.Context(), webhook.Spec{Mode: mode, URL: to[mode], Events: []string{"session.cancelled"}})
	must(w.t, err)
	d, err := w.hooks.Test(w.t.Context(), mode, e.ID)
	must(w.t, err)
	must(w.t, w.store.SaveResults(w.t.Context(), e.ID, []webhook.Result{{
		Delivery: d.ID, State: webhook.Delivered, Attempt: webhook.Attempt{At: w.clock.now(), Status: 200, Excerpt: "stored for Quillfeather"},
	}}, false))
	return string(e.ID)
}

func TestWhatAReceiverAnsweredIsForWhoeverMayReadSessions(t *testing.T) {
	t.Parallel()
	w := newWorld(t) // where nothing is sent
	cookie := w.signIn()
	defer func() { w.roles.instead = nil }()
	for _, mode := range []idv.Mode{idv.Test, idv.Live} {
		endpoint := answeredOf(w, mode)
		look := func(who string, a ask, base string, reads bool) {
			t.Helper()
			a.method, a.path = "GET", base+"/webhook-endpoints/"+endpoint+"/deliveries"
			shown := w.do(a).want(t, 200, "").body
			if strings.Contains(shown, "Quillfeather") != reads || !strings.Contains(shown, `"status":200`) {
				t.Errorf("%s in %s mode, reads %v: %s", who, mode, reads, shown)
			}
			a.method, a.path = "POST", a.path+"/"+field(firstItem(t, shown), "id")+"/resend"
			if again := w.do(a); again.status == http.StatusOK && strings.Contains(again.body, "Quillfeather") != reads {
				t.Errorf("%s in %s mode, by sending again, reads %v: %s", who, mode, reads, again.body)
			}
		}
		for _, role := range []account.Role{account.Owner, account.Admin, account.Developer, account.Auditor} {
			w.roles.instead = []account.Role{role}
			look(string(role), ask{cookie: cookie}, "/v1/console", account.May(w.roles.instead, account.SessionsRead, mode))
		}
		hooks := []account.Permission{account.WebhooksRead, account.WebhooksWrite}
		_, blind, err := w.accounts.Keys.Create(t.Context(), "webhooks", mode, hooks...)
		must(t, err)
		look("a key for webhooks", ask{bearer: blind}, "/v1", false)
		_, sees, err := w.accounts.Keys.Create(t.Context(), "webhooks and sessions", mode, append(hooks, account.SessionsRead)...)
		must(t, err)
		look("a key that reads sessions, too", ask{bearer: sees}, "/v1", true)
	}
}

// firstItem is the first item of a page.
func firstItem(t *testing.T, page string) string {
	t.Helper()
	var found struct{ Items []json.RawMessage }
	must(t, json.Unmarshal([]byte(page), &found))
	if len(found.Items) == 0 {
		t.Fatalf("nothing in %s", page)
	}
	return string(found.Items[0])
}

func TestWhoeverMayMoreInOneModeIsMaskedInTheOther(t *testing.T) {
	t.Parallel()
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
	w.do(ask{method: "GET", path: "/v1/console/exports/sessions?mode=live", cookie: cookie}).want(t, 403, "auth.forbidden")
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
