package sandbox_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/persona"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/sessiontest"
)

// played makes a test session of a persona.
func played(t *testing.T, d *sessiontest.Deployment, name, workflow string) session.Created {
	t.Helper()
	c, err := d.Sessions.Create(t.Context(), session.Spec{
		Mode: idv.Test, Workflow: workflow, Claimed: map[idv.ClaimName]string{idv.DocumentNumber: persona.Prefix + name},
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// ways are personas of each way to act and each end: what others differ in are the codes that they raise.
func ways() []persona.Persona {
	type way struct {
		act  persona.Act
		ends idv.SessionState
	}
	seen := map[way]bool{}
	return slices.DeleteFunc(persona.All(), func(p persona.Persona) bool {
		w := way{p.Act, p.Ends}
		again := seen[w]
		seen[w] = true
		return again
	})
}

func TestPersonasEndAsTheirRowsSay(t *testing.T) {
	t.Parallel()
	for _, p := range ways() {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			d := sessiontest.New(t)
			workflow := d.Workflow("face optional", func(w *idv.WorkflowVersion) { w.FaceOptional = true })
			if p.Name == "approved" {
				workflow = idv.WorkflowDefault // with a recording
			}
			c := played(t, d, p.Name, workflow)
			if _, err := d.Sandbox.Simulate(t.Context(), idv.Test, c.Session.ID); err != nil {
				t.Fatal(err)
			}
			d.Work(t)
			if s := d.Session(t, c.Session.ID); s.State != p.Ends {
				t.Errorf("it is %s, want %s; events %v", s.State, p.Ends, d.Store.EventTypes(s.ID))
			}
			if n := d.Lab.Extracted() + d.Lab.Asked(idv.CheckFaceMatch); n > 0 {
				t.Errorf("%d pictures of a persona were looked at", n)
			}
		})
	}
}

func TestThereIsAPersonaForEachLevel(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]idv.AssuranceLevel{"approved": idv.AssuranceLow, "substantial": idv.AssuranceSubstantial} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := sessiontest.New(t)
			c := played(t, d, name, idv.WorkflowDefault)
			if _, err := d.Sandbox.Simulate(t.Context(), idv.Test, c.Session.ID); err != nil {
				t.Fatal(err)
			}
			d.Work(t)
			decisions, err := d.Store.Decisions(t.Context(), c.Session.ID)
			if err != nil || len(decisions) != 1 {
				t.Fatalf("%d decisions, %v", len(decisions), err)
			}
			if got := decisions[0].Assurance; got.Level != want {
				t.Errorf("the level is %s, want %s; missing %v", got.Level, want, got.Missing)
			}
		})
	}
}

func TestOnlyATestSessionWithAPersonaIsSimulated(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	live := d.Create(t, session.Spec{Mode: idv.Live})
	d.Store.EditSession(live.Session.ID, func(r *session.Record) { r.Persona = "approved" }) // somebody wrote it there
	done := played(t, d, "approved", idv.WorkflowNoLiveness)
	if _, err := d.Sandbox.Simulate(t.Context(), idv.Test, done.Session.ID); err != nil {
		t.Fatal(err)
	}
	d.Work(t)
	for name, c := range map[string]struct {
		id   idv.SessionID
		mode idv.Mode
		want problem.Kind
	}{
		"a session without one":         {d.Create(t, session.Spec{}).Session.ID, idv.Test, problem.SessionConflict},
		"a live session that names one": {live.Session.ID, idv.Live, problem.SessionConflict},
		"a session of another mode":     {done.Session.ID, idv.Live, problem.NotFound},
		"a session that is finished":    {done.Session.ID, idv.Test, problem.SessionConflict},
		"a session that there is not":   {"ses_none", idv.Test, problem.NotFound},
	} {
		if _, err := d.Sandbox.Simulate(t.Context(), c.mode, c.id); !problem.Has(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if s := d.Session(t, live.Session.ID); s.State != idv.Created {
		t.Errorf("the live session is %s", s.State)
	}
}

func TestAPersonaGoesOnInTheBrowserThatOpenedItsSession(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	c := played(t, d, "approved", idv.WorkflowNoLiveness)
	p := d.Open(t, c)
	task, err := d.Sandbox.SimulateHere(t.Context(), p.ID)
	if err != nil || task.State != idv.TaskWait {
		t.Fatalf("%s, %v", task.State, err)
	}
	if !slices.Contains(d.Store.EventTypes(p.ID), session.EventPersonaActs) || !d.Session(t, p.ID).PersonaActs {
		t.Error("that the persona acts is not on record")
	}
	d.Work(t)
	if s := d.Session(t, p.ID); s.State != idv.Approved || s.DocumentKind == "" {
		t.Errorf("it is %+v", s)
	}
	_, err = d.Sandbox.SimulateHere(t.Context(), d.Start(t, session.Spec{}).ID)
	sessiontest.WantProblem(t, err, problem.SessionConflict)
	late := d.Open(t, played(t, d, "approved", idv.WorkflowNoLiveness))
	d.Clock.Advance(idv.DefaultSessionLife)
	_, err = d.Sandbox.SimulateHere(t.Context(), late.ID)
	sessiontest.WantProblem(t, err, problem.SessionExpired)
}

func TestAPersonaThatIsReopenedTriesAgain(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	c := played(t, d, "reopened", idv.WorkflowNoLiveness)
	if _, err := d.Sandbox.Simulate(t.Context(), idv.Test, c.Session.ID); err != nil {
		t.Fatal(err)
	}
	if s := d.Session(t, c.Session.ID); s.State != idv.Processing {
		t.Fatalf("before the jobs it is %s", s.State)
	}
	d.Work(t)
	types := d.Store.EventTypes(c.Session.ID)
	if s := d.Session(t, c.Session.ID); s.State != idv.Approved || !slices.Contains(types, session.EventReopened) {
		t.Errorf("it is %s after %v", s.State, types)
	}
	by := map[string]bool{}
	for _, a := range d.Store.Audited(c.Session.ID) {
		if a.Action == string(session.EventConsented) {
			by[string(a.Actor)] = true
		}
	}
	if !by["applicant"] || len(by) != 1 {
		t.Errorf("consent is given by %v", by)
	}
}

func TestAPersonaThatStandsAsideIsNotResumed(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Open(t, played(t, d, "reopened", idv.WorkflowNoLiveness))
	p.Agree(t, idv.Passport) // by hand
	before := d.Record(t, p.ID)
	if err := d.Sandbox.Resume(t.Context(), before); err != nil {
		t.Fatal(err)
	}
	if after := d.Record(t, p.ID); after.Version != before.Version {
		t.Errorf("it acts although nobody asked: %+v", after)
	}
	before.PersonaActs = true
	before.ID = "ses_none"
	sessiontest.WantProblem(t, d.Sandbox.Resume(t.Context(), before), problem.NotFound)
}

func TestAPersonaThatCannotWriteSaysSo(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	c := played(t, d, "approved", idv.WorkflowNoLiveness)
	full := errors.New("the disk is full")
	d.Store.Pictures().Fail(full)
	if _, err := d.Sandbox.Simulate(t.Context(), idv.Test, c.Session.ID); !errors.Is(err, full) {
		t.Errorf("%v", err)
	}
	d.Store.Pictures().Fail(nil)
	d.Clock.Advance(time.Minute)
	if _, err := d.Sandbox.Simulate(t.Context(), idv.Test, c.Session.ID); err != nil {
		t.Errorf("asked again: %v", err)
	}
	d.Work(t)
	if s := d.Session(t, c.Session.ID); s.State != idv.Approved {
		t.Errorf("it is %s", s.State)
	}
}
