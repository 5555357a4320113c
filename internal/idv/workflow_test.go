package idv

import (
	"slices"
	"testing"
)

func TestAWorkflowSaysWhatItLeavesUnprovedOfThePerson(t *testing.T) {
	without := func(w WorkflowVersion, s Step) WorkflowVersion {
		w.Steps = slices.DeleteFunc(slices.Clone(w.Steps), func(x Step) bool { return x == s })
		w.Required = slices.DeleteFunc(slices.Clone(w.Required), func(k CheckKind) bool { return k == CheckLiveness || k == CheckFaceMatch })
		return w
	}
	for name, c := range map[string]struct {
		w    WorkflowVersion
		want string
	}{
		"a selfie that answers a challenge": {DefaultWorkflow(Live), ""},
		"a selfie that is one picture":      {PictureWorkflow(Live), "liveness_not_required"},
		"no selfie":                         {without(DefaultWorkflow(Live), StepSelfie), "face_not_compared"},
	} {
		if got := c.w.LivenessNotice(); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}
