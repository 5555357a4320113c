package liveness

import (
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Fault is a rule that a run breaks.
type Fault struct {
	Code string // of the catalogue
	Rule string // for reviewers and records: what is wrong, in a few words
	Sure bool   // no person who only missed a movement does this
}

// rule is one row of the judgement. A run that breaks none is what a person does who answers the challenge.
type rule struct {
	name   string
	kind   problem.Kind
	breaks func(m Measures, th Thresholds) bool
}

// sure are the rules that only deceit breaks, whatever else was missed: another try would be another chance for it. A
// person who holds still, is hidden for a moment or is badly lit breaks none of them.
var sure = []string{lasted, flat, along, mixed, repeated, twoFaces}

const (
	lasted   = "the run lasted longer than the server waited"
	flat     = "the face is flat"
	along    = "the surroundings move with the face"
	mixed    = "frames are mixed out of others"
	repeated = "frames repeat"
	twoFaces = "two faces"
)

// rules, all of which are asked.
var rules = []rule{
	{"nothing was asked", problem.LivenessChallengeMissed, func(m Measures, _ Thresholds) bool { return m.Asked == 0 }},
	{"frames are missing or too many", problem.LivenessChallengeMissed, func(m Measures, _ Thresholds) bool {
		return m.Frames < idv.LeastFrames || m.Frames > idv.MostFrames
	}},
	{"the run is too short or too long", problem.LivenessChallengeMissed, func(m Measures, _ Thresholds) bool {
		return m.SpanMS < idv.LeastFrameSpanMS || m.SpanMS > idv.MostFrameSpanMS || m.ShortMS > 0
	}},
	{"times do not rise from 0", problem.LivenessChallengeMissed, func(m Measures, _ Thresholds) bool { return m.Falling > 0 }},
	{"nothing was sent for too long", problem.LivenessChallengeMissed, func(m Measures, th Thresholds) bool { return m.LongestGap > th.Gap }},
	{"too few frames a second", problem.LivenessChallengeMissed, func(m Measures, th Thresholds) bool { return m.PerSecond < th.PerSecond }},
	{"frames that are no pictures", problem.LivenessChallengeMissed, func(m Measures, _ Thresholds) bool { return m.Faults > 0 }},
	{"the face is out of view", problem.LivenessChallengeMissed, func(m Measures, th Thresholds) bool { return m.Faceless > th.Faceless }},
	{"several faces", problem.CaptureSeveralFaces, func(m Measures, th Thresholds) bool { return m.Crowded > th.Crowded }},
	{"a movement is missing in its time", problem.LivenessChallengeMissed, func(m Measures, _ Thresholds) bool { return m.Missed > 0 }},
	{"movements that were not asked for", problem.LivenessChallengeMissed, func(m Measures, th Thresholds) bool { return m.Stray > th.Stray }},
	{"the head does not come back", problem.LivenessChallengeMissed, func(m Measures, th Thresholds) bool { return m.Unreturned > th.Unreturned }},
	{"too few faces to compare", problem.LivenessChallengeMissed, func(m Measures, _ Thresholds) bool { return min(m.Compared, m.Joined) < leastCompared }},
	{lasted, problem.CaptureInjected, func(m Measures, _ Thresholds) bool { return m.LateMS > 0 }},
	// A weak sign: whoever makes times up can make them round.
	{"times like a ruler's", problem.CaptureInjected, func(m Measures, th Thresholds) bool { return m.EqualGaps > th.EqualGaps }},
	{"pictures of different sizes", problem.LivenessChallengeMissed, func(m Measures, _ Thresholds) bool { return m.Sizes > 1 }},
	{"the room changes from frame to frame", problem.CaptureInjected, func(m Measures, th Thresholds) bool { return m.Jumps > th.Jumps }},
	{"faster than a neck", problem.LivenessFailed, func(m Measures, th Thresholds) bool { return m.Neck > th.Neck }},
	{flat, problem.LivenessFailed, func(m Measures, th Thresholds) bool { return m.Flat > th.Flat }},
	{along, problem.LivenessFailed, func(m Measures, th Thresholds) bool {
		return m.Around >= leastAround && m.Along < th.Along
	}},
	{mixed, problem.LivenessFailed, func(m Measures, th Thresholds) bool { return m.Blends > th.Blends }},
	{"stills in a row", problem.LivenessFailed, func(m Measures, th Thresholds) bool { return m.Stills > th.Stills }},
	{repeated, problem.LivenessReplayed, func(m Measures, th Thresholds) bool { return m.Repeats > th.Repeats }},
	{twoFaces, problem.LivenessFacesDiffer, func(m Measures, th Thresholds) bool {
		return m.Joined >= leastCompared && (m.Loose > th.Loose || m.SamePose < th.SamePose)
	}},
	{"another face", problem.LivenessFacesDiffer, func(m Measures, th Thresholds) bool { return m.Compared > 0 && m.Likeness < th.Likeness }},
	{"another face moves", problem.LivenessFacesDiffer, func(m Measures, th Thresholds) bool {
		return m.Missed == 0 && (m.Moving < th.Moving || m.MovingLeast < th.MovingLeast)
	}},
}

// What a rule needs before it says anything.
const (
	leastCompared = 3.
	leastAround   = 3. // pairs of frames
)

// Judge lists the rules that a run breaks, in the order of the table; none is what a live person does. The codes are
// liveness.challenge_missed, liveness.failed, liveness.faces_differ, liveness.replayed, capture.injected and
// capture.several_faces.
func Judge(m Measures, th Thresholds) []Fault {
	var out []Fault
	for _, r := range rules {
		if r.breaks(m, th) {
			out = append(out, Fault{Code: r.kind.Code, Rule: r.name, Sure: slices.Contains(sure, r.name)})
		}
	}
	return out
}

// Codes are those of the faults, each once. Where a fault is sure, what a better try could mend is left out: it would be
// the reason for one.
func Codes(faults []Fault) []string {
	deceit := slices.ContainsFunc(faults, func(f Fault) bool { return f.Sure })
	var out []string
	for _, f := range faults {
		k, _ := problem.Lookup(f.Code)
		if !slices.Contains(out, f.Code) && !(deceit && k.Severity == problem.Retry) {
			out = append(out, f.Code)
		}
	}
	return out
}
