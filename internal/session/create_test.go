package session_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/sessiontest"
)

func TestANewSessionIsOnRecordWithoutItsSecret(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	c, err := d.Sessions.Create(sessiontest.As(t, "usr_1"), session.Spec{
		Mode: idv.Test, ExternalReference: "order 7", Locale: "pt-BR", ReturnURL: "https://example.org/",
	})
	if err != nil {
		t.Fatal(err)
	}
	w := c.Workflow
	want := idv.Session{
		ID: c.Session.ID, Mode: idv.Test, Workflow: w.ID, ExternalReference: "order 7", Metadata: map[string]string{}, Claimed: map[idv.ClaimName]string{},
		State: idv.Created, Redo: []idv.Step{}, Attempts: map[idv.Step]int{}, Locale: "pt-BR", ReturnURL: "https://example.org/",
		CreatedBy: "usr_1", CreatedAt: d.Clock.Now(), LinkExpiresAt: d.Clock.Now().Add(w.LinkLife),
	}
	if diff := cmp.Diff(want, d.Session(t, c.Session.ID)); diff != "" {
		t.Errorf("the session (-want +got):\n%s", diff)
	}
	if w.Name != idv.WorkflowDefault {
		t.Errorf("it follows %s, not the default workflow", w.Name)
	}
	rec := d.Record(t, c.Session.ID)
	if len(c.Link) != 43 || rec.LinkHash != session.HashSecret(c.Link) || strings.Contains(fmt.Sprintf("%+v", rec), c.Link) {
		t.Errorf("link %q, record %+v", c.Link, rec)
	}
	if diff := cmp.Diff([]session.EventType{session.EventCreated}, d.Store.EventTypes(c.Session.ID)); diff != "" {
		t.Error(diff)
	}
	if a := d.Store.Audited(c.Session.ID); len(a) != 1 || a[0].Action != "session.created" || a[0].ActorID != "usr_1" || a[0].Address == "192.0.2.7" {
		t.Errorf("audited %+v", a)
	}
}

func TestWhatASessionCannotBeMadeOfIsRefusedByItsField(t *testing.T) {
	t.Parallel()
	long := func(n int) string { return strings.Repeat("é", n) }
	many := map[string]string{}
	for i := range session.MaxMetadataKeys + 1 {
		many[fmt.Sprint(i)] = ""
	}
	for _, c := range []struct {
		name, field string
		spec        session.Spec
	}{
		{"a mode that there is not", "/mode", session.Spec{Mode: "dev"}},
		{"a language that is none", "/locale", session.Spec{Locale: "english please"}},
		{"a long reference", "/external_reference", session.Spec{ExternalReference: long(session.MaxReference + 1)}},
		{"a control character", "/external_reference", session.Spec{ExternalReference: "a\x00b"}},
		{"bytes that are not UTF-8", "/external_reference", session.Spec{ExternalReference: "\xff"}},
		{"too many keys", "/metadata", session.Spec{Metadata: many}},
		{"a long key", "/metadata/" + long(40) + "…", session.Spec{Metadata: map[string]string{long(session.MaxMetadataKey + 1): "x"}}},
		{"a long value", "/metadata/k", session.Spec{Metadata: map[string]string{"k": long(session.MaxMetadataValue + 1)}}},
		{"a fact that cannot be claimed", "/claimed", session.Spec{Claimed: map[idv.ClaimName]string{idv.DateOfExpiry: "2030-01-01"}}},
		{"a long fact", "/claimed/family_name", session.Spec{Claimed: map[idv.ClaimName]string{idv.FamilyName: long(session.MaxClaim + 1)}}},
		{"a date in another form", "/claimed/date_of_birth", session.Spec{Claimed: map[idv.ClaimName]string{idv.DateOfBirth: "21.5.1980"}}},
		{"a persona that there is not", "/claimed/document_number", session.Spec{Claimed: map[idv.ClaimName]string{idv.DocumentNumber: "persona:nobody"}}},
		{"an address with credentials", "/return_url", session.Spec{ReturnURL: "https://me:secret@example.org/"}},
		{"an address without a host", "/return_url", session.Spec{ReturnURL: "https:///x"}},
		{"http to anywhere", "/return_url", session.Spec{ReturnURL: "http://example.org/"}},
		{"http to this machine in live mode", "/return_url", session.Spec{Mode: idv.Live, ReturnURL: "http://localhost/"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := sessiontest.New(t)
			if c.spec.Mode == "" {
				c.spec.Mode = idv.Test
			}
			_, err := d.Sessions.Create(t.Context(), c.spec)
			p, ok := problem.As(err)
			if !ok || p.Kind.Code != problem.RequestMalformed.Code || p.Field != c.field {
				t.Errorf("got %v, want request.malformed at %s", err, c.field)
			}
			if n := len(d.Store.Audited("")); n > 0 {
				t.Errorf("%d entries are on record of a session that was refused", n)
			}
		})
	}
}

func TestWhatASessionCanBeMadeOf(t *testing.T) {
	t.Parallel()
	for name, spec := range map[string]session.Spec{
		"nothing but its mode":                          {Mode: idv.Live},
		"as many characters as fit":                     {Mode: idv.Test, ExternalReference: strings.Repeat("é", session.MaxReference)},
		"a date of birth that is known in part":         {Mode: idv.Test, Claimed: map[idv.ClaimName]string{idv.DateOfBirth: "1980-XX-XX"}},
		"http to this machine in test mode":             {Mode: idv.Test, ReturnURL: "http://127.0.0.1:8080/back"},
		"a persona's name in live mode is a number":     {Mode: idv.Live, Claimed: map[idv.ClaimName]string{idv.DocumentNumber: "persona:nobody"}},
		"a workflow by its name":                        {Mode: idv.Test, Workflow: idv.WorkflowNoLiveness},
		"text that would be code anywhere else is text": {Mode: idv.Test, ExternalReference: `'; DROP TABLE sessions; --<script>`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := sessiontest.New(t)
			c, err := d.Sessions.Create(t.Context(), spec)
			if err != nil {
				t.Fatal(err)
			}
			if got := d.Session(t, c.Session.ID); got.ExternalReference != spec.ExternalReference || got.Persona != "" {
				t.Errorf("it reads %+v", got)
			}
		})
	}
}

func TestASessionFollowsAPublishedWorkflowOfItsMode(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	draft := idv.PictureWorkflow(idv.Test)
	draft.Name, draft.State = "draft", idv.Draft
	d.Store.AddWorkflow(draft)
	live, err := d.Sessions.Workflow(t.Context(), idv.Live, "")
	if err != nil {
		t.Fatal(err)
	}
	for name, workflow := range map[string]string{
		"none of that name": "none", "a draft": "draft", "the version of another mode": string(live.ID),
		"a version that is not there": string(live.ID[:len(live.ID)-1]) + "0",
	} {
		_, err := d.Sessions.Create(t.Context(), session.Spec{Mode: idv.Test, Workflow: workflow})
		if p, ok := problem.As(err); !ok || p.Kind.Code != problem.WorkflowNotPublished.Code || p.Field != "/workflow" {
			t.Errorf("%s: %v", name, err)
		}
	}
	byID, err := d.Sessions.Workflow(t.Context(), idv.Live, string(live.ID))
	if err != nil || byID.Name != idv.WorkflowDefault {
		t.Errorf("by its id: %s, %v", byID.Name, err)
	}
	all, err := d.Sessions.Workflows(t.Context(), idv.Test)
	if err != nil || len(all) != len(idv.BuiltInWorkflows(idv.Test)) {
		t.Errorf("%d workflows are offered, %v", len(all), err)
	}
}

func TestANewLinkTakesThePlaceOfTheOld(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Start(t, session.Spec{})
	d.Clock.Advance(time.Minute)
	c, err := d.Sessions.NewLink(t.Context(), idv.Test, p.ID)
	if err != nil || c.Link == p.Link || !c.Session.LinkExpiresAt.Equal(d.Clock.Now().Add(c.Workflow.LinkLife)) {
		t.Fatalf("%+v, %v", c, err)
	}
	_, err = d.Applicant.Open(t.Context(), p.Link)
	sessiontest.WantProblem(t, err, problem.NotFound)
	if again := d.Open(t, c); again.ID != p.ID {
		t.Errorf("the new link opens %s", again.ID)
	}
	_, err = d.Handoffs.Applicant(t.Context(), p.Token)
	sessiontest.WantProblem(t, err, problem.SessionContinued)
	done := d.Ended(t, session.Spec{})
	_, err = d.Sessions.NewLink(t.Context(), idv.Test, done.ID)
	sessiontest.WantProblem(t, err, problem.SessionConflict)
}
