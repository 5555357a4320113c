package insight

import (
	"context"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Stage is a part of a session's way that takes time.
type Stage string

// The stages, in their order: what applicants do, then what the server and the reviewers do.
const (
	StageConsent  Stage = "consent"
	StageChoose   Stage = "choose"
	StageFront    Stage = "document_front"
	StageBack     Stage = "document_back"
	StageSelfie   Stage = "selfie"
	StageDecision Stage = "decision" // from the last picture to the verdict of the policy
	StageReview   Stage = "review"   // from the referral to a person's decision
)

// Stages returns every stage, in their order.
func Stages() []Stage {
	return []Stage{StageConsent, StageChoose, StageFront, StageBack, StageSelfie, StageDecision, StageReview}
}

// MostTimed is how many sessions are timed: the newest of the span.
const MostTimed = 1000

// Moment is when something happened to a session.
type Moment struct {
	Session idv.SessionID
	Type    string   // of the event, such as session.captured
	Step    idv.Step // with session.captured
	Person  bool     // a reviewer did it
	At      time.Time
}

// StageTime is how long a stage took.
type StageTime struct {
	Stage    Stage
	Sessions int
	P50, P90 time.Duration
}

// StageTimes are the times of the stages of some sessions.
type StageTimes struct {
	Filter
	Sessions int // that were timed, at most MostTimed
	Stages   []StageTime
}

// StageTimes returns how long each stage took, in the newest submitted sessions that a filter selects. Problems: as for Figures.
func (s *Service) StageTimes(ctx context.Context, f Filter) (StageTimes, error) {
	if err := f.setDefaults(s.now().UTC()); err != nil {
		return StageTimes{}, err
	}
	versions, err := s.store.WorkflowVersions(ctx)
	if err != nil {
		return StageTimes{}, err
	}
	n, err := narrowed(f, versions)
	if err != nil {
		return StageTimes{}, err
	}
	moments, err := s.store.Moments(ctx, n, MostTimed)
	if err != nil {
		return StageTimes{}, err
	}
	out := timed(moments)
	out.Filter = f
	return out, nil
}

// timed adds up moments, which are in the order of sessions and of time. A step that is taken again takes as long as all its tries.
func timed(moments []Moment) StageTimes {
	out, all := StageTimes{}, map[Stage][]time.Duration{}
	for from := 0; from < len(moments); {
		to := from
		for to < len(moments) && moments[to].Session == moments[from].Session {
			to++
		}
		out.Sessions++
		for stage, took := range stagesOf(moments[from:to]) {
			all[stage] = append(all[stage], took)
		}
		from = to
	}
	for _, stage := range Stages() {
		out.Stages = append(out.Stages, StageTime{
			Stage: stage, Sessions: len(all[stage]), P50: at(all[stage], .5), P90: at(all[stage], .9),
		})
	}
	return out
}

// stagesOf returns how long each stage of one session took: from the moment before to the one that ends it.
func stagesOf(moments []Moment) map[Stage]time.Duration {
	out := map[Stage]time.Duration{}
	var last time.Time
	for _, m := range moments {
		stage, ends := endOf(m)
		if ends && !last.IsZero() {
			out[stage] += m.At.Sub(last)
		}
		last = m.At
		if m.Type == "session.reopened" {
			last = time.Time{} // nobody knows when the person came back
		}
	}
	return out
}

// endOf returns the stage that a moment ends, and whether it ends one.
func endOf(m Moment) (Stage, bool) {
	switch m.Type {
	case "session.consented":
		return StageConsent, true
	case "session.document_chosen":
		return StageChoose, true
	case "session.captured":
		return Stage(m.Step), true
	case "session.referred":
		return StageDecision, true
	case "session.approved", "session.declined":
		if m.Person {
			return StageReview, true
		}
		return StageDecision, true
	default:
		return "", false
	}
}
