package session_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/sessiontest"
)

func TestOnlyMovesThatAreListedAreMade(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	life := session.NewLifecycle(d.Store, d.Store.Pictures(), nil, session.Options{Now: d.Clock.Now})
	for _, state := range idv.SessionStates() {
		for _, event := range idv.SessionEvents() {
			id := d.Create(t, session.Spec{}).Session.ID
			d.Store.EditSession(id, func(r *session.Record) { r.State = state })
			before := d.Record(t, id)
			_, err := life.Change(t.Context(), "", id, func(ctx context.Context, tx session.Tx, rec *session.Record, _ idv.WorkflowVersion) error {
				return life.Move(ctx, tx, rec, event, nil)
			})
			after := d.Record(t, id)
			if to, ok := state.Next(event); ok {
				if err != nil || after.State != to || after.Version != before.Version+1 || len(d.Store.EventTypes(id)) != 2 {
					t.Errorf("%s of a session that is %s: it is %s, %v", event, state, after.State, err)
				}
				continue
			}
			sessiontest.WantProblem(t, err, problem.SessionConflict)
			if after.State != state || after.Version != before.Version || len(d.Store.EventTypes(id)) != 1 || len(d.Store.Audited(id)) != 1 {
				t.Errorf("%s of a session that is %s was refused and changed it: %+v", event, state, after)
			}
		}
	}
}

func TestAChangeThatFailsChangesNothing(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	life := session.NewLifecycle(d.Store, d.Store.Pictures(), nil, session.Options{Now: d.Clock.Now})
	id := d.Create(t, session.Spec{}).Session.ID
	broken := errors.New("broken")
	_, err := life.Change(t.Context(), idv.Test, id, func(ctx context.Context, tx session.Tx, rec *session.Record, _ idv.WorkflowVersion) error {
		return errors.Join(life.Move(ctx, tx, rec, idv.Withdrawn, nil), broken)
	})
	if !errors.Is(err, broken) || d.Session(t, id).State != idv.Created || len(d.Store.EventTypes(id)) != 1 {
		t.Errorf("%v; the session is %s", err, d.Session(t, id).State)
	}
	_, err = life.Change(t.Context(), idv.Live, id, func(context.Context, session.Tx, *session.Record, idv.WorkflowVersion) error {
		t.Error("a session of another mode is changed")
		return nil
	})
	sessiontest.WantProblem(t, err, problem.NotFound)
}

func TestSessionsThatRanOutOfTimeExpire(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	made, opened := d.Create(t, session.Spec{}).Session.ID, d.Start(t, session.Spec{}).ID
	waiting, _ := d.Referred(t, session.Spec{})
	states := func(want ...idv.SessionState) {
		t.Helper()
		if err := d.Sessions.Expire(t.Context()); err != nil {
			t.Fatal(err)
		}
		got := []idv.SessionState{d.Session(t, made).State, d.Session(t, opened).State, d.Session(t, waiting.ID).State}
		if !slices.Equal(got, want) {
			t.Errorf("they are %v, want %v", got, want)
		}
	}
	d.Clock.Advance(idv.DefaultSessionLife - time.Microsecond)
	states(idv.Created, idv.Capturing, idv.InReview)
	d.Clock.Advance(time.Microsecond)
	states(idv.Created, idv.Expired, idv.InReview)
	d.Clock.Advance(idv.DefaultLinkLife)
	states(idv.Expired, idv.Expired, idv.InReview)
	if n := len(d.Store.EventTypes(made)); n != 2 {
		t.Errorf("%d events of a session that expired once", n)
	}
}

func TestASessionThatIsWithdrawnClosesItsCase(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p, c := d.Referred(t, session.Spec{})
	if c.DueAt.Sub(c.OpenedAt) != session.DefaultCaseTarget || c.State != idv.CaseOpen {
		t.Errorf("the case is %+v", c)
	}
	v, err := d.Sessions.Cancel(t.Context(), idv.Test, p.ID)
	if err != nil || v.Session.State != idv.Cancelled {
		t.Fatalf("%s, %v", v.Session.State, err)
	}
	if c, err = d.Queue.CaseOf(t.Context(), p.ID); err != nil || c.State != idv.CaseClosed || !c.ClosedAt.Equal(d.Clock.Now()) {
		t.Errorf("the case is %+v, %v", c, err)
	}
	types := d.Store.EventTypes(p.ID)
	if !slices.Contains(types, session.EventCaseClosed) || !slices.Contains(types, session.EventCancelled) {
		t.Errorf("events %v", types)
	}
}

func TestOptionsThatSayNothingHaveTheirDefaults(t *testing.T) {
	t.Parallel()
	life := session.NewLifecycle(nil, nil, nil, session.Options{})
	one, err := life.NewSecret()
	two, err2 := life.NewSecret()
	if err != nil || err2 != nil || len(one) != 43 || one == two {
		t.Errorf("secrets %q and %q, %v, %v", one, two, err, err2)
	}
	if since := time.Since(life.Now()); since > time.Minute || life.Now().Location() != time.UTC || life.Now().Nanosecond()%1000 != 0 {
		t.Errorf("the time is %v", life.Now())
	}
	short := session.NewLifecycle(nil, nil, nil, session.Options{Random: noRandom{}})
	if _, err := short.NewSecret(); err == nil {
		t.Error("a secret was drawn from nothing")
	}
}

type noRandom struct{}

func (noRandom) Read([]byte) (int, error) { return 0, errors.New("no randomness") }

func TestAVersionThatMovedOnIsAConflict(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	life := session.NewLifecycle(d.Store, d.Store.Pictures(), nil, session.Options{Now: d.Clock.Now})
	stale := d.Record(t, d.Create(t, session.Spec{}).Session.ID)
	if _, err := d.Sessions.Cancel(t.Context(), idv.Test, stale.ID); err != nil {
		t.Fatal(err)
	}
	err := d.Store.InTx(t.Context(), func(ctx context.Context, tx session.Tx) error {
		return life.Move(ctx, tx, &stale, idv.Opened, nil)
	})
	sessiontest.WantProblem(t, err, problem.SessionConflict)
	if s := d.Session(t, stale.ID); s.State != idv.Cancelled {
		t.Errorf("it is %s", s.State)
	}
}
