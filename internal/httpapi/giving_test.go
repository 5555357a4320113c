package httpapi_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
)

func TestCasesAreGivenOutAsTheSettingSays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cookie := w.signIn()
	const path = "/v1/console/cases/assignment"
	got := read[wire.Assigning](t, w.do(ask{method: "GET", path: path, cookie: cookie}), 200)
	if got.Enabled || got.Most != 5 || got.Away || len(got.Reviewers) != 1 {
		t.Errorf("before anybody set it: %+v", got)
	}
	set := ask{method: "PUT", path: path, cookie: cookie, body: map[string]any{"mode": "test", "enabled": true, "most": 3}}
	if got = read[wire.Assigning](t, w.do(set), 200); !got.Enabled || got.Most != 3 {
		t.Errorf("after it was set: %+v", got)
	}
	read[wire.Presence](t, w.do(ask{method: "PUT", path: "/v1/console/cases/presence", cookie: cookie, body: map[string]any{"away": true}}), 200)
	if got = read[wire.Assigning](t, w.do(ask{method: "GET", path: path, cookie: cookie}), 200); !got.Away || got.Reviewers[0].AwaySince == nil {
		t.Errorf("after the reviewer went away: %+v", got)
	}
	if live := read[wire.Assigning](t, w.do(ask{method: "GET", path: path + "?mode=live", cookie: cookie}), 200); live.Enabled {
		t.Error("test mode's setting holds in live mode")
	}
	set.body = map[string]any{"mode": "test", "enabled": true, "most": 0}
	w.do(set).want(t, 400, "request.malformed")

	w.roles.instead = []account.Role{account.Reviewer}
	defer func() { w.roles.instead = nil }()
	if got = read[wire.Assigning](t, w.do(ask{method: "GET", path: path, cookie: cookie}), 200); len(got.Reviewers) != 0 {
		t.Errorf("a reviewer reads how much others have: %+v", got.Reviewers)
	}
	set.body = map[string]any{"mode": "test", "enabled": false, "most": 3}
	w.do(set).want(t, 403, "auth.forbidden")
	w.do(ask{method: "GET", path: "/v1/console/analytics/reviewers", cookie: cookie}).want(t, 403, "auth.forbidden")
}

func TestTheQueueIsNarrowedByItsAddress(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cookie := w.signIn()
	defer w.work()()
	w.referred(w.key)
	for query, want := range map[string]int{
		"": 1, "&workflow=no_liveness": 1, "&workflow=default": 0, "&reason=face.uncertain": 1, "&reason=document.expired": 0, "&country=UTO": 1,
		"&country=D": 0, "&assignee=nobody": 1, "&overdue=true": 0,
	} {
		page := read[wire.CasePage](t, w.do(ask{method: "GET", path: "/v1/console/cases?tab=all" + query, cookie: cookie}), 200)
		if len(page.Items) != want || page.Counts.All != want {
			t.Errorf("%q leaves %d, counted %d, want %d", query, len(page.Items), page.Counts.All, want)
		}
	}
	for _, query := range []string{"reason=no.such", "country=QQQ", "assignee=x"} {
		w.do(ask{method: "GET", path: "/v1/console/cases?" + query, cookie: cookie}).want(t, 400, "request.malformed")
	}
}

func TestABarLeadsToItsSessionsAndTheirNumber(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cookie := w.signIn()
	w.create(w.key, nil)
	w.create(w.key, nil)
	for query, want := range map[string]int{"verdict=other": 2, "verdict=approved": 0, "reached=opened": 0, "workflow=no_liveness&version=1": 2, "version=2": 0} {
		page := read[wire.ConsoleSessionPage](t, w.do(ask{method: "GET", path: "/v1/console/sessions?total=true&" + query, cookie: cookie}), 200)
		if page.Total == nil || *page.Total != want || len(page.Items) != want {
			t.Errorf("%s: %v in all, %d listed, want %d", query, page.Total, len(page.Items), want)
		}
	}
	if page := read[wire.ConsoleSessionPage](t, w.do(ask{method: "GET", path: "/v1/console/sessions", cookie: cookie}), 200); page.Total != nil {
		t.Error("nobody asked for the number")
	}
	for _, query := range []string{"verdict=maybe", "reached=nowhere", "unknown=name", "left=somewhere"} {
		w.do(ask{method: "GET", path: "/v1/console/sessions?" + query, cookie: cookie}).want(t, 400, "request.malformed")
	}
}

func TestAFileIsComparedWithADraftBeforeItIsTaken(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := editor{w, w.signIn()}
	_, draft := e.draft(t, "compared", nil)
	changed := draft.Spec
	changed.MinimumAge, changed.CaseHours, changed.FaceReferFMR = 18, 24, "1e-9"
	got := read[wire.WorkflowSpecDifferences](t, e.do("POST", "/compare", map[string]any{"mode": "test", "before": draft.Spec, "after": changed}), 200)
	var fields []string
	for _, d := range got.Items {
		fields = append(fields, d.Field)
	}
	if diff := cmp.Diff([]string{"/minimum_age", "/face_refer_fmr", "/case_hours"}, fields); diff != "" {
		t.Errorf("differences (-want +got):\n%s", diff)
	}
	if len(got.Issues) == 0 || got.Issues[0].Field != "/face_refer_fmr" {
		t.Errorf("issues: %+v", got.Issues)
	}
	e.do("POST", "/compare", map[string]any{"mode": "test", "before": draft.Spec, "after": map[string]any{"steps": []string{}, "unheard_of": 1}}).
		want(t, 400, "request.unknown_field")
}

func TestTheConsoleShowsTestSessionsOfMembersInAFrame(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cookie := w.signIn()
	made := func(mode string) string {
		s := read[wire.Session](t, w.do(ask{method: "POST", path: "/v1/console/sessions", cookie: cookie, body: map[string]any{"mode": mode}}), 201)
		return s.URL[strings.Index(s.URL, "/v/"):]
	}
	_, link := w.create(w.key, nil)
	closed := ways{"'none'", "DENY", "same-origin", ""}
	for _, c := range []struct {
		name, path string
		want       ways
	}{
		{"a member's in test mode", made("test"), ways{"'self'", "", "unsafe-none", ""}},
		{"a member's in live mode", made("live"), closed},
		{"an integrator's in test mode", "/v/" + link, closed},
	} {
		if d := cmp.Diff(c.want, waysOf(w.do(ask{method: "GET", path: c.path}).want(t, 200, ""))); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
	if csp := w.do(ask{method: "GET", path: "/console"}).want(t, 200, "").header.Get("Content-Security-Policy"); !strings.Contains(csp, "frame-src 'self'") {
		t.Errorf("the console's content policy: %s", csp)
	}
}
