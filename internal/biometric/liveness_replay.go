package biometric

import (
	"context"
	"errors"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/liveness"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// LivenessReplay asks whether the frames of a run were never sent before in this deployment.
type LivenessReplay struct{}

// Kind is liveness.replay.
func (LivenessReplay) Kind() idv.CheckKind { return idv.CheckReplay }

// Needs the digests of the frames. The store of the digests adds the earlier ones that they are near to.
func (LivenessReplay) Needs() []idv.ArtifactKind {
	return []idv.ArtifactKind{idv.ArtifactFrameDigests}
}

// Check fails for liveness.replayed where the share of frames that are near those of one earlier capture reaches
// liveness.ReplayShare. The score is that share. An error where nobody compared the digests.
func (LivenessReplay) Check(_ context.Context, ev idv.Evidence) (idv.Finding, error) {
	a, ok := ev.Best(idv.ArtifactFrameDigests)
	if !ok {
		return idv.Finding{}, errors.New("liveness replay: no run of frames was sent")
	}
	if !a.Present {
		f := idv.Failed(idv.Reason{Code: a.Absent, Step: idv.StepSelfie})
		f.Inputs = a.Inputs
		return f, nil
	}
	compared, ok := ev.Best(idv.ArtifactReplay)
	if !ok || !compared.Present {
		return idv.Finding{}, errors.New("liveness replay: the frames were not compared with earlier ones")
	}
	r, err := idv.ValueOf[idv.Replay](compared)
	if err != nil {
		return idv.Finding{}, err
	}
	if r.Frames == 0 {
		f := idv.Failed(idv.Reason{Code: problem.LivenessChallengeMissed.Code, Step: idv.StepSelfie})
		f.Inputs = a.Inputs
		return f, nil
	}
	share, limit := float64(r.LongestRun)/float64(r.Frames), liveness.ReplayShare
	f := idv.Passed()
	if share >= limit {
		f = idv.Failed(idv.Reason{Code: problem.LivenessReplayed.Code, Step: idv.StepSelfie})
		for _, i := range r.NearFrames {
			f.Places = append(f.Places, idv.FindingPlace{Frame: &i, What: "sent_before"})
		}
	}
	f.Score, f.Threshold, f.Inputs = &share, &limit, a.Inputs
	f.Measures = map[string]float64{"frames": float64(r.Frames), "near": float64(r.Near), "captures": float64(r.Captures)}
	if d := liveness.Calibration().Digests; d.Again.Of > 0 {
		apcer, bpcer := 1-d.Recoded.Rate(), d.Again.Rate()
		f.Rates = &idv.ErrorRates{
			APCER: &apcer, BPCER: &bpcer, DataSet: liveness.Calibration().DataSet,
			Note: "synthetic: per frame, of generated runs; not measured on people",
		}
	}
	return f, nil
}
