package store

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/screening/lists"
	"github.com/bonafide-id/bonafide/internal/screening/monitor"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/review"
	"github.com/bonafide-id/bonafide/internal/store/queue"
)

// beforeScreening undoes the migration of screening.
var beforeScreening = []string{
	"DROP TABLE screening_hits", "DROP TABLE screening_subjects", "DROP TABLE screening_runs", "DELETE FROM locks WHERE name = 'screening_runs'",
	"DELETE FROM schema_versions WHERE version_id = 43",
}

// invented is a hit on an entry that nobody has.
func invented(entry string) idv.ScreeningHit {
	return idv.ScreeningHit{
		List: "own", Entry: entry, Content: "c1", Topic: idv.TopicSanctions, Band: idv.BandStrong, Read: "SECRETREAD", Listed: "Secretlisted",
		Parts: []idv.NamePart{{Read: "secretpart", Listed: "secretpart", Means: "same"}}, Births: []string{"1931-12-30"},
	}
}

// openHit opens a hit of a session.
func openHit(t *testing.T, d *deployment, id idv.SessionID, found ...idv.ScreeningHit) int {
	t.Helper()
	n := 0
	must(t, d.store.InTx(t.Context(), func(ctx context.Context, tx session.Tx) error {
		rec, err := tx.Lock(ctx, id)
		if err != nil {
			return err
		}
		n, err = d.Life.OpenHits(ctx, tx, rec, found, session.BySubmission)
		return err
	}))
	return n
}

func hitsErased(t *testing.T, d *deployment) {
	ctx := t.Context()
	stop := d.work(t, queue.WorkOptions{})
	a, _ := d.secretive(t)
	stop()
	if n := openHit(t, d, a.id, invented("entry-secret-77")); n != 1 {
		t.Fatalf("%d hits were opened", n)
	}
	hits, err := d.store.Hits(ctx, a.id)
	must(t, err)
	if _, err := d.Hits.Decide(ctx, hits[0].ID, tilda, review.HitDecision{
		Decision: session.HitNotPerson, Reason: "other", Note: "secretnote of a reviewer",
	}); err != nil {
		t.Fatal(err)
	}
	must(t, d.store.InTx(ctx, func(ctx context.Context, tx session.Tx) error {
		return tx.PutSubject(ctx, session.Subject{
			Session: a.id, Mode: idv.Test, Person: []byte(`{"names":[{"family":"SECRETSUBJECT"}]}`), Since: d.clock.now(), ScreenedAt: d.clock.now(),
		})
	}))
	if n, err := d.store.CountScreeningSubjects(ctx, time.Time{}); err != nil || n != 1 {
		t.Errorf("%d people are under monitoring, %v", n, err)
	}
	decided, err := d.store.Hit(ctx, hits[0].ID)
	must(t, err)
	if _, err := d.Hits.Decide(ctx, hits[0].ID, senta, review.HitDecision{
		Version: decided.Version, Decision: session.HitUnsure, Note: "secondsecret of another",
	}); err != nil {
		t.Fatal(err)
	}
	sealed := [][]byte{
		[]byte("secondsecret"),
		[]byte("SECRETREAD"), []byte("Secretlisted"), []byte("secretpart"), []byte("secretnote"), []byte("SECRETSUBJECT"), []byte("1931-12-30"),
	}
	for word, places := range findWords(t, d, sealed) {
		t.Errorf("%q is in the clear in %v", word, places)
	}
	receipt, err := d.Erasures.Erase(ctx, idv.Test, a.id)
	must(t, err)
	for word, places := range findWords(t, d, append(sealed, []byte("entry-secret-77"))) {
		t.Errorf("after erasing %q is still in %v", word, places)
	}
	for _, what := range []string{`"screening_hits"`, `"screening_subjects"`} {
		if !strings.Contains(receipt.Statement, what) {
			t.Errorf("the receipt does not name %s: %s", what, receipt.Statement)
		}
	}
	if n, err := d.store.CountScreeningSubjects(ctx, time.Time{}); err != nil || n != 0 {
		t.Errorf("%d people are under monitoring, %v", n, err)
	}
	if hits, err := d.store.HitsOf(ctx, session.HitFilter{}); err != nil || len(hits) != 0 {
		t.Errorf("hits of an erased session: %v, %v", hits, err)
	}
	if _, err := d.Hits.Decide(ctx, hits[0].ID, tilda, review.HitDecision{Decision: session.HitUnsure}); !problem.Has(err, problem.NotFound) {
		t.Errorf("a hit of an erased session is decided: %v", err)
	}
}

func hitsDecided(t *testing.T, d *deployment) {
	ctx := t.Context()
	d.work(t, queue.WorkOptions{})
	a, c := d.referred(t)
	openHit(t, d, a.id, invented("e1"))
	one := func() session.Hit {
		t.Helper()
		hits, err := d.store.Hits(ctx, a.id)
		must(t, err)
		if len(hits) != 1 {
			t.Fatalf("%d hits", len(hits))
		}
		return hits[0]
	}
	decide := func(what session.HitState, who review.Reviewer) error {
		h := one()
		reason := ""
		if what == session.HitNotPerson {
			reason = "other_birth"
		}
		_, err := d.Hits.Decide(ctx, h.ID, who, review.HitDecision{Version: h.Version, Decision: what, Reason: reason})
		return err
	}
	approve := func() error {
		_, err := d.Rulings.DecideCase(ctx, c.ID, tilda, review.Ruling{
			Basis: review.Basis{Version: c.Version, Report: c.Report}, Outcome: idv.DecideApprove,
		})
		return err
	}
	_, err := d.Queue.Claim(ctx, c.ID, tilda)
	must(t, err)
	c, err = d.Queue.CaseOf(ctx, a.id)
	must(t, err)
	if err := approve(); !problem.Has(err, problem.ScreeningHitsOpen) {
		t.Errorf("approved with an open hit: %v", err)
	}
	must(t, decide(session.HitUnsure, tilda))
	if err := approve(); !problem.Has(err, problem.ScreeningHitsOpen) {
		t.Errorf("approved with an unsure hit: %v", err)
	}
	must(t, decide(session.HitNotPerson, tilda))

	// The same entry does not come back, nor one that merged with it; one with another birth does.
	again := invented("e1")
	again.Remarks = "another remark"
	merged := invented("e9")
	merged.FormerIDs = []string{"e1"}
	if n := openHit(t, d, a.id, again, merged); n != 0 || one().State != session.HitNotPerson {
		t.Errorf("%d hits came back, and the decided one is %s", n, one().State)
	}
	changed := invented("e9")
	changed.FormerIDs, changed.Content = []string{"e1"}, "c2"
	if n := openHit(t, d, a.id, changed); n != 1 || one().State != session.HitOpen || one().Was == nil {
		t.Errorf("%d hits came back for another birth: %+v", n, one())
	}
	namesake := invented("e2")
	if n := openHit(t, d, a.id, namesake); n != 1 {
		t.Error("a new entry of the same name inherits the decision")
	}
}

func hitsFourEyes(t *testing.T, d *deployment) {
	ctx := t.Context()
	d.work(t, queue.WorkOptions{})
	a, _ := d.referred(t)
	openHit(t, d, a.id, invented("e1"))
	hits, err := d.store.Hits(ctx, a.id)
	must(t, err)
	say := func(who review.Reviewer, what session.HitState, reason, note string) session.Hit {
		t.Helper()
		h, err := d.store.Hit(ctx, hits[0].ID)
		must(t, err)
		h, err = d.Hits.Decide(ctx, h.ID, who, review.HitDecision{Version: h.Version, Decision: what, Reason: reason, Note: note})
		must(t, err)
		return h
	}
	first := say(tilda, session.HitIsPerson, "", "The first note.")
	second := say(senta, session.HitIsPerson, "", "The second note.")
	third := say(senta, session.HitNotPerson, "other_birth", "")
	want := []session.Opinion{
		{By: string(tilda.ID), At: first.DecidedAt, Decision: "is_the_person", Note: "The first note."},
		{By: string(senta.ID), At: second.SecondAt, Decision: "is_the_person", Note: "The second note."},
		{By: string(senta.ID), At: third.DecidedAt, Decision: "not_the_person", Reason: "other_birth"},
	}
	kept, err := d.store.Hit(ctx, hits[0].ID)
	must(t, err)
	if diff := cmp.Diff(want, kept.Said); diff != "" {
		t.Errorf("what was said (-want +got)\n%s", diff)
	}

	// A server of the former version writes the last decision alone.
	d.exec(t, "UPDATE screening_hits SET state = 'awaits_second', decided_by = 'usr_rosa', reason = '', decided_at = opened_at, note = NULL")
	kept, err = d.store.Hit(ctx, hits[0].ID)
	must(t, err)
	want = append(want, session.Opinion{By: "usr_rosa", At: kept.OpenedAt, Decision: "is_the_person"})
	if diff := cmp.Diff(want, kept.Said); diff != "" {
		t.Errorf("beside what a former version wrote (-want +got)\n%s", diff)
	}
	for range session.MostSaid {
		say(tilda, session.HitUnsure, "", "")
	}
	if kept := say(senta, session.HitUnsure, "", "the newest"); len(kept.Said) != session.MostSaid || kept.Said[session.MostSaid-1].Note != "the newest" {
		t.Errorf("%d opinions are kept, the last is %+v", len(kept.Said), kept.Said[len(kept.Said)-1])
	}
}

func screenedOnce(t *testing.T, d *deployment) {
	ctx := t.Context()
	d.work(t, queue.WorkOptions{})
	var ids []idv.SessionID
	for range 3 {
		a := d.open(t)
		a.sendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("anna"))
		d.await(t, a.id, idv.Approved)
		ids = append(ids, a.id)
	}
	k := d.keeper()
	_, _ = newList(t, ctx, k, watchSettings())
	all, err := k.Lists(ctx)
	must(t, err)
	_, err = k.Import(ctx, all[0].ID, lists.Uploaded, strings.NewReader(ownList(0, 50)+"anna,Anna Maria Eriksson,1974-08-12,UTO\n"))
	must(t, err)
	live, err := lists.NewLive(k, t.TempDir())
	must(t, err)
	defer func() { must(t, live.Close()) }()
	m := monitor.New(d.store, d.Life, k, live, monitor.Options{Now: d.store.Now})
	if _, open, err := m.Count(ctx); err != nil || open != 3 {
		t.Fatalf("%d people were never screened, %v", open, err)
	}
	run, err := m.ScreenEverybody(ctx)
	must(t, err)
	if _, err := m.ScreenEverybody(ctx); !problem.Has(err, problem.ScreeningRunning) {
		t.Errorf("a second run: %v", err)
	}
	// A worker that dies in the middle: its context ends. The next one goes on.
	dead, kill := context.WithCancel(ctx)
	kill()
	if err := m.Handle(dead, job.Rescreen{Run: run.ID}); err == nil {
		t.Error("a worker without a context screens")
	}
	must(t, m.Handle(ctx, job.Rescreen{Run: run.ID}))
	must(t, m.Handle(ctx, job.Rescreen{Run: run.ID})) // a job may run twice
	runs, err := m.Runs(ctx, 10)
	must(t, err)
	i := 0
	for i < len(runs)-1 && runs[i].ID != run.ID {
		i++
	}
	if r := runs[i]; r.State != monitor.Ended || r.Done != 3 || r.Hits != 3 || r.Failed != 0 {
		t.Errorf("the run: %+v", r)
	}
	for _, id := range ids {
		if hits, err := d.store.Hits(ctx, id); err != nil || len(hits) != 1 || hits[0].Cause != session.ByRun {
			t.Errorf("hits of %s: %+v, %v", id, hits, err)
		}
		if v, err := d.Sessions.Get(ctx, "", id); err != nil || v.Session.Outcome != idv.DecideApprove {
			t.Errorf("the verdict of %s changed to %s, %v", id, v.Session.Outcome, err)
		}
	}
	if _, open, err := m.Count(ctx); err != nil || open != 0 {
		t.Errorf("%d people are left, %v", open, err)
	}
	if err := m.End(ctx, ids[0]); !problem.Has(err, problem.NotFound) {
		t.Errorf("ending what is not monitored: %v", err)
	}
	if errors.Is(err, context.Canceled) {
		t.Error("the run ended with its worker")
	}
}
