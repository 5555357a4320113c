package httpapi_test

import (
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// linesOf are the objects of an export, by one of their fields.
func linesOf(t *testing.T, body, by string) []string {
	t.Helper()
	var out []string
	for line := range strings.Lines(body) {
		var x map[string]any
		must(t, json.Unmarshal([]byte(line), &x))
		s, _ := x[by].(string)
		out = append(out, s)
	}
	return out
}

func TestTheListIsExportedByKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.work()
	done, _ := w.decided("anna")
	plain, _ := w.create(w.key, map[string]any{"external_reference": "=1+2", "metadata": map[string]string{"desk": "harbour-side"}})
	w.create(w.live, map[string]any{"external_reference": "another-mode"})
	get := func(query, key string) answer {
		return w.do(ask{method: "GET", path: "/v1/exports/sessions?" + query, bearer: key})
	}

	lines := get("sort=created_at&expand=verified", w.key).want(t, 200, "")
	if d := cmp.Diff([]string{done, plain}, linesOf(t, lines.body, "id")); d != "" || lines.header.Get("Content-Type") != "application/jsonl" {
		t.Errorf("%s (-want +got):\n%s", lines.header.Get("Content-Type"), d)
	}
	if first, rest, _ := strings.Cut(lines.body, "\n"); outputsOf(t, first) == nil || outputsOf(t, rest) != nil || strings.Contains(lines.body, "another-mode") {
		t.Errorf("lines: %s", lines.body)
	}
	if after := get("sort=created_at&after="+done, w.key).want(t, 200, ""); len(linesOf(t, after.body, "id")) != 1 {
		t.Errorf("after the first: %s", after.body)
	}
	rows, err := csv.NewReader(strings.NewReader(get("format=csv&state=created", w.key).want(t, 200, "").body)).ReadAll()
	if err != nil || len(rows) != 2 || rows[0][0] != "id" || rows[1][0] != plain || rows[1][2] != "'=1+2" {
		t.Errorf("CSV: %q, %v", rows, err)
	}
	_, narrow, err := w.accounts.Keys.Create(t.Context(), "no search", idv.Test, account.SessionsRead)
	must(t, err)
	if sheet := get("format=csv", narrow).want(t, 200, "").body; strings.Contains(sheet, "1+2") || strings.Contains(sheet, "harbour") {
		t.Errorf("without sessions.search: %s", sheet)
	}
	get("expand=verified", narrow).want(t, 403, "auth.forbidden")
	get("format=xml", w.key).want(t, 400, "request.malformed")
	if !w.audited("sessions.exported") {
		t.Error("it is not on record")
	}
}

func TestTheAuditLogAndFiguresAreExportedByKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id, _ := w.create(w.key, map[string]any{"external_reference": "order-17"})
	entries := w.do(ask{method: "GET", path: "/v1/exports/audit-entries", bearer: w.live}).want(t, 200, "")
	if got := strings.Join(linesOf(t, entries.body, "action"), " "); !strings.Contains(got, "session.created") || !strings.Contains(got, "audit.exported") {
		t.Errorf("entries: %s", entries.body)
	}
	if strings.Contains(entries.body, "order-17") || !strings.Contains(entries.body, id) || strings.Contains(entries.body, `"actor_name":"A`) {
		t.Errorf("entries: %s", entries.body)
	}
	sheet := w.do(ask{method: "GET", path: "/v1/exports/audit-entries?format=csv&action=session.created", bearer: w.live}).want(t, 200, "")
	if rows, err := csv.NewReader(strings.NewReader(sheet.body)).ReadAll(); err != nil || len(rows) != 2 || rows[1][7] != id {
		t.Errorf("CSV: %q, %v", rows, err)
	}
	w.do(ask{method: "GET", path: "/v1/exports/audit-entries", bearer: w.key}).want(t, 403, "auth.forbidden")
	w.do(ask{method: "GET", path: "/v1/exports/audit-entries?after=first", bearer: w.live}).want(t, 400, "request.malformed")
	_, narrow, err := w.accounts.Keys.Create(t.Context(), "no audit", idv.Live, account.SessionsRead)
	must(t, err)
	w.do(ask{method: "GET", path: "/v1/exports/audit-entries", bearer: narrow}).want(t, 403, "auth.forbidden")
	w.do(ask{method: "GET", path: "/v1/exports/figures", bearer: narrow}).want(t, 403, "auth.forbidden")

	figures := w.do(ask{method: "GET", path: "/v1/exports/figures", bearer: w.key}).want(t, 200, "")
	if first, _, _ := strings.Cut(figures.body, "\n"); !strings.HasPrefix(first, `{"group":"total","key":"","counts":{"created":1,`) {
		t.Errorf("figures: %s", figures.body)
	}
	table := w.do(ask{method: "GET", path: "/v1/exports/figures?format=csv", bearer: w.key}).want(t, 200, "")
	if !strings.HasPrefix(table.body, "group,key,created,") || !strings.Contains(table.body, "total,,1,0,0,0,0,0,0,0,0") {
		t.Errorf("figures: %s", table.body)
	}
}

func TestVersionsOfTheAPI(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	get := func(version string) answer {
		a := ask{method: "GET", path: "/v1/version", bearer: w.key}
		if version != "" {
			a.header = map[string]string{"Bonafide-Version": version}
		}
		return w.do(a)
	}
	newest := get("").want(t, 200, "")
	if newest.header.Get("Bonafide-Version") != field(newest.body, "api_version") ||
		newest.header.Get("Deprecation") != "" || field(newest.body, "version") == "" {
		t.Errorf("%v: %s", newest.header, newest.body)
	}
	old := get("2026-06-01").want(t, 200, "")
	for name, want := range map[string]string{
		"Bonafide-Version": "2026-06-01", "Deprecation": "@1795478400", "Sunset": "Wed, 24 Nov 2027 00:00:00 GMT",
		"Link": `<http://localhost/docs/guides/versions>; rel="deprecation"; type="text/html"`,
	} {
		if got := old.header.Get(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	get("tomorrow").want(t, 400, "request.unknown_version")
	refused := ask{method: "GET", path: "/v1/sessions?limit=0", bearer: w.key, header: map[string]string{"Bonafide-Version": "2026-06-01"}}
	a := w.do(refused).want(t, 400, "request.malformed")
	if field(a.body, "type") != "/docs/errors#request.malformed" || !strings.Contains(a.body, `"severity":""`) {
		t.Errorf("a problem of the old version: %s", a.body)
	}
	refused.header = nil
	a = w.do(refused).want(t, 400, "request.malformed")
	if field(a.body, "type") != "http://localhost/docs/errors#request.malformed" || strings.Contains(a.body, "severity") {
		t.Errorf("a problem of the newest: %s", a.body)
	}
	if page := w.do(ask{method: "GET", path: "/v1/nothing", bearer: w.key}); page.header.Get("Bonafide-Version") == "" {
		t.Error("an address that there is not says no version")
	}
	if page := w.do(ask{method: "GET", path: "/healthz"}); page.header.Get("Bonafide-Version") != "" {
		t.Error("what is no call of the API says a version")
	}
}

func TestTheDescriptionForIntegratorsHasTheirCallsAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := w.do(ask{method: "GET", path: "/openapi-integrator.json"}).want(t, 200, "")
	var d struct {
		Info    struct{ Version string }
		Servers []struct{ URL string }
		Paths   map[string]map[string]struct {
			Responses map[string]struct {
				Content map[string]struct{ Example map[string]any }
			}
		}
		Components struct {
			Schemas, SecuritySchemes map[string]any
		}
	}
	must(t, json.Unmarshal([]byte(a.body), &d))
	if len(d.Servers) != 1 || d.Servers[0].URL != "http://localhost" || d.Info.Version == "" || len(d.Paths) < 20 {
		t.Errorf("servers %v, version %q, %d paths", d.Servers, d.Info.Version, len(d.Paths))
	}
	if d.Components.SecuritySchemes["console"] != nil || d.Components.Schemas["SessionFile"] != nil || d.Components.Schemas["Session"] == nil {
		t.Errorf("it has what the console alone has")
	}
	for path := range d.Paths {
		if strings.HasPrefix(path, "/v1/console/") || strings.HasPrefix(path, "/v1/applicant/") {
			t.Errorf("it has %s", path)
		}
	}
	for name := range d.Components.Schemas {
		if !strings.Contains(a.body, `"#/components/schemas/`+name+`"`) {
			t.Errorf("nothing refers to %s", name)
		}
	}
	sample := func(path, method, status string) map[string]any {
		return d.Paths[path][method].Responses[status].Content["application/json"].Example
	}
	x := sample("/v1/sessions", "post", "201")
	if x["state"] != "created" || x["outcome"] != nil || x["decided_at"] != nil || x["verified"] != nil || x["url"] == nil {
		t.Errorf("a session that was made: %v", x)
	}
	x = sample("/v1/sessions/{id}", "get", "200")
	if x["state"] != "approved" || x["outcome"] != "approved" || x["decided_at"] == nil || x["verified"] == nil || x["url"] != nil {
		t.Errorf("a session that was approved: %v", x)
	}
}

func TestTheConsoleExportsWhatItLists(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.work()
	done, _ := w.decided("anna")
	plain, _ := w.create(w.key, map[string]any{"external_reference": "=1+2"})
	cookie := w.signIn()
	get := func(path string) answer {
		return w.do(ask{method: "GET", path: "/v1/console/exports/" + path, cookie: cookie})
	}

	lines := get("sessions?sort=created_at").want(t, 200, "")
	if d := cmp.Diff([]string{done, plain}, linesOf(t, lines.body, "id")); d != "" || lines.header.Get("Content-Type") != "application/jsonl" {
		t.Errorf("%s (-want +got):\n%s", lines.header.Get("Content-Type"), d)
	}
	if bar := get("sessions?verdict=decided").want(t, 200, ""); cmp.Diff([]string{done}, linesOf(t, bar.body, "id")) != "" {
		t.Errorf("of the bar: %s", bar.body)
	}
	if !w.audited("sessions.exported") {
		t.Error("an export of sessions is not on record")
	}

	entries := get("audit-entries?actor=user").want(t, 200, "")
	by := strings.Join(linesOf(t, entries.body, "actor"), " ")
	if by == "" || strings.Trim(strings.ReplaceAll(by, "user", ""), " ") != "" || strings.Contains(entries.body, `"actor_name":"A`) {
		t.Errorf("entries of members: %s", entries.body)
	}
	rows, err := csv.NewReader(strings.NewReader(get("audit-entries?format=csv&action=session.created&about="+plain).want(t, 200, "").body)).ReadAll()
	if err != nil || len(rows) != 2 || rows[0][0] != "id" || rows[1][7] != plain {
		t.Errorf("CSV: %q, %v", rows, err)
	}
	get("audit-entries?actor=somebody").want(t, 400, "request.malformed")
	if !w.audited("audit.exported") {
		t.Error("an export of the audit log is not on record")
	}

	if figures := get("figures?format=csv").want(t, 200, "").body; !strings.HasPrefix(figures, "group,key,created,") || !strings.Contains(figures, "total,,2,") {
		t.Errorf("figures: %s", figures)
	}
	get("figures?format=xml").want(t, 400, "request.malformed")
	w.roles.instead = []account.Role{account.Reviewer}
	get("audit-entries").want(t, 403, "auth.forbidden")
	get("sessions").want(t, 200, "")
	w.roles.instead = []account.Role{account.Auditor}
	get("audit-entries").want(t, 200, "")
	get("figures").want(t, 200, "")
	get("sessions").want(t, 403, "auth.forbidden")
}
