package insight

import (
	"context"
	"errors"
	"time"

	"github.com/bonafide-id/bonafide/internal/buildinfo"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// Machine tells how the machinery behind the sessions stands.
type Machine interface {
	// Jobs counts jobs that are not done, by kind.
	Jobs(ctx context.Context) ([]Jobs, error)
	Database(ctx context.Context) (Database, error)
	// Evidence tells how much of pictures and what was found in them is kept.
	Evidence(ctx context.Context) (Evidence, error)
	// AuditSize returns how many entries the audit log has, and how many of them have no position in it yet.
	AuditSize(ctx context.Context) (entries, waiting int64, err error)
	// HookFailures counts deliveries of webhooks by how they stand: due ones that failed before, and given up ones since.
	HookFailures(ctx context.Context, since time.Time) (failing, givenUp int, err error)
}

// Jobs is how the jobs of one kind stand.
type Jobs struct {
	Kind    string
	Waiting int // due now
	Working int
	Later   int       // due later: a try that failed waits for the next, or it was asked for later
	Failed  int       // given up
	Oldest  time.Time // since when the first of those due now waits; zero for none
}

// Database is where rows are.
type Database struct {
	Engine  string // sqlite or postgres
	Version string // of the engine
	Bytes   int64
	Schema  int64 // number of the last migration
	Newest  int64 // number of the last migration that this binary has
	Skew    time.Duration
}

// Evidence is how much evidence is kept.
type Evidence struct {
	Captures int64
	Bytes    int64 // of captures as they were sent; what they take when sealed is a little more
}

// Model is a model file that this binary carries.
type Model struct {
	Name, Version, Use string
	Licence            string
	Provenance         string // where its weights come from
	Documented         bool   // its makers say who they are and what it was trained on
	Evaluation         string // by whom, and for whom, its errors were measured
	SHA256             string
	Fault              string // why it cannot be used; empty where its digest is right
	Calibration        *Calibration
}

// Calibration is what was measured of a model.
type Calibration struct {
	DataSet string
	Rates   []Rate // by rising threshold
}

// Rate is how often a model errs at a threshold.
type Rate struct {
	Threshold, FMR, FNMR float64
}

// Finding is one thing that was looked at.
type Finding struct {
	What, Health, Found, Remedy string
}

// System is what only the running program knows of itself. Fields that are nil answer nothing.
type System struct {
	Build    buildinfo.Info
	Started  time.Time
	Models   func() []Model
	Engine   func() string // loading, ready or broken
	Findings func(ctx context.Context) []Finding
}

// Report is how a deployment stands.
type Report struct {
	Build    buildinfo.Info
	Started  time.Time
	Now      time.Time
	Engine   string
	Models   []Model
	Jobs     []Jobs
	Database Database
	Evidence Evidence
	Audit    struct{ Entries, Waiting int64 }
	Hooks    struct{ Failing, GivenUp int }
	Findings []Finding
}

// Report returns how the deployment stands. It holds no secret, and no place of this machine.
func (s *Service) Report(ctx context.Context) (Report, error) {
	out := Report{Build: s.system.Build, Started: s.system.Started, Now: s.now().UTC(), Models: []Model{}, Findings: []Finding{}}
	if s.system.Models != nil {
		out.Models = s.system.Models()
	}
	if s.system.Engine != nil {
		out.Engine = s.system.Engine()
	}
	if s.system.Findings != nil {
		out.Findings = s.system.Findings(ctx)
	}
	var errs [5]error
	out.Jobs, errs[0] = s.store.Jobs(ctx)
	out.Database, errs[1] = s.store.Database(ctx)
	out.Evidence, errs[2] = s.store.Evidence(ctx)
	out.Audit.Entries, out.Audit.Waiting, errs[3] = s.store.AuditSize(ctx)
	out.Hooks.Failing, out.Hooks.GivenUp, errs[4] = s.store.HookFailures(ctx, out.Now.Add(-24*time.Hour))
	return out, errors.Join(errs[:]...)
}

// Vitals are what an operator wants to be woken for.
type Vitals struct {
	Jobs        []Jobs
	Worked      time.Time // when upkeep last came to its end, by whichever worker; zero for never within the hour
	Due         int       // deliveries of webhooks that wait
	DueSince    time.Time // since when the first of them is due; zero for none
	GivenUp     int       // deliveries given up within a day
	Queues      map[idv.Mode]Queue
	Unsequenced int64 // audit entries without a position
	Erasing     int   // erasings that are not finished
	ErasingFrom time.Time
	Database    time.Duration // that a small question took
	Bytes       int64         // of the database
	Checked     time.Time     // when all pages of the database were last checked; zero for never, and on PostgreSQL
	Damaged     bool          // that check found damage
}
