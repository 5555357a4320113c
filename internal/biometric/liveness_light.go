package biometric

import (
	"context"
	"errors"
	"fmt"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/liveness"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// LivenessLight asks whether the face answered the colours that the applicant's screen showed, and more than what is behind it.
type LivenessLight struct{}

// Kind is liveness.light.
func (LivenessLight) Kind() idv.CheckKind { return idv.CheckLight }

// Needs the track of the frames.
func (LivenessLight) Needs() []idv.ArtifactKind { return []idv.ArtifactKind{idv.ArtifactTrack} }

// Check judges the answer (liveness.JudgeLight). It never fails: a run with a sign is undecided for liveness.wrong_light, and one that
// says nothing for check.not_run: the colours were not shown, or the light of the room outshines them. It does not apply only where
// neither the workflow requires it nor the challenge has colours. An error where there is no run. The score is how many times its error
// the face answers by; its error rates are of generated runs.
func (LivenessLight) Check(_ context.Context, ev idv.Evidence) (idv.Finding, error) {
	a, ok := ev.Best(idv.ArtifactTrack)
	if !ok {
		return idv.Finding{}, errors.New("liveness light: no run of frames was sent")
	}
	if !a.Present {
		return notRun(a, "The run could not be opened."), nil
	}
	t, err := idv.ValueOf[idv.Track](a)
	if err != nil {
		return idv.Finding{}, err
	}
	switch asked := ev.Workflow.Requires(idv.CheckLight); {
	case len(t.Challenge.Light) == 0 && !asked:
		return idv.DoesNotApply("The workflow asks for no colours."), nil
	case len(t.Challenge.Light) == 0:
		return notRun(a, "The challenge had no colours."), nil
	case len(t.LightMS) == 0:
		return notRun(a, "The page showed no colours, for example because the person prefers reduced motion."), nil
	}
	known := liveness.Light()
	answer, ran := liveness.MeasureLight(t, known.Thresholds)
	if !ran {
		return notRun(a, "The colours were shown at other times, or too few frames show the face and what is around it."), nil
	}
	f := idv.Passed()
	switch verdict, sign := liveness.JudgeLight(answer, known.Thresholds); verdict {
	case liveness.LightMatched:
	case liveness.LightDoubted:
		f = idv.Undecided(idv.Reason{Code: problem.LivenessWrongLight.Code})
		f.Note = "Sign: " + string(sign) + "."
	default:
		f = notRun(a, "The face reflects too little to tell: the room is bright, the screen dim, or nobody is in front of it.")
	}
	score, least := answer.Face.Sure(), known.Thresholds.Answer
	f.Score, f.Threshold, f.Inputs, f.Measures, f.Rates = &score, &least, a.Inputs, lightMeasures(answer), lightRates(known)
	return f, nil
}

func notRun(a idv.Artifact, why string) idv.Finding {
	f := idv.Undecided(idv.Reason{Code: problem.CheckNotRun.Code})
	f.Note, f.Inputs = why, a.Inputs
	return f
}

// lightMeasures is the answer by name, for reviewers.
func lightMeasures(a liveness.LightAnswer) map[string]float64 {
	return map[string]float64{
		"frames": float64(a.Frames), "delay_ms": float64(a.DelayMS),
		"face": a.Face.Gain, "face_sure": a.Face.Sure(), "decoys": a.Face.Rank, "other_sure": a.Face.Other,
		"around": a.Around.Gain, "around_sure": a.Around.Sure(), "body": a.Body.Gain, "body_sure": a.Body.Sure(),
	}
}

// lightRates is how often the signal errs on generated runs; nil where it was not measured.
func lightRates(known liveness.MeasuredLight) *idv.ErrorRates {
	if known.DataSet == "" {
		return nil
	}
	which, worst := known.Worst()
	left := liveness.Count{Count: known.Unseen.Count + known.Doubted.Count, Of: known.Unseen.Of}
	apcer, upper, bpcer := worst.Rate(), worst.Upper(), left.Rate()
	return &idv.ErrorRates{
		APCER: &apcer, APCERUpper: &upper, BPCER: &bpcer, DataSet: known.DataSet,
		Note: fmt.Sprintf("Simulated light on acted people: nothing to say of %d of %d, %d doubted; unmeasured on live people. "+
			"Attack that it notices least often: %s",
			known.Unseen.Count, known.Unseen.Of, known.Doubted.Count, which),
	}
}
