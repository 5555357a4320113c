package decision

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/policy"
	"github.com/bonafide-id/bonafide/internal/session"
)

func TestOnlyAStepThatWasTakenCanBeRepeated(t *testing.T) {
	ev := session.Evidence{Captures: []session.CaptureRow{{Capture: idv.Capture{Step: idv.StepDocumentFront}}}}
	rec := session.Record{Session: idv.Session{Attempts: map[idv.Step]int{idv.StepDocumentFront: 1}}}
	want := map[idv.Step]int{idv.StepDocumentFront: 2}
	if d := cmp.Diff(want, policy.Attempts{Steps: stepAttempts(rec, ev)}.Remaining(idv.DefaultWorkflow(idv.Test)).Steps); d != "" {
		t.Error(d)
	}
}
