package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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
	"github.com/bonafide-id/bonafide/internal/store/database"
	"github.com/bonafide-id/bonafide/internal/store/erasing"
	"github.com/bonafide-id/bonafide/internal/store/queue"
	"github.com/bonafide-id/bonafide/internal/store/sessions"
	"github.com/bonafide-id/bonafide/internal/vault"
)

// secretive is a decided session full of words that can be searched for.
func (d *deployment) secretive(t *testing.T) (*person, [][]byte) {
	t.Helper()
	c := d.create(t, session.Spec{
		ExternalReference: "secretreference", Metadata: map[string]string{"note": "secretmetadata"},
		Claimed: map[idv.ClaimName]string{idv.Address: "secretstreet 5"}, ReturnURL: "https://secretreturn.example",
	})
	a := d.onlyOpen(t, c)
	a.agree(t, idv.Passport)
	p := idvtest.Passport("secretface")
	p.Family, p.Given, p.Number, p.Birth = "SECRETFAMILY", "SECRETGIVEN", "SECRETNUM1", "1974-08-12"
	a.sendBoth(t, p, idvtest.Selfie("secretface"))
	d.await(t, a.id, idv.Approved)
	secrets := [][]byte{
		[]byte("secretreference"), []byte("secretmetadata"), []byte("secretstreet"), []byte("secretreturn"), []byte("SECRETFAMILY"),
		[]byte("SECRETGIVEN"), []byte("SECRETNUM1"), []byte("1974-08-12"), []byte("secretface"), []byte("scene:"), []byte(c.Link), []byte(a.token),
		[]byte(linkHash(c.Link)), []byte(linkHash(a.token)),
	}
	captures, err := d.store.Captures(t.Context(), a.id)
	must(t, err)
	for _, c := range captures { // an unkeyed digest of a picture
		secrets = append(secrets, []byte(c.SHA256))
	}
	report, _, err := d.Sessions.Report(t.Context(), "", a.id)
	must(t, err)
	secrets = append(secrets, []byte(report.Digest))
	for _, kind := range []string{sessions.BlindReference, sessions.BlindNumber} {
		value := map[string]string{sessions.BlindReference: "secretreference", sessions.BlindNumber: "SECRETNUM1"}[kind]
		digest, err := d.store.Blind(t.Context(), kind, value)
		must(t, err)
		secrets = append(secrets, []byte(digest))
	}
	return a, append(secrets, d.wrapped(t, a.id)...)
}

// wrapped reads the wrapped keys of a session: the parts, and the pieces that the search itself looks for.
func (d *deployment) wrapped(t *testing.T, id idv.SessionID) [][]byte {
	t.Helper()
	var rows []database.KeysetRow
	must(t, d.store.Read.NewSelect().Model(&rows).Where("owner = ?", string(id)).Scan(t.Context()))
	var out [][]byte
	for _, row := range rows {
		var parts map[string]string
		must(t, json.Unmarshal(row.Wrapped, &parts))
		for _, p := range parts {
			out = append(out, []byte(p[:30]), []byte(p[len(p)/2:len(p)/2+16]), []byte(p[len(p)-30:]))
		}
	}
	if len(out) != 12 {
		t.Fatalf("%d pieces of wrapped keys", len(out))
	}
	return out
}

// everywhere calls f with whatever a deployment has written: the database's files, or all tables of PostgreSQL as text, and
// the blobs.
func (d *deployment) everywhere(t *testing.T, f func(place string, raw []byte)) {
	t.Helper()
	dirs := []string{d.blobs}
	if d.cluster == nil {
		dirs = append(dirs, filepath.Dir(d.url[len("sqlite:"):]))
	} else {
		for _, table := range d.tables(t) {
			var rows []string
			q := fmt.Sprintf("SELECT row_to_json(x)::text || ' ' || coalesce((SELECT string_agg(encode(decode(substr(value, 3), 'hex'), 'escape'), ' ') FROM json_each_text(row_to_json(x)) WHERE value LIKE '\\\\x%%'), '') FROM %s AS x", table)
			must(t, d.store.Read.NewRaw(q).Scan(t.Context(), &rows))
			f("table "+table, []byte(strings.Join(rows, "\n")))
		}
	}
	for _, dir := range dirs {
		must(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() {
				return nil //nolint:nilerr // files of a running server come and go
			}
			raw, err := os.ReadFile(path)
			if err == nil {
				f(path, raw)
			}
			return nil
		}))
	}
}

// find answers where each of the words lies.
func (d *deployment) find(t *testing.T, words [][]byte) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	d.everywhere(t, func(place string, raw []byte) {
		for _, w := range words {
			if bytes.Contains(raw, w) {
				out[string(w)] = append(out[string(w)], place)
			}
		}
	})
	return out
}

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
	if found := d.find(t, keys); len(found) != len(keys) {
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
	for word, places := range d.find(t, secrets) {
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
	if open, err := d.store.Read.NewSelect().TableExpr("cases").Where("session_id = ? AND closed_at IS NULL", string(waiting.id)).Count(ctx); err != nil || open > 0 {
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
	for _, table := range d.tables(t) {
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
		if diff := cmp.Diff(d.columns(t, table), said); diff != "" {
			t.Errorf("columns of %s (-schema +fates):\n%s", table, diff)
		}
	}
}

func (d *deployment) tables(t *testing.T) []string {
	t.Helper()
	q := "SELECT name FROM sqlite_master WHERE type = 'table'"
	if d.cluster != nil {
		q = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'"
	}
	return d.texts(t, q)
}

func (d *deployment) columns(t *testing.T, table string) []string {
	t.Helper()
	q := "SELECT name FROM pragma_table_info('" + table + "')"
	if d.cluster != nil {
		q = "SELECT column_name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = '" + table + "'"
	}
	return d.texts(t, q)
}

func (d *deployment) texts(t *testing.T, q string) []string {
	t.Helper()
	var out []string
	must(t, d.store.Read.NewRaw(q).Scan(t.Context(), &out))
	slices.Sort(out)
	return out
}

func (d *deployment) blobNames(t *testing.T, prefix string) []string {
	t.Helper()
	var names []string
	must(t, filepath.WalkDir(filepath.Join(d.blobs, prefix), func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			names = append(names, path)
		}
		return nil
	}))
	return names
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func third[A, B any](_ A, _ B, err error) error { return err }

func linkHash(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// openClosed is a bucket that answers nothing any more.
func openClosed(t *testing.T, dir string) (*vault.Blobs, error) {
	t.Helper()
	b, err := vault.OpenBlobs(t.Context(), "file://"+dir)
	if err != nil {
		return nil, err
	}
	return b, b.Close()
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
