package httpapi_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
)

const retentionAt = "/v1/console/settings/retention"

func retentionOf(w *world, cookie string) wire.Retention {
	w.t.Helper()
	var out wire.Retention
	must(w.t, json.Unmarshal([]byte(w.do(ask{method: "GET", path: retentionAt, cookie: cookie}).want(w.t, 200, "").body), &out))
	return out
}

func TestRetentionIsSettledInHours(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cookie := w.signIn()
	first := retentionOf(w, cookie)
	if want := (wire.RetentionSetting{PicturesHours: 2160, ReportHours: 8760, TestHours: 24, AuditHours: 61320}); first.Default != want ||
		first.Set != (wire.RetentionSetting{}) || first.LastRun != nil {
		t.Errorf("before anything was set: %+v", first)
	}
	for name, body := range map[string]map[string]any{
		"longer than the default":         {"pictures_hours": 2161, "report_hours": 0},
		"negative":                        {"pictures_hours": -1, "report_hours": 0},
		"a word":                          {"pictures_hours": "ten", "report_hours": 0},
		"pictures longer than the report": {"pictures_hours": 49, "report_hours": 48},
		"test mode for two days":          {"pictures_hours": 0, "report_hours": 0, "test_hours": 48},
		"the audit log for a month":       {"pictures_hours": 0, "report_hours": 0, "audit_hours": 720},
		"something unknown":               {"pictures_hours": 0, "report_hours": 0, "forever": true},
	} {
		w.run(t, name, func(t *testing.T) {
			code := "request.malformed"
			if name == "something unknown" {
				code = "request.unknown_field"
			}
			w.do(ask{method: "POST", path: retentionAt, cookie: cookie, body: body}).want(t, 400, code)
		})
	}
	if again := retentionOf(w, cookie); again.Set != first.Set {
		t.Errorf("what was refused was kept: %+v", again.Set)
	}
	w.do(ask{
		method: "POST", path: retentionAt, cookie: cookie,
		body: map[string]any{"pictures_hours": 24, "report_hours": 48, "test_hours": 2, "audit_hours": 8760},
	}).want(t, 200, "")
	if got, want := retentionOf(w, cookie).Set, (wire.RetentionSetting{PicturesHours: 24, ReportHours: 48, TestHours: 2, AuditHours: 8760}); got != want {
		t.Errorf("set %+v, want %+v", got, want)
	}
	w.do(ask{method: "POST", path: retentionAt, cookie: cookie, body: map[string]any{"pictures_hours": 12, "report_hours": 48}}).want(t, 200, "")
	if got, want := retentionOf(w, cookie).Set, (wire.RetentionSetting{PicturesHours: 12, ReportHours: 48, TestHours: 2, AuditHours: 8760}); got != want {
		t.Errorf("what was not named changed: %+v, want %+v", got, want)
	}
	log := w.do(ask{method: "GET", path: "/v1/console/audit/entries?action=retention.changed", cookie: cookie}).want(t, 200, "")
	if !strings.Contains(log.body, `"subject":"pictures:24 report:48 test:2 audit:8760"`) {
		t.Errorf("the audit log does not say what was set: %s", log.body)
	}
}

func TestASettingSaysBeforehandWhomItReaches(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.work()
	w.clock.move(-2 * time.Hour) // logins go by the clock of the machine
	id, _ := w.decided("anna")
	held, _ := w.decided("anna")
	w.clock.move(2 * time.Hour)
	cookie := w.signIn()
	w.do(ask{method: "POST", path: "/v1/console/sessions/" + held + "/hold", cookie: cookie, body: map[string]any{"reason": "court " + secret}}).want(t, 200, "")
	preview := func(query string) (out wire.RetentionPreview) {
		t.Helper()
		must(t, json.Unmarshal([]byte(w.do(ask{method: "GET", path: retentionAt + "/preview" + query, cookie: cookie}).want(t, 200, "").body), &out))
		return out
	}
	for query, want := range map[string]wire.RetentionSooner{
		"":                  {Kind: "pictures", Sooner: 0, Next: 0, Week: 1, Month: 1},
		"?test_hours=1":     {Kind: "pictures", Sooner: 1, Next: 1, Week: 1, Month: 1},
		"?pictures_hours=3": {Kind: "pictures", Sooner: 1, Next: 0, Week: 1, Month: 1},
	} {
		if got := preview(query).Kinds[0]; got != want {
			t.Errorf("%q: %+v, want %+v", query, got, want)
		}
	}
	w.do(ask{method: "GET", path: retentionAt + "/preview?pictures_hours=2161", cookie: cookie}).want(t, 400, "request.malformed")
	if retentionOf(w, cookie).Set != (wire.RetentionSetting{}) {
		t.Error("looking changed the setting")
	}
	w.do(ask{method: "POST", path: retentionAt, cookie: cookie, body: map[string]any{"pictures_hours": 0, "report_hours": 0, "test_hours": 1}}).want(t, 200, "")
	for query, want := range map[string]int{"": 1, "?pictures_hours=0": 1, "?test_hours=0": 0} {
		if got := preview(query).Kinds[0].Next; got != want {
			t.Errorf("%q goes on from what is set: %d are due, want %d", query, got, want)
		}
	}
	must(t, w.sessions.Retention.Run(t.Context()))
	shown := retentionOf(w, cookie)
	if shown.LastRun == nil || shown.LastErased == nil || shown.LastErased.Sessions != 1 || shown.LastRun.Failed || shown.Held != 1 {
		t.Errorf("after the run: %+v", shown)
	}
	if a := w.do(ask{method: "GET", path: "/v1/console/sessions/" + id, cookie: cookie}).want(t, 200, ""); !strings.Contains(a.body, `"statement_digest"`) {
		t.Error("the run did not erase what the preview said")
	}
}

func TestLegalHoldsAreListedWithWhoAndWhy(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.work()
	cookie := w.signIn()
	var ids []string
	for _, who := range []string{"anna", "anna", "anna"} {
		id, _ := w.decided(who)
		ids = append(ids, id)
		w.do(ask{method: "POST", path: "/v1/console/sessions/" + id + "/hold", cookie: cookie, body: map[string]any{"reason": "court " + secret}}).want(t, 200, "")
	}
	list := func(query string) (out wire.HeldPage) {
		t.Helper()
		must(t, json.Unmarshal([]byte(w.do(ask{method: "GET", path: retentionAt + "/holds" + query, cookie: cookie}).want(t, 200, "").body), &out))
		return out
	}
	first := list("?limit=2")
	if len(first.Items) != 2 || string(first.Items[0].Session) != ids[2] || first.Next != ids[1] {
		t.Fatalf("first page %+v", first)
	}
	if h := first.Items[0]; h.Reason != "court "+secret || h.Name == "" || !strings.HasPrefix(h.SetBy, "user:usr_") || h.ReportUntil == nil {
		t.Errorf("a hold %+v", h)
	}
	if second := list("?limit=2&after=" + first.Next); len(second.Items) != 1 || string(second.Items[0].Session) != ids[0] || second.Next != "" {
		t.Errorf("second page %+v", second)
	}
	w.do(ask{method: "POST", path: "/v1/console/sessions/" + ids[2] + "/lift-hold", cookie: cookie}).want(t, 200, "")
	if left := list(""); len(left.Items) != 2 {
		t.Errorf("after lifting: %+v", left)
	}
	w.do(ask{method: "GET", path: retentionAt + "/holds?after=somebody", cookie: cookie}).want(t, 400, "request.malformed")
	for _, role := range account.Roles() {
		w.roles.instead = []account.Role{role}
		a := w.do(ask{method: "GET", path: retentionAt + "/holds", cookie: cookie})
		if may := role == account.Owner || role == account.PrivacyOfficer; strings.Contains(a.body, secret) != may {
			t.Errorf("%s reads %d %s", role, a.status, a.body)
		}
	}
	w.roles.instead = nil
	if strings.Contains(w.log.String(), secret) {
		t.Error("the reason of a hold reached the log")
	}
}
