package httpapi_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
)

func TestFiguresCountAndTellNothingOfASession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.work()
	cookie := w.signIn()
	id, _ := w.decided("anna")
	w.wait(id)
	w.create(w.key, map[string]any{"external_reference": "Secretary-77", "claimed": map[string]string{"family_name": "Hidden"}})
	a := w.do(ask{method: "GET", path: "/v1/console/analytics", cookie: cookie}).want(t, 200, "")
	var got wire.Analytics
	if err := json.Unmarshal([]byte(a.body), &got); err != nil {
		t.Fatal(err)
	}
	if got.Total.Created != 2 || got.Total.Opened != 1 || got.Total.Decided != 1 || got.Total.Automatic != 1 || len(got.Course) != 30 || got.Unit != "day" {
		t.Errorf("figures: %+v, %d rows by %s", got.Total, len(got.Course), got.Unit)
	}
	for _, hidden := range []string{"Secretary", "Hidden", id, "ses_", "HOLDER", "L898902C"} {
		if strings.Contains(a.body, hidden) {
			t.Errorf("figures tell %q: %s", hidden, a.body)
		}
	}
	live := w.do(ask{method: "GET", path: "/v1/console/analytics?mode=live", cookie: cookie}).want(t, 200, "")
	if !strings.Contains(live.body, `"total":{"created":0,`) {
		t.Errorf("live mode counts sessions of test mode: %s", live.body)
	}
	for query, field := range map[string]string{"from=2026-13-01": "from", "from=2026-02-01&to=2026-01-01": "from", "from=1990-01-01&to=2026-01-01": "from"} {
		bad := w.do(ask{method: "GET", path: "/v1/console/analytics?" + query, cookie: cookie}).want(t, 400, "request.malformed")
		if !strings.Contains(bad.body, field) {
			t.Errorf("%s: %s", query, bad.body)
		}
	}
	w.roles.instead = []account.Role{account.Developer}
	w.do(ask{method: "GET", path: "/v1/console/analytics?mode=test", cookie: cookie}).want(t, 200, "")
	w.do(ask{method: "GET", path: "/v1/console/analytics?mode=live", cookie: cookie}).want(t, 403, "auth.forbidden")
}

func TestTheSystemPageTellsNoSecretAndNoPlace(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cookie := w.signIn()
	a := w.do(ask{method: "GET", path: "/v1/console/settings/system", cookie: cookie}).want(t, 200, "")
	var got wire.System
	if err := json.Unmarshal([]byte(a.body), &got); err != nil {
		t.Fatal(err)
	}
	if got.Database.Engine != "sqlite" || got.Database.Bytes == 0 || got.Database.Schema != got.Database.Newest {
		t.Errorf("database: %+v", got.Database)
	}
	for _, hidden := range []string{"/tmp", "test.db", "master.key", "file:", "sqlite:"} {
		if strings.Contains(a.body, hidden) {
			t.Errorf("the answer tells %q: %s", hidden, a.body)
		}
	}
	for _, role := range []account.Role{account.Reviewer, account.SeniorReviewer, account.Developer, account.PrivacyOfficer, account.Auditor} {
		w.roles.instead = []account.Role{role}
		w.do(ask{method: "GET", path: "/v1/console/settings/system", cookie: cookie}).want(t, 403, "auth.forbidden")
	}
}
