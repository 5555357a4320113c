package httpapi_test

import (
	"context"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/screening/lists"
	"github.com/bonafide-id/bonafide/internal/session"
)

// watched adds a list, a version and a hit to the things that routes are about.
func watched(w *world, own map[string]string) map[string]string {
	w.t.Helper()
	ctx := w.t.Context()
	all, err := w.lists.Lists(ctx)
	must(w.t, err)
	if len(all) == 0 {
		l, err := w.lists.Create(ctx, "walk", lists.Settings{Topics: []idv.ScreeningTopic{idv.TopicWatch}})
		must(w.t, err)
		_, err = w.lists.Import(ctx, l.ID, lists.Uploaded, strings.NewReader(ownHead+crowd()))
		must(w.t, err)
		all = append(all, l)
	}
	versions, err := w.lists.Versions(ctx, all[0].ID)
	must(w.t, err)
	out := maps.Clone(own)
	out["{list}"] = string(all[0].ID)
	for _, v := range versions {
		if v.Whole() {
			out["{version}"] = string(v.ID)
		}
	}
	hits, err := w.sessions.Hits.Of(ctx, idv.SessionID(own["{id}"]))
	must(w.t, err)
	if len(hits) == 0 {
		must(w.t, w.store.InTx(ctx, func(ctx context.Context, tx session.Tx) error {
			rec, err := tx.Lock(ctx, idv.SessionID(own["{id}"]))
			if problem.Has(err, problem.NotFound) {
				return nil // nobody's session has no hit
			}
			if err != nil {
				return err
			}
			found := []idv.ScreeningHit{{List: "walk", Entry: "c1", Band: idv.BandPossible}}
			_, err = w.sessions.Life.OpenHits(ctx, tx, rec, found, session.BySubmission)
			return err
		}))
		hits, err = w.sessions.Hits.Of(ctx, idv.SessionID(own["{id}"]))
		must(w.t, err)
	}
	if len(hits) > 0 {
		out["{hit}"] = string(hits[0].ID)
	}
	return out
}

// monitored is a session whose person is screened again.
func monitored(w *world, mode idv.Mode) string {
	w.t.Helper()
	id, _ := w.create(map[idv.Mode]string{idv.Test: w.key, idv.Live: w.live}[mode], nil)
	must(w.t, w.store.InTx(w.t.Context(), func(ctx context.Context, tx session.Tx) error {
		return tx.PutSubject(ctx, session.Subject{
			Session: idv.SessionID(id), Mode: mode, Person: []byte(`{}`), Since: w.clock.now(), ScreenedAt: w.clock.now(),
		})
	}))
	return id
}

func TestWatchlistsRefuseByTheirOwnCode(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := newScreened(t, w, nil)
	s.post("/screening/search", map[string]any{"name": "Anna Eriksson"}).want(t, 200, "")
	s.post("/watchlists", map[string]any{"name": "own", "topics": []string{"watch"}}).want(t, 409, "watchlist.exists")
	send := func(body string) answer {
		return s.do(ask{method: "POST", path: "/v1/console/watchlists/" + string(s.list.ID) + "/versions", cookie: s.cookie, body: []byte(body)})
	}
	send("a letter").want(t, 422, "watchlist.not_that_list")
	send("<html><body>Not found</body></html>").want(t, 422, "watchlist.not_that_list")
	send(`<?xml version="1.0"?><CONSOLIDATED_LIST><INDIVIDUALS>`).want(t, 422, "watchlist.broken")
	send(`<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha">]><CONSOLIDATED_LIST/>`).want(t, 422, "watchlist.broken")
	v := read[wire.WatchlistVersion](t, send(ownHead+crowd()), 201)
	s.post("/screening/search", map[string]any{"name": "Anna Eriksson"}).want(t, 503, "screening.not_ready")
	must(t, s.compiled.Refresh(t.Context()))
	s.post("/screening/search", map[string]any{"name": "Anna Eriksson"}).want(t, 200, "")
	s.post("/watchlist-versions/"+string(v.ID)+"/activate", nil).want(t, 409, "watchlist.conflict")
	for what, source := range map[string]string{
		"a private address": "https://10.1.2.3/list.xml", "no https": "http://lists.example/list.xml", "this machine": "https://localhost/list.xml",
	} {
		got := s.post("/watchlists", map[string]any{"name": "fetched", "topics": []string{"watch"}, "source": source, "every_hours": 24})
		if got.status != 422 && got.status != 400 {
			t.Errorf("%s: %d %s", what, got.status, got.body)
		}
	}
}

func TestOneRunOverEverybodyAtATime(t *testing.T) {
	t.Parallel()
	w := newWorld(t) // nothing works its jobs
	cookie := w.signIn()
	start := ask{method: "POST", path: "/v1/console/screening/runs", cookie: cookie, body: map[string]any{}}
	w.do(start).want(t, 202, "")
	w.do(start).want(t, 409, "screening.running")
}

func TestAWeekLaterEverybodyUnderMonitoringIsScreenedAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := newScreened(t, w, nil)
	s.upload(t, ownHead+crowd())
	id, state := s.person(t, nil)
	if state != "approved" {
		t.Fatalf("the session is %s", state)
	}
	s.idle(t)
	weekly := func() (n int, running bool) {
		runs, err := w.monitor.Runs(t.Context(), 50)
		must(t, err)
		for _, r := range runs {
			running = running || r.State == "running"
			if r.Kind == "weekly" {
				n++
			}
		}
		return n, running
	}
	must(t, w.monitor.Sweep(t.Context()))
	if n, _ := weekly(); n != 0 {
		t.Errorf("%d weekly runs on the first day", n)
	}
	w.clock.move(8 * 24 * time.Hour)
	must(t, w.monitor.Sweep(t.Context()))
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if _, running := weekly(); !running {
			break
		}
	}
	must(t, w.monitor.Sweep(t.Context()))
	if n, running := weekly(); n != 1 || running {
		t.Errorf("%d weekly runs after a week, running: %v", n, running)
	}
	if h, err := w.sessions.Hits.Of(t.Context(), idv.SessionID(id)); err != nil || len(h) != 0 {
		t.Errorf("hits: %+v, %v", h, err)
	}
}

func TestTheApplicantHearsNothingOfAHit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := newScreened(t, w, nil)
	s.upload(t, ownHead+listedAnna+crowd())
	hit, heard := s.sent("screened", idvtest.Passport("anna"), true)
	s.wait(hit)
	_, _, unsure := s.referred(s.key)
	said := func(token string) string {
		a := s.do(ask{method: "GET", path: "/v1/applicant/task", bearer: token})
		var out []string
		for _, key := range []string{"state", "step", "problem"} {
			out = append(out, field(a.body, key))
		}
		for _, word := range []string{"screening", "watchlist", "sanction", "listed", "hit_"} {
			if strings.Contains(a.body, word) {
				t.Errorf("the applicant reads %q: %s", word, a.body)
			}
		}
		if a.status != http.StatusOK {
			t.Fatalf("got %d %s", a.status, a.body)
		}
		return strings.Join(out, " ")
	}
	if a, b := said(heard), said(unsure); a != b {
		t.Errorf("with a hit the applicant hears %q, in any other review %q", a, b)
	}
}
