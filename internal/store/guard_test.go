package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
)

// forceState puts a session into a state, past every rule.
func forceState(t *testing.T, d *deployment, id idv.SessionID, state idv.SessionState) {
	t.Helper()
	err := d.store.InTx(t.Context(), func(ctx context.Context, tx session.Tx) error {
		rec, err := tx.Lock(ctx, id)
		if err != nil {
			return err
		}
		rec.State = state
		rec.ExpiresAt = d.clock.now().Add(idv.DefaultSessionLife)
		return tx.SaveSession(ctx, rec)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// guardMoves walks the table: whatever a caller can ask for either leads where the table says, or is refused
// and changes nothing.
func guardMoves(t *testing.T, d *deployment) {
	ctx := t.Context()
	for _, from := range idv.SessionStates() {
		for _, m := range []struct {
			event idv.SessionEvent
			call  func(session.Created, idv.SessionID) error
		}{
			{idv.Opened, func(c session.Created, _ idv.SessionID) error { _, err := d.Applicant.Open(ctx, c.Link); return err }},
			{idv.Withdrawn, func(_ session.Created, id idv.SessionID) error {
				_, err := d.Sessions.Cancel(ctx, idv.Test, id)
				return err
			}},
			{idv.Withdrawn, func(_ session.Created, id idv.SessionID) error { return d.Applicant.Withdraw(ctx, id) }},
			{idv.Submitted, func(_ session.Created, id idv.SessionID) error {
				_, err := d.Captures.Submit(ctx, id, applicant.Submission{
					Step: idv.StepDocumentFront, Attempt: "x", Bytes: idvtest.Picture(t, idvtest.Passport("anna")),
				})
				return err
			}},
			{idv.Accepted, func(_ session.Created, id idv.SessionID) error { return d.Decisions.Evaluate(ctx, id) }},
		} {
			c := d.create(t, session.Spec{})
			forceState(t, d, c.Session.ID, from)
			err := m.call(c, c.Session.ID)
			got := d.await(t, c.Session.ID, idv.SessionStates()...).State
			to, listed := from.Next(m.event)
			if m.event == idv.Accepted { // a job: the policy refers a session of which nothing is known
				to, listed = from.Next(idv.Referred)
				listed = listed && from == idv.Processing
			}
			if got != from && (!listed || got != to) {
				t.Errorf("%s led from %s to %s (%v)", m.event, from, got, err)
			}
			if !listed && err == nil && m.event == idv.Withdrawn {
				t.Errorf("%s from %s was not refused", m.event, from)
			}
		}
	}
}

func guardOrder(t *testing.T, d *deployment) {
	ctx := t.Context()
	a := d.onlyOpen(t, d.create(t, session.Spec{}))
	if _, err := a.try(t, idv.StepDocumentFront, idvtest.Passport("anna")); !problem.Has(err, problem.ConsentMissing) {
		t.Fatalf("before consent: %v", err)
	}
	if _, err := d.Applicant.Choose(ctx, a.id, applicant.Choice{Kind: idv.Passport}); !problem.Has(err, problem.ConsentMissing) {
		t.Fatalf("choosing before consent: %v", err)
	}
	if _, err := d.Applicant.Consent(ctx, a.id, session.Consent{Given: true, TextVersion: "1", Locale: "en"}); err != nil {
		t.Fatal(err)
	}
	if _, err := a.try(t, idv.StepDocumentFront, idvtest.Passport("anna")); !problem.Has(err, problem.CaptureOutOfOrder) {
		t.Fatalf("before choosing: %v", err)
	}
	if _, err := d.Applicant.Choose(ctx, a.id, applicant.Choice{Kind: "library_card"}); !problem.Has(err, problem.DocumentTypeNotAccepted) {
		t.Fatalf("an unknown kind: %v", err)
	}
	for _, k := range []idv.DocumentKind{idv.Passport, idv.IDCard} { // a change of mind is fine
		if _, err := d.Applicant.Choose(ctx, a.id, applicant.Choice{Kind: k}); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []idv.Step{idv.StepSelfie, idv.StepDocumentBack, idv.StepConsent, "nonsense"} {
		if _, err := a.try(t, step, idvtest.Selfie("anna")); !problem.Has(err, problem.CaptureOutOfOrder) {
			t.Fatalf("%s first: %v", step, err)
		}
	}
	card := idvtest.Passport("anna")
	card.Kind = idv.IDCard
	a.send(t, idv.StepDocumentFront, card)
	if _, err := d.Applicant.Choose(ctx, a.id, applicant.Choice{Kind: idv.Passport}); !problem.Has(err, problem.CaptureOutOfOrder) {
		t.Fatalf("another kind after its picture: %v", err)
	}
	front := a.sent
	a.sent-- // the very same bytes again
	card.Take = string(rune('a' + front))
	_, err := d.Captures.Submit(ctx, a.id, applicant.Submission{Step: idv.StepDocumentBack, Attempt: "same", Bytes: idvtest.Picture(t, card)})
	if !problem.Has(err, problem.CaptureSameSideTwice) {
		t.Fatalf("the front as the back: %v", err)
	}
	a.sent += 2
	if task := a.send(t, idv.StepDocumentBack, card); task.Step != idv.StepSelfie {
		t.Fatalf("after the back comes %s", task.Step)
	}
}

func guardAttempts(t *testing.T, d *deployment) {
	ctx := t.Context()
	a := d.open(t)
	good := idvtest.Picture(t, idvtest.Passport("anna"))
	sub := applicant.Submission{Step: idv.StepDocumentFront, Attempt: "try-1", MediaType: "image/jpeg", Bytes: good}
	first, err := d.Captures.Submit(ctx, a.id, sub)
	if err != nil {
		t.Fatal(err)
	}
	again, err := d.Captures.Submit(ctx, a.id, sub)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(first, again); diff != "" {
		t.Errorf("a repeat answers otherwise (-first +again):\n%s", diff)
	}
	sub.Bytes = idvtest.Picture(t, idvtest.Passport("berta"))
	if _, err := d.Captures.Submit(ctx, a.id, sub); !problem.Has(err, problem.CaptureAttemptReused) {
		t.Errorf("other bytes: %v", err)
	}
	blurred := idvtest.Selfie("anna")
	blurred.Glance = problem.CaptureBlurred.Code
	sub = applicant.Submission{Step: idv.StepSelfie, Attempt: "try-2", Bytes: idvtest.Picture(t, blurred)}
	for range 2 {
		if _, err := d.Captures.Submit(ctx, a.id, sub); !problem.Has(err, problem.CaptureBlurred) {
			t.Errorf("a refused picture: %v", err)
		}
	}
	task, err := d.Applicant.Task(ctx, a.id)
	if err != nil || task.AttemptsLeft != 2 {
		t.Errorf("the repeat of a refusal cost a try: %d left, %v", task.AttemptsLeft, err)
	}
	for _, bad := range []string{"", strings.Repeat("x", 65), "a b", "../../etc"} {
		sub.Attempt = bad
		if _, err := d.Captures.Submit(ctx, a.id, sub); !problem.Has(err, problem.RequestMalformed) {
			t.Errorf("attempt id %q: %v", bad, err)
		}
	}
}

func guardLimits(t *testing.T, d *deployment) {
	ctx := t.Context()
	a := d.open(t)
	for i := range idv.DefaultSessionAttempts {
		// What is no picture costs none of the step's tries, only of the session's.
		_, err := d.Captures.Submit(ctx, a.id, applicant.Submission{
			Step: idv.StepDocumentFront, Attempt: fmt.Sprintf("t%d", i), Bytes: fmt.Appendf(nil, "no picture %d", i),
		})
		if !problem.Has(err, problem.CaptureNotAnImage) {
			t.Fatalf("try %d: %v", i, err)
		}
	}
	if _, err := a.try(t, idv.StepDocumentFront, idvtest.Passport("anna")); !problem.Has(err, problem.AttemptsExhausted) {
		t.Fatalf("after the last try: %v", err)
	}
	if _, err := d.Captures.Submit(ctx, a.id, applicant.Submission{Step: idv.StepDocumentFront, Attempt: "empty"}); err == nil {
		t.Fatal("nothing was accepted as a picture")
	}
}

func guardSpec(t *testing.T, d *deployment) {
	testing, err := d.store.WorkflowNamed(t.Context(), idv.Test, session.DefaultWorkflowName)
	if err != nil || testing.Mode != idv.Test {
		t.Fatalf("workflow of mode %q, %v", testing.Mode, err)
	}
	many := map[string]string{}
	for i := range session.MaxMetadataKeys + 1 {
		many[fmt.Sprint(i)] = "x"
	}
	for name, c := range map[string]struct {
		spec session.Spec
		kind problem.Kind
		at   string
	}{
		"an unknown mode":            {session.Spec{Mode: "prod"}, problem.RequestMalformed, "/mode"},
		"an unknown workflow":        {session.Spec{Workflow: "nope"}, problem.WorkflowNotPublished, "/workflow"},
		"a long reference":           {session.Spec{ExternalReference: strings.Repeat("ä", 201)}, problem.RequestMalformed, "/external_reference"},
		"a workflow for tests, live": {session.Spec{Mode: idv.Live, Workflow: string(testing.ID)}, problem.WorkflowNotPublished, "/workflow"},
		"a control character":        {session.Spec{ExternalReference: "a\x00b"}, problem.RequestMalformed, "/external_reference"},
		"broken UTF-8":               {session.Spec{ExternalReference: "\xff"}, problem.RequestMalformed, "/external_reference"},
		"too many metadata keys":     {session.Spec{Metadata: many}, problem.RequestMalformed, "/metadata"},
		"a long metadata key": {
			session.Spec{Metadata: map[string]string{strings.Repeat("k", 41): ""}}, problem.RequestMalformed,
			"/metadata/" + strings.Repeat("k", 40) + "…",
		},
		"a long metadata value": {session.Spec{Metadata: map[string]string{"k": strings.Repeat("v", 501)}}, problem.RequestMalformed, "/metadata/k"},
		"an unknown claim":      {session.Spec{Claimed: map[idv.ClaimName]string{"shoe_size": "42"}}, problem.RequestMalformed, "/claimed"},
		"a date that is none": {session.Spec{Claimed: map[idv.ClaimName]string{idv.DateOfBirth: "12.8.1974"}}, problem.RequestMalformed,
			"/claimed/date_of_birth"},
		"a return address by http":    {session.Spec{ReturnURL: "http://example.com"}, problem.RequestMalformed, "/return_url"},
		"a return address with a key": {session.Spec{ReturnURL: "https://user:pass@example.com"}, problem.RequestMalformed, "/return_url"},
		"a return address by script":  {session.Spec{ReturnURL: "javascript:alert(1)"}, problem.RequestMalformed, "/return_url"},
		"loopback in live mode":       {session.Spec{Mode: idv.Live, ReturnURL: "http://localhost"}, problem.RequestMalformed, "/return_url"},
		"a locale that is none":       {session.Spec{Locale: "<b>"}, problem.RequestMalformed, "/locale"},
	} {
		if c.spec.Mode == "" {
			c.spec.Mode = idv.Test
		}
		_, err := d.Sessions.Create(t.Context(), c.spec)
		p, ok := problem.As(err)
		if !ok || p.Kind.Code != c.kind.Code || p.Field != c.at {
			t.Errorf("%s: %v, want %s at %s", name, err, c.kind.Code, c.at)
		}
	}
}

func guardTexts(t *testing.T, d *deployment) {
	ctx := t.Context()
	nasty := []string{
		`'; DROP TABLE sessions; --`, `" OR 1=1`, `<script>alert(1)</script>`, `?0 ?1 ? $1 \' \\`, `%_`, "Zoë ☃ 你好",
	}
	for _, s := range nasty {
		c := d.create(t, session.Spec{
			ExternalReference: s, Metadata: map[string]string{"k": s}, Claimed: map[idv.ClaimName]string{idv.FamilyName: s},
		})
		v, err := d.Sessions.Get(ctx, idv.Test, c.Session.ID)
		if err != nil {
			t.Fatalf("%q: %v", s, err)
		}
		if diff := cmp.Diff(c.Session, v.Session); diff != "" {
			t.Errorf("%q came back otherwise:\n%s", s, diff)
		}
		found, _, err := d.Sessions.List(ctx, session.Filter{Mode: idv.Test, Search: s})
		if err != nil || len(found) != 1 || found[0].Session.ID != c.Session.ID {
			t.Errorf("search for %q found %d, %v", s, len(found), err)
		}
		if _, err := d.Sessions.Get(ctx, idv.Mode(s), c.Session.ID); !problem.Has(err, problem.NotFound) {
			t.Errorf("mode %q: %v", s, err)
		}
		if _, err := d.Sessions.Get(ctx, idv.Test, idv.SessionID(s)); !problem.Has(err, problem.NotFound) {
			t.Errorf("id %q: %v", s, err)
		}
		f := session.Filter{Mode: idv.Test, Limit: 1, Reason: s, States: []idv.SessionState{idv.SessionState(s)}}
		if list, err := d.store.Sessions(ctx, f); err != nil || len(list) != 0 {
			t.Errorf("filter %q: %d, %v", s, len(list), err)
		}
	}
}

func guardCompareAndSet(t *testing.T, d *deployment) {
	ctx := t.Context()
	c := d.create(t, session.Spec{})
	stale, err := d.store.Session(ctx, c.Session.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Sessions.Cancel(ctx, idv.Test, c.Session.ID); err != nil {
		t.Fatal(err)
	}
	err = d.store.InTx(ctx, func(ctx context.Context, tx session.Tx) error {
		stale.State = idv.Capturing
		return tx.SaveSession(ctx, stale)
	})
	if !problem.Has(err, problem.SessionConflict) {
		t.Fatalf("writing what somebody else moved: %v", err)
	}
	if v, err := d.Sessions.Get(ctx, "", c.Session.ID); err != nil || v.Session.State != idv.Cancelled {
		t.Fatalf("%s, %v", v.Session.State, err)
	}
	events, err := d.Sessions.Timeline(ctx, "", c.Session.ID)
	if err != nil || slices.ContainsFunc(events, func(e session.Event) bool { return e.Type == session.EventOpened }) {
		t.Fatalf("events %v, %v", events, err)
	}
}
