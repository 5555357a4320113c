package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
	"github.com/bonafide-id/bonafide/internal/session/review"
	"github.com/bonafide-id/bonafide/internal/store/auditlog"
	"github.com/bonafide-id/bonafide/internal/store/queue"
	"github.com/bonafide-id/bonafide/internal/vault"
)

func recordEvents(t *testing.T, d *deployment) {
	ctx := t.Context()
	a := d.onlyOpen(t, d.create(t, session.Spec{}))
	events, err := d.Sessions.Events(ctx, a.id, "")
	if err != nil || len(events) != 2 {
		t.Fatalf("events %v, %v", events, err)
	}
	if got := events[1].Actor; got != string(audit.Applicant) {
		t.Errorf("opened by %q", got)
	}
	cursor := events[1].ID
	if rest, err := d.Sessions.Events(ctx, a.id, cursor); err != nil || len(rest) != 0 {
		t.Fatalf("after the newest: %v, %v", rest, err)
	}
	wake, stop := d.Sessions.Watch(a.id)
	defer stop()
	drain(wake)
	if _, err := d.Applicant.Consent(ctx, a.id, session.Consent{Given: true, TextVersion: "1"}); err != nil {
		t.Fatal(err)
	}
	select {
	case <-wake:
	case <-time.After(patience):
		t.Fatal("nobody was woken")
	}
	rest, err := d.Sessions.Events(ctx, a.id, cursor)
	if err != nil || len(rest) != 1 || rest[0].Type != session.EventConsented {
		t.Fatalf("after the cursor: %v, %v", rest, err)
	}
	other := d.create(t, session.Spec{})
	if got, err := d.Sessions.Events(ctx, other.Session.ID, cursor); err != nil || len(got) != 0 {
		t.Fatalf("another session's cursor: %v, %v", got, err)
	}
	if d.store.Engine() != "postgres" {
		return
	}
	// A second node hears of it, too.
	node, err := Open(ctx, d.url, Options{Master: d.master, Log: quiet()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = node.Close() }()
	far, stopFar := node.Watch(a.id)
	defer stopFar()
	<-far // the first wake says that it listens
	if _, err := d.Applicant.Choose(ctx, a.id, applicant.Choice{Kind: idv.Passport}); err != nil {
		t.Fatal(err)
	}
	woken(t, far)
	// A lost connection is made again, and may have missed something: everybody is woken.
	d.exec(t, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()")
	woken(t, far)
	if err := d.Applicant.Withdraw(ctx, a.id); err != nil {
		t.Fatal(err)
	}
	woken(t, far)
}

func woken(t *testing.T, c <-chan struct{}) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(patience):
		t.Fatal("the other node was not woken")
	}
}

func drain(c <-chan struct{}) {
	select {
	case <-c:
	case <-time.After(200 * time.Millisecond): // PostgreSQL wakes everybody once when it starts to listen
	}
}

func recordLists(t *testing.T, d *deployment) {
	ctx := t.Context()
	var ids []idv.SessionID
	for i := range 5 {
		c := d.create(t, session.Spec{ExternalReference: fmt.Sprintf("Order %d", i)})
		ids = append(ids, c.Session.ID)
		d.clock.advance(time.Millisecond)
	}
	d.create(t, session.Spec{Mode: idv.Live, ExternalReference: "Order 3"})
	a := d.open(t)
	expired := idvtest.Passport("anna")
	expired.Expired = true
	a.sendBoth(t, expired, idvtest.Selfie("anna")) // faster than the reading
	d.work(t, queue.WorkOptions{})
	d.await(t, a.id, idv.Declined)

	var paged []idv.SessionID
	for after := ""; ; {
		page, next, err := d.Sessions.List(ctx, session.Filter{Mode: idv.Test, Limit: 2, After: after})
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range page {
			paged = append(paged, v.Session.ID)
		}
		if after = next; next == "" {
			break
		}
	}
	want := append(slices.Clone(ids), a.id)
	slices.Reverse(want)
	if !slices.Equal(paged, want) {
		t.Errorf("paged %v, want %v", paged, want)
	}
	for name, c := range map[string]struct {
		f    session.Filter
		want []idv.SessionID
	}{
		"by reference, whatever its case": {session.Filter{Search: "order 3", Mode: idv.Test}, ids[3:4]},
		"by id":                           {session.Filter{Search: string(ids[0])}, ids[:1]},
		"by state":                        {session.Filter{States: []idv.SessionState{idv.Declined, idv.InReview}}, []idv.SessionID{a.id}},
		"by outcome":                      {session.Filter{Outcome: idv.DecideDecline}, []idv.SessionID{a.id}},
		"by reason":                       {session.Filter{Reason: problem.DocumentExpired.Code}, []idv.SessionID{a.id}},
		"by another reason":               {session.Filter{Reason: problem.FaceMismatch.Code}, nil},
		"by time":                         {session.Filter{To: d.clock.now().Add(-time.Hour)}, nil},
	} {
		got, _, err := d.Sessions.List(ctx, c.f)
		if err != nil {
			t.Fatal(err)
		}
		var found []idv.SessionID
		for _, v := range got {
			found = append(found, v.Session.ID)
		}
		if !slices.Equal(found, c.want) {
			t.Errorf("%s: %v, want %v", name, found, c.want)
		}
	}
	counts, err := d.Sessions.CountStates(ctx, idv.Test)
	if err != nil || counts[idv.Created] != 5 || counts[idv.Declined] != 1 {
		t.Errorf("counts %v, %v", counts, err)
	}
}

// recordDamaged changes a byte of a picture where it is stored.
func recordDamaged(t *testing.T, d *deployment) {
	ctx := t.Context()
	a := d.open(t)
	a.send(t, idv.StepDocumentFront, idvtest.Passport("anna"))
	if _, err := d.Exports.Export(ctx, idv.Test, a.id); err != nil {
		t.Fatal(err)
	}
	captures, err := d.store.Captures(ctx, a.id)
	must(t, err)
	path := filepath.Join(d.blobs, captures[0].Blob)
	raw, err := os.ReadFile(path)
	must(t, err)
	raw[len(raw)/2] ^= 1
	must(t, os.WriteFile(path, raw, 0o600))
	told := func() int {
		events, err := d.store.Events(ctx, a.id, "")
		must(t, err)
		return len(events)
	}
	before := told()
	ask := review.CaseFileAsk{Pictures: true, Names: func(context.Context, ...idv.UserID) (map[idv.UserID]string, error) { return nil, nil }}
	for name, read := range map[string]func() error{
		"an export":   func() error { _, err := d.Exports.Export(ctx, idv.Test, a.id); return err },
		"a case file": func() error { _, err := d.CaseFiles.CaseFile(ctx, idv.Test, a.id, ask); return err },
		"a look": func() error {
			_, err := d.Pictures.Evidence(ctx, idv.Test, a.id, captures[0].ID, review.WholeCapture)
			return err
		},
	} {
		if err := read(); !problem.Has(err, problem.EvidenceDamaged) {
			t.Errorf("%s: got %v, want %s", name, err, problem.EvidenceDamaged.Code)
		}
	}
	ask.Pictures = false
	if _, err := d.CaseFiles.CaseFile(ctx, idv.Test, a.id, ask); err != nil {
		t.Errorf("a case file without pictures: %v", err)
	}
	if after := told(); after != before {
		t.Errorf("%d events tell of an export that nobody got", after-before)
	}
}

func recordPictures(t *testing.T, d *deployment) {
	ctx := audit.WithActor(t.Context(), audit.Actor{Kind: audit.User, ID: "usr_x", Address: "203.0.113.77"})
	d.work(t, queue.WorkOptions{})
	a := d.open(t)
	a.sendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("anna"))
	d.await(t, a.id, idv.Approved)
	captures, artifacts, err := d.Sessions.Captures(ctx, idv.Test, a.id)
	if err != nil {
		t.Fatal(err)
	}
	shown, err := d.Pictures.Evidence(ctx, idv.Test, a.id, captures[0].ID, review.WholeCapture)
	if err != nil {
		t.Fatal(err)
	}
	if shown.MediaType != "image/jpeg" || bytes.Contains(shown.Bytes, []byte("scene:")) {
		t.Fatal("what was behind the picture is shown with it")
	}
	crops := 0
	for _, f := range artifacts {
		if session.IsTemplate(f.Kind) && len(f.Data) > 0 {
			t.Errorf("%s is handed out", f.Kind)
		}
		if f.BlobType == "" {
			continue
		}
		crops++
		p, err := d.Pictures.ArtifactPicture(ctx, idv.Test, a.id, f.ID)
		if err != nil || string(p.Bytes) != "crop of anna" {
			t.Errorf("%s: %q, %v", f.Kind, p.Bytes, err)
		}
	}
	if crops != 2 {
		t.Errorf("%d crops", crops)
	}
	for _, id := range []idv.CaptureID{"cap_none", ""} {
		if _, err := d.Pictures.Evidence(ctx, idv.Test, a.id, id, review.WholeCapture); !problem.Has(err, problem.NotFound) {
			t.Errorf("capture %q: %v", id, err)
		}
	}
	if err := d.store.Sequence(ctx); err != nil {
		t.Fatal(err)
	}
	entries, err := auditlog.NewTrail(d.store.Read).AuditEntries(ctx, 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	var views []audit.Entry
	for _, e := range entries {
		if e.Action == review.EvidenceViewed {
			views = append(views, e)
		}
	}
	if len(views) != 3 || views[0].ActorID != "usr_x" || views[0].Address != "203.0.113.0/24" || views[0].Subject != string(captures[0].ID) {
		t.Errorf("audited views %+v", views)
	}
}

func recordAudit(t *testing.T, d *deployment) {
	ctx := t.Context()
	for range 3 {
		d.create(t, session.Spec{})
		if err := d.store.Sequence(ctx); err != nil {
			t.Fatal(err)
		}
	}
	for _, err := range together(4, func(int) error { return d.store.Sequence(ctx) }) {
		if err != nil {
			t.Fatal(err)
		}
	}
	v, err := d.store.VerifyAudit(ctx)
	if err != nil || v.Size != 3 || v.Checkpoints != 3 {
		t.Fatalf("verified %+v, %v", v, err)
	}
	d.exec(t, "UPDATE audit_entries SET action = 'session.approved' WHERE position = 1")
	if _, err := d.store.VerifyAudit(ctx); !errors.Is(err, audit.ErrTampered) {
		t.Fatalf("a changed entry: %v", err)
	}
	d.exec(t, "UPDATE audit_entries SET action = 'session.created' WHERE position = 1")
	if _, err := d.store.VerifyAudit(ctx); err != nil {
		t.Fatalf("put right again: %v", err)
	}
	d.exec(t, "DELETE FROM audit_entries WHERE position = 2")
	if _, err := d.store.VerifyAudit(ctx); !errors.Is(err, audit.ErrTampered) {
		t.Fatalf("a removed entry: %v", err)
	}
}

// recordAtRest searches every file of the deployment for what must not be found there.
func recordAtRest(t *testing.T, d *deployment) {
	ctx := t.Context()
	d.work(t, queue.WorkOptions{})
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
	if report, _, err := d.Sessions.Report(ctx, "", a.id); err != nil || len(report.Claims) == 0 {
		t.Fatalf("there is nothing to hide: %v", err)
	}
	owner := account.User{ID: "usr_1", Name: "Secretowner", Email: "secret@owner.example", Normal: "secret@owner.example"}
	if err := d.store.SetSetupToken(ctx, "h", d.clock.now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if err := d.store.AddOwner(ctx, owner, "h", d.clock.now()); err != nil {
		t.Fatal(err)
	}
	dirs := []string{d.blobs}
	if d.cluster != nil {
		d.cluster.Checkpoint(t)
		dirs = append(dirs, d.cluster.Dir())
	} else {
		dirs = append(dirs, filepath.Dir(d.url[len("sqlite:"):]))
	}
	secrets := [][]byte{
		[]byte("secretreference"), []byte("secretmetadata"), []byte("secretstreet"), []byte("secretreturn"), []byte("SECRETFAMILY"),
		[]byte("SECRETGIVEN"), []byte("SECRETNUM1"), []byte("1974-08-12"), []byte("secretface"), []byte("Secretowner"),
		[]byte("secret@owner"), []byte(c.Link), []byte(a.token), []byte("scene:"),
	}
	files, found := 0, false
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() {
				return nil //nolint:nilerr // files of a running server come and go
			}
			raw, err := os.ReadFile(path)
			if err != nil {
				return nil //nolint:nilerr // likewise
			}
			files++
			found = found || bytes.Contains(raw, []byte(a.id)) // ids lie in the clear: the search does search
			for _, s := range secrets {
				if bytes.Contains(raw, s) {
					t.Errorf("%q lies in the clear in %s", s, path)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if !found || files < 5 {
		t.Fatalf("searched %d files, the session's id was among them: %v", files, found)
	}
}

func recordTidy(t *testing.T, d *deployment) {
	ctx := t.Context()
	a := d.open(t)
	if err := d.store.Pictures().Put(ctx, a.id, session.CaptureBlob(a.id, "cap_lost"), []byte("no row")); err != nil {
		t.Fatal(err)
	}
	a.send(t, idv.StepDocumentFront, idvtest.Passport("anna"))
	captures, err := d.store.Captures(ctx, a.id)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Decisions.Extract(ctx, a.id, captures[0].ID); err != nil {
		t.Fatal(err)
	}
	left := func() (names []string) {
		err := d.store.Blobs.ListBefore(ctx, time.Now().Add(time.Hour), func(n string) error { names = append(names, n); return nil })
		if err != nil {
			t.Fatal(err)
		}
		return names
	}
	if err := d.store.Tidy(ctx); err != nil || len(left()) != 3 {
		t.Fatalf("fresh blobs were touched: %v left, %v", left(), err)
	}
	d.clock.advance(25 * time.Hour)
	if err := d.store.Tidy(ctx); err != nil || len(left()) != 2 {
		t.Fatalf("%v left, %v; want the capture and its portrait", left(), err)
	}
	if _, err := d.Pictures.Evidence(ctx, "", a.id, captures[0].ID, review.WholeCapture); err != nil {
		t.Fatal(err)
	}
}

func recordErasure(t *testing.T, d *deployment) {
	ctx := t.Context()
	d.work(t, queue.WorkOptions{})
	c := d.create(t, session.Spec{ExternalReference: "gone"})
	a := d.onlyOpen(t, c)
	a.agree(t, idv.Passport)
	a.sendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("anna"))
	d.await(t, a.id, idv.Approved)
	captures, _, err := d.Sessions.Captures(ctx, "", a.id)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.store.DestroyKeyset(ctx, a.id, vault.Pictures); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Pictures.Evidence(ctx, "", a.id, captures[0].ID, review.WholeCapture); !problem.Has(err, problem.SessionErased) {
		t.Fatalf("a picture whose key is gone: %v", err)
	}
	if _, _, err := d.Sessions.Report(ctx, "", a.id); err != nil {
		t.Fatalf("the report has another key: %v", err)
	}
	if _, artifacts, err := d.Sessions.Captures(ctx, "", a.id); err != nil || len(artifacts) == 0 {
		t.Fatalf("what was found has another key, all but the templates: %d artifacts, %v", len(artifacts), err)
	}
	if err := d.store.DestroyKeyset(ctx, a.id, vault.Facts); err != nil {
		t.Fatal(err)
	}
	if _, _, err := d.Sessions.Report(ctx, "", a.id); !problem.Has(err, problem.SessionErased) {
		t.Fatalf("a report whose key is gone: %v", err)
	}
	v, err := d.Sessions.Get(ctx, "", a.id)
	if err != nil || v.Session.State != idv.Approved || v.Session.ExternalReference != "" {
		t.Fatalf("what is not personal stays: %+v, %v", v.Session, err)
	}
	if _, _, err := d.Sessions.List(ctx, session.Filter{Mode: idv.Test}); err != nil {
		t.Fatal(err)
	}
}
