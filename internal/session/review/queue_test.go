package review_test

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/review"
	"github.com/bonafide-id/bonafide/internal/session/sessiontest"
)

func TestAClaimKeepsOthersOutUntilItEnds(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	_, c := d.Referred(t, session.Spec{})
	v, err := d.Queue.Claim(sessiontest.As(t, rita.ID), c.ID, rita)
	if err != nil || v.Case.Assignee != rita.ID || !v.Case.ClaimedUntil.Equal(d.Clock.Now().Add(review.DefaultClaimLife)) {
		t.Fatalf("%+v, %v", v.Case, err)
	}
	_, err = d.Queue.Claim(t.Context(), c.ID, rolf)
	if p, ok := problem.As(err); !ok || p.Kind.Code != problem.CaseConflict.Code || !strings.Contains(p.Detail, "usr_rita has it until 12:20:00 UTC") {
		t.Errorf("somebody else: %v", err)
	}
	_, err = d.Rulings.DecideCase(t.Context(), c.ID, rolf, ruling(v.Case, idv.DecideApprove))
	sessiontest.WantProblem(t, err, problem.CaseConflict)
	_, err = d.Queue.Release(t.Context(), c.ID, rolf)
	sessiontest.WantProblem(t, err, problem.CaseConflict)
	d.Clock.Advance(review.DefaultClaimLife - time.Minute)
	before := len(d.Store.EventTypes(c.Session))
	if _, err = d.Queue.Claim(t.Context(), c.ID, rita); err != nil || len(d.Store.EventTypes(c.Session)) != before {
		t.Errorf("a renewal is an event, %v", err)
	}
	d.Clock.Advance(2 * time.Minute)
	release := func(want idv.CaseState) {
		t.Helper()
		if err := d.Queue.ReleaseExpired(t.Context()); err != nil {
			t.Fatal(err)
		}
		if v, err := d.Queue.Case(t.Context(), c.ID); err != nil || v.Case.State != want {
			t.Errorf("it is %s, want %s, %v", v.Case.State, want, err)
		}
	}
	release(idv.CaseClaimed) // it was renewed
	d.Clock.Advance(review.DefaultClaimLife)
	release(idv.CaseOpen)
	if _, err := d.Queue.Claim(t.Context(), c.ID, rolf); err != nil {
		t.Error(err)
	}
	if v, err := d.Queue.Release(t.Context(), c.ID, senta); err != nil || v.Case.State != idv.CaseOpen || v.Case.Assignee != "" {
		t.Errorf("who overrules lets go of another's: %+v, %v", v.Case, err)
	}
	if _, err := d.Queue.Release(t.Context(), c.ID, rita); err != nil {
		t.Errorf("letting go of what nobody has: %v", err)
	}
}

func TestACaseIsAssignedToWhoMayDecideIt(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	made, err := d.Sessions.Create(sessiontest.As(t, rita.ID), session.Spec{
		Mode: idv.Test, Workflow: d.Workflow("not by creator", func(w *idv.WorkflowVersion) { w.NotByCreator = true }),
	})
	if err != nil {
		t.Fatal(err)
	}
	p := d.Open(t, made)
	p.Agree(t, idv.Passport)
	c := d.Refer(t, p)
	_, err = d.Queue.Assign(t.Context(), c.ID, rita)
	sessiontest.WantProblem(t, err, problem.RequestMalformed)
	for _, to := range []review.Reviewer{rolf, senta} { // also from one to another
		if v, err := d.Queue.Assign(t.Context(), c.ID, to); err != nil || v.Case.Assignee != to.ID {
			t.Errorf("%+v, %v", v.Case, err)
		}
	}
	if _, err := d.Sessions.Cancel(t.Context(), "", p.ID); err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]func() error{
		"assign":  func() error { _, err := d.Queue.Assign(t.Context(), c.ID, rolf); return err },
		"claim":   func() error { _, err := d.Queue.Claim(t.Context(), c.ID, rolf); return err },
		"release": func() error { _, err := d.Queue.Release(t.Context(), c.ID, rolf); return err },
	} {
		if err := f(); !problem.Has(err, problem.CaseConflict) {
			t.Errorf("%s of a closed case: %v", name, err)
		}
	}
}

func TestOfReviewersWhoGoForACaseOneWins(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	_, c := d.Referred(t, session.Spec{})
	var all sync.WaitGroup
	errs := make([]error, 20)
	for i := range errs {
		all.Go(func() {
			_, errs[i] = d.Queue.Claim(t.Context(), c.ID, review.Reviewer{ID: idv.UserID(string(rune('a' + i)))})
		})
	}
	all.Wait()
	won := 0
	for _, err := range errs {
		if err == nil {
			won++
		} else {
			sessiontest.WantProblem(t, err, problem.CaseConflict)
		}
	}
	if won != 1 {
		t.Errorf("%d have it", won)
	}
}

func TestTheQueueComesInPagesTheMostUrgentFirst(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	wake, stop := d.Queue.WatchCases()
	defer stop()
	var want []idv.CaseID
	for range 3 {
		_, c := d.Referred(t, session.Spec{})
		want = append(want, c.ID)
		d.Clock.Advance(time.Minute)
	}
	select {
	case <-wake:
	default:
		t.Error("who watches the queue was not woken")
	}
	var got []idv.CaseID
	f := session.CaseFilter{Mode: idv.Test, Tab: session.Unclaimed, Limit: 2}
	for {
		page, next, counts, err := d.Queue.Cases(t.Context(), f)
		if err != nil || counts.Unclaimed != 3 || counts.All != 3 || counts.Mine != 0 {
			t.Fatalf("counts %+v, %v", counts, err)
		}
		for _, v := range page {
			got = append(got, v.Case.ID)
			if v.Session.State != idv.InReview || v.Workflow.Name != idv.WorkflowNoLiveness {
				t.Errorf("with it comes %+v", v.View)
			}
		}
		if f.After = next; next == "" {
			break
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	_, _, _, err := d.Queue.Cases(t.Context(), session.CaseFilter{After: "no cursor"})
	sessiontest.WantProblem(t, err, problem.RequestMalformed)
	first, err := d.Queue.NextCase(t.Context(), idv.Test, rita, "")
	if err != nil || first.Case.ID != want[0] {
		t.Errorf("the next case is %s, %v", first.Case.ID, err)
	}
	second, err := d.Queue.NextCase(t.Context(), idv.Test, rita, "")
	if err != nil || second.Case.ID != want[1] {
		t.Errorf("then %s, %v", second.Case.ID, err)
	}
	if n, err := d.Queue.CountCases(t.Context(), idv.Test, rita.ID); err != nil || n.Mine != 2 || n.Unclaimed != 1 {
		t.Errorf("counts %+v, %v", n, err)
	}
	if other, err := d.Queue.NextCase(t.Context(), idv.Test, rolf, ""); err != nil || other.Case.ID != want[2] {
		t.Errorf("somebody else's is %s, %v", other.Case.ID, err)
	}
	if mine, err := d.Queue.NextCase(t.Context(), idv.Test, rita, want[0]); err != nil || mine.Case.ID != want[1] {
		t.Errorf("with none left: %s, %v", mine.Case.ID, err)
	}
	_, err = d.Queue.NextCase(t.Context(), idv.Live, rita, "")
	sessiontest.WantProblem(t, err, problem.NotFound)
	_, err = d.Queue.Case(t.Context(), "cas_none")
	sessiontest.WantProblem(t, err, problem.NotFound)
}

func TestANoteIsKeptAndRenewsTheClaimOfItsWriter(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	_, c := d.Referred(t, session.Spec{})
	if _, err := d.Queue.Claim(t.Context(), c.ID, rita); err != nil {
		t.Fatal(err)
	}
	d.Clock.Advance(time.Minute)
	v, err := d.Rulings.Note(sessiontest.As(t, rita.ID), c.ID, rita, " Ask them again. ")
	if err != nil || !v.Case.ClaimedUntil.Equal(d.Clock.Now().Add(review.DefaultClaimLife)) || v.Case.Version != 1 {
		t.Errorf("%+v, %v", v.Case, err)
	}
	if said, err := d.Queue.Reviews(t.Context(), c.Session); err != nil || len(said) != 1 || said[0].Note != "Ask them again." || said[0].Kind != idv.ReviewNoted {
		t.Errorf("%+v, %v", said, err)
	}
	for name, words := range map[string]string{"nothing": "  ", "too much": strings.Repeat("x", review.MaxNote+1)} {
		if _, err := d.Rulings.Note(t.Context(), c.ID, rita, words); !problem.Has(err, problem.RequestMalformed) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestViewsAreSavedForOneMember(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	save := func(owner idv.UserID, name string) (session.SavedView, error) {
		return d.Views.SaveView(t.Context(), session.SavedView{Owner: owner, Mode: idv.Test, Name: name, Filter: session.ViewFilter{Country: "FRA"}})
	}
	v, err := save(rita.ID, " From France ")
	if err != nil || v.Name != "From France" {
		t.Fatalf("%+v, %v", v, err)
	}
	if got, err := d.Views.View(t.Context(), rita.ID, v.ID); err != nil || !cmp.Equal(got, v) {
		t.Errorf("%+v, %v", got, err)
	}
	_, err = d.Views.View(t.Context(), rolf.ID, v.ID)
	sessiontest.WantProblem(t, err, problem.NotFound)
	sessiontest.WantProblem(t, d.Views.DeleteView(t.Context(), rolf.ID, v.ID), problem.NotFound)
	for name, words := range map[string]string{"no name": " ", "a name that is taken": "FROM france", "a long name": strings.Repeat("x", review.MaxViewName+1)} {
		if _, err := save(rita.ID, words); !problem.Has(err, problem.RequestMalformed) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for n := 1; n < review.MaxViews; n++ {
		if _, err := save(rita.ID, strings.Repeat("y", n)); err != nil {
			t.Fatal(err)
		}
	}
	_, err = save(rita.ID, "one too many")
	sessiontest.WantProblem(t, err, problem.RequestMalformed)
	if err := d.Views.DeleteView(t.Context(), rita.ID, v.ID); err != nil {
		t.Fatal(err)
	}
	if all, err := d.Views.Views(t.Context(), rita.ID, idv.Test); err != nil || len(all) != review.MaxViews-1 {
		t.Errorf("%d views, %v", len(all), err)
	}
	d.Store.FailNextCommit(errors.New("the disk is full"))
	if _, err := save(rita.ID, "unkept"); err == nil {
		t.Error("a view that was not kept is answered")
	}
}
