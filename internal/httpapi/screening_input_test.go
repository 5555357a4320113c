package httpapi_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/session"
)

func TestAScreeningOfBadInputNamesTheFieldAndNotWhatItHolds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := newScreened(t, w, nil)
	s.upload(t, ownHead+listedAnna+crowd())
	screen := func(body map[string]any) answer {
		return s.do(ask{method: "POST", path: "/v1/screenings", bearer: s.key, body: body})
	}
	quillfeather := func(field string, value any) map[string]any {
		return map[string]any{"name": "Zoltan Quillfeather", field: value}
	}
	for name, tt := range map[string]struct {
		body  map[string]any
		field string
	}{
		"no name":                         {map[string]any{}, "/name"},
		"an empty name":                   {map[string]any{"name": ""}, "/name"},
		"a name of 301 letters":           {map[string]any{"name": strings.Repeat("q", 301)}, "/name"},
		"a control character in the name": {map[string]any{"name": "Zoltan\x00Quillfeather"}, "/name"},
		"a new line in the name":          {map[string]any{"name": "Zoltan\nQuillfeather"}, "/name"},
		"only punctuation":                {map[string]any{"name": "-- . '"}, "/name"},
		"a birth in the future":           {quillfeather("birth_date", "2999-01-01"), "/birth_date"},
		"a birth before 1880":             {quillfeather("birth_date", "1879-12-31"), "/birth_date"},
		"31 February":                     {quillfeather("birth_date", "1965-02-31"), "/birth_date"},
		"a nationality that no state has": {quillfeather("nationalities", []string{"XX"}), "/nationalities"},
		"a second one that no state has":  {quillfeather("nationalities", []string{"DEU", "Atlantis"}), "/nationalities"},
		"a sex that is none":              {quillfeather("sex", "Z"), "/sex"},
	} {
		got := screen(tt.body)
		got.want(t, 400, "request.malformed")
		if at := field(got.body, "field"); at != tt.field {
			t.Errorf("%s: got the field %q, want %q: %s", name, at, tt.field, got.body)
		}
		if strings.Contains(got.body, "Quillfeather") || strings.Contains(got.body, "Atlantis") {
			t.Errorf("%s: the answer holds what was sent: %s", name, got.body)
		}
	}
	for _, birth := range []string{"1974-08", "1974", "1974-08-12"} {
		got := read[wire.WatchlistFound](t, screen(map[string]any{"name": "Anna Maria Eriksson", "birth_date": birth}), 200)
		if len(got.Hits) != 1 || got.Hits[0].Birth == "conflict" || got.Hits[0].Birth == "unknown" {
			t.Errorf("born in %s: %+v", birth, got.Hits)
		}
	}
	for _, nationality := range []string{"D", "DEU", "de", "Germany"} {
		got := read[wire.WatchlistFound](t, screen(map[string]any{"name": "Zoltana Quillfeathera", "nationalities": []string{nationality}}), 200)
		if len(got.Hits) == 0 || got.Hits[0].Nationality != "agrees" {
			t.Errorf("nationality %s: %+v", nationality, got.Hits)
		}
	}
	s.stop()  // else the run that a new version begins compiles it
	s.do(ask{ // a version that this server has not compiled yet
		method: "POST", path: "/v1/console/watchlists/" + string(s.list.ID) + "/versions", cookie: s.cookie, body: []byte(ownHead + crowd()),
	}).want(t, 201, "")
	second := read[wire.Watchlist](t, s.post("/watchlists", map[string]any{"name": "second", "topics": []string{"watch"}}), 201)
	s.do(ask{
		method: "POST", path: "/v1/console/watchlists/" + string(second.ID) + "/versions", cookie: s.cookie, body: []byte(ownHead + crowd()),
	}).want(t, 201, "")
	building := screen(map[string]any{"name": "Anna Eriksson"}).want(t, 503, "screening.not_ready")
	if got := building.header.Get("Retry-After"); got == "" || got == "0" {
		t.Errorf("while the lists are compiled: got Retry-After %q", got)
	}
}

func TestBadDecisionsAboutHitsAndEntriesAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := newScreened(t, w, nil)
	s.upload(t, ownHead+listedAnna+crowd())
	id, _ := s.person(t, nil)
	h := s.hits(t, id)[0]
	decide := func(more map[string]any) answer {
		body := map[string]any{"version": h.Version, "decision": "not_the_person", "reason": "other_picture"}
		for k, v := range more {
			body[k] = v
		}
		return s.post("/screening-hits/"+string(h.ID)+"/decision", body)
	}
	in := func(d time.Duration) string { return w.clock.now().Add(d).Format(time.RFC3339) }
	for name, more := range map[string]map[string]any{
		"no reason":                          {"reason": ""},
		"a reason that there is not":         {"reason": "because"},
		"no words where the reason is other": {"reason": "other"},
		"an end in more than two years":      {"valid_until": in(3 * 366 * 24 * time.Hour)},
		"an end in the past":                 {"valid_until": in(-time.Hour)},
		"a decision that there is not":       {"decision": "perhaps"},
		"an end that is no time":             {"valid_until": "next week"},
		"an end of what is not the person's": {"decision": "unsure", "reason": "", "valid_until": in(time.Hour)},
	} {
		if got := decide(more); got.status != 400 || field(got.body, "code") != "request.malformed" {
			t.Errorf("%s: got %d %s", name, got.status, got.body)
		}
	}
	decide(map[string]any{"valid_until": in(365 * 24 * time.Hour)}).want(t, 200, "")
	decide(nil).want(t, 409, "screening.conflict") // somebody else looked at the same version
	if got := s.hits(t, id)[0]; got.State != session.HitNotPerson || got.ValidUntil == nil {
		t.Errorf("after one decision: %+v", got)
	}
	s.do(ask{method: "POST", path: "/v1/sessions/" + id + "/erase", bearer: s.key, body: map[string]any{}})
	s.post("/blocklist", map[string]any{"mode": "test", "kind": "document", "session": id, "reason": "forged", "valid_until": nextYear()}).
		want(t, 410, "session.erased")
}

func TestBadFilesOfAnOwnListAreRefusedOrHeld(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := newScreened(t, w, nil)
	send := func(text string) answer {
		return s.do(ask{method: "POST", path: "/v1/console/watchlists/" + string(s.list.ID) + "/versions", cookie: s.cookie, body: []byte(text)})
	}
	s.upload(t, ownHead+crowd())
	send("id,name,shoe_size\n1,Anna Eriksson,42\n").want(t, 422, "watchlist.not_that_list")
	held := read[wire.WatchlistVersion](t, send(ownHead+crowd()+"x1,,,\nx2,Bertram Oglethorpe,31 Smarch,\n"), 201)
	if held.State != "held" || held.Rejected != 2 || len(held.Why) != 1 || held.Why[0] != "unreadable" || len(held.RejectedRows) != 2 {
		t.Errorf("with 5 of a hundred rows that cannot be read: %+v", held)
	}
	if listed := read[wire.Watchlists](t, s.get("/watchlists"), 200).Items[0].Versions[0]; !slices.Equal(listed.RejectedRows, held.RejectedRows) {
		t.Errorf("the list says lines %v, the answer said %v", listed.RejectedRows, held.RejectedRows)
	}
	left := read[wire.Watchlists](t, s.get("/watchlists"), 200).Items[0]
	for _, v := range left.Versions {
		if v.Format == "" && v.State != "failed" || v.State == "failed" && v.Entries > 0 {
			t.Errorf("what is kept of a file that is no list: %+v", v)
		}
	}
}
