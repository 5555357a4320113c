package httpapi_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
)

func TestACorrectedFactIsBesideWhatWasRead(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	body := d.with(map[string]any{"name": "family_name", "value": "Quillfeather", "note": words})
	d.do(ask{method: "POST", path: "/v1/console/cases/" + d.review + "/correct", body: body}).want(t, 401, "auth.missing")
	got := d.do(d.post(d.review+"/correct", body)).want(t, 200, "")
	if strings.Contains(got.body, words) {
		t.Errorf("the case holds the note: %s", got.body)
	}
	d.do(d.post(d.review+"/correct", body)).want(t, 409, "case.conflict")
	for name, c := range map[string]struct{ name, value, note, field string }{
		"no fact":      {"shoe_size", "44", words, "/name"},
		"no value":     {"family_name", " ", words, "/value"},
		"no reason":    {"family_name", "Quill", " ", "/note"},
		"no date":      {"date_of_birth", "1. 2. 90", words, "/value"},
		"the same one": {"family_name", "Quillfeather", words, "/value"},
	} {
		a := d.do(d.post(d.review+"/correct", d.with(map[string]any{"name": c.name, "value": c.value, "note": c.note}))).want(t, 400, "request.malformed")
		if field(a.body, "field") != c.field {
			t.Errorf("%s: %s", name, a.body)
		}
	}
	report := d.do(ask{method: "GET", path: "/v1/sessions/" + d.session + "/report", bearer: d.key}).want(t, 200, "")
	var read wire.ReportAndDecisions
	must(t, json.Unmarshal([]byte(report.body), &read))
	was := idv.ReadFact(read.Report.Claims, idv.FamilyName)
	want := []wire.CorrectedFact{{Correction: wire.Correction{Name: idv.FamilyName, From: was, To: "Quillfeather"}}}
	if diff := cmp.Diff(want, read.Corrections, cmpopts.IgnoreFields(wire.CorrectedFact{}, "At")); diff != "" || was == "" {
		t.Error("the integrator's report (-want +got):\n" + diff)
	}
	if strings.Contains(report.body, words) || strings.Contains(report.body, "Ada") {
		t.Errorf("the integrator's report holds what is the team's alone: %s", report.body)
	}
	full := d.do(ask{method: "GET", path: "/v1/console/sessions/" + d.session, cookie: d.cookie}).want(t, 200, "")
	for _, h := range []string{`"kind":"corrected"`, `"to":"Quillfeather"`, `"from":"` + was + `"`, words, `"type":"case.corrected"`, `"producer":`} {
		if !strings.Contains(full.body, h) {
			t.Errorf("the file lacks %s", h)
		}
	}
	task := d.do(ask{method: "GET", path: "/v1/applicant/task", bearer: d.token}).want(t, 200, "")
	var file struct{ Timeline json.RawMessage }
	must(t, json.Unmarshal([]byte(full.body), &file))
	for what, where := range map[string]string{"the applicant's task": task.body, "the timeline": string(file.Timeline), "the log": d.log.String()} {
		if strings.Contains(where, "Quillfeather") || strings.Contains(where, words) {
			t.Errorf("%s holds the correction: %s", what, where)
		}
	}
}
