package sessiontest_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/sessiontest"
)

func TestASessionGoesFromItsLinkToItsVerdictInMemory(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Ended(t, session.Spec{})
	want := []session.EventType{
		session.EventCreated, session.EventOpened, session.EventConsented, session.EventChosen, session.EventCaptured,
		session.EventCaptured, session.EventSubmitted, session.EventExtracted, session.EventExtracted, session.EventApproved,
	}
	if diff := cmp.Diff(want, d.Store.EventTypes(p.ID)); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	if left := d.Store.Jobs(); len(left) > 0 {
		t.Errorf("jobs are left: %+v", left)
	}
}

func TestATransactionThatFailsLeavesNothing(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	c := d.Create(t, session.Spec{Metadata: map[string]string{"a": "b"}})
	broken := errors.New("broken")
	write := func(ctx context.Context, tx session.Tx) error {
		rec, err := tx.Lock(ctx, c.Session.ID)
		if err != nil {
			return err
		}
		rec.Metadata["a"], rec.Locale = "c", "fr"
		if err := tx.SaveSession(ctx, rec); err != nil {
			return err
		}
		return tx.Audit(ctx, audit.Record{Action: "nothing.happened", Session: rec.ID})
	}
	for name, run := range map[string]func() error{
		"the function fails": func() error {
			return d.Store.InTx(t.Context(), func(ctx context.Context, tx session.Tx) error { return errors.Join(write(ctx, tx), broken) })
		},
		"the commit fails": func() error {
			d.Store.FailNextCommit(broken)
			return d.Store.InTx(t.Context(), write)
		},
	} {
		if err := run(); !errors.Is(err, broken) {
			t.Errorf("%s: %v", name, err)
		}
		if s := d.Session(t, c.Session.ID); s.Locale != "" || s.Metadata["a"] != "b" || s.Version != c.Session.Version {
			t.Errorf("%s: the session is %+v", name, s)
		}
		if got := len(d.Store.Audited(c.Session.ID)); got != 1 {
			t.Errorf("%s: %d audit entries, want that of the creation alone", name, got)
		}
	}
}

func TestTheAuditLogOfTheKitIsOneThatProves(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Ended(t, session.Spec{})
	proofs, err := d.Store.AuditProofs(t.Context(), p.ID)
	if err != nil || len(proofs) != len(d.Store.Audited(p.ID)) {
		t.Fatalf("%d proofs, %v", len(proofs), err)
	}
	for _, proof := range proofs {
		if err := proof.Check(); err != nil {
			t.Errorf("%s: %v", proof.Entry.Action, err)
		}
	}
	if s := d.Session(t, p.ID); s.Outcome != idv.DecideApprove {
		t.Errorf("outcome %s", s.Outcome)
	}
}
