package retention_test

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/retention"
	"github.com/bonafide-id/bonafide/internal/session/sessiontest"
)

func erase(t *testing.T, d *sessiontest.Deployment, id idv.SessionID) retention.Receipt {
	t.Helper()
	r, err := d.Erasures.Erase(sessiontest.As(t, "usr_1"), idv.Test, id)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestErasingLeavesAReceiptThatProvesIt(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Ended(t, session.Spec{ExternalReference: "order 7"})
	_, err := d.Erasures.Receipt(t.Context(), idv.Test, p.ID)
	sessiontest.WantProblem(t, err, problem.NotFound)
	got := erase(t, d, p.ID)
	var s session.Statement
	if err := json.Unmarshal([]byte(got.Statement), &s); err != nil {
		t.Fatal(err)
	}
	items := s.Items
	s.Items, s.Removed = nil, nil
	want := session.Statement{
		Format: session.StatementFormat, Session: p.ID, Scope: session.ScopeAll, Ground: session.OnRequest, By: "user:usr_1",
		ErasedAt: d.Clock.Now(), Keysets: []string{"pictures", "facts"},
	}
	if diff := cmp.Diff(want, s); diff != "" || len(items) != 3 {
		t.Errorf("the statement names %d items (-want +got):\n%s", len(items), diff)
	}
	if got.Entry.Subject != session.StatementDigest(got.Statement) || got.Entry.Action != "session.erased" || got.FinishedAt.IsZero() {
		t.Errorf("the receipt is %+v", got)
	}
	if err := got.Proof.Check(); err != nil {
		t.Error(err)
	}
	if left := d.Store.Pictures().Names(p.ID); len(left) > 0 {
		t.Errorf("%v are left", left)
	}
	if found, _, err := d.Sessions.List(t.Context(), session.Filter{Search: "order 7"}); err != nil || len(found) > 0 {
		t.Errorf("it is found by what was erased, %v", err)
	}
	d.Clock.Advance(time.Hour)
	if again := erase(t, d, p.ID); again.Statement != got.Statement || !again.ErasedAt.Equal(got.ErasedAt) {
		t.Error("erasing a second time answers another receipt")
	}
	d.Work(t) // the job finds nothing to do
	_, err = d.Erasures.Erase(t.Context(), idv.Live, p.ID)
	sessiontest.WantProblem(t, err, problem.NotFound)
}

func TestErasingAnUnfinishedSessionCancelsIt(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Start(t, session.Spec{})
	p.SendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("anna"))
	erase(t, d, p.ID)
	d.Work(t) // jobs of before
	s := d.Session(t, p.ID)
	if s.State != idv.Cancelled || s.ErasedAt.IsZero() || d.Lab.Extracted() > 0 {
		t.Errorf("it is %+v", s)
	}
	if types := d.Store.EventTypes(p.ID); !slices.Equal(types[len(types)-2:], []session.EventType{session.EventCancelled, session.EventErased}) {
		t.Errorf("events %v", types)
	}
	_, err := d.Applicant.Open(t.Context(), p.Link)
	sessiontest.WantProblem(t, err, problem.NotFound)
}

func TestAnErasingThatWasInterruptedIsFinished(t *testing.T) {
	t.Parallel()
	for name, finish := range map[string]func(*testing.T, *sessiontest.Deployment){
		"by its job": func(t *testing.T, d *sessiontest.Deployment) { d.Work(t) },
		"by the sweep, without": func(t *testing.T, d *sessiontest.Deployment) {
			d.Store.Forget()
			if err := d.Erasures.FinishStale(t.Context()); err != nil { // it may be under way
				t.Fatal(err)
			}
			d.Clock.Advance(3 * time.Minute)
			if err := d.Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := sessiontest.New(t)
			p := d.Ended(t, session.Spec{})
			d.Store.Pictures().Fail(errors.New("the bucket is away"))
			if r := erase(t, d, p.ID); !r.FinishedAt.IsZero() || r.Proof != nil {
				t.Errorf("the receipt is finished: %+v", r)
			}
			d.Store.Pictures().Fail(nil)
			if _, err := d.Store.Pictures().Get(t.Context(), p.ID, d.Store.Pictures().Names(p.ID)[0]); !problem.Has(err, problem.SessionErased) {
				t.Errorf("a picture whose key is gone: %v", err)
			}
			finish(t, d)
			r, err := d.Erasures.Receipt(t.Context(), idv.Test, p.ID)
			if err != nil || r.FinishedAt.IsZero() || r.Proof == nil || len(d.Store.Pictures().Names(p.ID)) > 0 {
				t.Errorf("%+v, %v", r, err)
			}
		})
	}
}

func TestALegalHoldKeepsEverything(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Ended(t, session.Spec{})
	ctx := sessiontest.As(t, "usr_1")
	_, err := d.Holds.SetHold(ctx, idv.Test, p.ID, " ")
	sessiontest.WantProblem(t, err, problem.RequestMalformed)
	_, err = d.Holds.SetHold(ctx, idv.Test, p.ID, "\x00")
	sessiontest.WantProblem(t, err, problem.RequestMalformed)
	for _, reason := range []string{"court 7", "another reason"} { // the first stays
		if v, err := d.Holds.SetHold(ctx, idv.Test, p.ID, reason); err != nil || v.Session.HeldAt.IsZero() {
			t.Fatalf("%+v, %v", v.Session, err)
		}
	}
	standing, err := d.Holds.StandingHolds(t.Context(), "", 10)
	if err != nil || len(standing) != 1 || standing[0].Reason != "court 7" || standing[0].SetBy != "user:usr_1" ||
		standing[0].Mode != idv.Test || standing[0].Keeping.ReportUntil.IsZero() {
		t.Errorf("standing %+v, %v", standing, err)
	}
	_, err = d.Erasures.Erase(t.Context(), "", p.ID)
	sessiontest.WantProblem(t, err, problem.SessionLegalHold)
	d.Clock.Advance(idv.TestRetention)
	run := func() session.RetentionRuns {
		t.Helper()
		if err := d.Retention.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		runs, err := d.Retention.RetentionRuns(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return runs
	}
	if runs := run(); runs.Last.Sessions+runs.Last.Pictures > 0 || d.Session(t, p.ID).State != idv.Approved {
		t.Errorf("a run erased %+v", runs)
	}
	for range 2 { // lifting what is lifted changes nothing
		if v, err := d.Holds.LiftHold(ctx, idv.Test, p.ID); err != nil || !v.Session.HeldAt.IsZero() {
			t.Fatalf("%+v, %v", v.Session, err)
		}
	}
	if runs := run(); runs.Erased.Sessions != 1 {
		t.Errorf("after it was lifted: %+v", runs)
	}
	holds, err := d.Holds.Holds(t.Context(), idv.Test, p.ID)
	if err != nil || len(holds) != 1 || holds[0].Reason != "" || holds[0].LiftedBy != "user:usr_1" {
		t.Errorf("of an erased session: %+v, %v", holds, err)
	}
	_, err = d.Holds.SetHold(ctx, idv.Test, p.ID, "too late")
	sessiontest.WantProblem(t, err, problem.SessionErased)
	_, err = d.Holds.Holds(t.Context(), idv.Live, p.ID)
	sessiontest.WantProblem(t, err, problem.NotFound)
	if n, err := d.Retention.CountHolds(t.Context()); err != nil || n != 0 {
		t.Errorf("%d holds stand, %v", n, err)
	}
}

func TestWhoTakesConsentBackIsErasedInSpiteOfAHold(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Start(t, session.Spec{})
	p.Send(t, idv.StepDocumentFront, idvtest.Passport("anna"))
	if _, err := d.Holds.SetHold(t.Context(), "", p.ID, "court 7"); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Consent(t, false, ""); err != nil {
		t.Fatal(err)
	}
	r, err := d.Erasures.Receipt(t.Context(), "", p.ID)
	if err != nil || r.Scope != session.ScopePictures || r.Entry.Actor != audit.Applicant && r.Entry.Actor != audit.System {
		t.Errorf("%+v, %v", r, err)
	}
}

// followed is somebody who was declined for their document and began again with another one; and the session that follows.
func followed(t *testing.T, d *sessiontest.Deployment) (*sessiontest.Person, idv.SessionID) {
	t.Helper()
	expired := idvtest.Passport("anna")
	expired.Expired = true
	p := d.Start(t, session.Spec{Workflow: d.Workflow("again", func(w *idv.WorkflowVersion) { w.AnotherDocument = true })})
	p.SendBoth(t, expired, idvtest.Selfie("anna"))
	d.Work(t)
	next, err := d.Applicant.AnotherDocument(t.Context(), p.ID)
	if err != nil {
		t.Fatal(err)
	}
	return p, next.Session
}

func TestErasingReachesTheSessionOfTheOtherDocument(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		of   func(first, next idv.SessionID) idv.SessionID
	}{
		{"from the declined one", func(first, _ idv.SessionID) idv.SessionID { return first }},
		{"from the one that follows it", func(_, next idv.SessionID) idv.SessionID { return next }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := sessiontest.New(t)
			p, next := followed(t, d)
			asked := c.of(p.ID, next)
			if r := erase(t, d, asked); r.Session != asked {
				t.Errorf("the receipt is that of %s", r.Session)
			}
			for id, state := range map[idv.SessionID]idv.SessionState{p.ID: idv.Declined, next: idv.Cancelled} {
				s := d.Session(t, id)
				if s.ErasedAt.IsZero() || s.State != state || len(d.Store.Pictures().Names(id)) > 0 {
					t.Errorf("session %s after the erasing: %+v", id, s)
				}
			}
			erase(t, d, asked)
		})
	}
}

func TestAHoldOfOneKeepsBothSessions(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p, next := followed(t, d)
	if _, err := d.Holds.SetHold(sessiontest.As(t, "usr_1"), idv.Test, next, "court 7"); err != nil {
		t.Fatal(err)
	}
	for _, id := range []idv.SessionID{p.ID, next} {
		_, err := d.Erasures.Erase(t.Context(), idv.Test, id)
		sessiontest.WantProblem(t, err, problem.SessionLegalHold)
	}
	if s := d.Session(t, p.ID); !s.ErasedAt.IsZero() {
		t.Error("the one that is not held was erased")
	}
}
