package idv

import "time"

// Retention is how long data is kept after a session ends. Zero fields are unset.
type Retention struct {
	Pictures time.Duration `json:"pictures_ns"` // pictures, templates and everything derived from them
	Report   time.Duration `json:"report_ns"`   // everything else that is personal: facts, findings, reports
}

// DefaultRetention is how long data of live sessions is kept unless a workflow or a setting shortens it.
func DefaultRetention() Retention {
	return Retention{Pictures: 90 * 24 * time.Hour, Report: 365 * 24 * time.Hour}
}

const (
	// AuditRetention is how long entries of the audit log are kept unless a setting shortens it. Their hashes stay.
	AuditRetention = 7 * 365 * 24 * time.Hour
	// LeastAuditRetention is the shortest setting for them: people have at least a year to question a decision.
	LeastAuditRetention = 365 * 24 * time.Hour
	// TestRetention is how long anything of test sessions is kept.
	TestRetention = 24 * time.Hour
	// DemoRetention replaces TestRetention in a deployment filled with demo data.
	DemoRetention = 30 * 24 * time.Hour
	// LeastRetention is the shortest retention that a workflow or a setting can ask for.
	LeastRetention = time.Hour
)

// Shorter returns the shorter of two retentions, kind by kind. Pictures are never kept longer than the report.
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

// RetentionSetting is a deployment's setting for how long data is kept. Except for Demo, it only shortens; zero fields are
// unset.
type RetentionSetting struct {
	Retention
	Test  time.Duration `json:"test_ns,omitempty"`  // anything of test sessions
	Demo  time.Duration `json:"demo_ns,omitempty"`  // anything of test sessions, instead of TestRetention, unless Test is shorter
	Audit time.Duration `json:"audit_ns,omitempty"` // entries of the audit log, from when they were made
}

// DefaultSetting applies to a deployment without a setting; it is also the longest allowed.
func DefaultSetting() RetentionSetting {
	return RetentionSetting{Retention: DefaultRetention(), Test: TestRetention, Audit: AuditRetention}
}

// LeastSetting is the shortest setting that a deployment can have.
func LeastSetting() RetentionSetting {
	return RetentionSetting{Retention: Retention{Pictures: LeastRetention, Report: LeastRetention}, Test: LeastRetention, Audit: LeastAuditRetention}
}

// InForce fills the unset fields of a setting from the defaults.
func (s RetentionSetting) InForce() RetentionSetting {
	most := DefaultSetting()
	if s.Demo != 0 {
		most.Test = s.Demo
	}
	return RetentionSetting{Retention: most.Shorter(s.Retention), Test: shorter(most.Test, s.Test), Demo: s.Demo, Audit: shorter(most.Audit, s.Audit)}
}

// Kept returns how long data of sessions under a workflow version is kept, given the deployment's setting.
func (w WorkflowVersion) Kept(set RetentionSetting) Retention {
	set = set.InForce()
	out := set.Shorter(w.Retention)
	if w.Mode == Test {
		out = out.Shorter(Retention{Pictures: set.Test, Report: set.Test})
	}
	return out
}
