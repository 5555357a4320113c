package store

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/policy"
	"github.com/bonafide-id/bonafide/internal/vault"
	"github.com/bonafide-id/bonafide/internal/workflow"
)

// manyDecisions is how many decisions a simulation is measured on.
const manyDecisions = workflow.MaxSimulated

// BenchmarkSimulate makes 100 000 decisions again, under rules: on SQLite, and on PostgreSQL where it is installed.
func BenchmarkSimulate(b *testing.B) {
	b.Run("SQLite", func(b *testing.B) { simulateOn(b, "sqlite:"+filepath.Join(b.TempDir(), "bench.db")) })
	b.Run("PostgreSQL", func(b *testing.B) { simulateOn(b, idvtest.Postgres(b).Database(b)) })
}

func simulateOn(b *testing.B, url string) {
	st := openBench(b, url)
	flows := workflow.New(st, workflow.Options{})
	draft := fillDecisions(b, st, flows)
	b.ResetTimer()
	for b.Loop() {
		sim, err := flows.Simulate(b.Context(), workflow.Trial{Workflow: draft.Workflow, Everyone: true})
		if err != nil || sim.Totals.Decisions != manyDecisions || sim.Totals.Changed != manyDecisions/10 || sim.Totals.NotSimulated != 0 {
			b.Fatalf("%+v, %v", sim.Totals, err)
		}
	}
	b.ReportMetric(float64(manyDecisions)*float64(b.N)/b.Elapsed().Seconds(), "decisions/s")
}

// withScore are the checks that have one.
var withScore = []idv.CheckKind{
	idv.CheckDocumentReadable, idv.CheckMRZVerified, idv.CheckDocumentOriginal, idv.CheckSelfieQuality, idv.CheckFaceMatch, idv.CheckLiveness, idv.CheckReplay,
}

func openBench(b *testing.B, url string) *Store {
	b.Helper()
	dir := b.TempDir()
	key := filepath.Join(dir, "master.key")
	if _, err := vault.CreateMaster(key); err != nil {
		b.Fatal(err)
	}
	master, err := vault.OpenMaster("file:" + key)
	if err != nil {
		b.Fatal(err)
	}
	blobs, err := vault.OpenBlobs(b.Context(), "file://"+filepath.Join(dir, "blobs"))
	if err != nil {
		b.Fatal(err)
	}
	st, err := Open(b.Context(), url, Options{Master: master, Blobs: blobs, Log: quiet()})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = st.Close(); _ = blobs.Close() })
	if err := st.Migrate(b.Context()); err != nil {
		b.Fatal(err)
	}
	return st
}

// fillDecisions writes as many decisions, one in ten of Austria, and a draft whose rule refers those.
func fillDecisions(b *testing.B, st *Store, flows *workflow.Service) workflow.Version {
	b.Helper()
	w, err := flows.Create(b.Context(), idv.Test, "bench", "")
	if err != nil {
		b.Fatal(err)
	}
	draft, _ := w.In(idv.Draft)
	spec := draft.WorkflowVersion
	spec.Rules = []idv.Rule{
		{Name: "young", When: `person.age_known && person.age_to < 25`, Then: idv.DecideRefer},
		{Name: "tries", When: `session.attempts > 20 || reasons.exists(r, r.startsWith("risk."))`, Then: idv.DecideRefer},
		{Name: "Austria", When: `document.country == "AUT" && default.outcome == "approved"`, Then: idv.DecideRefer},
	}
	if draft, err = flows.Save(b.Context(), w.ID, draft.Revision, spec); err != nil {
		b.Fatal(err)
	}
	var follows string
	if err := st.Read.NewSelect().TableExpr("workflow_versions AS v").ColumnExpr("v.id").Join("JOIN workflows AS w ON w.id = "+
		"v.workflow_id").Where("v.state = 'published' AND w.mode = 'test'").Limit(1).Scan(b.Context(), &follows); err != nil {
		b.Fatal(err)
	}
	score := 0.61
	facts := policy.Facts{
		At: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Mode: idv.Test, Country: "@@@", Kind: idv.Passport, AgeBand: "35-44",
		Attempts: policy.Attempts{Steps: map[idv.Step]int{idv.StepDocumentFront: 1, idv.StepSelfie: 1}, Total: 2, FaceExtra: true},
	}
	for _, k := range spec.Required {
		c := policy.CheckFact{Kind: k, Answer: policy.Passed}
		if slices.Contains(withScore, k) {
			c.Score = &score
		}
		facts.Checks = append(facts.Checks, c)
	}
	evidence, err := json.Marshal(facts)
	if err != nil {
		b.Fatal(err)
	}
	const ids = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?) "
	place := "SUBSTR('00000000000000000000000000' || CAST(i AS TEXT), -26)"
	at, country := "DATETIME(1767225600 + i, 'unixepoch') || '+00:00'", "CASE WHEN i % 10 = 0 THEN 'AUT' ELSE 'FRA' END"
	if st.Engine() == "postgres" {
		place, at = "LPAD(CAST(i AS TEXT), 26, '0')", "TIMESTAMPTZ '2026-01-01 00:00:00+00' + i * INTERVAL '1 second'"
	}
	asJSON := "REPLACE(?, '@@@', " + country + ")"
	if st.Engine() == "postgres" {
		asJSON = "CAST(" + asJSON + " AS JSONB)"
	}
	for _, q := range []struct {
		sql  string
		args []any
	}{
		{"INSERT INTO sessions (id, mode, workflow_version_id, state, outcome, problem_code, problem_step, document_kind, consented, redo, attempts, locale, " +
			"link_hash, link_used, created_at, link_expires_at, submitted_at, decided_at, touched_at, sweeps, version) " +
			ids + "SELECT 'ses_' || " + place + ", 'test', ?, 'approved', 'approved', '', '', 'passport', TRUE, '[]', '{}', '', 'h' || i, TRUE, " + at + ", " + at +
			", " + at + ", " + at + ", " + at + ", 0, 1 FROM n", []any{manyDecisions, follows}},
		{"INSERT INTO decisions (id, session_id, outcome, reasons, rule, decided_by, report_id, report_digest, decided_at) " +
			ids + "SELECT 'dec_' || " + place + ", 'ses_' || " + place + ", 'approved', '[]', 'every required check passed', 'policy', '', '', " + at + " FROM n",
			[]any{manyDecisions}},
		{"INSERT INTO policy_facts (decision_id, mode, workflow_version_id, outcome, age_band, country, document_kind, reasons, scores, decided_at, evidence) " +
			ids + "SELECT 'dec_' || " + place + ", 'test', ?, 'approved', '35-44', " + country + ", 'passport', '[]', '{}', " + at + ", " + asJSON + " FROM n",
			[]any{manyDecisions, follows, string(evidence)}},
	} {
		if _, err := st.Write.ExecContext(b.Context(), q.sql, q.args...); err != nil {
			b.Fatalf("%.80s: %v", q.sql, err)
		}
	}
	if _, err := st.Write.ExecContext(b.Context(), "ANALYZE"); err != nil {
		b.Fatal(err)
	}
	return draft
}
