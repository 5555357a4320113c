package wire

import "github.com/bonafide-id/bonafide/internal/workflow"

// WorkflowComparison is what a version says otherwise than another.
type WorkflowComparison struct {
	Before *WorkflowVersionHead `json:"before" doc:"null where there is nothing to compare with"`
	After  WorkflowVersionHead  `json:"after"`
	Items  []WorkflowDifference `json:"items" doc:"In the order of the fields; empty where both say the same"`
}

// WorkflowDifference is one thing that two versions say differently.
type WorkflowDifference struct {
	Field  string          `json:"field" example:"/face_fmr" doc:"JSON pointer into the specification"`
	Text   string          `json:"text" doc:"One to three sentences"`
	Effect workflow.Effect `json:"effect" enum:"stricter,looser,neither"`
}

// ComparisonOf returns the wire form of a comparison.
func ComparisonOf(c workflow.Comparison) WorkflowComparison {
	out := WorkflowComparison{After: headOf(c.After), Items: []WorkflowDifference{}}
	if c.Before != nil {
		h := headOf(*c.Before)
		out.Before = &h
	}
	for _, d := range c.Items {
		out.Items = append(out.Items, WorkflowDifference(d))
	}
	return out
}
