package store

import (
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
	"github.com/bonafide-id/bonafide/internal/store/queue"
)

// beforeAnother undoes the migration of sessions that follow others.
var beforeAnother = []string{
	"ALTER TABLE sessions DROP COLUMN follows", "ALTER TABLE sessions DROP COLUMN followed_by", "ALTER TABLE sessions DROP COLUMN spent",
	"DELETE FROM schema_versions WHERE version_id = 34",
}

// anotherDocument: of four that ask at once one begins the session that follows, the link leads to it, each of the two names the other,
// and erasing reaches both.
func anotherDocument(t *testing.T, d *deployment) {
	name := d.workflow(t, "again", func(w *idv.WorkflowVersion) { w.AnotherDocument = true })
	a := d.onlyOpen(t, d.create(t, session.Spec{Workflow: name, ExternalReference: "order-7"}))
	_, err := a.says(t, true, "")
	must(t, err)
	_, err = d.Applicant.Choose(t.Context(), a.id, applicant.Choice{Kind: idv.Passport})
	must(t, err)
	expired := idvtest.Passport("anna")
	expired.Expired = true
	a.sendBoth(t, expired, idvtest.Selfie("anna"))
	stop := d.work(t, queue.WorkOptions{})
	d.await(t, a.id, idv.Declined)
	stop()

	var wg sync.WaitGroup
	got, errs := make([]applicant.Resumed, 4), make([]error, 4)
	for i := range got {
		wg.Go(func() { got[i], errs[i] = d.Applicant.AnotherDocument(t.Context(), a.id) })
	}
	wg.Wait()
	var next idv.SessionID
	for i, err := range errs {
		switch {
		case err == nil && next == "":
			next = got[i].Session
		case !problem.Has(err, problem.SessionFinished):
			t.Errorf("call %d answers %+v, %v", i, got[i], err)
		}
	}
	if s := read(t, d, a.id); s.State != idv.Declined || s.FollowedBy != next {
		t.Errorf("the declined session is %s and followed by %q, want %q", s.State, s.FollowedBy, next)
	}
	s := read(t, d, next)
	if s.Follows != a.id || s.ExternalReference != "order-7" || s.State != idv.Capturing {
		t.Errorf("the session that follows: %+v", s)
	}
	if diff := cmp.Diff(idv.Spent{Tries: 2}, s.Spent); diff != "" {
		t.Errorf("what was spent (-want +got):\n%s", diff)
	}
	if p, err := d.Applicant.Peek(t.Context(), a.link); err != nil || p.Session.ID != next {
		t.Errorf("the link leads to %s, %v", p.Session.ID, err)
	}
	_, err = d.Erasures.Erase(t.Context(), idv.Test, next)
	must(t, err)
	for _, id := range []idv.SessionID{a.id, next} {
		if s := read(t, d, id); s.ErasedAt.IsZero() || s.ExternalReference != "" {
			t.Errorf("session %s after the erasing: %+v", id, s)
		}
	}
}

// read is a session as it is kept.
func read(t *testing.T, d *deployment, id idv.SessionID) idv.Session {
	t.Helper()
	rec, err := d.store.Session(t.Context(), id)
	must(t, err)
	return rec.Session
}
