package store

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
	"github.com/bonafide-id/bonafide/internal/store/queue"
)

// handOver makes a link and answers it.
func (a *person) handOver(t *testing.T) string {
	t.Helper()
	h, err := a.d.Handoffs.HandOver(t.Context(), a.id)
	if err != nil {
		t.Fatal(err)
	}
	return h.Link
}

// on opens a link in another browser.
func (a *person) on(t *testing.T, link string) *person {
	t.Helper()
	o, err := a.d.Applicant.Open(t.Context(), link)
	if err != nil {
		t.Fatal(err)
	}
	if o.Session != a.id {
		t.Fatalf("the link opened %s, want %s", o.Session, a.id)
	}
	return &person{d: a.d, id: o.Session, link: link, token: o.Token, key: o.Key}
}

// wantBrowser says what a browser may: everything, only watch, or nothing any more.
func (a *person) wantBrowser(t *testing.T, who, want string) {
	t.Helper()
	got := "has the session"
	b, err := a.d.Handoffs.Browser(t.Context(), a.token)
	switch {
	case problem.Has(err, problem.SessionBoundElsewhere):
		got = "had the session"
	case problem.Has(err, problem.SessionContinued):
		got = "had it in an earlier tab"
	case err != nil:
		t.Fatalf("%s: %v", who, err)
	case b.Session != a.id:
		t.Fatalf("%s: session %s", who, b.Session)
	case b.Watches:
		got = "watches"
	}
	if got != want {
		t.Errorf("%s %s, want: %s", who, got, want)
	}
	if _, err := a.d.Handoffs.Applicant(t.Context(), a.token); (err == nil) != (got == "has the session") {
		t.Errorf("%s %s, and as the applicant: %v", who, got, err)
	}
}

func handoffMoves(t *testing.T, d *deployment) {
	d.work(t, queue.WorkOptions{})
	desk := d.open(t)
	link := desk.handOver(t)
	if len(link) != 43 {
		t.Fatalf("link %q", link)
	}
	before, err := d.Sessions.Timeline(t.Context(), "", desk.id)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 { // a preview looks, and looks again
		p, err := d.Applicant.Peek(t.Context(), link)
		if err != nil || !p.Handoff || p.Session.ID != desk.id || time.Until(p.ExpiresAt).Round(time.Minute) != idv.HandoffLife {
			t.Fatalf("peek: %+v, %v", p, err)
		}
	}
	after, err := d.Sessions.Timeline(t.Context(), "", desk.id)
	if err != nil || len(after) != len(before) {
		t.Fatalf("looking made %d events, %v", len(after)-len(before), err)
	}
	desk.wantBrowser(t, "the desktop, before the link is opened,", "has the session")

	phone := desk.on(t, link)
	desk.wantBrowser(t, "the desktop", "watches")
	phone.wantBrowser(t, "the phone", "has the session")
	if _, err := d.Applicant.Peek(t.Context(), link); !problem.Has(err, problem.HandoffUsed) {
		t.Errorf("looking at a used link: %v", err)
	}
	if _, err := d.Applicant.Open(t.Context(), link); !problem.Has(err, problem.HandoffUsed) {
		t.Errorf("opening a used link: %v", err)
	}
	wantStatus(t, d, desk.id, applicant.Status{State: idv.TaskStep, Position: 3, Total: 4, Notices: []string{"liveness_not_required"}})
	phone.sendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("anna"))
	d.await(t, desk.id, idv.Approved)
	wantStatus(t, d, desk.id, applicant.Status{State: idv.TaskApproved, Notices: []string{"liveness_not_required"}})
	desk.wantBrowser(t, "the desktop, at the end,", "watches")
	if err := d.Handoffs.HandBack(t.Context(), desk.id); !problem.Has(err, problem.SessionFinished) {
		t.Errorf("handing back what is finished: %v", err)
	}
	if _, err := d.Handoffs.HandOver(t.Context(), desk.id); !problem.Has(err, problem.SessionFinished) {
		t.Errorf("handing on what is finished: %v", err)
	}
	wantEvents(t, d, desk.id, session.EventCreated, session.EventOpened, session.EventHandoffMade, session.EventHandedOver,
		session.EventSubmitted, session.EventApproved)
}

func wantStatus(t *testing.T, d *deployment, id idv.SessionID, want applicant.Status) {
	t.Helper()
	got, err := d.Handoffs.Status(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	got.Total = max(got.Total, 0)
	if want.Total == 0 {
		got.Position, got.Total = 0, 0
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("status (-want +got):\n%s", diff)
	}
}

func handoffBack(t *testing.T, d *deployment) {
	ctx := t.Context()
	desk := d.open(t)
	if err := d.Handoffs.HandBack(ctx, desk.id); !problem.Has(err, problem.NotFound) {
		t.Errorf("handing back what came from nowhere: %v", err)
	}
	phone := desk.on(t, desk.handOver(t))
	tablet := phone.on(t, phone.handOver(t))
	desk.wantBrowser(t, "the desktop", "watches")
	phone.wantBrowser(t, "the phone", "watches")
	left := tablet.handOver(t) // and not opened
	if err := d.Handoffs.HandBack(ctx, desk.id); err != nil {
		t.Fatal(err)
	}
	tablet.wantBrowser(t, "the tablet", "had the session")
	phone.wantBrowser(t, "the phone, again,", "has the session")
	desk.wantBrowser(t, "the desktop", "watches")
	if _, err := d.Applicant.Open(ctx, left); !problem.Has(err, problem.HandoffExpired) {
		t.Errorf("a link of a browser that gave the session back: %v", err)
	}
	if err := d.Handoffs.HandBack(ctx, desk.id); err != nil {
		t.Fatal(err)
	}
	desk.wantBrowser(t, "the desktop, again,", "has the session")
	phone.wantBrowser(t, "the phone", "had the session")
	again := desk.on(t, desk.handOver(t))
	again.wantBrowser(t, "a phone after that", "has the session")
	phone.wantBrowser(t, "the phone of before", "had the session")
}

func handoffEnds(t *testing.T, d *deployment) {
	ctx := t.Context()
	refused := func(what, link string, want problem.Kind) {
		t.Helper()
		if _, err := d.Applicant.Peek(ctx, link); !problem.Has(err, want) {
			t.Errorf("looking at a link %s: %v", what, err)
		}
		if _, err := d.Applicant.Open(ctx, link); !problem.Has(err, want) {
			t.Errorf("opening a link %s: %v", what, err)
		}
	}
	desk := d.open(t)
	first := desk.handOver(t)
	second := desk.handOver(t)
	refused("that another replaced", first, problem.HandoffExpired)
	if task, err := d.Handoffs.KeepHere(ctx, desk.id); err != nil || task.Step != idv.StepDocumentFront {
		t.Fatalf("keeping it here: %+v, %v", task, err)
	}
	refused("that was taken back", second, problem.HandoffExpired)
	refused("that nobody made", "nonsense", problem.NotFound)

	third := desk.handOver(t)
	d.clock.advance(idv.HandoffLife - time.Second)
	if _, err := d.Applicant.Peek(ctx, third); err != nil {
		t.Errorf("a second before its end: %v", err)
	}
	d.clock.advance(time.Second)
	refused("whose time is over", third, problem.HandoffExpired)
	desk.wantBrowser(t, "the desktop", "has the session")

	fourth := desk.handOver(t)
	fresh, err := d.Sessions.NewLink(ctx, idv.Test, desk.id)
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := d.onlyOpen(t, fresh)
	refused("of a browser that a new link replaced", fourth, problem.HandoffExpired)
	desk.wantBrowser(t, "the desktop, whose code nobody opened, after a new link,", "had it in an earlier tab")

	phone := elsewhere.on(t, elsewhere.handOver(t))
	if fresh, err = d.Sessions.NewLink(ctx, idv.Test, desk.id); err != nil {
		t.Fatal(err)
	}
	d.onlyOpen(t, fresh)
	elsewhere.wantBrowser(t, "who handed on, after a new link,", "had the session")
	phone.wantBrowser(t, "the phone, after a new link,", "had the session")

	late := d.open(t)
	link := late.handOver(t)
	late.sendBoth(t, idvtest.Passport("eve"), idvtest.Selfie("eve"))
	refused("after everything was sent", link, problem.SessionFinished)
	old := d.open(t)
	link = old.handOver(t)
	d.clock.advance(idv.DefaultSessionLife)
	refused("to a session that ran out of time", link, problem.SessionExpired)
}

func handoffBounded(t *testing.T, d *deployment) {
	desk := d.open(t)
	for range applicant.HandoffsAtOnce {
		desk.handOver(t)
	}
	if _, err := d.Handoffs.HandOver(t.Context(), desk.id); !problem.Has(err, problem.RateLimited) {
		t.Errorf("one more: %v", err)
	}
	d.clock.advance(idv.HandoffLife)
	desk.handOver(t)
}

// handoffRace lets a hundred browsers open one link at once.
func handoffRace(t *testing.T, d *deployment) {
	desk := d.open(t)
	link := desk.handOver(t)
	won := make([]string, 100)
	for i, err := range together(len(won), func(i int) error {
		o, err := d.Applicant.Open(t.Context(), link)
		won[i] = o.Token
		return err
	}) {
		if err != nil && !problem.Has(err, problem.HandoffUsed) {
			t.Errorf("browser %d: %v", i, err)
		}
	}
	var tokens []string
	for _, token := range won {
		if token != "" {
			tokens = append(tokens, token)
		}
	}
	if len(tokens) != 1 {
		t.Fatalf("%d browsers have the session", len(tokens))
	}
	if id, err := d.Handoffs.Applicant(t.Context(), tokens[0]); err != nil || id != desk.id {
		t.Errorf("who won: %s, %v", id, err)
	}
}

// handoffUnderWay: what a browser began while it had the session does not count once it has not.
func handoffUnderWay(t *testing.T, d *deployment) {
	desk := d.open(t)
	ctx := applicant.WithBrowser(t.Context(), desk.token)
	if _, err := d.Applicant.Choose(ctx, desk.id, applicant.Choice{Kind: idv.Passport}); err != nil {
		t.Fatal(err)
	}
	phone := desk.on(t, desk.handOver(t))
	sub := applicant.Submission{Step: idv.StepDocumentFront, Attempt: "late", Bytes: idvtest.Picture(t, idvtest.Passport("eve"))}
	_, sent := d.Captures.Submit(ctx, desk.id, sub)
	_, asked := d.Applicant.Consent(ctx, desk.id, session.Consent{TextVersion: "1", Locale: "en"})
	_, kept := d.Handoffs.KeepHere(ctx, desk.id)
	_, made := d.Handoffs.HandOver(ctx, desk.id)
	for what, err := range map[string]error{
		"sends": sent, "declines": asked, "keeps it": kept, "hands it on": made,
		"hands it back": d.Handoffs.HandBack(ctx, desk.id), "withdraws": d.Applicant.Withdraw(ctx, desk.id),
	} {
		if !problem.Has(err, problem.SessionBoundElsewhere) {
			t.Errorf("the old browser %s: %v", what, err)
		}
	}
	if task := phone.send(t, idv.StepDocumentFront, idvtest.Passport("anna")); task.Step != idv.StepSelfie {
		t.Errorf("the phone is at %s", task.Step)
	}
}

// handoffAtRest: neither link nor token lies in the database, and what is old is dropped.
func handoffAtRest(t *testing.T, d *deployment) {
	ctx := t.Context()
	desk := d.open(t)
	link := desk.handOver(t)
	phone := desk.on(t, link)
	rows, err := d.store.Handoffs(ctx, desk.id)
	if err != nil || len(rows) != 1 {
		t.Fatalf("%d hand-offs, %v", len(rows), err)
	}
	for _, kept := range []string{rows[0].LinkHash, rows[0].From, rows[0].To} {
		if len(kept) != 64 || strings.Contains(link+desk.token+phone.token, kept) {
			t.Errorf("kept %q", kept)
		}
	}
	d.clock.advance(handoffsKept)
	if err := d.store.dropExpired(ctx); err != nil {
		t.Fatal(err)
	}
	if rows, err = d.store.Handoffs(ctx, desk.id); err != nil || len(rows) != 0 {
		t.Errorf("%d hand-offs are left, %v", len(rows), err)
	}
}
