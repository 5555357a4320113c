package session_test

import (
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/sessiontest"
)

func TestAFilterThatNothingCanMatchIsRefusedByName(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	day := time.Date(2026, 5, 4, 0, 0, 0, 0, time.UTC)
	for name, tt := range map[string]struct {
		filter session.Filter
		field  string
	}{
		"a state of no session":      {session.Filter{States: []idv.SessionState{idv.Approved, "asleep"}}, "state"},
		"an outcome that is none":    {session.Filter{Outcome: "maybe"}, "outcome"},
		"a reason of no catalogue":   {session.Filter{Reason: "foo"}, "reason"},
		"a document that is none":    {session.Filter{Kinds: []idv.DocumentKind{"library_card"}}, "document_kind"},
		"a state that is none":       {session.Filter{Countries: []string{"UTO", "ZZZ"}}, "country"},
		"a state in small letters":   {session.Filter{Countries: []string{"deu"}}, "country"},
		"a workflow that is none":    {session.Filter{Workflow: "nope"}, "workflow"},
		"an end before the start":    {session.Filter{From: day, To: day.Add(-time.Hour)}, "to"},
		"a workflow and a bad state": {session.Filter{Workflow: idv.WorkflowDefault, Countries: []string{"ZZZ"}}, "country"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tt.filter.Mode = idv.Test
			_, _, err := d.Sessions.List(t.Context(), tt.filter)
			p, ok := problem.As(err)
			if !ok || p.Kind.Code != problem.RequestMalformed.Code || p.Field != tt.field {
				t.Errorf("got %v, want request.malformed at %s", err, tt.field)
			}
		})
	}
	for name, f := range map[string]session.Filter{
		"no filter": {}, "Germany": {Countries: []string{"D"}}, "Germany by ISO 3166": {Countries: []string{"DEU"}},
		"the workflow that is there": {Workflow: idv.WorkflowDefault}, "a code of the catalogue": {Reason: problem.CaptureBlurred.Code},
		"an empty code": {Countries: []string{""}}, "every state": {States: idv.SessionStates()}, "every kind": {Kinds: idv.DocumentKinds()},
		"no time at all": {From: day, To: day},
	} {
		f.Mode = idv.Test
		if _, _, err := d.Sessions.List(t.Context(), f); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestADateOfBirthHasComeSomewhere(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	for date, good := range map[string]bool{
		"1980-05-21": true, "1980-XX-XX": true, "1980-05-XX": true, "2026-05-04": true, "2026-05-05": true, "2026-XX-XX": true, "2026-05-XX": true,
		"2026-05-06": false, "2026-06-XX": false, "2027-XX-XX": false, "2999-01-01": false, "1980-13-01": false, "1981-02-29": false, "": false,
	} {
		if err := session.CheckDateOfBirth("/claimed/date_of_birth", date, now); (err == nil) != good {
			t.Errorf("%s: %v", date, err)
		}
	}
	d := sessiontest.New(t)
	_, err := d.Sessions.Create(t.Context(), session.Spec{Mode: idv.Test, Claimed: map[idv.ClaimName]string{idv.DateOfBirth: "2999-01-01"}})
	if p, ok := problem.As(err); !ok || p.Field != "/claimed/date_of_birth" {
		t.Errorf("claimed in a new session: %v", err)
	}
}
