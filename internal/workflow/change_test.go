package workflow

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
)

func TestANewWorkflowHasTheSignals(t *testing.T) {
	drop := func(w *idv.WorkflowVersion, kinds ...idv.CheckKind) {
		w.Required = slices.DeleteFunc(slices.Clone(w.Required), func(k idv.CheckKind) bool { return slices.Contains(kinds, k) })
	}
	tests := []struct {
		name   string
		mode   idv.Mode
		change func(*idv.WorkflowVersion)
		want   []idv.CheckKind // that are added to what it requires
	}{
		{"a copy of one from before there were signals", idv.Live, func(w *idv.WorkflowVersion) { drop(w, idv.Signals()...) }, []idv.CheckKind{
			idv.CheckPassiveLiveness, idv.CheckHead,
		}},
		{"one that asks for light keeps it", idv.Live, func(w *idv.WorkflowVersion) { w.Required = append(w.Required, idv.CheckLight) }, nil},
		{"a copy of one that has them", idv.Live, func(*idv.WorkflowVersion) {}, nil},
		{"in test mode the passive one is left out", idv.Test, func(w *idv.WorkflowVersion) { drop(w, idv.Signals()...) }, []idv.CheckKind{idv.CheckHead}},
		{"one without a challenge", idv.Live, func(w *idv.WorkflowVersion) {
			drop(w, append(idv.Signals(), idv.CheckLiveness, idv.CheckReplay)...)
		}, nil},
		{"one without a selfie", idv.Live, func(w *idv.WorkflowVersion) { w.Steps = w.Steps[:4]; drop(w, idv.FaceChecks()...) }, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := idv.DefaultWorkflow(tt.mode)
			tt.change(&w)
			want := append(slices.Clone(w.Required), tt.want...)
			if d := cmp.Diff(want, withSignals(w)); d != "" {
				t.Errorf("required (-want +got):\n%s", d)
			}
		})
	}
}
