package store

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/retention"
	"github.com/bonafide-id/bonafide/internal/session/review"
	"github.com/bonafide-id/bonafide/internal/store/queue"
)

const day = 24 * time.Hour

func settled(pictures, report time.Duration) idv.RetentionSetting {
	return idv.RetentionSetting{Retention: idv.Retention{Pictures: pictures, Report: report}}
}

// approvedIn is an approved session of a mode.
func (d *deployment) approvedIn(t *testing.T, mode idv.Mode) *person {
	t.Helper()
	a := d.onlyOpen(t, d.create(t, session.Spec{Mode: mode, ExternalReference: "secretreference"}))
	a.agree(t, idv.Passport)
	a.sendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("anna"))
	d.await(t, a.id, idv.Approved)
	return a
}

// keptOf says what is left of a session: "all", "facts" or "nothing".
func keptOf(t *testing.T, d *deployment, id idv.SessionID) string {
	t.Helper()
	captures, err := d.store.Captures(t.Context(), id)
	must(t, err)
	_, _, err = d.Sessions.Report(t.Context(), "", id)
	if problem.Has(err, problem.SessionErased) {
		if len(captures) > 0 || len(d.blobNames(t, string(id))) > 0 {
			t.Error("the report is erased, captures are not")
		}
		return "nothing"
	}
	must(t, err)
	_, err = d.Pictures.Evidence(t.Context(), "", id, captures[0].ID, review.WholeCapture)
	if problem.Has(err, problem.SessionErased) {
		if left := d.blobNames(t, string(id)); len(left) > 0 {
			t.Errorf("blobs %v are still there", left)
		}
		return "facts"
	}
	must(t, err)
	return "all"
}

func wantKept(t *testing.T, d *deployment, a *person, want string) {
	t.Helper()
	must(t, d.Retention.Run(t.Context()))
	if got := keptOf(t, d, a.id); got != want {
		t.Fatalf("%s is kept at %s, want %s", got, d.clock.now().Format(time.DateTime), want)
	}
}

func retainDue(t *testing.T, d *deployment) {
	ctx := t.Context()
	stop := d.work(t, queue.WorkOptions{})
	a := d.approvedIn(t, idv.Live)
	var others []*person
	for range 3 {
		others = append(others, d.approvedIn(t, idv.Live))
	}
	unfinished := d.onlyOpen(t, d.create(t, session.Spec{Mode: idv.Live}))
	stop()
	v, err := d.Sessions.Get(ctx, "", a.id)
	must(t, err)
	end := v.Session.DecidedAt
	for what, late := range map[string]time.Duration{
		"pictures": v.Keeping.PicturesUntil.Sub(end.Add(90 * day)), "report": v.Keeping.ReportUntil.Sub(end.Add(365 * day)),
	} {
		if late < 0 || late > time.Minute { // the session is written a moment after the decision
			t.Errorf("%s: kept %s longer than said", what, late)
		}
	}
	if v, err := d.Sessions.Get(ctx, "", unfinished.id); err != nil || v.Keeping != (session.Keeping{}) {
		t.Errorf("an unfinished session is kept until %+v, %v", v.Keeping, err)
	}
	d.clock.advance(90*day - time.Hour)
	wantKept(t, d, a, "all")
	d.clock.advance(2 * time.Hour)
	wantKept(t, d, a, "facts")
	for _, o := range others {
		wantKept(t, d, o, "facts")
	}
	if v, err = d.Sessions.Get(ctx, "", a.id); err != nil || v.Session.ExternalReference != "secretreference" || v.Session.PicturesErasedAt.IsZero() ||
		!v.Session.ErasedAt.IsZero() ||
		!v.Keeping.PicturesUntil.IsZero() {
		t.Errorf("without its pictures: %+v, %v", v, err)
	}
	r, err := d.Erasures.Receipt(ctx, "", a.id)
	if err != nil || r.Scope != session.ScopePictures || r.FinishedAt.IsZero() || r.Proof == nil {
		t.Errorf("receipt of the pictures: %+v, %v", r, err)
	}
	d.clock.advance(275 * day)
	wantKept(t, d, a, "nothing")
	r, err = d.Erasures.Receipt(ctx, "", a.id)
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
	stop := d.work(t, queue.WorkOptions{})
	live, test := d.approvedIn(t, idv.Live), d.approvedIn(t, idv.Test)
	stop()
	d.clock.advance(25 * time.Hour)
	wantKept(t, d, live, "all")
	wantKept(t, d, test, "nothing")
	for name, r := range map[string]idv.RetentionSetting{
		"longer than the default": settled(91*day, 0), "shorter than an hour": settled(0, time.Minute), "negative": settled(-day, 0),
		"pictures longer than the report": settled(40*day, 30*day), "test mode longer than a day": {Test: 25 * time.Hour},
		"the audit log shorter than a year": {Audit: 364 * day}, "the audit log longer than seven years": {Audit: 8 * 365 * day},
	} {
		if err := d.Retention.SetRetention(ctx, r); !problem.Has(err, problem.RequestMalformed) {
			t.Errorf("%s: %v", name, err)
		}
	}
	must(t, d.Retention.SetRetention(ctx, settled(7*day, 30*day)))
	d.clock.advance(7 * day)
	wantKept(t, d, live, "facts")
	d.clock.advance(23 * day)
	wantKept(t, d, live, "nothing")

	w := idv.DefaultWorkflow(idv.Live)
	w.Retention = idv.Retention{Report: 2 * day}
	if diff := cmp.Diff(idv.Retention{Pictures: 2 * day, Report: 2 * day}, w.Kept(settled(7*day, 0))); diff != "" {
		t.Errorf("pictures are kept longer than the report (-want +got):\n%s", diff)
	}
}

func retainHeld(t *testing.T, d *deployment) {
	ctx := t.Context()
	stop := d.work(t, queue.WorkOptions{})
	a := d.approvedIn(t, idv.Live)
	stop()
	for name, reason := range map[string]string{"no reason": "  ", "a control character": "a\x00b"} {
		if _, err := d.Holds.SetHold(ctx, idv.Live, a.id, reason); !problem.Has(err, problem.RequestMalformed) {
			t.Errorf("%s: %v", name, err)
		}
	}
	before, err := d.Sessions.Get(ctx, "", a.id)
	must(t, err)
	v, err := d.Holds.SetHold(ctx, idv.Live, a.id, "court order secretreason")
	must(t, err)
	if v.Session.HeldAt.IsZero() || v.Keeping != before.Keeping {
		t.Errorf("held: %+v", v)
	}
	if found := findWords(t, d, [][]byte{[]byte("secretreason")}); len(found) > 0 {
		t.Errorf("the reason lies in the clear: %v", found)
	}
	if _, err := d.Erasures.Erase(ctx, idv.Live, a.id); !problem.Has(err, problem.SessionLegalHold) {
		t.Errorf("erasing what is held: %v", err)
	}
	d.clock.advance(400 * day)
	wantKept(t, d, a, "all")
	if _, err := d.Holds.LiftHold(ctx, idv.Live, a.id); err != nil {
		t.Fatal(err)
	}
	holds, err := d.Holds.Holds(ctx, "", a.id)
	if err != nil || len(holds) != 1 || holds[0].Reason != "court order secretreason" || holds[0].LiftedAt.IsZero() {
		t.Errorf("holds %+v, %v", holds, err)
	}
	wantKept(t, d, a, "nothing")
	if holds, err = d.Holds.Holds(ctx, "", a.id); err != nil || len(holds) != 1 || holds[0].Reason != "" {
		t.Errorf("holds of an erased session %+v, %v", holds, err)
	}
	wantEvents(t, d, a.id, session.EventHeld, session.EventHoldLifted, session.EventErased)
}

// dueOf is what a setting would make due of a kind; nil for the setting of now.
func dueOf(t *testing.T, d *deployment, kind retention.Kind, next *idv.RetentionSetting) retention.Forecast {
	t.Helper()
	all, err := d.Retention.Forecast(t.Context(), next)
	must(t, err)
	for _, f := range all {
		if f.Kind == kind {
			return f
		}
	}
	t.Fatalf("no forecast of %s in %+v", kind, all)
	return retention.Forecast{}
}

func retainTold(t *testing.T, d *deployment) {
	ctx := t.Context()
	want := func(what string, got, want any) {
		t.Helper()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	if runs, err := d.Retention.RetentionRuns(ctx); err != nil || runs != (session.RetentionRuns{}) {
		t.Errorf("before the first run: %+v, %v", runs, err)
	}
	stop := d.work(t, queue.WorkOptions{})
	live, test, held := d.approvedIn(t, idv.Live), d.approvedIn(t, idv.Test), d.approvedIn(t, idv.Live)
	d.onlyOpen(t, d.create(t, session.Spec{Mode: idv.Live})) // at no end: in no count
	stop()
	_, err := d.Holds.SetHold(ctx, "", held.id, "a court asked")
	must(t, err)
	d.clock.advance(time.Hour)
	want("pictures", dueOf(t, d, retention.KeepPictures, nil), retention.Forecast{Kind: retention.KeepPictures, Week: 1, Month: 1})
	shorter := settled(2*time.Hour, 20*day)
	want("pictures, shorter", dueOf(t, d, retention.KeepPictures, &shorter), retention.Forecast{Kind: retention.KeepPictures, Week: 2, Month: 2, Sooner: 2})
	want("report, shorter", dueOf(t, d, retention.KeepReport, &shorter), retention.Forecast{Kind: retention.KeepReport, Week: 1, Month: 2, Sooner: 1})
	if _, err := d.Retention.Forecast(ctx, &idv.RetentionSetting{Test: 48 * time.Hour}); !problem.Has(err, problem.RequestMalformed) {
		t.Errorf("a setting that cannot be: %v", err)
	}
	want("nothing was set", first(d.Retention.Retention(ctx)), idv.RetentionSetting{})

	must(t, d.Retention.SetRetention(ctx, idv.RetentionSetting{Test: time.Hour}))
	want("test mode, now", dueOf(t, d, retention.KeepReport, nil).Next, 1)
	wantKept(t, d, test, "nothing")
	wantKept(t, d, live, "all")
	runs := first(d.Retention.RetentionRuns(ctx))
	if e := runs.Erased; e.Sessions != 1 || e.Pictures != 0 || e.Failed || e.StartedAt.IsZero() || e.EndedAt.Before(e.StartedAt) {
		t.Errorf("the run that erased: %+v", e)
	}
	if l := runs.Last; l.Sessions+l.Pictures+l.Entries != 0 || l.StartedAt.Before(runs.Erased.EndedAt) {
		t.Errorf("the run after it: %+v", l)
	}
	w, err := d.Retention.RetentionVersions(ctx)
	if err != nil || len(w) != 0 {
		t.Errorf("versions that say something: %+v, %v", w, err)
	}
	holds, err := d.Holds.StandingHolds(ctx, "", 10)
	if n := first(d.Retention.CountHolds(ctx)); err != nil || len(holds) != 1 || n != 1 || holds[0].Reason != "a court asked" || holds[0].Mode != idv.Live ||
		holds[0].Keeping.ReportUntil.IsZero() {
		t.Errorf("holds %+v (%d), %v", holds, n, err)
	}
	if older, err := d.Holds.StandingHolds(ctx, held.id, 10); err != nil || len(older) != 0 {
		t.Errorf("holds after the last: %+v, %v", older, err)
	}
}

// first is the value of a call that may not fail.
func first[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// retainEntries keeps a log for eight years.
func retainEntries(t *testing.T, d *deployment) {
	ctx := t.Context()
	stop := d.work(t, queue.WorkOptions{})
	old, held := d.approvedIn(t, idv.Live), d.approvedIn(t, idv.Live)
	stop()
	_, err := d.Holds.SetHold(ctx, "", held.id, "a court asked")
	must(t, err)
	must(t, d.store.Sequence(ctx))
	kept, _, err := d.store.AuditCheckpoint(ctx)
	must(t, err)
	count := func(where string) (n int) {
		t.Helper()
		must(t, d.store.Read.NewRaw("SELECT COUNT(*) FROM audit_entries WHERE "+where).Scan(ctx, &n))
		return n
	}
	must(t, d.Retention.Run(ctx))
	if n := count("action = 'audit.trimmed'"); n != 0 {
		t.Fatalf("%d trims of a young log", n)
	}
	of := func(a *person) int { return count("session_id = '" + string(a.id) + "'") }
	before, ofHeld, total := of(old), of(held), count("position IS NOT NULL")

	d.clock.advance(idv.AuditRetention + day)
	young := d.create(t, session.Spec{Mode: idv.Live})
	must(t, d.store.Sequence(ctx))
	witness := "position = (SELECT MIN(position) - 1 FROM audit_entries WHERE session_id = '" + string(young.Session.ID) + "')"
	due := total - ofHeld - count(witness+" AND session_id <> '"+string(held.id)+"'") // that one stays until another is old enough
	if f := dueOf(t, d, retention.KeepAudit, nil); f.Next != due || f.Week != due {
		t.Errorf("due of %d entries, %d of them held, %d: %+v", total, ofHeld, due, f)
	}
	must(t, d.Retention.Run(ctx))
	run := first(d.Retention.RetentionRuns(ctx)).Erased
	if run.Entries != due {
		t.Errorf("%d entries were due, %d went", due, run.Entries)
	}
	if f := dueOf(t, d, retention.KeepAudit, nil); f.Next != 0 || f.Month != 0 {
		t.Errorf("nothing is due any more: %+v", f)
	}
	if left := of(old); before == 0 || left > 1 || of(held) != ofHeld || run.Entries < before-1 { // one may be the witness
		t.Errorf("of %d entries %d are left, of the held session %d of %d; the run says %+v", before, left, of(held), ofHeld, run)
	}
	in, err := d.store.InspectAudit(ctx, kept)
	if err != nil || len(in.Faults) > 0 || int(in.Trimmed) != run.Entries {
		t.Errorf("inspected %+v, %v", in, err)
	}
	v, err := d.store.VerifyAudit(ctx)
	if err != nil || v.Size <= kept.Size {
		t.Errorf("verified %+v, %v", v, err)
	}
	proofs, err := d.store.AuditProofs(ctx, young.Session.ID)
	if err != nil || len(proofs) == 0 || proofs[0].Check() != nil {
		t.Errorf("what is young: %d proofs, %v", len(proofs), err)
	}
	if g, err := d.store.AuditGrowth(ctx, kept.Size); err != nil || g.Check() != nil {
		t.Errorf("growth from before: %v", err)
	}
	if _, err := d.Erasures.Receipt(ctx, "", old.id); err != nil { // it was erased by this run
		t.Errorf("receipt: %v", err)
	}
	// The next day nothing new is said, unless there is something to remove: that of the session that is held no more.
	d.clock.advance(2 * day)
	must(t, d.Retention.Run(ctx))
	if n := count("action = 'audit.trimmed'"); n != 1 {
		t.Errorf("%d trims", n)
	}
	_, err = d.Holds.LiftHold(ctx, "", held.id)
	must(t, err)
	must(t, d.Retention.Run(ctx))
	if _, err := d.store.VerifyAudit(ctx); err != nil || count("session_id = '"+string(held.id)+"' AND action = 'session.created'") != 0 {
		t.Errorf("after lifting: %v", err)
	}
	d.exec(t, "DELETE FROM audit_entries WHERE action = 'session.created'")
	if _, err := d.store.VerifyAudit(ctx); err == nil {
		t.Error("a young entry went unseen")
	}
}
