package retention

import (
	"context"
	"fmt"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// Kind is what a time of keeping is about.
type Kind string

// The kinds.
const (
	KeepPictures Kind = "pictures"
	KeepReport   Kind = "report"
	KeepAudit    Kind = "audit"
)

// Forecast counts what will be erased of one kind: sessions, of the audit log entries. What is held is left out.
type Forecast struct {
	Kind   Kind
	Next   int // by the next run
	Week   int // within seven days, the next run's among them
	Month  int // within thirty days, likewise
	Sooner int // things that are there and go sooner than by the setting of now
}

// forecastSpans are how far a forecast looks.
var forecastSpans = []time.Duration{job.RetainEvery, 7 * 24 * time.Hour, 30 * 24 * time.Hour}

// Retention answers the deployment's setting; zero fields say nothing.
func (s *Retention) Retention(ctx context.Context) (idv.RetentionSetting, error) {
	return s.store.Retention(ctx)
}

// RetentionRuns answers what the job did lately; zero where it never ran.
func (s *Retention) RetentionRuns(ctx context.Context) (session.RetentionRuns, error) {
	return s.store.RetentionRuns(ctx)
}

// CountHolds counts the legal holds that are set.
func (s *Retention) CountHolds(ctx context.Context) (int, error) { return s.store.CountHolds(ctx) }

// RetentionVersions lists the workflow versions that say something of their own, by name and number: drafts have no sessions
// and are left out.
func (s *Retention) RetentionVersions(ctx context.Context) (out []idv.WorkflowVersion, err error) {
	all, err := s.store.WorkflowVersions(ctx)
	for _, w := range all {
		if w.Retention != (idv.Retention{}) && w.State != idv.Draft {
			out = append(out, w)
		}
	}
	return out, err
}

// SetRetention sets how long the data of every session is kept at most, from now on and for those that are there. It only
// shortens. Problems: request.malformed.
func (s *Retention) SetRetention(ctx context.Context, r idv.RetentionSetting) error {
	return s.ChangeRetention(ctx, func(idv.RetentionSetting) idv.RetentionSetting { return r })
}

// ChangeRetention sets what is made of the setting that is there. Problems: as with SetRetention.
func (s *Retention) ChangeRetention(ctx context.Context, change func(idv.RetentionSetting) idv.RetentionSetting) error {
	return s.store.InTx(ctx, func(ctx context.Context, tx session.Tx) error {
		set, err := tx.Retention(ctx)
		if err != nil {
			return err
		}
		r := change(set)
		if err := checkSetting(r); err != nil {
			return err
		}
		if err := tx.SetRetention(ctx, r); err != nil {
			return err
		}
		return tx.Audit(ctx, audit.Record{Action: "retention.changed", Subject: settingSubject(r)})
	})
}

// settingSubject says in the audit log what was set, in hours: of a change of retention the question is always to what.
func settingSubject(r idv.RetentionSetting) string {
	hours := func(d time.Duration) int { return int(d.Hours()) }
	r = r.InForce()
	return fmt.Sprintf("pictures:%d report:%d test:%d audit:%d", hours(r.Pictures), hours(r.Report), hours(r.Test), hours(r.Audit))
}

func checkSetting(r idv.RetentionSetting) error {
	least, most := idv.LeastSetting(), idv.DefaultSetting()
	for _, one := range []struct {
		field          string
		v, least, most time.Duration
	}{
		{"/pictures_hours", r.Pictures, least.Pictures, most.Pictures}, {"/report_hours", r.Report, least.Report, most.Report},
		{"/test_hours", r.Test, least.Test, most.Test}, {"/audit_hours", r.Audit, least.Audit, most.Audit},
	} {
		if one.v != 0 && (one.v < one.least || one.v > one.most) {
			return problem.New(problem.RequestMalformed).At(one.field).Saying("%d to %d hours, or 0 for the default.", int(one.least.Hours()), int(one.most.Hours()))
		}
	}
	if kept := r.InForce(); r.Pictures > kept.Report {
		return problem.New(problem.RequestMalformed).At("/pictures_hours").Saying("Pictures cannot be kept longer than the report.")
	}
	return nil
}

// Forecast counts what is due soon, by the setting of now or, if next is not nil, by that. Problems: request.malformed.
func (s *Retention) Forecast(ctx context.Context, next *idv.RetentionSetting) ([]Forecast, error) {
	set, err := s.store.Retention(ctx)
	if err != nil {
		return nil, err
	}
	then := set
	if next != nil {
		if then = *next; checkSetting(then) != nil {
			return nil, checkSetting(then)
		}
	}
	versions, err := s.store.WorkflowVersions(ctx)
	if err != nil {
		return nil, err
	}
	pictures, err := s.forecast(ctx, Forecast{Kind: KeepPictures}, session.ScopePictures, versions, func(w idv.WorkflowVersion) (now, later time.Duration) {
		return w.Kept(set).Pictures, w.Kept(then).Pictures
	})
	if err != nil {
		return nil, err
	}
	report, err := s.forecast(ctx, Forecast{Kind: KeepReport}, session.ScopeAll, versions, func(w idv.WorkflowVersion) (now, later time.Duration) {
		return w.Kept(set).Report, w.Kept(then).Report
	})
	if err != nil {
		return nil, err
	}
	entries, err := s.forecastEntries(ctx, set.InForce().Audit, then.InForce().Audit)
	return []Forecast{pictures, report, entries}, err
}

// forecast counts the sessions of all versions. Versions that keep as long are counted together.
func (s *Retention) forecast(
	ctx context.Context, out Forecast, scope session.Scope, versions []idv.WorkflowVersion, kept func(idv.WorkflowVersion) (now, then time.Duration),
) (Forecast, error) {
	type terms struct{ now, then time.Duration }
	alike := map[terms][]idv.WorkflowVersionID{}
	for _, w := range versions {
		var t terms
		t.now, t.then = kept(w)
		alike[t] = append(alike[t], w.ID)
	}
	for t, of := range alike {
		n, err := s.store.CountDue(ctx, of, scope, s.horizons(t.then))
		if err != nil {
			return out, err
		}
		out.add(n, t.then < t.now)
	}
	return out, nil
}

func (s *Retention) forecastEntries(ctx context.Context, now, then time.Duration) (Forecast, error) {
	out := Forecast{Kind: KeepAudit}
	n, err := s.store.CountEntries(ctx, s.horizons(then))
	if err == nil {
		out.add(n, then < now)
	}
	return out, err
}

// horizons are the times before which things came to their end that are due within each span, and last now: all there are.
func (s *Retention) horizons(kept time.Duration) []time.Time {
	out := make([]time.Time, 0, len(forecastSpans)+1)
	for _, span := range forecastSpans {
		out = append(out, s.life.Now().Add(min(0, span-kept))) // what is not yet at its end is in no count
	}
	return append(out, s.life.Now())
}

func (f *Forecast) add(n []int, sooner bool) {
	f.Next, f.Week, f.Month = f.Next+n[0], f.Week+n[1], f.Month+n[2]
	if sooner {
		f.Sooner += n[3]
	}
}
