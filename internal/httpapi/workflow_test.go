package httpapi_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/modelcard"
)

// faceCard is the card of a face model that was measured.
var faceCard = modelcard.Card{Name: "face-template", Version: "1", SHA256: strings.Repeat("a", 64), Calibration: &modelcard.Calibration{
	Measure: "cosine", DataSet: "made-up", Date: "2026-01-01", Command: "none",
	Points: []modelcard.Point{
		{Threshold: 0, FMR: 0.5, FNMR: 0, Genuine: 1000, Impostors: 10_000_000},
		{Threshold: 0.3, FMR: 1e-3, FNMR: 0.01, Genuine: 1000, Impostors: 10_000_000},
		{Threshold: 0.5, FMR: 1e-6, FNMR: 0.1, Genuine: 1000, Impostors: 10_000_000},
	},
}}

// editor is a member at the console, and what they see of workflows.
type editor struct {
	w      *world
	cookie string
}

func (e editor) do(method, path string, body any) answer {
	a := ask{method: method, path: "/v1/console/workflows" + path, cookie: e.cookie}
	if m, ok := body.(map[string]any); ok {
		a.body = m
	}
	return e.w.do(a)
}

// read decodes an answer of that status.
func read[T any](t *testing.T, a answer, status int) T {
	t.Helper()
	var out T
	if a.status != status {
		t.Fatalf("got %d %s, want %d", a.status, a.body, status)
	}
	if err := json.Unmarshal([]byte(a.body), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// draft makes a workflow that copies the one for pictures alone, with that change.
func (e editor) draft(t *testing.T, name string, change func(*wire.WorkflowSpec)) (wire.WorkflowFile, wire.WorkflowVersion) {
	t.Helper()
	list := read[wire.WorkflowSummaryList](t, e.do("GET", "?mode=test", nil), 200)
	var from idv.WorkflowVersionID
	for _, w := range list.Items {
		if w.Name == idv.WorkflowNoLiveness {
			from = w.Published.ID
		}
	}
	file := read[wire.WorkflowFile](t, e.do("POST", "", map[string]any{"mode": "test", "name": name, "from": from}), 201)
	v := read[wire.WorkflowVersion](t, e.do("GET", "/"+string(file.ID)+"/versions/"+string(file.Draft.ID), nil), 200)
	if change == nil {
		return file, v
	}
	change(&v.Spec)
	return file, read[wire.WorkflowVersion](t, e.save(file.ID, v.Revision, v.Spec), 200)
}

func (e editor) save(id idv.WorkflowID, revision int64, spec wire.WorkflowSpec) answer {
	return e.do("PUT", "/"+string(id)+"/draft", map[string]any{"revision": revision, "spec": spec})
}

func (e editor) publish(id idv.WorkflowID, revision int64) answer {
	return e.do("POST", "/"+string(id)+"/publish", map[string]any{"revision": revision})
}

// run takes somebody through a session that follows a workflow, and answers the session.
func runThrough(w *world, workflow string, selfie string) string {
	w.t.Helper()
	id, link := w.create(w.key, map[string]any{"workflow": workflow})
	token := w.open(link)
	w.do(ask{
		method: "POST", path: "/v1/applicant/consent", bearer: token,
		body: map[string]any{"decision": "given", "text_version": "biometric-2026-11-3", "locale": "en"},
	}).want(w.t, 200, "")
	w.do(ask{method: "PUT", path: "/v1/applicant/steps/choose", bearer: token, body: map[string]any{"document_kind": "passport"}}).want(w.t, 200, "")
	w.send(token, "document_front", idvtest.Passport("anna")).want(w.t, 200, "")
	w.send(token, "selfie", idvtest.Selfie(selfie)).want(w.t, 200, "")
	w.wait(id)
	return id
}

var referUtopia = wire.WorkflowRule{Name: "Utopia is looked at", When: `document.country == "UTO"`, Then: idv.DecideRefer, Reasons: []string{}}

func TestARuleIsTriedOutPublishedAndDecides(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.work()
	e := editor{w, w.signIn()}
	before := runThrough(w, "no_liveness", "anna")
	file, draft := e.draft(t, "looked_at", func(s *wire.WorkflowSpec) { s.Rules = []wire.WorkflowRule{referUtopia} })
	if len(draft.Issues) > 0 || draft.State != idv.Draft || draft.Revision != 2 {
		t.Fatalf("the draft: %+v", draft)
	}
	w.do(ask{method: "POST", path: "/v1/sessions", bearer: w.key, body: map[string]any{"workflow": "looked_at"}}).want(t, 422, "workflow.not_published")

	sim := read[wire.Simulation](t, e.do("POST", "/"+string(file.ID)+"/simulate", map[string]any{"only": "mode"}), 200)
	if d := cmp.Diff([]wire.SimulatedMove{{From: "approved", To: "referred", Count: 1}}, sim.Totals.Matrix); d != "" {
		t.Errorf("matrix (-want +got):\n%s", d)
	}
	if len(sim.Items) != 1 || string(sim.Items[0].Session) != before || sim.Items[0].ToRule != referUtopia.Name || sim.Items[0].Reasons[0] != "workflow.rule" {
		t.Errorf("what would change: %+v", sim.Items)
	}
	if none := read[wire.Simulation](t, e.do("POST", "/"+string(file.ID)+"/simulate", map[string]any{}), 200); none.Totals.Decisions != 0 {
		t.Errorf("under this workflow nothing was decided yet: %+v", none.Totals)
	}

	hooked := w.endpoint(idv.Test)
	v := read[wire.WorkflowVersion](t, e.publish(file.ID, draft.Revision), 200)
	if v.State != idv.Published || v.PublishedAt == nil || v.PublishedBy == "" {
		t.Errorf("published: %+v", v.WorkflowVersionHead)
	}
	feed := w.do(ask{method: "GET", path: "/v1/events?type=workflow.published", bearer: w.key}).want(t, 200, "")
	if !strings.Contains(feed.body, string(v.ID)) || !strings.Contains(feed.body, `"session":""`) {
		t.Errorf("the feed: %s", feed.body)
	}
	if sent := w.do(ask{
		method: "GET", path: "/v1/webhook-endpoints/" + hooked + "/deliveries", bearer: w.key,
	}).want(t, 200, ""); !strings.Contains(sent.body, "workflow.published") {
		t.Errorf("no webhook: %s", sent.body)
	}
	if live := w.do(ask{method: "GET", path: "/v1/events?type=workflow.published", bearer: w.live}); strings.Contains(live.body, string(v.ID)) {
		t.Errorf("the other mode hears of it: %s", live.body)
	}

	id := runThrough(w, "looked_at", "anna")
	a := w.do(ask{method: "GET", path: "/v1/sessions/" + id + "/report", bearer: w.key}).want(t, 200, "")
	for _, has := range []string{`"outcome":"referred"`, `"rule":"Utopia is looked at"`, `"code":"workflow.rule"`} {
		if !strings.Contains(a.body, has) {
			t.Errorf("the report of %s lacks %s: %s", id, has, a.body)
		}
	}
	figures := read[wire.WorkflowFigures](t, e.do("GET", "/"+string(file.ID)+"/figures", nil), 200)
	if f := figures.Items[0]; f.Created != 1 || f.Submitted != 1 || f.Referred != 1 || f.Decided != 0 || f.AutomaticShare != nil {
		t.Errorf("figures: %+v", f)
	}
}

func TestARuleThatCannotBeEvaluatedRefers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.work()
	e := editor{w, w.signIn()}
	file, draft := e.draft(t, "scored", func(s *wire.WorkflowSpec) {
		s.Rules = []wire.WorkflowRule{{Name: "unknown", When: `checks.liveness.challenge.score > 0.0`, Then: idv.DecideDecline, Reasons: []string{"liveness.failed"}}}
	})
	e.publish(file.ID, draft.Revision).want(t, 200, "")
	id := runThrough(w, "scored", "anna")
	a := w.do(ask{method: "GET", path: "/v1/sessions/" + id + "/report", bearer: w.key}).want(t, 200, "")
	if !strings.Contains(a.body, `"outcome":"referred"`) || !strings.Contains(a.body, `"code":"workflow.rule_failed"`) ||
		strings.Contains(a.body, "liveness.failed") {
		t.Errorf("an error is not a no: %s", a.body)
	}
}

func TestOfTwoEditorsNoneOverwritesTheOther(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := editor{w, w.signIn()}
	file, draft := e.draft(t, "shared", nil)
	path := "/" + string(file.ID)
	e.save(file.ID, draft.Revision, draft.Spec).want(t, 200, "")
	for name, a := range map[string]answer{
		"a change":      e.save(file.ID, draft.Revision, draft.Spec),
		"a publication": e.publish(file.ID, draft.Revision),
		"a discarding":  e.do("POST", path+"/draft/discard", map[string]any{"revision": draft.Revision}),
		"another draft": e.do("POST", path+"/draft", map[string]any{}),
	} {
		if a.status != 409 || a.code() != "workflow.conflict" || !strings.Contains(a.body, "usr_") {
			t.Errorf("%s: got %d %s, want a conflict that says who was first", name, a.status, a.body)
		}
	}
	e.publish(file.ID, draft.Revision+1).want(t, 200, "")
	e.save(file.ID, draft.Revision+1, draft.Spec).want(t, 409, "workflow.conflict")
	first := read[wire.WorkflowFile](t, e.do("GET", path, nil), 200)
	second := read[wire.WorkflowVersion](t, e.do("POST", path+"/draft", map[string]any{}), 201)
	if second.Number != 2 || second.Revision != 1 {
		t.Errorf("the next draft: %+v", second.WorkflowVersionHead)
	}
	e.publish(file.ID, 1).want(t, 200, "")
	after := read[wire.WorkflowFile](t, e.do("GET", path, nil), 200)
	if after.Published.ID != second.ID || after.Items[1].ID != first.Published.ID || after.Items[1].State != idv.Retired || after.Items[1].RetiredAt == nil {
		t.Errorf("after publishing again: %+v", after)
	}
	e.do("POST", path+"/versions/"+string(second.ID)+"/retire", map[string]any{}).want(t, 200, "")
	e.do("POST", path+"/versions/"+string(second.ID)+"/retire", map[string]any{}).want(t, 409, "workflow.conflict")
	w.do(ask{method: "POST", path: "/v1/sessions", bearer: w.key, body: map[string]any{"workflow": "shared"}}).want(t, 422, "workflow.not_published")
}

func TestTheDefaultWorkflowIsNotRetiredAndADiscardedOneIsGone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := editor{w, w.signIn()}
	list := read[wire.WorkflowSummaryList](t, e.do("GET", "?mode=live", nil), 200)
	for _, f := range list.Items {
		if f.Name == idv.WorkflowDefault {
			e.do("POST", fmt.Sprintf("/%s/versions/%s/retire", f.ID, f.Published.ID), map[string]any{}).want(t, 409, "workflow.conflict")
		}
	}
	file, draft := e.draft(t, "short_lived", nil)
	e.do("POST", "", map[string]any{"mode": "test", "name": "short_lived"}).want(t, 400, "request.malformed")
	e.do("POST", "", map[string]any{"mode": "test", "name": "Not A Name"}).want(t, 400, "request.malformed")
	e.do("POST", "", map[string]any{"mode": "live", "name": "mixed", "from": draft.ID}).want(t, 404, "not_found")
	e.do("POST", "/"+string(file.ID)+"/draft/discard", map[string]any{"revision": draft.Revision}).want(t, 204, "")
	e.do("GET", "/"+string(file.ID), nil).want(t, 404, "not_found")
}

func TestADraftThatIsWrongIsKeptAndNotPublished(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := editor{w, w.signIn()}
	file, draft := e.draft(t, "wrong", func(s *wire.WorkflowSpec) {
		s.Rules = []wire.WorkflowRule{{Name: "r", When: "document.country ==\n  documnt.kind", Then: idv.DecideRefer, Reasons: []string{}}}
	})
	want := []wire.WorkflowIssue{{Field: "/rules/0/when", Code: "workflow.invalid_rule", Line: 2, Column: 3}}
	for i := range draft.Issues {
		if draft.Issues[i].Message == "" {
			t.Error("an issue without words")
		}
		draft.Issues[i].Message = ""
	}
	if d := cmp.Diff(want, draft.Issues); d != "" {
		t.Errorf("issues (-want +got):\n%s", d)
	}
	a := e.publish(file.ID, draft.Revision).want(t, 422, "workflow.invalid_rule")
	if field(a.body, "field") != "/rules/0/when" || !strings.Contains(field(a.body, "detail"), "Line 2, column 3") {
		t.Errorf("the refusal: %s", a.body)
	}
	draft.Spec.Rules, draft.Spec.Countries = nil, []string{"ZZZ"}
	read[wire.WorkflowVersion](t, e.save(file.ID, draft.Revision, specWithLists(draft.Spec)), 200)
	a = e.publish(file.ID, draft.Revision+1).want(t, 422, "workflow.invalid")
	if field(a.body, "field") != "/countries/0" {
		t.Errorf("the refusal: %s", a.body)
	}
	e.do("POST", "/"+string(file.ID)+"/simulate", map[string]any{}).want(t, 422, "workflow.invalid")
	checked := read[wire.WorkflowIssues](t, e.do("POST", "/check", map[string]any{"mode": "test", "spec": specWithLists(draft.Spec)}), 200)
	if len(checked.Items) != 1 || checked.Items[0].Field != "/countries/0" {
		t.Errorf("checked: %+v", checked)
	}
	e.do("PUT", "/"+string(file.ID)+"/draft", map[string]any{
		"revision": draft.Revision + 1, "spec": map[string]any{"surprise": 1},
	}).want(t, 400, "request.unknown_field")
}

func specWithLists(s wire.WorkflowSpec) wire.WorkflowSpec {
	if s.Rules == nil {
		s.Rules = []wire.WorkflowRule{}
	}
	return s
}

func TestWhoMayOnlyEditDoesNotPublishAndSeesNoForeignSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.work()
	e := editor{w, w.signIn()}
	runThrough(w, "no_liveness", "anna")
	file, draft := e.draft(t, "by_developer", func(s *wire.WorkflowSpec) { s.Rules = []wire.WorkflowRule{referUtopia} })
	for _, role := range []account.Role{account.Developer, account.SeniorReviewer} {
		w.roles.instead = []account.Role{role}
		e.publish(file.ID, draft.Revision).want(t, 403, "auth.forbidden")
		e.do("POST", "/"+string(file.ID)+"/simulate", map[string]any{"only": "mode"}).want(t, 200, "")
	}
	w.roles.instead = []account.Role{account.Auditor}
	e.do("GET", "/"+string(file.ID), nil).want(t, 200, "")
	e.do("POST", "/"+string(file.ID)+"/simulate", map[string]any{}).want(t, 403, "auth.forbidden")
}

func TestVersionsAreComparedInWordsAndOnlyWithinTheirWorkflow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := editor{w, w.signIn()}
	file, draft := e.draft(t, "compared", func(s *wire.WorkflowSpec) { s.MinimumAge = 18 })
	at := "/" + string(file.ID) + "/versions/"
	alone := read[wire.WorkflowComparison](t, e.do("GET", at+string(draft.ID)+"/differences", nil), 200)
	if alone.Before != nil || len(alone.Items) != 0 || alone.After.ID != draft.ID {
		t.Errorf("with nothing before it: %+v", alone)
	}
	e.publish(file.ID, draft.Revision).want(t, 200, "")
	next := read[wire.WorkflowVersion](t, e.do("POST", "/"+string(file.ID)+"/draft", map[string]any{}), 201)
	next.Spec.FaceFMR, next.Spec.FaceReferFMR, next.Spec.Countries = "1e-3", "1e-3", []string{"D"}
	e.save(file.ID, next.Revision, next.Spec).want(t, 200, "")
	got := read[wire.WorkflowComparison](t, e.do("GET", at+string(next.ID)+"/differences", nil), 200)
	want := []wire.WorkflowDifference{
		{Field: "/countries", Text: "Only documents from Germany (D) are accepted (was: all states).", Effect: "stricter"},
		{
			Field: "/face_fmr",
			Text: "Face match: passes from a similarity of 0.30 (was 0.37). About 1 in 1\u202f000 strangers would pass (was 1 in 10\u202f000), and 1\u00a0% of " +
				"genuine applicants would not (was 4\u00a0%).",
			Effect: "looser",
		},
	}
	if diff := cmp.Diff(want, got.Items); diff != "" || got.Before == nil || got.Before.ID != draft.ID {
		t.Errorf("compared with %+v (-want +got)\n%s", got.Before, diff)
	}
	back := read[wire.WorkflowComparison](t, e.do("GET", at+string(draft.ID)+"/differences?with="+string(next.ID), nil), 200)
	if len(back.Items) != 2 || back.Items[1].Effect != "stricter" {
		t.Errorf("the other way round: %+v", back)
	}
	other, _ := e.draft(t, "another", nil)
	foreign := other.Draft.ID
	e.do("GET", at+string(next.ID)+"/differences?with="+string(foreign), nil).want(t, 404, "not_found")
	e.do("GET", at+string(foreign)+"/differences", nil).want(t, 404, "not_found")
}

func TestAKeyReadsWorkflowsAndMakesDrafts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := w.do(ask{method: "POST", path: "/v1/workflows", bearer: w.key, body: map[string]any{"name": "by_key"}}).want(t, 201, "")
	id := field(a.body, "id")
	versions := w.do(ask{method: "GET", path: "/v1/workflows/" + id + "/versions", bearer: w.key}).want(t, 200, "")
	if !strings.Contains(versions.body, `"state":"draft"`) || !strings.Contains(versions.body, `"mode":"test"`) {
		t.Errorf("versions: %s", versions.body)
	}
	w.do(ask{method: "POST", path: "/v1/workflows/" + id + "/versions", bearer: w.key, body: map[string]any{}}).want(t, 409, "workflow.conflict")
	w.do(ask{method: "GET", path: "/v1/workflows/" + id + "/versions", bearer: w.live}).want(t, 404, "not_found")
	w.do(ask{method: "POST", path: "/v1/workflows", bearer: w.key, body: map[string]any{"name": "other", "mode": "live"}}).want(t, 400, "request.malformed")
}

func TestErrorRatesAndTheLanguageAreTold(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := editor{w, w.signIn()}
	rates := read[wire.ErrorRateTable](t, e.do("GET", "/thresholds", nil), 200)
	if rates.Face == nil || len(rates.Face.Points) != 7 || !rates.Face.OnPeople || rates.Liveness.OnPeople ||
		rates.Liveness.Refused.Of == 0 || len(rates.Signs) != 5 {
		t.Errorf("rates: %+v", rates)
	}
	for i, p := range rates.Face.Points[1:] {
		if before := rates.Face.Points[i]; p.Threshold <= before.Threshold || p.FNMR < before.FNMR || p.FalseMatches >= before.FalseMatches {
			t.Errorf("%s is not stricter than %s: %+v, %+v", p.FMR, before.FMR, p, before)
		}
	}
	lang := read[wire.RuleLanguage](t, e.do("GET", "/language", nil), 200)
	if len(lang.Variables) == 0 || len(lang.Countries) < 200 || len(lang.Reasons) == 0 || lang.Limits.Rules == 0 {
		t.Errorf("language: %d variables, %d countries", len(lang.Variables), len(lang.Countries))
	}
}
