package wire

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

func TestAnApplicantIsToldOnlyWhatIsForThem(t *testing.T) {
	tests := map[string]struct {
		in    *idv.StepProblem
		found *idv.FoundDocument
		want  *TaskProblem
	}{
		"nothing": {nil, nil, nil},
		"a retry reason": {
			&idv.StepProblem{Code: "capture.blurred", Step: idv.StepSelfie}, nil,
			&TaskProblem{Code: "capture.blurred", Step: idv.StepSelfie, Title: problem.CaptureBlurred.Title, Remedy: problem.CaptureBlurred.Remedy},
		},
		"a question, with what was read": {
			&idv.StepProblem{Code: "document.expiry_doubted", Step: idv.StepDocumentFront}, &idv.FoundDocument{Kind: idv.Passport, Expiry: "2019-05-03"},
			&TaskProblem{
				Code: "document.expiry_doubted", Step: idv.StepDocumentFront, Title: problem.DocumentExpiryDoubted.Title,
				Remedy: problem.DocumentExpiryDoubted.Remedy, Asks: true, DocumentKind: idv.Passport, Expiry: "2019-05-03",
			},
		},
		"an operator's row": {&idv.StepProblem{Code: "check.not_run"}, nil, nil},
		"a made-up code":    {&idv.StepProblem{Code: "nothing.of_ours"}, nil, nil},
	}
	for _, k := range problem.All() {
		if k.Severity == problem.Fraud {
			tests["the fraud reason "+k.Code] = struct {
				in    *idv.StepProblem
				found *idv.FoundDocument
				want  *TaskProblem
			}{&idv.StepProblem{Code: k.Code}, nil, nil}
		}
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, TaskProblemOf(tt.in, tt.found)); diff != "" {
				t.Errorf("told (-want +got):\n%s", diff)
			}
		})
	}
}
