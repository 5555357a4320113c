package store

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/queue"
	"github.com/bonafide-id/bonafide/internal/workflow"
)

// beforeWorkflows takes a database back to the schema before workflows could be changed.
var beforeWorkflows = []string{
	"DROP TABLE version_marks", "DROP INDEX workflow_versions_one_draft", "DROP INDEX workflow_versions_one_published",
	"ALTER TABLE policy_facts DROP COLUMN evidence", "DROP INDEX policy_facts_by_time", "DROP INDEX policy_facts_by_workflow",
	"DROP INDEX sessions_by_workflow", "DELETE FROM locks WHERE name = 'workflows'",
}

func (d *deployment) flows() *workflow.Service {
	return workflow.New(d.store, workflow.Options{Now: d.clock.now})
}

// pictures is the version of the workflow for pictures alone.
func (d *deployment) pictures(t *testing.T) workflow.Version {
	t.Helper()
	all, err := d.flows().List(t.Context(), idv.Test)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range all {
		if v, ok := w.In(idv.Published); ok && w.Name == idv.WorkflowNoLiveness {
			return v
		}
	}
	t.Fatal("no workflow for pictures alone")
	return workflow.Version{}
}

// flowDraft makes a workflow with a draft that changes the one for pictures alone.
func (d *deployment) flowDraft(t *testing.T, ctx context.Context, name string, change func(*idv.WorkflowVersion)) workflow.Version {
	t.Helper()
	w, err := d.flows().Create(ctx, idv.Test, name, d.pictures(t).ID)
	if err != nil {
		t.Fatal(err)
	}
	draft, _ := w.In(idv.Draft)
	spec := draft.WorkflowVersion
	change(&spec)
	v, err := d.flows().Save(ctx, w.ID, draft.Revision, spec)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func flowLife(t *testing.T, d *deployment) {
	ctx := as(t, senta)
	flows := d.flows()
	draft := d.flowDraft(t, ctx, "strict", func(w *idv.WorkflowVersion) {
		w.Countries, w.StepAttempts, w.TwoPersons = []string{"deu", "UTO"}, 1, true
		w.Rules = []idv.Rule{{Name: "cards", When: `document.kind == "id_card"`, Then: idv.DecideRefer}}
	})
	if d := cmp.Diff([]string{"D", "UTO"}, draft.Countries); d != "" {
		t.Errorf("countries (-want +got):\n%s", d)
	}
	if _, err := d.Sessions.Create(ctx, session.Spec{Mode: idv.Test, Workflow: "strict"}); !problem.Has(err, problem.WorkflowNotPublished) {
		t.Errorf("a session of a draft: %v", err)
	}
	if _, err := d.Sessions.Create(ctx, session.Spec{Mode: idv.Test, Workflow: string(draft.ID)}); !problem.Has(err, problem.WorkflowNotPublished) {
		t.Errorf("a session of a draft by its id: %v", err)
	}
	first, err := flows.Publish(ctx, draft.Workflow, draft.Revision)
	if err != nil {
		t.Fatal(err)
	}
	made := d.create(t, session.Spec{Mode: idv.Test, Workflow: "strict"})
	next, err := flows.Draft(ctx, draft.Workflow, "")
	if err != nil {
		t.Fatal(err)
	}
	if next, err = flows.Save(ctx, draft.Workflow, next.Revision,
		func() idv.WorkflowVersion { s := next.WorkflowVersion; s.MinimumAge = 18; return s }()); err != nil {
		t.Fatal(err)
	}
	if _, err = flows.Publish(ctx, draft.Workflow, next.Revision); err != nil {
		t.Fatal(err)
	}
	w, err := flows.Get(ctx, idv.Test, draft.Workflow)
	if err != nil || len(w.Versions) != 2 || w.Versions[0].State != idv.Published || w.Versions[1].State != idv.Retired ||
		w.Versions[1].RetiredBy != string(senta.ID) {
		t.Fatalf("after two publications: %+v, %v", w, err)
	}
	if kept := w.Versions[1]; kept.ID != first.ID || kept.MinimumAge != 0 || cmp.Diff(first.Rules, kept.Rules) != "" || w.Versions[0].MinimumAge != 18 {
		t.Errorf("a published version changed: %+v", kept)
	}
	v, err := d.Sessions.Get(ctx, idv.Test, made.Session.ID)
	if err != nil || v.Workflow.ID != first.ID || v.Workflow.MinimumAge != 0 {
		t.Errorf("the session follows %s, want %s: %v", v.Workflow.ID, first.ID, err)
	}
	if _, err := flows.Get(ctx, idv.Live, draft.Workflow); !problem.Has(err, problem.NotFound) {
		t.Errorf("the workflow of the other mode: %v", err)
	}
	wantAudited(
		t, d,
		"workflow.created",
		"workflow.draft_made",
		"workflow.draft_changed",
		"workflow.published",
		"workflow.draft_made",
		"workflow.draft_changed",
		"workflow.retired",
		"workflow.published",
	)
}

func flowOffer(t *testing.T, d *deployment) {
	ctx := as(t, senta)
	flows := d.flows()
	draft := d.flowDraft(t, ctx, "older", func(w *idv.WorkflowVersion) {
		w.Required = slices.DeleteFunc(slices.Clone(w.Required), func(k idv.CheckKind) bool { return k == idv.CheckDocumentEdits })
	})
	published, err := flows.Publish(ctx, draft.Workflow, draft.Revision)
	must(t, err)
	offered := func() []idv.CheckKind {
		w, err := flows.Get(ctx, idv.Test, draft.Workflow)
		must(t, err)
		return w.Offered()
	}
	if got := offered(); len(got) != 0 {
		t.Errorf("what was published without is offered: %v", got)
	}
	if _, err := flows.DraftOffered(ctx, draft.Workflow); !problem.Has(err, problem.WorkflowConflict) {
		t.Errorf("a draft with nothing that is offered: %v", err)
	}
	d.exec(t, "UPDATE workflows SET signals_seen = 0") // as every workflow is that a version before this one made
	if diff := cmp.Diff([]idv.CheckKind{idv.CheckDocumentEdits}, offered()); diff != "" {
		t.Errorf("offered (-want +got):\n%s", diff)
	}
	next, err := flows.DraftOffered(ctx, draft.Workflow)
	must(t, err)
	if !next.Requires(idv.CheckDocumentEdits) || next.State != idv.Draft || len(next.Required) != len(published.Required)+1 {
		t.Errorf("the draft is %s and requires %v", next.State, next.Required)
	}
	if w, _ := flows.Get(ctx, idv.Test, draft.Workflow); len(w.Offered()) != 1 {
		t.Error("a draft alone ends the offer")
	} else if v, _ := w.In(idv.Published); v.Requires(idv.CheckDocumentEdits) {
		t.Error("what is published changed by itself")
	}
	must(t, flows.Discard(ctx, draft.Workflow, next.Revision))
	must(t, flows.DismissOffer(ctx, draft.Workflow))
	if got := offered(); len(got) != 0 {
		t.Errorf("offered again after it was dismissed: %v", got)
	}
	all, err := flows.List(ctx, idv.Test)
	must(t, err)
	for _, w := range all {
		if v, ok := w.In(idv.Published); ok && w.ID != draft.Workflow && len(w.Offered()) != 0 {
			t.Errorf("%s, which has every signal, is offered %v", v.Name, w.Offered())
		}
	}
	wantAudited(t, d, "workflow.created", "workflow.draft_made", "workflow.draft_changed", "workflow.published", "workflow.draft_made",
		"workflow.draft_discarded", "workflow.offer_dismissed")
}

// wantAudited compares the actions on workflows in the log.
func wantAudited(t *testing.T, d *deployment, want ...string) {
	t.Helper()
	var got []string
	if err := d.store.Read.NewSelect().Table("audit_entries").Column("action").Where("action LIKE 'workflow.%'").OrderExpr("id").Scan(t.Context(),
		&got); err != nil {
		t.Fatal(err)
	}
	slices.Sort(got) // entries of one moment have no order
	slices.Sort(want)
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("audit entries (-want +got):\n%s", d)
	}
}

func flowRace(t *testing.T, d *deployment) {
	ctx := as(t, senta)
	draft := d.flowDraft(t, ctx, "raced", func(*idv.WorkflowVersion) {})
	for round := range 10 {
		var won sync.Map
		var all sync.WaitGroup
		for who := range 4 {
			all.Go(func() {
				spec := draft.WorkflowVersion
				spec.MinimumAge = 10*round + who
				if v, err := d.flows().Save(ctx, draft.Workflow, draft.Revision, spec); err == nil {
					won.Store(who, v)
				} else if !problem.Has(err, problem.WorkflowConflict) {
					t.Errorf("a loser hears: %v", err)
				}
			})
		}
		all.Wait()
		n := 0
		won.Range(func(_, v any) bool { draft, n = v.(workflow.Version), n+1; return true })
		if n != 1 {
			t.Fatalf("%d editors won", n)
		}
	}
	if _, err := d.store.Write.ExecContext(ctx, "INSERT INTO workflow_versions (id, workflow_id, number, state, spec, created_at) SELECT 'wfv_second', "+
		"workflow_id, 99, state, spec, created_at FROM workflow_versions WHERE id = ?", string(draft.ID)); err == nil {
		t.Error("the database takes a second draft")
	}
}

func flowSimulated(t *testing.T, d *deployment) {
	ctx := as(t, senta)
	d.work(t, queue.WorkOptions{})
	ok := d.open(t)
	ok.sendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("anna"))
	d.await(t, ok.id, idv.Approved)
	waits, held := d.referred(t)
	held, err := claimCase(t, d, held)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Rulings.DecideCase(as(t, rita), held.ID, rita, ruling(held, idv.DecideApprove)); err != nil {
		t.Fatal(err)
	}
	d.await(t, waits.id, idv.Approved)
	if _, err := d.Erasures.Erase(ctx, idv.Test, ok.id); err != nil {
		t.Fatal(err)
	}
	draft := d.flowDraft(t, ctx, "tried", func(w *idv.WorkflowVersion) {
		w.Rules = []idv.Rule{
			{Name: "Utopia", When: `document.country == "UTO" && default.outcome == "approved"`, Then: idv.DecideDecline, Reasons: []string{"document.expired"}},
		}
	})
	sim, err := d.flows().Simulate(ctx, workflow.Trial{Workflow: draft.Workflow, Everyone: true})
	if err != nil {
		t.Fatal(err)
	}
	one, err := d.flows().Simulate(ctx, workflow.Trial{Workflow: draft.Workflow, Session: waits.id})
	if err != nil || one.Totals.Decisions != 1 || one.Totals.Matrix[0].From != idv.DecideRefer {
		t.Errorf("of one session: %+v, %v", one.Totals, err)
	}
	want := []workflow.Move{{From: idv.DecideApprove, To: idv.DecideDecline, Count: 1}, {From: idv.DecideRefer, To: idv.DecideRefer, Count: 1}}
	if diff := cmp.Diff(want, sim.Totals.Matrix); diff != "" {
		t.Errorf("matrix (-want +got):\n%s", diff)
	}
	people := []workflow.PersonCount{{From: idv.DecideRefer, To: idv.DecideRefer, Person: idv.DecideApprove, Count: 1}}
	if diff := cmp.Diff(people, sim.Totals.People); diff != "" {
		t.Errorf("people (-want +got):\n%s", diff)
	}
	if len(sim.Items) != 1 || sim.Items[0].Session != ok.id || !sim.Items[0].Erased || sim.Items[0].ToRule != "Utopia" {
		t.Errorf("what would change: %+v", sim.Items)
	}
	if _, err := d.store.Write.ExecContext(ctx, "UPDATE policy_facts SET evidence = NULL"); err != nil {
		t.Fatal(err)
	}
	sim, err = d.flows().
		Simulate(ctx, workflow.Trial{Workflow: draft.Workflow, Everyone: true, From: d.clock.now().Add(-time.Hour), To: d.clock.now().Add(time.Hour)})
	if err != nil || sim.Totals.NotSimulated != 2 || sim.Totals.WhyNot[0].Why != "made_before" || len(sim.Items) != 0 {
		t.Errorf("without what they rest on: %+v, %v", sim.Totals, err)
	}
	figures, err := d.store.Figures(ctx, []idv.WorkflowVersionID{d.pictures(t).ID}, time.Time{}, time.Time{})
	if err != nil || len(figures) != 1 || figures[0].Approved != 2 || figures[0].ByPolicy != 1 || figures[0].Created != 2 {
		t.Errorf("figures: %+v, %v", figures, err)
	}
}

func claimCase(t *testing.T, d *deployment, c idv.Case) (idv.Case, error) {
	t.Helper()
	v, err := d.Queue.Claim(audit.WithActor(t.Context(), audit.Actor{Kind: audit.User, ID: string(rita.ID)}), c.ID, rita)
	return v.Case, err
}
