package httpapi_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
)

// seen are the sessions that have something in common with one.
func (s screened) seen(t *testing.T, id string) []wire.SeenSession {
	t.Helper()
	return read[wire.SessionSeen](t, s.get("/sessions/"+id+"/seen"), 200).Items
}

// decideLink decides about a session and the only one that has something in common with it.
func (s screened) decideLink(t *testing.T, id, decision string, more map[string]any) answer {
	t.Helper()
	one := s.seen(t, id)[0]
	body := map[string]any{"version": one.Decided.Version, "signs": one.Signs, "decision": decision}
	for k, v := range more {
		body[k] = v
	}
	return s.post("/sessions/"+id+"/seen/"+string(one.ID)+"/decision", body)
}

func TestTwoSessionsAreSaidNotToBeOfOnePerson(t *testing.T) {
	t.Parallel()
	onEveryDatabase(t, func(t *testing.T, w *world) {
		s := looking(t, w, nil)
		first, _ := s.shows(passport("anna", "P7654321"))
		second, state := s.shows(passport("bert", "P7654321"))
		if state != "in_review" {
			t.Fatalf("the second session is %s", state)
		}
		s.decideLink(t, second, "not_the_same", nil).want(t, 400, "request.malformed")
		s.decideLink(t, second, "not_the_same", map[string]any{"reason": "other"}).want(t, 400, "request.malformed")
		s.decideLink(t, second, "not_the_same", map[string]any{"reason": "relative", "signs": []string{"document"}}).want(t, 409, "duplicate.conflict")
		decided := s.decideLink(t, second, "not_the_same", map[string]any{"reason": "other", "note": "Her sister's passport."})
		if got := read[wire.LinkDecided](t, decided, 200); got.State != session.LinkNotSame || got.Version != 1 || got.Note == "" {
			t.Errorf("the answer is %+v", got)
		}
		s.decideLink(t, second, "unsure", map[string]any{"version": 0}).want(t, 409, "duplicate.conflict")
		for _, id := range []string{first, second} {
			if one := s.seen(t, id)[0]; one.Decided.State != session.LinkNotSame || one.Decided.Reason != "other" || one.Decided.DecidedBy == "" {
				t.Errorf("seen from %s: %+v", id, one)
			}
			files, _ := caseFileOf(w, s.cookie, id, "")
			if !strings.Contains(files["case.json"], `"not_the_same"`) || !strings.Contains(files["case.json"], "Her sister's passport.") {
				t.Errorf("the case file of %s does not say what was decided", id)
			}
		}
		if got := read[wire.DuplicateClusters](t, s.get("/duplicates?mode=test"), 200); len(got.Items) != 0 || len(got.Reasons) == 0 {
			t.Errorf("groups: %+v", got)
		}
		s.checkHidden(t, first, second)
		s.decideLink(t, first, "open", nil).want(t, 200, "")
		if got := read[wire.DuplicateClusters](t, s.get("/duplicates?mode=test"), 200); len(got.Items) != 1 ||
			got.Items[0].Links[0].Decided.State != session.LinkOpen || len(got.Items[0].Links[0].Signs) == 0 {
			t.Errorf("groups after it was undone: %+v", got.Items)
		}
		if cases := s.get("/cases?mode=test"); strings.Count(cases.body, second) == 0 {
			t.Error("a decision about two sessions closes no case")
		}
	})
}

// checkHidden looks for what no answer about two sessions may hold.
func (s screened) checkHidden(t *testing.T, first, second string) {
	t.Helper()
	asked := s.do(ask{method: "GET", path: "/v1/sessions/" + second + "/duplicates", bearer: s.key})
	got := read[wire.SeenSessions](t, asked, 200)
	if len(got.Items) != 1 || got.Items[0].Decided.State != session.LinkNotSame || got.Items[0].Decided.Reason != "other" {
		t.Errorf("the integrator reads %+v", got.Items)
	}
	s.world.roles.instead = []account.Role{account.Auditor}
	masked := s.get("/sessions/" + second + "/seen")
	masked.want(t, 200, "")
	s.decideLink(t, second, "unsure", nil).want(t, 403, "auth.forbidden")
	s.world.roles.instead = nil
	feed := s.do(ask{method: "GET", path: "/v1/events?type=duplicate.decided", bearer: s.key})
	var told struct {
		Items []struct {
			Session string         `json:"session"`
			Data    map[string]any `json:"data"`
		} `json:"items"`
	}
	if err := json.Unmarshal([]byte(feed.body), &told); err != nil || len(told.Items) != 2 {
		t.Fatalf("the feed: %v, %s", err, feed.body)
	}
	for _, e := range told.Items {
		if len(e.Data) != 2 || e.Data["decision"] != "not_the_same" {
			t.Errorf("the event of %s holds %v", e.Session, e.Data)
		}
	}
	for name, a := range map[string]answer{"the integrator's answer": asked, "a masked answer": masked, "the feed": feed} {
		for _, hidden := range []string{"sister", "P7654321", "ERIKSSON", "digest", "sha256", "score", "similarity", "template", "url", "image", "selfie"} {
			if strings.Contains(a.body, hidden) {
				t.Errorf("%s holds %q: %s", name, hidden, a.body)
			}
		}
	}
	// The other mode neither reads nor decides, and learns nothing from what it is told.
	foreign, _ := s.create(s.live, nil)
	s.post("/sessions/"+second+"/seen/"+foreign+"/decision", map[string]any{
		"version": 0, "signs": []string{"document"}, "decision": "unsure",
	}).want(t, 404, "not_found")
	for _, path := range []string{"/v1/sessions/" + second + "/duplicates", "/v1/events"} {
		if a := s.do(ask{method: "GET", path: path, bearer: s.liveKey(t)}); strings.Contains(a.body, first) || strings.Contains(a.body, second) {
			t.Errorf("a live key reads of a test session: %s", a.body)
		}
	}
}

// checkBothNotes looks for the notes of two reviewers in the case and in its file, and for none in what integrators and auditors read.
func (s screened) checkBothNotes(t *testing.T, id string, said []wire.Opinion, path string) {
	t.Helper()
	if len(said) != 2 || said[0].Note != "The first note." || said[1].Note != "The second note." || said[0].By == said[1].By ||
		said[0].Name == "" || said[1].Name == "" || said[0].At.IsZero() || said[1].At.Before(said[0].At) {
		t.Errorf("what two people said is %+v", said)
	}
	files, _ := caseFileOf(s.world, s.cookie, id, "")
	for _, note := range []string{"The first note.", "The second note."} {
		for _, file := range []string{"case.json", "case.html"} {
			if !strings.Contains(files[file], note) {
				t.Errorf("%s of the case file lacks %q", file, note)
			}
		}
		if asked := s.do(ask{method: "GET", path: "/v1/sessions/" + id + path, bearer: s.key}); strings.Contains(asked.body, note) {
			t.Errorf("an integrator reads %q: %s", note, asked.body)
		}
	}
}

func TestThatTwoSessionsAreOfOnePersonTakesTwoPeople(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := looking(t, w, nil)
	s.shows(passport("anna", "P7654321"))
	again := passport("anna", "P7654321")
	again.Take = "again"
	id, state := s.shows(again)
	if state != "in_review" {
		t.Fatalf("the second session is %s", state)
	}
	one := read[wire.LinkDecided](t, s.decideLink(t, id, "same_person", map[string]any{"note": "The first note."}), 200)
	if one.State != session.LinkAwaits {
		t.Errorf("after the first: %+v", one)
	}
	s.decideLink(t, id, "same_person", nil).want(t, 403, "duplicate.same_person")
	reviewer, senior := s, s
	_, reviewer.cookie = s.join(s.invite(s.cookie, "rita@example.test", account.Reviewer))
	_, senior.cookie = s.join(s.invite(s.cookie, "senta@example.test", account.SeniorReviewer))
	reviewer.decideLink(t, id, "same_person", nil).want(t, 403, "auth.forbidden")
	two := read[wire.LinkDecided](t, senior.decideLink(t, id, "same_person", map[string]any{"note": "The second note."}), 200)
	if two.State != session.LinkSame || two.SecondBy == "" || two.SecondBy == two.DecidedBy {
		t.Errorf("after the second: %+v", two)
	}
	s.checkBothNotes(t, id, s.seen(t, id)[0].Decided.Said, "/duplicates")
	reviewer.decideLink(t, id, "open", nil).want(t, 403, "auth.forbidden")
	if got := read[wire.DuplicateClusters](t, s.get("/duplicates?mode=test"), 200); len(got.Items) != 1 || got.Items[0].Links[0].Decided.Note != "" {
		t.Errorf("groups: %+v", got.Items)
	}
	if one := s.seen(t, id)[0]; !slices.Contains(one.Signs, idv.SignDocument) || slices.Contains(one.Signs, idv.SignOtherFace) {
		t.Errorf("the signs are %v", one.Signs)
	}
}
