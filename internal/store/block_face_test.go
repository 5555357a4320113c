package store

import (
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/review"
	"github.com/bonafide-id/bonafide/internal/store/database"
	"github.com/bonafide-id/bonafide/internal/store/queue"
	"github.com/bonafide-id/bonafide/internal/store/sessions"
)

// listing publishes a workflow that compares faces and looks at the block list, and returns its name.
func listing(t *testing.T, d *deployment, name string, set idv.GallerySettings) string {
	return d.workflow(t, name, func(w *idv.WorkflowVersion) {
		w.Required = append(w.Required, idv.CheckDuplicateFace, idv.CheckBlockList)
		set.Consent = "We look for people who come twice."
		w.Seen.Gallery = set
	})
}

// faceOf is an entry about the face of a session, for a year unless until says otherwise.
func faceOf(d *deployment, id idv.SessionID) review.Blocked {
	return review.Blocked{Mode: idv.Test, Kind: idv.BlockFace, Session: id, Reason: "impersonation", Until: d.clock.now().AddDate(1, 0, 0)}
}

// listedFor is what the check of the block list says of a session.
func listedFor(t *testing.T, d *deployment, id idv.SessionID) idv.Finding {
	t.Helper()
	checks, err := d.store.Checks(t.Context(), id)
	must(t, err)
	for _, c := range checks {
		if c.Kind == idv.CheckBlockList && c.Finding != nil {
			return *c.Finding
		}
	}
	t.Fatalf("the block list was not asked about %s", id)
	return idv.Finding{}
}

func faceListed(t *testing.T, d *deployment) {
	ctx := t.Context()
	d.work(t, queue.WorkOptions{})
	spec := session.Spec{Workflow: listing(t, d, "listing", idv.GallerySettings{Months: 6})}
	first := passes(t, d, spec, "anna", "ANNA", "P1000001", given)
	if first.State != idv.Approved {
		t.Fatalf("the first is %s for %v", first.State, toldOf(t, d, first.ID))
	}
	long := faceOf(d, first.ID)
	long.Until = d.clock.now().AddDate(4, 0, 0)
	entry, err := d.BlockList.Add(as(t, tilda), long)
	must(t, err)
	sawAudit(t, d, "blocklist.added", string(entry.ID))
	face, ok, err := d.store.KeptFace(ctx, first.ID)
	must(t, err)
	if !ok || entry.Hint != "main" || !entry.Until.Equal(face.Until) || face.Until.After(d.clock.now().AddDate(0, 7, 0)) || entry.Declines {
		t.Errorf("the entry is %+v of the face %+v: it ends with the face, of which its person was told that it is kept for six months", entry, face)
	}
	if _, err := d.BlockList.Add(as(t, rosa), faceOf(d, first.ID)); !problem.Has(err, problem.BlocklistExists) {
		t.Errorf("the same face again: %v", err)
	}

	second := passes(t, d, spec, "anna~0.7", "BEATE", "P1000002", given)
	f := listedFor(t, d, second.ID)
	if second.State != idv.InReview || second.LastProblem != nil || f.Outcome != idv.Inconclusive || len(f.Reasons) != 1 || f.Reasons[0].Code != "blocklist.face" {
		t.Errorf("the face on the list: %s, %+v, %+v", second.State, second.LastProblem, f)
	}
	if len(f.Seen.Entries) != 1 || f.Seen.Entries[0] != (idv.BlockedBy{Entry: entry.ID, Kind: idv.BlockFace}) || f.Seen.Gallery == nil {
		t.Errorf("the finding names %+v among %+v", f.Seen.Entries, f.Seen.Gallery)
	}
	n := 0
	for name, tt := range map[string]struct {
		spec   session.Spec
		face   string
		answer *bool
	}{
		"a stranger":                         {spec, "anna~0.2", given},
		"the same face, who declines":        {spec, "anna", refused},
		"the same face, who does not answer": {spec, "anna", nil},
		"the same face in another gallery":   {session.Spec{Workflow: listing(t, d, "apart", idv.GallerySettings{Name: "apart"})}, "anna", given},
	} {
		n++
		s := passes(t, d, tt.spec, tt.face, fmt.Sprintf("CLARA %c", 'A'+n), fmt.Sprintf("P200000%d", n), tt.answer)
		if f := listedFor(t, d, s.ID); s.State != idv.Approved || f.Outcome != idv.Pass || len(f.Seen.Entries) > 0 || tt.answer != given && f.Seen.Gallery != nil {
			t.Errorf("%s is %s for %v: %+v", name, s.State, toldOf(t, d, s.ID), f)
		}
		if tt.answer != given && kept(t, d, s.ID) != 0 {
			t.Errorf("%s: the face is kept", name)
		}
	}

	// A face of another model compares with nothing, so that nobody can say who of the list it is.
	_, err = d.store.Write.ExecContext(ctx, "UPDATE gallery_entries SET model = 'older/1' WHERE session_id = ?", string(second.ID))
	must(t, err)
	d.galleries.Close()
	late := passes(t, d, spec, "dora", "DORA", "P1000008", given)
	if f := listedFor(t, d, late.ID); late.State != idv.InReview || len(f.Reasons) != 1 || f.Reasons[0].Code != "duplicate.gallery_unready" {
		t.Errorf("a gallery that is not ready: %s, %+v", late.State, f)
	}

	_, err = d.BlockList.Remove(as(t, rosa), entry.ID)
	must(t, err)
	sawAudit(t, d, "blocklist.removed", string(entry.ID))
	if listed, err := d.store.ListedFaces(ctx, session.Record{Session: late}, idv.GallerySettings{}, d.clock.now()); err != nil || len(listed) != 0 {
		t.Errorf("after it was removed: %v, %v", listed, err)
	}
	again, err := d.BlockList.Add(as(t, rosa), faceOf(d, first.ID))
	must(t, err)
	listed, err := d.store.ListedFaces(ctx, session.Record{Session: late}, idv.GallerySettings{}, d.clock.now())
	if err != nil || !slices.Equal(listed, []idv.ListedFace{{Entry: again.ID, Session: first.ID}}) {
		t.Errorf("put there again: %v, %v", listed, err)
	}
	for name, rec := range map[string]session.Record{
		"its own session": {Session: first}, "the other mode": {Session: idv.Session{ID: late.ID, Mode: idv.Live}},
	} {
		if listed, err := d.store.ListedFaces(ctx, rec, idv.GallerySettings{}, d.clock.now()); err != nil || len(listed) != 0 {
			t.Errorf("%s: %v, %v", name, listed, err)
		}
	}
	if listed, err := d.store.ListedFaces(ctx, session.Record{Session: late}, idv.GallerySettings{}, again.Until); err != nil || len(listed) != 0 {
		t.Errorf("after its end: %v, %v", listed, err)
	}
}

func faceListedRefused(t *testing.T, d *deployment) {
	ctx := t.Context()
	d.work(t, queue.WorkOptions{})
	spec := session.Spec{Workflow: listing(t, d, "listing", idv.GallerySettings{})}
	declined := passes(t, d, spec, "bert", "BERT", "P1000001", refused)
	silent := passes(t, d, spec, "carl", "CARL", "P1000002", nil)
	erased := passes(t, d, spec, "dora", "DORA", "P1000003", given)
	blurred := passes(t, d, spec, "ewa", "EWA", "P1000004", given)
	old := passes(t, d, spec, "fred", "FRED", "P1000005", given)
	withdrawn := passes(t, d, spec, "gina", "GINA", "P1000006", given)
	_, err := d.Erasures.Erase(ctx, idv.Test, erased.ID)
	must(t, err)
	strikePictures(t, d, blurred.ID)
	_, err = d.store.Write.ExecContext(ctx, "DELETE FROM gallery_entries WHERE session_id = ?", string(old.ID))
	must(t, err)
	_, err = d.Erasures.WithdrawFace(ctx, idv.Test, withdrawn.ID)
	must(t, err)
	for name, tt := range map[string]struct {
		id     idv.SessionID
		change func(*review.Blocked)
		want   problem.Kind
	}{
		"somebody who declined":             {declined.ID, nil, problem.BlocklistFaceNoConsent},
		"somebody who did not answer":       {silent.ID, nil, problem.BlocklistFaceNoConsent},
		"somebody who took it back":         {withdrawn.ID, nil, problem.BlocklistFaceNoConsent},
		"a session that nobody opened":      {d.create(t, spec).Session.ID, nil, problem.BlocklistFaceNoConsent},
		"a face that is kept no more":       {old.ID, nil, problem.BlocklistFaceNotKept},
		"a session that was erased":         {erased.ID, nil, problem.SessionErased},
		"a session without its pictures":    {blurred.ID, nil, problem.SessionErased},
		"a session of the other mode":       {old.ID, func(b *review.Blocked) { b.Mode = idv.Live }, problem.NotFound},
		"a session that does not exist":     {"ses_nobody", nil, problem.NotFound},
		"no session":                        {"", nil, problem.RequestMalformed},
		"a face that would decline":         {old.ID, func(b *review.Blocked) { b.Declines = true }, problem.RequestMalformed},
		"a reason that is none":             {old.ID, func(b *review.Blocked) { b.Reason = "ugly" }, problem.RequestMalformed},
		"an end more than five years ahead": {old.ID, func(b *review.Blocked) { b.Until = b.Until.AddDate(5, 0, 0) }, problem.RequestMalformed},
	} {
		b := faceOf(d, tt.id)
		if tt.change != nil {
			tt.change(&b)
		}
		if _, err := d.BlockList.Add(as(t, tilda), b); !problem.Has(err, tt.want) {
			t.Errorf("%s: %v, want %s", name, err, tt.want.Code)
		}
	}
	if page, err := d.BlockList.Page(ctx, idv.Test, "", 10); err != nil || len(page) != 0 {
		t.Errorf("something is on the list: %+v, %v", page, err)
	}
}

// strikePictures erases the pictures of a session.
func strikePictures(t *testing.T, d *deployment, id idv.SessionID) {
	t.Helper()
	_, err := d.Life.Change(t.Context(), idv.Test, id, func(ctx context.Context, tx session.Tx, rec *session.Record, _ idv.WorkflowVersion) error {
		return d.Life.Strike(ctx, tx, rec, session.ScopePictures, session.OnRetention)
	})
	must(t, err)
}

// Whatever takes the face of a session away takes the entry about it, too: nothing of either is in memory, the database or its files.
func faceListedErased(t *testing.T, d *deployment) {
	ctx := t.Context()
	d.work(t, queue.WorkOptions{})
	spec := session.Spec{Workflow: listing(t, d, "listing", idv.GallerySettings{Months: 1})}
	code := func(face string) []byte { c := codeIn(t, d, "test:main", face); return c.Bytes()[:24] }
	number := 1000
	for name, end := range map[string]func(id idv.SessionID){
		"withdrawing the consent": func(id idv.SessionID) {
			n, err := d.Erasures.WithdrawFace(ctx, idv.Test, id)
			if err != nil || n != 1 {
				t.Errorf("withdrawing removed %d faces, %v", n, err)
			}
		},
		"erasing the session": func(id idv.SessionID) {
			receipt, err := d.Erasures.Erase(ctx, idv.Test, id)
			must(t, err)
			if !strings.Contains(receipt.Statement, `{"what":"block_entries","count":2}`) { // the other, about the document, is reduced
				t.Errorf("the receipt does not count the entries: %s", receipt.Statement)
			}
		},
		"erasing its pictures": func(id idv.SessionID) {
			strikePictures(t, d, id)
			must(t, d.galleries.ForgetFaces(ctx))
		},
		"the end of its time": func(idv.SessionID) {
			d.clock.advance(32 * 24 * time.Hour)
			must(t, d.store.DropOldFaces(ctx))
		},
		"a server of a former version": func(id idv.SessionID) {
			must(t, d.store.Transact(ctx, func(ctx context.Context, tx *database.Tx) error {
				_, err := tx.Conn.ExecContext(ctx, "DELETE FROM gallery_entries WHERE session_id = ?", string(id))
				return err
			}))
			must(t, sessions.DropForgotten(ctx, d.store.DB))
			d.galleries.Close()
		},
	} {
		t.Run(name, func(t *testing.T) {
			face := "face of " + name
			number++
			s := passes(t, d, spec, face, "ANNA", fmt.Sprintf("P100%d", number), given)
			entry, err := d.BlockList.Add(as(t, tilda), faceOf(d, s.ID))
			must(t, err)
			document := faceOf(d, s.ID)
			document.Kind = idv.BlockDocument
			stays, err := d.BlockList.Add(as(t, tilda), document)
			must(t, err)
			var row sessions.GalleryRow
			must(t, d.store.Read.NewSelect().Model(&row).Where("session_id = ?", string(s.ID)).Scan(ctx))
			sealed, err := base64.StdEncoding.DecodeString(row.Code)
			must(t, err)
			c := codeIn(t, d, "test:main", face)
			words := [][]byte{code(face), []byte(row.Code[100:140]), sealed[40:64]}
			entered := []byte(string(entry.ID) + "testface") // as a row of SQLite has it
			if !d.galleries.Holds(&c) || len(findWords(t, d, words[1:2])) == 0 || d.cluster == nil && len(findWords(t, d, [][]byte{entered})) == 0 {
				t.Fatal("the search does not find what is there")
			}
			end(s.ID)
			if _, err := d.BlockList.Find(ctx, entry.ID); !problem.Has(err, problem.NotFound) {
				t.Errorf("the entry is still there: %v", err)
			}
			if e, err := d.BlockList.Find(ctx, stays.ID); err != nil || e.State(e.AddedAt) != session.BlockActive {
				t.Errorf("the entry about the document is %+v, %v", e, err)
			}
			if n, err := d.store.Read.NewSelect().Model((*sessions.BlockRow)(nil)).Where("b.kind = 'face'").Count(ctx); err != nil || n != 0 {
				t.Errorf("%d entries about faces are left, %v", n, err)
			}
			if d.galleries.Holds(&c) {
				t.Error("bytes of the face are in the gallery's memory")
			}
			if name == "erasing its pictures" || name == "a server of a former version" {
				return // their files are cleared by the job that follows, and by that server
			}
			for word, places := range findWords(t, d, append(words, entered)) {
				t.Errorf("%x is in %v", word, places)
			}
		})
	}
}
