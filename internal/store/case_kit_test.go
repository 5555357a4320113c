package store

import (
	"context"
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/review"
)

// as is the context in which somebody acts.
func as(t *testing.T, who review.Reviewer) context.Context {
	t.Helper()
	return audit.WithActor(t.Context(), audit.Actor{Kind: audit.User, ID: string(who.ID)})
}

// referred is somebody whose session waits for a person, and its case.
func (d *deployment) referred(t *testing.T) (*person, idv.Case) {
	t.Helper()
	return d.refer(t, d.open(t))
}

func (d *deployment) refer(t *testing.T, a *person) (*person, idv.Case) {
	t.Helper()
	a.sendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("unsure"))
	d.await(t, a.id, idv.InReview)
	c, err := d.Queue.CaseOf(t.Context(), a.id)
	if err != nil {
		t.Fatal(err)
	}
	return a, c
}

// workflow publishes a workflow that changes the one for pictures alone.
func (d *deployment) workflow(t *testing.T, name string, change func(*idv.WorkflowVersion)) string {
	t.Helper()
	w := idv.PictureWorkflow(idv.Test)
	w.Name = name
	change(&w)
	if err := d.store.SeedWorkflow(t.Context(), w); err != nil {
		t.Fatal(err)
	}
	return name
}

// openAs is a session that a member made, opened.
func openAs(t *testing.T, d *deployment, who review.Reviewer, workflow string) *person {
	t.Helper()
	c, err := d.Sessions.Create(as(t, who), session.Spec{Mode: idv.Test, Workflow: workflow})
	if err != nil {
		t.Fatal(err)
	}
	a := d.onlyOpen(t, c)
	a.agree(t, idv.Passport)
	return a
}

func ruling(c idv.Case, outcome idv.DecisionOutcome, reasons ...string) review.Ruling {
	return review.Ruling{Basis: review.Basis{Version: c.Version, Report: c.Report}, Outcome: outcome, Reasons: reasons}
}

func wantProblem(t *testing.T, err error, k problem.Kind) {
	t.Helper()
	if !problem.Has(err, k) {
		t.Errorf("got %v, want %s", err, k.Code)
	}
}

func (d *deployment) queue(t *testing.T, tab session.CaseTab, who review.Reviewer) []idv.CaseID {
	t.Helper()
	views, _, _, err := d.Queue.Cases(t.Context(), session.CaseFilter{Mode: idv.Test, Tab: tab, Who: who.ID})
	if err != nil {
		t.Fatal(err)
	}
	out := []idv.CaseID{}
	for _, v := range views {
		out = append(out, v.Case.ID)
	}
	return out
}

func second[T any](_ T, err error) error { return err }

func contains(s, part string) bool { return strings.Contains(s, part) }

func wantOutcome(t *testing.T, d *deployment, id idv.SessionID, want idv.DecisionOutcome, n int) {
	t.Helper()
	v, err := d.Sessions.Get(t.Context(), "", id)
	if err != nil || v.Session.Outcome != want {
		t.Errorf("outcome %s, %v; want %s", v.Session.Outcome, err, want)
	}
	if ds, err := d.store.Decisions(t.Context(), id); err != nil || len(ds) != n {
		t.Errorf("%d decisions, %v; want %d", len(ds), err, n)
	}
}
