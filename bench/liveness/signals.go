package liveness

import (
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/liveness"
)

// SignalResult is how often a signal, or one sign of it, doubts a run. Nothing is said of a run that it could not look at: it counts as
// doubted, because a person looks at it.
type SignalResult struct {
	Check   idv.CheckKind         `json:"check"`
	Sign    liveness.HeadSign     `json:"sign,omitempty"` // that stands alone; empty for the signal as a whole
	Doubted bench.Rate            `json:"genuine_doubted"`
	Passed  map[string]bench.Rate `json:"attacks_not_doubted"` // by attack, alone
	Through map[string]bench.Rate `json:"attacks_accepted"`    // by attack, when the challenge is judged as well
}

// doubts is what a signal says of a run.
type doubts struct {
	check idv.CheckKind
	sign  liveness.HeadSign
	of    func(r run) bool
}

// allDoubts are the signals, and the signs of them that stand alone.
func allDoubts() []doubts {
	known := liveness.Signals()
	out := []doubts{{idv.CheckHead, "", func(r run) bool {
		found, ran := headSigns(r, known.Head)
		return !ran || len(found) > 0
	}}}
	for _, sign := range liveness.AllHeadSigns() {
		out = append(out, doubts{idv.CheckHead, sign, func(r run) bool {
			found, ran := headSigns(r, known.Head)
			return !ran || slices.Contains(found, sign)
		}})
	}
	return append(out, doubts{idv.CheckPassiveLiveness, "", func(r run) bool { return r.Passive == nil || *r.Passive < known.Passive }})
}

func headSigns(r run, th liveness.HeadThresholds) ([]liveness.HeadSign, bool) {
	if r.Track == nil || r.Track.Head == nil {
		return nil, false
	}
	return liveness.HeadSigns(*r.Track.Head, th)
}

// signals counts what each signal says of the runs.
func signals(runs []run, th liveness.Thresholds) []SignalResult {
	var out []SignalResult
	for _, d := range allDoubts() {
		s := SignalResult{Check: d.check, Sign: d.sign, Passed: map[string]bench.Rate{}, Through: map[string]bench.Rate{}}
		var genuine [2]int
		passed, through, of := map[string]int{}, map[string]int{}, map[string]int{}
		for _, r := range runs {
			doubted := d.of(r)
			switch {
			case r.What == Genuine:
				genuine[1]++
				if doubted {
					genuine[0]++
				}
			case isAttack(r.What):
				of[r.What]++
				if !doubted {
					passed[r.What]++
					if len(judged(r, th)) == 0 {
						through[r.What]++
					}
				}
			}
		}
		s.Doubted = bench.RateOf(genuine[0], genuine[1])
		for what, n := range of {
			s.Passed[what], s.Through[what] = bench.RateOf(passed[what], n), bench.RateOf(through[what], n)
		}
		out = append(out, s)
	}
	return out
}

// MeasuredSignals is the result as the program carries it, with the operating points that the runs were judged by.
func (r *Result) MeasuredSignals(dataSet, command string, day time.Time) liveness.MeasuredSignals {
	out := liveness.Signals()
	out.DataSet, out.Command, out.Date, out.Rates = dataSet, command, day.Format(time.DateOnly), map[idv.CheckKind]liveness.SignalRates{}
	for _, s := range r.Signals {
		if s.Sign != "" {
			continue
		}
		rates := liveness.SignalRates{Doubted: countOf(s.Doubted), Passed: map[string]liveness.Count{}}
		for a, rate := range s.Passed {
			rates.Passed[a] = countOf(rate)
		}
		out.Rates[s.Check] = rates
	}
	return out
}

func countOf(r bench.Rate) liveness.Count { return liveness.Count{Count: r.Count, Of: r.Of} }
