package insight

import (
	"context"
	"errors"
	"time"

	"github.com/bonafide-id/bonafide/internal/buildinfo"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// Machine reports the state of the machinery behind the sessions.
type Machine interface {
	// Jobs counts unfinished jobs by kind.
	Jobs(ctx context.Context) ([]Jobs, error)
	Database(ctx context.Context) (Database, error)
	// Evidence reports how many pictures and artifacts are stored.
	Evidence(ctx context.Context) (Evidence, error)
	// AuditSize returns the number of audit entries, and how many of them have no position in the log yet.
	AuditSize(ctx context.Context) (entries, waiting int64, err error)
	// HookFailures counts webhook deliveries that failed and are due again, and those given up since a time.
	HookFailures(ctx context.Context, since time.Time) (failing, givenUp int, err error)
}

// Jobs counts the jobs of one kind by state.
type Jobs struct {
	Kind    string
	Waiting int // due now
	Working int
	Later   int       // due later: waiting for a retry, or scheduled
	Failed  int       // given up
	Oldest  time.Time // when the first of the Waiting jobs became due; zero for none
}

// Database describes the database.
type Database struct {
	Engine  string // sqlite or postgres
	Version string // of the engine
	Bytes   int64
	Schema  int64 // number of the last migration
	Newest  int64 // number of the last migration in this binary
	Skew    time.Duration
}

// Evidence is the amount of stored evidence.
type Evidence struct {
	Captures int64
	Bytes    int64 // of captures as they were sent; sealed, they take a little more
}

// Model describes a model file in this binary.
type Model struct {
	Name, Version, Use string
	Licence            string
	Provenance         string // where its weights come from
	Documented         bool   // its authors and training data are known
	Evaluation         string // who measured its errors, and on whom
	SHA256             string
	Fault              string // why it cannot be used; empty if its digest is right
	Calibration        *Calibration
}

// Calibration holds the measured error rates of a model.
type Calibration struct {
	DataSet string
	Rates   []Rate // by rising threshold
}

// Rate holds the error rates of a model at a threshold.
type Rate struct {
	Threshold, FMR, FNMR float64
}

// Finding is the result of one check of the deployment.
type Finding struct {
	What, Health, Found, Remedy string
}

// System provides what only the running program knows about itself. Nil fields are left out.
type System struct {
	Build    buildinfo.Info
	Started  time.Time
	Models   func() []Model
	Engine   func() string // loading, ready or broken
	Findings func(ctx context.Context) []Finding
}

// Report describes the state of a deployment.
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

// Report returns the state of the deployment. It contains no secrets and no paths of this machine.
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

// Vitals are the figures that alert an operator.
type Vitals struct {
	Jobs        []Jobs
	Worked      time.Time // when any worker last finished upkeep; zero if not within the hour
	Due         int       // webhook deliveries that are due
	DueSince    time.Time // when the first of them became due; zero for none
	GivenUp     int       // deliveries given up within a day
	Queues      map[idv.Mode]Queue
	Unsequenced int64 // audit entries without a position
	Erasing     int   // erasings that are not finished
	ErasingFrom time.Time
	Database    time.Duration // duration of a trivial query
	Bytes       int64         // of the database
	Checked     time.Time     // when all pages of the database were last checked; zero for never, and on PostgreSQL
	Damaged     bool          // the last check found damage
}
