package httpapi_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/review"
)

func nextYear() string { return time.Now().AddDate(1, 0, 0).Format(time.DateOnly) }

// blocked is a new entry of the block list.
func blocked(w *world, mode idv.Mode) string {
	w.t.Helper()
	e, err := w.sessions.BlockList.Add(w.t.Context(), review.Blocked{
		Mode: mode, Kind: idv.BlockContact, Email: fmt.Sprintf("blocked-%d@example.test", attempts.Add(1)), Reason: "abuse",
		Until: w.sessions.BlockList.Now().Add(48 * time.Hour),
	})
	must(w.t, err)
	return string(e.ID)
}

// looking is a world in which a workflow looks at what was seen before.
func looking(t *testing.T, w *world, change func(*wire.WorkflowSpec)) screened {
	t.Helper()
	w.work()
	s := screened{world: w, cookie: w.signIn()}
	e := editor{w, s.cookie}
	file, draft := e.draft(t, "looking", func(spec *wire.WorkflowSpec) {
		spec.Required = append(spec.Required, slices.DeleteFunc(idv.SeenChecks(), idv.CheckKind.AboutNetwork)...)
		if change != nil {
			change(spec)
		}
		if spec.Seen.Gallery == nil {
			spec.Seen.Gallery = &wire.WorkflowGallery{Consent: "We look for people who come twice."}
		}
	})
	e.publish(file.ID, draft.Revision).want(t, 200, "")
	return s
}

// passport is a passport with a number that is no example.
func passport(face, number string) idvtest.Scene {
	scene := idvtest.Passport(face)
	scene.Number, scene.Take = number, face+number
	return scene
}

// shows takes somebody through a session of the workflow and returns its id and state. Nobody sends one picture twice.
func (s screened) shows(scene idvtest.Scene) (id, state string) {
	return s.showsAs(scene, idvtest.Scene{Face: scene.Face, Take: scene.Take}, nil)
}

func (s screened) showsAs(front, selfie idvtest.Scene, more map[string]any) (id, state string) {
	s.t.Helper()
	body := map[string]any{"workflow": "looking"}
	for k, v := range more {
		body[k] = v
	}
	id, link := s.create(s.key, body)
	token := s.open(link)
	s.do(ask{
		method: "POST", path: "/v1/applicant/consent", bearer: token,
		body: map[string]any{"decision": "given", "text_version": "biometric-2026-11-3", "locale": "en"},
	}).want(s.t, 200, "")
	s.do(ask{method: "PUT", path: "/v1/applicant/steps/choose", bearer: token, body: map[string]any{"document_kind": "passport"}}).want(s.t, 200, "")
	s.send(token, "document_front", front).want(s.t, 200, "")
	s.send(token, "selfie", selfie).want(s.t, 200, "")
	return id, s.wait(id)
}

func TestADocumentThatIsShownWithAnotherFaceGoesToReview(t *testing.T) {
	t.Parallel()
	onEveryDatabase(t, func(t *testing.T, w *world) {
		s := looking(t, w, nil)
		first, state := s.shows(passport("anna", "P7654321"))
		if state != "approved" {
			t.Fatalf("the first session is %s: %s", state, s.get("/sessions/"+first).body)
		}
		second, state := s.shows(passport("bert", "P7654321"))
		file := s.get("/sessions/" + second)
		if state != "in_review" || !strings.Contains(file.body, `"duplicate.document_other_face"`) {
			t.Fatalf("the second session is %s: %s", state, file.body)
		}
		raised("duplicate.document_other_face")
		for from, to := range map[string]string{first: second, second: first} {
			seen := read[wire.SeenSessions](t, s.get("/sessions/"+from+"/seen"), 200)
			if len(seen.Items) != 1 || string(seen.Items[0].ID) != to || seen.Items[0].Face != idv.FaceOther || !seen.Items[0].Refers {
				t.Errorf("seen from %s: %+v", from, seen.Items)
			}
		}
		clusters := read[wire.DuplicateClusters](t, s.get("/duplicates?mode=test"), 200)
		if len(clusters.Items) != 1 || len(clusters.Items[0].Sessions) != 2 {
			t.Errorf("clusters: %+v", clusters.Items)
		}
		asked := s.do(ask{method: "GET", path: "/v1/sessions/" + second + "/duplicates", bearer: s.key})
		if got := read[wire.SeenSessions](t, asked, 200); len(got.Items) != 1 {
			t.Errorf("the integrator reads %+v", got.Items)
		}
		for _, hidden := range []string{"digest", "score", "similarity", "P7654321", "ERIKSSON", "template"} {
			if strings.Contains(asked.body, hidden) {
				t.Errorf("the integrator's answer holds %q: %s", hidden, asked.body)
			}
		}
		// The other mode, and who is not of this deployment's mode, learn nothing.
		live := s.do(ask{method: "GET", path: "/v1/sessions/" + second + "/duplicates", bearer: s.liveKey(t)})
		live.want(t, 404, "not_found")
		if strings.Contains(live.body, first) {
			t.Errorf("a live key reads of a test session: %s", live.body)
		}
		if got := read[wire.DuplicateClusters](t, s.get("/duplicates?mode=live"), 200); len(got.Items) != 0 {
			t.Errorf("live mode has clusters: %+v", got.Items)
		}
		events := s.do(ask{method: "GET", path: "/v1/events", bearer: s.key})
		if strings.Contains(events.body, "P7654321") || strings.Contains(strings.ToLower(events.body), "eriksson") {
			t.Error("the feed names somebody")
		}
		w.roles.instead = []account.Role{account.Auditor}
		masked := s.get("/sessions/" + second + "/seen")
		masked.want(t, 200, "")
		s.get("/blocklist?mode=test").want(t, 200, "")
		s.post("/blocklist", map[string]any{"kind": "document", "session": second, "reason": "forged", "valid_until": "2099-01-01"}).want(t, 403, "auth.forbidden")
		w.roles.instead = nil

		s.do(ask{method: "POST", path: "/v1/sessions/" + first + "/erase", bearer: s.key, body: map[string]any{}})
		left := read[wire.SeenSessions](t, s.get("/sessions/"+second+"/seen"), 200)
		if len(left.Items) != 1 || !left.Items[0].Erased || left.Items[0].ExternalReference != "" {
			t.Errorf("of the erased session it is said: %+v", left.Items)
		}
	})
}

// liveKey is a key of the other mode.
func (s screened) liveKey(t *testing.T) string {
	t.Helper()
	made := read[map[string]any](t, s.post("/keys", map[string]any{
		"name": "live", "mode": "live", "scopes": []string{"sessions.read", "reports.read", "blocklist.read", "watchlists.read"},
	}), 201)
	secret, _ := made["secret"].(string)
	return secret
}

func TestOneDocumentAndOtherReasonsOfDuplicatesRefer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := looking(t, w, func(spec *wire.WorkflowSpec) { spec.Seen = wire.WorkflowSeen{Document: 2, Person: 2, Reference: 2} })
	refers := func(scene idvtest.Scene, codes ...string) string {
		t.Helper()
		id, state := s.shows(scene)
		body := s.get("/sessions/" + id).body
		for _, code := range codes {
			if state != "in_review" || !strings.Contains(body, `"`+code+`"`) {
				t.Errorf("%s: the session is %s: %s", code, state, body)
				continue
			}
			raised(code)
		}
		return id
	}
	if id, state := s.shows(passport("anna", "P7654321")); state != "approved" {
		t.Fatalf("the first is %s: %s", state, s.get("/sessions/"+id).body)
	}
	again := passport("anna", "P7654321")
	again.Take = "again"
	refers(again, "duplicate.document_elsewhere")
	named := passport("anna", "P7654321")
	named.Family, named.Take = "OTHERSSON", "named"
	refers(named, "duplicate.document_other_facts", "velocity.document")
	other := passport("anna", "P1111222")
	other.Take = "other"
	refers(other, "duplicate.person_elsewhere", "velocity.person")
	example := passport("dora", "L898902C3") // of ICAO 9303: it tells nobody from others
	example.Family, example.Given, example.Birth = "BERG", "DORA", "1980-01-02"
	refers(example, "duplicate.not_searched", "blocklist.not_searched", "velocity.not_counted")
}

func TestWhatElseWasSeenBeforeRefers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := looking(t, w, func(spec *wire.WorkflowSpec) { spec.Seen = wire.WorkflowSeen{Reference: 1} })
	person := func(face, number string) idvtest.Scene {
		scene := passport(face, number)
		scene.Family, scene.Given, scene.Birth = strings.ToUpper(face)+"SSON", strings.ToUpper(face)+" ONE", "1980-02-0"+number[len(number)-1:]
		return scene
	}
	refers := func(code string, front idvtest.Scene, selfie string, more map[string]any) {
		t.Helper()
		id, state := s.showsAs(front, idvtest.Scene{Face: front.Face, Take: selfie}, more)
		if body := s.get("/sessions/" + id).body; state != "in_review" || !strings.Contains(body, `"`+code+`"`) {
			t.Errorf("%s: the session is %s: %s", code, state, body)
			return
		}
		raised(code)
	}
	reference := map[string]any{"external_reference": "customer-9"}
	first, state := s.showsAs(person("anna", "P7654321"), idvtest.Scene{Face: "anna", Take: "one"}, reference)
	if state != "approved" {
		t.Fatalf("the first is %s: %s", state, s.get("/sessions/"+first).body)
	}
	refers("velocity.reference", person("bert", "P2222222"), "two", reference)
	refers("duplicate.same_picture", person("anna", "P3333333"), "one", nil)
	_, err := s.sessions.Life.Change(t.Context(), idv.Test, idv.SessionID(first),
		func(ctx context.Context, tx session.Tx, rec *session.Record, _ idv.WorkflowVersion) error {
			return s.sessions.Life.Strike(ctx, tx, rec, session.ScopePictures, session.OnRetention)
		})
	must(t, err)
	refers("duplicate.face_not_comparable", person("anna", "P7654321"), "three", nil)

	entry := func(body map[string]any) {
		t.Helper()
		body["mode"], body["reason"], body["valid_until"] = "test", "abuse", time.Now().AddDate(0, 1, 0).Format(time.DateOnly)
		s.post("/blocklist", body).want(t, 201, "")
	}
	entry(map[string]any{"kind": "contact", "email": "Carl@Example.test"})
	refers("blocklist.contact", person("carl", "P4444444"), "four", map[string]any{"applicant": map[string]any{"email": "carl@example.test"}})
	entry(map[string]any{"kind": "address", "range": "127.0.0.1"})
	refers("blocklist.address", person("dora", "P5555555"), "five", nil)
}

func TestTheBlockListRefersAndDeclinesOnceTwoPeopleSaySo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := looking(t, w, nil)
	id, _ := s.shows(passport("anna", "P7654321"))
	until := nextYear()
	body := func(kind string, more map[string]any) map[string]any {
		out := map[string]any{"mode": "test", "kind": kind, "reason": "forged", "valid_until": until}
		for k, v := range more {
			out[k] = v
		}
		return out
	}
	entry := read[wire.BlockEntry](t, s.post("/blocklist", body("document", map[string]any{"session": id, "declines": true})), 201)
	if entry.State != session.BlockAwaits || entry.Hint != "UTO" {
		t.Errorf("the entry: %+v", entry)
	}
	s.post("/blocklist", body("document", map[string]any{"session": id})).want(t, 409, "blocklist.exists")
	s.post("/blocklist", body("contact", map[string]any{"session": id})).want(t, 422, "blocklist.nothing")
	s.post("/blocklist", body("person", map[string]any{"session": id, "declines": true})).want(t, 400, "request.malformed")
	s.post("/blocklist", body("address", map[string]any{"range": "10.0.0.0/8"})).want(t, 400, "request.malformed")

	shown := passport("anna", "P7654321")
	shown.Take = "second"
	second, state := s.shows(shown)
	if file := s.get("/sessions/" + second); state != "in_review" || !strings.Contains(file.body, `"blocklist.document"`) {
		t.Errorf("before it is confirmed: %s: %s", state, file.body)
	}
	raised("blocklist.document")
	s.post("/blocklist/"+string(entry.ID)+"/confirm", nil).want(t, 403, "blocklist.same_person")
	other := s
	_, other.cookie = s.join(s.invite(s.cookie, "senta@example.test", account.SeniorReviewer))
	sure := read[wire.BlockEntry](t, other.post("/blocklist/"+string(entry.ID)+"/confirm", nil), 200)
	if sure.State != session.BlockActive || sure.ConfirmedBy == sure.AddedBy {
		t.Errorf("after it is confirmed: %+v", sure)
	}
	other.post("/blocklist/"+string(entry.ID)+"/confirm", nil).want(t, 409, "blocklist.conflict")
	shown.Take = "third"
	third, state := s.shows(shown)
	if file := s.get("/sessions/" + third); state != "declined" || !strings.Contains(file.body, `"blocklist.document_confirmed"`) {
		t.Errorf("after two people said so: %s: %s", state, file.body)
	}
	raised("blocklist.document_confirmed")

	// An API key sees and removes entries of its mode alone; none can confirm.
	page := s.do(ask{method: "GET", path: "/v1/blocklist", bearer: s.key})
	if got := read[wire.BlockPage](t, page, 200); len(got.Items) != 1 {
		t.Errorf("a key reads %+v", got.Items)
	}
	for _, hidden := range []string{"digest", "P7654321", "ERIKSSON"} {
		if strings.Contains(page.body, hidden) {
			t.Errorf("the list holds %q: %s", hidden, page.body)
		}
	}
	if got := read[wire.BlockPage](t, s.do(ask{method: "GET", path: "/v1/blocklist", bearer: s.liveKey(t)}), 200); len(got.Items) != 0 {
		t.Errorf("a live key reads %+v", got.Items)
	}
	if got := read[wire.BlockPage](t, s.get("/blocklist?mode=test"), 200); len(got.Unwatched) == 0 {
		t.Error("nobody says which workflows do not look at the list")
	}
	person := read[wire.BlockEntry](t, s.do(ask{method: "POST", path: "/v1/blocklist", bearer: s.key, body: map[string]any{
		"kind": "person", "name": "Anna Maria Eriksson", "birth_date": "1974-08-12", "reason": "abuse", "valid_until": until,
	}}), 201)
	listed := passport("anna", "P9998887")
	listed.Take = "person"
	fourth, state := s.shows(listed)
	if file := s.get("/sessions/" + fourth); state != "in_review" || !strings.Contains(file.body, `"blocklist.person"`) {
		t.Errorf("a person on the list: %s: %s", state, file.body)
	}
	raised("blocklist.person")
	removed := s.do(ask{method: "DELETE", path: "/v1/blocklist/" + string(person.ID), bearer: s.key})
	if got := read[wire.BlockEntry](t, removed, 200); got.State != session.BlockRemoved {
		t.Errorf("after removing: %+v", got)
	}
	for _, action := range []string{"blocklist.added", "blocklist.confirmed", "blocklist.removed"} {
		if found, err := w.store.AuditPage(t.Context(), audit.Filter{Action: action, Limit: 1}); err != nil || len(found) == 0 {
			t.Errorf("no entry says %s: %v", action, err)
		}
	}
	if log := w.log.String(); strings.Contains(strings.ToLower(log), "eriksson") || strings.Contains(log, "P7654321") {
		t.Error("the log names somebody")
	}
}

func TestSessionsFromOneNetworkAreCountedUnlessItIsAllowed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := looking(t, w, func(spec *wire.WorkflowSpec) { spec.Seen = wire.WorkflowSeen{AddressHour: 1, AddressDay: 1} })
	if id, state := s.shows(passport("anna", "P7654321")); state != "approved" {
		t.Fatalf("the first is %s: %s", state, s.get("/sessions/"+id).body)
	}
	other := passport("carl", "P1112223")
	other.Family, other.Given, other.Birth = "BERG", "CARL", "1980-01-02"
	second, state := s.shows(other)
	file := s.get("/sessions/" + second)
	if state != "in_review" || !strings.Contains(file.body, `"velocity.address"`) {
		t.Errorf("the second from one network is %s: %s", state, file.body)
	}
	raised("velocity.address")
	ranges := func(of ...string) answer {
		return s.do(ask{method: http.MethodPut, path: "/v1/console/velocity", cookie: s.cookie, body: map[string]any{"ranges": of}})
	}
	ranges("everywhere").want(t, 400, "request.malformed")
	ranges("0.0.0.0/0").want(t, 400, "request.malformed")
	ranges("127.0.0.0/24", "192.0.2.0/24", "::1").want(t, 200, "")
	if got := read[wire.AllowedNetworks](t, s.get("/velocity"), 200); len(got.Ranges) != 3 {
		t.Errorf("allowed: %+v", got)
	}
	third := passport("dora", "P3334445")
	third.Family, third.Given, third.Birth = "DOE", "DORA", "1985-03-04"
	if id, state := s.shows(third); state != "approved" {
		t.Errorf("from an allowed network the session is %s: %s", state, s.get("/sessions/"+id).body)
	}
}

func TestAnIntegratorScreensANameWithoutASession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := newScreened(t, w, nil)
	screen := func(body map[string]any) answer {
		return s.do(ask{method: "POST", path: "/v1/screenings", bearer: s.key, body: body})
	}
	got := read[wire.WatchlistFound](t, screen(map[string]any{"name": "Anna Eriksson"}), 200)
	if len(got.Reasons) == 0 || got.Reasons[0] != "screening.lists_missing" {
		t.Errorf("without lists: %+v", got)
	}
	s.upload(t, ownHead+listedAnna+crowd())
	found := read[wire.WatchlistFound](t, screen(map[string]any{"name": "ERIKSSON, Anna Maria", "birth_date": "1974-08-12"}), 200)
	if len(found.Hits) != 1 || found.Hits[0].List != "own" || found.Hits[0].Version == "" || found.Index == "" || found.Hits[0].Band != idv.BandStrong {
		t.Errorf("found: %+v", found)
	}
	if got := read[wire.WatchlistFound](t, screen(map[string]any{"name": "Bertram Oglethorpe"}), 200); len(got.Hits) != 0 || len(got.Reasons) != 0 {
		t.Errorf("nobody of that name is listed: %+v", got)
	}
	for name, body := range map[string]map[string]any{
		"no name":               {},
		"only punctuation":      {"name": "…"},
		"a name of 301 letters": {"name": strings.Repeat("a", 301)},
		"31 February":           {"name": "Anna Eriksson", "birth_date": "1974-02-31"},
		"a birth to come":       {"name": "Anna Eriksson", "birth_date": "2999-01-01"},
		"before 1880":           {"name": "Anna Eriksson", "birth_date": "1879"},
	} {
		if got := screen(body); got.status != 400 && got.status != 422 {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
	}
	for _, partial := range []string{"1974", "1974-08"} {
		got := read[wire.WatchlistFound](t, screen(map[string]any{"name": "Anna Maria Eriksson", "birth_date": partial}), 200)
		if len(got.Hits) != 1 {
			t.Errorf("%s: %+v", partial, got)
		}
	}
	if !w.audited("watchlists.searched") {
		t.Error("the search is not on record")
	}
	if log := w.log.String(); strings.Contains(strings.ToLower(log), "eriksson") {
		t.Error("the log names somebody")
	}
}

func TestANetworkThatNobodyCanLookUpGoesToReview(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := looking(t, w, func(spec *wire.WorkflowSpec) {
		spec.Required = slices.DeleteFunc(spec.Required, idv.CheckKind.AboutSeen)
		spec.Required = append(spec.Required, idv.NetworkChecks()...)
		spec.Seen.Gallery = &wire.WorkflowGallery{}
	})
	id, state := s.shows(passport("anna", "P7654321"))
	file := s.get("/sessions/" + id)
	for _, want := range []string{`"network.not_checked"`, `"origin"`, `"no_file"`} {
		if !strings.Contains(file.body, want) {
			t.Errorf("without a file the session does not say %s: %s", want, file.body)
		}
	}
	if state != "in_review" {
		t.Errorf("without a file the session is %s", state)
	}
	raised("network.not_checked")
}
