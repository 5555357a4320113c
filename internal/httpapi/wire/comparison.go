package wire

import (
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/workflow"
)

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
	out := WorkflowComparison{After: headOf(c.After)}
	if c.Before != nil {
		h := headOf(*c.Before)
		out.Before = &h
	}
	out.Items = DifferencesOf(c.Items)
	return out
}

// WorkflowSpecs are two specifications to be compared.
type WorkflowSpecs struct {
	Mode   idv.Mode     `json:"mode" enum:"live,test"`
	Before WorkflowSpec `json:"before"`
	After  WorkflowSpec `json:"after"`
}

// WorkflowSpecDifferences is what one specification says otherwise than another.
type WorkflowSpecDifferences struct {
	Items  []WorkflowDifference `json:"items" doc:"In the order of the fields; empty where both say the same"`
	Issues []WorkflowIssue      `json:"issues" doc:"What would keep the second one from being published"`
}

// DifferencesOf returns the wire forms of differences.
func DifferencesOf(found []workflow.Difference) []WorkflowDifference {
	out := []WorkflowDifference{}
	for _, d := range found {
		out = append(out, WorkflowDifference(d))
	}
	return out
}
