package attacks

import (
	"maps"
	"slices"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/fixtures/puppet"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// Result is what `bonafide bench attacks` answers.
type Result struct {
	Rows  []Counts `json:"rows"`
	Warps *Counts  `json:"warps,omitempty"` // of all rows in which a picture is bent or laid on an ellipsoid, where there are several
}

// Counts are the cases of one row: runs, or of adversaries their victims.
type Counts struct {
	Row         Row                   `json:"row"`
	Runs        int                   `json:"runs"`
	Approved    bench.Rate            `json:"approved"` // the upper bound of its interval is Wilson's
	Referred    int                   `json:"referred"`
	Declined    int                   `json:"declined"`
	NotAccepted int                   `json:"not_accepted"`
	Reasons     map[string]bench.Rate `json:"reasons"`            // of all runs: check and reason
	Tries       *bench.Quantiles      `json:"tries,omitempty"`    // of adversaries who won
	Best        map[string]int        `json:"best,omitempty"`     // families with which adversaries won
	Expected    bool                  `json:"expected,omitempty"` // approval is the right answer
}

// Summarize counts cases by row.
func Summarize(cases []Case) *Result {
	out := &Result{}
	for _, row := range Rows() {
		of := slices.Collect(func(yield func(Case) bool) {
			for _, c := range cases {
				if c.Row == row && !yield(c) {
					return
				}
			}
		})
		if len(of) > 0 {
			out.Rows = append(out.Rows, countsOf(row, of))
		}
	}
	warps := slices.DeleteFunc(slices.Clone(cases), func(c Case) bool { return !c.Row.warp() })
	if slices.ContainsFunc(warps, func(c Case) bool { return c.Row != warps[0].Row }) {
		all := countsOf("all warps", warps)
		out.Warps = &all
	}
	return out
}

// warp reports whether a picture is bent or laid on an ellipsoid: what moves is no head.
func (r Row) warp() bool {
	return slices.Contains([]Row{
		Row(puppet.GaussianWarp), Row(puppet.FeatureShift), Row(puppet.ThinPlate), Row(puppet.Ellipsoid), EllipsoidPortrait, EllipsoidGraded,
	}, r)
}

func countsOf(row Row, cases []Case) Counts {
	out := Counts{Row: row, Runs: len(cases), Reasons: map[string]bench.Rate{}, Expected: row.Honest()}
	reasons := map[string]int{}
	approved := 0
	var tries []float64
	for _, c := range cases {
		switch c.Outcome {
		case idv.DecideApprove:
			approved++
			tries = append(tries, float64(c.Tries))
		case idv.DecideRefer:
			out.Referred++
		case idv.DecideDecline:
			out.Declined++
		default:
			out.NotAccepted++
		}
		for _, why := range c.Reasons {
			reasons[why]++
		}
		if c.Row == Adaptive && c.Approved() && c.How != nil {
			if out.Best == nil {
				out.Best = map[string]int{}
			}
			out.Best[nameOf(c)]++
		}
	}
	out.Approved = bench.RateOf(approved, len(cases))
	for _, why := range slices.Sorted(maps.Keys(reasons)) {
		out.Reasons[why] = bench.RateOf(reasons[why], len(cases))
	}
	if row == Adaptive && len(tries) > 0 {
		q := bench.QuantilesOf(tries)
		out.Tries = &q
	}
	return out
}

// nameOf is the family that an adversary won with, and of which picture.
func nameOf(c Case) string {
	if c.How.Portrait {
		return string(c.How.Attack.Family) + " of the portrait"
	}
	return string(c.How.Attack.Family)
}
