package httpapi_test

import (
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/account"
)

func TestACaseIsGivenToAMemberWhoMayDecideIt(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	grace, reviewer := d.join(d.invite(d.cookie, memberEmail, account.Reviewer))
	auditor, looking := d.join(d.invite(d.cookie, "auditor@example.test", account.Auditor))
	gone, _ := d.join(d.invite(d.cookie, "gone@example.test", account.SeniorReviewer))
	d.do(ask{method: "POST", path: "/v1/console/team/members/" + gone + "/disable", cookie: d.cookie, body: map[string]any{}}).want(t, 200, "")
	deciders := "/v1/console/cases/" + d.review + "/deciders"
	listed := d.do(ask{method: "GET", path: deciders, cookie: d.cookie}).want(t, 200, "")
	for _, h := range []string{grace, `"name":"Grace"`, `"name":"Ada"`} {
		if !strings.Contains(listed.body, h) {
			t.Errorf("who may decide lacks %s: %s", h, listed.body)
		}
	}
	for _, l := range []string{auditor, gone, memberEmail, "roles"} {
		if strings.Contains(listed.body, l) {
			t.Errorf("who may decide holds %s: %s", l, listed.body)
		}
	}
	to := func(id, cookie string) ask {
		return ask{method: "POST", path: "/v1/console/cases/" + d.review + "/assign", cookie: cookie, body: map[string]any{"to": id}}
	}
	for name, s := range map[string]scenario{
		"to an auditor":               {ask: to(auditor, d.cookie), status: 400, code: "request.malformed", field: "/to"},
		"to somebody who is kept out": {ask: to(gone, d.cookie), status: 400, code: "request.malformed", field: "/to"},
		"by a reviewer":               {ask: to(grace, reviewer), status: 403, code: "auth.forbidden"},
		"by an auditor":               {ask: to(grace, looking), status: 403, code: "auth.forbidden"},
		"a reviewer asks to whom":     {ask: ask{method: "GET", path: deciders, cookie: reviewer}, status: 403, code: "auth.forbidden", lacks: []string{"Ada"}},
		"to whom, of a case of nobody": {
			ask: ask{method: "GET", path: "/v1/console/cases/cas_06c1q2m3n4p5r6s7t8v9w0x1y2/deciders", cookie: d.cookie}, status: 404,
			code: "not_found",
		},
		"to whom, of an id of no form": {ask: ask{method: "GET", path: "/v1/console/cases/x'--/deciders", cookie: d.cookie}, status: 404, code: "not_found"},
		"to whom, of what is a session": {
			ask: ask{method: "GET", path: "/v1/console/cases/" + d.session + "/deciders", cookie: d.cookie}, status: 404, code: "not_found",
		},
		"to whom, without being signed in": {ask: ask{method: "GET", path: deciders}, status: 401, code: "auth.missing"},
	} {
		d.run(t, name, func(t *testing.T) { s.run(t, d.world) })
	}
	if c := d.file().Case; c.State != "open" || c.Assignee != nil {
		t.Fatalf("something of it was done: %+v", c)
	}
	d.do(to(grace, d.cookie)).want(t, 200, "")
	if c := d.file().Case; c.Assignee == nil || string(c.Assignee.ID) != grace || c.Assignee.Name != "Grace" || c.ClaimedUntil == nil {
		t.Errorf("given to Grace: %+v", c)
	}
	mine := d.do(ask{method: "GET", path: "/v1/console/cases?tab=mine", cookie: reviewer}).want(t, 200, "")
	if !strings.Contains(mine.body, d.review) {
		t.Errorf("Grace does not find it among hers: %s", mine.body)
	}
	// Only who has a case decides it; who overrules gives it back to themselves first.
	d.do(d.post(d.review+"/decide", d.with(map[string]any{"outcome": "approved"}))).want(t, 409, "case.conflict")
	decision := d.with(map[string]any{"outcome": "approved"})
	d.do(ask{method: "POST", path: "/v1/console/cases/" + d.review + "/decide", cookie: reviewer, body: decision}).want(t, 200, "")
	d.do(to(grace, d.cookie)).want(t, 409, "case.conflict")
}
