package store

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/review"
	"github.com/bonafide-id/bonafide/internal/store/queue"
	"github.com/bonafide-id/bonafide/internal/store/sessions"
)

var (
	rita  = review.Reviewer{ID: "usr_rita"}
	rolf  = review.Reviewer{ID: "usr_rolf"}
	senta = review.Reviewer{ID: "usr_senta", Overrules: true}
)

func caseLife(t *testing.T, d *deployment) {
	d.work(t, queue.WorkOptions{})
	a, c := d.referred(t)
	want := idv.Case{
		ID: c.ID, Session: a.id, Mode: idv.Test, Workflow: c.Workflow, State: idv.CaseOpen, Reasons: []string{problem.FaceUncertain.Code},
		Report: c.Report, OpenedAt: c.OpenedAt, DueAt: c.OpenedAt.Add(session.DefaultCaseTarget),
	}
	if diff := cmp.Diff(want, c); diff != "" || len(c.Report) != 64 {
		t.Fatalf("the case (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]idv.CaseID{c.ID}, d.queue(t, session.Unclaimed, rita)); diff != "" {
		t.Fatal(diff)
	}
	v, err := d.Queue.Claim(as(t, rita), c.ID, rita)
	if err != nil || v.Case.State != idv.CaseClaimed || v.Case.Assignee != rita.ID {
		t.Fatalf("claimed: %+v, %v", v.Case, err)
	}
	if len(d.queue(t, session.Unclaimed, rolf)) != 0 || len(d.queue(t, session.Mine, rita)) != 1 || len(d.queue(t, session.AllCases, rolf)) != 1 {
		t.Error("a claimed case is among those of nobody, or not among its holder's")
	}
	r := ruling(v.Case, idv.DecideApprove)
	r.Note = "The ears are the same."
	if v, err = d.Rulings.DecideCase(as(t, rita), c.ID, rita, r); err != nil || v.Case.State != idv.CaseClosed || v.Session.State != idv.Approved {
		t.Fatalf("decided: %+v, %v", v.Case, err)
	}
	if task := a.task(t); task.State != idv.TaskApproved {
		t.Errorf("the applicant sees %s", task.State)
	}
	report, decisions, err := d.Sessions.Report(t.Context(), idv.Test, a.id)
	if err != nil || len(decisions) != 2 || decisions[1].By != string(rita.ID) || decisions[1].Digest != report.Digest || decisions[1].Note != r.Note {
		t.Fatalf("decisions %+v, %v", decisions, err)
	}
	var facts []sessions.FactsRow
	if err := d.store.Read.NewSelect().Model(&facts).OrderExpr("decided_at").Scan(t.Context()); err != nil || len(facts) != 2 {
		t.Fatalf("facts of %d decisions, %v", len(facts), err)
	}
	if f := facts[1]; f.Decision != string(decisions[1].ID) || f.Outcome != string(idv.DecideApprove) || f.Country != facts[0].Country ||
		len(f.Scores) != len(facts[0].Scores) {
		t.Errorf("facts of the person's decision: %+v; of the machine's: %+v", f, facts[0])
	}
	if len(d.queue(t, session.AllCases, rita)) != 0 {
		t.Error("a decided case is still in the queue")
	}
	wantEvents(t, d, a.id, session.EventReferred, session.EventCaseOpened, session.EventCaseClaimed, session.EventApproved, session.EventCaseClosed)
	_, err = d.Rulings.DecideCase(as(t, rolf), c.ID, rolf, r)
	wantProblem(t, err, problem.CaseConflict)
}

func caseDeclined(t *testing.T, d *deployment) {
	d.work(t, queue.WorkOptions{})
	a, c := d.referred(t)
	for name, r := range map[string]review.Ruling{
		"no reason":                         ruling(c, idv.DecideDecline),
		"a reason that nobody knows":        ruling(c, idv.DecideDecline, "face.ugly"),
		"a code that is no reason":          ruling(c, idv.DecideDecline, problem.SessionExpired.Code),
		"an approval with a reason":         ruling(c, idv.DecideApprove, problem.FaceMismatch.Code),
		"an outcome that no person decides": ruling(c, idv.DecideRefer),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := d.Rulings.DecideCase(as(t, rita), c.ID, rita, r)
			wantProblem(t, err, problem.RequestMalformed)
		})
	}
	v, err := d.Rulings.DecideCase(as(t, rita), c.ID, rita, ruling(c, idv.DecideDecline, problem.DocumentPortraitAltered.Code, problem.FaceMismatch.Code))
	if err != nil || v.Session.State != idv.Declined {
		t.Fatalf("declined: %+v, %v", v.Session, err)
	}
	// A sign of deceit is not for the applicant: the next reason is.
	if task := a.task(t); task.State != idv.TaskDeclined || task.Problem == nil || task.Problem.Code != problem.FaceMismatch.Code {
		t.Errorf("the applicant is told %+v", task.Problem)
	}
}

func caseConflicts(t *testing.T, d *deployment) {
	d.work(t, queue.WorkOptions{})
	a, c := d.referred(t)
	stale := ruling(c, idv.DecideApprove)
	other := stale
	other.Report = idv.Digest(fmt.Sprintf("%064d", 7))
	_, err := d.Rulings.DecideCase(as(t, rita), c.ID, rita, other)
	wantProblem(t, err, problem.CaseConflict)
	if _, err := d.Queue.Claim(as(t, rolf), c.ID, rolf); err != nil {
		t.Fatal(err)
	}
	for act, err := range map[string]error{
		"decide":  second(d.Rulings.DecideCase(as(t, rita), c.ID, rita, stale)),
		"claim":   second(d.Queue.Claim(as(t, rita), c.ID, rita)),
		"release": second(d.Queue.Release(as(t, rita), c.ID, rita)),
		"redo":    second(d.Rulings.RedoStep(as(t, rita), c.ID, rita, review.Redo{Basis: stale.Basis, Step: idv.StepSelfie})),
	} {
		p, ok := problem.As(err)
		if !ok || p.Kind.Code != problem.CaseConflict.Code || !contains(p.Detail, "usr_rolf has it until") {
			t.Errorf("%s of a case that somebody has: %v", act, err)
		}
	}
	if _, err := d.Rulings.Note(as(t, rolf), c.ID, rolf, "Look at the chin."); err != nil {
		t.Fatal(err)
	}
	_, err = d.Rulings.DecideCase(as(t, rolf), c.ID, rolf, stale)
	if p, ok := problem.As(err); !ok || !contains(p.Detail, "usr_rolf wrote a note at") || contains(p.Detail, "chin") {
		t.Errorf("a decision on a case from before a note: %v", err)
	}
	v, err := d.Queue.Release(as(t, senta), c.ID, senta)
	if err != nil || v.Case.State != idv.CaseOpen || v.Case.Version != 1 {
		t.Fatalf("a senior lets go of another's: %+v, %v", v.Case, err)
	}
	if _, err := d.Rulings.DecideCase(as(t, rolf), c.ID, rolf, ruling(v.Case, idv.DecideApprove)); err != nil {
		t.Fatal(err)
	}
	_, err = d.Rulings.DecideCase(as(t, rita), c.ID, rita, ruling(v.Case, idv.DecideDecline, problem.FaceMismatch.Code))
	if p, ok := problem.As(err); !ok || !contains(p.Detail, "usr_rolf approved it at") {
		t.Errorf("a decision after the decision: %v", err)
	}
	wantOutcome(t, d, a.id, idv.DecideApprove, 2)
}

// raceCases lets two reviewers go for one case a thousand times, by day fifty: one wins each time, and the other is told.
func raceCases(t *testing.T, d *deployment) {
	d.work(t, queue.WorkOptions{})
	_, c := d.referred(t)
	both := []review.Reviewer{rita, rolf}
	races := 1000
	if testing.Short() {
		races = 50
	}
	for n := range races {
		errs := together(2, func(i int) error { return second(d.Queue.Claim(as(t, both[i]), c.ID, both[i])) })
		winner := slices.Index(errs, nil)
		if winner < 0 || !problem.Has(errs[1-winner], problem.CaseConflict) {
			t.Fatalf("race %d: %v", n, errs)
		}
		v, err := d.Queue.Case(t.Context(), c.ID)
		if err != nil || v.Case.Assignee != both[winner].ID {
			t.Fatalf("race %d: %s has it and %s won, %v", n, v.Case.Assignee, both[winner].ID, err)
		}
		if _, err := d.Queue.Release(as(t, both[winner]), c.ID, both[winner]); err != nil {
			t.Fatal(err)
		}
	}
}

// raceRulings lets two reviewers decide one case at once, differently.
func raceRulings(t *testing.T, d *deployment) {
	d.work(t, queue.WorkOptions{Workers: 4})
	for range 10 {
		a, c := d.referred(t)
		errs := together(2, func(i int) error {
			if i == 0 {
				return second(d.Rulings.DecideCase(as(t, rita), c.ID, rita, ruling(c, idv.DecideApprove)))
			}
			return second(d.Rulings.DecideCase(as(t, rolf), c.ID, rolf, ruling(c, idv.DecideDecline, problem.FaceMismatch.Code)))
		})
		winner := slices.Index(errs, nil)
		if winner < 0 || !problem.Has(errs[1-winner], problem.CaseConflict) {
			t.Fatalf("%v", errs)
		}
		wantOutcome(t, d, a.id, []idv.DecisionOutcome{idv.DecideApprove, idv.DecideDecline}[winner], 2)
	}
}

func caseClaims(t *testing.T, d *deployment) {
	d.work(t, queue.WorkOptions{})
	_, c := d.referred(t)
	v, err := d.Queue.Claim(as(t, rita), c.ID, rita)
	if err != nil {
		t.Fatal(err)
	}
	d.clock.advance(review.DefaultClaimLife / 2)
	if v, err = d.Rulings.Note(as(t, rita), c.ID, rita, "Still looking."); err != nil {
		t.Fatal(err)
	}
	d.clock.advance(review.DefaultClaimLife * 3 / 4)
	if got := d.queue(t, session.Mine, rita); len(got) != 1 {
		t.Fatalf("a note did not renew the claim: %v", got)
	}
	if _, err := d.Queue.Claim(as(t, rita), c.ID, rita); err != nil {
		t.Fatalf("renewed: %v", err)
	}
	d.clock.advance(review.DefaultClaimLife)
	if got := d.queue(t, session.Unclaimed, rolf); len(got) != 1 {
		t.Fatalf("a claim that ran out is not unclaimed: %v", got)
	}
	if got := d.queue(t, session.Mine, rita); len(got) != 0 {
		t.Fatalf("a claim that ran out is still hers: %v", got)
	}
	if err := d.Expire(t.Context()); err != nil {
		t.Fatal(err)
	}
	if v, err = d.Queue.Case(t.Context(), c.ID); err != nil || v.Case.State != idv.CaseOpen || v.Case.Assignee != "" {
		t.Fatalf("after the sweep: %+v, %v", v.Case, err)
	}
	// Whoever read for long and was not replaced may still decide: nothing has changed since they looked.
	if _, err := d.Rulings.DecideCase(as(t, rita), c.ID, rita, ruling(v.Case, idv.DecideApprove)); err != nil {
		t.Fatal(err)
	}
	_, other := d.referred(t)
	if v, err = d.Queue.Assign(as(t, senta), other.ID, rolf); err != nil || v.Case.Assignee != rolf.ID {
		t.Fatalf("assigned: %+v, %v", v.Case, err)
	}
	if v, err = d.Queue.Assign(as(t, senta), other.ID, rita); err != nil || v.Case.Holder(d.clock.now()) != rita.ID {
		t.Fatalf("assigned to another: %+v, %v", v.Case, err)
	}
}

func casePages(t *testing.T, d *deployment) {
	ctx := t.Context()
	d.work(t, queue.WorkOptions{Workers: 4})
	var want []idv.CaseID
	for range 5 {
		_, c := d.referred(t)
		want = append(want, c.ID)
	}
	var got []idv.CaseID
	f := session.CaseFilter{Mode: idv.Test, Tab: session.AllCases, Limit: 2}
	for pages := 1; ; pages++ {
		views, next, counts, err := d.Queue.Cases(ctx, f)
		if err != nil || counts != (session.CaseCounts{Unclaimed: 5, All: 5}) {
			t.Fatalf("%+v, %v", counts, err)
		}
		for _, v := range views {
			got = append(got, v.Case.ID)
		}
		if next == "" {
			if pages != 3 {
				t.Errorf("%d pages", pages)
			}
			break
		}
		f.After = next
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the queue, what is due first first (-want +got):\n%s", diff)
	}
	if views, _, counts, err := d.Queue.Cases(ctx, session.CaseFilter{Mode: idv.Live, Tab: session.AllCases}); err != nil || len(views) != 0 || counts.All != 0 {
		t.Errorf("test cases among the live ones: %d, %v", len(views), err)
	}
	next, err := d.Queue.NextCase(as(t, rita), idv.Test, rita, "")
	if err != nil || next.Case.ID != want[0] {
		t.Fatalf("the next case: %+v, %v", next.Case, err)
	}
	if next, err = d.Queue.NextCase(as(t, rolf), idv.Test, rolf, ""); err != nil || next.Case.ID != want[1] {
		t.Fatalf("somebody else's next case: %+v, %v", next.Case, err)
	}
	wake, stop := d.Queue.WatchCases()
	defer stop()
	drain(wake)
	if _, err := d.Queue.Release(as(t, rolf), want[1], rolf); err != nil {
		t.Fatal(err)
	}
	select {
	case <-wake:
	case <-time.After(patience):
		t.Fatal("whoever watches the queue was not woken")
	}
}

// caseMigrated opens a database of before cases that has a session in review.
func caseMigrated(t *testing.T, d *deployment) {
	ctx := t.Context()
	url := "sqlite:" + filepath.Join(t.TempDir(), "old.db")
	if d.cluster != nil {
		url = d.cluster.Database(t)
	}
	old, err := Open(ctx, url, Options{Master: d.master, Blobs: d.store.Blobs, Now: d.clock.now, Log: quiet()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = old.Close() })
	p, err := old.schema.Provider()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.UpTo(ctx, 2); err != nil {
		t.Fatal(err)
	}
	now := d.clock.now().UTC().Truncate(time.Microsecond)
	const waiting, done = idv.SessionID("ses_06c1q2m3n4p5r6s7t8v9w0x1y2"), idv.SessionID("ses_06c1q2m3n4p5r6s7t8v9w0x1y3")
	for _, q := range []string{
		"INSERT INTO workflows (id, mode, name, created_at) VALUES ('wfl_1', 'test', 'old', ?)",
		"INSERT INTO workflow_versions (id, workflow_id, number, state, spec, created_at) VALUES ('wfv_1', 'wfl_1', 1, 'published', '{}', ?)",
		oldSession(waiting, idv.InReview), oldSession(done, idv.Approved),
		"INSERT INTO reports (id, session_id, digest, made_at) VALUES ('rep_1', '" + string(waiting) + "', 'first', ?)",
		"INSERT INTO reports (id, session_id, digest, made_at) VALUES ('rep_2', '" + string(waiting) + "', 'second', ?)",
	} {
		args := make([]any, strings.Count(q, "?"))
		for i := range args {
			args[i] = now
		}
		if _, err := old.Write.ExecContext(ctx, q, args...); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
	if err := old.Migrate(ctx); err != nil {
		t.Fatal(err)
	}
	got, err := old.CaseOf(ctx, waiting)
	want := idv.Case{
		ID: "cas_06c1q2m3n4p5r6s7t8v9w0x1y2", Session: waiting, Mode: idv.Test, Workflow: "wfv_1", State: idv.CaseOpen, Reasons: []string{},
		Report: "second", OpenedAt: now, DueAt: now,
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("the case of a session that waited (-want +got), %v:\n%s", err, diff)
	}
	if _, err := old.CaseOf(ctx, done); !problem.Has(err, problem.NotFound) {
		t.Errorf("a session that waits for nobody has a case: %v", err)
	}
}

func oldSession(id idv.SessionID, state idv.SessionState) string {
	return "INSERT INTO sessions (id, mode, workflow_version_id, state, outcome, problem_code, problem_step, document_kind, consented, redo, attempts, locale, " +
		"link_hash, link_used, created_at, link_expires_at, touched_at, sweeps, version) VALUES ('" + string(id) + "', 'test', 'wfv_1', '" + string(state) +
		"', 'referred', '', '', 'passport', TRUE, '[]', '{}', 'en', '" + string(id) + "', TRUE, ?, ?, ?, 0, 1)"
}

// beforeCases undoes the migration that made cases.
var beforeCases = []string{
	"DROP TABLE reviews", "DROP TABLE cases", "ALTER TABLE sessions DROP COLUMN created_by", "ALTER TABLE sessions DROP COLUMN reopened_at",
}
