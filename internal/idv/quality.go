package idv

import "time"

// QualityVerdict is what a second look at an approval found.
type QualityVerdict string

// The verdicts.
const (
	Agree    QualityVerdict = "agree"
	Disagree QualityVerdict = "disagree"
)

// QualityReview is an approval that was drawn for a second look. Its verdict is a figure and changes no decision.
type QualityReview struct {
	Session   SessionID
	Mode      Mode
	Workflow  WorkflowVersionID
	Decision  DecisionID // the approval that was drawn
	DecidedBy string     // id of the reviewer who approved, or "policy"
	DrawnAt   time.Time

	By      UserID // who looked; empty until somebody did
	Verdict QualityVerdict
	Reasons []string // with disagree: codes of the catalogue
	Note    string   // for the team; gone once the session is erased
	At      time.Time
}
