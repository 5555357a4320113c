package store

import (
	"encoding/json"
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
	"github.com/bonafide-id/bonafide/internal/session/retention"
	"github.com/bonafide-id/bonafide/internal/session/review"
	"github.com/bonafide-id/bonafide/internal/store/erasing"
	"github.com/bonafide-id/bonafide/internal/store/queue"
	"github.com/bonafide-id/bonafide/internal/store/sessions"
)

func eraseEverything(t *testing.T, d *deployment) {
	ctx := audit.WithActor(t.Context(), audit.Actor{Kind: audit.User, ID: "usr_x", Address: "203.0.113.77"})
	stop := d.work(t, queue.WorkOptions{})
	for range 8 { // neighbours, between whose rows the erased ones lie
		d.create(t, session.Spec{ExternalReference: "neighbour", Claimed: map[idv.ClaimName]string{idv.Address: strings.Repeat("x", 300)}})
	}
	a, secrets := d.secretive(t)
	for range 8 {
		d.create(t, session.Spec{ExternalReference: "neighbour"})
	}
	keys := secrets[len(secrets)-12:]
	if found := findWords(t, d, keys); len(found) != len(keys) {
		t.Fatalf("of %d pieces of wrapped keys only %d are found while they are there", len(keys), len(found))
	}
	captures, err := d.store.Captures(ctx, a.id)
	must(t, err)
	_, before, err := d.Sessions.Report(ctx, "", a.id)
	must(t, err)
	stop()

	got, err := d.Erasures.Erase(ctx, idv.Test, a.id)
	must(t, err)
	if got.FinishedAt.IsZero() || got.Scope != session.ScopeAll {
		t.Fatalf("receipt %+v", got)
	}
	for word, places := range findWords(t, d, secrets) {
		t.Errorf("%q is still in %v", word, places)
	}
	if names := d.blobNames(t, string(a.id)); len(names) > 0 {
		t.Errorf("blobs %v are still there", names)
	}
	checkReceipt(t, d, got, a.id)
	again, err := d.Erasures.Erase(ctx, idv.Test, a.id)
	must(t, err)
	if diff := cmp.Diff(got.Statement, again.Statement); diff != "" {
		t.Errorf("erasing twice is not erasing once:\n%s", diff)
	}

	for what, err := range map[string]error{
		"report":   third(d.Sessions.Report(ctx, "", a.id)),
		"captures": third(d.Sessions.Captures(ctx, "", a.id)),
		"checks":   second(d.Sessions.Checks(ctx, "", a.id)),
		"picture":  second(d.Pictures.Evidence(ctx, "", a.id, captures[0].ID, review.WholeCapture)),
		"hold":     second(d.Holds.SetHold(ctx, "", a.id, "too late")),
	} {
		if !problem.Has(err, problem.SessionErased) {
			t.Errorf("%s of an erased session: %v, want session.erased", what, err)
		}
	}
	if _, err := d.Handoffs.Applicant(ctx, a.token); !problem.Has(err, problem.AuthInvalid) {
		t.Errorf("the applicant's token: %v", err)
	}
	if _, err := d.Applicant.Peek(ctx, a.link); !problem.Has(err, problem.NotFound) {
		t.Errorf("the link: %v", err)
	}
	whatStays(t, d, a.id, before)
}

// checkReceipt verifies a receipt as whoever gets it can.
func checkReceipt(t *testing.T, d *deployment, r retention.Receipt, id idv.SessionID) {
	t.Helper()
	var s session.Statement
	must(t, json.Unmarshal([]byte(r.Statement), &s))
	if s.Session != id || s.By != "user:usr_x" || s.Ground != session.OnRequest || !slices.Equal(s.Keysets, []string{"pictures", "facts"}) || len(s.Items) != 3 {
		t.Errorf("statement %s", r.Statement)
	}
	for _, want := range []session.Removed{{What: "captures", Count: 2}, {What: "reports", Count: 1}, {What: "blobs", Count: 4}} {
		if !slices.Contains(s.Removed, want) {
			t.Errorf("removed %v, want %v among them", s.Removed, want)
		}
	}
	if r.Entry.Subject != session.StatementDigest(r.Statement) {
		t.Errorf("the audit entry names %s", r.Entry.Subject)
	}
	if r.Proof == nil {
		t.Fatal("the receipt has no proof")
	}
	must(t, r.Proof.Check())
	forged := *r.Proof
	forged.Entry.Subject = session.StatementDigest("another statement")
	if err := forged.Check(); err == nil {
		t.Error("a proof of another statement is accepted")
	}
	if v, err := d.store.VerifyAudit(t.Context()); err != nil || v.Size == 0 {
		t.Errorf("the log after erasing: %+v, %v", v, err)
	}
}

// whatStays: the record of a decision, without a person.
func whatStays(t *testing.T, d *deployment, id idv.SessionID, before []idv.Decision) {
	t.Helper()
	ctx := t.Context()
	v, err := d.Sessions.Get(ctx, "", id)
	must(t, err)
	if s := v.Session; s.State != idv.Approved || s.ErasedAt.IsZero() || s.ExternalReference != "" || len(s.Claimed)+len(s.Metadata) > 0 || s.DecidedAt.IsZero() {
		t.Errorf("session %+v", s)
	}
	decisions, err := d.store.Decisions(ctx, id)
	must(t, err)
	want := slices.Clone(before)
	want[0].Digest = ""
	if diff := cmp.Diff(want, decisions); diff != "" {
		t.Errorf("decisions (-want +got):\n%s", diff)
	}
	var facts []sessions.FactsRow
	must(t, d.store.Read.NewSelect().Model(&facts).Where("decision_id = ?", string(decisions[0].ID)).Scan(ctx))
	if len(facts) != 1 || facts[0].AgeBand == "" || facts[0].Outcome != string(idv.DecideApprove) {
		t.Errorf("policy facts %+v", facts)
	}
	wantEvents(t, d, id, session.EventCreated, session.EventApproved, session.EventErased)
	found, _, err := d.Sessions.List(ctx, session.Filter{Search: "secretreference"})
	if err != nil || len(found) > 0 {
		t.Errorf("found by what was erased: %v, %v", found, err)
	}
}

func eraseUnfinished(t *testing.T, d *deployment) {
	ctx := t.Context()
	a := d.open(t)
	a.send(t, idv.StepDocumentFront, idvtest.Passport("anna"))
	if _, err := d.Erasures.Erase(ctx, idv.Live, a.id); !problem.Has(err, problem.NotFound) {
		t.Fatalf("in the other mode: %v", err)
	}
	if _, err := d.Erasures.Receipt(ctx, "", a.id); !problem.Has(err, problem.NotFound) {
		t.Fatalf("a receipt of nothing: %v", err)
	}
	_, err := d.Erasures.Erase(ctx, idv.Test, a.id)
	must(t, err)
	if s := d.await(t, a.id, idv.Cancelled); s.ErasedAt.IsZero() {
		t.Errorf("erased session %+v", s)
	}
	wantEvents(t, d, a.id, session.EventCaptured, session.EventCancelled, session.EventErased)
	stop := d.work(t, queue.WorkOptions{}) // what was waiting finds nothing and harms nothing
	if _, err := a.try(t, idv.StepSelfie, idvtest.Selfie("anna")); !problem.Has(err, problem.SessionFinished) {
		t.Errorf("sending to an erased session: %v", err)
	}
	waiting := d.open(t)
	waiting.sendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("unsure"))
	d.await(t, waiting.id, idv.InReview)
	stop()
	_, err = d.Erasures.Erase(ctx, idv.Test, waiting.id)
	must(t, err)
	if open, err := d.store.Read.NewSelect().TableExpr("cases").Where("session_id = ? AND closed_at IS NULL", string(waiting.id)).Count(ctx); err != nil ||
		open > 0 {
		t.Errorf("a person is still asked to decide an erased session: %d cases, %v", open, err)
	}
}

// eraseInterrupted: the server dies after the keys are gone and before anything else is done.
func eraseInterrupted(t *testing.T, d *deployment) {
	ctx := t.Context()
	stop := d.work(t, queue.WorkOptions{})
	var erased []idv.SessionID
	blobs := d.store.Blobs
	for i := range 2 {
		a, _ := d.secretive(t)
		erased = append(erased, a.id)
		if i == 1 {
			stop()
		}
	}
	broken, err := openClosed(t, d.blobs)
	must(t, err)
	d.store.Blobs = broken
	for _, id := range erased {
		r, err := d.Erasures.Erase(ctx, idv.Test, id)
		must(t, err)
		if !r.FinishedAt.IsZero() {
			t.Fatal("it counts as finished without its blobs")
		}
		if err := third(d.Sessions.Report(ctx, "", id)); !problem.Has(err, problem.SessionErased) {
			t.Errorf("the keys are not gone: %v", err)
		}
	}
	if len(d.blobNames(t, string(erased[0]))) == 0 {
		t.Fatal("there is nothing left to do")
	}
	d.store.Blobs = blobs
	must(t, d.Erasures.FinishErasing(ctx, erased[0])) // the job
	must(t, d.Sweep(ctx))
	if r, err := d.Erasures.Receipt(ctx, "", erased[1]); err != nil || !r.FinishedAt.IsZero() {
		t.Errorf("the sweeper does not wait for the job: %v", err)
	}
	d.clock.advance(3 * time.Minute)
	must(t, d.Sweep(ctx))
	for _, id := range erased {
		if r, err := d.Erasures.Receipt(ctx, "", id); err != nil || r.FinishedAt.IsZero() || len(d.blobNames(t, string(id))) > 0 {
			t.Errorf("%s is not finished: %v", id, err)
		}
	}
}

// eraseRaces: erasing while everything is under way leaves nothing behind, and erasing twice at once is once.
func eraseRaces(t *testing.T, d *deployment) {
	ctx := t.Context()
	d.work(t, queue.WorkOptions{Workers: 4})
	var all []*person
	for range 6 {
		a := d.open(t)
		a.sendBoth(t, idvtest.Passport("secretface"), idvtest.Selfie("secretface"))
		all = append(all, a)
	}
	for _, err := range together(12, func(i int) error { _, err := d.Erasures.Erase(ctx, idv.Test, all[i%6].id); return err }) {
		must(t, err)
	}
	for _, a := range all {
		n := 0
		events, err := d.Sessions.Timeline(ctx, "", a.id)
		must(t, err)
		for _, e := range events {
			if e.Type == session.EventErased {
				n++
			}
		}
		if n != 1 {
			t.Errorf("erased %d times", n)
		}
		for _, table := range []string{"captures", "artifacts", "claims", "checks", "reports", "attempts", "blind_indexes"} {
			rows, err := d.store.Read.NewSelect().TableExpr(table).Where("session_id = ?", string(a.id)).Count(ctx)
			if err != nil || rows != 0 {
				t.Errorf("%d rows of %s, %v", rows, table, err)
			}
		}
	}
}

// eraseCovers: every column of the schema has its fate in the table.
func eraseCovers(t *testing.T, d *deployment) {
	fates := map[string]erasing.Fate{}
	for _, f := range erasing.Fates() {
		if f.Holds == "" || f.All == "" || f.Ground == "" || (f.Table == "") == (f.Place == "") {
			t.Errorf("a row says too little: %+v", f)
		}
		fates[f.Table] = f
	}
	for _, table := range tablesOf(t, d) {
		f, personal := fates[table]
		_, other := erasing.Untouched()[table]
		if strings.HasPrefix(table, "river_") && table != "river_job" || strings.HasPrefix(table, "sqlite_") {
			continue
		}
		if personal == other {
			t.Errorf("table %s: say once in erasing/fates.go what erasing does with it", table)
			continue
		}
		if !personal || f.Removes() || table == "artifacts" || table == "river_job" {
			continue
		}
		var said []string
		said = append(said, f.Keeps...)
		for c := range f.Sets {
			said = append(said, c)
		}
		slices.Sort(said)
		if diff := cmp.Diff(columnsOf(t, d, table), said); diff != "" {
			t.Errorf("columns of %s (-schema +fates):\n%s", table, diff)
		}
	}
}

// beforeErasing undoes the migration that made erasing.
var beforeErasing = []string{
	"DROP TABLE erasures", "DROP TABLE legal_holds", "DROP TABLE settings", "DROP INDEX sessions_by_age", "DROP INDEX sessions_with_pictures",
	"ALTER TABLE sessions DROP COLUMN pictures_erased_at", "ALTER TABLE sessions DROP COLUMN held_at",
	"DROP INDEX idempotency_keys_by_session", "ALTER TABLE idempotency_keys DROP COLUMN session_id",
}

// beforeTeam undoes the migration that made the team.
var beforeTeam = []string{
	"DROP TABLE invitations", "ALTER TABLE users DROP COLUMN factor", "ALTER TABLE users DROP COLUMN sessions_from", "DELETE FROM locks WHERE name = 'team'",
}

// beforeWebhooks undoes the migration that made webhooks.
var beforeWebhooks = []string{
	"DROP TABLE webhook_tries", "DROP TABLE webhook_deliveries", "DROP TABLE webhook_endpoints", "ALTER TABLE api_keys DROP COLUMN created_by",
	"DROP INDEX events_by_position", "DROP INDEX events_by_mode", "DROP INDEX events_without_position", "ALTER TABLE events DROP COLUMN mode",
	"ALTER TABLE events DROP COLUMN position", "DELETE FROM locks WHERE name = 'events'",
}
