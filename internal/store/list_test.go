package store

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/review"
	"github.com/bonafide-id/bonafide/internal/store/queue"
)

// listPersonal finds who is looked for, by the exact value and by nothing near it, until they are erased.
func listPersonal(t *testing.T, d *deployment) {
	ctx := audit.WithActor(t.Context(), audit.Actor{Kind: audit.User, ID: "usr_x", Address: "203.0.113.77"})
	d.work(t, queue.WorkOptions{})
	a := d.onlyOpen(t, d.create(t, session.Spec{
		ExternalReference: "Order 7", Metadata: map[string]string{"shop": "Nord", "till": "4"},
		Claimed: map[idv.ClaimName]string{idv.GivenNames: "Jörg-Åke", idv.FamilyName: "Müller"},
	}))
	a.agree(t, idv.Passport)
	a.sendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("anna"))
	rec := d.await(t, a.id, idv.Approved, idv.Declined, idv.InReview)
	if rec.Country != "UTO" {
		t.Errorf("issuing state %q, want UTO", rec.Country)
	}
	d.create(t, session.Spec{Mode: idv.Live, Claimed: map[idv.ClaimName]string{idv.FamilyName: "Eriksson"}})
	search := func(w session.Wanted) []idv.SessionID {
		t.Helper()
		found, _, err := d.Sessions.Search(ctx, session.Filter{Mode: idv.Test, Wanted: w})
		must(t, err)
		ids := []idv.SessionID{}
		for _, v := range found {
			ids = append(ids, v.Session.ID)
		}
		return ids
	}
	cases := map[string]struct {
		w     session.Wanted
		found bool
	}{
		"the name as the document has it":      {session.Wanted{Name: "ERIKSSON ANNA MARIA"}, true},
		"the name as one says it":              {session.Wanted{Name: "Anna Maria Eriksson"}, true},
		"the first given name and the family":  {session.Wanted{Name: "  eriksson,  anna "}, true},
		"the second given name alone":          {session.Wanted{Name: "Maria Eriksson"}, false},
		"the family name alone":                {session.Wanted{Name: "Eriksson"}, false},
		"a name that begins alike":             {session.Wanted{Name: "Anna Maria Erikss"}, false},
		"the stated name with its diacritics":  {session.Wanted{Name: "Müller Jörg Åke"}, true},
		"the stated name transliterated":       {session.Wanted{Name: "Mueller Joerg Aake"}, true},
		"given names of one, family of other":  {session.Wanted{Name: "Anna Maria Müller"}, false},
		"the number":                           {session.Wanted{DocumentNumber: "L898902C3"}, true},
		"the number in groups and small":       {session.Wanted{DocumentNumber: "l898-902 c3"}, true},
		"the number but for a digit":           {session.Wanted{DocumentNumber: "L898902C4"}, false},
		"the name and the number":              {session.Wanted{Name: "Anna Eriksson", DocumentNumber: "L898902C3"}, true},
		"the name and another number":          {session.Wanted{Name: "Anna Eriksson", DocumentNumber: "X"}, false},
		"a number of signs alone":              {session.Wanted{DocumentNumber: "- <<"}, false},
		"the reference":                        {session.Wanted{Reference: "order 7"}, true},
		"a pair of the metadata":               {session.Wanted{MetadataKey: "shop", MetadataValue: "nord"}, true},
		"the value under another key":          {session.Wanted{MetadataKey: "till", MetadataValue: "Nord"}, false},
		"a name in letters that no list knows": {session.Wanted{Name: "王小明"}, false},
	}
	for name, c := range cases {
		want := []idv.SessionID{}
		if c.found {
			want = append(want, a.id)
		}
		if diff := cmp.Diff(want, search(c.w)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if _, _, err := d.Sessions.Search(ctx, session.Filter{Mode: idv.Test}); !problem.Has(err, problem.RequestMalformed) {
		t.Errorf("a search for nothing: %v", err)
	}
	sawAudit(t, d, session.SessionsSearched, "name,document_number")
	_, err := d.Erasures.Erase(ctx, idv.Test, a.id)
	must(t, err)
	for name, c := range cases {
		if found := search(c.w); len(found) != 0 {
			t.Errorf("%s: found after erasing", name)
		}
	}
}

// listFilters narrows by what the list shows.
func listFilters(t *testing.T, d *deployment) {
	ctx := t.Context()
	d.work(t, queue.WorkOptions{})
	d.workflow(t, "strict", func(*idv.WorkflowVersion) {})
	strict := d.create(t, session.Spec{Workflow: "strict"}).Session.ID
	a := d.open(t)
	a.sendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("anna"))
	d.await(t, a.id, idv.Approved)
	for name, c := range map[string]struct {
		f    session.Filter
		want []idv.SessionID
	}{
		"by workflow":         {session.Filter{Workflow: "strict"}, []idv.SessionID{strict}},
		"by another workflow": {session.Filter{Workflow: "nothing"}, nil},
		"by issuing state":    {session.Filter{Countries: []string{"D", "UTO"}}, []idv.SessionID{a.id}},
		"by another state":    {session.Filter{Countries: []string{"D"}}, nil},
		"by kind":             {session.Filter{Kinds: []idv.DocumentKind{idv.Passport}}, []idv.SessionID{a.id}},
		"by another kind":     {session.Filter{Kinds: []idv.DocumentKind{idv.Visa}}, nil},
		"by all that fits together": {session.Filter{Workflow: idv.WorkflowNoLiveness, Countries: []string{"UTO"}, Outcome: idv.DecideApprove},
			[]idv.SessionID{a.id}},
		"by what does not":           {session.Filter{Workflow: "strict", Countries: []string{"UTO"}}, nil},
		"by a quote in a code":       {session.Filter{Countries: []string{"'; DROP TABLE sessions; --"}}, nil},
		"by the id of another mode":  {session.Filter{Mode: idv.Live, Search: string(a.id)}, nil},
		"by an id of the right form": {session.Filter{Search: "ses_06c1q2m3n4p5r6s7t8v9w0x1y2"}, nil},
	} {
		if c.f.Mode == "" {
			c.f.Mode = idv.Test
		}
		c.f.Limit = session.DefaultPage
		got, err := d.store.Sessions(ctx, c.f) // which answers also what the list refuses
		must(t, err)
		var found []idv.SessionID
		for _, rec := range got {
			found = append(found, rec.ID)
		}
		if !slices.Equal(found, c.want) {
			t.Errorf("%s: %v, want %v", name, found, c.want)
		}
	}
	facets, err := d.Sessions.Facets(ctx, idv.Test)
	must(t, err)
	if diff := cmp.Diff([]string{"UTO"}, facets.Countries); diff != "" || !slices.Contains(facets.Workflows, "strict") {
		t.Errorf("facets: %+v", facets)
	}
	if none, err := d.Sessions.Facets(ctx, idv.Live); err != nil || len(none.Countries) != 0 {
		t.Errorf("of live mode: %+v, %v", none, err)
	}
}

// listViews keeps filters under names, each member's apart.
func listViews(t *testing.T, d *deployment) {
	ctx := t.Context()
	const anna, bram = idv.UserID("usr_anna"), idv.UserID("usr_bram")
	filter := session.ViewFilter{States: []idv.SessionState{idv.InReview}, Country: "UTO", From: "2026-11-01"}
	v, err := d.Views.SaveView(ctx, session.SavedView{Owner: anna, Mode: idv.Test, Name: "  Ours ", Filter: filter})
	must(t, err)
	sawAudit(t, d, "view.saved", string(v.ID))
	got, err := d.Views.Views(ctx, anna, idv.Test)
	must(t, err)
	if diff := cmp.Diff([]session.SavedView{{ID: v.ID, Owner: anna, Mode: idv.Test, Name: "Ours", Filter: filter, CreatedAt: v.CreatedAt}}, got); diff != "" {
		t.Errorf("views (-want +got):\n%s", diff)
	}
	for name, of := range map[string]struct {
		who  idv.UserID
		mode idv.Mode
	}{"another member": {bram, idv.Test}, "the other mode": {anna, idv.Live}} {
		if other, err := d.Views.Views(ctx, of.who, of.mode); err != nil || len(other) != 0 {
			t.Errorf("%s: %v, %v", name, other, err)
		}
	}
	if err := d.Views.DeleteView(ctx, bram, v.ID); !problem.Has(err, problem.NotFound) {
		t.Errorf("somebody else deletes: %v", err)
	}
	for name, bad := range map[string]string{"the same name": "ours", "no name": "  ", "too long a name": strings.Repeat("x", review.MaxViewName+1),
		"a control character": "a\x07"} {
		if _, err := d.Views.SaveView(ctx, session.SavedView{Owner: anna, Mode: idv.Test, Name: bad}); !problem.Has(err, problem.RequestMalformed) {
			t.Errorf("%s: %v", name, err)
		}
	}
	must(t, d.Views.DeleteView(ctx, anna, v.ID))
	if err := d.Views.DeleteView(ctx, anna, v.ID); !problem.Has(err, problem.NotFound) {
		t.Errorf("a second time: %v", err)
	}
}

// listMigrated: sessions of before get their workflow and the issuing state of their newest decision.
func listMigrated(t *testing.T, d *deployment) {
	ctx := t.Context()
	d.work(t, queue.WorkOptions{})
	a := d.open(t)
	a.sendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("anna"))
	d.await(t, a.id, idv.Approved)
	for _, q := range slices.Concat(
		beforeSorted, beforeSaidByEach, beforeRejected, beforeRelay, beforeGallery, beforeSeen, beforeScreening, beforeWatchlists, beforeMail,
		beforeReview, beforeWallet,
		beforeChip, beforeAnother, beforeMasters, beforeTrust, beforeCorrections, beforeTabs, beforeChecked, beforeOffers(d), beforeSources,
		beforeHealth, beforeAttempts,
		beforeAssurance, beforeSaid, beforeTraces, beforeSums(d), beforeLogos, beforeUploads, beforeFigures, beforeLists,
	) {
		d.exec(t, q)
	}
	must(t, d.store.Migrate(ctx))
	found, _, err := d.Sessions.List(
		ctx,
		session.Filter{Mode: idv.Test, Workflow: idv.WorkflowNoLiveness, Countries: []string{"UTO"}, From: d.clock.now().Add(-time.Hour)},
	)
	must(t, err)
	if len(found) != 1 || found[0].Session.ID != a.id {
		t.Errorf("found %v", found)
	}
}

// beforeRejected undoes the migration of rows that could not be read.
var beforeRejected = []string{"ALTER TABLE watchlist_versions DROP COLUMN rejected_rows", "DELETE FROM schema_versions WHERE version_id = 52"}

// beforeSorted undoes the migration of other orders.
var beforeSorted = []string{
	"DROP INDEX sessions_listed_by_state", "CREATE INDEX sessions_listed_by_state ON sessions (mode, state, id)",
	"DROP INDEX sessions_listed_by_decision", "DROP INDEX cases_by_reason", "DROP INDEX cases_by_assignee",
	"DELETE FROM schema_versions WHERE version_id = 55",
}

// beforeSaidByEach undoes the migration of what each reviewer said.
var beforeSaidByEach = []string{
	"ALTER TABLE seen_decisions DROP COLUMN said", "CREATE INDEX seen_decisions_by_mode ON seen_decisions (mode)",
	"ALTER TABLE screening_hits DROP COLUMN said", "DELETE FROM schema_versions WHERE version_id = 53",
}

// beforeLists undoes the migration of lists.
var beforeLists = []string{
	"DROP TABLE saved_views", "DROP INDEX sessions_listed", "DROP INDEX sessions_listed_by_state", "DROP INDEX sessions_listed_by_country",
	"ALTER TABLE sessions DROP COLUMN workflow_id", "ALTER TABLE sessions DROP COLUMN country",
	"CREATE INDEX sessions_by_mode ON sessions (mode, id)", "DELETE FROM schema_versions WHERE version_id = 13",
}
