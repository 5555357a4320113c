package store

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/auditlog"
)

// makeMany makes audit entries of now, with their positions.
func makeMany(t *testing.T, d *deployment, n int) {
	t.Helper()
	for range n {
		must(t, d.store.RecordAudit(t.Context(), audit.Record{Action: "key.created", Subject: "key_1"}))
	}
	must(t, d.store.Sequence(t.Context()))
}

func auditEntries(t *testing.T, d *deployment, where string) (n int) {
	t.Helper()
	must(t, d.store.Read.NewRaw("SELECT COUNT(*) FROM audit_entries WHERE "+where).Scan(t.Context(), &n))
	return n
}

// trimAhead writes to the database, without any key, that young entries were removed because they were old.
func trimAhead(t *testing.T, d *deployment) {
	ctx := t.Context()
	makeMany(t, d, 5)
	d.clock.advance(time.Minute)
	claim := func(at time.Time, subject string) {
		t.Helper()
		id, err := idv.NewID[idv.AuditID](at, d.store.Random)
		must(t, err)
		row := auditlog.AuditRow{ID: string(id), CreatedAt: at, Actor: string(audit.System), Action: audit.Trimmed, Subject: subject}
		_, err = d.store.Write.NewInsert().Model(&row).Exec(ctx)
		must(t, err)
		must(t, d.store.Sequence(ctx))
	}
	claim(d.clock.now().Add(400*day), audit.TrimSubject(3))
	makeMany(t, d, 3)
	if n := auditEntries(t, d, "action = 'audit.trimmed' AND position IS NOT NULL"); n != 0 {
		t.Fatal("an entry of next year has its position")
	}
	if v, err := d.store.VerifyAudit(ctx); err != nil || v.Size != 8 {
		t.Fatalf("with an entry that waits: %+v, %v", v, err)
	}
	d.exec(t, "DELETE FROM audit_entries WHERE position < 3")
	if _, err := d.store.VerifyAudit(ctx); !errors.Is(err, audit.ErrTampered) {
		t.Errorf("young entries are gone, excused by next year: %v", err)
	}
	if in, err := d.store.InspectAudit(ctx); err != nil || len(in.Faults) == 0 {
		t.Errorf("inspected %+v, %v", in, err)
	}
	d.clock.advance(idv.AuditRetention + day) // by then it has a position, and is no hindrance to what is removed by its age
	makeMany(t, d, 1)
	if n := auditEntries(t, d, "action = 'audit.trimmed' AND position IS NULL"); n != 0 {
		t.Error("what waited was forgotten")
	}
	if n, err := d.store.TrimAudit(ctx, d.clock.now().Add(-idv.AuditRetention)); err != nil || n == 0 {
		t.Errorf("%d old entries went, %v", n, err)
	}
}

// between does something after the checkpoints of a log were read.
type between struct {
	audit.Source
	do func()
}

func (b between) AuditCheckpoints(ctx context.Context) ([]audit.Checkpoint, error) {
	defer b.do()
	return b.Source.AuditCheckpoints(ctx)
}

// trimMeanwhile lets entries come and go while the log is read.
func trimMeanwhile(t *testing.T, d *deployment) {
	ctx := t.Context()
	key, err := d.store.AuditKey(ctx)
	must(t, err)
	makeMany(t, d, 5)
	read := map[string]func(context.Context, audit.Source) error{
		"verified": func(ctx context.Context, src audit.Source) error {
			_, err := audit.Verify(ctx, src, key, d.clock.now())
			return err
		},
		"inspected": func(ctx context.Context, src audit.Source) error {
			in, err := audit.Inspect(ctx, src, key, d.clock.now())
			if err == nil && len(in.Faults) > 0 {
				return errors.New(in.Faults[0].Says)
			}
			return err
		},
	}
	for what, f := range read {
		d.clock.advance(2 * idv.LeastAuditRetention)
		makeMany(t, d, 5)
		gone := 0
		trim := func() {
			gone, err = d.store.TrimAudit(ctx, d.clock.now().Add(-idv.LeastAuditRetention))
			must(t, err)
		}
		if err := d.store.Still(ctx, func(ctx context.Context, src audit.Source) error { return f(ctx, between{src, trim}) }); err != nil || gone == 0 {
			t.Errorf("%s while %d entries leave: %v", what, gone, err)
		}
		if err := d.store.Still(ctx, f); err != nil {
			t.Errorf("%s afterwards: %v", what, err)
		}
	}
}

// trimTogether lets several nodes, which settle different times, trim at once.
func trimTogether(t *testing.T, d *deployment) {
	ctx := t.Context()
	makeMany(t, d, 3)
	d.clock.advance(time.Hour)
	makeMany(t, d, 3)
	d.clock.advance(3 * idv.LeastAuditRetention)
	makeMany(t, d, 3)
	now := d.clock.now()
	before := []time.Time{now.Add(-2 * idv.LeastAuditRetention), now.Add(-3*idv.LeastAuditRetention - 30*time.Minute)}
	for _, err := range together(4, func(i int) error {
		_, err := d.store.TrimAudit(ctx, before[i%2])
		return err
	}) {
		must(t, err)
	}
	if n := auditEntries(t, d, "action = 'audit.trimmed'"); n != 1 {
		t.Errorf("%d trims in one day", n)
	}
	if _, err := d.store.VerifyAudit(ctx); err != nil {
		t.Error(err)
	}
}

// trimLengthened holds a session while entries leave by a short time, and lifts the hold after it was made longer.
func trimLengthened(t *testing.T, d *deployment) {
	ctx := t.Context()
	id := d.create(t, session.Spec{}).Session.ID
	_, err := d.Holds.SetHold(ctx, "", id, "a court asked")
	must(t, err)
	makeMany(t, d, 2)
	d.clock.advance(2 * idv.LeastAuditRetention)
	makeMany(t, d, 1)
	short, long := d.clock.now().Add(-idv.LeastAuditRetention), d.clock.now().Add(-idv.AuditRetention)
	if n, err := d.store.TrimAudit(ctx, short); err != nil || n == 0 {
		t.Fatalf("%d went, %v", n, err)
	}
	_, err = d.Holds.LiftHold(ctx, "", id)
	must(t, err)
	if n, err := d.store.TrimAudit(ctx, long); err != nil || n != 0 {
		t.Errorf("%d went before their time, %v", n, err)
	}
	if n, err := d.store.TrimAudit(ctx, short); err != nil || n == 0 {
		t.Errorf("once their time is over %d go, %v", n, err)
	}
	if _, err := d.store.VerifyAudit(ctx); err != nil {
		t.Error(err)
	}
}
