package biometric

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/liveness"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// LivenessHead asks whether the whole face moved as one head does, and what is around it as behind one.
type LivenessHead struct {
	models []idv.ModelRef // by which a run has to have been looked at; nil: any
}

// Kind is liveness.head.
func (LivenessHead) Kind() idv.CheckKind { return idv.CheckHead }

// Needs the track of the frames.
func (LivenessHead) Needs() []idv.ArtifactKind { return []idv.ArtifactKind{idv.ArtifactTrack} }

// Check judges the movement (liveness.HeadSigns). It never fails: a run that shows a sign is undecided for liveness.not_a_head, and one
// that shows too little of a turn for check.not_run. An error where there is no run, or it was looked at by other models than those in
// use, or by a version that did not look. The score is the number of signs; its error rates are of generated runs.
func (l LivenessHead) Check(_ context.Context, ev idv.Evidence) (idv.Finding, error) {
	a, ok := ev.Best(idv.ArtifactTrack)
	if !ok {
		return idv.Finding{}, errors.New("liveness head: no run of frames was sent")
	}
	if !a.Present {
		f := idv.Undecided(idv.Reason{Code: problem.CheckNotRun.Code})
		f.Inputs = a.Inputs
		return f, nil
	}
	t, err := idv.ValueOf[idv.Track](a)
	if err != nil {
		return idv.Finding{}, err
	}
	if t.Head == nil || l.models != nil && !slices.Equal(t.Models, l.models) {
		return idv.Finding{}, errors.New("liveness head: the run was looked at by other models than those in use, or by an earlier version")
	}
	known := liveness.Signals()
	signs, ran := liveness.HeadSigns(*t.Head, known.Head)
	f := idv.Passed()
	switch {
	case !ran:
		f = idv.Undecided(idv.Reason{Code: problem.CheckNotRun.Code})
		f.Note = "The head is turned in too few frames to say how it moves."
	case len(signs) > 0:
		names := make([]string, len(signs))
		for i, s := range signs {
			names[i] = string(s)
		}
		f = idv.Undecided(idv.Reason{Code: problem.LivenessNotAHead.Code})
		f.Note = "Signs: " + strings.Join(names, "; ") + "."
		f.Places = mostTurned(t.Frames)
	}
	if ran {
		score, most := float64(len(signs)), 0.
		f.Score, f.Threshold = &score, &most
	}
	f.Inputs, f.Models, f.Measures, f.Rates = a.Inputs, t.Models, measuresOf(*t.Head), ratesOf(known, idv.CheckHead)
	return f, nil
}

// mostTurned are the frames in which the head is turned most: where a head and a picture of one differ most.
func mostTurned(frames []idv.TrackFrame) []idv.FindingPlace {
	var out []idv.FindingPlace
	for i, f := range frames {
		if turned := math.Hypot(f.Yaw, f.Pitch); f.Fault == "" && f.Faces == 1 && turned >= leastTurned {
			out = append(out, idv.FrameAt(i, "turned_degrees", turned))
		}
	}
	slices.SortStableFunc(out, func(a, b idv.FindingPlace) int { return cmp.Compare(*b.Value, *a.Value) })
	return out[:min(mostViews, len(out))]
}

// measuresOf is the movement by name, for reviewers.
func measuresOf(h idv.HeadMotion) map[string]float64 {
	return map[string]float64{
		"frames": float64(h.Frames), "left": h.Left, "first": h.First, "depth": h.Depth, "whole": h.Whole, "views": float64(h.Views),
		"rim": h.Rim, "bared": h.Bared, "noses": float64(h.Noses), "nose": h.Nose,
		"sought": float64(h.Sought), "chests": float64(h.Chests), "chest": h.Chest,
	}
}

// ratesOf is how often a signal errs on generated runs; nil where it was not measured.
func ratesOf(known liveness.MeasuredSignals, k idv.CheckKind) *idv.ErrorRates {
	r, ok := known.Rates[k]
	if !ok {
		return nil
	}
	which, worst := r.Worst()
	apcer, upper, bpcer := worst.Rate(), worst.Upper(), r.Doubted.Rate()
	return &idv.ErrorRates{
		APCER: &apcer, APCERUpper: &upper, BPCER: &bpcer, DataSet: known.DataSet,
		Note: "Synthetic attacks and acted people; unmeasured on live people. Attack that is noticed least often: " + which,
	}
}
