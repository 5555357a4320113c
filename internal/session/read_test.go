package session_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/sessiontest"
)

func TestASessionIsReadInItsOwnModeOnly(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Ended(t, session.Spec{})
	ctx := t.Context()
	reads := map[string]func(idv.Mode, idv.SessionID) error{
		"Get":       func(m idv.Mode, id idv.SessionID) error { _, err := d.Sessions.Get(ctx, m, id); return err },
		"Report":    func(m idv.Mode, id idv.SessionID) error { _, _, err := d.Sessions.Report(ctx, m, id); return err },
		"Decisions": func(m idv.Mode, id idv.SessionID) error { _, err := d.Sessions.Decisions(ctx, m, id); return err },
		"Checks":    func(m idv.Mode, id idv.SessionID) error { _, err := d.Sessions.Checks(ctx, m, id); return err },
		"Captures":  func(m idv.Mode, id idv.SessionID) error { _, _, err := d.Sessions.Captures(ctx, m, id); return err },
		"Timeline":  func(m idv.Mode, id idv.SessionID) error { _, err := d.Sessions.Timeline(ctx, m, id); return err },
		"Cancel":    func(m idv.Mode, id idv.SessionID) error { _, err := d.Sessions.Cancel(ctx, m, id); return err },
	}
	for name, read := range reads {
		sessiontest.WantProblem(t, read(idv.Live, p.ID), problem.NotFound)
		sessiontest.WantProblem(t, read(idv.Test, "ses_none"), problem.NotFound)
		if err := read(idv.Test, p.ID); err != nil && name != "Cancel" {
			t.Errorf("%s: %v", name, err)
		}
	}
	sessiontest.WantProblem(t, reads["Cancel"](idv.Test, p.ID), problem.SessionConflict)
}

func TestWhatIsReadOfASession(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Start(t, session.Spec{})
	_, _, err := d.Sessions.Report(t.Context(), idv.Test, p.ID)
	sessiontest.WantProblem(t, err, problem.NotFound) // nothing is decided
	p.Send(t, idv.StepDocumentFront, idvtest.Passport("anna"))
	p.Send(t, idv.StepSelfie, idvtest.Selfie("bert"))
	d.Work(t)
	p.Send(t, idv.StepSelfie, idvtest.Selfie("anna"))
	d.Work(t)
	report, decisions, err := d.Sessions.Report(t.Context(), idv.Test, p.ID)
	if err != nil || len(decisions) != 1 || decisions[0].Digest != report.Digest || decisions[0].By != session.ByPolicy {
		t.Fatalf("decisions %+v, %v", decisions, err)
	}
	checks, err := d.Sessions.Checks(t.Context(), idv.Test, p.ID)
	if err != nil || len(checks) != len(idv.PictureWorkflow(idv.Test).Required) {
		t.Errorf("%d checks count, %v", len(checks), err)
	}
	captures, artifacts, err := d.Sessions.Captures(t.Context(), idv.Test, p.ID)
	if err != nil || len(captures) != 2 {
		t.Errorf("%d captures count, %v", len(captures), err)
	}
	templates := 0
	for _, a := range artifacts {
		if session.IsTemplate(a.Kind) {
			templates++
			if a.Data != nil {
				t.Errorf("the data of a %s is shown", a.Kind)
			}
		}
	}
	if templates != 2 {
		t.Errorf("%d templates, want that of the portrait and that of the selfie", templates)
	}
	facts := d.Store.Facts(p.ID)
	if len(facts) != 1 || facts[0].Country != "UTO" || facts[0].AgeBand == "" || facts[0].Scores[idv.CheckFaceMatch] != 0.9 || facts[0].Evidence == nil {
		t.Errorf("facts %+v", facts)
	}
	v, err := d.Sessions.Get(t.Context(), "", p.ID)
	want := session.Keeping{PicturesUntil: d.Clock.Now().Add(idv.TestRetention), ReportUntil: d.Clock.Now().Add(idv.TestRetention)}
	if diff := cmp.Diff(want, v.Keeping); diff != "" || err != nil {
		t.Errorf("keeping (-want +got):\n%s%v", diff, err)
	}
	counts, err := d.Sessions.CountStates(t.Context(), idv.Test)
	if diff := cmp.Diff(map[idv.SessionState]int{idv.Approved: 1}, counts); diff != "" || err != nil {
		t.Errorf("%s%v", diff, err)
	}
}

func TestAnErasedSessionSaysWhatWasDecidedAndNothingPersonal(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Ended(t, session.Spec{ExternalReference: "order 7", Claimed: map[idv.ClaimName]string{idv.FamilyName: "Eriksson"}})
	if _, err := d.Erasures.Erase(t.Context(), idv.Test, p.ID); err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	_, _, err := d.Sessions.Report(ctx, idv.Test, p.ID)
	sessiontest.WantProblem(t, err, problem.SessionErased)
	_, err = d.Sessions.Checks(ctx, idv.Test, p.ID)
	sessiontest.WantProblem(t, err, problem.SessionErased)
	_, _, err = d.Sessions.Captures(ctx, idv.Test, p.ID)
	sessiontest.WantProblem(t, err, problem.SessionErased)
	v, err := d.Sessions.Get(ctx, idv.Test, p.ID)
	if s := v.Session; err != nil || s.State != idv.Approved || s.ErasedAt.IsZero() || s.ExternalReference != "" || len(s.Claimed) > 0 ||
		v.Keeping != (session.Keeping{}) {
		t.Errorf("it reads %+v, %v", v, err)
	}
	decisions, err := d.Sessions.Decisions(ctx, idv.Test, p.ID)
	if err != nil || len(decisions) != 1 || decisions[0].Outcome != idv.DecideApprove || decisions[0].Digest != "" {
		t.Errorf("decisions %+v, %v", decisions, err)
	}
}

func TestAListComesInPagesTheNewestFirst(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	var want []idv.SessionID
	for range 5 {
		d.Clock.Advance(time.Second)
		want = append([]idv.SessionID{d.Create(t, session.Spec{}).Session.ID}, want...)
	}
	d.Create(t, session.Spec{Mode: idv.Live, Workflow: idv.WorkflowDefault})
	var got []idv.SessionID
	f := session.Filter{Mode: idv.Test, Limit: 2}
	for pages := 1; ; pages++ {
		views, next, err := d.Sessions.List(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range views {
			got = append(got, v.Session.ID)
		}
		if f.After = next; next == "" {
			if pages != 3 {
				t.Errorf("%d pages", pages)
			}
			break
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	all, next, err := d.Sessions.List(t.Context(), session.Filter{Limit: 1 << 20})
	if err != nil || len(all) != 6 || next != "" {
		t.Errorf("%d sessions, next %q, %v", len(all), next, err)
	}
	_, _, err = d.Sessions.List(t.Context(), session.Filter{After: "no cursor"})
	sessiontest.WantProblem(t, err, problem.RequestMalformed)
	facets, err := d.Sessions.Facets(t.Context(), idv.Test)
	if err != nil || len(facets.Workflows) != 3 || len(facets.Countries) != 0 {
		t.Errorf("facets %+v, %v", facets, err)
	}
}

func TestALookForAPersonIsOnRecordBeforeItIsAnswered(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Ended(t, session.Spec{Metadata: map[string]string{"team": "blue"}})
	found, _, err := d.Sessions.Search(sessiontest.As(t, "usr_1"), session.Filter{
		Wanted: session.Wanted{Name: " Anna Maria ERIKSSON", DocumentNumber: "L898902C3"},
	})
	if err != nil || len(found) != 1 || found[0].Session.ID != p.ID {
		t.Errorf("found %+v, %v", found, err)
	}
	log := d.Store.Audited("")
	if last := log[len(log)-1]; last.Action != session.SessionsSearched || last.Subject != "name,document_number" || last.ActorID != "usr_1" {
		t.Errorf("on record: %+v", last)
	}
	d.Store.FailNextCommit(errors.New("the log is full"))
	if found, _, err := d.Sessions.Search(t.Context(), session.Filter{Wanted: session.Wanted{Name: "Anna Maria Eriksson"}}); err == nil || found != nil {
		t.Errorf("answered without a record: %+v", found)
	}
	before := len(d.Store.Audited(""))
	for name, w := range map[string]session.Wanted{
		"nothing": {}, "blanks": {Name: "  "}, "a key without its value": {MetadataKey: "team"}, "a value without its key": {MetadataValue: "blue"},
		"a control character": {Name: "\x01"},
	} {
		if _, _, err := d.Sessions.Search(t.Context(), session.Filter{Wanted: w}); !problem.Has(err, problem.RequestMalformed) {
			t.Errorf("a search for %s: %v", name, err)
		}
	}
	if after := len(d.Store.Audited("")); after != before {
		t.Errorf("%d searches that were refused are on record", after-before)
	}
}

func TestEventsHaveACursorAndWakeWhoWatches(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	c := d.Create(t, session.Spec{})
	wake, stop := d.Sessions.Watch(c.Session.ID)
	defer stop()
	d.Open(t, c)
	select {
	case <-wake:
	default:
		t.Error("nobody was woken")
	}
	all, err := d.Sessions.Events(t.Context(), c.Session.ID, "")
	if err != nil || len(all) != 2 {
		t.Fatalf("%d events, %v", len(all), err)
	}
	rest, err := d.Sessions.Events(t.Context(), c.Session.ID, all[0].ID)
	if diff := cmp.Diff(all[1:], rest); diff != "" || err != nil {
		t.Errorf("after the first: %s%v", diff, err)
	}
	stop()
	d.Clock.Advance(idv.DefaultSessionLife)
	if err := d.Sessions.Expire(t.Context()); err != nil {
		t.Fatal(err)
	}
	select {
	case <-wake:
		t.Error("somebody was woken who does not watch any more")
	default:
	}
}
