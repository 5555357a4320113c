package httpapi_test

import (
	"encoding/csv"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
)

// savedView saves a view of the owner's.
func savedView(w *world, mode idv.Mode) string {
	w.t.Helper()
	var owner account.User
	users, err := w.accounts.Members.List(w.t.Context())
	must(w.t, err)
	owner = users[0]
	have, err := w.sessions.Views.Views(w.t.Context(), owner.ID, mode)
	must(w.t, err)
	for _, v := range have {
		if v.Name == "walk" {
			return string(v.ID)
		}
	}
	v, err := w.sessions.Views.SaveView(w.t.Context(), session.SavedView{Owner: owner.ID, Mode: mode, Name: "walk"})
	must(w.t, err)
	return string(v.ID)
}

func TestAPersonIsSoughtInABodyAndLeavesNoTrace(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cookie := w.signIn()
	id, _ := w.create(w.key, map[string]any{
		"claimed": map[string]string{
			"given_names": "Zacharias", "family_name": "Quillfeather", "document_number": "QX 771-94",
		}, "metadata": map[string]string{"branch": "harbour-side"},
	})
	other, _ := w.create(w.live, map[string]any{"claimed": map[string]string{"given_names": "Zacharias", "family_name": "Quillfeather"}})
	for name, body := range map[string]map[string]any{
		"name": {"name": "quillfeather zacharias"}, "number": {"document_number": "qx77194"}, "metadata": {
			"metadata": map[string]string{"key": "branch", "value": "harbour-side"},
		},
	} {
		a := w.do(ask{
			method: "POST", path: "/v1/sessions/search", bearer: w.key, body: body, header: map[string]string{"Idempotency-Key": "seek-" + name},
		}).want(t, 200, "")
		if !strings.Contains(a.body, id) || strings.Contains(a.body, other) {
			t.Errorf("by %s: %s", name, a.body)
		}
		body["mode"] = "live"
		if a := w.do(ask{method: "POST", path: "/v1/console/sessions/search", cookie: cookie, body: body}).want(t, 200, ""); strings.Contains(a.body, id) {
			t.Errorf("by %s: found in the other mode", name)
		}
	}
	for name, s := range map[string]scenario{
		"nothing": {ask: ask{body: map[string]any{}}, status: 400, code: "request.malformed"},
		"blanks":  {ask: ask{body: map[string]any{"name": "   "}}, status: 400, code: "request.malformed"},
		"an unknown word": {
			ask: ask{body: map[string]any{"surname": "Quillfeather"}}, status: 400, code: "request.unknown_field", lacks: []string{"Quillfeather"},
		},
		"a control letter": {
			ask: ask{body: map[string]any{"name": "Quillfeather\x00"}}, status: 400, code: "request.malformed", field: "/name",
			lacks: []string{"Quillfeather"},
		},
		"too much of a name": {
			ask: ask{body: map[string]any{"name": strings.Repeat("Quillfeather ", 40)}}, status: 400, code: "request.malformed", field: "/name",
			lacks: []string{"Quillfeather"},
		},
	} {
		s.ask.method, s.ask.path, s.ask.bearer = "POST", "/v1/sessions/search", w.key
		w.run(t, name, func(t *testing.T) { s.run(t, w) })
	}
	if a := w.do(ask{method: "GET", path: "/v1/sessions?q=Quillfeather", bearer: w.key}).want(t, 200, ""); strings.Contains(a.body, id) {
		t.Error("a name finds somebody through the address")
	}
	for _, word := range []string{"Quillfeather", "quillfeather", "QX 771-94", "qx77194", "harbour-side"} {
		if strings.Contains(w.log.String(), word) {
			t.Errorf("the log has %q", word)
		}
	}
}

func TestAKeyThatMayOnlySearchReadsNothingElse(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id, _ := w.create(w.key, map[string]any{
		"claimed": map[string]string{"given_names": "Zacharias", "family_name": "Quillfeather", "address": "1 Harbour Road"}, "external_reference": "order-17",
		"metadata": map[string]string{"branch": "harbour-side"}, "return_url": "https://example.org/back",
	})
	_, only, err := w.accounts.Keys.Create(t.Context(), "only searches", idv.Test, account.SessionsSearch)
	must(t, err)
	_, both, err := w.accounts.Keys.Create(t.Context(), "reads, too", idv.Test, account.SessionsSearch, account.SessionsRead)
	must(t, err)
	seek := ask{method: "POST", path: "/v1/sessions/search", bearer: only, body: map[string]any{"name": "quillfeather zacharias"}}
	found := w.do(seek).want(t, 200, "").body
	for _, has := range []string{id, "order-17", `"state":"created"`} {
		if !strings.Contains(found, has) {
			t.Errorf("it does not tell %s: %s", has, found)
		}
	}
	for _, lacks := range []string{"Quillfeather", "Zacharias", "Harbour", "harbour-side", "example.org"} {
		if strings.Contains(found, lacks) {
			t.Errorf("it tells %s: %s", lacks, found)
		}
	}
	seek.bearer = both
	if found := w.do(seek).want(t, 200, "").body; !strings.Contains(found, "Quillfeather") {
		t.Errorf("whoever may read sessions: %s", found)
	}
}

func TestAKeyThatMayOnlyWriteReadsNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, only, err := w.accounts.Keys.Create(t.Context(), "only writes", idv.Test, account.SessionsWrite)
	must(t, err)
	_, both, err := w.accounts.Keys.Create(t.Context(), "reads, too", idv.Test, account.SessionsWrite, account.SessionsRead)
	must(t, err)
	said := []string{"Quillfeather", "1980-02-03", "Harbour Road", "order-4711", "harbour-side", "example.org"}
	walked := 0
	for _, r := range w.api.Routes() {
		if r.Who != edge.Integrator || r.May != account.SessionsWrite || !strings.Contains(r.Path, "{id}") {
			continue
		}
		walked++
		for key, reads := range map[string]bool{only: false, both: true} {
			id, _ := w.create(w.key, map[string]any{
				"claimed": map[string]string{
					"document_number": "persona:approved", "family_name": "Quillfeather", "date_of_birth": "1980-02-03", "address": "1 Harbour Road",
				},
				"external_reference": "order-4711", "metadata": map[string]string{"branch": "harbour-side"}, "return_url": "https://example.org/back",
			})
			call := ask{method: r.Method, path: filled(r.Path, id), bearer: key, header: map[string]string{"Idempotency-Key": "twice"}}
			if r.Method == http.MethodPatch {
				call.body = `{"metadata":{"more":"words"}}`
			}
			a := w.do(call).want(t, 200, "")
			again := w.do(call).want(t, 200, "")
			if field(a.body, "id") != id || field(a.body, "state") == "" || (field(a.body, "url") != "") != (r.ID == "newLink") {
				t.Errorf("%s answers %s", r.Pattern(), a.body)
			}
			for _, text := range said {
				if strings.Contains(a.body, text) != reads || strings.Contains(again.body, text) != reads {
					t.Errorf("%s, reads %v: %q in %s", r.Pattern(), reads, text, a.body)
				}
			}
		}
	}
	if walked < 3 {
		t.Errorf("%d calls were walked, want cancel, link and simulate", walked)
	}
}

func TestTheSheetHoldsTheListAndNoFormula(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cookie := w.signIn()
	hostile := []string{"=1+2", "+49 30 1234", "-1", "@SUM(A1)", "  =cmd|' /C calc'!A0", "＝1+2", "\"quoted\", and a comma", "plain"}
	want := []string{"'=1+2", "'+49 30 1234", "'-1", "'@SUM(A1)", "'  =cmd|' /C calc'!A0", "'＝1+2", "\"quoted\", and a comma", "plain"}
	for _, reference := range hostile {
		w.clock.move(time.Second) // sessions of one millisecond have no order
		w.create(w.key, map[string]any{"external_reference": reference})
	}
	w.create(w.live, map[string]any{"external_reference": "of the other mode"})
	sheet := func() [][]string {
		t.Helper()
		a := w.do(ask{method: "GET", path: "/v1/console/exports/sessions?format=csv&mode=test&state=created", cookie: cookie}).want(t, 200, "")
		if got := a.header.Get("Content-Type"); got != "text/csv; charset=utf-8" {
			t.Errorf("type %q", got)
		}
		rows, err := csv.NewReader(strings.NewReader(a.body)).ReadAll()
		must(t, err)
		return rows
	}
	got := []string{}
	rows := sheet()
	for i := len(rows) - 1; i > 0; i-- { // the newest come first
		got = append(got, rows[i][2])
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("references (-want +got):\n%s", diff)
	}
	other := ask{method: "GET", path: "/v1/console/exports/sessions?format=csv&mode=test&state=approved", cookie: cookie}
	if strings.Contains(w.do(other).want(t, 200, "").body, "plain") {
		t.Error("the filter does not count")
	}
	w.do(ask{method: "GET", path: "/v1/console/exports/sessions?mode=test&format=xml", cookie: cookie}).want(t, 400, "request.malformed")
	w.roles.instead = []account.Role{account.Developer}
	w.do(ask{method: "GET", path: "/v1/console/exports/sessions?format=csv&mode=live", cookie: cookie}).want(t, 403, "auth.forbidden")
	if len(sheet()) != len(hostile)+1 {
		t.Error("rows are missing")
	}
}

func TestViewsAreOnesOwn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	owner := w.signIn()
	_, other := w.join(w.invite(owner, memberEmail, account.Reviewer))
	view := map[string]any{"mode": "test", "name": "To look at", "filter": map[string]any{"state": []string{"in_review"}, "country": "UTO", "to": "2026-11-21"}}
	a := w.do(ask{method: "POST", path: "/v1/console/views", cookie: owner, body: view}).want(t, 201, "")
	id := field(a.body, "id")
	var list struct{ Items []map[string]any }
	must(t, json.Unmarshal([]byte(w.do(ask{method: "GET", path: "/v1/console/views?mode=test", cookie: owner}).want(t, 200, "").body), &list))
	if len(list.Items) != 1 || list.Items[0]["name"] != "To look at" {
		t.Errorf("views: %v", list.Items)
	}
	if a := w.do(ask{method: "GET", path: "/v1/console/views?mode=test", cookie: other}).want(t, 200, ""); strings.Contains(a.body, "To look at") {
		t.Errorf("somebody else sees %s", a.body)
	}
	w.do(ask{method: "DELETE", path: "/v1/console/views/" + id, cookie: other}).want(t, 404, "not_found")
	w.do(ask{method: "POST", path: "/v1/console/views", cookie: owner, body: view}).want(t, 400, "request.malformed")
	for name, filter := range map[string]map[string]any{
		"what is searched for": {"q": "customer-1"}, "a name": {"name": "Anna"}, "a made-up country": {"country": "<script>"},
		"a day that is none": {"from": "yesterday"},
	} {
		bad := map[string]any{"mode": "test", "name": "bad", "filter": filter}
		if a := w.do(ask{method: "POST", path: "/v1/console/views", cookie: owner, body: bad}); a.status != 400 {
			t.Errorf("%s: got %d %s", name, a.status, a.code())
		}
	}
	w.do(ask{method: "DELETE", path: "/v1/console/views/" + id, cookie: owner}).want(t, 204, "")
	w.do(ask{method: "DELETE", path: "/v1/console/views/" + id, cookie: owner}).want(t, 404, "not_found")
}

func TestFacetsNameWhatIsThere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cookie := w.signIn()
	w.work()
	w.decided("anna")
	a := w.do(ask{method: "GET", path: "/v1/console/sessions/facets?mode=test", cookie: cookie}).want(t, 200, "")
	for _, has := range []string{`"default"`, `{"code":"UTO","name":"Utopia"}`} {
		if !strings.Contains(a.body, has) {
			t.Errorf("%s lacks %s", a.body, has)
		}
	}
	if a := w.do(ask{method: "GET", path: "/v1/console/sessions/facets?mode=live", cookie: cookie}).want(t, 200, ""); strings.Contains(a.body, "UTO") {
		t.Errorf("of live mode: %s", a.body)
	}
}
