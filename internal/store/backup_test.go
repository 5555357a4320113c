package store

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/archive"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/checker"
	"github.com/bonafide-id/bonafide/internal/flow"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/review"
	"github.com/bonafide-id/bonafide/internal/session/services"
	"github.com/bonafide-id/bonafide/internal/store/backup"
	"github.com/bonafide-id/bonafide/internal/store/queue"
	"github.com/bonafide-id/bonafide/internal/vault"
)

// saved is a backup in memory.
type saved struct{ data, keys []byte }

func (s saved) archives() backup.Archives {
	open := func(raw []byte) func() (io.ReadCloser, error) {
		return func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(raw)), nil }
	}
	return backup.Archives{Data: open(s.data), Keys: open(s.keys)}
}

func silent(string, int64, int64) {}

func (d *deployment) save(t *testing.T) saved {
	t.Helper()
	var data, keys bytes.Buffer
	n, err := d.store.Snapshot(t.Context(), false)
	must(t, err)
	_, err = n.WriteKeys(t.Context(), &keys, silent)
	must(t, err)
	_, err = n.WriteData(t.Context(), &data, silent)
	must(t, err)
	must(t, n.Close())
	return saved{data.Bytes(), keys.Bytes()}
}

func (d *deployment) saveKeys(t *testing.T) []byte {
	t.Helper()
	var keys bytes.Buffer
	n, err := d.store.Snapshot(t.Context(), true)
	must(t, err)
	_, err = n.WriteKeys(t.Context(), &keys, silent)
	must(t, err)
	must(t, n.Close())
	return keys.Bytes()
}

// backupOnS3: blobs are read from a bucket and written into one.
func backupOnS3(t *testing.T, d *deployment, bucket string) {
	a, _ := d.secretive(t)
	captures, err := d.store.Captures(t.Context(), a.id)
	must(t, err)
	want, err := d.Pictures.Evidence(t.Context(), "", a.id, captures[0].ID, review.WholeCapture)
	must(t, err)
	twin := d.besideAt(t, "sqlite:"+filepath.Join(t.TempDir(), "data", "bonafide.db"), bucket+"&prefix=restored/", filepath.Join(d.blobs, "restored"))
	r, err := twin.store.Restore(t.Context(), d.save(t).archives(), silent)
	must(t, err)
	got, err := twin.Pictures.Evidence(t.Context(), "", a.id, captures[0].ID, review.WholeCapture)
	must(t, err)
	if diff := cmp.Diff(want, got); diff != "" || r.DataHolds.Blobs == 0 || len(twin.blobNames(t, string(a.id))) != 4 {
		t.Errorf("%d blobs of all, of the session %q, want 4; picture (-backed up +restored):\n%s", r.DataHolds.Blobs, twin.blobNames(t, string(a.id)), diff)
	}
}

// beside is a new, empty deployment under the same master key, on the same engine.
func (d *deployment) beside(t *testing.T) *deployment {
	t.Helper()
	if d.cluster != nil {
		return d.besideOn(t, d.cluster.Database(t))
	}
	return d.besideOn(t, "sqlite:"+filepath.Join(t.TempDir(), "data", "bonafide.db"))
}

func (d *deployment) besideOn(t *testing.T, url string) *deployment {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "blobs")
	return d.besideAt(t, url, bucketAt(dir), dir)
}

func (d *deployment) besideAt(t *testing.T, url, bucket, dir string) *deployment {
	t.Helper()
	blobs, err := vault.OpenBlobs(t.Context(), bucket)
	must(t, err)
	out := *d
	out.url, out.blobs = url, dir
	if strings.HasPrefix(url, "sqlite:") {
		out.cluster = nil
	}
	out.store, err = Open(t.Context(), url, Options{Master: d.master, Blobs: blobs, Now: d.clock.now, Log: quiet()})
	must(t, err)
	t.Cleanup(func() {
		if err := errors.Join(out.store.Close(), blobs.Close()); err != nil {
			t.Error(err)
		}
	})
	if out.lab == nil {
		out.lab = &idvtest.Lab{}
	}
	engine, err := flow.New(out.lab.Gates(), out.lab.Extractors(), append(out.lab.Checkers(), checker.OfSeen(idvtest.Faces{})...), flow.Options{})
	must(t, err)
	out.Services = services.New(out.store, out.store.Pictures(), engine, services.Options{Now: d.clock.now, Log: quiet()})
	return &out
}

// restoreBeside is a deployment into which the backup was read.
func restoreBeside(t *testing.T, d *deployment, s saved) (*deployment, backup.Restored) {
	t.Helper()
	out := d.beside(t)
	r, err := out.store.Restore(t.Context(), s.archives(), silent)
	must(t, err)
	return out, r
}

// backupWhole: what was backed up while the server works is there again, and goes on.
func backupWhole(t *testing.T, d *deployment) {
	ctx := t.Context()
	stop := d.work(t, queue.WorkOptions{})
	a, _ := d.secretive(t)
	waiting := d.open(t)
	waiting.sendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("unsure"))
	d.await(t, waiting.id, idv.InReview)
	under := d.open(t)
	under.send(t, idv.StepDocumentFront, idvtest.Passport("berta"))
	d.awaitThat(t, under.id, func() bool { // else the twin would look at it only when a sweep asks for it
		captures, err := d.store.Captures(ctx, under.id)
		return err == nil && len(captures) == 1 && captures[0].Extracted
	})
	newTeam(t, d)
	s := d.save(t)
	later := d.create(t, session.Spec{ExternalReference: "after the backup"})
	stop()
	report, decisions, err := d.Sessions.Report(ctx, "", a.id)
	must(t, err)
	captures, err := d.store.Captures(ctx, a.id)
	must(t, err)
	picture, err := d.Pictures.Evidence(ctx, "", a.id, captures[0].ID, review.WholeCapture)
	must(t, err)

	twin, r := restoreBeside(t, d, s)
	if r.Sessions != 3 || len(r.Struck) != 0 || r.DataHolds.Missing != 0 || r.Log.Size == 0 {
		t.Errorf("restored %d sessions, %v erased, %+v, log of %d", r.Sessions, r.Struck, r.DataHolds, r.Log.Size)
	}
	gotReport, gotDecisions, err := twin.Sessions.Report(ctx, "", a.id)
	must(t, err)
	if diff := cmp.Diff(report, gotReport) + cmp.Diff(decisions, gotDecisions); diff != "" {
		t.Errorf("report and decisions (-backed up +restored):\n%s", diff)
	}
	got, err := twin.Pictures.Evidence(ctx, "", a.id, captures[0].ID, review.WholeCapture)
	must(t, err)
	if diff := cmp.Diff(picture, got); diff != "" {
		t.Errorf("picture (-backed up +restored):\n%s", diff)
	}
	if _, err := twin.Sessions.Get(ctx, "", later.Session.ID); !problem.Has(err, problem.NotFound) {
		t.Errorf("a session of after the backup: %v", err)
	}
	sameRows(t, d, twin, a.id, waiting.id)
	twin.work(t, queue.WorkOptions{}) // jobs are made anew
	on := *under
	on.d = twin
	on.send(t, idv.StepSelfie, idvtest.Selfie("berta"))
	twin.await(t, under.id, idv.Approved)
	if unfinished, err := twin.store.Restoring(ctx); err != nil || unfinished {
		t.Errorf("the restore counts as under way: %v, %v", unfinished, err)
	}
	if _, err := twin.store.Restore(ctx, s.archives(), silent); !errors.Is(err, backup.ErrNotEmpty) {
		t.Errorf("a restore into what is not empty: %v", err)
	}
}

// sameRows compares, table by table, how many rows there are of sessions.
func sameRows(t *testing.T, d, twin *deployment, ids ...idv.SessionID) {
	t.Helper()
	count := func(d *deployment, table string) int64 {
		n, err := d.store.Read.NewSelect().TableExpr(table).Where("session_id IN (?)", bun.List(ids)).Count(t.Context())
		must(t, err)
		return n
	}
	for _, table := range []string{"session_reasons", "blind_indexes", "attempts", "captures", "artifacts", "claims", "checks", "reports", "decisions",
		"cases", "consents", "events"} {
		if want, got := count(d, table), count(twin, table); got != want || want == 0 {
			t.Errorf("%s: %d rows, want %d", table, got, want)
		}
	}
}

// backupErased: who was erased after the backup stays erased when the keys are newer, and without newer keys is back.
func backupErased(t *testing.T, d *deployment) {
	ctx := audit.WithActor(t.Context(), audit.Actor{Kind: audit.User, ID: "usr_x", Address: "203.0.113.77"})
	stop := d.work(t, queue.WorkOptions{})
	a, secrets := d.secretive(t)
	b, _ := d.secretive(t)
	under := d.open(t)
	under.send(t, idv.StepDocumentFront, idvtest.Passport("secretface"))
	stop()
	old := d.save(t)
	want, err := d.Erasures.Erase(ctx, idv.Test, a.id)
	must(t, err)
	_, err = d.Erasures.Erase(ctx, idv.Test, under.id)
	must(t, err)
	_, err = d.erasePictures(ctx, b.id)
	must(t, err)
	d.create(t, session.Spec{ExternalReference: "after the backup"})
	newer := saved{old.data, d.saveKeys(t)}

	twin, r := restoreBeside(t, d, newer)
	if len(r.Struck) != 3 || !slices.Contains(r.Struck, a.id) || r.Sessions != 3 {
		t.Fatalf("erased again: %v of %d", r.Struck, r.Sessions)
	}
	own := secrets[len(secrets)-12:] // b has the same facts, so that only the keys tell a from it
	for word, places := range findWords(t, twin, append(own, []byte(linkHash(a.link)), []byte(linkHash(a.token)))) {
		t.Errorf("%q is in %v", word, places)
	}
	for _, id := range []idv.SessionID{a.id, b.id, under.id} {
		if names := twin.blobNames(t, string(id)); len(names) > 0 {
			t.Errorf("blobs %v of an erased session came back", names)
		}
	}
	got, err := twin.Erasures.Receipt(ctx, "", a.id)
	must(t, err)
	if got.Statement != want.Statement || got.FinishedAt.IsZero() {
		t.Errorf("receipt %+v, want the statement of then", got)
	}
	checkReceipt(t, twin, got, a.id)
	if v, err := twin.Sessions.Get(ctx, "", under.id); err != nil || v.Session.State != idv.Cancelled || v.Session.ErasedAt.IsZero() {
		t.Errorf("the unfinished one: %+v, %v", v.Session, err)
	}
	if v, err := twin.Sessions.Get(ctx, "", b.id); err != nil || !v.Session.ErasedAt.IsZero() || v.Session.PicturesErasedAt.IsZero() ||
		v.Session.ExternalReference == "" {
		t.Errorf("the one whose pictures were erased: %+v, %v", v.Session, err)
	}

	back, r := restoreBeside(t, d, old)
	if len(r.Struck) != 0 {
		t.Errorf("erased again without newer keys: %v", r.Struck)
	}
	if v, err := back.Sessions.Get(ctx, "", a.id); err != nil || v.Session.ExternalReference != "secretreference" {
		t.Errorf("with the keys of then: %+v, %v", v.Session, err)
	}
	if _, err := d.beside(t).store.CheckArchives(ctx, saved{d.save(t).data, old.keys}.archives()); !errors.Is(err, backup.ErrOlderKeys) {
		t.Errorf("keys older than the data: %v", err)
	}
}

// backupFaces: of the sessions that come back, those are told of whose pictures of a face may have lost their consent since.
func backupFaces(t *testing.T, d *deployment) {
	stop := d.work(t, queue.WorkOptions{})
	d.optional(t, nil).agree(t, idv.Passport) // no picture yet
	over := d.open(t)
	over.sendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("anna"))
	d.await(t, over.id, idv.Approved)
	a := d.optional(t, nil)
	a.agree(t, idv.Passport)
	a.sendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("unsure"))
	d.await(t, a.id, idv.InReview)
	stop()
	if _, r := restoreBeside(t, d, d.save(t)); r.Faces != 1 || r.Sessions != 3 {
		t.Errorf("%d faces of %d sessions", r.Faces, r.Sessions)
	}
}

// erasePictures erases as the retention does.
func (d *deployment) erasePictures(ctx context.Context, id idv.SessionID) (session.Struck, error) {
	var out session.Struck
	err := d.store.InTx(ctx, func(ctx context.Context, tx session.Tx) error {
		var err error
		if out, err = tx.Strike(ctx, id, session.ScopePictures, d.clock.now()); err != nil {
			return err
		}
		return tx.AddErasure(ctx, session.Erasure{Session: id, Scope: session.ScopePictures, Statement: `{"ground":"retention"}`, ErasedAt: d.clock.now()})
	})
	return out, errors.Join(err, d.store.Clean(ctx, []idv.SessionID{id}))
}

// backupRefused: what is not whole, not ours or does not fit is refused, and nothing was written.
func backupRefused(t *testing.T, d *deployment) {
	ctx := t.Context()
	d.create(t, session.Spec{ExternalReference: "one"})
	s := d.save(t)
	last := func(b []byte) []byte { b = bytes.Clone(b); b[len(b)-3] ^= 1; return b }
	middle := func(b []byte) []byte { b = bytes.Clone(b); b[len(b)/2] ^= 1; return b }
	other := another(t)
	twin := d.beside(t)
	for name, c := range map[string]struct {
		s    saved
		want error
	}{
		"data cut short":               {saved{s.data[:len(s.data)-70], s.keys}, archive.ErrBroken},
		"keys cut short":               {saved{s.data, s.keys[:len(s.keys)-1]}, archive.ErrBroken},
		"a changed seal":               {saved{last(s.data), s.keys}, archive.ErrBroken},
		"a changed byte":               {saved{middle(s.data), s.keys}, nil},
		"changed keys":                 {saved{s.data, middle(s.keys)}, nil},
		"something after the end":      {saved{append(bytes.Clone(s.data), 0), s.keys}, archive.ErrBroken},
		"the two swapped":              {saved{s.keys, s.data}, backup.ErrKindsSwapped},
		"nothing of ours":              {saved{[]byte("PK\x03\x04 something else"), s.keys}, archive.ErrNotArchive},
		"nothing":                      {saved{nil, s.keys}, archive.ErrNotArchive},
		"of another deployment":        {other.save(t), vault.ErrWrongMaster},
		"keys of another deployment":   {saved{s.data, other.save(t).keys}, vault.ErrWrongMaster},
		"a schema of tomorrow":         {sealedAnew(t, d, func(h *archive.Head) { h.Schema = 9999 }), backup.ErrNewerBackup},
		"a table that no backup has":   {sealedAnew(t, d, nil, archive.Table{Name: "river_job", Columns: []string{"id"}}), archive.ErrBroken},
		"a column that no table has":   {sealedAnew(t, d, nil, archive.Table{Name: "sessions", Columns: []string{"id", "x"}}), archive.ErrBroken},
		"a table that migrations fill": {sealedAnew(t, d, nil, archive.Table{Name: "locks", Columns: []string{"name"}}), archive.ErrBroken},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := twin.store.Restore(ctx, c.s.archives(), silent)
			if err == nil || (c.want != nil && !errors.Is(err, c.want)) {
				t.Fatalf("got %v, want %v", err, c.want)
			}
			if err := twin.store.Empty(ctx); err != nil {
				t.Errorf("something was written: %v", err)
			}
		})
	}
	if r, err := twin.store.Restore(ctx, s.archives(), silent); err != nil || r.Sessions != 1 {
		t.Errorf("the right one afterwards: %+v, %v", r, err)
	}
	half := d.beside(t)
	l := half.store.Loader(silent)
	newest, err := half.store.NewestMigration()
	must(t, errors.Join(err, l.Run(ctx, newest, s.archives())))
	if under, err := half.store.Restoring(ctx); err != nil || !under {
		t.Errorf("a restore that did not come to its end is not told: %v", err)
	}
	full := d.beside(t)
	must(t, full.store.Blobs.WriteSealed(ctx, "ses_x/y", strings.NewReader("there")))
	if _, err := full.store.Restore(ctx, s.archives(), silent); !errors.Is(err, backup.ErrBlobsThere) {
		t.Errorf("blobs of another: %v", err)
	}
}

// sealedAnew makes a backup with a seal that is right and a content that is not.
func sealedAnew(t *testing.T, d *deployment, change func(*archive.Head), tables ...archive.Table) saved {
	t.Helper()
	n, err := d.store.Snapshot(t.Context(), false)
	must(t, err)
	if change != nil {
		change(&n.Head)
	}
	var data, keys bytes.Buffer
	_, err = n.WriteKeys(t.Context(), &keys, silent)
	must(t, err)
	head := n.Head
	head.Kind = archive.Data
	w, err := archive.NewWriter(&data, head, n.Mac)
	must(t, err)
	for _, table := range tables {
		must(t, w.Table(table))
		must(t, w.Row(make(archive.Row, len(table.Columns))))
	}
	_, err = w.Close()
	must(t, errors.Join(err, n.Close()))
	return saved{data.Bytes(), keys.Bytes()}
}

// backupCovers: every table is in a backup, or it is said why not.
func backupCovers(t *testing.T, d *deployment) {
	for _, table := range tablesOf(t, d) {
		in := slices.Contains(backup.DataTables, table) || slices.Contains(backup.KeyTables, table)
		if in == backup.LeavesOut(table) {
			t.Errorf("table %s: say once in backup/tables.go whether a backup holds it", table)
		}
	}
}

// backupAcross: a backup of SQLite is restored on PostgreSQL, and the other way round.
func backupAcross(t *testing.T, d *deployment) {
	if d.cluster == nil {
		t.Skip("the suite of PostgreSQL does both ways")
	}
	ctx := t.Context()
	stop := d.work(t, queue.WorkOptions{})
	a, _ := d.secretive(t)
	stop()
	want, _, err := d.Sessions.Report(ctx, "", a.id)
	must(t, err)
	lite := d.besideOn(t, "sqlite:"+filepath.Join(t.TempDir(), "data", "bonafide.db"))
	_, err = lite.store.Restore(ctx, d.save(t).archives(), silent)
	must(t, err)
	again := d.besideOn(t, d.cluster.Database(t))
	_, err = again.store.Restore(ctx, lite.save(t).archives(), silent)
	must(t, err)
	for _, x := range []*deployment{lite, again} {
		got, _, err := x.Sessions.Report(ctx, "", a.id)
		must(t, err)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("report on %s (-want +got):\n%s", x.store.Engine(), diff)
		}
		if found, _, err := x.Sessions.List(ctx, session.Filter{Search: "secretreference"}); err != nil || len(found) != 1 {
			t.Errorf("on %s %d are found, %v", x.store.Engine(), len(found), err)
		}
		x.create(t, session.Spec{ExternalReference: "the counters go on"})
	}
}
