package idv

import "time"

// Retention is how long data is kept after a session came to its end. Zero fields say nothing.
type Retention struct {
	Pictures time.Duration `json:"pictures_ns"` // pictures, templates and what goes with them
	Report   time.Duration `json:"report_ns"`   // everything else that is personal: facts, findings, reports
}

// DefaultRetention is how long data of live sessions is kept unless a workflow or a setting says shorter. The audit log and
// what erasing leaves are kept for AuditRetention.
func DefaultRetention() Retention {
	return Retention{Pictures: 90 * 24 * time.Hour, Report: 365 * 24 * time.Hour}
}

const (
	// AuditRetention is how long what erasing leaves is kept.
	AuditRetention = 7 * 365 * 24 * time.Hour
	// TestRetention is how long anything of test sessions is kept.
	TestRetention = 24 * time.Hour
	// LeastRetention is the shortest that a workflow or a setting can say.
	LeastRetention = time.Hour
)

// Shorter answers the shorter of two retentions, kind by kind. Pictures are never kept longer than the report.
func (r Retention) Shorter(o Retention) Retention {
	out := Retention{Pictures: shorter(r.Pictures, o.Pictures), Report: shorter(r.Report, o.Report)}
	out.Pictures = shorter(out.Pictures, out.Report)
	return out
}

func shorter(a, b time.Duration) time.Duration {
	if a == 0 || (b != 0 && b < a) {
		return b
	}
	return a
}

// Kept answers how long data of sessions that follow a workflow version is kept, where the deployment's setting says set.
func (w WorkflowVersion) Kept(set Retention) Retention {
	out := DefaultRetention().Shorter(set).Shorter(w.Retention)
	if w.Mode == Test {
		out = out.Shorter(Retention{Pictures: TestRetention, Report: TestRetention})
	}
	return out
}
