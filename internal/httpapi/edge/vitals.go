package edge

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/attribute"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/insight"
)

// Vital is where Metrics reads the deployment's vitals from. Read, Models and Free may not be nil.
type Vital struct {
	Read   func(context.Context) (insight.Vitals, error)
	Models func() string            // loading, ready or broken
	Free   func() map[string]uint64 // bytes, by what is kept there
	Now    func() time.Time         // nil for time.Now
	Log    *slog.Logger             // nil for slog.Default
}

// vitalWithin is how long the database has to answer; a scrape has to answer also when it does not.
const vitalWithin = 5 * time.Second

// reading asks for the vitals, and tells the log once when they can no longer be read and once when they can again.
type reading struct {
	Vital
	broken atomic.Bool
}

func (r *reading) now(ctx context.Context) (_ insight.Vitals, there bool) {
	ctx, cancel := context.WithTimeout(ctx, vitalWithin)
	defer cancel()
	v, err := r.Read(ctx)
	switch {
	case err != nil && r.broken.CompareAndSwap(false, true):
		r.Log.WarnContext(ctx, "the state of the deployment cannot be read", "error", err)
	case err == nil && r.broken.CompareAndSwap(true, false):
		r.Log.InfoContext(ctx, "the state of the deployment can be read again")
	}
	return v, err == nil
}

// observe reports the value of a gauge, with its labels.
type observe func(value float64, labels ...attribute.KeyValue)

// gauge is a figure of the deployment, with the labels that it has.
type gauge struct {
	name, what string
	read       func(o observe, v insight.Vitals, now time.Time)
}

// gauges are the figures of the deployment: the same on every node, so that an alarm takes their maximum.
func gauges() []gauge {
	mode := func(m idv.Mode) attribute.KeyValue { return attribute.String("mode", string(m)) }
	kind := func(j insight.Jobs, state string) []attribute.KeyValue {
		return []attribute.KeyValue{attribute.String("job", j.Kind), attribute.String("state", state)}
	}
	return append(databaseGauges(), []gauge{
		{"bonafide_jobs", "Jobs by kind and state; failed ones were given up", func(o observe, v insight.Vitals, _ time.Time) {
			for _, j := range v.Jobs {
				for state, n := range map[string]int{"waiting": j.Waiting, "working": j.Working, "later": j.Later, "failed": j.Failed} {
					o(float64(n), kind(j, state)...)
				}
			}
		}},
		{"bonafide_job_oldest_seconds", "How long the first job that is due waits", func(o observe, v insight.Vitals, now time.Time) {
			for _, j := range v.Jobs {
				o(since(now, j.Oldest), attribute.String("job", j.Kind))
			}
		}},
		{
			"bonafide_worker_idle_seconds",
			"Since when no worker has finished the upkeep that is due every ten seconds; 3600 for an hour and more",
			func(o observe, v insight.Vitals, now time.Time) {
				if v.Worked.IsZero() {
					o(time.Hour.Seconds())
					return
				}
				o(since(now, v.Worked))
			},
		},
		{
			"bonafide_webhooks_due", "Deliveries of webhooks that are due",
			func(o observe, v insight.Vitals, _ time.Time) { o(float64(v.Due)) },
		},
		{"bonafide_webhooks_oldest_seconds", "How long the first delivery is due", func(o observe, v insight.Vitals, now time.Time) {
			o(since(now, v.DueSince))
		}},
		{
			"bonafide_webhooks_given_up", "Deliveries given up within a day",
			func(o observe, v insight.Vitals, _ time.Time) { o(float64(v.GivenUp)) },
		},
		{"bonafide_review_waiting", "Cases that wait for a person, and of them those past their target", func(o observe, v insight.Vitals, _ time.Time) {
			for m, q := range v.Queues {
				o(float64(q.Waiting-q.Overdue), mode(m), attribute.String("target", "within"))
				o(float64(q.Overdue), mode(m), attribute.String("target", "past"))
			}
		}},
		{"bonafide_review_oldest_seconds", "How long the first case waits", func(o observe, v insight.Vitals, now time.Time) {
			for m, q := range v.Queues {
				o(since(now, q.Oldest), mode(m))
			}
		}},
		{
			"bonafide_audit_unsequenced", "Entries of the audit log that have no position yet",
			func(o observe, v insight.Vitals, _ time.Time) { o(float64(v.Unsequenced)) },
		},
		{
			"bonafide_erasings_unfinished", "Erasings that are not finished",
			func(o observe, v insight.Vitals, _ time.Time) { o(float64(v.Erasing)) },
		},
		{"bonafide_erasings_oldest_seconds", "How long the first erasing is not finished", func(o observe, v insight.Vitals, now time.Time) {
			o(since(now, v.ErasingFrom))
		}},
	}...)
}

// databaseGauges are the figures of the database.
func databaseGauges() []gauge {
	return []gauge{
		{
			"bonafide_database_answer_seconds", "Time that the database took for a small question",
			func(o observe, v insight.Vitals, _ time.Time) { o(v.Database.Seconds()) },
		},
		{
			"bonafide_database_damaged", "1 where the last check of all pages of an SQLite database found damage",
			func(o observe, v insight.Vitals, _ time.Time) { o(truth(v.Damaged)) },
		},
		{
			"bonafide_database_checked_seconds", "How long ago all pages of an SQLite database were checked; 0 for never",
			func(o observe, v insight.Vitals, now time.Time) { o(since(now, v.Checked)) },
		},
		{"bonafide_database_bytes", "What the database takes", func(o observe, v insight.Vitals, _ time.Time) { o(float64(v.Bytes)) }},
	}
}

// since is how many seconds ago something was; 0 where it never was.
func since(now, at time.Time) float64 {
	if at.IsZero() {
		return 0
	}
	return max(0, now.Sub(at).Seconds())
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
