package store

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/demo"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/insight"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/figures"
)

// beforeFigures undoes the migration that made figures.
var beforeFigures = []string{
	"DROP INDEX sessions_figures", "ALTER TABLE sessions DROP COLUMN device",
	"ALTER TABLE sessions DROP COLUMN face_model", "ALTER TABLE sessions DROP COLUMN automatic", "ALTER TABLE sessions DROP COLUMN due_step",
	"ALTER TABLE sessions DROP COLUMN waited_s", "DELETE FROM schema_versions WHERE version_id = 14",
}

func someone(int64) demo.Person {
	return demo.Person{Surname: "Eriksson", GivenNames: "Anna Maria", Sex: "F", Born: time.Date(1974, 8, 12, 0, 0, 0, 0, time.UTC)}
}

// figuresAgree tells stories and counts them twice: one by one, and as figures do.
func figuresAgree(t *testing.T, d *deployment) {
	ctx := t.Context()
	now := time.Date(2026, 3, 4, 15, 0, 0, 0, time.UTC)
	clock := demo.NewClock(now)
	if _, err := demo.Fill(ctx, d.store, d.store.Pictures(), clock, demo.Options{Sessions: 24, Seed: 5, People: someone}); err != nil {
		t.Fatal(err)
	}
	got, err := insight.New(d.store, insight.Options{Now: clock.Now}).
		Figures(ctx, insight.Filter{Mode: idv.Test, From: now.AddDate(0, 0, -95), To: now.AddDate(0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	want := countOneByOne(t, d)
	if diff := cmp.Diff(want, got.Total); diff != "" {
		t.Errorf("figures (-one by one +counted):\n%s", diff)
	}
	for name, rows := range map[string][]insight.Row{"day": got.TimeSeries, "workflow": got.ByWorkflow} {
		sum := 0
		for _, r := range rows {
			sum += r.Created
		}
		if sum != want.Created {
			t.Errorf("by %s: %d sessions in all, want %d", name, sum, want.Created)
		}
	}
	for name, rows := range map[string][]insight.Row{
		"country": got.ByCountry, "kind": got.ByKind, "device": got.ByDevice, "model": got.ByModel, "source": got.BySource,
	} {
		if len(rows) == 0 || rows[0].Key == "" {
			t.Errorf("by %s: nothing is told apart: %+v", name, rows)
		}
	}
	barsAgree(t, d, got)
	timed, err := insight.New(d.store, insight.Options{Now: clock.Now}).StageTimes(ctx, got.Filter)
	if err != nil {
		t.Fatal(err)
	}
	stagesTimed(t, timed)
	if got.Queue.Waiting != want.Waiting || (want.Waiting > 0 && got.Queue.Oldest.IsZero()) {
		t.Errorf("the queue is %+v, %d wait", got.Queue, want.Waiting)
	}
	if got.P50 <= 0 || got.P95 < got.P50 || len(got.Reasons) == 0 {
		t.Errorf("half wait %v, 95 in 100 wait %v, reasons %v", got.P50, got.P95, got.Reasons)
	}
	live, err := insight.New(d.store, insight.Options{Now: clock.Now}).Figures(ctx, insight.Filter{Mode: idv.Live})
	if err != nil || live.Total != (insight.Counts{}) || live.Queue.Waiting != 0 || live.P50 != 0 {
		t.Errorf("live mode has figures of test mode: %+v, %v", live.Total, err)
	}
	for _, f := range []insight.Filter{{Workflow: idv.WorkflowDefault}, {Country: got.ByCountry[0].Key}} {
		f.Mode, f.From, f.To = got.Mode, got.From, got.To
		one, err := insight.New(d.store, insight.Options{Now: clock.Now}).Figures(ctx, f)
		if err != nil || one.Total.Created == 0 || one.Total.Created >= want.Created {
			t.Errorf("of workflow %q and country %q: %+v, %v", f.Workflow, f.Country, one.Total, err)
		}
	}
}

// countOneByOne reads every session and says what became of them.
func countOneByOne(t *testing.T, d *deployment) insight.Counts {
	t.Helper()
	list, _, err := d.Sessions.List(t.Context(), session.Filter{Mode: idv.Test, Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	var c insight.Counts
	for _, v := range list {
		s := v.Session
		c.Created++
		if !s.OpenedAt.IsZero() {
			c.Opened++
		}
		if !s.SubmittedAt.IsZero() {
			c.Submitted++
		}
		decisions, err := d.store.Decisions(t.Context(), s.ID)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case s.State == idv.InReview:
			c.Waiting++
		case s.State == idv.Approved || s.State == idv.Declined:
			c.Decided++
			if s.Outcome == idv.DecideApprove {
				c.Approved++
			} else {
				c.Declined++
			}
			if decisions[len(decisions)-1].By == "policy" {
				c.Automatic++
			}
		case s.State.Final() && !s.OpenedAt.IsZero() && s.SubmittedAt.IsZero():
			c.Abandoned++
		}
	}
	return c
}

// figuresMigrated opens a database of before figures.
func figuresMigrated(t *testing.T, d *deployment) {
	ctx := t.Context()
	url := "sqlite:" + filepath.Join(t.TempDir(), "old.db")
	if d.cluster != nil {
		url = d.cluster.Database(t)
	}
	old, err := Open(ctx, url, Options{Master: d.master, Blobs: d.store.Blobs, Now: d.clock.now, Log: quiet()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = old.Close() })
	p, err := old.schema.Provider()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.UpTo(ctx, 7); err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 3, 4, 15, 0, 0, 0, time.UTC)
	const decided, begun = idv.SessionID("ses_06c1q2m3n4p5r6s7t8v9w0x1y2"), idv.SessionID("ses_06c1q2m3n4p5r6s7t8v9w0x1y3")
	for _, q := range []struct {
		sql  string
		args []any
	}{
		{"INSERT INTO workflows (id, mode, name, created_at) VALUES ('wfl_1', 'test', 'old', ?)", []any{at}},
		{"INSERT INTO workflow_versions (id, workflow_id, number, state, spec, created_at) VALUES ('wfv_1', 'wfl_1', 1, 'published', '{}', ?)", []any{at}},
		{oldSession(decided, idv.Approved), []any{at, at, at}},
		{oldSession(begun, idv.Expired), []any{at, at, at}},
		{"UPDATE sessions SET opened_at = ?, submitted_at = ?, decided_at = ? WHERE id = '" + string(decided) + "'", []any{at, at, at.Add(95 * time.Second)}},
		{"UPDATE sessions SET opened_at = ?, document_kind = '' WHERE id = '" + string(begun) + "'", []any{at}},
		{"INSERT INTO decisions (id, session_id, outcome, reasons, rule, decided_by, report_id, report_digest, decided_at) VALUES ('dec_1', '" + string(decided) +
			"', 'approved', '[]', '', 'policy', '', '', ?)", []any{at}},
		{"INSERT INTO policy_facts (decision_id, mode, workflow_version_id, outcome, age_band, country, document_kind, reasons, scores, decided_at) " +
			"VALUES ('dec_1', 'test', 'wfv_1', 'approved', '', 'UTO', 'passport', '[]', '{}', ?)", []any{at}},
	} {
		if _, err := old.Write.ExecContext(ctx, q.sql, q.args...); err != nil {
			t.Fatalf("%s: %v", q.sql, err)
		}
	}
	if err := old.Migrate(ctx); err != nil {
		t.Fatal(err)
	}
	n := insight.Narrowed{Filter: insight.Filter{Mode: idv.Test, From: at, To: at.Add(time.Hour)}}
	sums, err := old.Sums(ctx, n)
	if waits := sums.Waits; err != nil || len(waits) != 1 || waits[0].Seconds < 94 || waits[0].Seconds > 95 {
		t.Errorf("waits %v, %v, want one of 95 s", waits, err)
	}
	if len(sums.Tallies) != 2 {
		t.Fatalf("tallies %v", sums.Tallies)
	}
	for _, tally := range sums.Tallies {
		approved := tally.State == idv.Approved
		if tally.Automatic != approved || (tally.Country == "UTO") != approved || (tally.Due == idv.StepChoose) == approved {
			t.Errorf("%s: %+v", tally.State, tally)
		}
	}
}

func machineTold(t *testing.T, d *deployment) {
	ctx := t.Context()
	d.onlyOpen(t, d.create(t, session.Spec{}))
	r, err := insight.New(d.store, insight.Options{Now: d.clock.now}).Report(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if r.Database.Engine != d.store.Engine() || r.Database.Version == "" || r.Database.Bytes == 0 || r.Database.Schema < 9 ||
		r.Database.Schema != r.Database.Newest {
		t.Errorf("database %+v", r.Database)
	}
	if r.Audit.Waiting == 0 || r.Evidence.Captures != 0 || len(r.Jobs) != 0 {
		t.Errorf("audit %+v, evidence %+v, jobs %+v", r.Audit, r.Evidence, r.Jobs)
	}
	v, err := d.store.Vitals(ctx)
	if err != nil || v.Unsequenced == 0 || v.Bytes == 0 || v.Database <= 0 || len(v.Queues) != 2 || v.Due != 0 || !v.DueSince.IsZero() || v.Erasing != 0 {
		t.Errorf("vitals %+v, %v", v, err)
	}
	if err := d.store.Sequence(ctx); err != nil {
		t.Fatal(err)
	}
	entries, waiting, err := d.store.AuditSize(ctx)
	if err != nil || entries == 0 || waiting != 0 {
		t.Errorf("after sequencing: %d entries, %d waiting, %v", entries, waiting, err)
	}
}

// TestFiguresReadNoRows asks how the database goes about it: everything is in the index, also with many sessions.
func TestFiguresReadNoRows(t *testing.T) {
	skipUnderRace(t)
	d := onSQLite(t)
	tallies, waits, reasons := d.store.Counting(d.store.Read, idv.Test, figures.Span{From: d.clock.now().AddDate(0, 0, -30), To: d.clock.now()})
	for name, q := range map[string]string{"tallies": tallies.String(), "waits": waits.String(), "reasons": reasons.String()} {
		t.Run(name, func(t *testing.T) {
			if plan := planOf(t, d, q); name != "reasons" && !strings.Contains(plan, "COVERING INDEX sessions_figures") {
				t.Errorf("goes about it like this:\n%s", plan)
			}
		})
	}
}

func planOf(t *testing.T, d *deployment, q string) string {
	t.Helper()
	var plan []struct {
		ID, Parent, Notused int
		Detail              string
	}
	if err := d.store.Write.NewRaw("EXPLAIN QUERY PLAN "+q).Scan(context.WithoutCancel(t.Context()), &plan); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, step := range plan {
		out.WriteString(step.Detail + "\n")
	}
	return out.String()
}
