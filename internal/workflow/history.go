package workflow

import (
	"context"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/policy"
)

// History reads past decisions.
type History interface {
	// PastDecisions returns decisions that the policy took, newest first.
	PastDecisions(ctx context.Context, f PastFilter) ([]PastDecision, error)
	// Figures counts what became of the sessions of workflow versions, in no order; a version without sessions is left out.
	Figures(ctx context.Context, of []idv.WorkflowVersionID, from, to time.Time) ([]Figures, error)
}

// PastFilter narrows a list of decisions. Zero fields match all.
type PastFilter struct {
	Mode      idv.Mode
	Workflows []idv.WorkflowVersionID // taken under one of these
	From, To  time.Time               // taken at or after From, before To
	After     idv.DecisionID          // older than this one
	Session   idv.SessionID           // of this session
	Limit     int
}

// PastDecision is a decision that the policy took.
type PastDecision struct {
	Decision idv.DecisionID
	Session  idv.SessionID
	Erased   bool // whether the session was erased
	Workflow idv.WorkflowVersionID
	Outcome  idv.DecisionOutcome
	Rule     string
	Reasons  []string
	At       time.Time
	Person   idv.DecisionOutcome // what a person decided of the session later; empty for none
	Facts    *policy.Facts       // nil if none were stored
}

// Figures are what became of the sessions that follow a version, of those that were created in a span of time.
type Figures struct {
	Version   idv.WorkflowVersionID
	Created   int
	Submitted int
	Approved  int // by their newest decision
	Declined  int
	Referred  int           // and waiting for a person
	ByPolicy  int           // of those that were approved or declined: by nobody but the policy
	Median    time.Duration // from sending everything to the newest final decision; 0 where there is none
}

// Decided is how many sessions reached a final decision.
func (f Figures) Decided() int { return f.Approved + f.Declined }
