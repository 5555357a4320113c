package decision_test

import (
	"slices"
	"testing"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/sessiontest"
)

func TestARecordingThatWasSentBeforeIsFoundUntilItIsErased(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	send := func() *sessiontest.Person {
		t.Helper()
		p := d.Start(t, session.Spec{Workflow: idv.WorkflowLiveness})
		task := p.Send(t, idv.StepDocumentFront, idvtest.Passport("anna"))
		same := idvtest.Selfie("anna")
		same.Take = "the same recording"
		if _, err := d.Captures.SubmitFrames(t.Context(), p.ID, p.Run(t, task.Challenge.Token, same)); err != nil {
			t.Fatal(err)
		}
		d.Work(t)
		return p
	}
	first := send()
	if s := d.Session(t, first.ID); s.State != idv.Approved {
		t.Fatalf("the first is %s", s.State)
	}
	second := send()
	if s := d.Session(t, second.ID); s.State == idv.Approved || s.LastProblem != nil && s.LastProblem.Code == problem.LivenessReplayed.Code {
		t.Errorf("the second is %+v", s)
	}
	if !slices.Contains(codes(t, d, second.ID), problem.LivenessReplayed.Code) {
		t.Errorf("reasons %v", codes(t, d, second.ID))
	}
	for _, p := range []*sessiontest.Person{first, second} {
		if _, err := d.Erasures.Erase(t.Context(), "", p.ID); err != nil {
			t.Fatal(err)
		}
	}
	if s := d.Session(t, send().ID); s.State != idv.Approved {
		t.Errorf("after the others were erased it is %s", s.State)
	}
}
