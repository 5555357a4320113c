package applicant

import (
	"testing"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

func TestOnlyASelfieThatDidNotMatchHasAnExtraTry(t *testing.T) {
	w := idv.DefaultWorkflow(idv.Test)
	mismatch := &idv.StepProblem{Code: problem.FaceMismatch.Code, Step: idv.StepSelfie}
	blurred := &idv.StepProblem{Code: problem.CaptureBlurred.Code, Step: idv.StepSelfie}
	for name, c := range map[string]struct {
		step idv.Step
		used int
		last *idv.StepProblem
		want int
	}{
		"a fresh step":                     {idv.StepSelfie, 0, nil, 3},
		"a mismatch with tries left":       {idv.StepSelfie, 1, mismatch, 2},
		"a mismatch on the last try":       {idv.StepSelfie, 3, mismatch, 1},
		"a blurred picture on the last":    {idv.StepSelfie, 3, blurred, 0},
		"another step than the mismatched": {idv.StepDocumentFront, 3, mismatch, 0},
	} {
		rec := session.Record{Session: idv.Session{Attempts: map[idv.Step]int{c.step: c.used}, LastProblem: c.last}}
		if got := stepLimit(rec, w, c.step) - c.used; got != c.want {
			t.Errorf("%s: %d tries left, want %d", name, got, c.want)
		}
	}
}
