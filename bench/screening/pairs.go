package screening

import (
	"math/rand/v2"
	"slices"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/internal/names"
)

// Score is how answers agree with labels.
type Score struct {
	TP        int            `json:"tp"`
	FP        int            `json:"fp"`
	FN        int            `json:"fn"`
	TN        int            `json:"tn"`
	Precision float64        `json:"precision"`
	Recall    float64        `json:"recall"`
	F1        float64        `json:"f1"`
	Interval  bench.Interval `json:"f1_interval_95"` // by 1 000 draws of the rows
}

// PairResult is the answers on one part of the pairs, beside those of the best open matcher as its makers recorded them.
type PairResult struct {
	What        string `json:"what"`
	Pairs       int    `json:"pairs"`
	Own         Score  `json:"own"`
	Peer        Score  `json:"logic_v2"`
	StrongWrong int    `json:"strong_wrong"` // pairs that every matcher should get right, and this one did not
	PeerStrong  int    `json:"logic_v2_strong_wrong"`
	Strong      int    `json:"strong"`
}

type labelled struct {
	proposed, fitted, strong bool // proposed by a language model; of the half that limits were fitted on
	same, own, peer          bool
}

// pairs compares the pairs of people. Limits were fitted on the half whose id begins with 0 to 7.
func pairs(path string, ref names.Reference) ([]PairResult, error) {
	var all []labelled
	err := table(path, func(row map[string]string) {
		if row["schema"] != "Person" {
			return
		}
		c := names.Compare(names.Parse(row["name1"]), names.Parse(row["name2"]), ref)
		all = append(all, labelled{
			proposed: row["case_group"] == "synth_people", fitted: row["case_id"][0] < '8', strong: row["quality"] == "STRONG",
			same: row["is_match"] == "true", own: c.Score >= names.Threshold, peer: row["predicted_match"] == "true",
		})
	})
	if err != nil {
		return nil, err
	}
	var out []PairResult
	for _, part := range []struct {
		what string
		in   func(labelled) bool
	}{
		{"all pairs of people", func(labelled) bool { return true }},
		{"without those proposed by a language model", func(l labelled) bool { return !l.proposed }},
		{"all, the half that limits were fitted on", func(l labelled) bool { return l.fitted }},
		{"all, the other half", func(l labelled) bool { return !l.fitted }},
		{"without those proposed, the half that limits were fitted on", func(l labelled) bool { return !l.proposed && l.fitted }},
		{"without those proposed, the other half", func(l labelled) bool { return !l.proposed && !l.fitted }},
	} {
		rows := slices.DeleteFunc(slices.Clone(all), func(l labelled) bool { return !part.in(l) })
		out = append(out, judge(part.what, rows))
	}
	return out, nil
}

func judge(what string, rows []labelled) PairResult {
	own, peer := func(l labelled) bool { return l.own }, func(l labelled) bool { return l.peer }
	r := PairResult{What: what, Pairs: len(rows), Own: score(rows, own), Peer: score(rows, peer)}
	for _, l := range rows {
		if !l.strong {
			continue
		}
		r.Strong++
		if l.own != l.same {
			r.StrongWrong++
		}
		if l.peer != l.same {
			r.PeerStrong++
		}
	}
	return r
}

func score(rows []labelled, answer func(labelled) bool) Score {
	s := count(rows, answer)
	draws := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // a bootstrap
	var f []float64
	for range 1000 {
		again := make([]labelled, len(rows))
		for i := range again {
			again[i] = rows[draws.IntN(len(rows))]
		}
		f = append(f, count(again, answer).F1)
	}
	slices.Sort(f)
	s.Interval = bench.Interval{Low: f[25], High: f[974]}
	return s
}

func count(rows []labelled, answer func(labelled) bool) Score {
	var s Score
	for _, l := range rows {
		switch a := answer(l); {
		case a && l.same:
			s.TP++
		case a:
			s.FP++
		case l.same:
			s.FN++
		default:
			s.TN++
		}
	}
	s.Precision = float64(s.TP) / float64(max(1, s.TP+s.FP))
	s.Recall = float64(s.TP) / float64(max(1, s.TP+s.FN))
	s.F1 = 2 * float64(s.TP) / float64(max(1, 2*s.TP+s.FP+s.FN))
	return s
}

// Parity is how many of the results that OFAC's own tool shows at 90 and above are shown here, too.
type Parity struct {
	Alarm bench.Rate `json:"alarm"`
	Shown bench.Rate `json:"shown"`         // as an alarm or as distant
	Alike bench.Rate `json:"written_alike"` // among names that are written alike from 75 per cent, which a search by hand lists where it is asked to
}

// writtenFrom is from where names that are written alike are listed.
const writtenFrom = 0.75

func parity(path string, ref names.Reference) (Parity, error) {
	shown, alarm, alike, all := 0, 0, 0, 0
	err := table(path, func(row map[string]string) {
		if len(row["ofac_score"]) < 2 || row["ofac_score"] < "90" && row["ofac_score"] != "100" {
			return
		}
		all++
		searched, listed := names.Parse(row["query_name"]), names.Parse(row["result_name"])
		if names.LiteralOf(searched).Alike(listed) >= writtenFrom {
			alike++
		}
		c := names.Compare(searched, listed, ref)
		band := names.Assess(c, c.Grade(false), names.Facts{Birth: names.BirthUnknown})
		if band.Rank() >= names.BandDistant.Rank() {
			shown++
		}
		if band.Rank() >= names.BandPossible.Rank() {
			alarm++
		}
	})
	return Parity{bench.RateOf(alarm, all), bench.RateOf(shown, all), bench.RateOf(alike, all)}, err
}
