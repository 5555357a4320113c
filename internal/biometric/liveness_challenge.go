package biometric

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/liveness"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// LivenessChallenge asks whether one live head did what the server asked, when it asked.
type LivenessChallenge struct {
	models []idv.ModelRef // by which a run has to have been looked at; nil: any
}

// Kind is liveness.challenge.
func (LivenessChallenge) Kind() idv.CheckKind { return idv.CheckLiveness }

// Needs the track of the frames.
func (LivenessChallenge) Needs() []idv.ArtifactKind { return []idv.ArtifactKind{idv.ArtifactTrack} }

// Check judges the track (internal/liveness). It fails for liveness.challenge_missed, capture.several_faces,
// liveness.failed, liveness.faces_differ, liveness.replayed or capture.injected. An answer to a gentle challenge shows
// too little to pass and is undecided for liveness.failed; hints of the browser leave a live session undecided for
// capture.injected. An error where there is no run, or one that was looked at by other models than those in use: the
// thresholds are not for it. The score is the number of rules that the run breaks; its error rates are of generated runs.
func (l LivenessChallenge) Check(_ context.Context, ev idv.Evidence) (idv.Finding, error) {
	a, ok := ev.Best(idv.ArtifactTrack)
	if !ok {
		return idv.Finding{}, errors.New("liveness challenge: no run of frames was sent")
	}
	if !a.Present {
		f := idv.Failed(idv.Reason{Code: a.Absent, Step: idv.StepSelfie})
		f.Inputs = a.Inputs
		return f, nil
	}
	t, err := idv.ValueOf[idv.Track](a)
	if err != nil {
		return idv.Finding{}, err
	}
	if l.models != nil && !slices.Equal(t.Models, l.models) {
		return idv.Finding{}, errors.New("liveness challenge: the run was looked at by other models than those in use")
	}
	known := liveness.Calibration()
	m := liveness.Measure(t, known.Thresholds)
	faults := liveness.Judge(m, known.Thresholds)
	if sentBefore(ev) {
		faults = append(faults, liveness.Fault{Code: problem.LivenessReplayed.Code, Rule: "the frames were sent before", Sure: true})
	}
	f := outcomeOf(t, faults, ev.Mode)
	score, most := float64(len(faults)), 0.
	_, worst := known.Worst()
	apcer, upper, bpcer := worst.Rate(), worst.Upper(), known.Refused.Rate()
	f.Score, f.Threshold, f.Inputs, f.Models = &score, &most, a.Inputs, t.Models
	f.Measures = m.Table()
	if known.DataSet != "" {
		f.Rates = &idv.ErrorRates{
			APCER: &apcer, APCERUpper: &upper, BPCER: &bpcer, DataSet: known.DataSet, OnPeople: known.OnPeople, Note: notedRates(known),
		}
	}
	return f, nil
}

// sentBefore reports whether liveness.replay finds the run again: then no other try is due either. Whoever could not
// compare says nothing here.
func sentBefore(ev idv.Evidence) bool {
	compared, ok := ev.Best(idv.ArtifactReplay)
	if !ok || !compared.Present {
		return false
	}
	r, err := idv.ValueOf[idv.Replay](compared)
	return err == nil && r.Frames > 0 && float64(r.LongestRun)/float64(r.Frames) >= liveness.ReplayShare
}

// notedRates says how little the rates rest on.
func notedRates(known liveness.Measured) string {
	accepted, tried := 0, 0
	for _, c := range known.Accepted {
		accepted, tried = accepted+c.Count, tried+c.Of
	}
	which, worst := known.Worst()
	where := "in this set"
	if known.IsOutside(which) {
		where = "tried by hand, outside of this set"
	}
	return fmt.Sprintf("synthetic: %d of %d acted people refused, %d of %d acted attacks accepted; not measured on people. "+
		"Worst attack (%s): %s, %d of %d accepted",
		known.Refused.Count, known.Refused.Of, accepted, tried, where, which, worst.Count, worst.Of)
}

// outcomeOf turns the broken rules into a finding.
func outcomeOf(t idv.Track, faults []liveness.Fault, mode idv.Mode) idv.Finding {
	if len(faults) > 0 {
		var f idv.Finding
		f.Outcome = idv.Fail
		for _, code := range liveness.Codes(faults) {
			f.Reasons = append(f.Reasons, idv.Reason{Code: code, Step: idv.StepSelfie})
		}
		var names []string
		for _, fault := range faults {
			names = append(names, fault.Rule)
		}
		f.Note = "Broken: " + strings.Join(names, "; ") + "."
		return f
	}
	hints := liveness.Hints(t.Camera)
	switch {
	case t.Challenge.Gentle:
		f := idv.Undecided(idv.Reason{Code: problem.LivenessFailed.Code})
		f.Note = "The gentle challenge was passed, but it asks for too little to prove that a live person was there."
		return f
	case len(hints) > 0 && mode == idv.Live:
		f := idv.Undecided(idv.Reason{Code: problem.CaptureInjected.Code})
		f.Note = "The challenge was answered, and the browser hints at: " + strings.Join(hints, ", ") + "."
		return f
	}
	f := idv.Passed()
	f.Note = "How often the judgement errs on people is not known."
	if known := liveness.Calibration(); known.DataSet == "" {
		f.Note = "How often the judgement errs was not measured yet."
	}
	return f
}
