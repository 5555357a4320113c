package screening

import (
	"context"
	"errors"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Checker asks whether the person is on no list of one topic.
type Checker struct {
	topic  idv.ScreeningTopic
	source Source
}

// Checkers returns the checks of every topic over the lists of a source.
func Checkers(s Source) []idv.Checker {
	var out []idv.Checker
	for _, t := range idv.ScreeningTopics() {
		out = append(out, Checker{t, s})
	}
	return out
}

// Kind implements idv.Checker.
func (c Checker) Kind() idv.CheckKind { return idv.CheckOfTopic(c.topic) }

// Needs the page, whose extraction yields every claim.
func (Checker) Needs() []idv.ArtifactKind { return []idv.ArtifactKind{idv.ArtifactPage} }

// Heeds the chip, whose name may be longer, and the zone.
func (Checker) Heeds() []idv.ArtifactKind {
	return []idv.ArtifactKind{idv.ArtifactChip, idv.ArtifactMRZ}
}

// Check passes where nobody was found on lists that are up to date, and is undecided otherwise. While the lists are compiled for the
// first time it is an error until the job's last try, and screening.broken then.
func (c Checker) Check(ctx context.Context, ev idv.Evidence) (idv.Finding, error) {
	set := ev.Workflow.Screening
	if !set.Takes(c.topic) {
		return idv.DoesNotApply("The workflow does not screen for this."), nil
	}
	p, err := OfEvidence(ev)
	if err != nil {
		return idv.Finding{}, err
	}
	s, err := c.source.Snapshot(ctx)
	if errors.Is(err, ErrNotReady) && job.AttemptFrom(ctx).Last() {
		return idv.Undecided(idv.Reason{Code: problem.ScreeningBroken.Code}), nil
	}
	if err != nil {
		return idv.Finding{}, err
	}
	defer s.Release()
	found, why := Find(s, p, c.topic, set, ev.Now)
	f := idv.Passed()
	if len(why) > 0 {
		f = idv.Undecided()
		f.Reasons = []idv.Reason{}
	}
	for _, code := range why {
		f.Reasons = append(f.Reasons, idv.Reason{Code: code})
	}
	f.Screening = &found
	return f, nil
}

// Nobody is a Source without lists.
type Nobody struct{}

// Snapshot implements Source.
func (Nobody) Snapshot(context.Context) (*Snapshot, error) { return NewSnapshot(nil, nil, nil), nil }
