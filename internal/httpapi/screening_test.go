package httpapi_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/screening/lists"
	"github.com/bonafide-id/bonafide/internal/session"
)

// screened is a world in which a workflow looks for people on the operator's own list.
type screened struct {
	*world
	stop   func() // ends the work in the background
	cookie string
	list   wire.Watchlist
}

const ownHead = "id,name,birth,nationality\n"

// crowd are people of a list whom nobody looks for.
func crowd() string {
	var b strings.Builder
	for i := range 40 {
		fmt.Fprintf(&b, "c%d,Zoltan%c Quillfeather%c,19%02d-03-04,DEU\n", i, 'a'+i%26, 'a'+i/26, 30+i)
	}
	return b.String()
}

func newScreened(t *testing.T, w *world, change func(*wire.WorkflowSpec)) screened {
	t.Helper()
	s := screened{world: w, stop: w.work(), cookie: w.signIn()}
	e := editor{w, s.cookie}
	file, draft := e.draft(t, "screened", func(spec *wire.WorkflowSpec) {
		spec.Screening = wire.WorkflowScreening{Topics: []idv.ScreeningTopic{idv.TopicWatch}, Monitor: true}
		spec.Required = append(spec.Required, idv.CheckWatch)
		if change != nil {
			change(spec)
		}
	})
	e.publish(file.ID, draft.Revision).want(t, 200, "")
	s.list = read[wire.Watchlist](t, s.post("/watchlists", map[string]any{
		"name": "own", "title": "Our own list", "topics": []string{"watch"}, "max_age_hours": 720,
	}), 201)
	return s
}

func (s screened) post(at string, body any) answer {
	if body == nil {
		body = map[string]any{}
	}
	return s.do(ask{method: "POST", path: "/v1/console" + at, cookie: s.cookie, body: body})
}

func (s screened) get(at string) answer {
	return s.do(ask{method: "GET", path: "/v1/console" + at, cookie: s.cookie})
}

// upload uploads a version and compiles it.
func (s screened) upload(t *testing.T, csv string) wire.WatchlistVersion {
	t.Helper()
	v := read[wire.WatchlistVersion](t, s.do(ask{
		method: "POST", path: "/v1/console/watchlists/" + string(s.list.ID) + "/versions", cookie: s.cookie, body: []byte(csv),
	}), 201)
	must(t, s.compiled.Refresh(t.Context()))
	return v
}

// person takes somebody through a session and returns its id and state.
func (s screened) person(t *testing.T, change func(*idvtest.Scene)) (id, state string) {
	t.Helper()
	scene := idvtest.Passport("anna")
	if change != nil {
		change(&scene)
	}
	id, _ = s.sent("screened", scene, true)
	return id, s.wait(id)
}

func (s screened) hits(t *testing.T, id string) []wire.Hit {
	t.Helper()
	return read[wire.SessionHits](t, s.get("/sessions/"+id+"/screening"), 200).Items
}

func (s screened) decideHit(h wire.Hit, decision, reason string) answer {
	body := map[string]any{"version": h.Version, "decision": decision}
	if reason != "" {
		body["reason"] = reason
	}
	return s.post("/screening-hits/"+string(h.ID)+"/decision", body)
}

func (s screened) approve(t *testing.T, id string) answer {
	t.Helper()
	c, err := s.sessions.Queue.CaseOf(t.Context(), idv.SessionID(id))
	must(t, err)
	s.post("/cases/"+string(c.ID)+"/claim", nil).want(t, 200, "")
	c, err = s.sessions.Queue.CaseOf(t.Context(), idv.SessionID(id))
	must(t, err)
	return s.post("/cases/"+string(c.ID)+"/decide", map[string]any{
		"version": c.Version, "report_digest": c.Report, "outcome": "approved", "reasons": []string{},
	})
}

const listedAnna = "a1,Anna Maria Eriksson,1974-08-12,UTO\n"

func TestAHitIsReviewedDecidedAndComesBackOnlyWhenItsEntryChanges(t *testing.T) {
	t.Parallel()
	onEveryDatabase(t, func(t *testing.T, w *world) {
		s := newScreened(t, w, nil)
		v := s.upload(t, ownHead+listedAnna+crowd())
		if v.State != lists.Active {
			t.Fatalf("the upload is %s for %v", v.State, v.Why)
		}
		id, state := s.person(t, nil)
		if state != "in_review" {
			t.Fatalf("a person who is listed is %s", state)
		}
		hits := s.hits(t, id)
		if len(hits) != 1 || hits[0].Found.Band != idv.BandStrong || hits[0].Found.Birth != "same" || hits[0].Found.Listed != "Anna Maria Eriksson" ||
			hits[0].Found.Read == "" || string(hits[0].Found.Version) != v.SHA256 || len(hits[0].Found.Parts) != 3 {
			t.Fatalf("hits: %+v", hits)
		}
		s.approve(t, id).want(t, 409, "screening.hits_open")
		s.decideHit(hits[0], "not_the_person", "").want(t, 400, "request.malformed")
		s.decideHit(hits[0], "not_the_person", "other_picture").want(t, 200, "")
		s.decideHit(hits[0], "unsure", "").want(t, 409, "screening.conflict")
		s.approve(t, id).want(t, 200, "")

		// Somebody else is added: nothing changes for Anna. Then her entry changes, and the hit comes back.
		s.upload(t, ownHead+listedAnna+crowd()+"b1,Bertram Oglethorpe,1950-01-01,UTO\n")
		s.idle(t)
		if h := s.hits(t, id); len(h) != 1 || h[0].State != session.HitNotPerson {
			t.Errorf("after somebody else was added: %+v", h)
		}
		s.upload(t, ownHead+"a1,Anna Maria Eriksson,1975-08-12,UTO\n"+crowd()+"b1,Bertram Oglethorpe,1950-01-01,UTO\n")
		if h := s.awaitHit(t, id, session.HitOpen); h.Trigger != session.ByList || h.Was == nil || h.Was.Births[0] != "1974-08-12" {
			t.Errorf("the hit that came back: %+v", h)
		}
		events := s.do(ask{method: "GET", path: "/v1/events?type=screening.hit_opened", bearer: s.key})
		if strings.Count(events.body, `"screening.hit_opened"`) != 2 || strings.Contains(events.body, "Eriksson") {
			t.Errorf("the feed: %s", events.body)
		}
	})
}

// awaitHit waits until the only hit of a session has a state.
func (s screened) awaitHit(t *testing.T, id string, state session.HitState) wire.Hit {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if h := s.hits(t, id); len(h) == 1 && h[0].State == state {
			return h[0]
		}
	}
	t.Fatalf("session %s has no hit that is %s: %+v\n%s", id, state, s.hits(t, id), s.log.String())
	return wire.Hit{}
}

// idle waits until no run is under way.
func (s screened) idle(t *testing.T) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		m := read[wire.Monitoring](t, s.get("/screening"), 200)
		if len(m.Runs) > 0 && !slices.ContainsFunc(m.Runs, func(r wire.ScreeningRun) bool { return r.State == "running" }) {
			return
		}
	}
	t.Fatal("the runs do not end")
}

func TestANewEntryFindsSomebodyWhoWasApprovedBefore(t *testing.T) {
	t.Parallel()
	onEveryDatabase(t, func(t *testing.T, w *world) {
		s := newScreened(t, w, nil)
		s.upload(t, ownHead+crowd())
		id, state := s.person(t, nil)
		if state != "approved" {
			t.Fatalf("nobody is listed, and the session is %s\n%s", state, s.log.String())
		}
		if h := s.hits(t, id); len(h) != 0 {
			t.Errorf("hits: %+v", h)
		}
		s.upload(t, ownHead+crowd()+listedAnna)
		h := s.awaitHit(t, id, session.HitOpen)
		if h.Trigger != session.ByList || h.Found.Band != idv.BandStrong {
			t.Errorf("the hit: %+v", h)
		}
		page := read[wire.HitPage](t, s.get("/screening-hits?mode=test"), 200)
		if page.Counts.Open != 1 || len(page.Items) != 1 || page.Items[0].ID != h.ID {
			t.Errorf("the queue: %+v", page.Counts)
		}
		// Erasing takes the hit and the subject; the next list finds nobody.
		s.do(ask{method: "POST", path: "/v1/sessions/" + id + "/erase", bearer: s.key, body: map[string]any{}})
		m := read[wire.Monitoring](t, s.get("/screening"), 200)
		page = read[wire.HitPage](t, s.get("/screening-hits?mode=test"), 200)
		if m.Monitored != 0 || page.Counts.Open != 0 {
			t.Errorf("after erasing: %d monitored, %d open", m.Monitored, page.Counts.Open)
		}
	})
}

func TestWhateverKeepsAScreeningFromLookingRefersForItsOwnReason(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := newScreened(t, w, nil)
	reasons := func(id string) string {
		return s.get("/sessions/" + id).body
	}
	refers := func(why string, change func(*idvtest.Scene)) {
		t.Helper()
		id, state := s.person(t, change)
		if state != "in_review" || !strings.Contains(reasons(id), why) {
			t.Errorf("%s: the session is %s: %s", why, state, reasons(id))
			return
		}
		raised(why)
	}
	refers("screening.lists_missing", nil)
	s.upload(t, ownHead+listedAnna+crowd())
	refers("screening.listed", nil)
	s.upload(t, ownHead+crowd())
	refers("screening.name_unusable", func(sc *idvtest.Scene) { sc.Family, sc.Given = "B", "A" })
	held := s.upload(t, ownHead+"x1,Bertram Oglethorpe,1950-01-01,UTO\n")
	if held.State != lists.Held {
		t.Fatalf("a list of one is %s", held.State)
	}
	refers("screening.list_held", nil)
	s.post("/watchlist-versions/"+string(held.ID)+"/dismiss", nil).want(t, 200, "")
	if id, state := s.person(t, nil); state != "approved" {
		t.Errorf("after the held version was dismissed: %s, %s", state, reasons(id))
	}
	var many strings.Builder
	for i := range 25 {
		fmt.Fprintf(&many, "m%d,Anna Maria Eriksson,,\n", i)
	}
	s.upload(t, ownHead+crowd()+many.String())
	id, state := s.person(t, nil)
	if hits := s.hits(t, id); state != "in_review" || len(hits) != idv.MostHits || !strings.Contains(reasons(id), "screening.too_many") {
		t.Errorf("with 25 namesakes: %s, %d hits, %s", state, len(hits), reasons(id))
	}
	raised("screening.too_many")
}

func TestTwoPeopleSayThatSomebodyIsThePerson(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := newScreened(t, w, func(spec *wire.WorkflowSpec) {
		spec.Screening.Topics = []idv.ScreeningTopic{idv.TopicSanctions}
		spec.Required = append(slices.DeleteFunc(spec.Required, func(k idv.CheckKind) bool { return k == idv.CheckWatch }), idv.CheckSanctions)
	})
	un := read[wire.Watchlist](t, s.post("/watchlists", map[string]any{"name": "un", "topics": []string{"sanctions"}}), 201)
	s.list = un
	s.upload(t, `<?xml version="1.0"?><CONSOLIDATED_LIST dateGenerated="2026-11-01T00:00:00Z"><INDIVIDUALS><INDIVIDUAL><DATAID>7</DATAID>`+
		`<FIRST_NAME>Anna</FIRST_NAME><SECOND_NAME>Maria</SECOND_NAME><THIRD_NAME>Eriksson</THIRD_NAME>`+
		`<INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>EXACT</TYPE_OF_DATE><DATE>1974-08-12</DATE></INDIVIDUAL_DATE_OF_BIRTH>`+
		`</INDIVIDUAL></INDIVIDUALS></CONSOLIDATED_LIST>`)
	id, state := s.person(t, nil)
	if state != "in_review" {
		t.Fatalf("the session is %s", state)
	}
	if file := s.get("/sessions/" + id); !strings.Contains(file.body, `"screening.strong_match"`) {
		t.Errorf("the file: %s", file.body)
	}
	raised("screening.strong_match")
	h := s.hits(t, id)[0]
	say := func(s screened, h wire.Hit, note string) answer {
		return s.post("/screening-hits/"+string(h.ID)+"/decision", map[string]any{"version": h.Version, "decision": "is_the_person", "note": note})
	}
	first := read[wire.Hit](t, say(s, h, "The first note."), 200)
	if first.State != session.HitAwaits {
		t.Errorf("after the first: %s", first.State)
	}
	s.decideHit(first, "is_the_person", "").want(t, 403, "screening.same_person")
	s.approve(t, id).want(t, 409, "screening.hits_open")
	second := s
	token := s.invite(s.cookie, "senta@example.test", account.SeniorReviewer)
	_, second.cookie = s.join(token)
	sure := read[wire.Hit](t, say(second, first, "The second note."), 200)
	if sure.State != session.HitIsPerson || sure.SecondBy == sure.DecidedBy {
		t.Errorf("after the second: %+v", sure)
	}
	s.checkBothNotes(t, id, s.hits(t, id)[0].Said, "/screening")
	s.approve(t, id).want(t, 409, "screening.person_listed")
}

func TestWhoMayDoWhatWithWatchlists(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := newScreened(t, w, nil)
	s.upload(t, ownHead+listedAnna+crowd())
	id, _ := s.person(t, nil)
	upload := func() answer {
		return s.do(ask{
			method: "POST", path: "/v1/console/watchlists/" + string(s.list.ID) + "/versions", cookie: s.cookie, body: []byte(ownHead + crowd()),
		})
	}
	for role, want := range map[account.Role]struct{ lists, upload, hits, search int }{
		account.Reviewer:       {200, 403, 200, 200},
		account.Auditor:        {200, 403, 200, 403},
		account.PrivacyOfficer: {200, 403, 200, 403},
		account.Developer:      {200, 403, 200, 403},
	} {
		w.roles.instead = []account.Role{role}
		hits := s.get("/sessions/" + id + "/screening")
		got := struct{ lists, upload, hits, search int }{
			s.get("/watchlists").status, upload().status, hits.status, s.post("/screening/search", map[string]any{"name": "Anna Eriksson"}).status,
		}
		if got != want {
			t.Errorf("%s: got %+v, want %+v", role, got, want)
		}
		if masked := role == account.Auditor; masked == strings.Contains(hits.body, "Eriksson") {
			t.Errorf("%s reads %s", role, hits.body)
		}
	}
	w.roles.instead = nil
	found := read[wire.WatchlistFound](t, s.post("/screening/search", map[string]any{"name": "eriksson ANNA", "birth_date": "1974"}), 200)
	if len(found.Hits) != 1 || found.Index == "" {
		t.Errorf("found %+v", found)
	}
	if found.Written != nil {
		t.Errorf("names that are written alike, where nobody asked: %+v", found.Written)
	}
	alike := read[wire.WatchlistFound](t, s.post("/screening/search", map[string]any{"name": "Anna Erikson-Lund", "written_alike_from": 75}), 200).Written
	if alike == nil || alike.Total == 0 || alike.Items[0].List != "own" || alike.Items[0].Alike < 75 || !strings.Contains(alike.Items[0].Listed, "Eriksson") {
		t.Errorf("written alike: %+v", alike)
	}
	if !w.audited("watchlists.searched") {
		t.Error("the search is not on record")
	}
	if log := w.log.String(); strings.Contains(strings.ToLower(log), "eriksson") {
		t.Error("the log names somebody")
	}
	for name, body := range map[string]map[string]any{
		"no name":                 {},
		"only punctuation":        {"name": "--"},
		"a name that is too long": {"name": strings.Repeat("a", 301)},
		"31 February":             {"name": "A Bcde", "birth_date": "1965-02-31"},
		"a birth in the future":   {"name": "A Bcde", "birth_date": "2999"},
		"a birth before 1880":     {"name": "A Bcde", "birth_date": "1870"},
		"a sex that is none":      {"name": "A Bcde", "sex": "Z"},
		"alike from below 70":     {"name": "A Bcde", "written_alike_from": 69},
		"alike from above 100":    {"name": "A Bcde", "written_alike_from": 101},
	} {
		if got := s.post("/screening/search", body); got.status != http.StatusBadRequest && got.status != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
	}
	s.do(ask{method: "POST", path: "/v1/watchlists/" + string(s.list.ID) + "/versions", bearer: s.key, body: []byte(ownHead + crowd())}).
		want(t, 403, "auth.forbidden")
	more := []byte(ownHead + listedAnna + crowd())
	s.do(ask{method: "POST", path: "/v1/watchlists/" + string(s.list.ID) + "/versions", bearer: s.live, body: more}).
		want(t, 201, "")
	own := s.do(ask{method: "GET", path: "/v1/sessions/" + id + "/screening", bearer: s.key})
	own.want(t, 200, "")
	s.do(ask{method: "GET", path: "/v1/sessions/" + id + "/screening", bearer: s.live}).want(t, 404, "not_found")
}
