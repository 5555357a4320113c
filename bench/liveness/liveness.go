// Package liveness measures how often the judgement of a liveness challenge errs, on runs that fixtures act: people lifted
// from pictures onto a head that moves, and attacks on them. It knows no run of a real person, and says so wherever a rate
// is used.
package liveness

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/liveness"
)

// Result is what was measured.
type Result struct {
	Runs     map[string]int        `json:"runs"`
	Refused  bench.Rate            `json:"genuine_refused"`  // BPCER
	Accepted map[string]bench.Rate `json:"attacks_accepted"` // APCER by attack
	Broken   map[string][]Broken   `json:"rules_broken"`     // by what the runs are
	Digests  DigestResult          `json:"digests"`
	Signals  []SignalResult        `json:"signals"`
	CPU      bench.Quantiles       `json:"frame_cpu_ms"` // of the extractor, a frame
	Failed   []string              `json:"genuine_that_failed"`
	Passed   []string              `json:"attacks_that_passed"`
}

// Broken is how many runs break a rule.
type Broken struct {
	Rule string `json:"rule"`
	Runs int    `json:"runs"`
	Only int    `json:"only"` // of them, those that break no other
}

// DigestResult is how often a frame is near one of another run, by what that run is.
type DigestResult struct {
	NearBits int        `json:"near_bits"`
	Recoded  bench.Rate `json:"recoded"` // the same frames: to be found
	Again    bench.Rate `json:"again"`   // the same person and room, another time
	Others   bench.Rate `json:"others"`  // other rooms
	// The share of a run's frames near another run's that a replay is told by: the least of replays, the most of the rest.
	LeastReplay float64 `json:"least_share_of_a_replay"`
	MostAgain   float64 `json:"most_share_of_another_time"`
}

// Run judges the runs of a folder that Generate made.
func Run(dir string) (*Result, error) {
	runs, err := readRuns(dir)
	if err != nil {
		return nil, err
	}
	res := &Result{Runs: map[string]int{}, Accepted: map[string]bench.Rate{}, Broken: map[string][]Broken{}, Failed: []string{}, Passed: []string{}}
	th := liveness.Calibration().Thresholds
	broken := map[string]map[string]*Broken{}
	clean := map[string]int{}
	var cost []float64
	for _, r := range runs {
		res.Runs[r.What]++
		cost = append(cost, r.CPUMS/float64(max(1, r.Frames)))
		faults := judged(r, th)
		tally(broken, r.What, faults)
		name := fmt.Sprintf("%s %d %s", r.What, r.Seed, r.Person)
		switch {
		case len(faults) == 0:
			clean[r.What]++
			if isAttack(r.What) {
				res.Passed = append(res.Passed, name)
			}
		case !isAttack(r.What) && r.What != Recoded:
			res.Failed = append(res.Failed, name+": "+strings.Join(faults, "; "))
		}
	}
	res.Refused = bench.RateOf(res.Runs[Genuine]-clean[Genuine], res.Runs[Genuine])
	for _, a := range attacks() {
		if n := res.Runs[string(a)]; n > 0 {
			res.Accepted[string(a)] = bench.RateOf(clean[string(a)], n)
		}
	}
	for what, rules := range broken {
		for _, b := range rules {
			res.Broken[what] = append(res.Broken[what], *b)
		}
		slices.SortFunc(res.Broken[what], func(a, b Broken) int {
			if a.Runs != b.Runs {
				return b.Runs - a.Runs
			}
			return strings.Compare(a.Rule, b.Rule)
		})
	}
	res.Signals = signals(runs, th)
	res.CPU = bench.QuantilesOf(cost)
	res.Digests = digests(runs)
	return res, nil
}

// attacks are all that fixtures can make.
func attacks() []fixtures.RunAttack {
	return slices.Concat(fixtures.RunAttacks(), fixtures.WarpAttacks())
}

func isAttack(what string) bool {
	return slices.Contains(attacks(), fixtures.RunAttack(what))
}

// judged are the rules that a run breaks. A run without a track was not opened.
func judged(r run, th liveness.Thresholds) []string {
	if r.Track == nil {
		return []string{"it cannot be opened"}
	}
	var out []string
	for _, f := range liveness.Judge(liveness.Measure(*r.Track, th), th) {
		out = append(out, f.Rule)
	}
	return out
}

func tally(broken map[string]map[string]*Broken, what string, faults []string) {
	for _, rule := range faults {
		if broken[what] == nil {
			broken[what] = map[string]*Broken{}
		}
		b := broken[what][rule]
		if b == nil {
			b = &Broken{Rule: rule}
			broken[what][rule] = b
		}
		b.Runs++
		if len(faults) == 1 {
			b.Only++
		}
	}
}

// digests compares the frames of runs by their digests.
func digests(runs []run) DigestResult {
	genuine := map[int64]run{}
	for _, r := range runs {
		if r.What == Genuine {
			genuine[r.Seed] = r
		}
	}
	out := DigestResult{NearBits: liveness.NearBits, LeastReplay: 1}
	var recoded, again, others [2]int
	count := func(to *[2]int, a, b run) float64 {
		near := nearOf(a.Digests, b.Digests)
		to[0] += near
		to[1] += len(a.Digests.Digests)
		return float64(near) / float64(max(1, len(a.Digests.Digests)))
	}
	for _, r := range runs {
		first, ok := genuine[r.Seed]
		switch {
		case !ok:
		case r.What == Recoded:
			out.LeastReplay = min(out.LeastReplay, count(&recoded, r, first))
		case r.What == Again:
			out.MostAgain = max(out.MostAgain, count(&again, r, first))
		case r.What == Genuine:
			for seed, other := range genuine {
				if seed != r.Seed {
					count(&others, r, other)
				}
			}
		}
	}
	out.Recoded, out.Again, out.Others = bench.RateOf(recoded[0], recoded[1]), bench.RateOf(again[0], again[1]), bench.RateOf(others[0], others[1])
	return out
}

// nearOf counts a's frames that are near any of b's.
func nearOf(a, b idv.FrameDigests) int {
	n := 0
	for _, x := range a.Digests {
		if slices.ContainsFunc(b.Digests, func(y []byte) bool { return liveness.Near(x, y) }) {
			n++
		}
	}
	return n
}

// Measured is the result as the program carries it.
func (r *Result) Measured(dataSet, command string, day time.Time) liveness.Measured {
	out := liveness.Measured{
		DataSet: dataSet, Command: command, Date: day.Format(time.DateOnly), Thresholds: liveness.Calibration().Thresholds,
		Refused: countOf(r.Refused), Accepted: map[string]liveness.Count{},
		Digests: liveness.DigestRates{Recoded: countOf(r.Digests.Recoded), Again: countOf(r.Digests.Again), Others: countOf(r.Digests.Others)},
	}
	for a, rate := range r.Accepted {
		out.Accepted[a] = countOf(rate)
	}
	return out
}
