package httpapi_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/verified"
)

// outputsOf are the verified facts in an answer; nil for null.
func outputsOf(t *testing.T, body string) *verified.Outputs {
	t.Helper()
	var out struct{ Verified *verified.Outputs }
	must(t, json.Unmarshal([]byte(body), &out))
	if !strings.Contains(body, `"verified":`) {
		t.Errorf("there is no word of it: %s", body)
	}
	return out.Verified
}

func TestWhoItIsIsToldOnceTheSessionIsApproved(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	get := func(path, key string) string {
		return d.do(ask{method: "GET", path: "/v1/sessions" + path, bearer: key}).want(t, 200, "").body
	}
	for _, path := range []string{"/" + d.session, "/" + d.session + "/report"} {
		if got := outputsOf(t, get(path, d.key)); got != nil {
			t.Errorf("%s of a session in review: %+v", path, got)
		}
	}
	file := d.do(ask{method: "GET", path: "/v1/console/sessions/" + d.session, cookie: d.cookie}).want(t, 200, "").body
	read := outputsOf(t, file)
	if read == nil || read.FamilyName == nil || read.FamilyName.Value == nil || read.FamilyName.Rule != verified.ByZone {
		t.Fatalf("the console before the decision: %+v", read)
	}
	d.do(d.post(d.review+"/correct", d.with(map[string]any{"name": "family_name", "value": "Quillfeather", "note": words}))).want(t, 200, "")
	d.do(d.post(d.review+"/decide", d.with(map[string]any{"outcome": "approved", "note": words}))).want(t, 200, "")

	for _, path := range []string{"/" + d.session, "/" + d.session + "/report"} {
		body := get(path, d.key)
		got := outputsOf(t, body)
		if got == nil || *got.FamilyName.Value != "Quillfeather" || got.FamilyName.Rule != verified.ByCorrection || got.FamilyName.Correction.By != idv.FromReviewer {
			t.Errorf("%s: %s", path, body)
		}
		if got != nil && (got.GivenNames == nil || got.GivenNames.Rule != verified.ByZone || got.GivenNames.Correction != nil) {
			t.Errorf("%s: the given names: %s", path, body)
		}
		if strings.Contains(body, words) && !strings.HasSuffix(path, "/report") || strings.Contains(body, "Ada") {
			t.Errorf("%s holds what is the team's alone: %s", path, body)
		}
	}
	_, narrow, err := d.accounts.Keys.Create(t.Context(), "reads no reports", idv.Test, account.SessionsRead)
	must(t, err)
	if body := get("/"+d.session, narrow); outputsOf(t, body) != nil || strings.Contains(body, "Quillfeather") {
		t.Errorf("a key without reports.read: %s", body)
	}
	if body := get("", d.key); strings.Contains(body, "Quillfeather") {
		t.Errorf("a list that expands nothing: %s", body)
	}
	d.do(ask{method: "GET", path: "/v1/sessions/" + d.session, bearer: d.live}).want(t, 404, "not_found")

	d.roles.instead = []account.Role{account.Auditor}
	masked := d.do(ask{method: "GET", path: "/v1/console/sessions/" + d.session, cookie: d.cookie}).want(t, 200, "").body
	d.roles.instead = nil
	if got := outputsOf(t, masked); got == nil || *got.FamilyName.Value != "Q•••" || strings.Contains(masked, "Quillfeather") {
		t.Errorf("an auditor: %s", masked)
	}

	d.do(ask{method: "POST", path: "/v1/sessions/" + d.session + "/erase", bearer: d.key}).want(t, 200, "")
	if body := get("/"+d.session, d.key); outputsOf(t, body) != nil || strings.Contains(body, "Quillfeather") {
		t.Errorf("an erased session: %s", body)
	}
	erased := d.do(ask{method: "GET", path: "/v1/console/sessions/" + d.session, cookie: d.cookie}).want(t, 200, "").body
	if outputsOf(t, erased) != nil || strings.Contains(erased, "Quillfeather") {
		t.Errorf("an erased session in the console: %s", erased)
	}
	if strings.Contains(d.log.String(), "Quillfeather") {
		t.Error("the log has it")
	}
}

func TestNothingOfADeclinedSessionIsVerified(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.do(d.post(d.review+"/decide", d.with(map[string]any{"outcome": "declined", "reasons": []string{"face.mismatch"}, "note": words}))).want(t, 200, "")
	for _, path := range []string{"/" + d.session, "/" + d.session + "/report"} {
		body := d.do(ask{method: "GET", path: "/v1/sessions" + path, bearer: d.key}).want(t, 200, "").body
		if got := outputsOf(t, body); got != nil {
			t.Errorf("%s: %+v", path, got)
		}
	}
}
