package store

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
)

// TestTheQueueIsReadByItsIndexes fills a queue with closed cases of many sessions and some open ones. Time is a poor
// witness on a busy machine, so that what is asked is how the database goes about it; the time is only logged.
func TestTheQueueIsReadByItsIndexes(t *testing.T) {
	skipUnderRace(t)
	d := onSQLite(t)
	ctx := t.Context()
	now := d.clock.now().UTC().Truncate(time.Microsecond)
	for _, q := range []string{
		"INSERT INTO workflow_versions (id, workflow_id, number, state, spec, created_at) SELECT 'wfv_1', id, 9, 'retired', '{}', ? FROM workflows LIMIT 1",
		"CREATE TEMP TABLE n AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " + strconv.Itoa(manySessions()) +
			") SELECT i, PRINTF('%026d', i) AS id, ? AS at FROM n",
		strings.Replace(oldSession("", idv.Approved), "VALUES ('', 'test', 'wfv_1', 'approved', 'referred', '', '', 'passport', TRUE, '[]', '{}', 'en', '', "+
			"TRUE, ?, ?, ?, 0, 1)",
			"SELECT 'ses_' || id, 'test', 'wfv_1', 'approved', 'approved', '', '', 'passport', TRUE, '[]', '{}', 'en', id, TRUE, ?, ?, ?, 0, 1 FROM n", 1),
		"INSERT INTO cases (id, session_id, mode, workflow_version_id, state, reasons, report_digest, assignee, approved_by, opened_at, due_at, closed_at, " +
			"version) " +
			"SELECT 'cas_' || id, 'ses_' || id, 'test', 'wfv_1', CASE WHEN i % 50 = 0 THEN 'open' ELSE 'closed' END, '[]', '', '', '', at, at, CASE WHEN i % 50 " +
			"= 0 THEN NULL ELSE at END, 0 FROM n",
		"ANALYZE",
	} {
		args := make([]any, strings.Count(q, "?"))
		for i := range args {
			args[i] = now
		}
		if _, err := d.store.Write.ExecContext(ctx, q, args...); err != nil {
			t.Fatalf("%.60s: %v", q, err)
		}
	}
	start := time.Now()
	cases, err := d.store.Cases(ctx, session.CaseFilter{Mode: idv.Test, Tab: session.Unclaimed, Now: now, Limit: 50})
	if err != nil || len(cases) != 50 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	counts, err := d.store.CountCases(ctx, session.CaseFilter{Mode: idv.Test, Now: now})
	if err != nil || counts.Unclaimed != manySessions()/50 {
		t.Fatalf("%+v, %v", counts, err)
	}
	t.Logf("a page and the counts took %v", time.Since(start))
	for name, q := range map[string]string{
		"a page": "SELECT * FROM cases c WHERE c.closed_at IS NULL AND c.mode = 'test' ORDER BY c.due_at, c.id LIMIT 50",
		"by reason": "SELECT * FROM cases c WHERE c.closed_at IS NULL AND c.mode = 'test' AND (COALESCE(c.reasons ->> 0, ''), c.due_at, c.id) > ('a', 'b', 'c') " +
			"ORDER BY COALESCE(c.reasons ->> 0, ''), c.due_at, c.id LIMIT 50",
		"by reviewer, turned round": "SELECT * FROM cases c WHERE c.closed_at IS NULL AND c.mode = 'test' AND (c.assignee, c.due_at, c.id) < ('a', 'b', 'c') " +
			"ORDER BY c.assignee DESC, c.due_at DESC, c.id DESC LIMIT 50",
		"a count":    "SELECT COUNT(*) FROM cases c WHERE c.closed_at IS NULL AND c.mode = 'test'",
		"one's own":  "SELECT * FROM cases c WHERE c.closed_at IS NULL AND c.mode = 'test' AND c.assignee = 'usr_1' ORDER BY c.due_at, c.id LIMIT 50",
		"a newest":   "SELECT * FROM cases c WHERE c.session_id = 'ses_1' ORDER BY c.id DESC LIMIT 1",
		"of session": "SELECT * FROM reviews WHERE session_id = 'ses_1' ORDER BY seq",
	} {
		t.Run(name, func(t *testing.T) {
			var plan []struct {
				ID, Parent, Notused int
				Detail              string
			}
			if err := d.store.Write.NewRaw("EXPLAIN QUERY PLAN "+q).Scan(ctx, &plan); err != nil {
				t.Fatal(err)
			}
			got := fmt.Sprint(plan)
			if !strings.Contains(got, "USING") || strings.Contains(got, "SCAN") || strings.Contains(got, "TEMP B-TREE") {
				t.Errorf("the plan: %s", got)
			}
		})
	}
}
