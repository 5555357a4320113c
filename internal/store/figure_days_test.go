package store

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/insight"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/figures"
)

// beforeSums undoes the migration that made sums of days.
func beforeSums(d *deployment) []string {
	out := []string{"DROP TRIGGER figures_made", "DROP TRIGGER figures_changed", "DROP TRIGGER figures_reason_added", "DROP TRIGGER figures_reason_removed"}
	if d.cluster != nil {
		out = []string{"DROP FUNCTION forget_figure_day CASCADE", "DROP FUNCTION forget_figure_day_of_reason CASCADE"}
	}
	return append(out, "DROP TABLE figure_days", "DROP TABLE call_grants", "DELETE FROM schema_versions WHERE version_id = 20")
}

// sumsDiffer compares the sums that are kept with a count of every session, for several narrowings.
func sumsDiffer(t *testing.T, d *deployment, from, to time.Time) string {
	t.Helper()
	ctx := t.Context()
	for _, n := range []insight.Narrowed{{}, {Countries: []string{"UTO"}}, {Versions: []idv.WorkflowVersionID{}}} {
		n.Mode, n.From, n.To = idv.Test, from, to
		got, err := d.store.Sums(ctx, n)
		must(t, err)
		counted, err := d.store.Count(ctx, d.store.Read, idv.Test, figures.Span{From: from, To: to})
		must(t, err)
		g := figures.Gather(n)
		for day, s := range counted {
			g.Counted(day, s)
		}
		want, err := g.Answer()
		must(t, err)
		less := cmpopts.SortSlices(func(a, b any) bool { return fmt.Sprint(a) < fmt.Sprint(b) })
		if diff := cmp.Diff(want, got, less); diff != "" {
			return fmt.Sprintf("%+v (-counted +kept):\n%s", n, diff)
		}
	}
	return ""
}

// keptDays lists the days that have sums.
func keptDays(t *testing.T, d *deployment) []string {
	t.Helper()
	var out []string
	must(
		t,
		d.store.Read.NewSelect().Model((*figures.DayRow)(nil)).Column("day").Where("sums IS NOT NULL AND mode = 'test'").OrderExpr("day").Scan(t.Context(), &out),
	)
	return out
}

// sumsAgree lets sessions of many days change at random, and days be counted at random in between: what is kept is what a
// count of every session says, at any time.
func sumsAgree(t *testing.T, d *deployment) {
	ctx := t.Context()
	r := rand.New(rand.NewPCG(7, 11))
	start := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	version := anyVersion(t, d)
	var all []string
	for i := range 60 {
		id := fmt.Sprintf("ses_%026d", i)
		at := start.Add(time.Duration(r.IntN(12*24*60)) * time.Minute)
		d.exec(
			t,
			"INSERT INTO sessions (id, mode, workflow_version_id, state, outcome, problem_code, problem_step, document_kind, consented, redo, attempts, locale, "+
				"link_hash, link_used, created_at, link_expires_at, touched_at, sweeps, version, country) VALUES (?, 'test', ?, 'created', '', '', '', '', FALSE, "+
				"'[]', '{}', 'en', ?, FALSE, ?, ?, ?, 0, 0, '')",
			id,
			version,
			id,
			at,
			at,
			at,
		)
		all = append(all, id)
	}
	now := start.AddDate(0, 0, 13)
	d.store.Now = func() time.Time { return now }
	changes := []string{
		"UPDATE sessions SET state = 'capturing', opened_at = touched_at, device = 'phone', due_step = 'consent' WHERE id = ?",
		"UPDATE sessions SET state = 'processing', submitted_at = touched_at, document_kind = 'passport', face_model = 'faces 2', due_step = '' WHERE id = ?",
		"UPDATE sessions SET state = 'approved', outcome = 'approved', automatic = TRUE, waited_s = 12, country = 'UTO', decided_at = touched_at WHERE id = ?",
		"UPDATE sessions SET state = 'declined', outcome = 'declined', waited_s = 3700, country = 'D' WHERE id = ?",
		"UPDATE sessions SET outcome = 'approved', automatic = FALSE, waited_s = 99999 WHERE id = ?", // an appeal
		"UPDATE sessions SET state = 'capturing', waited_s = NULL, due_step = 'selfie' WHERE id = ?", // a redo
		"UPDATE sessions SET state = 'expired' WHERE id = ?",
		"UPDATE sessions SET capture_source = CASE capture_source WHEN 'file' THEN 'camera' ELSE 'file' END WHERE id = ?", // alone
		"UPDATE sessions SET personal = NULL, erased_at = touched_at, locale = '' WHERE id = ?",                           // an erasing
		"DELETE FROM session_reasons WHERE session_id = ?",
		"INSERT INTO session_reasons (session_id, code) VALUES (?, 'document.expired') ON CONFLICT DO NOTHING",
		"INSERT INTO session_reasons (session_id, code) VALUES (?, 'face.mismatch') ON CONFLICT DO NOTHING",
	}
	from, to := start.Add(-26*time.Hour), start.AddDate(0, 0, 13).Add(3*time.Hour) // neither is a midnight
	for i := range 240 {
		if r.IntN(12) == 0 {
			must(t, d.store.SumDays(ctx))
		}
		d.exec(t, changes[r.IntN(len(changes))], all[r.IntN(len(all))])
		if i%8 == 0 {
			if diff := sumsDiffer(t, d, from, to); diff != "" {
				t.Fatalf("after %d changes, with sums of %v: %s", i, keptDays(t, d), diff)
			}
		}
	}
	must(t, d.store.SumDays(ctx))
	if diff := sumsDiffer(t, d, from, to); diff != "" {
		t.Error(diff)
	}
	if got := keptDays(t, d); len(got) != 13 || slices.Contains(got, now.Format(time.DateOnly)) {
		t.Errorf("kept are %v, want the 13 days before today", got)
	}
	must(t, d.store.SumDays(ctx))
	d.exec(t, "UPDATE sessions SET touched_at = created_at, version = version + 1, sweeps = 3")
	if got := keptDays(t, d); len(got) != 13 {
		t.Errorf("kept are %v after changes that figures do not show", got)
	}
}

// sumsNeverOld lets a session change while its day is being counted: after the mark and before the sums are kept.
func sumsNeverOld(t *testing.T, d *deployment) {
	ctx := t.Context()
	id := d.onlyOpen(t, d.create(t, session.Spec{})).id
	day := madeOn(t, d, id)
	rows := []figures.DayRow{{Mode: "test", Day: day.Format(time.DateOnly), Token: "first", Format: figures.SumsFormat}}
	_, err := d.store.Write.NewInsert().Model(&rows).Exec(ctx)
	must(t, err)
	counted, err := d.store.Count(ctx, d.store.Read, idv.Test, figures.Span{From: day, To: day.AddDate(0, 0, 1)})
	must(t, err)
	d.exec(t, "UPDATE sessions SET due_step = 'selfie' WHERE id = ?", string(id))
	rows[0].Sums = counted[rows[0].Day].Pack()
	must(t, d.store.KeepSums(ctx, rows))
	if got := keptDays(t, d); len(got) != 0 {
		t.Errorf("sums from before a change are kept: %v", got)
	}
}

// madeOn is the day on which a session was made.
func madeOn(t *testing.T, d *deployment, id idv.SessionID) time.Time {
	t.Helper()
	s, err := d.store.Session(t.Context(), id)
	must(t, err)
	return s.CreatedAt.UTC().Truncate(24 * time.Hour)
}

// anyVersion is a workflow version of test mode.
func anyVersion(t *testing.T, d *deployment) string {
	t.Helper()
	var id string
	must(
		t,
		d.store.Read.NewRaw("SELECT MIN(v.id) FROM workflow_versions AS v JOIN workflows AS w ON w.id = v.workflow_id WHERE w.mode = 'test'").Scan(t.Context(), &id),
	)
	return id
}

func TestSumsWaitForTransactionsUnderWay(t *testing.T) {
	d := onPostgres(t)
	ctx := t.Context()
	id := d.onlyOpen(t, d.create(t, session.Spec{})).id
	under, err := d.store.Write.BeginTx(ctx, nil)
	must(t, err)
	_, err = under.ExecContext(ctx, "UPDATE sessions SET due_step = 'selfie' WHERE id = ?", string(id))
	must(t, err)
	day := madeOn(t, d, id)
	d.store.Now = func() time.Time { return day.AddDate(0, 0, 1) }
	ended := make(chan error, 1)
	go func() { ended <- d.store.SumDays(ctx) }()
	for marked := false; !marked; { // the mark is there: what comes now removes it, what came before is waited for
		select {
		case err := <-ended:
			t.Fatalf("the count did not wait: %v", err)
		default:
		}
		must(t, d.store.Read.NewRaw("SELECT EXISTS (SELECT 1 FROM figure_days WHERE mode = 'test')").Scan(ctx, &marked))
	}
	must(t, under.Commit())
	must(t, <-ended)
	if diff := sumsDiffer(t, d, day.AddDate(0, 0, -3), day.AddDate(0, 0, 2)); diff != "" {
		t.Error(diff)
	}
}

func TestFiguresOfManySessionsOnSQLite(t *testing.T) {
	skipUnderRace(t)
	figureMany(t, onSQLite(t))
}

func TestFiguresOfManySessionsOnPostgres(t *testing.T) {
	skipUnderRace(t)
	d := onPostgres(t)
	figureMany(t, d)
}

// figureMany looks at figures of many sessions, spread over a year. It asserts little, for machines that are busy, and says
// what it saw.
func figureMany(t *testing.T, d *deployment) {
	ctx := t.Context()
	now := time.Date(2026, 3, 4, 15, 0, 0, 0, time.UTC)
	d.store.Now = func() time.Time { return now }
	spreadSessions(t, d, now)
	svc := func() *insight.Service { return insight.New(d.store, insight.Options{Now: d.store.Now}) }
	look := func(what string, times int, spans ...int) {
		for _, days := range spans {
			var took, worked []time.Duration
			for range times {
				f := insight.Filter{Mode: idv.Test, From: now.Truncate(24*time.Hour).AddDate(0, 0, 1-days), To: now.Truncate(24*time.Hour).AddDate(0, 0, 1)}
				begun, before := time.Now(), cpuTime(t)
				_, err := svc().Figures(ctx, f) // a service of its own has nothing fresh
				must(t, err)
				took, worked = append(took, time.Since(begun)), append(worked, cpuTime(t)-before)
			}
			slices.Sort(took)
			slices.Sort(worked)
			t.Logf("%s, %d days: p50 %v, longest of %d %v; %v of this process's CPU", what, days, took[len(took)/2].Round(time.Millisecond), times,
				took[len(took)-1].Round(time.Millisecond), worked[len(worked)/2].Round(time.Millisecond))
		}
	}
	look("nothing is kept", 1, 365)
	for begun := time.Now(); ; {
		lacking, err := d.store.DaysLacking(ctx, idv.Test)
		must(t, err)
		if len(lacking) == 0 {
			t.Logf("all days counted in %v", time.Since(begun).Round(time.Millisecond))
			break
		}
		must(t, d.store.SumDays(ctx))
	}
	look("days are kept", 20, 30, 90, 365)
	if diff := sumsDiffer(t, d, now.AddDate(-1, 0, 0), now.AddDate(0, 0, 1)); diff != "" {
		t.Error(diff)
	}
}

// cpuTime is what this process has used.
func cpuTime(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	must(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// spreadSessions makes sessions of every hour of a year, most of them lately, with everything that figures tell apart.
func spreadSessions(t *testing.T, d *deployment, now time.Time) {
	t.Helper()
	yearly := strconv.Itoa(manySessions() * manySessions() / (365 * 24)) // the last of them is a year old
	series := "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) "
	id, at := "PRINTF('ses_%026d', i)", "STRFTIME('%Y-%m-%d %H:%M:%S+00:00', ?, '-' || (i * i / "+yearly+") || ' hours')"
	if d.cluster != nil {
		series, id = "WITH n AS (SELECT CAST(i AS BIGINT) AS i FROM generate_series(1, ?) AS i) ", "'ses_' || LPAD(i::text, 26, '0')"
		at = "CAST(? AS TIMESTAMPTZ) - MAKE_INTERVAL(hours => CAST(i * i / " + yearly + " AS INTEGER))"
	}
	d.exec(
		t,
		"INSERT INTO sessions (id, mode, workflow_version_id, state, outcome, problem_code, problem_step, document_kind, consented, redo, attempts, locale, "+
			"link_hash, link_used, created_at, link_expires_at, touched_at, opened_at, submitted_at, waited_s, device, automatic, face_model, due_step, "+
			"country, sweeps, version) "+
			series+", a AS (SELECT i, "+id+" AS id, "+at+" AS made FROM n) SELECT id, 'test', (SELECT MIN(v.id) FROM workflow_versions AS v), "+
			"CASE i % 4 WHEN 0 THEN 'approved' WHEN 1 THEN 'declined' WHEN 2 THEN 'expired' ELSE 'in_review' END, "+
			"CASE i % 4 WHEN 0 THEN 'approved' WHEN 1 THEN 'declined' WHEN 3 THEN 'referred' ELSE '' END, '', '', CASE WHEN i % 9 = 0 THEN 'id_card' ELSE "+
			"'passport' END, "+
			"TRUE, '[]', '{}', 'en', 'link ' || i, TRUE, made, made, made, CASE WHEN i % 7 > 0 THEN made END, CASE WHEN i % 7 > 1 THEN made END, "+
			"CASE WHEN i % 4 < 2 THEN i % 50 + CASE WHEN i % 11 = 0 THEN i % 86400 ELSE 0 END END, CASE i % 3 WHEN 0 THEN 'phone' WHEN 1 THEN 'computer' ELSE "+
			"'tablet' END, "+
			"i % 5 > 0, 'faces ' || (i / 50000), CASE WHEN i % 4 = 2 THEN 'selfie' ELSE '' END, "+
			"CASE i % 23 WHEN 0 THEN 'UTO' WHEN 1 THEN 'FRA' WHEN 2 THEN 'ITA' WHEN 3 THEN 'ESP' WHEN 4 THEN 'POL' WHEN 5 THEN 'NLD' WHEN 6 THEN 'SWE' WHEN 7 "+
			"THEN 'USA' ELSE 'D' END, "+
			"0, 1 FROM a",
		manySessions(),
		now.Format("2006-01-02 15:04:05+00:00"),
	)
	d.exec(t, "INSERT INTO session_reasons (session_id, code) SELECT id, 'document.expired' FROM sessions WHERE state = 'declined'")
	if d.cluster != nil {
		d.exec(t, "VACUUM ANALYZE")
	}
}
