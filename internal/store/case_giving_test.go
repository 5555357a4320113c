package store

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/insight"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/review"
	"github.com/bonafide-id/bonafide/internal/store/queue"
)

// waiting adds cases to sessions that are there for nothing else, each due a minute after the one before.
func (d *deployment) waiting(t *testing.T, n int, change func(i int, c *idv.Case)) []idv.CaseID {
	t.Helper()
	out := []idv.CaseID{}
	for i := range n {
		s, err := d.Sessions.Create(t.Context(), session.Spec{Mode: idv.Test})
		if err != nil {
			t.Fatal(err)
		}
		id, err := idv.NewID[idv.CaseID](d.clock.now(), d.store.Random)
		if err != nil {
			t.Fatal(err)
		}
		now := d.clock.now().UTC().Truncate(time.Microsecond)
		c := idv.Case{
			ID: id, Session: s.Session.ID, Mode: idv.Test, Workflow: s.Session.Workflow, State: idv.CaseOpen, OpenedAt: now,
			DueAt: now.Add(4*time.Hour + time.Duration(i)*time.Minute),
		}
		if change != nil {
			change(i, &c)
		}
		if err := d.store.InTx(t.Context(), func(ctx context.Context, tx session.Tx) error { return tx.AddCase(ctx, c) }); err != nil {
			t.Fatal(err)
		}
		out = append(out, id)
	}
	return out
}

// giving returns what gives out the cases of a deployment, to some reviewers.
func (d *deployment) giving(reviewers ...review.Reviewer) *review.Assignments {
	life := session.NewLifecycle(d.store, d.store.Pictures(), nil, session.Options{Now: d.clock.now, Log: quiet()})
	return review.NewAssignments(life, d.store, review.NewQueue(life, d.store, 0), func(context.Context, idv.Mode) ([]review.Reviewer, error) {
		return reviewers, nil
	})
}

func (d *deployment) held(t *testing.T) map[idv.UserID]int {
	t.Helper()
	held, err := d.store.HeldCases(t.Context(), idv.Test, d.clock.now())
	if err != nil {
		t.Fatal(err)
	}
	return held
}

func casesGivenByTwo(t *testing.T, d *deployment) {
	node := d.secondNode(t)
	d.waiting(t, 14, nil)
	one, two := d.giving(rita, rolf, senta), node.giving(rita, rolf, senta)
	if err := one.Distribute(t.Context()); err != nil || len(d.held(t)) != 0 {
		t.Fatalf("before anybody turned it on: %v, %v", d.held(t), err)
	}
	if err := one.Set(as(t, senta), idv.Test, true, 4); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	errs := make([]error, 2)
	for i, a := range []*review.Assignments{one, two} {
		wg.Go(func() { errs[i] = a.Distribute(t.Context()) })
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[idv.UserID]int{rita.ID: 4, rolf.ID: 4, senta.ID: 4}, d.held(t)); diff != "" {
		t.Errorf("two servers gave out (-want +got):\n%s", diff)
	}
	if left := d.queue(t, session.Unclaimed, rita); len(left) != 2 {
		t.Errorf("%d cases are left, want 2: everybody has as many as they may", len(left))
	}
}

func casesGiven(t *testing.T, d *deployment) {
	ids := d.waiting(t, 4, nil)
	a := d.giving(rita, rolf)
	if err := a.Set(as(t, senta), idv.Test, true, 0); !problem.Has(err, problem.RequestMalformed) {
		t.Errorf("a limit of 0: %v", err)
	}
	if err := a.Set(as(t, senta), idv.Test, true, 3); err != nil {
		t.Fatal(err)
	}
	if err := a.SetAway(as(t, rolf), rolf, true); err != nil {
		t.Fatal(err)
	}
	distribute := func() {
		t.Helper()
		if err := a.Distribute(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	distribute()
	if diff := cmp.Diff(map[idv.UserID]int{rita.ID: 3}, d.held(t)); diff != "" {
		t.Fatalf("while one is away (-want +got):\n%s", diff)
	}
	first, err := d.store.Case(t.Context(), ids[0])
	if err != nil || !first.ClaimedUntil.Equal(first.DueAt) {
		t.Errorf("a case that was given is held until %v, want its target %v (%v)", first.ClaimedUntil, first.DueAt, err)
	}
	if v, err := d.Queue.Claim(as(t, rita), ids[0], rita); err != nil || !v.Case.ClaimedUntil.Equal(first.DueAt) {
		t.Errorf("looking at it shortens it to %v (%v)", v.Case.ClaimedUntil, err)
	}
	if err := a.SetAway(as(t, rolf), rolf, false); err != nil {
		t.Fatal(err)
	}
	distribute()
	if diff := cmp.Diff(map[idv.UserID]int{rita.ID: 3, rolf.ID: 1}, d.held(t)); diff != "" {
		t.Errorf("after the other is back (-want +got):\n%s", diff)
	}
	if err := a.SetAway(as(t, rita), rita, true); err != nil {
		t.Fatal(err)
	}
	distribute()
	if diff := cmp.Diff(map[idv.UserID]int{rolf.ID: 3}, d.held(t)); diff != "" {
		t.Errorf("after the first went away (-want +got):\n%s", diff)
	}
	d.clock.advance(5 * time.Hour)
	if err := d.Queue.ReleaseExpired(t.Context()); err != nil || len(d.held(t)) != 0 {
		t.Errorf("past their targets %v are held still (%v)", d.held(t), err)
	}
}

func casesNarrowed(t *testing.T, d *deployment) {
	rosa, err := idv.NewID[idv.UserID](d.clock.now(), d.store.Random)
	if err != nil {
		t.Fatal(err)
	}
	ids := d.waiting(t, 3, func(i int, c *idv.Case) {
		c.Reasons = []string{problem.FaceUncertain.Code}
		if i == 0 {
			c.DueAt = c.OpenedAt.Add(-time.Hour)
		}
		if i == 1 {
			c.State, c.Assignee, c.ClaimedUntil = idv.CaseClaimed, rosa, c.OpenedAt.Add(time.Hour)
		}
	})
	for name, c := range map[string]struct {
		narrowing session.CaseNarrowing
		want      []idv.CaseID
	}{
		"by nothing":                     {session.CaseNarrowing{}, ids},
		"by its workflow":                {session.CaseNarrowing{Workflow: idv.WorkflowDefault}, ids},
		"by another workflow":            {session.CaseNarrowing{Workflow: idv.WorkflowLiveness}, []idv.CaseID{}},
		"to what is late":                {session.CaseNarrowing{Overdue: true}, ids[:1]},
		"to a reviewer's":                {session.CaseNarrowing{Assignee: rosa}, ids[1:2]},
		"to nobody's":                    {session.CaseNarrowing{Nobody: true}, []idv.CaseID{ids[0], ids[2]}},
		"by a state of no document":      {session.CaseNarrowing{Countries: []string{"UTO"}}, []idv.CaseID{}},
		"by a reason that no case has":   {session.CaseNarrowing{Reason: problem.DocumentExpired.Code}, []idv.CaseID{}},
		"to what is late and somebody's": {session.CaseNarrowing{Overdue: true, Assignee: rosa}, []idv.CaseID{}},
	} {
		views, _, counts, err := d.Queue.Cases(t.Context(), session.CaseFilter{Mode: idv.Test, Tab: session.AllCases, CaseNarrowing: c.narrowing})
		got := []idv.CaseID{}
		for _, v := range views {
			got = append(got, v.Case.ID)
		}
		if diff := cmp.Diff(c.want, got); diff != "" || err != nil || counts.All != len(c.want) {
			t.Errorf("narrowed %s, counted %d, %v (-want +got):\n%s", name, counts.All, err, diff)
		}
	}
	for name, n := range map[string]session.CaseNarrowing{
		"a reason that there is not": {Reason: "no.such"}, "a country that there is not": {Countries: []string{"QQQ"}}, "no member": {Assignee: "x"},
	} {
		if _, _, _, err := d.Queue.Cases(t.Context(), session.CaseFilter{Mode: idv.Test, CaseNarrowing: n}); !problem.Has(err, problem.RequestMalformed) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func caseTargets(t *testing.T, d *deployment) {
	d.work(t, queue.WorkOptions{})
	name := d.workflow(t, "slow", func(w *idv.WorkflowVersion) { w.CaseTarget = 48 * time.Hour })
	_, c := d.refer(t, openAs(t, d, senta, name))
	if got := c.DueAt.Sub(c.OpenedAt); got != 48*time.Hour {
		t.Errorf("due after %v, want the workflow's 48 h", got)
	}
	views, _, _, err := d.Queue.Cases(t.Context(), session.CaseFilter{
		Mode: idv.Test, Tab: session.AllCases, CaseNarrowing: session.CaseNarrowing{Reason: problem.FaceUncertain.Code, Countries: []string{"UTO"}, Workflow: name},
	})
	if err != nil || len(views) != 1 {
		t.Errorf("found by reason, country and workflow: %d cases, %v", len(views), err)
	}
}

func qualityDrawn(t *testing.T, d *deployment) {
	d.work(t, queue.WorkOptions{})
	ctx := t.Context()
	name := d.workflow(t, "sampled", func(w *idv.WorkflowVersion) { w.QualityShare = 100 })
	a, c := d.refer(t, openAs(t, d, senta, name))
	if _, err := d.Rulings.DecideCase(as(t, rita), c.ID, rita, ruling(c, idv.DecideApprove)); err != nil {
		t.Fatal(err)
	}
	_, other := d.referred(t) // of a workflow that draws nothing
	if _, err := d.Rulings.DecideCase(as(t, rita), other.ID, rita, ruling(other, idv.DecideApprove)); err != nil {
		t.Fatal(err)
	}
	views, counts, err := d.Quality.List(ctx, session.QualityFilter{Mode: idv.Test})
	if err != nil || len(views) != 1 || views[0].Review.Session != a.id || views[0].Review.DecidedBy != string(rita.ID) || counts.Waiting != 1 {
		t.Fatalf("drawn %+v, %+v, %v", views, counts, err)
	}
	doubt := review.Finding{Verdict: idv.Disagree, Reasons: []string{problem.FaceMismatch.Code}, Note: "The ears differ."}
	_, err = d.Quality.Settle(as(t, rita), a.id, rita, doubt)
	wantProblem(t, err, problem.AuthForbidden)
	_, err = d.Quality.Settle(as(t, senta), a.id, senta, review.Finding{Verdict: idv.Disagree})
	wantProblem(t, err, problem.RequestMalformed)
	if v, err := d.Quality.Settle(as(t, senta), a.id, senta, doubt); err != nil || v.Review.Verdict != idv.Disagree {
		t.Fatalf("settled %+v, %v", v.Review, err)
	}
	_, err = d.Quality.Settle(as(t, rolf), a.id, rolf, review.Finding{Verdict: idv.Agree})
	wantProblem(t, err, problem.CaseConflict)
	wantOutcome(t, d, a.id, idv.DecideApprove, 2) // it changed no decision
	q, err := d.store.QualityReview(ctx, a.id)
	if err != nil || q.Note != doubt.Note || q.By != senta.ID {
		t.Errorf("kept %+v, %v", q, err)
	}
	wantReviewers(t, d)
	if _, err := d.Erasures.Erase(ctx, "", a.id); err != nil {
		t.Fatal(err)
	}
	if q, err = d.store.QualityReview(ctx, a.id); err != nil || q.Note != "" || q.Verdict != idv.Disagree {
		t.Errorf("after erasing: %+v, %v", q, err)
	}
	if _, counts, err = d.Quality.List(ctx, session.QualityFilter{Mode: idv.Test, Done: true}); err != nil || counts.Disagree != 1 || counts.Waiting != 0 {
		t.Errorf("counted %+v, %v", counts, err)
	}
}

// wantReviewers checks the figures of two approvals by one reviewer, one of which a second look disagreed with and somebody changes now.
func wantReviewers(t *testing.T, d *deployment) {
	t.Helper()
	views, _, err := d.Quality.List(t.Context(), session.QualityFilter{Mode: idv.Test, Done: true})
	if err != nil || len(views) != 1 {
		t.Fatal(views, err)
	}
	id := views[0].Review.Session
	decisions, err := d.store.Decisions(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	_, err = d.Rulings.ChangeDecision(as(t, senta), id, senta, review.Appeal{
		Ruling: review.Ruling{Outcome: idv.DecideDecline, Reasons: []string{problem.FaceMismatch.Code}}, Decision: decisions[len(decisions)-1].ID,
	})
	if err != nil {
		t.Fatal(err)
	}
	now := d.clock.now()
	rows, err := insight.New(d.store, insight.Options{Now: d.clock.now}).Reviewers(t.Context(), idv.Test, now.AddDate(0, 0, -1), now.AddDate(0, 0, 1))
	if err != nil || len(rows) != 2 {
		t.Fatalf("figures of %+v, %v", rows, err)
	}
	want := insight.ReviewerRow{Reviewer: rita.ID, Approved: 2, Overturned: 1, Looked: 1, Disagreed: 1, Median: rows[0].Median}
	if diff := cmp.Diff(want, rows[0]); diff != "" || rows[1].Reviewer != "" {
		t.Errorf("figures (-want +got):\n%s", diff)
	}
}

// casesSorted pages through every order of the queue.
func casesSorted(t *testing.T, d *deployment) {
	rosa, err := idv.NewID[idv.UserID](d.clock.now(), d.store.Random)
	must(t, err)
	ids := d.waiting(t, 5, func(i int, c *idv.Case) {
		c.Reasons = []string{problem.FaceUncertain.Code, problem.DocumentExpired.Code}
		if i%2 == 0 {
			c.Reasons = []string{problem.DocumentExpired.Code}
		}
		if i == 4 {
			c.Reasons = nil
		}
		if i == 0 || i == 3 {
			c.State, c.Assignee, c.ClaimedUntil = idv.CaseClaimed, rosa, c.OpenedAt.Add(time.Hour)
		}
	})
	pick := func(at ...int) (out []idv.CaseID) {
		for _, i := range at {
			out = append(out, ids[i])
		}
		return out
	}
	for _, by := range []struct {
		sort session.CaseSort
		want []idv.CaseID
	}{
		{"", pick(0, 1, 2, 3, 4)}, {session.MostUrgent, pick(0, 1, 2, 3, 4)}, {session.LeastUrgent, pick(4, 3, 2, 1, 0)},
		{session.ByReason, pick(4, 0, 2, 1, 3)}, {session.ByReasonBack, pick(3, 1, 2, 0, 4)},
		{session.ByAssignee, pick(1, 2, 4, 0, 3)}, {session.ByAssigneeBack, pick(3, 0, 4, 2, 1)},
	} {
		for _, limit := range []int{1, 2, 100} {
			var got []idv.CaseID
			f := session.CaseFilter{Mode: idv.Test, Tab: session.AllCases, Limit: limit, Sort: by.sort}
			for {
				views, next, _, err := d.Queue.Cases(t.Context(), f)
				must(t, err)
				for _, v := range views {
					got = append(got, v.Case.ID)
				}
				if f.After = next; next == "" || len(got) > len(ids) {
					break
				}
			}
			if diff := cmp.Diff(by.want, got); diff != "" {
				t.Errorf("%s, %d a page (-want +got):\n%s", by.sort, limit, diff)
			}
		}
	}
	for name, cursor := range map[string]string{
		"an id alone": string(ids[0]), "no time": "face.uncertain,soon," + string(ids[0]), "no case": "face.uncertain,2026-01-01T00:00:00Z,cas_1",
		"what is no code": "'; DROP TABLE cases; --,2026-01-01T00:00:00Z," + string(ids[0]),
	} {
		f := session.CaseFilter{Mode: idv.Test, Tab: session.AllCases, Sort: session.ByReason, After: cursor}
		if _, _, _, err := d.Queue.Cases(t.Context(), f); !problem.Has(err, problem.RequestMalformed) {
			t.Errorf("after %s: %v", name, err)
		}
	}
}
