package biometric

import (
	"context"
	"errors"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/modelcard"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// liveFloor is the signal below which the check says "fail": the middle of its scale, for want of data to place it better.
const liveFloor = 0.5

// PassiveLiveness reports the passive liveness signal of the selfie. It is recorded for reviewers and must not be among a
// workflow's required checks: one picture cannot show that somebody was there.
type PassiveLiveness struct{ card modelcard.Card }

// Kind is liveness.passive.
func (PassiveLiveness) Kind() idv.CheckKind { return idv.CheckPassiveLiveness }

// Needs the face of the selfie.
func (PassiveLiveness) Needs() []idv.ArtifactKind { return []idv.ArtifactKind{idv.ArtifactSelfie} }

// Check reports the signal (0–1, higher is more live). It fails for liveness.failed below 0.5. An error if the model did
// not run.
func (l PassiveLiveness) Check(_ context.Context, ev idv.Evidence) (idv.Finding, error) {
	a, ok := ev.Best(idv.ArtifactSelfie)
	if !ok || !a.Present {
		return idv.DoesNotApply("There is no face to look at."), nil
	}
	s, err := idv.ValueOf[idv.SelfieFace](a)
	if err != nil {
		return idv.Finding{}, err
	}
	if s.Liveness == nil {
		return idv.Finding{}, errors.New("passive liveness: the model did not run")
	}
	f := idv.Passed()
	if *s.Liveness < liveFloor {
		f = idv.Failed(idv.Reason{Code: problem.LivenessFailed.Code, Step: idv.StepSelfie})
	}
	floor := liveFloor
	f.Score, f.Threshold, f.Inputs = s.Liveness, &floor, a.Inputs
	f.Models = []idv.ModelRef{refOf(l.card)}
	f.Note = "One signal, never the decision."
	if c := l.card.Calibration; c != nil {
		apcer, bpcer := c.FMRAt(floor), c.FNMRAt(floor)
		f.Rates = &idv.ErrorRates{APCER: &apcer, BPCER: &bpcer, DataSet: c.DataSet, OnPeople: true, Note: c.Measure}
	}
	return f, nil
}
