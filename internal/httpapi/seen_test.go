package httpapi_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
)

// TestReviewersSeeTheFramesBehindASignalAndApplicantsNothing: what a signal found, in which frames and how often it errs is for
// reviewers. The applicant is told that somebody looks at it.
func TestReviewersSeeTheFramesBehindASignalAndApplicantsNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.work()
	id, token, c := w.challenged()
	sent := w.do(selfie(token, frames(t, c.Token, idvtest.Scene{Face: "anna", Live: "liveness.failed"}, 20))).want(t, 200, "")
	if got := w.wait(id); got != "in_review" {
		t.Fatalf("got %s, want in_review", got)
	}
	cookie := w.signIn()
	file := read[wire.SessionFile](t, w.do(ask{method: "GET", path: "/v1/console/sessions/" + id, cookie: cookie}), 200)
	check, ok := file.Report.Check(idv.CheckLiveness)
	if !ok || check.Finding == nil {
		t.Fatalf("no finding: %+v", check)
	}
	if d := cmp.Diff([]idv.FindingPlace{idv.FrameAt(3, "turned_degrees", 21)}, check.Finding.Places); d != "" {
		t.Errorf("what the reviewer sees (-want +got):\n%s", d)
	}
	run := file.Captures[len(file.Captures)-1]
	for query, status := range map[string]int{
		"?frames=0,3,19": 200, "?frames=3": 200, "?frames=20": 404, "?frames=-1": 404, "?frames=x": 400, "?frames=" + strings.Repeat("0,", 24) + "0": 400,
	} {
		a := w.do(ask{method: "GET", path: run.URL + query, cookie: cookie})
		if a.status != status || status == 200 && a.header.Get("Content-Type") != "image/jpeg" {
			t.Errorf("%s: %d %s, want %d", query, a.status, a.header.Get("Content-Type"), status)
		}
	}
	w.roles.instead = []account.Role{account.Auditor}
	if a := w.do(ask{method: "GET", path: run.URL + "?frames=3", cookie: cookie}); a.status == http.StatusOK {
		t.Error("somebody whose role opens no pictures opens frames")
	}
	told := []string{sent.body}
	for _, path := range []string{"/v1/applicant/task", "/v1/applicant/session"} {
		if a := w.do(ask{method: "GET", path: path, bearer: token}); a.status == http.StatusOK {
			told = append(told, a.body)
		}
	}
	if len(told) < 2 {
		t.Fatal("the applicant is told nothing at all")
	}
	for _, body := range told {
		for _, hidden := range []string{
			"liveness.failed", "liveness.challenge", "places", "turned_degrees", "apcer", "bpcer", "finding", "threshold", "score", "signal",
		} {
			if strings.Contains(body, hidden) {
				t.Errorf("the applicant is told %q: %s", hidden, body)
			}
		}
	}
	if a := w.do(ask{method: "GET", path: run.URL + "?frames=3", bearer: token}); a.status != http.StatusUnauthorized {
		t.Errorf("the applicant opens frames: %d", a.status)
	}
}

// sendFrom sends a picture and says where it came from.
func sendFrom(w *world, token, step string, s idvtest.Scene, attempt, source string) {
	w.t.Helper()
	f := form{"attempt": attempt, "picture": idvtest.Picture(w.t, s)}
	if source != "" {
		f["source"] = source
	}
	w.do(ask{method: "PUT", path: "/v1/applicant/steps/" + step, bearer: token, body: f}).want(w.t, 200, "")
}

func TestReportsFiguresAndRulesKnowWhereCapturesCameFrom(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.work()
	e := editor{w, w.signIn()}
	file, v := e.draft(t, "files", func(s *wire.WorkflowSpec) {
		s.Rules = []wire.WorkflowRule{{
			Name: "Files are looked at", When: `document.source_known && document.source == "file"`, Then: idv.DecideRefer, Reasons: []string{},
		}}
	})
	e.publish(file.ID, v.Revision).want(t, 200, "")
	for source, ends := range map[string]string{"file": "in_review", "camera": "approved", "": "approved"} {
		id, link := w.create(w.key, map[string]any{"workflow": "files"})
		token := w.open(link)
		w.do(ask{
			method: "POST", path: "/v1/applicant/consent", bearer: token,
			body: map[string]any{"decision": "given", "text_version": "biometric-2026-11-3", "locale": "en"},
		}).want(t, 200, "")
		w.do(ask{method: "PUT", path: "/v1/applicant/steps/choose", bearer: token, body: map[string]any{"document_kind": "passport"}}).want(t, 200, "")
		sendFrom(w, token, "document_front", idvtest.Passport("anna"), "source-front", source)
		sendFrom(w, token, "selfie", idvtest.Selfie("anna"), "source-selfie", "camera")
		if got := w.wait(id); got != ends {
			t.Errorf("a document from %q: %s, want %s", source, got, ends)
		}
		var got struct{ Report idv.Report }
		must(t, json.Unmarshal([]byte(w.do(ask{method: "GET", path: "/v1/sessions/" + id + "/report", bearer: w.key}).want(t, 200, "").body), &got))
		want := []idv.ReportedCapture{
			{Step: idv.StepDocumentFront, Side: idv.Front, Kind: idv.DocumentImage, Source: idv.Source(source)},
			{Step: idv.StepSelfie, Kind: idv.FaceImage, Source: idv.SourceCamera},
		}
		if d := cmp.Diff(want, got.Report.Captures); d != "" {
			t.Errorf("the report of %q (-want +got):\n%s", source, d)
		}
	}
	figures := read[wire.Analytics](t, w.do(ask{method: "GET", path: "/v1/console/analytics?workflow=files", cookie: e.cookie}), 200)
	rows := map[string][2]int{}
	for _, r := range figures.Sources {
		rows[r.Key] = [2]int{r.Counts.Submitted, r.Counts.Automatic}
	}
	if d := cmp.Diff(map[string][2]int{"file": {1, 0}, "camera": {1, 1}, "": {1, 1}}, rows); d != "" {
		t.Errorf("submitted and decided without a person, by source (-want +got):\n%s", d)
	}
}

func TestAnOfferOfSignalsIsMadeOnceAndOnlyToWhoeverMayChangeWorkflows(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := editor{w, w.signIn()}
	list := read[wire.WorkflowSummaryList](t, e.do("GET", "?mode=test", nil), 200)
	path := "/" + string(list.Items[0].ID)
	file := read[wire.WorkflowFile](t, e.do("GET", path, nil), 200)
	if file.Offered == nil || len(file.Offered) != 0 {
		t.Errorf("a workflow of this version is offered %v", file.Offered)
	}
	e.do("POST", path+"/draft", map[string]any{"offered": true}).want(t, 409, "workflow.conflict")
	if a := e.do("POST", path+"/offer/dismiss", map[string]any{}); a.status != 204 {
		t.Errorf("dismissed: %d %s", a.status, a.body)
	}
	e.do("POST", "/wfl_7zzzzzzzzzzzzzzzzzzzzzzzzz/offer/dismiss", map[string]any{}).want(t, 404, "not_found")
	w.roles.instead = []account.Role{account.Reviewer}
	e.do("POST", path+"/offer/dismiss", map[string]any{}).want(t, 403, "auth.forbidden")
}
