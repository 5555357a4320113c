package session_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/sessiontest"
)

// TestApprovalsAreDrawnAsOftenAsTheWorkflowSays draws with a source that repeats itself, so the numbers are always the same.
func TestApprovalsAreDrawnAsOftenAsTheWorkflowSays(t *testing.T) {
	d := sessiontest.New(t)
	life := session.NewLifecycle(d.Store, d.Store.Pictures(), nil, session.Options{Now: d.Clock.Now, Random: rand.NewChaCha8([32]byte{7})})
	const sessions = 400
	for _, c := range []struct {
		name    string
		share   int
		outcome idv.DecisionOutcome
		least   int
		most    int
	}{
		{"none of a workflow without a share", 0, idv.DecideApprove, 0, 0},
		{"about a quarter", 25, idv.DecideApprove, 75, 125},
		{"all", 100, idv.DecideApprove, sessions, sessions},
		{"no decline", 100, idv.DecideDecline, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, err := d.Store.WorkflowNamed(t.Context(), idv.Test, idv.WorkflowDefault)
			if err != nil {
				t.Fatal(err)
			}
			w.QualityShare = c.share
			before := drawn(t, d)
			err = d.Store.InTx(t.Context(), func(ctx context.Context, tx session.Tx) error {
				for range sessions {
					id, err := idv.NewID[idv.SessionID](d.Clock.Now(), life.Random())
					if err != nil {
						return err
					}
					rec := session.Record{LinkHash: string(id), Session: idv.Session{ID: id, Mode: idv.Test, Workflow: w.ID}}
					if err := tx.AddSession(ctx, rec); err != nil {
						return err
					}
					if err := life.DrawForQuality(ctx, tx, rec, w, idv.Decision{Outcome: c.outcome, By: session.ByPolicy}); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if got := drawn(t, d) - before; got < c.least || got > c.most {
				t.Errorf("%d of %d were drawn, want %d to %d", got, sessions, c.least, c.most)
			}
		})
	}
}

func drawn(t *testing.T, d *sessiontest.Deployment) int {
	t.Helper()
	n, err := d.Store.CountQuality(t.Context(), idv.Test, d.Clock.Now())
	if err != nil {
		t.Fatal(err)
	}
	return n.Waiting
}
