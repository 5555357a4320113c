package store

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/persona"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/queue"
)

func asPersona(name string) map[idv.ClaimName]string {
	return map[idv.ClaimName]string{idv.DocumentNumber: persona.Prefix + name, idv.FamilyName: "Doe"}
}

// personaEnds lets every persona go its way, and compares how the session ends and which codes were told on the way. By day SQLite
// sees them all, and PostgreSQL one of each way and end: what they differ in besides is no question to a database.
func personaEnds(t *testing.T, d *deployment) {
	skipUnderRace(t)
	d.work(t, queue.WorkOptions{Workers: 4})
	type run struct {
		persona persona.Persona
		id      idv.SessionID
	}
	var runs []run
	optional := d.workflow(t, "optional", func(w *idv.WorkflowVersion) { w.FaceOptional = true })
	lit := d.workflow(t, "lit", func(w *idv.WorkflowVersion) { w.Required = append(w.Required, idv.CheckLight) })
	screened := d.workflow(t, "screened", func(w *idv.WorkflowVersion) {
		w.Screening.Topics = idv.ScreeningTopics()
		w.Required = append(w.Required, idv.ScreeningChecks()...)
	})
	seen := d.workflow(t, "seen", func(w *idv.WorkflowVersion) { w.Required = append(w.Required, idv.SeenChecks()...) })
	for _, p := range personasFor(d) {
		workflow := idv.WorkflowDefault
		switch {
		case p.Act == persona.Refrains:
			workflow = optional
		case p.Check.AboutScreening():
			workflow = screened
		case p.Check.AboutSeen():
			workflow = seen
		case p.Check == idv.CheckLight: // off unless a workflow asks for it
			workflow = lit
		}
		c := d.create(t, session.Spec{Workflow: workflow, Claimed: asPersona(p.Name)})
		if c.Session.Persona != p.Name {
			t.Fatalf("%s: the session's persona is %q", p.Name, c.Session.Persona)
		}
		if _, err := d.Sandbox.Simulate(t.Context(), idv.Test, c.Session.ID); err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		runs = append(runs, run{p, c.Session.ID})
	}
	for _, r := range runs {
		s := d.await(t, r.id, r.persona.Ends, idv.Approved, idv.Declined, idv.Expired, idv.Cancelled)
		if s.State != r.persona.Ends {
			t.Errorf("%s: ends %s, want %s", r.persona.Name, s.State, r.persona.Ends)
		}
		if code := r.persona.Reason.Code; code != "" && !slices.Contains(toldOf(t, d, r.id), code) {
			t.Errorf("%s: no event tells %s: %v", r.persona.Name, code, toldOf(t, d, r.id))
		}
	}
	if n := d.lab.Extracted() + d.lab.Asked(idv.CheckFaceMatch); n != 0 {
		t.Errorf("%d pictures of personas were looked at", n)
	}
}

func personasFor(d *deployment) []persona.Persona {
	if !testing.Short() || d.cluster == nil {
		return persona.All()
	}
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

// toldOf lists the codes in a session's events.
func toldOf(t *testing.T, d *deployment, id idv.SessionID) []string {
	t.Helper()
	events, err := d.Sessions.Timeline(t.Context(), "", id)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range events {
		if code, ok := e.Payload["code"].(string); ok {
			out = append(out, code)
		}
		list, _ := e.Payload["reasons"].([]any)
		for _, code := range list {
			if code, ok := code.(string); ok {
				out = append(out, code)
			}
		}
	}
	return out
}

func personaReopens(t *testing.T, d *deployment) {
	d.work(t, queue.WorkOptions{})
	c := d.create(t, session.Spec{Claimed: asPersona("reopened")})
	if _, err := d.Sandbox.Simulate(t.Context(), idv.Test, c.Session.ID); err != nil {
		t.Fatal(err)
	}
	d.await(t, c.Session.ID, idv.Approved)
	wantEvents(
		t,
		d,
		c.Session.ID,
		session.EventCreated,
		session.EventOpened,
		session.EventSubmitted,
		session.EventReopened,
		session.EventSubmitted,
		session.EventApproved,
	)
	report, decisions, err := d.Sessions.Report(t.Context(), idv.Test, c.Session.ID)
	if err != nil || len(decisions) != 1 || decisions[0].By != "policy" || !report.Intact() || report.Document.Issuer != "UTO" {
		t.Fatalf("report of %s, decisions %+v, %v", report.Document.Issuer, decisions, err)
	}
	for _, check := range report.Checks {
		if check.Finding == nil || check.Finding.Note == "" || check.Finding.Score != nil {
			t.Errorf("%s does not say that a persona settled it: %+v", check.Kind, check.Finding)
		}
	}
	for _, claim := range report.Claims {
		if claim.Name == idv.DocumentNumber && claim.Source == idv.FromClaimed {
			t.Errorf("the persona's name is compared as a document number")
		}
	}
	if _, err := d.Sandbox.Simulate(t.Context(), idv.Test, c.Session.ID); !problem.Has(err, problem.SessionConflict) {
		t.Errorf("simulating a finished session: %v", err)
	}
}

// personaInLive: the value means nothing in live mode, at no place.
func personaInLive(t *testing.T, d *deployment) {
	ctx := t.Context()
	var sent []*person
	for _, number := range []string{"persona:approved", "persona:nobody"} {
		c := d.create(t, session.Spec{Mode: idv.Live, Claimed: map[idv.ClaimName]string{idv.DocumentNumber: number}})
		if c.Session.Persona != "" || c.Session.Claimed[idv.DocumentNumber] != number {
			t.Fatalf("live session with persona %q, claimed %v", c.Session.Persona, c.Session.Claimed)
		}
		if _, err := d.Sandbox.Simulate(ctx, idv.Live, c.Session.ID); !problem.Has(err, problem.SessionConflict) {
			t.Fatalf("simulating a live session: %v", err)
		}
		if _, err := d.Sandbox.Simulate(ctx, idv.Test, c.Session.ID); !problem.Has(err, problem.NotFound) {
			t.Fatalf("simulating a live session with a test key: %v", err)
		}
		a := d.onlyOpen(t, c)
		if _, err := d.Sandbox.SimulateHere(ctx, a.id); !problem.Has(err, problem.SessionConflict) {
			t.Fatalf("an applicant simulates a live session: %v", err)
		}
		a.agree(t, idv.Passport)
		p := idvtest.Passport("anna")
		p.Expired = true
		a.sendBoth(t, p, idvtest.Selfie("anna")) // faster than the reading
		sent = append(sent, a)
	}
	d.work(t, queue.WorkOptions{})
	for _, a := range sent {
		if s := d.await(t, a.id, idv.Approved, idv.Declined, idv.InReview); s.State != idv.Declined {
			t.Fatalf("an expired document is %s in live mode", s.State)
		}
	}
	if d.lab.Extracted() != 4 {
		t.Errorf("the engine looked at %d pictures, want 4", d.lab.Extracted())
	}
}

// personaForged: a row that somebody changed in the database still plays no persona in live mode.
func personaForged(t *testing.T, d *deployment) {
	ctx := t.Context()
	c := d.create(t, session.Spec{Mode: idv.Live})
	if _, err := d.store.Write.ExecContext(ctx, "UPDATE sessions SET persona = 'approved', persona_acts = TRUE WHERE id = ?", string(c.Session.ID)); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Sandbox.Simulate(ctx, idv.Live, c.Session.ID); !problem.Has(err, problem.SessionConflict) {
		t.Fatalf("simulating a live session: %v", err)
	}
	a := d.onlyOpen(t, c)
	a.agree(t, idv.Passport)
	p := idvtest.Passport("anna")
	p.Expired = true
	a.sendBoth(t, p, idvtest.Selfie("anna")) // faster than the reading
	d.work(t, queue.WorkOptions{})
	if s := d.await(t, a.id, idv.Approved, idv.Declined, idv.InReview); s.State != idv.Declined {
		t.Fatalf("an expired document is %s in live mode", s.State)
	}
}

// personaByHand: the link of a persona's session works in a browser, and the pictures that are sent do not matter.
func personaByHand(t *testing.T, d *deployment) {
	d.work(t, queue.WorkOptions{})
	a := d.onlyOpen(t, d.create(t, session.Spec{Claimed: asPersona("in_review")}))
	if task, err := d.Applicant.Task(t.Context(), a.id); err != nil || task.Persona != "in_review" {
		t.Fatalf("the task names the persona %q, %v", task.Persona, err)
	}
	task, err := d.Sandbox.SimulateHere(t.Context(), a.id)
	if err != nil || task.State != idv.TaskWait {
		t.Fatalf("after the button the task is %+v, %v", task, err)
	}
	d.await(t, a.id, idv.InReview)

	b := d.onlyOpen(t, d.create(t, session.Spec{Claimed: asPersona("approved")}))
	b.agree(t, idv.Passport)
	p := idvtest.Passport("anna")
	p.Expired = true
	b.sendBoth(t, p, idvtest.Selfie("berta"))
	d.await(t, b.id, idv.Approved)
}

func personaUnknown(t *testing.T, d *deployment) {
	_, err := d.Sessions.Create(t.Context(), session.Spec{Mode: idv.Test, Claimed: asPersona("somebody")})
	p, ok := problem.As(err)
	if !ok || p.Kind.Code != problem.RequestMalformed.Code {
		t.Fatalf("a persona that does not exist: %v", err)
	}
	if diff := cmp.Diff("/claimed/document_number", p.Field); diff != "" {
		t.Error(diff)
	}
	plain := d.create(t, session.Spec{})
	if _, err := d.Sandbox.Simulate(t.Context(), idv.Test, plain.Session.ID); !problem.Has(err, problem.SessionConflict) {
		t.Errorf("simulating a session without a persona: %v", err)
	}
}

// beforeSandbox undoes the migration that made personas and the log of calls.
var beforeSandbox = []string{
	"DROP TABLE request_log", "ALTER TABLE sessions DROP COLUMN persona", "ALTER TABLE sessions DROP COLUMN persona_acts",
}
