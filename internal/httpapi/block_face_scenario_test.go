package httpapi_test

import (
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
)

// faceEntry is what somebody sends to put the face of a session on the block list.
func faceEntry(id string, more map[string]any) map[string]any {
	out := map[string]any{"mode": "test", "kind": "face", "session": id, "reason": "impersonation", "valid_until": nextYear()}
	for k, v := range more {
		out[k] = v
	}
	return out
}

// listingKey is a key of live mode that may change the block list.
func (s screened) listingKey() string {
	s.t.Helper()
	made := read[map[string]any](s.t, s.post("/keys", map[string]any{
		"name": "lists", "mode": "live", "scopes": []string{"sessions.read", "blocklist.read", "blocklist.write"},
	}), 201)
	secret, _ := made["secret"].(string)
	return secret
}

func TestAFaceOnTheBlockListRefersWhateverTheWorkflowSays(t *testing.T) {
	t.Parallel()
	onEveryDatabase(t, func(t *testing.T, w *world) {
		s := comparing(t, w, func(spec *wire.WorkflowSpec) {
			spec.Required = append(spec.Required, idv.CheckBlockList)
			spec.Rules = append(spec.Rules, wire.WorkflowRule{
				Name: "no faces of the list", When: `"blocklist.face" in reasons || default.outcome == "referred"`, Then: idv.DecideDecline,
				Reasons: []string{"workflow.rule"},
			})
		})
		first, state := s.compared(t, "anna", "ANNA", "given")
		if state != "approved" {
			t.Fatalf("the first is %s: %s", state, s.get("/sessions/"+first).body)
		}
		declined, state := s.compared(t, "bert", "BERT", "declined")
		if state != "approved" {
			t.Fatalf("who declines is %s", state)
		}
		s.checkFaceRefused(t, first, declined)

		w.roles.instead = []account.Role{account.Reviewer}
		long := faceEntry(first, map[string]any{"valid_until": time.Now().AddDate(4, 0, 0).Format(time.DateOnly)})
		entry := read[wire.BlockEntry](t, s.post("/blocklist", long), 201)
		w.roles.instead = nil
		if entry.Kind != idv.BlockFace || entry.Hint != "main" || entry.State != session.BlockActive || entry.Declines ||
			entry.ValidUntil.After(time.Now().AddDate(0, 7, 0)) || entry.Session == nil || string(*entry.Session) != first {
			t.Errorf("the entry is %+v", entry)
		}
		again := s.do(ask{method: "POST", path: "/v1/blocklist", bearer: s.key, body: faceEntry(first, nil)})
		again.want(t, 409, "blocklist.exists")

		second, state, token := s.comparedAs(t, "anna", "BERTA", "given")
		file := s.get("/sessions/" + second).body
		if state != "in_review" || !strings.Contains(file, `"blocklist.face"`) || !strings.Contains(file, string(entry.ID)) {
			t.Errorf("the face on the list: %s: %s", state, file)
		}
		raised("blocklist.face")
		told := s.do(ask{method: "GET", path: "/v1/applicant/task", bearer: token})
		if !strings.Contains(told.body, `"review"`) {
			t.Errorf("the applicant is told %s", told.body)
		}
		for _, hidden := range []string{"blocklist", "block list", "duplicate", "other people", first, string(entry.ID)} {
			if strings.Contains(strings.ToLower(told.body), hidden) {
				t.Errorf("the applicant is told %q: %s", hidden, told.body)
			}
		}
		for _, answer := range []string{"declined", ""} { // neither compared nor kept, and no worse off
			id, state := s.compared(t, "anna", "CLARA", answer)
			if body := s.get("/sessions/" + id).body; state != "approved" || strings.Contains(body, string(entry.ID)) || strings.Contains(body, first) {
				t.Errorf("who answers %q is %s: %s", answer, state, body)
			}
		}
		s.checkFaceListHidden(t, first, second, string(entry.ID))

		// The entry goes with the face.
		s.do(ask{method: "POST", path: "/v1/sessions/" + first + "/erase", bearer: s.key, body: map[string]any{}})
		s.do(ask{method: "DELETE", path: "/v1/blocklist/" + string(entry.ID), bearer: s.key}).want(t, 404, "not_found")
		s.post("/blocklist/"+string(entry.ID)+"/remove", nil).want(t, 404, "not_found")
		s.post("/blocklist", faceEntry(first, nil)).want(t, 410, "session.erased")
		s.do(ask{method: "POST", path: "/v1/blocklist", bearer: s.key, body: faceEntry(first, nil)}).want(t, 410, "session.erased")

		own := read[wire.BlockEntry](t, s.do(ask{method: "POST", path: "/v1/blocklist", bearer: s.key, body: faceEntry(second, nil)}), 201)
		read[wire.FaceWithdrawn](t, s.do(ask{method: "POST", path: "/v1/sessions/" + second + "/withdraw-face", bearer: s.key, body: map[string]any{}}), 200)
		page := s.do(ask{method: "GET", path: "/v1/blocklist", bearer: s.key})
		if got := read[wire.BlockPage](t, page, 200); len(got.Items) != 0 || strings.Contains(page.body, string(own.ID)) {
			t.Errorf("after the consent was withdrawn the list has %s", page.body)
		}
		s.post("/blocklist", faceEntry(second, nil)).want(t, 422, "blocklist.face_without_consent")
		if third, state := s.compared(t, "anna", "DORA", "given"); state != "approved" {
			t.Errorf("after both faces went the next one is %s: %s", state, s.get("/sessions/"+third).body)
		}
		for _, action := range []string{"blocklist.added", "blocklist.removed"} {
			if found, err := w.store.AuditPage(t.Context(), audit.Filter{Action: action, Limit: 1}); err != nil || len(found) == 0 {
				t.Errorf("no entry of the log says %s: %v", action, err)
			}
		}
	})
}

// checkFaceRefused asks for what may not be put on the list, and by whom nothing may.
func (s screened) checkFaceRefused(t *testing.T, first, declined string) {
	t.Helper()
	live := s.listingKey()
	refused := s.post("/blocklist", faceEntry(declined, nil))
	refused.want(t, 422, "blocklist.face_without_consent")
	if strings.Contains(refused.body, declined) {
		t.Errorf("the refusal names the session: %s", refused.body)
	}
	s.do(ask{method: "POST", path: "/v1/blocklist", bearer: live, body: faceEntry(first, nil)}).want(t, 404, "not_found")
	s.do(ask{method: "POST", path: "/v1/blocklist", bearer: s.key, body: faceEntry("ses_06c1q2m3n4p5r6s7t8v9w0x1y2", nil)}).want(t, 404, "not_found")
	s.post("/blocklist", faceEntry(first, map[string]any{"mode": "live"})).want(t, 404, "not_found")
	s.post("/blocklist", faceEntry("' OR 1=1 --", nil)).want(t, 404, "not_found")
	for name, more := range map[string]map[string]any{
		"no session": {"session": ""}, "it would decline": {"declines": true}, "six years": {"valid_until": time.Now().AddDate(6, 0, 0).Format(time.DateOnly)},
		"no reason": {"reason": "because"},
	} {
		if got := s.post("/blocklist", faceEntry(first, more)); got.status != 400 && got.status != 422 {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
	}
	for _, role := range []account.Role{account.Auditor, account.Admin} {
		s.roles.instead = []account.Role{role}
		s.post("/blocklist", faceEntry(first, nil)).want(t, 403, "auth.forbidden")
	}
	s.roles.instead = nil
}

// checkFaceListHidden looks for what an entry about a face must not say: who it is, how alike faces are, the face.
func (s screened) checkFaceListHidden(t *testing.T, first, second, entry string) {
	t.Helper()
	page := s.do(ask{method: "GET", path: "/v1/blocklist", bearer: s.key})
	if got := read[wire.BlockPage](t, page, 200); len(got.Items) != 1 || string(got.Items[0].ID) != entry {
		t.Errorf("the list is %s", page.body)
	}
	answers := map[string]answer{
		"the list": page, "the list in the console": s.get("/blocklist?mode=test"), "the feed": s.do(ask{method: "GET", path: "/v1/events", bearer: s.key}),
		"the duplicates": s.do(ask{method: "GET", path: "/v1/sessions/" + second + "/duplicates", bearer: s.key}),
	}
	for name, a := range answers {
		a.want(t, 200, "")
		for _, hidden := range []string{"DOE", "ANNA", "BERTA", "similarity", "cosine", "alike", "score", "template", "base64", "/artifacts/", "digest\""} {
			if strings.Contains(a.body, hidden) {
				t.Errorf("%s holds %q: %s", name, hidden, a.body)
			}
		}
	}
	live := s.listingKey()
	if other := s.do(ask{method: "GET", path: "/v1/blocklist", bearer: live}); strings.Contains(other.body, entry) || strings.Contains(other.body, first) {
		t.Errorf("a live key reads %s", other.body)
	}
	s.do(ask{method: "DELETE", path: "/v1/blocklist/" + entry, bearer: live}).want(t, 404, "not_found")
	if log := strings.ToLower(s.log.String()); strings.Contains(log, "berta") {
		t.Error("the log names somebody")
	}
}
