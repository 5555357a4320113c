package wire

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

func TestAnApplicantIsToldOnlyWhatIsForThem(t *testing.T) {
	tests := map[string]struct {
		in   *idv.StepProblem
		want *TaskProblem
	}{
		"nothing": {nil, nil},
		"a retry reason": {
			&idv.StepProblem{Code: "capture.blurred", Step: idv.StepSelfie},
			&TaskProblem{"capture.blurred", idv.StepSelfie, problem.CaptureBlurred.Title, problem.CaptureBlurred.Remedy},
		},
		"an operator's row": {&idv.StepProblem{Code: "check.not_run"}, nil},
		"a made-up code":    {&idv.StepProblem{Code: "nothing.of_ours"}, nil},
	}
	for _, k := range problem.All() {
		if k.Severity == problem.Fraud {
			tests["the fraud reason "+k.Code] = struct {
				in   *idv.StepProblem
				want *TaskProblem
			}{&idv.StepProblem{Code: k.Code}, nil}
		}
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, TaskProblemOf(tt.in)); diff != "" {
				t.Errorf("told (-want +got):\n%s", diff)
			}
		})
	}
}
