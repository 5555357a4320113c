package store

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

const day = 24 * time.Hour

// approvedIn is an approved session of a mode.
func (d *deployment) approvedIn(t *testing.T, mode idv.Mode) *applicant {
	t.Helper()
	a := d.onlyOpen(t, d.create(t, session.Spec{Mode: mode, ExternalReference: "secretreference"}))
	a.agree(t, idv.Passport)
	a.sendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("anna"))
	d.await(t, a.id, idv.Approved)
	return a
}

// kept says what is left of a session: "all", "facts" or "nothing".
func (d *deployment) kept(t *testing.T, id idv.SessionID) string {
	t.Helper()
	captures, err := d.store.Captures(t.Context(), id)
	must(t, err)
	_, _, err = d.Report(t.Context(), "", id)
	if problem.Has(err, problem.SessionErased) {
		if len(captures) > 0 || len(d.blobNames(t, string(id))) > 0 {
			t.Error("the report is erased, captures are not")
		}
		return "nothing"
	}
	must(t, err)
	_, err = d.Evidence(t.Context(), "", id, captures[0].ID, session.WholeCapture)
	if problem.Has(err, problem.SessionErased) {
		if left := d.blobNames(t, string(id)); len(left) > 0 {
			t.Errorf("blobs %v are still there", left)
		}
		return "facts"
	}
	must(t, err)
	return "all"
}

func (d *deployment) wantKept(t *testing.T, a *applicant, want string) {
	t.Helper()
	must(t, d.Retain(t.Context()))
	if got := d.kept(t, a.id); got != want {
		t.Fatalf("%s is kept at %s, want %s", got, d.clock.now().Format(time.DateTime), want)
	}
}

func retainDue(t *testing.T, d *deployment) {
	ctx := t.Context()
	stop := d.work(t, WorkOptions{})
	a := d.approvedIn(t, idv.Live)
	var others []*applicant
	for range 3 {
		others = append(others, d.approvedIn(t, idv.Live))
	}
	unfinished := d.onlyOpen(t, d.create(t, session.Spec{Mode: idv.Live}))
	stop()
	v, err := d.Get(ctx, "", a.id)
	must(t, err)
	end := v.Session.DecidedAt
	for what, late := range map[string]time.Duration{
		"pictures": v.Keeping.PicturesUntil.Sub(end.Add(90 * day)), "report": v.Keeping.ReportUntil.Sub(end.Add(365 * day)),
	} {
		if late < 0 || late > time.Minute { // the session is written a moment after the decision
			t.Errorf("%s: kept %s longer than said", what, late)
		}
	}
	if v, err := d.Get(ctx, "", unfinished.id); err != nil || v.Keeping != (session.Keeping{}) {
		t.Errorf("an unfinished session is kept until %+v, %v", v.Keeping, err)
	}
	d.clock.advance(90*day - time.Hour)
	d.wantKept(t, a, "all")
	d.clock.advance(2 * time.Hour)
	d.wantKept(t, a, "facts")
	for _, o := range others {
		d.wantKept(t, o, "facts")
	}
	if v, err = d.Get(ctx, "", a.id); err != nil || v.Session.ExternalReference != "secretreference" || v.Session.PicturesErasedAt.IsZero() || !v.Session.ErasedAt.IsZero() || !v.Keeping.PicturesUntil.IsZero() {
		t.Errorf("without its pictures: %+v, %v", v, err)
	}
	r, err := d.Receipt(ctx, "", a.id)
	if err != nil || r.Scope != session.ScopePictures || r.FinishedAt.IsZero() || r.Proof == nil {
		t.Errorf("receipt of the pictures: %+v, %v", r, err)
	}
	d.clock.advance(275 * day)
	d.wantKept(t, a, "nothing")
	r, err = d.Receipt(ctx, "", a.id)
	if err != nil || r.Scope != session.ScopeAll {
		t.Errorf("receipt of everything: %+v, %v", r, err)
	}
	wantEvents(t, d, a.id, session.EventApproved, session.EventPicturesErased, session.EventErased)
	if _, err := d.store.VerifyAudit(ctx); err != nil {
		t.Error(err)
	}
}

func retainShorter(t *testing.T, d *deployment) {
	ctx := t.Context()
	stop := d.work(t, WorkOptions{})
	live, test := d.approvedIn(t, idv.Live), d.approvedIn(t, idv.Test)
	stop()
	d.clock.advance(25 * time.Hour)
	d.wantKept(t, live, "all")
	d.wantKept(t, test, "nothing")
	for name, r := range map[string]idv.Retention{
		"longer than the default": {Pictures: 91 * day}, "shorter than an hour": {Report: time.Minute}, "negative": {Pictures: -day},
	} {
		if err := d.SetRetention(ctx, r); !problem.Has(err, problem.RequestMalformed) {
			t.Errorf("%s: %v", name, err)
		}
	}
	must(t, d.SetRetention(ctx, idv.Retention{Pictures: 7 * day, Report: 30 * day}))
	d.clock.advance(7 * day)
	d.wantKept(t, live, "facts")
	d.clock.advance(23 * day)
	d.wantKept(t, live, "nothing")

	w := idv.DefaultWorkflow(idv.Live)
	w.Retention = idv.Retention{Report: 2 * day}
	if diff := cmp.Diff(idv.Retention{Pictures: 2 * day, Report: 2 * day}, w.Kept(idv.Retention{Pictures: 7 * day})); diff != "" {
		t.Errorf("pictures are kept longer than the report (-want +got):\n%s", diff)
	}
}

func retainHeld(t *testing.T, d *deployment) {
	ctx := t.Context()
	stop := d.work(t, WorkOptions{})
	a := d.approvedIn(t, idv.Live)
	stop()
	for name, reason := range map[string]string{"no reason": "  ", "a control character": "a\x00b"} {
		if _, err := d.SetHold(ctx, idv.Live, a.id, reason); !problem.Has(err, problem.RequestMalformed) {
			t.Errorf("%s: %v", name, err)
		}
	}
	before, err := d.Get(ctx, "", a.id)
	must(t, err)
	v, err := d.SetHold(ctx, idv.Live, a.id, "court order secretreason")
	must(t, err)
	if v.Session.HeldAt.IsZero() || v.Keeping != before.Keeping {
		t.Errorf("held: %+v", v)
	}
	if found := d.find(t, [][]byte{[]byte("secretreason")}); len(found) > 0 {
		t.Errorf("the reason lies in the clear: %v", found)
	}
	if _, err := d.Erase(ctx, idv.Live, a.id); !problem.Has(err, problem.SessionLegalHold) {
		t.Errorf("erasing what is held: %v", err)
	}
	d.clock.advance(400 * day)
	d.wantKept(t, a, "all")
	if _, err := d.LiftHold(ctx, idv.Live, a.id); err != nil {
		t.Fatal(err)
	}
	holds, err := d.Holds(ctx, "", a.id)
	if err != nil || len(holds) != 1 || holds[0].Reason != "court order secretreason" || holds[0].LiftedAt.IsZero() {
		t.Errorf("holds %+v, %v", holds, err)
	}
	d.wantKept(t, a, "nothing")
	if holds, err = d.Holds(ctx, "", a.id); err != nil || len(holds) != 1 || holds[0].Reason != "" {
		t.Errorf("holds of an erased session %+v, %v", holds, err)
	}
	wantEvents(t, d, a.id, session.EventHeld, session.EventHoldLifted, session.EventErased)
}
