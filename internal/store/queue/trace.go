package queue

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/trace"
)

// parentKey is where a job keeps the traceparent of what caused it.
const parentKey = "traceparent"

// withTraceparent lets a job follow what is under way. One that sends webhooks at a later time is for whatever is due by then, and
// follows nothing.
func withTraceparent(ctx context.Context, a job.Args, o *river.InsertOpts) (*river.InsertOpts, error) {
	if d, ok := a.(job.Deliver); ok && !d.At.IsZero() {
		return o, nil
	}
	parent := trace.Parent(ctx)
	if parent == "" {
		return o, nil
	}
	raw, err := json.Marshal(map[string]string{parentKey: parent})
	if err != nil {
		return nil, fmt.Errorf("write what a job follows: %w", err)
	}
	o.Metadata = raw
	return o, nil
}

// traceJob begins the span of one try of a job. Upkeep and the sweeping of webhooks are only traced where something caused them
// that is.
func (s *Queue) traceJob(ctx context.Context, j *rivertype.JobRow) (context.Context, trace.Span) {
	if s.db.Tracer == nil {
		return ctx, trace.Span{}
	}
	var kept map[string]any
	_ = json.Unmarshal(j.Metadata, &kept) // what cannot be read names nothing
	parent, _ := kept[parentKey].(string)
	if parent == "" && j.Queue != queueWork {
		return ctx, trace.Span{}
	}
	var waited time.Duration
	if j.AttemptedAt != nil {
		waited = j.AttemptedAt.Sub(j.ScheduledAt)
	}
	return s.db.Tracer.Begin(ctx, trace.Origin{Name: "job " + j.Kind, Parent: parent},
		trace.Job.Is(j.Kind), trace.JobAttempt.Is(j.Attempt), trace.JobWait.Is(waited))
}
