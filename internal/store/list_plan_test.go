package store

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/database"
	"github.com/bonafide-id/bonafide/internal/store/sessions"
	"github.com/bonafide-id/bonafide/internal/vault"
)

// manySessions is how many the lists are tried with (every list has to stay usable with as many). By day a twentieth is, which the
// database goes about in the same way.
func manySessions() int {
	if testing.Short() {
		return 5_000
	}
	return 100_000
}

func TestListsOfManySessionsOnSQLite(t *testing.T) {
	skipUnderRace(t)
	d := onSQLite(t)
	listMany(t, d)
	listPlans(t, d)
}

func TestListsOfManySessionsOnPostgres(t *testing.T) {
	skipUnderRace(t)
	d := onPostgres(t)
	listMany(t, d)
}

// fillSessions makes sessions of every state, a few of them of a rare kind, all sealed with the keyset of one.
func fillSessions(t *testing.T, d *deployment) {
	t.Helper()
	now := d.clock.now().UTC().Truncate(time.Microsecond)
	series := "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT i FROM n"
	id := "PRINTF('ses_%026d', i)"
	if d.cluster != nil {
		series, id = "SELECT i FROM generate_series(1, ?) AS i", "'ses_' || LPAD(i::text, 26, '0')"
	}
	d.exec(t, "CREATE TABLE n AS "+series, manySessions())
	d.exec(
		t,
		"INSERT INTO sessions (id, mode, workflow_version_id, state, outcome, problem_code, problem_step, document_kind, consented, redo, attempts, locale, "+
			"link_hash, link_used, created_at, link_expires_at, touched_at, sweeps, version, workflow_id, country) SELECT "+id+", 'test', "+
			"(SELECT MIN(v.id) FROM workflow_versions AS v), CASE i % 4 WHEN 0 THEN 'approved' WHEN 1 THEN 'declined' WHEN 2 THEN 'expired' ELSE 'created' END, "+
			"CASE WHEN i % 1000 = 7 THEN 'referred' WHEN i % 4 = 0 THEN 'approved' ELSE '' END, '', '', CASE WHEN i % 5000 = 9 THEN 'visa' ELSE 'passport' END, "+
			"TRUE, '[]', '{}', 'en', 'link ' || i, TRUE, ?, ?, ?, 0, 1, (SELECT MIN(w.id) FROM workflows AS w WHERE w.mode = 'test'), CASE WHEN i % 2000 = 3 "+
			"THEN 'UTO' ELSE 'D' END FROM n",
		now,
		now,
		now,
	)
	d.exec(
		t,
		"INSERT INTO session_reasons (session_id, code) SELECT "+id+", CASE WHEN i % 3000 = 5 THEN 'face.mismatch' ELSE 'document.expired' END FROM n WHERE "+
			"i % 3 = 2",
	)
	for kind, of := range map[string]string{sessions.BlindName: "Anna Eriksson", sessions.BlindReference: "Order 7"} {
		digest, err := d.store.Blind(t.Context(), kind, strings.ToUpper(of))
		must(t, err)
		d.exec(
			t,
			"INSERT INTO blind_indexes (session_id, kind, digest) SELECT "+id+", ?, CASE WHEN i % 10000 = 1 THEN ? ELSE 'digest ' || i END FROM n",
			kind,
			digest,
		)
	}
	d.exec(t, "DROP TABLE n")
	if d.cluster != nil {
		d.exec(t, "VACUUM ANALYZE")
	}
	for i := range 100 { // those of the first page have keysets, as real ones do
		id := fmt.Sprintf("ses_%026d", manySessions()-i)
		_, wrapped, err := d.master.NewKeyset(id, vault.Facts)
		must(t, err)
		_, err = d.store.Write.NewInsert().Model(&database.KeysetRow{Owner: id, Purpose: string(vault.Facts), Wrapped: wrapped, CreatedAt: now}).Exec(t.Context())
		must(t, err)
	}
}

// lookedFor are the filters of the list, each alone and the worst together.
var lookedFor = map[string]session.Filter{
	"nothing":               {},
	"a common state":        {States: []idv.SessionState{idv.Approved}},
	"two states":            {States: []idv.SessionState{idv.Approved, idv.Declined}},
	"a state of nobody":     {States: []idv.SessionState{idv.Processing}},
	"a rare outcome":        {Outcome: idv.DecideRefer},
	"an outcome of nobody":  {Outcome: idv.DecideReopen},
	"a common reason":       {Reason: "document.expired"},
	"a rare reason":         {Reason: "face.mismatch"},
	"a reason of nobody":    {Reason: "liveness.failed"},
	"a workflow":            {Workflow: "default"},
	"a workflow of nobody":  {Workflow: "nothing"},
	"a rare state's papers": {Countries: []string{"UTO"}},
	"a kind of nobody":      {Kinds: []idv.DocumentKind{idv.Visa}, Outcome: idv.DecideReopen},
	"a rare kind":           {Kinds: []idv.DocumentKind{idv.Visa}},
	"a day long ago":        {To: time.Date(2001, 2, 3, 0, 0, 0, 0, time.UTC)},
	"a reference":           {Search: "Order 7"},
	"an id":                 {Search: "ses_00000000000000000000050000"},
	"a name":                {Wanted: session.Wanted{Name: "Anna Eriksson"}},
	"a reason and a state":  {Reason: "document.expired", States: []idv.SessionState{idv.Approved}},
	"everything, and nobody": {
		States:    []idv.SessionState{idv.Approved},
		Reason:    "document.expired",
		Countries: []string{"UTO"},
		Kinds:     []idv.DocumentKind{idv.Visa},
	},
}

// listMany looks at the pages of every filter. What it asserts is generous, for machines that are busy; it says what it saw.
func listMany(t *testing.T, d *deployment) {
	fillSessions(t, d)
	var all []time.Duration
	wanted := maps.Clone(lookedFor)
	for _, by := range session.Sorts() {
		for _, name := range []string{"nothing", "a common state", "a rare reason", "a rare state's papers"} {
			f := lookedFor[name]
			f.Sort = by
			wanted[fmt.Sprintf("%s, %s", name, by)] = f
		}
	}
	for name, f := range wanted {
		f.Mode, f.Limit = idv.Test, 50
		var took []time.Duration
		for range 5 {
			start := time.Now()
			if _, err := d.store.Sessions(t.Context(), f); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			took = append(took, time.Since(start))
		}
		slices.Sort(took)
		all = append(all, took...)
		t.Logf("%-36s %v", name, took[len(took)/2].Round(100*time.Microsecond))
	}
	slices.Sort(all)
	t.Logf("p50 %v, p95 %v, longest %v", all[len(all)/2], all[len(all)*95/100], all[len(all)-1])
	if p95 := all[len(all)*95/100]; p95 > 2*time.Second {
		t.Errorf("p95 of the list: %v", p95)
	}
	start := time.Now()
	counts, err := d.store.CountStates(t.Context(), idv.Test)
	must(t, err)
	if counts[idv.Approved] != manySessions()/4 {
		t.Errorf("counts: %v", counts)
	}
	facets, err := d.store.Facets(t.Context(), idv.Test)
	must(t, err)
	if !slices.Equal(facets.Countries, []string{"D", "UTO"}) {
		t.Errorf("facets: %v", facets)
	}
	t.Logf("counts and facets %v", time.Since(start))
}

// listPlans asks the database how it goes about each filter: no row of a session is read but those of the page, so that no
// step goes over the table itself.
func listPlans(t *testing.T, d *deployment) {
	for name, f := range lookedFor {
		for _, by := range session.Sorts() {
			f.Mode, f.Limit, f.Sort = idv.Test, 50, by
			parts, err := d.store.SelectPage(t.Context(), f)
			must(t, err)
			for _, q := range parts {
				checkListPlan(t, d, fmt.Sprintf("%s, %s", name, by), q.String())
			}
		}
	}
}

func checkListPlan(t *testing.T, d *deployment, name, query string) {
	t.Helper()
	var plan []struct {
		ID, Parent, Notused int
		Detail              string
	}
	must(t, d.store.Write.NewRaw("EXPLAIN QUERY PLAN "+query).Scan(t.Context(), &plan))
	for _, step := range plan {
		onSessions := strings.Contains(step.Detail, " s ") || strings.HasSuffix(step.Detail, " s")
		if strings.Contains(step.Detail, "SCAN") && onSessions && !strings.Contains(step.Detail, "COVERING INDEX") {
			t.Errorf("%s: %s", name, step.Detail)
		}
		if strings.HasPrefix(name, "nothing,") && strings.Contains(step.Detail, "TEMP B-TREE") {
			t.Errorf("%s is put in order while it is read: %s", name, step.Detail)
		}
	}
}
