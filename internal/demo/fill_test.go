package demo_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/demo"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/review"
	"github.com/bonafide-id/bonafide/internal/session/services"
	"github.com/bonafide-id/bonafide/internal/store"
	"github.com/bonafide-id/bonafide/internal/vault"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func someone(int64) demo.Person {
	return demo.Person{Surname: "Eriksson", GivenNames: "Anna Maria", Sex: "F", Born: time.Date(1974, 8, 12, 0, 0, 0, 0, time.UTC)}
}

// workday is when the clock of a deployment starts.
var workday = time.Date(2026, 3, 4, 15, 0, 0, 0, time.UTC)

// migrated is an empty database after Migrate, under the master key of the test kit.
var migrated = idvtest.NewTemplate(func(database, key string) error {
	ctx := context.Background()
	master, err := vault.OpenMaster(key)
	if err != nil {
		return err
	}
	st, err := store.Open(ctx, database, store.Options{Master: master, Now: demo.NewClock(workday).Now})
	if err != nil {
		return err
	}
	return errors.Join(st.Migrate(ctx), st.Close())
})

// deployment is an empty one, whose clock stands on a working day.
func deployment(t *testing.T) (*store.Store, *demo.Clock) {
	t.Helper()
	master, err := vault.OpenMaster(idvtest.Master(t))
	must(t, err)
	blobs, err := vault.OpenBlobs(t.Context(), "file://"+filepath.Join(t.TempDir(), "blobs"))
	must(t, err)
	clock := demo.NewClock(workday)
	st, err := store.Open(t.Context(), migrated.SQLite(t), store.Options{Master: master, Blobs: blobs, Now: clock.Now})
	must(t, err)
	t.Cleanup(func() { _ = st.Close(); _ = blobs.Close() })
	return st, clock
}

func TestDemoDataIsAsConsistentAsThatOfRealUse(t *testing.T) {
	st, clock := deployment(t)
	sum, err := demo.Fill(t.Context(), st, st.Pictures(), clock, demo.Options{Sessions: 40, Seed: 3, People: someone})
	must(t, err)
	for _, state := range []idv.SessionState{idv.InReview, idv.Approved, idv.Declined, idv.Expired} {
		if sum.States[state] == 0 {
			t.Errorf("no session is %s: %v", state, sum.States)
		}
	}
	s := services.New(st, st.Pictures(), nil, services.Options{Now: clock.Now})
	list, _, err := s.Sessions.List(t.Context(), session.Filter{Mode: idv.Test, Limit: 100})
	must(t, err)
	if len(list) != 40 {
		t.Fatalf("%d sessions, want 40", len(list))
	}
	for _, v := range list {
		if v.Session.CreatedAt.After(clock.Now()) || (v.Session.State.Final() && v.Session.ErasedAt.IsZero() && v.Keeping.ReportUntil.Before(clock.Now())) {
			t.Errorf("session %s is of the future or due for erasing: %+v", v.Session.ID, v.Keeping)
		}
		reports, err := st.Reports(t.Context(), v.Session.ID)
		must(t, err)
		decided := v.Session.Outcome != "" && v.Session.ErasedAt.IsZero()
		if decided && len(reports) == 0 {
			t.Errorf("session %s is %s and has no report", v.Session.ID, v.Session.State)
		}
		for _, r := range reports {
			if !r.Intact() || len(r.Checks) == 0 {
				t.Errorf("the report of %s is not intact or holds no checks", v.Session.ID)
			}
		}
	}
	left := func(after time.Duration) int {
		clock.Set(clock.Now().Add(after))
		must(t, s.Retention.Run(t.Context()))
		erased := 0
		list, _, err := s.Sessions.List(t.Context(), session.Filter{Mode: idv.Test, Limit: 100})
		must(t, err)
		for _, v := range list {
			if !v.Session.ErasedAt.IsZero() {
				erased++
			}
		}
		return len(list) - erased
	}
	before := left(0)
	if got := left(3 * 24 * time.Hour); got != before || before == 0 {
		t.Errorf("after three days %d sessions of %d are left", got, before)
	}
	if got := left(idv.DemoRetention); got > before/2 {
		t.Errorf("after a month %d sessions of %d are left", got, before)
	}
	users, err := st.CountUsers(t.Context())
	keys, err2 := st.Keys(t.Context(), idv.Test)
	if must(t, errors.Join(err, err2)); users != 0 || len(keys) != 0 {
		t.Errorf("%d users and %d keys were made, want none", users, len(keys))
	}
}

func TestManySessionsAreRowsEnoughForListsAndFigures(t *testing.T) {
	st, clock := deployment(t)
	sum, err := demo.Fill(t.Context(), st, st.Pictures(), clock, demo.Options{Sessions: demo.Brief + 1, Seed: 3, People: someone})
	must(t, err)
	n := 0
	for _, of := range sum.States {
		n += of
	}
	if !sum.Brief || n != demo.Brief+1 || sum.States[idv.InReview] == 0 || sum.States[idv.Created] == 0 {
		t.Errorf("made %+v", sum)
	}
	found, _, err := services.New(st, st.Pictures(), nil, services.Options{Now: clock.Now}).Sessions.List(
		t.Context(), session.Filter{Mode: idv.Test, Search: "demo-10000"},
	)
	if must(t, err); len(found) != 1 {
		t.Errorf("a reference finds %d sessions, want 1", len(found))
	}
}

func TestADeploymentWithLiveSessionsIsLeftAlone(t *testing.T) {
	st, clock := deployment(t)
	s := services.New(st, st.Pictures(), nil, services.Options{Now: clock.Now})
	_, err := s.Sessions.Create(t.Context(), session.Spec{Mode: idv.Live})
	must(t, err)
	if _, err := demo.Fill(t.Context(), st, st.Pictures(), clock, demo.Options{Sessions: 1, People: someone}); !errors.Is(err, demo.ErrLive) {
		t.Errorf("got %v, want ErrLive", err)
	}
	if counts, err := st.CountStates(t.Context(), idv.Test); err != nil || len(counts) != 0 {
		t.Errorf("something was made: %v, %v", counts, err)
	}
}

func TestDecisionsAreInTheNamesOfTheMembersThereAre(t *testing.T) {
	only := review.Reviewer{ID: "usr_06c1q2m3n4p5r6s7t8v9w0x1y2", Overrules: true}
	for name, n := range map[string]int{"played": 40, "written": demo.Brief + 1} {
		t.Run(name, func(t *testing.T) {
			st, clock := deployment(t)
			_, err := demo.Fill(t.Context(), st, st.Pictures(), clock, demo.Options{
				Sessions: n, Seed: 3, People: someone, Staff: []review.Reviewer{only}, Officer: only.ID,
			})
			must(t, err)
			s := services.New(st, st.Pictures(), nil, services.Options{Now: clock.Now})
			list, _, err := s.Sessions.List(t.Context(), session.Filter{Mode: idv.Test, Limit: 100})
			must(t, err)
			people := 0
			for _, v := range list {
				decisions, err := st.Decisions(t.Context(), v.Session.ID)
				must(t, err)
				for _, d := range decisions {
					if d.By == session.ByPolicy {
						continue
					}
					people++
					if d.By != string(only.ID) {
						t.Errorf("%s decided on %s", d.By, v.Session.ID)
					}
				}
			}
			if people == 0 {
				t.Error("nobody decided anything: this test sees nothing")
			}
		})
	}
}
